"""The report on pairs: its pages, equal pairs once, the pairs at a limit, its figures."""

from __future__ import annotations

from pathlib import Path

import pytest

import headroom as hr
from planner.sharing_nodes.pairs.frontier import FrontierPoint, rising
from planner.sharing_nodes.pairs.study import ColocationStudy
from reports.figures import pictures
from reports.view import view
from tests.claims.colocate import FOUR, FREE, Case
from tests.reports.given import same_on_given_axes
from tests.reports.test_figure_kinds import painted

SINGLE = "a,b,solo_a_s,solo_b_s,co_a_s,co_b_s\nmd,cfd,100,120,110,150\n"


@pytest.fixture(scope="module")
def four() -> ColocationStudy:
    """The matching gains 1.2 nodes; first fit and greedy less."""
    return Case(FOUR, asked=FREE).answer


@pytest.fixture
def single(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(SINGLE)
    return path


def test_every_question_that_has_an_answer_has_a_page(four: ColocationStudy, single: Path) -> None:
    headings = [part.heading for part in view(four.study).parts]
    assert headings[:3] == [
        "Which jobs share a node, and how much slower do they run?",
        "How much better is this than simpler pairings?",
        "What does a limit on the slowdown cost?",
    ]
    alone = hr.colocate(str(single))
    assert isinstance(alone, ColocationStudy)
    parts = {part.heading: part for part in view(alone.study).parts}
    assert headings[2] not in parts
    assert any("A lower limit leaves no pair" in line for line in parts[headings[0]].lines)


@pytest.mark.parametrize(
    "jobs", [("md", "md", "cfd", "cfd"), ("md", "cfd", "cfd", "md")], ids="".join
)
def test_equal_pairs_are_named_once(single: Path, jobs: tuple[str, ...]) -> None:
    twice = hr.colocate(str(single), jobs=jobs)
    assert isinstance(twice, ColocationStudy)
    (row,) = twice.study.rows("pairs alike")
    assert (row["a"], row["b"], row["pairs"]) == ("md", "cfd", 2)


def test_the_pairs_at_the_limit_have_its_gain_and_keep_it(four: ColocationStudy) -> None:
    point = four.limited
    assert point is not None
    speeds = [four.plan.problem.speeds(a, b) for a, b in point.matches]
    assert sum(map(sum, speeds)) - len(speeds) == pytest.approx(point.gain)
    assert max(1 / min(pair) for pair in speeds) <= point.limit
    pairs = [[row["a"], row["b"]] for row in four.study.rows("limited")]
    assert four.to_dict()["limited"]["pairs"] == pairs == [["a", "c"], ["b", "d"]]


def test_only_limits_at_which_the_gain_grows_rise() -> None:
    points = [FrontierPoint(limit, share, 1, share) for limit, share in
              ((1.1, 0.5), (1.2, 0.5), (1.3, 0.9), (1.4, 1.0))]  # fmt: skip
    assert [point.limit for point in rising(points)] == [1.1, 1.3, 1.4]
    assert rising(()) == []


def test_the_map_has_the_speed_that_each_job_loses_next_to_each_other(
    four: ColocationStudy,
) -> None:
    rows = {(row["job"], row["partner"]): row for row in four.study.rows("cells")}
    assert rows["a", "b"]["lost"] == pytest.approx(1 - 0.82)
    assert rows["b", "a"]["lost"] == pytest.approx(1 - 0.95)
    assert rows["a", "a"]["lost"] is None
    assert {key for key, row in rows.items() if row["chosen"]} == {
        ("a", "d"), ("d", "a"), ("b", "c"), ("c", "b"),
    }  # fmt: skip
    axes = painted(four.study, "degradation").axes[0]
    assert {label.get_rotation() for label in axes.get_xticklabels()} == {0}


def test_long_names_below_the_map_are_upright() -> None:
    long = {name: f"application of a long name {name}" for name in "abcd"}
    answer = Case(tuple((long[a], long[b], x, y) for a, b, x, y in FOUR), asked=FREE).answer
    axes = painted(answer.study, "degradation").axes[0]
    assert {label.get_rotation() for label in axes.get_xticklabels()} == {90}


def test_figures_are_the_same_on_given_axes(four: ColocationStudy) -> None:
    assert [each.kind for each in pictures(four.study)] == ["degradation", "frontier"]
    assert same_on_given_axes(pictures(four.study))
