"""What single rounds claim: each bound holds, however little was looked at."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from solvers.choice.combine import Changes, _whole, combine
from solvers.choice.dominance import Filtered, filtered
from solvers.choice.dual import solve_dual
from solvers.choice.exact import lagrangian_bound, short_multipliers
from solvers.choice.relaxed import Base, base
from solvers.choice.samples import cheap_and_best, cheapest_changes
from tests.solvers.choice.instances import SHAPES, enumerated, random_choice


def prepared(
    seed: int, shape: str, resources: int
) -> tuple[Filtered, Base, Fraction, Fraction] | None:
    """The problem, its base, its Lagrangian bound and its optimum; ``None`` if none fits."""
    problem = random_choice(seed, shape, resources=resources)
    best = enumerated(problem)
    filtered_problem = filtered(problem)
    if best is None or not filtered_problem.resource.size:
        return None
    dual = solve_dual(filtered_problem)
    multipliers = np.zeros(resources)
    multipliers[filtered_problem.resource] = dual.multipliers
    multipliers = short_multipliers(multipliers)
    least = lagrangian_bound(problem, multipliers, filtered_problem.reachable(problem))
    start = base(filtered_problem, dual, multipliers[filtered_problem.resource], 1e-9)
    return filtered_problem, start, Fraction(least), best if problem.sense == "min" else -best


@pytest.mark.parametrize("resources", [1, 2, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_each_round_bounds_the_optimum_and_the_last_one_is_it(shape: str, resources: int) -> None:
    for seed in range(6):
        ready = prepared(seed, shape, resources)
        if ready is None:
            continue
        remaining, start, least, best = ready
        rng = np.random.default_rng(seed)
        everything = len(remaining.cost) - remaining.classes
        for most in range(everything + 1):
            pool = cheapest_changes(remaining, start, most, rng)
            result = combine(remaining, start, pool, 1 << 16)
            assert result is not None
            assert (result.reach == np.inf) == (most == everything)
            bound = Fraction(10**9) if result.reach == np.inf else least + Fraction(result.reach)
            if result.least is not None:
                bound = min(bound, Fraction(start.cost) + Fraction(result.least))
            assert bound <= best + Fraction(1, 10**12)
        assert bound >= best - Fraction(1, 10**9)


def test_regrets_are_what_an_item_costs_above_the_least_of_its_class() -> None:
    for seed in range(6):
        ready = prepared(seed, "free", 2)
        if ready is None:
            continue
        remaining, start, _, _ = ready
        priced = remaining.cost + start.multipliers @ remaining.weights
        least = np.minimum.reduceat(priced, remaining.starts[:-1])
        exact = priced - np.repeat(least, np.diff(remaining.starts))
        assert (start.regret <= exact + 1e-13).all()
        assert start.regret == pytest.approx(exact, abs=2e-9)


def test_a_cutoff_hides_nothing_cheaper() -> None:
    for seed in range(10):
        ready = prepared(seed, "free", 3)
        if ready is None:
            continue
        remaining, start, _, best = ready
        if remaining.resource.size < 3:
            continue  # the sweep needs no cutoff
        pool = cheapest_changes(remaining, start, 1000, np.random.default_rng(0))
        above = Decimal(float(best)) - start.cost + Decimal("0.001")
        result = combine(remaining, start, pool, 1 << 16, above)
        assert result is not None
        assert result.least is not None
        assert float(start.cost + result.least) == pytest.approx(float(best), abs=1e-9)
        below = combine(remaining, start, pool, 1 << 16, above - Decimal("0.002"))
        assert below is not None
        assert below.chosen is None


def test_lists_that_grow_too_long_are_given_up() -> None:
    ready = prepared(3, "ties", 2)
    assert ready is not None
    remaining, start, _, _ = ready
    pool = cheapest_changes(remaining, start, 1000, np.random.default_rng(0))
    assert combine(remaining, start, pool, 2) is None


def test_samples_hold_the_best_choice_and_ascend() -> None:
    ready = prepared(3, "whole", 2)
    assert ready is not None
    remaining, start, _, _ = ready
    rng = np.random.default_rng(0)
    pool = cheapest_changes(remaining, start, 1000, rng)
    best = remaining.starts[1:] - 1
    mixed = cheap_and_best(start, pool, best, 5.0, rng, 3)
    assert np.isin(best[best != start.chosen], mixed.item).all()
    assert (np.diff(mixed.regret) >= 0).all()


def test_differences_are_rounded_down() -> None:
    numbers = np.array([0.0, 123456789.123456, 1.23456789012345e-12])
    places, whole, right = _whole(numbers, np.array([1, 2]), np.array([2, 0]), Decimal("-1e-30"))
    exact = [Decimal("123456789.123456") - Decimal("1.23456789012345e-12")]
    exact.append(Decimal("1.23456789012345e-12"))
    for value, rounded in zip(exact, whole.tolist(), strict=True):
        assert 0 < value.scaleb(places) - rounded < 1
    assert right == -1


def test_the_first_of_a_list_reach_to_the_next() -> None:
    changes = Changes(np.arange(3), np.array([0.5, 1.0, 4.0]), np.inf)
    assert changes.first(2).reach == 4.0
    assert changes.first(3) is changes
