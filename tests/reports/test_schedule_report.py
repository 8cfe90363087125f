"""The report on power-aware scheduling: its pages, figures by their content, and its files."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pypdf
import pytest

import headroom
from planner.scheduling.power.files import FILES
from planner.scheduling.power.results.result import PolicyOutcome, PowerSeries
from planner.scheduling.power.rows import MOST_STEPS
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.study import ScheduleStudy
from reports.figures import pictures
from reports.view import view
from tests.planner.scheduling.power.outcomes import job_outcome, outcome, study_of
from tests.planner.scheduling.power.scenarios_of import simulated
from tests.reports.given import same_on_given_axes
from tests.reports.test_figure_kinds import painted

BOUNDS_W = (4000.0, 9000.0)
POLICIES = ("traditional", "naive", "adaptive")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> ScheduleStudy:
    scenario = simulated(tmp_path_factory.mktemp("s"), details='method = "oracle"')
    return schedule(scenario, policies=POLICIES, bounds_w=BOUNDS_W, seeds=2)


def headings(study: ScheduleStudy) -> list[str]:
    return [part.heading for part in view(study.study).parts]


def test_every_question_that_has_an_answer_has_a_page(study: ScheduleStudy) -> None:
    assert headings(study) == [
        "Which policies are compared?", "How long do jobs take?",
        "How many jobs end sooner, and how many later?", "Does power stay within the bound?",
        "Are the policies fair?", "Which requests were changed, and which jobs rejected?",
        "Appendix: method", "Appendix: terms and provenance",
    ]  # fmt: skip
    one = schedule("thesis-table-5-2")
    assert "How many jobs end sooner, and how many later?" not in headings(one)
    assert "What was free for the jobs?" in headings(one)


def test_every_figure_can_be_drawn_on_given_axes(study: ScheduleStudy) -> None:
    drawn = pictures(study.study)
    assert [each.kind for each in drawn] == [
        "overall", "turnaround", "gains", "watts", "fairness"
    ]  # fmt: skip
    assert same_on_given_axes(drawn)


def test_turnaround_by_bound_is_that_of_all_logs(study: ScheduleStudy) -> None:
    lines = {line.get_label(): line for line in painted(study.study, "turnaround").axes[0].lines}
    rows = [row["ratio"] for row in study.study.rows("by bound") if row["policy"] == "naive"]
    assert [float(value) for value in np.asarray(lines["Naive"].get_ydata())] == rows
    assert "Traditional" not in lines  # the limit, at 1


def test_jobs_are_sorted_by_what_they_gain(study: ScheduleStudy) -> None:
    values = [row["ratio"] for row in study.study.rows("gains drawn") if row["policy"] == "naive"]
    assert values == sorted(values)
    runs = {
        (item.policy, item.seed): item for item in study.outcomes if item.bound_w == BOUNDS_W[0]
    }
    ratios = np.concatenate([
        runs["naive", seed].turnaround_s / runs["traditional", seed].turnaround_s for seed in (0, 1)
    ])  # fmt: skip
    assert (values[0], values[-1]) == pytest.approx((ratios.min(), ratios.max()))


def drawn_watts(*runs: PolicyOutcome) -> list[dict[str, Any]]:
    return study_of(*runs).study.rows("watts drawn")


def test_of_many_steps_those_around_the_largest_are_drawn() -> None:
    steps = [900.0] * 400
    steps[310] = 1300.0
    time_s = tuple(60.0 * step for step in range(401))
    series = PowerSeries(time_s, tuple(steps), (900.0,) * 400)
    rows = drawn_watts(replace(outcome("naive", 0, 60.0, bound_w=1000.0), power=series))
    assert len(rows) == MOST_STEPS + 1
    assert rows[0]["time_s"] < 310 * 60 < rows[-1]["time_s"]
    assert rows[-1]["true_w"] is None
    assert max(row["true_w"] for row in rows[:-1]) == 1300


def test_power_over_time_has_a_panel_for_each_policy_and_the_bound() -> None:
    study = schedule("thesis-table-5-2", policies=["adaptive", "traditional"]).study
    panels = painted(study, "watts").axes
    assert [axes.get_title(loc="left") for axes in panels] == ["Adaptive", "Traditional"]
    assert panels[1].get_xlim() == pytest.approx((0, 1447.9))
    assert [line.get_ydata()[0] for line in panels[0].lines] == [8000]  # type: ignore[index]


def test_a_table_of_many_cases_is_in_the_appendix_or_in_the_workbook() -> None:
    def pages(bounds: int) -> dict[str, tuple[str, ...]]:
        runs = [outcome(policy, 0, 10.0, bound_w=1000.0 * bound)
                for policy in POLICIES for bound in range(1, bounds + 1)]  # fmt: skip
        return {page.name: page.tables for page in study_of(*runs).study.questions}

    assert "turnaround" in pages(2)["turnaround"]
    assert "turnaround" in pages(6)["cases"]
    assert pages(20)["cases"] == ("turnaround_by_policy",)
    assert pages(41)["cases"] == ()


def test_the_programs_have_their_limits_and_the_decisions_of_adaptive() -> None:
    runs = [
        replace(outcome(name, 0, 10.0), decisions=decisions, fallbacks=fallbacks)
        for name, decisions, fallbacks in (
            ("adaptive", 0, 0), ("ilp-highs", 20, 3), ("ilp-slots-highs", 7, 2)
        )
    ]  # fmt: skip
    rows = {row["program"]: row for row in study_of(*runs).study.rows("programs")}
    assert (rows["knapsack"]["decisions"], rows["knapsack"]["fallbacks"]) == (20, 3)
    assert (rows["knapsack"]["gap"], rows["slots"]["gap"]) == (0.001, 0.01)
    assert (rows["slots"]["slot_s"], rows["slots"]["window"]) == (60, 20)


def test_applications_have_their_configurations() -> None:
    rows = study_of(outcome("naive", 0, 10.0), scenario="thesis-rmap").study.rows("applications")
    assert rows[0]["application"] == "SPhot"
    assert (rows[0]["configurations"], rows[0]["nodes"]) == (375, (8, 64))


def rejected(policy: str, bound_w: float, log: str = "jobs") -> PolicyOutcome:
    """A run in which no job ran."""
    run = outcome(policy, 0, 10.0, bound_w=bound_w, log=log)
    return replace(run, jobs=(job_outcome(0, None),), mean_turnaround_s=None, fairness=None)


def test_a_reference_policy_without_jobs_has_no_ratio_anywhere() -> None:
    runs = [
        run for bound_w in BOUNDS_W for log in ("a", "b")
        for run in (rejected("traditional", bound_w, log),
                    outcome("adaptive", 0, 10.0, bound_w=bound_w, log=log))
    ]  # fmt: skip
    found = study_of(*runs).study
    assert found.headline.kind == "none-under"
    assert not {"overall", "turnaround", "gains"} & {each.kind for each in pictures(found)}
    nobody = study_of(*(rejected(name, 1000.0) for name in ("traditional", "adaptive")))
    assert nobody.study.headline.kind == "none-ran"
    assert "Are the policies fair?" not in headings(nobody)


def test_the_csv_files_hold_every_job_and_the_watts(study: ScheduleStudy) -> None:
    made = study.further_files()
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


def test_the_document_is_written(study: ScheduleStudy, tmp_path: Path) -> None:
    written = headroom.report(study, tmp_path / "out")
    text = " ".join(page.extract_text() for page in pypdf.PdfReader(written.report).pages)
    assert "How many jobs end sooner, and how many later?" in text
    assert (tmp_path / "out" / "power.csv").is_file()
