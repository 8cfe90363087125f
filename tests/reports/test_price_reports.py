"""The reports on prices: their pages, figures and first tables."""

from __future__ import annotations

import numpy as np
import pytest

from planner.answer import Answer
from planner.formatting import unmarked
from reports.figures import pictures
from reports.view import view
from tests.claims import price, price_log
from tests.planner.scheduling.sizing.logs import log_of
from tests.reports.given import same_on_given_axes
from tests.reports.test_figure_kinds import painted


@pytest.fixture(scope="module")
def scenario() -> Answer:
    """Three codes that slow each other down."""
    return price.made([[0.9, 0.8, 0.7], [0.95, 0.9, 0.85], [0.8, 0.75, 0.65]], off=0.01).answer


@pytest.fixture(scope="module")
def day() -> Answer:
    """Twenty jobs of five users on three nodes, with three mappings."""
    jobs = log_of([(60 * job, 3600 + 7 * job, 1 + job % 2, job % 5) for job in range(20)])
    return price_log.Case(jobs, 3, price_log.speeds_of(0.97, 0.7), seeds=3).answer


def test_every_question_has_a_page(scenario: Answer, day: Answer) -> None:
    headings = [part.heading for part in view(scenario.study).parts]
    assert headings[:5] == [
        "What do users pay?", "How fair is each price?", "What does the site earn?",
        "How well is interference measured?", "Which applications lose most speed?",
    ]  # fmt: skip
    headings = [part.heading for part in view(day.study).parts]
    assert headings[:5] == [
        "Which rules are compared?", "Why do node-hours change?", "How much does the site earn?",
        "Who gains, and who loses?", "How uncertain is this?",
    ]  # fmt: skip


def test_a_log_without_users_compares_jobs_and_draws_no_lines_of_users() -> None:
    jobs = log_of([(60 * job, 3600, 1, -1) for job in range(6)])
    study = price_log.Case(jobs, 3, price_log.speeds_of(0.97, 0.7)).answer.study
    parts = {part.heading: part for part in view(study).parts}
    assert parts["Who gains, and who loses?"].texts
    assert [figure.name for figure in study.figures] == ["turnaround"]
    assert "How uncertain is this?" not in parts  # one mapping
    assert "Appendix: bills" not in parts


def test_no_table_of_a_page_is_wider_than_it_has_room_for(scenario: Answer, day: Answer) -> None:
    for answer in (scenario, day):
        grids = [grid for part in view(answer.study).parts for grid in part.grids]
        assert max(len(grid.headings) for grid in grids) <= 9
        assert all("_" not in heading for grid in grids for heading in grid.headings)


def test_maps_have_the_applications_that_lose_most() -> None:
    speeds = [[0.99 - 0.01 * row] * 20 for row in range(20)]
    study = price.made(speeds).answer.study
    drawn = {row["application"] for row in study.rows("cells")}
    assert drawn == {f"code-{index}" for index in range(4, 20)}
    assert len(study.rows("applications")) == 20
    assert len(painted(study, "errors").axes) == 1  # of fewer, a map of POPPA is next to it


def test_the_setting_in_use_is_marked(scenario: Answer) -> None:
    canvas = painted(scenario.study, "overhead")
    assert list(np.asarray(canvas.axes[0].lines[-1].get_xdata())) == [3.2, 3.2]
    labels = [unmarked(text.get_text()) for legend in canvas.legends for text in legend.get_texts()]
    assert labels == ["2 jobs", "3 jobs", "4 jobs", "S in use"]


def test_bars_of_a_day_end_at_the_mean_turnaround(day: Answer) -> None:
    ends: dict[str, float] = {}
    for row in day.study.rows("parts"):
        ends[row["rule"]] = ends.get(row["rule"], 0) + row["hours"]
    means = {row["rule"]: row["mean_turnaround_s"] / 3600 for row in day.study.rows("means")}
    assert ends == pytest.approx(means)


@pytest.mark.parametrize("name", ["scenario", "day"])
def test_figures_are_the_same_on_given_axes(name: str, request: pytest.FixtureRequest) -> None:
    assert same_on_given_axes(pictures(request.getfixturevalue(name).study))
