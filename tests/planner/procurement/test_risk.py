"""CVaR as the maximum of Rockafellar and Uryasev, and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.procurement.risk import cvar, risk_measure

Outcomes = list[tuple[float, int]]
OUTCOMES = st.lists(st.tuples(st.floats(-100, 100), st.integers(1, 50)), min_size=1, max_size=8)
LEVELS = st.sampled_from([0.0, 0.1, 0.5, 0.8, 0.9, 0.99])


def split(outcomes: Outcomes) -> tuple[list[float], list[float]]:
    total = sum(share for _, share in outcomes)
    return [value for value, _ in outcomes], [share / total for _, share in outcomes]


@given(OUTCOMES, LEVELS)
def test_cvar_is_the_maximum_over_eta(outcomes: Outcomes, level: float) -> None:
    values, chances = split(outcomes)

    def at(eta: float) -> float:
        short = (p * max(0.0, eta - v) for v, p in zip(values, chances, strict=True))
        return eta - math.fsum(short) / (1 - level)

    # concave and piecewise linear in eta, with its kinks at the outcomes
    largest = max(at(eta) for eta in values)
    assert cvar(values, chances, level) == pytest.approx(largest, abs=1e-9)
    grid = np.linspace(min(values) - 1, max(values) + 1, 101)
    assert max(at(float(eta)) for eta in grid) <= largest + 1e-9


@given(OUTCOMES, LEVELS, st.floats(0, 1))
def test_risk_lies_between_the_worst_outcome_and_the_mean(
    outcomes: Outcomes, level: float, weight: float
) -> None:
    values, chances = split(outcomes)
    mean = math.fsum(v * p for v, p in zip(values, chances, strict=True))
    risk = risk_measure(values, chances, weight, level)
    assert min(values) - 1e-9 <= risk <= mean + 1e-9


def test_part_of_an_outcome_lies_in_the_tail() -> None:
    # worst 0.4 of (1: 0.3, 2: 0.5, 9: 0.2): all of 1 and 0.1 of 2: (0.3 + 0.2) / 0.4 = 1.25
    assert cvar([9, 1, 2], [0.2, 0.3, 0.5], 0.6) == pytest.approx(1.25)
    # mean 0.3 + 1.0 + 1.8 = 3.1; 0.75 x 3.1 + 0.25 x 1.25 = 2.6375
    assert risk_measure([9, 1, 2], [0.2, 0.3, 0.5], 0.25, 0.6) == pytest.approx(2.6375)


def test_level_nought_is_the_mean() -> None:
    assert cvar([1.0, 5.0], [0.25, 0.75], 0.0) == pytest.approx(4.0)
