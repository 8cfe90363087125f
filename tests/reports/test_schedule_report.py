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
from planner.scheduling.power.files import FILES, files
from planner.scheduling.power.results.result import PowerSeries
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.study import ScheduleStudy
from reports.schedule import pictures
from reports.schedule.document import document
from reports.schedule.figures import watts
from reports.style import Picture
from tests.planner.scheduling.power.outcomes import outcome, study_of
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
    assert titles[0] == "Log random: one seed cannot show a difference from Traditional"


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
        "Which policies are compared?", "How long do jobs take?",
        "How many jobs end sooner, and how many later?", "Does power stay within the bound?",
        "Are the policies fair?", "Appendix: method", "Appendix: provenance",
    ]  # fmt: skip
    for page in pages[1:4]:
        kinds = [block["kind"] for block in page["blocks"]]
        assert kinds[0] == "text"
        assert "picture" in kinds
    provenance = pages[-1]["blocks"][0]["table"]["rows"]
    assert ["Power bounds", "4.0 kW and 9.0 kW"] in provenance
    assert ["Reference policy", "traditional"] in provenance


def test_the_policies_of_the_report_are_explained(study: ScheduleStudy) -> None:
    page = document(study, pictures(study))["pages"][0]
    rows = page["blocks"][-1]["table"]["rows"]
    assert [name for name, _ in rows] == LABELS
    assert rows[1][1] == "The fastest configuration within the job's fair share of the bound."


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
    method = dict(pages["Appendix: method"]["blocks"][-1]["table"]["rows"])
    assert "energy is that of the jobs" in method["Other work"]
    provenance = dict(pages["Appendix: provenance"]["blocks"][0]["table"]["rows"])
    assert len(provenance["SHA-256 of thesis-table-5-2.toml"]) == 64
    assert "Seed values" not in provenance


def test_the_method_says_how_synthetic_logs_and_programs_were_made() -> None:
    runs = [outcome(policy, 0, 10.0, 20.0) for policy in ("traditional", "ilp-highs")]
    runs = [replace(run, log="large", bound_w=6500.0) for run in runs]
    pages = document(study_of(*runs, scenario="thesis-rmap"), ())["pages"]
    method = dict(next(page for page in pages if page["heading"] == "Appendix: method")
                  ["blocks"][-1]["table"]["rows"])  # fmt: skip
    assert "10 % of the node-hours" in method["Arrivals"]
    assert method["Requested time"].startswith("1.2 times the true run time")
    assert "SPhot (Monte Carlo photon transport)" in method["Applications"]
    assert "10 % of the configurations" in method["Run times and power"]
    assert "1,000 branch-and-bound nodes" in method["Integer program"]
    provenance = dict(pages[-1]["blocks"][0]["table"]["rows"])
    assert provenance["Seed values"] == "0"
