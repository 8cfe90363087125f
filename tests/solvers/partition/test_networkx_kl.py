"""The Kernighan-Lin halving of networkx as a partitioner of exact sizes."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from solvers.model.milp import ModelError
from solvers.partition import BY_NAME, Graph, Request, cut, equal_parts, pins, violations
from solvers.partition.networkx_kl import as_networkx
from tests.sizes import few
from tests.solvers.partition.instances import brute_force, drawn, grid

SIZES = ([4, 4], [3, 3, 2], [2, 2, 2, 2], [5, 3], [1, 7], [8], [4, 2, 1, 1])


@pytest.mark.parametrize("seed", range(few(80)))
def test_every_size_is_kept_and_no_cut_is_below_the_least(seed: int) -> None:
    sizes = SIZES[seed % len(SIZES)]
    graph = drawn(8, seed, negative=seed % 3 == 0, real=seed % 2 == 0)
    request = Request(graph, np.array(sizes), starts=2, seed=seed)
    result = BY_NAME["networkx-kl"].partition(request)
    assert violations(graph, result, sizes) == []
    assert result.cut >= brute_force(request) - 1e-9
    again = BY_NAME["networkx-kl"].partition(request)
    assert again.part.tolist() == result.part.tolist()


def test_two_cliques_are_told_apart_whatever_the_numbers() -> None:
    # Even and odd numbers are cliques of 4, joined by one edge.
    pairs = [(u, v) for u in range(8) for v in range(u) if (u - v) % 2 == 0] + [(0, 1)]
    tails, heads = zip(*pairs, strict=True)
    graph = Graph.from_edges(8, tails, heads)
    result = BY_NAME["networkx-kl"].partition(Request(graph, equal_parts(graph, 4)))
    assert (result.cut, result.status) == (1.0, "optimal")


def test_pins_and_large_graphs_are_refused() -> None:
    graph = grid(2, 3)
    pinned = Request(graph, equal_parts(graph, 3), fixed=pins(6, {0: 1}))
    with pytest.raises(ModelError, match="does not support pins"):
        BY_NAME["networkx-kl"].partition(pinned)
    large = drawn(80, 1, density=1.0)
    with pytest.raises(ModelError, match=r"3,160 edges; networkx takes 2,500"):
        BY_NAME["networkx-kl"].partition(Request(large, equal_parts(large, 8)))


def test_the_networkx_graph_has_the_same_edges() -> None:
    graph = drawn(7, 5, negative=True)
    made = as_networkx(graph)
    assert list(made) == list(range(7))
    part = [0, 1, 0, 1, 1, 0, 1]
    sides = ([v for v in range(7) if part[v] == p] for p in range(2))
    assert nx.cut_size(made, *sides, weight="weight") == cut(graph, part)
