from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.partition import BY_NAME, Graph, Request, cut, equal_parts, pins, violations
from solvers.partition.draws import stream
from solvers.partition.halving import _halve, halved
from solvers.partition.moves import Level, contracted, cut_between, matched, move_pass
from solvers.partition.repair import repaired
from tests.sizes import few
from tests.solvers.partition.instances import drawn, grid


def level(graph: Graph) -> Level:
    count = graph.vertices
    return Level(
        graph.starts,
        graph.neighbours,
        graph.weights,
        np.ones(count, dtype=np.int64),
        np.full(count, -1, dtype=np.int32),
    )


@given(st.integers(0, 10**6), st.booleans(), st.booleans(), st.integers(1, 29))
@settings(max_examples=few(25))
def test_a_pass_gains_what_it_says_and_keeps_the_balance(
    seed: int, negative: bool, real: bool, target: int
) -> None:
    graph = drawn(30, seed, negative=negative, real=real, density=0.2)
    side = np.zeros(30, dtype=np.int32)
    side[np.random.default_rng(seed).permutation(30)[:target]] = 1
    before = cut(graph, side)
    gain = move_pass(level(graph), side, target, 0, 30)
    assert gain >= 0.0
    assert side.sum() == target
    assert abs(before - cut(graph, side) - gain) <= 1e-9 * graph.size
    assert abs(cut_between(level(graph), side) - cut(graph, side)) <= 1e-9 * graph.size


def test_sides_out_of_balance_are_put_right_by_the_cheapest_moves() -> None:
    # A path of four, all on side 0: one end goes over, then its neighbour: only 1-2 is cut.
    path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    side = np.zeros(4, dtype=np.int32)
    assert move_pass(level(path), side, 2, 0, 4) == np.inf
    assert side.sum() == 2
    assert cut(path, side) == 1.0


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=few(30))
def test_joining_keeps_sizes_and_cuts(seed: int, negative: bool) -> None:
    graph = drawn(25, seed, negative=negative, density=0.3)
    rng = np.random.default_rng(seed)
    fine = level(graph)
    coarse = matched(fine, rng.permutation(25), 2)
    small = contracted(fine, coarse)
    assert small.sizes.sum() == 25
    assert small.sizes.max() <= 2
    assert small.sizes.tolist() == np.bincount(coarse).tolist()
    side = rng.integers(0, 2, len(small.sizes)).astype(np.int32)
    assert cut_between(small, side) == cut(graph, side[coarse])


def test_pins_of_different_sides_are_never_joined() -> None:
    graph = Graph.from_edges(2, [0], [1])
    fine = level(graph)._replace(pin=np.array([0, 1], dtype=np.int32))
    assert matched(fine, np.arange(2), 2).tolist() == [0, 1]


def test_a_halving_of_a_long_grid_is_exact_and_short() -> None:
    # 8 x 64: the least cut of two halves is a column of 8.
    graph = grid(8, 64)
    own = Request(graph, np.array([512])).flat(np.full(512, -1, dtype=np.int32))
    sides = {
        target: _halve(own, target, 1, stream(np.random.default_rng(1))) for target in (256, 100, 1)
    }
    assert {target: side.sum() for target, side in sides.items()} == {256: 256, 100: 100, 1: 1}
    assert cut(graph, sides[256]) == 8.0


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([[30, 30], [20, 30, 10], [6] * 10]))
@settings(max_examples=few(25))
def test_every_answer_is_sound(seed: int, negative: bool, sizes: list[int]) -> None:
    graph = drawn(60, seed, negative=negative, density=0.1)
    places = {seed % 60: 1, (seed + 7) % 60: 0, (seed + 9) % 60: len(sizes) - 1}
    request = Request(graph, np.array(sizes), seed=seed, starts=1, fixed=pins(60, places))
    answer = BY_NAME["multilevel"].partition(request)
    assert violations(graph, answer, sizes, request.fixed.tolist()) == []
    again = BY_NAME["multilevel"].partition(request)
    assert again.part.tolist() == answer.part.tolist()


def test_all_vertices_are_listed_where_the_border_is_too_short() -> None:
    # A path of 200 all on side 0, without a border: 100 must go over, and one cut is enough.
    path = Graph.from_edges(200, np.arange(199), np.arange(1, 200))
    side = np.zeros(200, dtype=np.int32)
    assert move_pass(level(path), side, 100, 0, 20) == np.inf
    assert side.sum() == 100
    assert cut(path, side) == 1.0


def test_halvings_keep_pins_and_sizes_without_repair() -> None:
    places = {0: 2, 1: 1, 2: 3, 3: 0}
    request = Request(drawn(40, 3), np.array([10] * 4), fixed=pins(40, places))
    part = halved(request, np.random.default_rng(0))
    assert part[:4].tolist() == [2, 1, 3, 0]
    assert np.bincount(part).tolist() == [10] * 4


def test_more_tries_of_a_halving_never_hurt() -> None:
    graph = drawn(120, 3, density=0.05)
    own = Request(graph, np.array([120])).flat(np.full(120, -1, dtype=np.int32))
    cuts = [
        cut(graph, _halve(own, 60, tries, stream(np.random.default_rng(1))))
        for tries in (1, 3, 9, 27)
    ]
    assert cuts == sorted(cuts, reverse=True)
    assert cuts[-1] < cuts[0]


def test_a_shuffled_grid_is_cut_within_a_fifth_of_its_blocks() -> None:
    # 32 x 32 in 16 blocks of 8 x 8: 2 * 3 * 32 = 192 edges between blocks.
    label = np.random.default_rng(2).permutation(1024)
    plain = grid(32, 32)
    once = plain.tails < plain.neighbours
    graph = Graph.from_edges(1024, label[plain.tails[once]], label[plain.neighbours[once]])
    request = Request(graph, equal_parts(graph, 64), starts=4)
    answer = BY_NAME["multilevel"].partition(request)
    assert violations(graph, answer, [64] * 16) == []
    assert answer.cut <= 1.2 * 192


def test_repair_moves_the_cheapest_vertices_by_hand() -> None:
    # A star 0-1, 0-2, 0-3 (weights 9, 5, 1) all in part 0: the vertex of weight 1 leaves first.
    star = Graph.from_edges(4, [0, 0, 0], [1, 2, 3], [9, 5, 1])
    request = Request(star, np.array([3, 1]))
    assert repaired(request, np.zeros(4, dtype=np.int32)).tolist() == [0, 0, 0, 1]
    held = Request(star, np.array([3, 1]), fixed=pins(4, {3: 0}))
    assert repaired(held, np.zeros(4, dtype=np.int32)).tolist() == [0, 0, 1, 0]
    # Of 0, 1 and 2 the lone 0 leaves for nothing; 1 would heal 3 and cut 10.
    tied = Request(Graph.from_edges(4, [1, 1], [2, 3], [10, 3]), np.array([2, 2]))
    assert repaired(tied, np.array([0, 0, 0, 1], dtype=np.int32)).tolist() == [1, 0, 0, 1]


@given(st.integers(0, 10**6))
@settings(max_examples=few(30))
def test_repair_fills_every_part_and_leaves_exact_ones_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = drawn(20, seed, negative=True)
    request = Request(graph, np.array([7, 3, 10]), fixed=pins(20, {3: 1, 4: 0}))
    loose = rng.integers(0, 3, 20).astype(np.int32)
    part = repaired(request, loose)
    assert np.bincount(part, minlength=3).tolist() == [7, 3, 10]
    assert (part[3], part[4]) == (1, 0)
    assert repaired(request, part).tolist() == part.tolist()
