"""Vertices on slots of nested units: by brute force, and laws of every answer."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from solvers.mapping import Mapping, Problem, exact, nested, solve, total, violations
from solvers.mapping.swaps import gain, joint, swapped
from solvers.model.milp import ModelError
from solvers.model.result import Status
from solvers.partition import BY_NAME, Graph
from solvers.partition.order import in_order
from tests.solvers.partition.instances import drawn, grid

UNEVEN = np.array([[0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2]])
LOPSIDED = np.array([[0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 2, 2, 2, 3]])


def regular(*counts: int) -> np.ndarray:
    """Units of a tree with equal branches; the last number are slots of an innermost unit."""
    slots = np.arange(int(np.prod(counts)))
    within = np.cumprod(counts[::-1])[::-1][1:]
    return np.array([slots // size for size in within])


def instance(seed: int) -> Problem:
    shapes = (UNEVEN, regular(3, 2), regular(2, 2, 2), LOPSIDED, regular(2, 3, 1))
    units = shapes[seed % len(shapes)]
    count = units.shape[1]
    graphs = tuple(
        drawn(count, 3 * seed + level, negative=seed % 3 == 0, real=seed % 2 == 0)
        for level in range(len(units))
    )
    fixed = np.full(count, -1, dtype=np.int32)
    if seed % 4 == 0:
        fixed[[0, 3]] = 1, 0
    return Problem(graphs, units, fixed, seed=seed, starts=2)


def brute_force(problem: Problem) -> float:
    count = problem.vertices
    return min(
        total(problem, np.array(slot))
        for slot in permutations(range(count))
        if all(
            unit < 0 or problem.units[0][slot[v]] == unit for v, unit in enumerate(problem.fixed)
        )
    )


@pytest.mark.parametrize("seed", range(20))
def test_subsets_find_what_trying_all_finds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = instance(seed)
    least = brute_force(problem)
    best = solve(problem)
    assert violations(problem, best) == []
    assert best.total == pytest.approx(least, abs=1e-9)
    assert (best.status, best.method) == (Status.OPTIMAL, "subsets") or problem.levels == 1
    monkeypatch.setattr(exact, "suits", lambda _: False)
    heuristic = solve(problem)
    assert violations(problem, heuristic) == []
    assert heuristic.bound - 1e-9 <= least <= heuristic.total + 1e-9
    for name in ("order", "kl"):
        alone = solve(problem, BY_NAME[name])
        assert violations(problem, alone) == []
        assert alone.bound - 1e-9 <= least <= alone.total + 1e-9


def test_what_is_parted_further_out_is_parted_further_in_too() -> None:
    # One edge: apart at the outer level it costs 5 + 2, apart at the inner one alone 2.
    units = regular(2, 2, 1)
    pair = tuple(Graph.from_edges(4, [0], [3], [weight]) for weight in (5.0, 2.0))
    problem = Problem(pair, units)
    assert total(problem, np.arange(4)) == 7
    assert total(problem, np.array([0, 2, 3, 1])) == 2
    assert solve(problem).total == 2


@pytest.mark.parametrize("seed", range(4))
def test_the_gain_of_a_swap_is_what_it_changes(seed: int) -> None:
    problem = instance(seed)
    slot = np.random.default_rng(seed).permutation(problem.vertices)
    edges = joint(problem)
    for one in range(problem.vertices):
        for other in range(one):
            after = slot.copy()
            after[[one, other]] = slot[[other, one]]
            change = total(problem, slot) - total(problem, after)
            assert gain(edges, slot, one, other) == pytest.approx(change, abs=1e-9)


@pytest.mark.parametrize("large", [False, True])
def test_swaps_never_cost_more_and_keep_pins(large: bool) -> None:
    units = regular(8, 4, 2, 10) if large else regular(4, 2, 2)
    count = units.shape[1]
    graph = grid(count // 16, 16) if large else drawn(count, 7)
    fixed = np.full(count, -1, dtype=np.int32)
    fixed[:3] = 2, 0, 1
    problem = Problem((graph,) * len(units), units, fixed)
    part = in_order(problem.request(0), np.arange(count))
    slot = np.empty(count, dtype=np.int64)
    slot[np.argsort(part, kind="stable")] = np.arange(count)
    better = swapped(problem, joint(problem), slot)
    assert sorted(better.tolist()) == list(range(count))
    assert (units[0][better[:3]] == fixed[:3]).all()
    assert total(problem, better) < total(problem, slot)
    again = swapped(problem, joint(problem), better)
    assert (again == better).all()


def test_a_stencil_in_order_of_a_tree_is_found_again() -> None:
    units = regular(4, 2, 2, 2)  # 32 slots: a 4 x 8 grid whose halves are halves again
    graph = grid(4, 8)
    weights = tuple(
        Graph(graph.starts, graph.neighbours, graph.weights * scale) for scale in (100, 10, 1)
    )
    problem = Problem(weights, units, starts=1)
    result = solve(problem)
    assert violations(problem, result) == []
    # Quarters of 2 x 4, their halves of 2 x 2, and pairs.
    assert result.total == 100 * 12 + 10 * 20 + 1 * 36
    assert result.outermost.cut == 1200


def test_outwards_gathers_filled_units() -> None:
    problem = Problem((drawn(8, 1), drawn(8, 2)), regular(2, 2, 2))
    innermost = BY_NAME["portfolio"].partition(problem.request(1))
    (slot,) = nested.outwards(problem, innermost)
    assert sorted(slot.tolist()) == list(range(8))
    mates = {frozenset(innermost.members(part).tolist()) for part in range(4)}
    unit = problem.units[1][slot]
    assert {frozenset(np.flatnonzero(unit == u).tolist()) for u in range(4)} == mates
    assert nested.outwards(instance(0), innermost) == []  # units of different sizes


def test_outwards_gathers_units_that_belong_together() -> None:
    pairs = Graph.from_edges(8, [0, 2, 4, 6], [1, 3, 5, 7])
    across = Graph.from_edges(8, [0, 2], [4, 6])
    problem = Problem((across, pairs), regular(2, 2, 2))
    innermost = BY_NAME["portfolio"].partition(problem.request(1))
    (slot,) = nested.outwards(problem, innermost)
    assert total(problem, slot) == 0.0


def test_each_way_wins_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "suits", lambda _: False)
    problems = [
        Problem((drawn(8, 3 * seed), drawn(8, 3 * seed + 1)), regular(2, 2, 2)) for seed in range(8)
    ]
    methods = {solve(problem).method for problem in problems}
    assert any(method.startswith("outwards") for method in methods)
    assert any(method.startswith("inwards") for method in methods)
    assert any("swaps" in method for method in methods)


def test_inwards_cuts_inner_units_too() -> None:
    chain = Graph.from_edges(8, [0, 4, 1, 5, 2, 6, 3], [4, 1, 5, 2, 6, 3, 7])
    result = solve(Problem((chain, chain), regular(2, 2, 2)), BY_NAME["kl"])
    assert result.total == 1 + 3


def test_renumbering_changes_nothing() -> None:
    problem = instance(2)
    label = np.random.default_rng(5).permutation(problem.vertices)
    renamed = tuple(
        Graph.from_edges(g.vertices, label[g.tails], label[g.neighbours], g.weights / 2)
        for g in problem.graphs
    )
    again = Problem(renamed, problem.units)
    assert solve(again).total == pytest.approx(solve(problem).total)


def test_a_wrong_mapping_is_told() -> None:
    problem = instance(4)
    result = solve(problem)
    assert violations(problem, result) == []

    def said(changed: Mapping) -> str:
        return " ".join(violations(problem, changed))

    assert "once each" in said(replace(result, slot=np.zeros_like(result.slot)))
    assert "pinned" in said(replace(result, slot=np.arange(problem.vertices)))
    assert "is not" in said(replace(result, total=result.total + 1))
    assert "above the total" in said(replace(result, bound=result.total + 1))
    assert "status" in said(replace(result, status=Status.FEASIBLE))


@pytest.mark.parametrize(
    ("units", "said"),
    [
        ([[0, 0, 1]], "a slot per vertex"),
        ([[0, 0, 2, 2]], "numbered"),
        ([[1, 1, 2, 2]], "numbered"),
        ([[0, 0, 1, 1], [0, 1, 1, 2]], "lies in two"),
    ],
)
def test_units_that_are_none_are_refused(units: list[list[int]], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        Problem((drawn(4, 0),) * len(units), np.array(units))


def test_pins_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ModelError, match="pinned"):
        Problem((drawn(4, 0),), np.array([[0, 0, 1, 1]]), np.array([0, 0, 0, -1], dtype=np.int32))


def test_small_total_between_heavy_edges_is_optimal_only_where_it_is() -> None:
    # pairs of weight 1 fit into the inner units; what crosses weighs a thousand-million-millionth
    rng = np.random.default_rng(3)
    problem = instance(2)  # four pairs in two units of two
    for _ in range(3):
        count = problem.vertices
        matrix = np.triu(rng.integers(1, 400, (count, count)), 1) * 1e-15
        matrix[np.arange(0, count - 1, 2), np.arange(1, count, 2)] = 1.0
        small = replace(problem, graphs=(Graph.from_matrix(matrix),) * problem.levels)
        answers = solve(small), solve(small, BY_NAME["order"])
        least = min(result.total for result in answers)
        assert least < answers[1].total  # the order of vertices is a poor mapping
        for result in answers:
            assert result.bound <= least
            assert violations(small, result) == []
            if result.status is Status.OPTIMAL:
                assert result.total == pytest.approx(least, rel=1e-8, abs=0.0)
