from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.model.milp import ModelError
from solvers.model.result import Status
from solvers.partition import BY_NAME, Request, equal_parts, pins, violations
from solvers.partition.graph import Graph
from tests.sizes import few
from tests.solvers.partition.instances import brute_force, drawn, grid

SIZES = ([8], [4, 4], [2, 2, 2, 2], [7, 1], [5, 3], [1, 2, 2, 3], [3, 3, 1, 1], [2, 2, 4])


def places(seed: int, sizes: list[int]) -> dict[int, int]:
    """Up to three pins that fit."""
    room, chosen = list(sizes), {}
    rng = np.random.default_rng(seed)
    for vertex in rng.permutation(8)[: seed % 4].tolist():
        part = int(rng.choice(np.flatnonzero(room)))
        chosen[vertex], room[part] = part, room[part] - 1
    return chosen


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from(SIZES))
@settings(max_examples=few(40))
def test_dynamic_programming_is_brute_force(seed: int, negative: bool, sizes: list[int]) -> None:
    graph = drawn(8, seed, negative=negative)
    request = Request(graph, np.array(sizes), fixed=pins(8, places(seed, sizes)))
    result = BY_NAME["dynamic"].partition(request)
    assert result.cut == brute_force(request)
    assert result.status == "optimal"
    assert violations(graph, result, sizes, request.fixed.tolist()) == []


@given(st.integers(0, 10**6), st.booleans(), st.booleans())
@settings(max_examples=few(25))
def test_a_matching_is_brute_force(seed: int, negative: bool, real: bool) -> None:
    graph = drawn(8, seed, negative=negative, real=real, density=(0.2, 0.6, 1.0)[seed % 3])
    request = Request(graph, np.array([2] * 4), fixed=pins(8, places(seed, [2] * 4)))
    result = BY_NAME["matching"].partition(request)
    assert result.cut == pytest.approx(brute_force(request), abs=1e-12 * graph.size)
    assert violations(graph, result, [2] * 4, request.fixed.tolist()) == []


def test_everything_pinned_leaves_nothing_to_choose() -> None:
    graph = drawn(4, 1)
    request = Request(graph, np.array([2, 2]), fixed=np.array([1, 0, 1, 0]))
    for name in ("dynamic", "matching", "kl", "order"):
        assert BY_NAME[name].partition(request).part.tolist() == [1, 0, 1, 0]


def test_four_tasks_in_a_square_by_hand() -> None:
    # 0-1: 10, 2-3: 10, 0-2: 1, 1-3: 1: the heavy edges stay inside, 2 is cut.
    graph = grid(2, 2)
    assert BY_NAME["dynamic"].partition(Request(graph, np.array([2, 2]))).cut == 2.0


def test_relabelling_changes_nothing_of_the_optimum() -> None:
    for seed in range(5):
        graph = drawn(12, seed, negative=seed % 2 == 1)
        label = np.random.default_rng(seed).permutation(12)
        other = type(graph).from_matrix(np.triu(graph.dense()[np.ix_(label, label)]))
        for sizes in ([4, 4, 4], [5, 4, 3]):
            first = BY_NAME["dynamic"].partition(Request(graph, np.array(sizes)))
            second = BY_NAME["dynamic"].partition(Request(other, np.array(sizes)))
            assert first.cut == second.cut


def test_twenty_vertices_by_two_exact_ways() -> None:
    graph = drawn(20, 4, negative=True)
    request = Request(graph, equal_parts(graph, 2))
    assert BY_NAME["dynamic"].partition(request).cut == BY_NAME["matching"].partition(request).cut


@pytest.mark.parametrize(
    ("name", "rows", "size", "message"),
    [("dynamic", 3, 7, "21 free"), ("matching", 2, 7, "two"), ("matching", 202, 2, "404 vertices")],
)
def test_what_does_not_suit_is_refused(name: str, rows: int, size: int, message: str) -> None:
    graph = grid(rows, 7 if rows < 4 else 2)
    with pytest.raises(ModelError, match=message):
        BY_NAME[name].partition(Request(graph, equal_parts(graph, size)))


def glued(seed: int, unit: float) -> Graph:
    """Four pairs held together by heavy edges; all that a good partition cuts is small."""
    rng = np.random.default_rng(seed)
    matrix = np.triu(rng.integers(1, 400, (8, 8)), 1) * unit
    pairs = np.arange(0, 8, 2)
    matrix[pairs, pairs + 1] = 1.0
    return Graph.from_matrix(matrix)


@pytest.mark.parametrize("unit", [1e-12, 1e-16])
@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_small_cut_between_heavy_edges_is_optimal_only_where_it_is(name: str, unit: float) -> None:
    for seed in range(12):
        graph = glued(seed, unit)
        request = Request(graph, np.array([4, 4]))
        if BY_NAME[name].suits(request):
            return
        answer = BY_NAME[name].partition(request)
        least = min(
            exact_cut(graph, {0, *others}) for others in itertools.combinations(range(1, 8), 3)
        )
        assert violations(graph, answer, [4, 4]) == []
        assert Fraction(answer.bound) <= least
        if answer.status is Status.OPTIMAL:
            assert answer.cut == pytest.approx(float(least), rel=1e-8, abs=0.0)


def exact_cut(graph: Graph, part: set[int]) -> Fraction:
    return sum(
        (
            Fraction(weight)
            for tail, head, weight in zip(
                graph.tails.tolist(), graph.neighbours.tolist(), graph.weights.tolist(), strict=True
            )
            if tail in part and head not in part
        ),
        Fraction(0),
    )
