"""Graphs for the tests, and slow twins of what is tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from solvers.partition import Graph, Request


def drawn(
    count: int, seed: int, *, density: float = 0.6, negative: bool = False, real: bool = False
) -> Graph:
    """Random weights on random edges."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-6 if negative else 1, 10, (count, count)).astype(float)
    if real:
        matrix = rng.normal(1.0, 2.0 if negative else 0.2, (count, count)).round(6)
    matrix[rng.random((count, count)) > density] = 0.0
    return Graph.from_matrix(np.triu(matrix, 1))


def grid(rows: int, columns: int) -> Graph:
    """Five-point stencil with unit weights."""
    position = np.arange(rows * columns).reshape(rows, columns)
    tails = np.r_[position[:-1].ravel(), position[:, :-1].ravel()]
    heads = np.r_[position[1:].ravel(), position[:, 1:].ravel()]
    return Graph.from_edges(rows * columns, tails, heads)


def every_partition(
    vertices: Sequence[int], capacities: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All ways to fill the parts, parts told apart."""
    if not capacities:
        yield ()
        return
    for chosen in combinations(vertices, capacities[0]):
        rest = [v for v in vertices if v not in chosen]
        for others in every_partition(rest, capacities[1:]):
            yield (chosen, *others)


def brute_force(request: Request) -> float:
    """Least cut over all partitions that keep the pins."""
    weights = request.graph.dense()
    least = np.inf
    for groups in every_partition(range(request.graph.vertices), request.capacities.tolist()):
        part = np.empty(request.graph.vertices, dtype=int)
        for p, group in enumerate(groups):
            part[list(group)] = p
        if ((request.fixed < 0) | (request.fixed == part)).all():
            least = min(least, weights[part[:, None] != part[None, :]].sum() / 2)
    return float(least)


def literal_two_way(
    weights: np.ndarray, part: list[int], pair: tuple[int, int], fixed: Sequence[int]
) -> bool:
    """Kernighan-Lin between two parts by the book, on a matrix; changes ``part``."""
    p, q = pair
    improved = False
    while True:
        sides = [{v for v, own in enumerate(part) if own == which} for which in pair]
        unlocked = [{v for v in side if fixed[v] < 0} for side in sides]
        d = {}
        for own, other in ((0, 1), (1, 0)):
            for v in sides[own]:
                outer = sum(weights[v][u] for u in sides[other])
                d[v] = outer - sum(weights[v][u] for u in sides[own] if u != v)
        gains = []
        for _ in range(min(map(len, unlocked))):
            gain, _, _, _, _, a, b = max(
                (d[a] + d[b] - 2 * weights[a][b], d[a], -a, d[b], -b, a, b)
                for a in unlocked[0]
                for b in unlocked[1]
            )
            gains.append((gain, a, b))
            unlocked[0].remove(a)
            unlocked[1].remove(b)
            for x in unlocked[0]:
                d[x] += 2 * weights[x][a] - 2 * weights[x][b]
            for y in unlocked[1]:
                d[y] += 2 * weights[y][b] - 2 * weights[y][a]
        sums = np.cumsum([gain for gain, _, _ in gains])
        if not len(sums) or sums.max() <= 1e-9:
            return improved
        for _, a, b in gains[: int(sums.argmax()) + 1]:
            part[a], part[b] = q, p
        improved = True


def literal_k_way(request: Request, start: Sequence[int]) -> list[int]:
    """Kernighan-Lin between all pairs of parts until none gains."""
    part, weights = [int(p) for p in start], request.graph.dense()
    while True:
        results = [
            literal_two_way(weights, part, pair, request.fixed.tolist())
            for pair in combinations(range(request.parts), 2)
        ]
        if not any(results):
            return part
