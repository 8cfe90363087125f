"""How little a winner may deliver: by hand, and on random awards against the slow program."""

from __future__ import annotations

from fractions import Fraction

import pytest

from planner.award.award import award
from planner.award.delivered import Delivery, deliveries
from planner.award.from_scenario import tender_of
from planner.award.study import award as awarded
from scenarios.model.scenario import Scenario
from tests.claims.award import Case, judged_figures, wins
from tests.planner.award.made import figure, package, price, tender
from tests.planner.award.test_random_awards import drawn
from tests.sizes import few

CASES = few(100)
APART = Fraction(1, 10**30)


def of(scenario: Scenario) -> tuple[Delivery, ...]:
    read = tender_of(scenario)
    return deliveries(read, award(read))


def test_the_end_is_where_points_are_equal() -> None:
    """A has 10 + 10 points, B 10 x 10/20 + 10 x 6/8 = 12.5.

    If A delivers f < 3/4, B has the best figure: A gets 10 + 10 x 8f/6, B 15, equal at f = 3/8.
    There the tie is no award.
    """
    offers = [package("A", 10.0, figures={"F": 8}), package("B", 20.0, figures={"F": 6})]
    (found,) = of(tender(offers, [price(10), figure("F", 10)]))
    assert found == Delivery("L", "A", "F", None, Fraction(3, 8), holds=False, is_exact=True)


def test_a_tie_that_the_scheme_decides_for_the_winner_counts_as_won() -> None:
    offers = [package("A", 10.0, figures={"F": 8}), package("B", 20.0, figures={"F": 6})]
    (found,) = of(tender(offers, [price(10), figure("F", 10)], ties=["Price"]))
    assert (found.end, found.holds) == (Fraction(3, 8), True)


def test_a_threshold_ends_it_and_admits_itself() -> None:
    offers = [package("A", 10.0, figures={"F": 8}), package("B", 20.0, figures={"F": 7})]
    (found,) = of(tender(offers, [price(10), figure("F", 10, least=7)]))
    assert (found.threshold, found.end, found.holds) == (Fraction(7, 8), Fraction(7, 8), True)


def test_least_points_are_a_threshold() -> None:
    """Half of the points of a line from 2 to 10 needs 6 of 9."""
    line = {"formula": "linear", "full_at": 10, "zero_at": 2, "least_points": 5}
    (found,) = of(tender([package("A", figures={"F": 9})], [figure("F", 10, **line)]))
    assert found.threshold == found.end == Fraction(2, 3)


def test_rounding_moves_the_end_to_half_a_unit() -> None:
    """Points of the figure are 10 x 8f/6, rounded to whole ones; 5 are too few, so 5.5 counts."""
    offers = [package("A", 10.0, figures={"F": 8}), package("B", 20.0, figures={"F": 6})]
    (found,) = of(tender(offers, [price(10), figure("F", 10)], decimals=0))
    assert (found.end, found.holds, found.is_exact) == (Fraction(33, 80), True, True)


def test_an_irrational_end_is_not_called_exact() -> None:
    """Figure f/1 and benchmark 1/f meet: 10 f + 10 = 10 + 10/(2f) at f = sqrt(1/2)."""
    benchmarks = {"name": "B", "points": 10, "value_from": "benchmarks", "better": "more",
                  "benchmarks": {"G": 1}}  # fmt: skip
    offers = [package("A", 10.0, figures={"F": 8, "G": 8}),
              package("B", 10.0, figures={"F": 1e-9, "G": 4})]  # fmt: skip
    linear = {"formula": "linear", "full_at": 8, "zero_at": 0}
    lift = {"name": "Q", "points": 10, "value_from": "people", "formula": "as_given"}
    points = [("A", "Q", "x", 0), ("B", "Q", "x", 10)]
    criteria = [figure("F", 10, **linear), benchmarks, lift]
    found, *_ = of(tender(offers, criteria, points=points))
    assert found.figure is None
    assert found.end is not None
    assert abs(found.end**2 - Fraction(1, 2)) < Fraction(1, 10**8)
    assert not found.is_exact


def test_of_a_time_a_fraction_is_a_longer_time() -> None:
    """A has 10 + 10 points, B 10 x 10/20 + 10 x 90/120 = 12.5.

    If A takes 90/f seconds and f < 3/4, B is faster: A gets 10 + 10 x 120 f/90, B 5 + 10, equal
    at f = 3/8, where A takes 240 seconds.
    """
    offers = [package("A", 10.0, figures={"T": 90}), package("B", 20.0, figures={"T": 120})]
    scenario = tender(offers, [price(10), figure("T", 10, better="less")])
    (found,) = of(scenario)
    assert found == Delivery("L", "A", "T", None, Fraction(3, 8), holds=False, is_exact=True)
    (row,) = awarded(scenario).study.rows("delivered")
    assert (row["end_value"], row["end_formula"]) == (240.0, "{committed}/{end}")


def test_a_largest_time_is_a_threshold() -> None:
    """90/f <= 120 at f = 3/4; half of the points of a line from 40 to 200 s end at 120 s too."""
    offers = [package("A", 10.0, figures={"T": 90})]
    line = {"formula": "linear", "full_at": 40, "zero_at": 200, "least_points": 5}
    for limit in ({"most": 120}, line):
        (found,) = of(tender(offers, [figure("T", 10, better="less", **limit)]))
        assert found.threshold == found.end == Fraction(3, 4)
        assert found.holds


def test_a_threshold_that_nothing_above_zero_misses_is_none() -> None:
    (found,) = of(tender([package("A", figures={"F": 9})], [figure("F", 10, least=0)]))
    assert found.threshold is None


def test_figures_of_both_directions_fall_together() -> None:
    """Points of A are 10 f + 10 (200 - 100/f)/100, those of B 10 x 1/2 + 10: f (f + 1/2) = 1."""
    offers = [package("A", figures={"F": 8, "T": 100}), package("B", figures={"F": 4, "T": 100})]
    line = {"formula": "linear", "full_at": 100, "zero_at": 200, "better": "less"}
    steady = {"formula": "linear", "full_at": 8, "zero_at": 0}
    both, *_ = of(tender(offers, [figure("F", 10, **steady), figure("T", 10, **line)]))
    assert both.figure is None
    assert both.end is not None
    assert abs(both.end * (both.end + Fraction(1, 2)) - 1) < Fraction(1, 10**50)
    assert not both.is_exact


def test_projected_figures_and_those_that_criteria_judge_both_ways_stay() -> None:
    offers = [package("A", figures={"F": 8, "T": 3})]
    offers[0]["figures"][0]["basis"] = "projected"
    both = [figure("T", 5), figure("T", 5, better="less") | {"name": "T again"}]
    assert of(tender(offers, [figure("F", 10), *both])) == ()


@pytest.mark.parametrize("seed", range(CASES))
def test_random_awards_lose_their_winner_at_the_end_and_not_above(seed: int) -> None:
    packages, criteria, scheme = drawn(seed)
    case = Case(packages, criteria, scheme)
    for found in of(case.scenario):
        figures = [found.figure] if found.figure else judged_figures(case, found.package)
        tried = [Fraction(step, 100) for step in range(1, 100, 7)]
        won = [wins(case, found.lot, found.package, each, figures) for each in tried]
        if found.end is None:
            assert all(won)
            continue
        above = [w for step, w in zip(tried, won, strict=True) if step > found.end]
        assert all(above)
        ends = [found.end + APART * side for side in (1, 0, -1)]
        at_ends = [wins(case, found.lot, found.package, each, figures) for each in ends]
        assert at_ends == [True, found.holds, False] or not found.is_exact
        assert at_ends[0]
        assert found.is_exact or not wins(
            case, found.lot, found.package, found.end - Fraction(1, 10**15), figures
        )
