"""What a study of power-aware policies says: headlines, risks, settings and tables as data."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from planner.finding import Finding
from planner.scheduling.power.results.result import PolicyOutcome
from planner.scheduling.power.rows import UNITS
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.study import ScheduleStudy
from tests.planner.scheduling.power.outcomes import outcome, study_of


def runs(*policies: tuple[str, list[float]]) -> list[PolicyOutcome]:
    """One job a seed."""
    return [
        outcome(name, seed, time) for name, times in policies for seed, time in enumerate(times)
    ]


def headline(*outcomes: PolicyOutcome, scenario: str = "thesis-table-5-2") -> Finding:
    return study_of(*outcomes, scenario=scenario).study.headline


def risks(*outcomes: PolicyOutcome, scenario: str = "thesis-table-5-2") -> dict[str, Finding]:
    found = study_of(*outcomes, scenario=scenario).study.findings
    return {each.kind: each for each in found if each.severity == "risk"}


def shown(study: ScheduleStudy, name: str) -> list[str]:
    """Keys of the columns that people see."""
    return [column.key for column in study.study.table(name).columns if column.shown]


def test_no_winner_is_declared_within_the_noise() -> None:
    few = headline(*runs(("traditional", [10, 10, 10]), ("adaptive", [9, 11, 10.2])))
    assert (few.kind, few.values["seeds"]) == ("keep", 3)
    many = headline(*runs(("traditional", [10] * 6),
                          ("adaptive", [9, 11, 10.2, 9.5, 10.4, 10.1])))  # fmt: skip
    assert (many.kind, many.values["reference"]) == ("keep", "traditional")
    ahead = headline(*runs(("traditional", [10] * 6), ("adaptive", [9, 11, 9.9, 9.5, 10.4, 9.1])))
    assert (ahead.kind, ahead.values["best"]) == ("provisional", "adaptive")


def test_a_clear_winner_is_named() -> None:
    found = headline(*runs(("traditional", [10, 10, 10]), ("adaptive", [5, 5.2, 4.9])))
    assert found.kind == "shortest"
    assert found.values["policies"] == ("adaptive",)
    assert found.values["change"] == pytest.approx(-0.5, abs=0.01)


def test_where_the_reference_is_best_the_second_is_named() -> None:
    found = headline(*runs(("traditional", [5, 5.2, 4.9]), ("adaptive", [10, 10.4, 9.8])))
    assert found.kind == "shortest"
    assert found.values == {"policies": ("traditional",), "other": "adaptive",
                            "change": pytest.approx(-0.5)}  # fmt: skip


def test_several_best_policies_are_named_with_their_lead() -> None:
    found = headline(*runs(("traditional", [10, 10, 10]), ("a", [5, 5.2, 4.9]),
                           ("b", [5.1, 5.0, 5.05])))  # fmt: skip
    assert found.kind == "shortest-tied"
    assert found.values["policies"] == ("a", "b")
    assert found.values["change"] == pytest.approx(-0.5, abs=0.01)


def test_a_headline_has_at_most_20_words() -> None:
    noisy = [(f"p{index}", [10 + index % 2, 11 - index % 2, 10.5]) for index in range(9)]
    for number in (2, 6, 7, 9):
        assert len(study_of(*runs(*noisy[:number])).headline.split()) <= 20
        clear = study_of(*runs(*noisy[:number], ("traditional", [20.0, 20.0, 20.1])))
        assert clear.study.headline.kind == "shortest-many" if number > 6 else "shortest-tied"
        assert len(clear.headline.split()) <= 20


def test_one_seed_declares_no_winner_where_chance_has_a_part() -> None:
    single = runs(("traditional", [10]), ("adaptive", [8]))
    assert headline(*single, scenario="thesis-rmap").kind == "shortest-chance"
    assert headline(*single).kind == "shortest"


def test_one_seed_in_which_the_reference_is_among_the_best() -> None:
    tied = headline(*runs(("traditional", [8]), ("naive", [8]), ("adaptive", [9])),
                    scenario="thesis-rmap")  # fmt: skip
    assert (tied.kind, tied.values["policies"]) == ("equal-chance", ("traditional", "naive"))
    others = headline(*runs(("traditional", [10]), ("naive", [8]), ("adaptive", [8])))
    assert (others.kind, others.values["policies"]) == ("shortest", ("naive", "adaptive"))


def test_means_that_differ_by_rounding_alone_are_equal() -> None:
    for seeds in (1, 3):
        noisy = runs(("traditional", [10.0] * seeds), ("naive", [10 * (1 + 1e-15)] * seeds))
        assert headline(*noisy).kind == ("equal" if seeds == 1 else "keep")


def test_listed_applications_leave_nothing_to_chance() -> None:
    """Sockets and run times of the cluster vary by default, but only simulated ones."""
    study = study_of(*runs(("traditional", [10, 10]), ("naive", [8, 8])))
    cluster = study.schedule.cluster.model_copy(update={"variability": True, "noise": True})
    changed = study.schedule.model_copy(update={"cluster": cluster})
    scenario = study.scenario.model_copy(update={"schedule": changed})
    assert not replace(study, scenario=scenario).varies
    assert [each.kind for each in study.study.confidence] == ["simulated", "no-chance"]


def test_fallbacks_are_counted() -> None:
    run = replace(outcome("ilp-engine", 0, 5.0), decisions=10, fallbacks=3)
    assert risks(run)["fallbacks"].values == {"decisions": (3, 10)}
    assert risks(replace(run, fallbacks=0)) == {}


def above(policy: str, seed: int, excess_w: float, above_s: float) -> PolicyOutcome:
    """A run of 100 s under a bound of 1 kW."""
    return replace(
        outcome(policy, seed, 5.0, bound_w=1000.0),
        bound_violations=int(excess_w > 0),
        largest_violation_w=excess_w,
        violation_s=above_s,
        makespan_s=100.0,
        peak_charged_share=0.9,
    )


def test_every_policy_has_its_runs_time_and_size_above_the_bound() -> None:
    runs = [above("adaptive", 0, 0.0, 0.0), above("adaptive", 1, 50.0, 10.0),
            above("ilp-engine", 0, 20.0, 5.0), above("ilp-engine", 1, 300.0, 45.0)]  # fmt: skip
    rows = study_of(*runs).tables()["above_bound"]
    assert [tuple(row.values()) for row in rows] == [
        ("adaptive", 2, 1, 0.5, 10.0, pytest.approx(0.05), 50.0, pytest.approx(0.05)),
        ("ilp-engine", 2, 2, 1.0, 50.0, pytest.approx(0.25), 300.0, pytest.approx(0.3)),
    ]
    assert "above_bound" not in study_of(above("adaptive", 0, 0.0, 0.0)).tables()


def test_lending_on_predicted_power_is_a_risk() -> None:
    runs = [above("adaptive-lending", 0, 2069.0, 30.0), above("adaptive-lending", 1, 0.0, 0.0)]
    found = risks(*runs, scenario="thesis-rmap")["lending"]
    assert found.values == {"runs": (1, 2), "excess": 2069.0}
    assert "lending" not in risks(*runs)  # its table is measured
    assert "lending" not in risks(runs[1], scenario="thesis-rmap")


@pytest.mark.parametrize(("peaks", "pairs"), [((0.5, 0.9), (1, 2)), ((0.5, 0.6), (2, 2))])
def test_a_bound_that_jobs_never_come_near_is_a_risk(
    peaks: tuple[float, ...], pairs: tuple[int, int]
) -> None:
    outcomes = [
        replace(outcome(name, 0, 5.0), peak_charged_share=peak)
        for name, peak in zip(("traditional", "naive"), peaks, strict=True)
    ]
    (found,) = risks(*outcomes).values()
    assert (found.kind, found.values["pairs"], found.values["least"]) == (
        "never-scarce", pairs, 0.5
    )  # fmt: skip


def test_a_bound_that_one_seed_or_bound_comes_near_is_no_risk() -> None:
    calm = replace(outcome("naive", 0, 5.0), peak_charged_share=0.3)
    tight = replace(outcome("naive", 0, 5.0, bound_w=0.5), peak_charged_share=0.8)
    assert risks(calm, tight) == {}
    assert risks(replace(calm, mean_turnaround_s=None)) == {}


def test_a_cluster_that_is_mostly_idle_is_a_risk() -> None:
    idle = [
        replace(outcome(name, 0, 5.0), power_utilisation=share, peak_charged_share=0.9)
        for name, share in (("traditional", 0.086), ("naive", 0.065))
    ]
    assert risks(*idle)["idle"].values == {"share": (0.065, 0.086)}
    assert risks(replace(idle[0], power_utilisation=0.5), idle[1]) == {}


def test_the_files_of_the_scenario_have_digests() -> None:
    (name,) = study_of(outcome("naive", 0, 5.0)).study.provenance.inputs
    assert name == "thesis-table-5-2.toml"


def test_the_peak_of_the_charge_is_a_share_of_what_jobs_may_use() -> None:
    peaks = {run.policy: run.peak_charged_share for run in schedule("thesis-table-5-2").outcomes}
    assert peaks["traditional"] == pytest.approx(7250 / 8000)
    assert peaks["adaptive"] == pytest.approx((7250 + 738.2) / 8000)


def test_columns_with_one_value_are_for_the_workbook_alone() -> None:
    study = schedule("thesis-table-5-2")
    assert not {"log", "bound_w", "normalised"} & {*shown(study, "turnaround")}
    assert {"log", "bound_w", "normalised"} <= {*study.tables()["turnaround"][0]}
    alone = study_of(*runs(("naive", [10, 11, 12])))
    assert shown(alone, "turnaround") == ["policy", "mean_turnaround_s"]


def test_one_policy_is_compared_with_nothing() -> None:
    study = study_of(outcome("naive", 0, 5.0))
    assert (study.study.headline.kind, study.study.headline.values) == (
        "alone", {"policy": "naive"}
    )  # fmt: skip
    assert "turnaround" not in {fact.key for fact in study.study.facts}


def test_the_reference_is_the_first_policy_where_traditional_is_not_run() -> None:
    study = study_of(*runs(("naive", [10, 10, 10]), ("adaptive", [5, 5.2, 4.9])))
    assert study.reference == "naive"
    assert study.settings["reference"] == "naive"
    assert all(row["ratio"] is not None for row in study.tables()["turnaround"])
    assert study.study.headline.values["other"] == "naive"


def by_log_and_bound() -> ScheduleStudy:
    return study_of(
        *(
            outcome(policy, seed, time + 0.1 * seed * index, bound_w=bound)
            for index, (policy, time) in enumerate([("traditional", 10), ("a.b", 5), ("c", 10)])
            for seed in range(3)
            for bound in (1000.0, 2000.0)
        )
    )


def test_each_log_and_bound_has_a_line_with_all_policies() -> None:
    rows = by_log_and_bound().tables()["turnaround_by_policy"]
    assert [(row["bound_w"], row["reference_s"]) for row in rows] == [(1000, 10), (2000, 10)]
    assert rows[0]["a_b"] == pytest.approx(0.51, abs=1e-3)
    assert rows[0]["c"] == pytest.approx(1.02, abs=1e-3)


def test_an_interval_below_one_may_not_be_significant_after_the_correction() -> None:
    study = study_of(
        *runs(("traditional", [10] * 3), ("a", [8.5, 9.0, 9.2]), ("b", [9.6, 9.0, 9.0]))
    )
    assert study.study.headline.kind == "provisional"
    assert study.ranking[0][1].high is not None
    assert study.ranking[0][1].high < 1


def test_the_lowest_bound_is_said_to_bind_only_where_jobs_end_sooner_under_the_next() -> None:
    """All use 90 % of their bound; only the comparison of two bounds shows that it binds."""

    def binding(*means: float) -> list[Finding]:
        outcomes = [
            replace(one, bound_w=1000.0 * (i + 1), power_utilisation=0.9)
            for i, mean in enumerate(means)
            for one in runs(("traditional", [mean + 1, mean]), ("adaptive", [mean - 1, mean - 2]))
        ]
        pages = study_of(*outcomes).study.questions
        return [each for page in pages for each in page.findings if each.kind == "binds"]

    assert binding(10.0) == binding(10.0, 10.0) == binding(10.0, 10 - 1e-14) == []
    (line,) = binding(10.0, 8.0)
    assert (line.values["bound"], line.values["next"]) == (1000.0, 2000.0)
    assert line.values["used"] == pytest.approx(0.9)


def test_the_tables_are_plain_json() -> None:
    plain = json.loads(json.dumps(by_log_and_bound().to_dict(), allow_nan=False))
    never = {"above_bound", "details", "hindsight", "requests", "counts", "tails", "tails_by_case"}
    assert {*UNITS} - never <= {*plain}
    assert all({*row} == {*UNITS[name]} for name in {*UNITS} - never for row in plain[name])
    assert all("decision_seconds" not in run for run in plain["policies"])
