"""Laws of placements, for any communication: what must hold whatever is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.placement.hierarchy import read_counted
from planner.placement.placement import Placement
from planner.placement.problem import place
from scenarios.communication.matrix import Communication, Floats
from solvers.partition import Graph, Request, cut, equal_parts
from solvers.partition.exchange import refine_rounds
from solvers.partition.kl import refine
from solvers.partition.order import in_order
from solvers.partition.registry import BY_NAME
from tests.sizes import few

ALGORITHMS = sorted(set(BY_NAME) - {"ilp", "metis"})  # one takes long, the other is an extra
SEEDS = st.integers(0, 10**6)


def drawn(seed: int, ranks: int) -> Communication:
    """Whole numbers of bytes between some ranks, some to themselves, and messages."""
    rng = np.random.default_rng(seed)
    low, high = np.triu_indices(ranks, 1)
    selected = rng.random(len(low)) < rng.choice([0.1, 0.4, 1.0])
    count = int(selected.sum())
    scale = float(rng.choice([10, 10**6, 10**12]))
    return Communication(
        "drawn",
        ranks,
        low[selected],
        high[selected],
        np.ceil(rng.random(count) * scale),
        np.floor(rng.random(ranks) * 2) * scale,
        messages=rng.integers(1, 1000, count).astype(float),
    )


def filled(ranks: int, tasks: int) -> list[int]:
    """Nodes of so many tasks, the last one with what is left."""
    return [min(tasks, ranks - first) for first in range(0, ranks, tasks)]


def weights(communication: Communication) -> Floats:
    """Symmetrised matrix of bytes, from the pairs alone."""
    matrix = np.zeros((communication.ranks, communication.ranks))
    for low, high, amount in zip(
        communication.low, communication.high, communication.bytes, strict=True
    ):
        matrix[low, high] = matrix[high, low] = amount
    return matrix


def between(matrix: Floats, groups: list[list[int]]) -> float:
    """What ranks of different groups exchange, pair by pair."""
    node = {rank: number for number, group in enumerate(groups) for rank in group}
    pairs = combinations(range(len(matrix)), 2)
    return float(sum(matrix[a, b] for a, b in pairs if node[a] != node[b]))


def every_grouping(ranks: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[list[list[int]]]:
    """All ways to fill the nodes in their order."""
    if not sizes:
        yield []
        return
    for group in combinations(ranks, sizes[0]):
        rest = tuple(rank for rank in ranks if rank not in group)
        for others in every_grouping(rest, sizes[1:]):
            yield [list(group), *others]


def least(matrix: Floats, sizes: list[int]) -> float:
    """By looking at every grouping."""
    ranks = tuple(range(len(matrix)))
    return min(between(matrix, groups) for groups in every_grouping(ranks, tuple(sizes)))


def relabelled(communication: Communication, label: np.ndarray) -> Communication:
    """The same program with other numbers for its ranks."""
    low, high = label[communication.low], label[communication.high]
    return replace(
        communication,
        low=np.minimum(low, high),
        high=np.maximum(low, high),
        self_bytes=communication.self_bytes[np.argsort(label)],
    )


def suiting(communication: Communication, tasks_per_node: int) -> dict[str, Placement]:
    """Placements of all algorithms that take the request."""
    small, pairs = communication.ranks <= 12, tasks_per_node == 2
    left_out = ({"dynamic"} if not small else set()) | ({"matching"} if not pairs else set())
    return {
        name: place(
            communication,
            tasks_per_node=tasks_per_node,
            algorithm=name,
            starts=2,
            time_limit_s=None if small else 0.01,
        )
        for name in sorted(set(ALGORITHMS) - left_out)
    }


@given(SEEDS, st.sampled_from([(12, 4), (12, 2), (10, 4), (9, 3), (12, 12), (7, 1), (30, 7)]))
@settings(max_examples=few(25))
def test_groups_are_a_partition_of_exactly_the_sizes_asked_and_the_cut_is_theirs(
    seed: int, shape: tuple[int, int]
) -> None:
    ranks, tasks = shape
    communication = drawn(seed, ranks)
    matrix = weights(communication)
    sizes = filled(ranks, tasks)
    in_turn = np.split(np.arange(ranks), np.cumsum(sizes)[:-1])
    for name, result in suiting(communication, tasks).items():
        assert sorted(rank for group in result.groups for rank in group) == list(range(ranks)), name
        assert [len(group) for group in result.groups] == sizes
        assert result.partition.cut == between(matrix, result.groups)
        assert result.rank_order == between(matrix, [group.tolist() for group in in_turn])


@given(SEEDS, st.sampled_from([(8, 2), (8, 4), (7, 3), (9, 3), (6, 1)]))
@settings(max_examples=few(25))
def test_heuristics_are_above_the_optimum_of_all_groupings_and_that_above_the_bounds(
    seed: int, shape: tuple[int, int]
) -> None:
    communication = drawn(seed, shape[0])
    sizes = filled(*shape)
    optimum = least(weights(communication), sizes)
    for name, result in suiting(communication, shape[1]).items():
        assert result.partition.bound <= optimum <= result.partition.cut, name
        if name in {"dynamic", "matching", "portfolio"}:
            assert result.partition.cut == optimum
            assert result.partition.gap == 0


@given(SEEDS, st.booleans())
@settings(max_examples=few(30))
def test_the_gain_of_a_swap_is_what_the_recomputed_cut_loses(seed: int, negative: bool) -> None:
    rng = np.random.default_rng(seed)
    matrix = np.triu(rng.integers(-9 if negative else 0, 10, (10, 10)), 1).astype(float)
    graph, weight = Graph.from_matrix(matrix), matrix + matrix.T
    part = rng.permutation(np.repeat([0, 1, 2], [4, 4, 2]))
    for a, b in combinations(range(10), 2):
        if part[a] == part[b]:
            continue
        gain = -2 * weight[a, b]
        for vertex, other in ((a, part[b]), (b, part[a])):
            gain += weight[vertex, part == other].sum()
            gain -= weight[vertex, part == part[vertex]].sum()
        swapped = part.copy()
        swapped[[a, b]] = part[[b, a]]
        assert cut(graph, part) - cut(graph, swapped) == gain


@given(SEEDS, st.booleans(), st.sampled_from([[6, 6], [3, 3, 3, 3], [2] * 6, [7, 3, 2]]))
@settings(max_examples=few(40))
def test_every_round_of_exchanges_gains_what_it_says_and_ends_where_no_swap_gains(
    seed: int, negative: bool, sizes: list[int]
) -> None:
    rng = np.random.default_rng(seed)
    matrix = np.triu(rng.integers(-9 if negative else 0, 10, (12, 12)), 1).astype(float)
    graph = Graph.from_matrix(matrix)
    request = Request(graph, np.array(sizes), starts=1)
    start = in_order(request, rng.permutation(12))
    part = start.copy()
    first, free = np.r_[0, np.cumsum(sizes)], np.ones(12, dtype=np.int32)
    arrays = (*request.flat(part)[:3], part, first, free, int(graph.has_negative))
    before = cut(graph, start)
    while (gain := refine_rounds(*arrays, 12, 1)) > 0:
        after = cut(graph, part)
        assert before - after == gain
        before = after
    assert cut(graph, part) == before
    assert part.tolist() == refine(request, start).tolist()
    for a, b in combinations(range(12), 2):
        swapped = part.copy()
        swapped[[a, b]] = part[[b, a]]
        assert cut(graph, swapped) >= before


@given(SEEDS, st.integers(1, 6))
@settings(max_examples=few(25))
def test_kernighan_lin_never_exchanges_more_than_the_order_of_ranks(seed: int, tasks: int) -> None:
    communication = drawn(seed, 18)
    result = [
        place(communication, tasks_per_node=tasks, algorithm="kl", starts=starts, seed=seed)
        for starts in (1, 4)
    ]
    assert result[1].partition.cut <= result[0].partition.cut <= result[0].rank_order


@given(SEEDS, st.sampled_from([2, 3, 4, 6, 12]))
@settings(max_examples=few(20))
def test_other_numbers_for_the_ranks_change_no_proved_cut(seed: int, tasks: int) -> None:
    communication = drawn(seed, 12)
    label = np.random.default_rng(seed).permutation(12)
    other = relabelled(communication, label)
    first, second = (place(each, tasks_per_node=tasks) for each in (communication, other))
    assert first.partition.gap == second.partition.gap == 0
    assert first.partition.cut == second.partition.cut
    carried = [label[group].tolist() for group in first.groups]
    assert between(weights(other), carried) == second.partition.cut


@given(SEEDS)
@settings(max_examples=few(10))
def test_other_numbers_for_the_ranks_change_no_proved_total_over_all_levels(seed: int) -> None:
    communication = drawn(seed, 8)
    other = relabelled(communication, np.random.default_rng(seed).permutation(8))
    hierarchy = [read_counted("2*pack:2 core:2")]
    result = [place(each, hierarchies=hierarchy) for each in (communication, other)]
    assert [each.mapping.gap for each in result] == [0, 0]
    assert result[0].total == pytest.approx(result[1].total, rel=1e-9)


@given(SEEDS, st.sampled_from([2, 4]))
@settings(max_examples=few(15))
def test_more_bytes_all_round_and_bytes_to_oneself_change_no_groups(seed: int, tasks: int) -> None:
    communication = drawn(seed, 12)
    plain = place(communication, tasks_per_node=tasks)
    doubled = replace(communication, bytes=2 * communication.bytes)
    alone = replace(communication, self_bytes=communication.self_bytes + 1e15)
    twice = place(doubled, tasks_per_node=tasks)
    assert twice.partition.cut == 2 * plain.partition.cut
    assert twice.groups == place(alone, tasks_per_node=tasks).groups == plain.groups


@given(SEEDS)
@settings(max_examples=few(15))
def test_one_node_exchanges_nothing_and_one_rank_a_node_everything(seed: int) -> None:
    communication = drawn(seed, 9)
    assert place(communication, nodes=1).partition.cut == 0
    assert place(communication, nodes=9).partition.cut == communication.total_bytes


@given(SEEDS)
@settings(max_examples=few(15))
def test_larger_nodes_never_exchange_more(seed: int) -> None:
    # Every grouping by 2 joins to one by 4, by 4 to one by 8.
    communication = drawn(seed, 16)
    cuts = [place(communication, tasks_per_node=tasks).partition.cut for tasks in (2, 4, 8, 16)]
    assert cuts == sorted(cuts, reverse=True)


def test_equal_parts_are_equal() -> None:
    for size in (1, 2, 3, 4, 6, 12):
        graph = Graph.from_matrix(np.triu(np.ones((12, 12)), 1))
        assert equal_parts(graph, size).tolist() == [size] * (12 // size)


@pytest.mark.parametrize("ranks", [48, 600])
@pytest.mark.parametrize("hierarchy", ["", "pack:2 core:4 pu:1"])
def test_a_clock_that_has_passed_the_limit_leaves_a_searched_placement(
    ranks: int, hierarchy: str
) -> None:
    """Eight ranks each talk among themselves, dealt at random; the default mapping parts most."""
    groups = np.random.default_rng(1).permutation(ranks).reshape(-1, 8)
    low, high = np.triu_indices(8, 1)
    pairs = np.sort(np.concatenate([groups[:, [a, b]] for a, b in zip(low, high, strict=True)]))
    talk = Communication(
        "dealt", ranks, pairs[:, 0], pairs[:, 1], np.ones(len(pairs)), np.zeros(ranks)
    )
    nodes = {"hierarchies": [read_counted(hierarchy)]} if hierarchy else {"tasks_per_node": 8}
    found = place(talk, **nodes, time_limit_s=1e-9)
    assert found.late
    assert found.partition.cut < 0.1 * place(talk, algorithm="order", **nodes).partition.cut
