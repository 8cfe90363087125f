"""The report on pairs: the trade-off on its first page, equal results once, nothing trivial."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

import headroom as hr
from planner.colocation.frontier import FrontierPoint, rising
from planner.colocation.study import ColocationStudy
from reports.colocation import heat_map, policies
from reports.report import report_of
from tests.reports.shown import tables, texts

SPEEDS = """pair,a,b,c,d
a,.91,.82,.73,.64
b,.95,.86,.77,.68
c,.9,.8,.7,.6
d,.99,.8,.71,.6
"""
"""The matching gains 1.2 nodes; first fit and greedy both 1.08."""
SINGLE = "a,b,solo_a_s,solo_b_s,co_a_s,co_b_s\nmd,cfd,100,120,110,150\n"


def studied(folder: Path, table: str) -> ColocationStudy:
    path = folder / "pairs.csv"
    path.write_text(table)
    study = hr.colocate(str(path))
    assert isinstance(study, ColocationStudy)
    return study


@pytest.fixture
def four(tmp_path: Path) -> ColocationStudy:
    return studied(tmp_path, SPEEDS)


@pytest.fixture
def single(tmp_path: Path) -> ColocationStudy:
    return studied(tmp_path, SINGLE)


def document(study: ColocationStudy) -> dict[str, Any]:
    report = report_of(study)
    return report.document(study, report.pictures(study))


def page(study: ColocationStudy, heading: str) -> dict[str, Any]:
    return next(page for page in document(study)["pages"] if page["heading"] == heading)


def test_the_gain_is_in_nodes_of_work_and_explained(four: ColocationStudy) -> None:
    assert "gains more than 1.2 nodes of work" in four.confidence
    reasons = four.explanation.reasons
    assert "Sharing frees 2 nodes of 4: 4 jobs run in pairs." in reasons
    assert (
        "The 2 shared nodes do the work of 3.2 nodes with one job each. This is a gain of 1.2 "
        "nodes of work." in reasons
    )


def test_alternatives_begin_with_the_limit_and_name_equal_results_once(
    four: ColocationStudy,
) -> None:
    limit, random, simple, equal = four.explanation.alternatives
    assert limit == "Limit the slowdown to 1.471: 92.5 % of the gain remains."
    assert "1.13 nodes on average" in random
    assert "slowest job of any draw: 1.67 times" in random
    assert simple.startswith("First fit (each job joins the first with which it gains) and greedy")
    assert equal.startswith("Equally good here: ")
    shown = page(four, "What does a limit on the slowdown cost?")
    assert shown["answer"].endswith("1.471 times its time alone, the gain falls by 7.5 %.")
    assert tables(shown)[0][1][2] == "92.5 %"


def test_where_all_ways_are_equal_a_sentence_is_enough(single: ColocationStudy) -> None:
    for heading in (
        "How much better is this than simpler pairings?",
        "What does a limit on the slowdown cost?",
    ):
        shown = page(single, heading)
        assert shown["answer"]
        assert shown["blocks"] == ()
    assert not any("Limit the slowdown" in line for line in single.explanation.alternatives)


def test_only_limits_at_which_the_gain_grows_rise() -> None:
    points = [FrontierPoint(limit, share, 1, share) for limit, share in
              ((1.1, 0.5), (1.2, 0.5), (1.3, 0.9), (1.4, 1.0))]  # fmt: skip
    assert [point.limit for point in rising(points)] == [1.1, 1.3, 1.4]
    assert rising(()) == []


def test_equal_results_share_a_marker_and_its_label(four: ColocationStudy) -> None:
    figure = Figure()
    policies.scatter(figure, four)
    (axes,) = figure.axes
    labels = [text.get_text() for text in axes.texts]
    assert labels == [
        "matching (recommended)\nbottleneck: least slowdown\nbottleneck: greatest least gain",
        "random",
        "first fit\ngreedy best pair",
    ]
    heights = [text.get_position()[1] for text in axes.texts]
    assert heights == sorted(heights, reverse=True)
    assert not any("no sharing" in label for label in labels)


def test_the_map_says_how_to_read_it_and_short_names_are_upright(four: ColocationStudy) -> None:
    shown = texts(page(four, "Which jobs share a node, and how much slower do they run?"))
    assert "Read a row for a job" in shown
    figure = Figure()
    heat_map.paint(figure, four, list(range(4)))
    assert {label.get_rotation() for label in figure.axes[0].get_xticklabels()} == {0}
