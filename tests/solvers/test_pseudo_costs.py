"""Branching by pseudo-costs: in any unit of the objective, and what is chosen first."""

from __future__ import annotations

import math

import numpy as np
import pytest

from solvers.proofs.pseudo_costs import PseudoCosts


def test_the_first_column_is_the_one_farthest_from_a_whole_number() -> None:
    costs = PseudoCosts(3)
    every = np.ones(3, dtype=np.bool_)
    assert costs.choose(np.array([0.1, 2.4, 7.0]), every) == 1
    assert costs.choose(np.array([0.1, 2.4, 7.0]), np.array([True, False, True])) == 0
    assert costs.choose(np.array([1.0, 2.0, 7.0]), every) is None


@pytest.mark.parametrize("unit", [1.0, 2.0**-40, 2.0**40])
def test_a_column_whose_children_gained_most_goes_first_in_any_unit(unit: float) -> None:
    costs = PseudoCosts(3)
    for up in (False, True):
        costs.learn(0, up, 0.5, unit)
        costs.learn(1, up, 0.5, 9 * unit)
        costs.learn(2, up, 0.5, 0.0)
    assert costs.choose(np.array([0.5, 0.1, 0.5]), np.ones(3, dtype=np.bool_)) == 1


@pytest.mark.parametrize("gain", [math.inf, math.nan])
def test_children_without_a_bound_teach_nothing(gain: float) -> None:
    costs = PseudoCosts(2)
    costs.learn(0, True, 0.5, gain)
    assert costs.choose(np.array([0.1, 0.5]), np.ones(2, dtype=np.bool_)) == 1
