"""Small graphs of every kind that a partition or a mapping may meet, and brute force on them.

Brute force works on the networkx graph that a case begins with, not on the arrays of the solvers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import networkx as nx
import numpy as np

from solvers.mapping import Problem
from solvers.partition import Graph, Request, pins

KINDS = ("random", "equal weights", "complete", "disconnected", "signed", "real", "ring", "large")
SIZES = (
    (2, 2), (3, 3), (2, 2, 2), (4, 4), (2, 2, 2, 2), (3, 2, 1), (3, 3, 1), (5,), (1,) * 5, (4, 2),
    (1, 1, 3), (6, 2), (3, 3, 2), (2, 2, 1, 1), (7, 1),
)  # fmt: skip
TREES = (
    ((0, 0, 1, 1), (0, 1, 2, 3)),
    ((0, 0, 0, 0, 1, 1), (0, 0, 1, 1, 2, 2)),
    ((0, 0, 1, 1, 2, 2),),
    ((0, 0, 0, 1, 1), (0, 1, 1, 2, 3)),
    ((0, 0, 0, 0, 0, 0), (0, 0, 0, 1, 1, 1)),
    ((0, 0, 0, 1, 1, 1), (0, 0, 1, 2, 2, 3)),
    ((0, 0, 0, 1, 1), (0, 0, 1, 2, 2), (0, 1, 2, 3, 3)),
    ((0, 0, 1, 1, 1), (0, 1, 2, 3, 4)),
)
"""Units of the slots at each level, outermost first."""


@dataclass(frozen=True)
class Parted:
    """A graph to be cut into parts, with pins."""

    graph: nx.Graph[int]
    sizes: tuple[int, ...]
    fixed: dict[int, int]

    @property
    def request(self) -> Request:
        """The same for the solvers."""
        fixed = pins(len(self.graph), self.fixed)
        return Request(arrays(self.graph), np.array(self.sizes), fixed=fixed, starts=3)


@dataclass(frozen=True)
class Mapped:
    """A graph for each level of units, with pins to the outermost ones."""

    graphs: tuple[nx.Graph[int], ...]
    units: tuple[tuple[int, ...], ...]
    fixed: dict[int, int]

    @property
    def problem(self) -> Problem:
        """The same for the solvers."""
        fixed = pins(len(self.graphs[0]), self.fixed)
        graphs = tuple(map(arrays, self.graphs))
        return Problem(graphs, np.array(self.units), fixed, starts=3)


def parted(number: int) -> Parted:
    """One case; every kind meets every list of sizes within 120 numbers."""
    rng = np.random.default_rng([18, number])
    sizes = SIZES[number % len(SIZES)]
    graph = drawn(KINDS[number % len(KINDS)], sum(sizes), rng)
    return Parted(graph, sizes, _pinned(sizes, rng) if number % 3 == 0 else {})


def mapped(number: int) -> Mapped:
    """One case; every kind meets every tree within 200 numbers."""
    rng = np.random.default_rng([19, number])
    units = TREES[number % len(TREES)]
    kind = KINDS[number // len(TREES) % len(KINDS)]
    graphs = tuple(drawn(kind, len(units[0]), rng) for _ in units)
    sizes = np.bincount(units[0]).tolist()
    return Mapped(graphs, units, _pinned(sizes, rng) if number % 3 == 0 else {})


def drawn(kind: str, count: int, rng: np.random.Generator) -> nx.Graph[int]:
    """Graph of one of :data:`KINDS`."""
    graph: nx.Graph[int] = nx.empty_graph(count)
    half = count // 2
    for u, v in combinations(range(count), 2):
        chosen = rng.random() < 0.6
        if kind == "complete" or (
            chosen if kind != "ring" else v - u in {1, count - 1} and count > 1
        ):
            if kind == "disconnected" and (u < half) != (v < half):
                continue
            graph.add_edge(u, v, weight=_weight(kind, rng))
    return graph


def arrays(graph: nx.Graph[int]) -> Graph:
    """The same graph for the solvers."""
    edges = list(graph.edges(data="weight"))
    tails, heads, weights = zip(*edges, strict=True) if edges else ((), (), ())
    return Graph.from_edges(len(graph), tails, heads, np.array(weights, dtype=float))


def least_cut(case: Parted) -> float:
    """Least cut over all partitions that keep the pins."""
    return min(
        cut_of(case.graph, part)
        for part in every_part(case.sizes)
        if all(part[v] == p for v, p in case.fixed.items())
    )


def least_total(case: Mapped) -> float:
    """Least cost over all mappings; slots of one innermost unit are not told apart."""
    rows = np.array(case.units)
    innermost = np.flatnonzero(np.r_[True, np.diff(rows[-1]) > 0])
    above = rows[:, innermost]
    best = math.inf
    for part in every_part(np.bincount(rows[-1]).tolist()):
        units = above[:, list(part)]
        if all(units[0][v] == p for v, p in case.fixed.items()):
            cost = sum(map(cut_of, case.graphs, units.tolist()))
            best = min(best, cost)
    return best


def cut_of(graph: nx.Graph[int], part: Sequence[int]) -> float:
    """Weight of the edges between different parts."""
    return math.fsum(weight for u, v, weight in graph.edges(data="weight") if part[u] != part[v])


def every_part(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Part of each vertex, in every way that fills the parts."""
    count = sum(sizes)
    if count == 0:
        yield ()
        return
    for p, size in enumerate(sizes):
        if size:
            rest = [*sizes[:p], size - 1, *sizes[p + 1 :]]
            for others in every_part(rest):
                yield (*others, p)


def _weight(kind: str, rng: np.random.Generator) -> float:
    if kind == "real":
        return float(rng.normal(1.0, 1.0))
    if kind == "large":
        return float(rng.integers(1, 10) * 10**9 + rng.integers(0, 1000))
    if kind == "equal weights":
        return 0.1
    return float(rng.integers(-5 if kind == "signed" else 1, 10) or 1)


def _pinned(sizes: Sequence[int], rng: np.random.Generator) -> dict[int, int]:
    """One or two vertices, each pinned to a part that has room."""
    order = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    chosen = rng.choice(len(order), size=min(len(order), 2), replace=False)
    return {int(v): int(order[v]) for v in chosen}
