"""Bounds that are worked out when they are asked for."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from solvers.proofs.exact import ExactModel
from solvers.proofs.lazy_bound import Estimator, LazyBound
from tests.solvers.random_models import SHAPES, random_model


def same(value: Fraction | None) -> Fraction | None:
    return value


def chain(values: list[int | None]) -> LazyBound:
    """Bounds one below another, the last of which is returned."""
    bound = LazyBound()
    for value in values:
        exact = None if value is None else Fraction(value)
        bound = LazyBound(float(value or 0), partial(same, exact), bound)
    return bound


def test_the_tightest_bound_above_a_node_counts() -> None:
    assert chain([3, 7, None, 5]).exact() == 7
    assert chain([None, None]).exact() is None
    assert LazyBound().exact() is None


def test_a_chain_may_be_longer_than_the_stack() -> None:
    assert chain(list(range(20_000))).exact() == 19_999


def test_only_what_was_worked_out_is_known() -> None:
    above = chain([3, 7])
    below = LazyBound(5.0, lambda: Fraction(5), above)
    assert not below.known_to_reach(Fraction(6))
    assert above.exact() == 7
    assert below.known_to_reach(Fraction(6))
    assert not below.known_to_reach(Fraction(8))


@pytest.mark.parametrize("shape", SHAPES)
def test_an_estimate_is_the_exact_bound_but_for_rounding(shape: str) -> None:
    compared = 0
    for seed in range(30):
        model = random_model(shape, seed)
        exact = ExactModel(model)
        box = exact.implied_box(None)
        estimator = Estimator(model, exact)
        multipliers = np.random.default_rng(seed).normal(size=model.rows)
        true = exact.dual_bound(multipliers, *box)
        if true is None:
            continue
        result, error = estimator.bound(multipliers, *estimator.sides(box))
        step = float(exact.lattice or 0)  # rounding may take the next multiple, or the last
        assert abs(result - float(true)) <= error + 1e-9 * max(1.0, abs(result)) + step, seed
        compared += 1
    assert compared >= 10
