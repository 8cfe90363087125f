"""Ratios paired by seed, their intervals, many tests at once; by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from planner.replications.ratios import differs_from_one, holm, ratio_of
from planner.scheduling.power.results.comparisons import overall, rows_of
from planner.scheduling.power.results.paired import by_key, not_worse, paired_by_seed
from tests.planner.scheduling.power.outcomes import outcome


def test_a_seed_counts_once_however_many_bounds_it_has() -> None:
    mine = {("log", bound, 0): outcome("a", 0, 10 * bound) for bound in (1.0, 4.0)}
    theirs = {("log", bound, 0): outcome("b", 0, 10.0) for bound in (1.0, 4.0)}
    # ratios 1 and 4: their geometric mean is 2
    assert paired_by_seed(mine, theirs) == pytest.approx([2.0])


def test_the_interval_is_students() -> None:
    ratio = ratio_of([0.5, 2.0])
    assert ratio is not None
    assert ratio.mean == pytest.approx(1.0)
    # logs -ln 2 and ln 2: deviation sqrt 2 ln 2, error ln 2, t(0.975, 1) = 12.7062
    assert ratio.high == pytest.approx(np.exp(12.7062 * np.log(2)), rel=1e-4)
    assert ratio.chance == pytest.approx(1.0)


def test_the_p_value_is_students() -> None:
    ratio = ratio_of([math.e, math.e**3])
    assert ratio is not None
    # logs 1 and 3: mean 2, error 1, t = 2; with one degree of freedom p = 1 - 2 atan(2) / pi
    assert ratio.chance == pytest.approx(1 - 2 * np.arctan(2) / np.pi)


def test_one_seed_has_neither_interval_nor_p_value() -> None:
    ratio = ratio_of([0.5])
    assert ratio is not None
    assert (ratio.low, ratio.high, ratio.chance) == (None, None, None)
    assert ratio_of([]) is None


def test_equal_ratios_of_several_seeds_leave_no_doubt() -> None:
    half, same = ratio_of([0.5, 0.5]), ratio_of([1.0, 1.0])
    assert differs_from_one([half, same, None]) == [True, False, False]


def test_holm_by_hand() -> None:
    # sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04, then never less
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_what_one_test_would_show_many_do_not() -> None:
    # t = 4.6 with 3 degrees of freedom: p = 0.019; of one test enough, of five not
    ratio = ratio_of(list(np.exp([0.1, 0.2, 0.25, 0.15])))
    assert ratio is not None
    assert ratio.chance is not None
    assert 0.01 < ratio.chance < 0.05
    noise = ratio_of([0.9, 1.2, 0.8, 1.15])
    assert differs_from_one([ratio]) == [True]
    assert differs_from_one([ratio, noise, noise, noise, noise]) == [False] * 5


def test_the_best_policy_is_tested_against_every_pair() -> None:
    runs = [
        outcome(policy, seed, base * (1 + 0.01 * ((seed * index) % 3)))
        for index, (policy, base) in enumerate([("a", 10.0), ("b", 10.05), ("c", 20.0)])
        for seed in range(4)
    ]
    assert not_worse(by_key(runs), "a") == ("b",)


@pytest.mark.parametrize("reference", ["traditional", "naive"])
def test_ratios_are_those_to_the_reference(reference: str) -> None:
    turnaround = {"naive": 8.0, "traditional": 4.0, "adaptive": 2.0}
    runs = [outcome(name, seed, time) for name, time in turnaround.items() for seed in (0, 1)]
    rows = rows_of(runs, reference)
    base = turnaround[reference]
    assert [row.ratio for row in rows] == pytest.approx([8 / base, 4 / base, 2 / base])
    assert [row.normalised for row in rows] == [row.ratio for row in rows]
    other = [row.difference for row in rows if row.policy != reference]
    assert other == ["shorter" if turnaround[p] < base else "longer" for p in turnaround
                     if p != reference]  # fmt: skip
    assert [item.ratio for item in overall(runs, reference)] == pytest.approx(
        [8 / base, 4 / base, 2 / base]
    )


def test_the_normalised_turnaround_is_over_that_under_the_largest_bound() -> None:
    runs = [
        outcome("traditional", 0, 10.0, bound_w=1.0),
        outcome("adaptive", 0, 9.0, bound_w=1.0),
        outcome("traditional", 0, 5.0, bound_w=2.0),
        outcome("adaptive", 0, 6.0, bound_w=2.0),
    ]
    rows = rows_of(runs)
    assert [row.normalised for row in rows] == pytest.approx([2.0, 1.8, 1.0, 1.2])
    assert [row.ratio for row in rows] == pytest.approx([1.0, 0.9, 1.0, 1.2])


def test_users_who_gain_and_lose_are_counted() -> None:
    _, row = rows_of(
        [outcome("traditional", 0, 10.0, 10.0, 10.0), outcome("adaptive", 0, 9.0, 10.0, 12.0)]
    )
    assert (row.better, row.same, row.worse) == (1, 1, 1)
