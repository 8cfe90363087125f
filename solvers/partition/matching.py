"""Parts of two vertices: the least cut is what a matching of greatest weight leaves.

Weights go as exact integers into the blossom algorithm, whose dual values are then checked for
optimality in integers as well: what it returns is proved, not only computed.

References
----------
Galil, ACM Computing Surveys 18 (1986), for the algorithm in networkx.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from solvers.partition.graph import Parts, cut
from solvers.partition.outcome import Partition, outcome
from solvers.partition.request import FREE, Request, Unsuited, refuse

MOST = 400
"""Vertices; the algorithm is cubic and not compiled."""


@dataclass(frozen=True)
class Matching:
    """Exact where every part holds two vertices."""

    name: str = "matching"

    def suits(self, request: Request) -> Unsuited | None:
        """Parts of two, not too many."""
        if (request.capacities != 2).any():
            return Unsuited("two", "a matching needs parts of two vertices")
        count = request.graph.vertices
        if count <= MOST:
            return None
        return Unsuited("ranks", f"{count} vertices; a matching takes at most {MOST}", MOST)

    def partition(self, request: Request) -> Partition:
        """Return a partition with the least cut."""
        refuse(self.suits(request))
        part = _labelled(request, _pairs(request))
        return outcome(request.graph, part, request.capacities, cut(request.graph, part), self.name)


def _pairs(request: Request) -> list[tuple[int, int]]:
    """Pairs that keep the greatest weight and cover all vertices."""
    import networkx as nx

    graph, pins = request.graph, request.fixed
    weights, _ = graph.integers()
    weight_of = {
        (int(v), int(u)): weight
        for v, u, weight in zip(graph.tails, graph.neighbours, weights, strict=True)
        if v < u
    }
    whole = graph.has_negative or request.pinned
    joined: Any = nx.Graph()
    joined.add_nodes_from(range(graph.vertices))
    # Without negative weights and pins, vertices left over pair up at no loss.
    for v, u in combinations(range(graph.vertices), 2) if whole else weight_of:
        if pins[v] == FREE or pins[u] == FREE or pins[v] == pins[u]:
            joined.add_edge(v, u, weight=weight_of.get((v, u), 0))
    result = nx.max_weight_matching(_without_pinned_pairs(joined, pins), maxcardinality=whole)
    pairs = [(min(pair), max(pair)) for pair in result] + _pinned_pairs(pins)
    covered = {vertex for pair in pairs for vertex in pair}
    remaining = [vertex for vertex in range(graph.vertices) if vertex not in covered]
    return sorted(pairs + list(zip(remaining[::2], remaining[1::2], strict=True)))


def _pinned_pairs(pins: Parts) -> list[tuple[int, int]]:
    """Vertices pinned to the same part."""
    first: dict[int, int] = {}
    pairs = []
    for vertex in np.flatnonzero(pins != FREE).tolist():
        if pins[vertex] in first:
            pairs.append((first[int(pins[vertex])], vertex))
        else:
            first[int(pins[vertex])] = vertex
    return pairs


def _without_pinned_pairs(joined: Any, pins: Parts) -> Any:
    joined.remove_nodes_from([vertex for pair in _pinned_pairs(pins) for vertex in pair])
    return joined


def _labelled(request: Request, pairs: list[tuple[int, int]]) -> Parts:
    """Part of each vertex: that of its pin, else the next one left."""
    part: Parts = request.fixed.copy()
    for v, u in pairs:
        # FREE is -1, so the larger of the two is the pin if either has one.
        part[v] = part[u] = max(part[v], part[u])
    unused_parts = iter(sorted(set(range(request.parts)) - set(part.tolist())))
    for v, u in pairs:
        if part[v] == FREE:
            part[v] = part[u] = next(unused_parts)
    return part
