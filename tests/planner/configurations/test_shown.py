"""What reports show beside the answer: neighbouring bounds, lines compared, repetitions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from planner.configurations.best_configuration import Question, configure
from planner.configurations.curve import curve
from planner.configurations.degree import LineFit
from planner.configurations.line_spread import LineSpread, line_spread
from planner.configurations.neighbours import neighbours
from planner.configurations.provisioning import NodeMaximum
from planner.configurations.repeats import repeats
from planner.configurations.selection import Bound, best
from planner.configurations.table import table_of
from scenarios.measurements.runs import Runs
from tests.planner.configurations.rzmerl import rzmerl
from tests.planner.configurations.test_best_configuration import TOY, runs, table
from tests.shared_data import needs_data

NODE = NodeMaximum(1, 150.0, 0.0)
THESIS = Question(Bound(3500.0), NodeMaximum(), repetition="best")
"""The thesis's tables are of the fastest run of each configuration."""


def test_neighbours_are_near_five_and_nine_sevenths_and_none() -> None:
    neighbouring = neighbours(table(TOY), Bound(400.0), NODE, [150.0 + 50 * n for n in range(10)])
    assert [(neighbour.bound_w, neighbour.requested) for neighbour in neighbouring] == [
        (300.0, False), (400.0, True), (500.0, False), (None, False),
    ]  # fmt: skip
    assert [str(neighbour.best) for neighbour in neighbouring] == [
        "(2 x 8, 100 W)", "(4 x 8, 50 W)", "(4 x 8, 50 W)", "(4 x 8, 100 W)",
    ]  # fmt: skip
    assert neighbouring[-1].worst_case is None


def test_a_neighbour_allows_something_and_not_everything() -> None:
    """By hand: of 160 W, 5/7 allow nothing; of 560 W, 9/7 allow all."""
    bounds = [100.0, 150.0, 200.0, 400.0, 700.0]
    low = neighbours(table(TOY), Bound(160.0), NODE, bounds)
    assert [neighbour.bound_w for neighbour in low] == [160.0, 200.0, None]
    high = neighbours(table(TOY), Bound(560.0), NODE, bounds)
    assert [neighbour.bound_w for neighbour in high] == [400.0, 560.0, None]
    assert [neighbour.bound_w for neighbour in neighbours(table(TOY), Bound(400.0), NODE, [])] == [
        400.0,
        None,
    ]


def test_the_guard_holds_at_every_neighbour() -> None:
    neighbouring = neighbours(
        table(TOY), Bound(400.0, 0.1), NODE, [150.0 + 50 * n for n in range(10)]
    )
    for neighbour in neighbouring[:-1]:
        assert neighbour.bound_w is not None
        assert neighbour.best == best(table(TOY), Bound(neighbour.bound_w, 0.1))
    assert neighbouring[-1].best.power_w == 600.0


def test_no_configuration_is_relatively_faster_than_the_best() -> None:
    for neighbour in neighbours(table(TOY), Bound(400.0), NODE, [300.0, 500.0]):
        relatives = [neighbour.relative(other.configuration) for other in neighbour.canonical]
        assert all(0 < relative <= 1 for relative in relatives if relative is not None)


def test_winners_have_more_cores_at_higher_bounds() -> None:
    staircase = curve(table(TOY))
    assert [winner.cores_per_node for winner in staircase.winners] == [4, 4, 8, 8, 8, 8]


def test_spread_leaves_out_what_was_run_once() -> None:
    once = runs(TOY)
    assert repeats(once).repeated == 0
    three = Runs(
        "a", np.array([2, 2, 2, 4]), np.full(4, 8), np.full(4, 50.0), np.array([1, 2, 3, 1]),
        np.array([12.0, 10.0, 11.0, 5.0]), np.array([100.0, 110.0, 104.0, 200.0]),
    )  # fmt: skip
    repeated = repeats(three)
    assert repeated.slowdown == pytest.approx([0.2])
    assert repeated.power == pytest.approx([0.1])


def test_lines_compare_over_the_range_that_most_bounds_allow_or_the_widest() -> None:
    narrow = [LineFit(w, 8, 16, -1.0, 9.0, 0.0, 3) for w in (1e3, 2e3)]
    wide = [LineFit(w, 8, 32, slope, 10.0, 0.0, 3) for w, slope in ((3e3, -1.0), (4e3, -3.0))]
    spread = line_spread([*narrow, *wide])
    assert spread is not None
    assert (spread.to_nodes, spread.slope) == (32, 1.0)
    assert spread.slopes_s_per_node == (-3.0, -1.0)
    alike = LineSpread(1e3, 2e3, 8, 16, 2, 0.0, 0.0, (-1.0, -1.0), (9.0, 9.0))
    assert line_spread([*narrow, wide[0]]) == alike
    assert line_spread(wide[:1]) is None
    assert line_spread([]) is None


def test_a_line_through_two_node_counts_is_not_compared() -> None:
    twos = [(n, 8, 100.0, 20.0 / n, 100.0 * n) for n in (2, 4)]
    question = Question(Bound(400.0), NodeMaximum(1, 290.0, 0.0))
    answer = configure(runs(twos), question)
    assert sum(at_bound.line_fit is not None for at_bound in answer.at_bounds) == 1
    eight = [(n, 8, 100.0, 20.0 / n, 10.0 * n) for n in (2, 4, 40)]
    answer = configure(runs(eight), replace(question, bound=Bound(80.0)))
    assert sum(at_bound.line_fit is not None for at_bound in answer.at_bounds) > 2
    assert answer.line_spread is None


@needs_data
def test_the_thesis_bounds_stand_beside_each_other() -> None:
    answer = configure(rzmerl("BT-MZ"), THESIS)
    assert [neighbour.bound_w for neighbour in answer.neighbours] == [2500.0, 3500.0, 4500.0, None]
    assert str(answer.neighbours[-1].best) == "(32 x 16, 115 W)"


@needs_data
def test_the_line_at_3500_w_is_the_printed_one_but_no_other_bound_has_it() -> None:
    """Table 4.8 prints -0.069 and 8.50 for BT-MZ; section 4.4.3 says less than 2 % difference."""
    answer = configure(rzmerl("BT-MZ"), THESIS)
    assert answer.line_fit is not None
    assert answer.line_fit.slope_s_per_node == pytest.approx(-0.069, abs=5e-4)
    assert answer.line_fit.intercept_s == pytest.approx(8.50, abs=0.05)
    spread_of_lines = answer.line_spread
    assert spread_of_lines is not None
    assert (spread_of_lines.from_w, spread_of_lines.to_w) == (3000.0, 6500.0)
    assert spread_of_lines.lines == 8
    assert spread_of_lines.slope > 1
    assert spread_of_lines.intercept > 0.5


@needs_data
def test_one_repetition_in_twenty_of_the_thesis_straggles() -> None:
    repeated = repeats(rzmerl("BT-MZ"))
    assert (repeated.configurations, repeated.repeated) == (455, 455)
    assert repeated.quantiles(0.5)[0] < 0.01
    assert (repeated.slowdown > 0.2).mean() == pytest.approx(0.05, abs=0.01)
    assert len(table_of(rzmerl("BT-MZ"))) == 455
