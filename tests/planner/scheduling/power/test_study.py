"""What a study of power-aware policies says: headlines, warnings, settings and tables."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from planner.formatting import DASH
from planner.scheduling.power.results.result import PolicyOutcome
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.study import ScheduleStudy
from planner.scheduling.power.tables import LONG
from tests.planner.scheduling.power.outcomes import outcome, study_of


def runs(*policies: tuple[str, list[float]]) -> list[PolicyOutcome]:
    """One job a seed."""
    return [
        outcome(name, seed, time) for name, times in policies for seed, time in enumerate(times)
    ]


def test_no_winner_is_declared_within_the_noise() -> None:
    noisy = runs(("traditional", [10, 10, 10]), ("adaptive", [9, 11, 10.2]))
    assert (
        study_of(*noisy).headline
        == "With 3 seeds, no difference in mean turnaround is shown between "
        "Traditional and Adaptive."
    )
    many = runs(("traditional", [10] * 6), ("adaptive", [9, 11, 10.2, 9.5, 10.4, 10.1]))
    assert (
        study_of(*many).headline
        == "Mean turnaround does not differ significantly between Traditional and Adaptive."
    )


def test_a_clear_winner_is_named() -> None:
    clear = runs(("traditional", [10, 10, 10]), ("adaptive", [5, 5.2, 4.9]))
    assert (
        study_of(*clear).headline
        == "Adaptive has the shortest mean turnaround relative to Traditional: 50 % shorter."
    )


def test_where_the_reference_is_best_the_second_is_named() -> None:
    clear = runs(("traditional", [5, 5.2, 4.9]), ("adaptive", [10, 10.4, 9.8]))
    assert (
        study_of(*clear).headline
        == "No other policy has a shorter mean turnaround than Traditional; under Adaptive it is "
        "100 % longer."
    )


def test_several_best_policies_are_named_with_their_lead() -> None:
    close = runs(("traditional", [10, 10, 10]), ("a", [5, 5.2, 4.9]), ("b", [5.1, 5.0, 5.05]))
    assert study_of(*close).headline == (
        "a and b have the shortest mean turnaround relative to Traditional, up to 50 % shorter; "
        "the difference between them is not significant."
    )


def test_more_than_two_best_policies_are_compared_with_the_best() -> None:
    close = runs(
        ("traditional", [10, 10, 10]),
        ("a", [5, 5.2, 4.9]),
        ("b", [5.1, 5.0, 5.05]),
        ("c", [5.2, 5.1, 4.9]),
    )
    assert study_of(*close).headline == (
        "a, b and c have the shortest mean turnaround relative to Traditional, up to 50 % "
        "shorter; none differs significantly from a."
    )


def test_a_headline_names_at_most_five_policies() -> None:
    noisy = runs(*((f"p{index}", [10 + index % 2, 11 - index % 2, 10.5]) for index in range(8)))
    headline = study_of(*noisy).headline
    assert headline.endswith("and 4 others.")
    assert sum(f"p{index}" in headline for index in range(8)) == 4
    assert len(headline.split()) <= 20


def test_one_seed_declares_no_winner_where_chance_has_a_part() -> None:
    single_seed = runs(("traditional", [10]), ("adaptive", [8]))
    assert study_of(*single_seed, scenario="thesis-rmap").headline == (
        "Turnaround under Adaptive is 20 % shorter than under Traditional (one seed: not "
        "conclusive)."
    )
    assert study_of(*single_seed).headline.startswith("Adaptive has the shortest")


def test_one_seed_in_which_the_reference_is_among_the_best() -> None:
    tied = runs(("traditional", [8]), ("naive", [8]), ("adaptive", [9]))
    assert study_of(*tied, scenario="thesis-rmap").headline == (
        "Turnaround is equal under Traditional and Naive (one seed: not conclusive)."
    )
    others = runs(("traditional", [10]), ("naive", [8]), ("adaptive", [8]))
    assert study_of(*others, scenario="thesis-rmap").headline == (
        "Turnaround under Naive and Adaptive is 20 % shorter than under Traditional (one seed: not "
        "conclusive)."
    )


@pytest.mark.parametrize(
    ("fallbacks", "text"),
    [
        (3, "3 of 10 ILP decisions found no job to start within their search budget"),
        (1, "1 of 10 ILP decisions found no job to start within its search budget"),
    ],
)
def test_fallbacks_are_reported_without_a_cause_that_is_not_known(
    fallbacks: int, text: str
) -> None:
    run = replace(outcome("ilp-engine", 0, 5.0), decisions=10, fallbacks=fallbacks)
    assert study_of(run).warnings == (f"{text}, so Adaptive decided instead.",)
    assert study_of(replace(run, fallbacks=0)).warnings == ()


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
    tables = {table.name: table for table in study_of(*runs).shown}
    assert tables["above_bound"].cells() == [
        ("Adaptive", "2", "1", "10.0 s", "5.0 %", "50 W", "5.0 %"),
        ("ILP-engine", "2", "2", "50.0 s", "25 %", "300 W", "30 %"),
    ]
    calm = {table.name: table for table in study_of(above("adaptive", 0, 0.0, 0.0)).shown}
    assert not calm["above_bound"].rows


def test_lending_on_predicted_power_is_a_risk() -> None:
    runs = [above("adaptive-lending", 0, 2069.0, 30.0), above("adaptive-lending", 1, 0.0, 0.0)]
    said = [text for text in study_of(*runs, scenario="thesis-rmap").warnings if "lending" in text]
    assert said[-1] == (
        "Adaptive-lending on predicted power: lending leaves no reserve for predictions that are "
        "too low. True power exceeds the bound in 1 of 2 runs, by at most 2.1 kW."
    )
    measured = study_of(*runs).warnings  # its table is measured
    assert not any("lending leaves" in text for text in measured)
    calm = study_of(runs[1], scenario="thesis-rmap").warnings
    assert not any("lending leaves" in text for text in calm)


def test_a_rejection_may_be_the_policys_decision() -> None:
    run = replace(outcome("own", 0, 5.0), rejected=1)
    (warning,) = study_of(run).warnings
    assert warning == (
        "1 of 1 job run was rejected: no configuration fits the nodes and the bound, or the policy "
        "refuses the job."
    )


@pytest.mark.parametrize(
    ("peaks", "scope"),
    [
        ((0.5, 0.9), "For 1 of 2 pairs of policy and log"),
        ((0.5, 0.6), "For every policy and log"),
    ],
)
def test_a_bound_that_jobs_never_come_near_is_a_risk(peaks: tuple[float, ...], scope: str) -> None:
    outcomes = [
        replace(outcome(name, 0, 5.0), peak_charged_share=peak)
        for name, peak in zip(("traditional", "naive"), peaks, strict=True)
    ]
    (warning,) = study_of(*outcomes).warnings
    assert warning == (
        f"{scope}, power may never be scarce. There, the policy expects running jobs to need less "
        "than 80 % of the power that they may use, under every bound. The lowest peak is 50 % "
        "(Traditional, log jobs)."
    )


def test_a_bound_that_one_seed_or_bound_comes_near_is_no_risk() -> None:
    calm = replace(outcome("naive", 0, 5.0), peak_charged_share=0.3)
    tight = replace(outcome("naive", 0, 5.0, bound_w=0.5), peak_charged_share=0.8)
    assert study_of(calm, tight).warnings == ()
    assert study_of(replace(calm, mean_turnaround_s=None)).warnings == ()


def test_a_cluster_that_is_mostly_idle_is_a_risk() -> None:
    idle = [
        replace(outcome(name, 0, 5.0), power_utilisation=share, peak_charged_share=0.9)
        for name, share in (("traditional", 0.086), ("naive", 0.065))
    ]
    (warning,) = study_of(*idle).warnings
    assert warning.startswith("Jobs use 6.5 % to 8.6 % of the power bound on average: ")
    busy = [replace(idle[0], power_utilisation=0.5), idle[1]]
    assert study_of(*busy).warnings == ()


def test_the_files_of_the_scenario_have_digests() -> None:
    (row,) = study_of(outcome("naive", 0, 5.0)).provenance
    assert row[0] == "SHA-256 of thesis-table-5-2.toml"


def test_the_peak_of_the_charge_is_a_share_of_what_jobs_may_use() -> None:
    peaks = {run.policy: run.peak_charged_share for run in schedule("thesis-table-5-2").outcomes}
    assert peaks["traditional"] == pytest.approx(7250 / 8000)
    assert peaks["adaptive"] == pytest.approx((7250 + 738.2) / 8000)


def test_columns_with_one_value_are_hidden_and_said_in_the_caption() -> None:
    tables = {table.name: table for table in schedule("thesis-table-5-2").shown}
    assert tables["turnaround"].headings()[0] == "policy"
    assert "log one-job, 8.0 kW" in tables["turnaround"].caption
    assert {"log", "bound_w"} <= {*tables["turnaround"].plain()[0]}


def test_one_policy_and_no_job_are_said() -> None:
    assert study_of(outcome("naive", 0, 5.0)).headline == "Only Naive was run."


def test_the_reference_is_the_first_policy_where_traditional_is_not_run() -> None:
    study = study_of(*runs(("naive", [10, 10, 10]), ("adaptive", [5, 5.2, 4.9])))
    assert study.reference == "naive"
    assert study.settings["reference"] == "naive"
    tables = {table.name: table for table in study.shown}
    assert "compared with Naive" in tables["turnaround"].caption
    assert "relative to Naive" in tables["turnaround"].headings()
    assert "than under Naive" in tables["users"].caption
    assert all(row["ratio"] is not None for row in tables["turnaround"].plain())
    assert study.headline.endswith("relative to Naive: 50 % shorter.")


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
    table = next(item for item in by_log_and_bound().shown if item.name == "turnaround_by_policy")
    assert table.headings() == ("bound", "Traditional: time", "a.b", "c")
    assert "log jobs" in table.caption
    assert table.cells() == [
        ("1.0 kW", "10.0 s", "*0.510", "1.020"), ("2.0 kW", "10.0 s", "*0.510", "1.020")
    ]  # fmt: skip
    assert table.plain()[0]["a_b"] == pytest.approx(0.51, abs=1e-3)


def test_an_interval_is_one_column_and_its_ends_are_values() -> None:
    tables = {table.name: table for table in by_log_and_bound().shown}
    for name in ("policies_overall", "turnaround"):
        at = tables[name].headings().index("95 % interval")
        cells = [row[at] for row in tables[name].cells()]
        assert cells[0] == DASH
        assert " to " in cells[-1]
        assert {"low", "high"} <= {*tables[name].plain()[-1]}


def test_ends_of_an_interval_are_keys_also_where_no_interval_is_shown() -> None:
    single = schedule("thesis-table-5-2")
    alone = study_of(*runs(("naive", [10, 11, 12])))
    for study in (single, alone):
        tables = {table.name: table for table in study.shown}
        for name in ("policies_overall", "turnaround"):
            assert not any("interval" in heading for heading in tables[name].headings())
            assert {"low", "high"} <= {*tables[name].plain()[0]}


def test_an_interval_below_one_next_to_a_tie_names_the_correction() -> None:
    study = study_of(
        *runs(("traditional", [10] * 3), ("a", [8.5, 9.0, 9.2]), ("b", [9.6, 9.0, 9.0]))
    )
    assert study.headline.endswith("between a, b and Traditional.")
    assert study.ranking[0][1].high is not None
    assert study.ranking[0][1].high < 1
    assert "; not significant after the correction)" in " ".join(study.explanation.reasons)


def test_the_lowest_bound_is_said_to_bind_only_where_jobs_end_sooner_under_the_next() -> None:
    """All use 90 % of their bound; only the comparison of two bounds shows that it binds."""

    def limits(*means: float) -> tuple[str, ...]:
        outcomes = [
            replace(one, bound_w=1000.0 * (i + 1), power_utilisation=0.9)
            for i, mean in enumerate(means)
            for one in runs(("traditional", [mean + 1, mean]), ("adaptive", [mean - 1, mean - 2]))
        ]
        return tuple(study_of(*outcomes).explanation.limits)

    assert limits(10.0) == ()
    assert limits(10.0, 10.0) == ()
    (line,) = limits(10.0, 8.0)
    assert "90 % of it on average, and jobs end sooner under 2.0 kW." in line


def test_the_tables_are_plain_json() -> None:
    study = by_log_and_bound()
    plain = json.loads(json.dumps(study.to_dict(), allow_nan=False))
    assert {*LONG} <= {*plain} | {"counts", "tails_by_case"}
    assert "power" in plain
    assert all("decision_seconds" not in run for run in plain["policies"])


def test_the_correction_is_said() -> None:
    study = by_log_and_bound()
    assert "Holm" in study.confidence
    assert "Holm" in next(table.caption for table in study.shown if table.name == "turnaround")
