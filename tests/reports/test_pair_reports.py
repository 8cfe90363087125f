"""The report on pairs: the trade-off on its first page, equal results once, nothing trivial."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

import headroom as hr
from planner.sharing_nodes.pairs.frontier import FrontierPoint, rising
from planner.sharing_nodes.pairs.outcome import PairingOutcome
from planner.sharing_nodes.pairs.study import ColocationStudy
from reports.colocation import heat_map, policies
from reports.registered import report_of
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
    study = hr.colocate(str(path), least_gain=0, least_speed=0)
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
    assert "Run a with d and b with c. This frees 2 nodes of 4." in reasons
    assert (
        "The 2 shared nodes do the work of 3.2 nodes with one job each. This is a gain of 1.2 "
        "nodes of work, less than the 2 freed nodes: jobs that share run slower." in reasons
    )


def test_of_many_pairs_the_first_are_named_and_equal_ones_once(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(SINGLE)
    twice = hr.colocate(str(path), jobs=("md", "md", "cfd", "cfd"))
    assert isinstance(twice, ColocationStudy)
    assert twice.explanation.reasons[0].startswith("Run 2 x md with cfd. This frees 2 nodes of 4.")
    mixed = hr.colocate(str(path), jobs=("md", "cfd", "cfd", "md"))
    assert isinstance(mixed, ColocationStudy)
    assert mixed.explanation.reasons[0].startswith("Run 2 x md with cfd. This frees 2 nodes of 4.")


def test_a_limit_is_no_alternative_where_it_looks_like_the_slowdown(four: ColocationStudy) -> None:
    assert four.limited_in_words
    points = rising(four.frontier)
    near = replace(points[-2], limit=four.plan.max_slowdown - 1e-5)
    alike = replace(four, frontier=(near, points[-1]))
    assert alike.limited == near
    assert not any("too slow" in line for line in alike.explanation.alternatives)
    assert not alike.limited_in_words  # the page says where its pairs are


def test_alternatives_begin_with_the_limit_and_name_equal_results_once(
    four: ColocationStudy,
) -> None:
    limit, random, simple, equal = four.explanation.alternatives
    assert limit == (
        "If 1.562 times the time alone is too slow: a limit of 1.471 keeps 92.5 % of the gain. "
        "Then run a with c and b with d."
    )
    assert "1.13 nodes on average" in random
    assert "slowest job of any draw: 1.667 times" in random
    assert simple.startswith("First fit (each job joins the first with which it gains) and greedy")
    assert equal == (
        "With the same gain and slowdown: the pairing with the smallest slowdown that keeps 99.5 % "
        "of the best throughput."
    )
    shown = page(four, "What does a limit on the slowdown cost?")
    assert shown["answer"].endswith("1.471 times its time alone, the gain falls by 7.5 %.")
    assert tables(shown)[0][1][2] == "92.5 %"


def test_the_pairs_at_the_limit_have_its_gain_and_keep_it(four: ColocationStudy) -> None:
    point = four.limited
    assert point is not None
    speeds = [four.plan.problem.speeds(a, b) for a, b in point.matches]
    assert sum(map(sum, speeds)) - len(speeds) == pytest.approx(point.gain)
    assert max(1 / min(pair) for pair in speeds) <= point.limit
    assert four.to_dict()["limited"]["pairs"] == [["a", "c"], ["b", "d"]]


def test_many_pairs_at_the_limit_are_in_json_and_not_on_the_page(four: ColocationStudy) -> None:
    heading = "What does a limit on the slowdown cost?"
    assert "colocate.json" not in texts(page(four, heading))
    point = four.limited
    assert point is not None
    matches = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3))  # of five kinds, as with many applications
    points = [replace(p, matches=matches) if p == point else p for p in four.frontier]
    many = replace(four, frontier=tuple(points))
    assert not any("Then run" in line for line in many.explanation.alternatives)
    assert "The pairs at the limit of 1.471 are in colocate.json." in texts(page(many, heading))
    assert len(many.to_dict()["limited"]["pairs"]) == 5


def test_the_share_of_throughput_is_that_of_the_settings(four: ColocationStudy) -> None:
    half = replace(four, pairing_settings=replace(four.pairing_settings, share=0.5))
    assert "keeps 50 % of the best throughput" in " ".join(half.explanation.alternatives)
    shown = texts(page(half, "How much better is this than simpler pairings?"))
    assert shown.count("with at least 50 % of the best throughput") == 2
    assert "nearly the best" not in shown


def test_the_largest_slowdown_reads_the_same_everywhere(four: ColocationStudy) -> None:
    explanation = four.explanation
    lines = [*explanation.reasons, *explanation.alternatives, *explanation.next_steps]
    assert sum("1.562" in line for line in lines) == 3
    answer = page(four, "Which jobs share a node, and how much slower do they run?")["answer"]
    assert "takes 1.299 to 1.562 times" in answer
    titles = [picture.title for picture in report_of(four).pictures(four)]
    assert any("up to 1.562 times" in title for title in titles)
    assert not any("1.56 " in text for text in (*lines, answer, *titles))


def test_where_all_ways_are_equal_a_sentence_is_enough(single: ColocationStudy) -> None:
    for heading in (
        "How much better is this than simpler pairings?",
        "What does a limit on the slowdown cost?",
    ):
        shown = page(single, heading)
        assert shown["answer"]
        assert shown["blocks"] == ()
    assert not any("a limit of" in line for line in single.explanation.alternatives)


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


def test_lines_to_labels_do_not_cross() -> None:
    figure = Figure()
    given = (
        ("matching", 4.44, 1.49, 3), ("greedy", 4.13, 1.36, 1), ("first", 4.12, 1.82, 1),
        ("random", 2.67, 3.33, 1),
    )  # fmt: skip
    groups = [
        [PairingOutcome(name, gain, slow, 0.0, None, 1, 1, 1.0)] * ways
        for name, gain, slow, ways in given
    ]
    axes = figure.subplots()
    named = [(rows[0].policy, top) for rows, top in policies.labelled(axes, groups)]
    assert [name for name, _ in named] == ["matching", "first", "greedy", "random"]
    assert named[0][1] == 1.0
    tops = [top for _, top in named]
    assert tops == sorted(tops, reverse=True)


def test_the_map_says_how_to_read_it_and_short_names_are_upright(four: ColocationStudy) -> None:
    shown = texts(page(four, "Which jobs share a node, and how much slower do they run?"))
    assert "Read a row for a job" in shown
    figure = Figure()
    heat_map.paint(figure, four, list(range(4)))
    assert {label.get_rotation() for label in figure.axes[0].get_xticklabels()} == {0}
