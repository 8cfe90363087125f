"""The published Kernighan-Lin on networkx graphs makes the compiled one's exchanges."""

from __future__ import annotations

from collections.abc import Hashable

import networkx as nx
import numpy as np
import pytest

from planner.errors import InputError
from planner.formulations.kernighan_lin import kernighan_lin
from solvers.partition import Request
from solvers.partition.kl import refine
from tests.planner.formulations.graph_cases import KINDS, arrays, drawn
from tests.sizes import few

SIZES = ((4, 4), (3, 3, 3, 3), (2,) * 6, (6, 6, 6), (5, 3, 2), (8, 1, 1), (10, 10), (1,) * 7, (9,))


@pytest.mark.parametrize("number", range(few(200)))
def test_it_ends_in_the_partition_of_the_compiled_one(number: int) -> None:
    rng = np.random.default_rng([20, number])
    sizes = SIZES[number % len(SIZES)]
    graph = drawn(KINDS[number % len(KINDS)], sum(sizes), rng)
    part = rng.permutation(np.repeat(np.arange(len(sizes)), sizes)).astype(np.int32)
    start = [set(np.flatnonzero(part == p).tolist()) for p in range(len(sizes))]
    compiled = refine(Request(arrays(graph), np.array(sizes)), part)
    expected = [set(np.flatnonzero(compiled == p).tolist()) for p in range(len(sizes))]
    assert kernighan_lin(graph, sizes, start) == expected


def test_two_crossed_pairs_are_sorted_by_one_exchange() -> None:
    # {a, c} and {b, d} with edges a-b and c-d of weight 3, a-c of 1: exchanging c and b cuts 1
    # instead of 6. Their gain is D[c] + D[b] - 0 = (3 - 1) + 3 = 5.
    graph = nx.Graph()
    graph.add_nodes_from("abcd")
    graph.add_weighted_edges_from([("a", "b", 3), ("c", "d", 3), ("a", "c", 1)])
    parts: list[set[Hashable]] = [{"a", "c"}, {"b", "d"}]
    exchanged = kernighan_lin(graph, [2, 2], parts)
    assert {frozenset(part) for part in exchanged} == {frozenset("ab"), frozenset("cd")}
    assert parts == [{"a", "c"}, {"b", "d"}]  # what was given stays


def test_without_a_start_the_order_of_nodes_fills_the_parts() -> None:
    graph = nx.path_graph(6)
    assert kernighan_lin(graph, [3, 3]) == [{0, 1, 2}, {3, 4, 5}]


def test_wrong_starts_are_refused() -> None:
    graph = nx.path_graph(4)
    with pytest.raises(InputError, match=r"parts have \[1, 3\] vertices, but sizes are \[2, 2\]"):
        kernighan_lin(graph, [2, 2], [{0}, {1, 2, 3}])
    with pytest.raises(InputError, match="put each vertex into exactly one part"):
        kernighan_lin(graph, [2, 2], [{0, 1}, {1, 2}])
    with pytest.raises(InputError, match="undirected"):
        kernighan_lin(nx.DiGraph(graph), [2, 2])
    graph.add_edge(2, 2)
    with pytest.raises(InputError, match="vertex 2 has an edge to itself"):
        kernighan_lin(graph, [2, 2])
