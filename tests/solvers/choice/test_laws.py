"""Worked by hand, laws, and what each stage claims against independent computations."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from solvers import Level, Milp, Status, Stop, solve
from solvers.choice import Choice, formulate, solve_choice, violations
from solvers.choice.dominance import filtered
from solvers.choice.dual import solve_dual
from solvers.choice.exact import lagrangian_bound, verified_bound
from solvers.proofs.exact import decimal
from tests.solvers.choice.instances import SHAPES, enumerated, random_choice

HAND = Choice.from_tables(
    [
        ([9, 5, 2, 6], [[1, 10], [2, 20], [4, 30], [2, 25]]),  # the last is dominated
        ([8, 3, 3], [[1, 5], [3, 15], [3, 15]]),  # the last equals the one before
    ],
    [5, 40],
)


def large(classes: int = 300, items: int = 30, seed: int = 0) -> Choice:
    rng = np.random.default_rng(seed)
    first = rng.integers(2, 17, (classes, items)) * 4.0
    second = first * rng.uniform(50, 150, (classes, items))
    cost = rng.uniform(1e3, 1e5, (classes, 1)) / first**0.7 / second**0.3
    weights = np.stack([first, second], axis=2).reshape(-1, 2)
    least, most = (f(axis=1).sum() for f in (first.min, first.max))
    low, high = (f(axis=1).sum() for f in (second.min, second.max))
    budgets = np.array([0.7 * least + 0.3 * most + 1.5, 0.8 * low + 0.2 * high])
    return Choice(np.arange(classes + 1) * items, cost.ravel(), weights, budgets)


def test_the_instance_worked_by_hand() -> None:
    # 9 + 3 = 12 weighs (4, 25); 5 + 3 = 8 weighs (5, 35); 2 + 8 = 10 weighs (5, 35);
    # 2 + 3 = 5 weighs (7, 45), over both budgets: 8 is the optimum
    assert filtered(HAND).item.tolist() == [0, 1, 2, 4, 5]
    result = solve_choice(HAND)
    assert result.objective == 8.0
    assert result.chosen is not None
    assert result.chosen.tolist() == [1, 5]
    assert result.totals is not None
    assert result.totals.tolist() == [5.0, 35.0]
    assert result.certificate.level is Level.PROVED


def test_the_checker_names_each_fault() -> None:
    assert violations(HAND, [2, 5]) == [
        "resource 0: 7 is 2 over 5",
        "resource 1: 45 is 5 over 40",
    ]
    assert violations(HAND, [5, 5]) == ["class 0: item 5 lies outside 0..3"]
    assert violations(HAND, [1]) == ["1 items for 2 classes"]


def test_sums_of_decimals_meet_their_budget_exactly() -> None:
    # in floats 0.1 + 0.2 is over 0.3
    tenths = Choice.from_tables([([0, 9], [[0.1], [0]]), ([0, 9], [[0.2], [0]])], [0.3])
    result = solve_choice(tenths)
    assert (result.objective, result.certificate.max_violation) == (0.0, 0.0)


def test_a_budget_below_the_lightest_items_is_named() -> None:
    result = solve_choice(replace(HAND, budgets=np.array([5.0, 14.0]), resources=("n", "w")))
    assert (result.status, result.certificate.level) == (Status.INFEASIBLE, Level.PROVED)
    (note,) = result.certificate.notes
    assert note.values == {"resource": "w", "least": 15.0, "budget": 14.0, "excess": 1.0}


def test_budgets_that_clash_are_shown_to() -> None:
    # each choice weighs 12 in all, budgets hold 10
    apart = Choice(np.arange(4) * 2, np.ones(6), np.tile([[0.0, 4], [4, 0]], (3, 1)), np.full(2, 5))
    result = solve_choice(apart)
    assert (result.status, result.certificate.level) == (Status.INFEASIBLE, Level.PROVED)
    assert result.certificate.notes[0].kind == "budgets-clash"


@pytest.mark.parametrize("resources", [1, 2, 4])
def test_the_filter_keeps_exactly_what_nothing_dominates(resources: int) -> None:
    for seed, shape in enumerate(SHAPES * 3):
        problem = random_choice(seed, shape, classes=3, resources=resources)
        problem = replace(problem, budgets=np.full(resources, 40.0))
        filtered_problem = filtered(problem)
        sign = 1 if problem.sense == "min" else -1
        weights = problem.weights[:, filtered_problem.resource]
        selected = set(filtered_problem.item.tolist())
        for group in range(3):
            members = range(problem.starts[group], problem.starts[group + 1])
            for k in members:
                beaten = [
                    o
                    for o in members
                    if o != k
                    and sign * problem.cost[o] <= sign * problem.cost[k]
                    and (weights[o] <= weights[k]).all()
                ]
                if k in selected:
                    assert not [o for o in beaten if o in selected]
                else:
                    others = np.minimum.reduceat(weights, problem.starts[:-1]).sum(axis=0)
                    own = weights[list(members)].min(axis=0)
                    heavy = (
                        others - own + weights[k] > problem.budgets[filtered_problem.resource]
                    ).any()
                    assert heavy or [o for o in beaten if o in selected]


def test_the_filter_of_wide_classes_agrees_with_all_pairs() -> None:
    rng = np.random.default_rng(5)
    for high in (3, 12, 1000):  # many ties, some, few
        weights = rng.integers(0, high, (400, 2)).astype(float)
        cost = rng.integers(0, high, 400).astype(float)
        problem = Choice(np.array([0, 400]), cost, weights, np.array([0.5, 0.5]) * high)
        selected = set(filtered(problem).item.tolist())
        fits = (weights <= 0.5 * high).all(axis=1)
        for k in np.flatnonzero(fits).tolist():
            better = fits & (cost <= cost[k]) & (weights <= weights[k]).all(axis=1)
            equal = (cost == cost[k]) & (weights == weights[k]).all(axis=1)
            strictly = better & ~equal
            first = int(np.flatnonzero(equal)[0]) == k
            assert (k in selected) == (not strictly.any() and first)


def relaxed(model: Milp) -> Milp:
    return replace(model, is_integer=np.zeros(model.columns, dtype=bool))


@pytest.mark.parametrize("resources", [1, 2, 5])
def test_the_dual_is_the_optimum_of_the_linear_relaxation(resources: int) -> None:
    for seed in range(4):
        problem = random_choice(seed, "free", classes=12, resources=resources)
        least = np.minimum.reduceat(problem.weights, problem.starts[:-1]).sum(axis=0)
        most = np.maximum.reduceat(problem.weights, problem.starts[:-1]).sum(axis=0)
        problem = replace(problem, budgets=0.4 * least + 0.6 * most)
        answer = solve(relaxed(formulate(problem)), proof="never")
        sign = 1 if problem.sense == "min" else -1
        assert answer.objective is not None
        dual = solve_dual(filtered(problem))
        assert dual.value == pytest.approx(sign * answer.objective, rel=1e-9, abs=1e-9)


def test_bounds_are_below_the_function_in_fractions() -> None:
    problem = random_choice(2, "decimal", classes=4)
    problem = replace(problem, budgets=np.array([150.3, 120.1]))
    y = np.array([0.37, 0.11])
    sign = 1 if problem.sense == "min" else -1
    value = Fraction(0)
    for group in range(problem.classes):
        value += min(
            sign * Fraction(decimal(problem.cost[k]))
            + sum(
                Fraction(decimal(p)) * Fraction(decimal(w))
                for p, w in zip(y, problem.weights[k], strict=True)
            )
            for k in range(problem.starts[group], problem.starts[group + 1])
        )
    for price, budget in zip(y, problem.budgets, strict=True):
        value -= Fraction(decimal(price)) * Fraction(decimal(budget))
    assert Fraction(lagrangian_bound(problem, y, problem.budgets)) == value
    lowered = Fraction(verified_bound(problem, y, problem.budgets))
    assert value - Fraction(1, 10**9) < lowered < value


def test_greedy_is_no_better_than_the_optimum_nor_that_than_the_bound() -> None:
    for seed in range(6):
        problem = large(classes=60, seed=seed)
        heuristic, best = solve_choice(problem, method="greedy"), solve_choice(problem)
        assert heuristic.objective is not None
        assert best.objective is not None
        assert best.bound is not None
        assert heuristic.bound is not None
        assert heuristic.chosen is not None
        assert violations(problem, heuristic.chosen) == []
        assert heuristic.objective >= best.objective >= best.bound >= heuristic.bound


def test_a_middling_instance_is_closed_and_agrees_with_the_integer_program() -> None:
    problem = large()
    ours = solve_choice(problem, gap=1e-9)
    theirs = solve_choice(problem, method="highs", gap=1e-6, time_limit_s=20, proof="never")
    assert ours.status is Status.OPTIMAL
    assert ours.objective is not None
    assert theirs.objective is not None
    assert theirs.bound is not None
    assert theirs.objective >= ours.objective * (1 - 1e-12)
    assert theirs.bound <= ours.objective * (1 + 1e-9)


def test_a_looser_budget_never_hurts_and_order_changes_nothing() -> None:
    for seed in range(20):
        problem = random_choice(seed, "whole")
        wider = replace(problem, budgets=problem.budgets + 3.0)
        tight, loose = solve_choice(problem, gap=1e-9), solve_choice(wider, gap=1e-9)
        if tight.objective is not None:
            assert loose.objective is not None
            gain = loose.objective - tight.objective
            assert gain <= 1e-9 if problem.sense == "min" else gain >= -1e-9
        tables = [
            (problem.cost[a:b][::-1], problem.weights[a:b][::-1])
            for a, b in zip(problem.starts, problem.starts[1:], strict=False)
        ]
        turned = Choice.from_tables(tables[::-1], problem.budgets, sense=problem.sense)
        assert solve_choice(turned, gap=1e-9).objective == tight.objective


@pytest.mark.parametrize("method", ["highs", "cbc", "both"])
def test_every_method_finds_the_optimum(method: str) -> None:
    for seed in range(3):
        problem = random_choice(seed, "decimal")
        best = enumerated(problem)
        result = solve_choice(problem, method=method)
        if best is None:
            assert result.status is Status.INFEASIBLE
        else:
            assert result.objective == pytest.approx(float(best), abs=1e-9)


def test_the_level_says_how_the_bound_was_formed() -> None:
    problem = large(classes=60)
    exact, floats = (solve_choice(problem, proof=mode) for mode in ("always", "never"))
    assert exact.certificate.level is Level.PROVED
    assert floats.certificate.level is Level.VERIFIED
    assert exact.objective == floats.objective


def test_without_time_there_is_still_a_bound_and_the_stop_is_said() -> None:
    result = solve_choice(large(classes=60), time_limit_s=0.0)
    assert result.certificate.stop is Stop.TIME
    assert result.bound is not None
    assert result.status in (Status.FEASIBLE, Status.UNKNOWN)


def test_the_same_request_gives_the_same_answer() -> None:
    problem = replace(large(classes=40), cost=-large(classes=40).weights[:, 1].copy())
    first, second = (solve_choice(problem, seed=3) for _ in range(2))
    assert first.certificate == second.certificate
    assert first.chosen is not None
    assert second.chosen is not None
    assert (first.chosen == second.chosen).all()


def test_no_class_and_no_resource_are_problems_too() -> None:
    nothing = Choice.from_tables([], [3.0])
    assert solve_choice(nothing).objective == 0.0
    assert solve_choice(replace(nothing, budgets=-nothing.budgets)).status is Status.INFEASIBLE
    free = Choice(np.array([0, 2]), np.array([4.0, 3.0]), np.empty((2, 0)), np.empty(0))
    assert solve_choice(free).objective == 3.0


def test_greedy_choice_of_small_costs_is_called_optimal_only_where_it_is() -> None:
    # two classes; the greedy takes the light item of the first, 18 times as dear as the best
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(60):
        starts = np.arange(0, 13, 3)
        ordinary = Choice(
            starts=starts,
            cost=rng.integers(1, 400, 12).astype(float),
            weights=rng.integers(1, 31, (12, 2)).astype(float),
            budgets=rng.integers(40, 80, 2).astype(float),
        )
        small = replace(ordinary, cost=np.array([float(f"{c}e-10") for c in ordinary.cost]))
        greedy, best = solve_choice(small, method="greedy"), solve_choice(ordinary)
        if greedy.objective is None or best.objective is None:
            continue
        apart = greedy.objective * 1e10 > best.objective * (1 + 1e-6)
        wrong += apart
        assert not (apart and greedy.status is Status.OPTIMAL)
    assert wrong >= 3  # or nothing was tried
