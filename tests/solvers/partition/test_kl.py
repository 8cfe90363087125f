from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.partition import BY_NAME, Graph, Request, cut, equal_parts, pins, violations
from solvers.partition.kl import refine
from solvers.partition.order import beginnings
from tests.solvers.partition.instances import drawn, grid, literal_k_way


def request(seed: int, *, negative: bool, pinned: bool, equal: bool) -> Request:
    rng = np.random.default_rng(seed)
    graph = drawn(12, seed, negative=negative, density=float(rng.choice([0.2, 0.5, 1.0])))
    sizes = [[6, 6], [4, 4, 4], [3, 3, 3, 3], [2] * 6] if equal else [[1, 2, 3, 6], [7, 5]]
    places = {int(rng.integers(12)): 0, int(rng.integers(12)): 1} if pinned else {}
    return Request(
        graph,
        np.array(sizes[seed % len(sizes)]),
        starts=3,
        seed=seed,
        fixed=pins(12, places),
    )


KINDS = [(n, p, e) for n in (False, True) for p in (False, True) for e in (False, True)]


@pytest.mark.parametrize(("negative", "pinned", "equal"), KINDS)
def test_every_start_ends_where_the_literal_procedure_ends(
    negative: bool, pinned: bool, equal: bool
) -> None:
    for seed in range(8):
        instance = request(seed, negative=negative, pinned=pinned, equal=equal)
        for start in beginnings(instance):
            assert refine(instance, start).tolist() == literal_k_way(instance, start.tolist())


def test_larger_parts_end_where_the_literal_procedure_ends() -> None:
    for seed, negative in ((1, False), (2, True)):
        graph = drawn(100, seed, density=0.1, negative=negative)
        instance = Request(graph, np.array([50, 50]), starts=2, seed=seed)
        for start in beginnings(instance):
            assert refine(instance, start).tolist() == literal_k_way(instance, start.tolist())


def test_a_swap_gains_what_the_recomputed_cut_loses() -> None:
    # g = D[a] + D[b] - 2 c_ab with D from the definition, for every pair of two parts.
    graph = drawn(8, 5, negative=True)
    weights, part = graph.dense(), np.repeat([0, 1], 4)
    for a in range(4):
        for b in range(4, 8):
            gain = -2 * weights[a, b]
            for v in (a, b):
                across = part != part[v]
                gain += weights[v, across].sum() - weights[v, ~across].sum()
            swapped = part.copy()
            swapped[[a, b]] = swapped[[b, a]]
            assert cut(graph, part) - cut(graph, swapped) == gain


def test_two_cliques_come_apart_by_hand() -> None:
    # Two triangles joined by one light edge, interleaved: {0, 2, 4}, {1, 3, 5}, and 0-1.
    graph = Graph.from_edges(6, [0, 2, 0, 1, 3, 1, 0], [2, 4, 4, 3, 5, 5, 1], [5, 5, 5, 5, 5, 5, 1])
    result = BY_NAME["kl"].partition(Request(graph, np.array([3, 3]), starts=1))
    assert result.cut == 1.0
    assert result.status == "optimal"


@given(st.integers(0, 10**6), st.booleans(), st.booleans(), st.sampled_from([[5, 5], [1, 2, 3, 4]]))
def test_the_cut_never_grows_and_pins_stay(
    seed: int, negative: bool, real: bool, sizes: list[int]
) -> None:
    graph = drawn(10, seed, negative=negative, real=real)
    places = {seed % 10: 1, (seed + 3) % 10: 0}
    instance = Request(graph, np.array(sizes), seed=seed, starts=3, fixed=pins(10, places))
    for start in beginnings(instance):
        before, after = cut(graph, start), cut(graph, refine(instance, start))
        assert after <= before + 1e-12 * graph.size
    answer = BY_NAME["kl"].partition(instance)
    assert violations(graph, answer, sizes, instance.fixed.tolist()) == []


def test_long_sides_stay_sound_where_passes_are_cut_short() -> None:
    graph = grid(40, 40)
    instance = Request(graph, equal_parts(graph, 800), starts=2)
    for start in beginnings(instance):
        assert cut(graph, refine(instance, start)) <= cut(graph, start)
    answer = BY_NAME["kl"].partition(instance)
    assert violations(graph, answer, [800, 800]) == []


def test_more_starts_never_hurt_and_the_seed_decides() -> None:
    graph = drawn(24, 7, density=0.3)
    result = [
        BY_NAME["kl"].partition(Request(graph, equal_parts(graph, 4), starts=starts, seed=5))
        for starts in (1, 3, 9, 9)
    ]
    assert result[0].cut >= result[1].cut >= result[2].cut
    assert result[2].part.tolist() == result[3].part.tolist()


def test_no_time_still_gives_a_partition() -> None:
    graph = grid(6, 6)
    answer = BY_NAME["kl"].partition(Request(graph, equal_parts(graph, 6), time_limit_s=0.0))
    assert violations(graph, answer, [6] * 6) == []
