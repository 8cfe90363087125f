"""The report on power-aware scheduling: findings, figures by their content, files, any names."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pypdf
import pytest
from matplotlib.axes import Axes

import reports
from planner.question import schedule_of
from planner.scheduling.power.explanation import IDLE_FIRST
from planner.scheduling.power.files import FILES, files
from planner.scheduling.power.results.result import PolicyOutcome, PowerSeries
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.study import ScheduleStudy
from reports.schedule import pictures
from reports.schedule.document import document
from reports.schedule.fairness import fairness_answer
from reports.schedule.figures import watts
from reports.style import Picture
from tests.planner.scheduling.power.outcomes import job_outcome, outcome, study_of
from tests.planner.scheduling.power.scenarios_of import simulated
from tests.reports.given import same_on_given_axes

BOUNDS_W = (4000.0, 9000.0)
POLICIES = ("traditional", "naive", "adaptive")
LABELS = ["Traditional", "Naive", "Adaptive"]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> ScheduleStudy:
    scenario = simulated(tmp_path_factory.mktemp("s"), details='method = "oracle"')
    return schedule(scenario, policies=POLICIES, bounds_w=BOUNDS_W, seeds=2)


@pytest.fixture(scope="module")
def drawings(study: ScheduleStudy) -> dict[str, Picture]:
    return {picture.name: picture for picture in pictures(study)}


def axes_of(picture: Picture) -> list[Axes]:
    return [axes for axes in picture.figure.axes if axes.get_visible()]


def test_every_figure_is_there(drawings: dict[str, Picture]) -> None:
    assert [*drawings] == [
        "01-turnaround", "20-jobs-that-gain", "29-watts-over-time", "30-share-of-the-bound",
        "40-fairness",
    ]  # fmt: skip


def test_every_figure_can_be_drawn_on_given_axes(drawings: dict[str, Picture]) -> None:
    assert same_on_given_axes([*drawings.values()])


def test_turnaround_is_that_of_the_table(
    study: ScheduleStudy, drawings: dict[str, Picture]
) -> None:
    (axes,) = axes_of(drawings["01-turnaround"])
    for policy in ("naive", "adaptive"):
        (line,) = [curve for curve in axes.lines if curve.get_label() == policy.capitalize()]
        rows = [row.ratio for row in study.rows if row.policy == policy]
        assert np.asarray(line.get_ydata(), float).tolist() == rows
    (base,) = [curve for curve in axes.lines if curve.get_label() == "Traditional"]
    assert set(np.asarray(base.get_ydata(), float)) == {1}
    assert axes.get_yscale() == "log"


def test_jobs_are_sorted_by_what_they_gain(
    study: ScheduleStudy, drawings: dict[str, Picture]
) -> None:
    (axes,) = axes_of(drawings["20-jobs-that-gain"])
    (line,) = [item for item in axes.lines if item.get_label() == "Naive"]
    values = np.asarray(line.get_ydata(), float)
    assert (np.diff(values) >= 0).all()
    runs = {
        (item.policy, item.seed): item for item in study.outcomes if item.bound_w == BOUNDS_W[0]
    }
    ratios = [
        runs["naive", seed].turnaround_s / runs["traditional", seed].turnaround_s for seed in (0, 1)
    ]
    assert (values[0], values[-1]) == pytest.approx(
        (np.concatenate(ratios).min(), np.concatenate(ratios).max())
    )


def test_watts_over_time_are_those_of_the_first_seed(drawings: dict[str, Picture]) -> None:
    picture = drawings["29-watts-over-time"]
    assert picture.title.startswith("Log random, seed 0, 4.0 kW: true power ")
    assert [axes.get_title(loc="left") for axes in axes_of(picture)] == LABELS
    assert "Only the time " in picture.alternative


def test_the_time_above_the_bound_is_in_the_title() -> None:
    series = PowerSeries((0.0, 60.0, 240.0, 300.0), (900.0, 1100.0, 0.0), (900.0, 900.0, 0.0))
    run = outcome("traditional", 0, 60.0, bound_w=1000.0)
    (picture,) = watts.pictures(study_of(_with_power(run, series)))
    assert picture.title == (
        "Log jobs, 1.0 kW: true power exceeds the bound by at most 100 W, for 3.00 min under "
        "Traditional"
    )
    calm = PowerSeries((0.0, 60.0), (900.0,), (900.0,))
    (picture,) = watts.pictures(study_of(_with_power(run, calm)))
    assert picture.title.endswith("true power never exceeds the bound")


def test_of_many_steps_the_largest_excess_is_shown() -> None:
    steps = [900.0] * 40
    steps[30] = 1300.0
    time_s = tuple(60.0 * step for step in range(41))
    series = PowerSeries(time_s, tuple(steps), (900.0,) * 40)
    run = _with_power(outcome("traditional", 0, 60.0, bound_w=1000.0), series)
    (picture,) = watts.pictures(study_of(run))
    low, high = axes_of(picture)[0].get_xlim()
    assert low < 30 < 31 < high
    assert high - low < 40 / 3
    assert "around the largest excess" in watts.note(study_of(run))


def test_each_policy_is_shown_around_its_own_largest_excess() -> None:
    time_s = tuple(60.0 * step for step in range(41))
    runs = []
    for policy, at, excess_w in (("traditional", 5, 500.0), ("naive", 30, 1400.0),
                                 ("adaptive", 0, 0.0)):  # fmt: skip
        steps = [900.0] * 40
        steps[at] = 1000.0 + excess_w
        series = PowerSeries(time_s, tuple(steps), (900.0,) * 40)
        runs.append(_with_power(outcome(policy, 0, 60.0, bound_w=1000.0), series))
    study = study_of(*runs)
    (picture,) = watts.pictures(study)
    panels = axes_of(picture)
    assert [axes.get_title(loc="left") for axes in panels] == [
        "Traditional: at most 0.5 kW above the bound", "Naive: at most 1.4 kW above the bound",
        "Adaptive: never above",
    ]  # fmt: skip
    for axes, minute in zip(panels, (5, 30, 30), strict=True):
        low, high = axes.get_xlim()
        assert low <= minute < high
    assert picture.title.endswith("for 60.0 s under Traditional and 60.0 s under Naive")
    assert "the largest excess of each policy is shown" in watts.note(study)


def test_the_window_covers_every_policy() -> None:
    study = schedule("thesis-table-5-2", policies=["adaptive", "traditional"])
    (picture,) = [item for item in pictures(study) if item.kind == "watts"]
    low, high = axes_of(picture)[0].get_xlim()
    assert (low, high) == pytest.approx((0, 1447.9 / 60))


def _with_power(run: Any, series: PowerSeries) -> Any:
    return replace(run, power=series)


def test_one_seed_declares_no_difference_in_a_figure(study: ScheduleStudy) -> None:
    first = ScheduleStudy(study.scenario, tuple(run for run in study.outcomes if run.seed == 0))
    titles = [picture.title for picture in pictures(first)]
    assert titles[0].startswith("Log random: turnaround is ")
    assert titles[0].endswith(" times that under Traditional (one seed: not conclusive)")


def test_the_csv_files_hold_every_job_and_the_watts(study: ScheduleStudy) -> None:
    made = files(study)
    assert tuple(made) == FILES
    jobs = [*csv.DictReader(io.StringIO(made["jobs.csv"].decode()))]
    assert len(jobs) == sum(len(run.jobs) for run in study.outcomes)
    assert {float(job["gain_s"]) for job in jobs if job["policy"] == "traditional"} == {0.0}
    watts = [*csv.DictReader(io.StringIO(made["power.csv"].decode()))]
    assert {(row["seed"], row["bound_w"]) for row in watts} == {("0", "4000.0")}
    assert {row["policy"] for row in watts} == {*POLICIES}
    energy = study.outcomes[0].energy_j
    rows = [row for row in watts if row["policy"] == "traditional"]
    times = np.array([float(row["time_s"]) for row in rows])
    true = np.array([float(row["true_w"]) for row in rows])
    assert (np.diff(times) * true[:-1]).sum() == pytest.approx(energy)


def test_figures_come_before_tables_and_long_tables_last(study: ScheduleStudy) -> None:
    pages = document(study, pictures(study))["pages"]
    assert [page["heading"] for page in pages] == [
        "What do the terms mean?", "How long do jobs take?",
        "How many jobs end sooner, and how many later?", "Does power stay within the bound?",
        "Are the policies fair?", "Appendix: method", "Appendix: every case",
        "Appendix: provenance",
    ]  # fmt: skip
    for page in pages[1:4]:
        kinds = [block["kind"] for block in page["blocks"]]
        assert kinds[0] == "text"
        assert "picture" in kinds
    provenance = pages[-1]["blocks"][0]["table"]["rows"]
    assert ["Power bounds", "4.0 kW and 9.0 kW"] in provenance
    assert ["Reference policy", "traditional"] in provenance


def test_policies_that_the_first_page_does_not_explain_have_a_table(study: ScheduleStudy) -> None:
    page = document(study, pictures(study))["pages"][0]
    assert {block["kind"] for block in page["blocks"]} == {"text"}
    assert page["answer"] == ""
    names = ("traditional", "naive", "adaptive", "adaptive-any", "adaptive-20")
    many = study_of(*(outcome(name, 0, 10.0) for name in names))
    page = document(many, ())["pages"][0]
    assert page["heading"] == "Which policies are compared?"
    rows = page["blocks"][-1]["table"]["rows"]
    assert [name for name, _ in rows] == [*LABELS, "Adaptive-any", "Adaptive-20"]
    assert rows[1][1] == "The fastest configuration within the job's fair share of the bound."


def fair(policy: str, bound_w: float, value: float, log: str = "jobs") -> PolicyOutcome:
    return replace(outcome(policy, 0, 10.0, bound_w=bound_w, log=log), fairness=value)


def test_the_answer_on_fairness_names_all_policies_and_the_bounds() -> None:
    values = {
        (1000.0, "a"): (0.90, 0.95, 0.85),  # Naive is higher in one of two logs
        (1000.0, "b"): (0.97, 0.90, 0.85),
        (2000.0, "a"): (0.99, 0.95, 0.90),
        (2000.0, "b"): (0.98, 0.95, 0.90),
        (3000.0, "a"): (0.9801, 0.9799, 0.90),  # equal with three digits
        (3000.0, "b"): (0.99, 0.95, 0.90),
    }
    runs = [
        fair(policy, bound_w, value, log)
        for (bound_w, log), each in values.items()
        for policy, value in zip(POLICIES, each, strict=True)
    ]
    assert fairness_answer(study_of(*runs)) == (
        "Mean Jain's index (1 is fair) is 0.968 (Traditional), 0.947 (Naive) and 0.883 (Adaptive); "
        "differences are not tested. Traditional is highest in all 2 logs at 2.0 kW. At 1.0 kW, "
        "another policy is higher in 1 of 2 logs."
    )


def test_the_answer_on_fairness_of_one_policy_or_equal_ones_compares_nothing() -> None:
    alone = study_of(fair("naive", 1000.0, 0.9), fair("naive", 2000.0, 0.8))
    assert fairness_answer(alone) == "Mean Jain's index (1 is fair) is 0.850 under Naive."
    two = [fair(policy, bound_w, value) for policy, bound_w, value in (
        ("traditional", 1000.0, 0.9), ("naive", 1000.0, 0.8),
        ("traditional", 2000.0, 0.9), ("naive", 2000.0, 0.95),
    )]  # fmt: skip
    assert fairness_answer(study_of(*two)).endswith(
        "Traditional is higher at 1.0 kW. At 2.0 kW, Naive is higher."
    )
    equal = study_of(fair("traditional", 1000.0, 0.9), fair("naive", 1000.0, 0.9))
    assert fairness_answer(equal).startswith("Delays are spread equally evenly")


def test_answers_have_numbers(study: ScheduleStudy) -> None:
    answers = {page["heading"]: page["answer"] for page in document(study, ())["pages"]}
    for name, ratio in study.ranking:
        if name != study.reference:
            assert f"{ratio.mean:.3f} ({name.capitalize()})" in answers["How long do jobs take?"]
    assert answers["Does power stay within the bound?"][:3] in ("No:", "Yes")


def test_several_logs_have_a_figure_of_all_policies_first() -> None:
    runs = [
        outcome(policy, seed, time_s + seed * place / 10, log=log)
        for place, (policy, time_s) in enumerate((("traditional", 10.0), ("naive", 8.0)))
        for seed in range(2)
        for log in ("a", "b")
    ]
    study = study_of(*runs)
    first = pictures(study)[0]
    assert (first.kind, first.name) == ("overall", "00-policies")
    assert first.title == "Mean turnaround relative to Traditional is 0.805 under Naive"
    assert document(study, [first])["table"] is None


def test_the_document_is_written(study: ScheduleStudy, tmp_path: Path) -> None:
    written = reports.write(study, tmp_path / "out")
    text = " ".join(page.extract_text() for page in pypdf.PdfReader(written.report).pages)
    assert "How many jobs end sooner, and how many later?" in text
    assert (tmp_path / "out" / "power.csv").is_file()


def test_one_job_has_sentences_and_one_table_instead_of_statistics() -> None:
    study = schedule("thesis-table-5-2")
    made = document(study, pictures(study))
    assert made["description"].startswith("Source: T. Patki")
    pages = {page["heading"]: page for page in made["pages"]}
    assert "How many jobs end sooner, and how many later?" not in pages
    page = pages["How long does the job take?"]
    assert page["answer"] == (
        "The job takes 24.1 min under Traditional, 23.6 min under Naive and 7.3 min under Adaptive."
    )
    (table,) = [block["table"] for block in page["blocks"] if block["kind"] == "table"]
    assert table["rows"][-1] == [
        "Adaptive", "8", "10", "80 W", "738.2 W", "0.0 min", "7.3 min", "0.0901"
    ]  # fmt: skip
    why = "only the configuration of Adaptive (charged 738.2 W) fits at once."
    assert f"So 10 nodes and 750 W are free: {why}" in str(page["blocks"][0])
    assert why in str(made["left"])
    method = dict(pages["Appendix: method"]["blocks"][-1]["table"]["rows"])
    assert "energy is that of the jobs" in method["Other work"]
    assert "(here none of 3 job runs)" in method["Fair share"]
    provenance = dict(pages["Appendix: provenance"]["blocks"][0]["table"]["rows"])
    assert len(provenance["SHA-256 of thesis-table-5-2.toml"]) == 64
    assert "Seed values" not in provenance


def test_each_program_stops_at_its_own_gap_and_the_report_says_what_is_greedy() -> None:
    names = ("traditional", "ilp-highs", "ilp-slots-highs")
    runs = [replace(outcome(name, 0, 10.0), log="large") for name in names]
    pages = document(study_of(*runs, scenario="thesis-rmap"), ())["pages"]
    method = dict(next(page for page in pages if page["heading"] == "Appendix: method")
                  ["blocks"][-1]["table"]["rows"])  # fmt: skip
    assert "within 0.1 % of the solver's proven limit" in method["Integer program"]
    assert "within 1 % of the solver's proven limit" in method["Integer program in slots"]
    assert "A slot is 60 s; 20 jobs are planned." in method["Integer program in slots"]
    assert "Adaptive is greedy: the fastest" in method["Integer program"]
    terms = str(pages[0]["blocks"][0])
    assert "Traditional comes from RMAP" in terms
    assert "It is greedy: it takes one waiting job after the other." in terms
    assert "integer linear program (ILP)" in terms


def test_the_method_counts_the_decisions_of_adaptive() -> None:
    runs = [
        replace(outcome(name, 0, 10.0), log="large", decisions=decisions, fallbacks=fallbacks)
        for name, decisions, fallbacks in (
            ("adaptive", 0, 0), ("ilp-highs", 20, 3), ("ilp-slots-highs", 7, 2)
        )
    ]  # fmt: skip
    pages = document(study_of(*runs, scenario="thesis-rmap"), ())["pages"]
    method = dict(next(page for page in pages if page["heading"] == "Appendix: method")
                  ["blocks"][-1]["table"]["rows"])  # fmt: skip
    assert "here in 3 of 20 decisions." in method["Integer program"]
    assert "here in 2 of 7 decisions." in method["Integer program in slots"]
    assert "Adaptive is greedy" not in method["Integer program"]


def test_turnaround_of_several_logs_has_a_row_for_each_bound() -> None:
    runs = [
        outcome(policy, seed, time_s + seed, log=log, bound_w=bound_w)
        for policy, times in (("traditional", (10.0, 10.0)), ("naive", (12.0, 5.0)),
                              ("adaptive", (9.0, 5.0)))
        for bound_w, time_s in zip((1000.0, 2000.0), times, strict=True)
        for seed in range(2)
        for log in ("a", "b")
    ]  # fmt: skip
    pages = {page["heading"]: page for page in document(study_of(*runs), ())["pages"]}
    page = pages["How long do jobs take?"]
    assert "jobs take longer under some policies at 1.0 kW" in page["answer"]
    table = next(block["table"] for block in page["blocks"] if block["kind"] == "table")
    assert [row[0] for row in table["rows"]] == ["1.0 kW", "2.0 kW", "all"]
    assert [len(row) for row in table["rows"]] == [5, 5, 5]


def test_single_runs_above_the_bound_are_named() -> None:
    runs = [
        replace(outcome(name, 0, 10.0, bound_w=bound), bound_violations=broken)
        for name, bound, broken in (("traditional", 1000.0, 1), ("traditional", 2000.0, 0),
                                    ("naive", 1000.0, 2), ("naive", 2000.0, 1))
    ]  # fmt: skip
    pages = document(study_of(*runs), ())["pages"]
    page = next(page for page in pages if page["heading"] == "Does power stay within the bound?")
    assert "Traditional at 1.0 kW; Naive at 1.0 kW and 2.0 kW." in str(page["blocks"])


def test_the_method_says_how_synthetic_logs_and_programs_were_made() -> None:
    runs = [outcome(policy, 0, 10.0, 20.0) for policy in ("traditional", "ilp-highs")]
    runs = [replace(run, log="large", bound_w=6500.0) for run in runs]
    pages = document(study_of(*runs, scenario="thesis-rmap"), ())["pages"]
    method = dict(next(page for page in pages if page["heading"] == "Appendix: method")
                  ["blocks"][-1]["table"]["rows"])  # fmt: skip
    assert "Offered load 10 %" in method["Arrivals"]
    assert method["Cluster"].startswith("64 nodes with 16 cores each. Power bound: 6.5 kW.")
    assert method["Configurations"].startswith("375 of each application: 8 to 64 nodes")
    assert method["Requested time"].startswith("1.2 times the true run time")
    assert "SPhot (Monte Carlo photon transport)" in method["Applications"]
    assert "10 % of the configurations" in method["Run times and power"]
    assert "1,000 branch-and-bound nodes" in method["Integer program"]
    provenance = dict(pages[-1]["blocks"][0]["table"]["rows"])
    assert provenance["Seed values"] == "0"


def rejected(policy: str, seed: int, bound_w: float, log: str = "jobs") -> PolicyOutcome:
    """A run in which no job ran."""
    run = outcome(policy, seed, 10.0, bound_w=bound_w, log=log)
    return replace(run, jobs=(job_outcome(0, None),), mean_turnaround_s=None, fairness=None)


def test_the_fair_share_of_a_job_is_less_where_idle_power_is_charged() -> None:
    study = schedule("thesis-table-5-2")
    question = schedule_of(study.scenario)
    nodes = question.cluster.nodes
    cluster = question.cluster.model_copy(update={"idle_node_w": 3000 / nodes})
    charged = question.model_copy(update={"charge": "node", "cluster": cluster})
    scenario = study.scenario.model_copy(update={"schedule": charged})
    (job,) = question.logs[0].jobs
    for found, power_w in ((study, 8000), (replace(study, scenario=scenario), 5000)):
        text = str(document(found, [])["pages"])
        assert f"The fair share of this job is {job.nodes / nodes * power_w:,.0f} W." in text
        assert (IDLE_FIRST in text) is (found is not study)


def test_a_reference_policy_without_jobs_has_no_ratio_anywhere() -> None:
    runs = [
        run
        for bound_w in BOUNDS_W
        for log in ("a", "b")
        for run in (
            rejected("traditional", 0, bound_w, log), outcome("adaptive", 0, 10.0, 9.0,
                                                              bound_w=bound_w, log=log)
        )
    ]  # fmt: skip
    study = study_of(*runs)
    assert study.headline == ("No job ran under Traditional, so no policy can be compared with it.")
    drawn = pictures(study)
    assert not any(picture.kind in ("turnaround", "overall") for picture in drawn)
    pages = {page["heading"]: page for page in document(study, drawn)["pages"]}
    page = pages["How long do jobs take?"]
    assert not any("Each ratio" in str(block) for block in page["blocks"])
    assert "1.000" not in str(page)
    assert page["answer"] == "Mean turnaround under Adaptive is 9.50 s."
    nobody = study_of(*(rejected(name, 0, 1000.0) for name in ("traditional", "adaptive")))
    assert nobody.headline == "No job ran under any policy."


def test_a_policy_without_jobs_of_the_reference_policy_is_compared_with_nothing() -> None:
    runs = [outcome("traditional", 0, 10.0), rejected("adaptive", 0, 1.0)]
    assert study_of(*runs).headline == "No job ran under both Traditional and another policy."


def test_the_finding_on_turnaround_leaves_out_cases_without_a_ratio() -> None:
    low_w, high_w = BOUNDS_W
    study = study_of(
        outcome("traditional", 0, 10.0, bound_w=low_w), rejected("adaptive", 0, low_w),
        outcome("traditional", 0, 10.0, bound_w=high_w),
        outcome("adaptive", 0, 8.0, bound_w=high_w),
    )  # fmt: skip
    (picture,) = [each for each in pictures(study) if each.kind == "turnaround"]
    assert picture.title == "Log jobs: turnaround is 0.800 times that under Traditional"


def test_the_only_ratio_of_one_bound_is_said_once_with_its_interval() -> None:
    def page(seeds: int) -> Any:
        runs = [
            outcome(policy, seed, time_s + seed * place / 10, log=log)
            for place, (policy, time_s) in enumerate((("traditional", 10.0), ("naive", 8.0)))
            for seed in range(seeds)
            for log in ("a", "b")
        ]
        pages = document(study_of(*runs), ())["pages"]
        return next(page for page in pages if page["heading"] == "How long do jobs take?")

    assert "Over all logs, bounds and seeds" not in str(page(1))
    assert page(1)["answer"] == "Mean turnaround is 0.800 (Naive) times that under Traditional."
    assert any(
        block.get("words", "").startswith("The 95 % interval of mean turnaround under Naive is ")
        for block in page(2)["blocks"]
    )


def test_the_only_ratio_of_several_bounds_is_in_their_table_alone() -> None:
    runs = [
        outcome(policy, 0, time_s, log=log, bound_w=bound_w)
        for policy, time_s in (("traditional", 10.0), ("naive", 8.0))
        for bound_w in BOUNDS_W
        for log in ("a", "b")
    ]
    pages = {page["heading"]: page for page in document(study_of(*runs), ())["pages"]}
    blocks = pages["How long do jobs take?"]["blocks"]
    assert not any("it is 0.800 times" in str(block) for block in blocks)
    (every,) = [
        row
        for block in blocks
        if block["kind"] == "table"
        for row in block["table"]["rows"]
        if row[0] == "all"
    ]
    assert every == ["all", "0.800"]


def test_where_no_index_is_known_no_page_is_on_fairness() -> None:
    runs = [
        replace(outcome(policy, 0, 10.0, bound_w=bound_w), fairness=None)
        for policy in ("traditional", "naive")
        for bound_w in BOUNDS_W
    ]
    study = study_of(*runs)
    assert fairness_answer(study) == ""
    drawn = pictures(study)
    assert not any(picture.kind == "fairness" for picture in drawn)
    headings = [page["heading"] for page in document(study, drawn)["pages"]]
    assert "Are the policies fair?" not in headings
