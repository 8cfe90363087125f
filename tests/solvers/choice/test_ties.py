"""Items that tie at the best prices: there only the totals tell one choice from another."""

from __future__ import annotations

import numpy as np
import pytest

from solvers import Level, Status
from solvers.choice import Choice, solve_choice, violations
from solvers.choice.dominance import filtered
from solvers.choice.dual import solve_dual
from solvers.choice.relaxed import Base, base
from solvers.choice.samples import around_aim, balanced
from solvers.model.milp import Indices


def tying(classes: int, items: int, level: float, seed: int, resources: int = 2) -> Choice:
    """Costs are the negated sums of the weights, which are whole; no two items are alike."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 10**7, (classes, items, resources)).astype(float)
    value = weights.sum(axis=2)
    least = weights.min(axis=1).sum(axis=0)
    most = weights[np.arange(classes), value.argmax(axis=1)].sum(axis=0)
    budgets = np.floor(least + level * (most - least))
    starts = np.arange(classes + 1) * items
    return Choice(starts, -value.ravel(), weights.reshape(-1, resources), budgets)


def test_rows_are_small_and_sum_to_the_aim_by_hand() -> None:
    # values are |lack - shift| + |shift|; the aim of 3 comes in steps of 1
    # lack 1: 7, 3, 2, 1, so row 3; lack 0 + 1: 7, 3, 2, so row 2; lack -0.5 + 1: row 0 is left
    shift, group = np.array([[4.0], [-1.0], [1.5], [1.0]]), np.array([0, 1, 1, 2])
    assert around_aim(shift, group, np.array([3.0]), np.ones(4), 3, 1).tolist() == [3, 2, 0]
    # with two of a group: lack 0.5: row 0 has 7.5, row 1 has 2.5; then row 0 is left
    assert around_aim(shift, group, np.array([4.0]), np.ones(4), 6, 2).tolist() == [3, 2, 1, 0]


def test_noise_stands_against_size() -> None:
    # values 0 + 5 x 1 against 0.7 + 0 x 0.3: the row that misses the aim is taken
    shift, group, noise = np.array([[1.0], [0.3]]), np.array([0, 1]), np.array([5.0, 0.0])
    assert around_aim(shift, group, np.array([1.0]), noise, 1, 1).tolist() == [1]
    assert around_aim(shift, group, np.array([1.0]), 0.0 * noise, 1, 1).tolist() == [0]


def halves(left_starts: Indices, items: Indices) -> list[int]:
    """Combinations of the changes of either half, where the larger classes are in one."""
    group = np.searchsorted(left_starts, items, side="right") - 1
    sizes = np.sort(1 + np.unique(group, return_counts=True)[1])[::-1]
    upper = (len(sizes) + 1) // 2
    return [int(np.prod(sizes[:upper])), int(np.prod(sizes[upper:]))]


@pytest.mark.parametrize("classes", [2, 3, 5, 10, 21, 34, 200])
@pytest.mark.parametrize("level", [0.5, 0.9])
def test_combinations_of_a_sample_lie_around_the_budgets(classes: int, level: float) -> None:
    filtered_problem = filtered(tying(classes, 50, level, seed=classes))
    start: Base = base(
        filtered_problem, (dual := solve_dual(filtered_problem)), dual.multipliers, 1.0
    )
    sampled = balanced(filtered_problem, start, np.inf, np.random.default_rng(0), 24)
    group = np.searchsorted(filtered_problem.starts, sampled.item, side="right") - 1
    assert not np.isin(sampled.item, start.chosen).any()
    assert len(np.unique(sampled.item)) == len(sampled.item)
    assert len(np.unique(group)) == min(classes, 24)
    assert max(halves(filtered_problem.starts, sampled.item)) <= 2**12
    if classes < 100:
        return  # too few to have the choice
    weight = 1.0 / (1.0 + np.bincount(group)[group])
    for row, numbers in enumerate(filtered_problem.weights):
        mean = (weight * (numbers[sampled.item] - numbers[start.chosen[group]])).sum()
        assert abs(float(start.exact_slack[row]) - mean) < 0.1 * np.ptp(numbers)


def test_where_nothing_can_change_the_sample_is_empty() -> None:
    filtered_problem = filtered(tying(6, 4, 0.5, seed=0))
    start = base(filtered_problem, (dual := solve_dual(filtered_problem)), dual.multipliers, 1.0)
    assert len(balanced(filtered_problem, start, -1.0, np.random.default_rng(0), 24).item) == 0


@pytest.mark.parametrize("level", [0.02, 0.3, 0.9])
def test_few_classes_that_tie_are_combined_whole(level: float) -> None:
    for seed in range(3):
        problem = tying(4, 25, level, seed)
        by_class = problem.weights.reshape(4, 25, 2)
        pairs = [
            (by_class[a, :, None] + by_class[b, None, :]).reshape(-1, 1, 2)
            for a, b in ((0, 1), (2, 3))
        ]
        totals = pairs[0] + pairs[1].transpose(1, 0, 2)
        fits = (totals <= problem.budgets).all(axis=2)
        result = solve_choice(problem, gap=1e-9)
        assert result.certificate.level is Level.PROVED
        if not fits.any():
            assert result.status is Status.INFEASIBLE
            continue
        assert result.status is Status.OPTIMAL
        assert result.objective == -totals.sum(axis=2)[fits].max()
        assert result.chosen is not None
        assert violations(problem, result.chosen) == []


@pytest.mark.parametrize("classes", [60, 200])
@pytest.mark.parametrize("level", [0.4, 0.6, 0.9])
def test_many_classes_that_tie_are_closed(classes: int, level: float) -> None:
    for seed in range(2):
        problem = tying(classes, 50, level, seed)
        result = solve_choice(problem, gap=1e-7)
        assert (result.status, result.certificate.level) == (Status.OPTIMAL, Level.PROVED)
        assert result.chosen is not None
        assert violations(problem, result.chosen) == []
        assert result.objective is not None
        assert result.bound is not None
        recomputed = -problem.weights[result.chosen].sum()
        assert result.objective == recomputed
        assert -problem.budgets.sum() <= result.bound <= recomputed


def test_ties_in_three_resources_come_close() -> None:
    problem = tying(40, 20, 0.5, seed=0, resources=3)
    result = solve_choice(problem, gap=1e-4)
    assert result.status is Status.OPTIMAL
    assert result.chosen is not None
    assert violations(problem, result.chosen) == []
