"""Dual values of a matching: what proves that no other weighs more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.matching.weights import Weights, Whole
from solvers.model.milp import Indices


@dataclass(frozen=True, eq=False)
class Duals:
    """Doubled dual values, whole numbers in the unit of :attr:`Weights.whole`.

    Attributes
    ----------
    vertex
        Dual value of each vertex, and of one more of weight 0 to all others where their number is
        odd: then all can be paired, with pairs of weight 0 for those that stay alone.
    sets
        Odd sets of vertices with their values, above 0.
    """

    vertex: tuple[int, ...]
    sets: tuple[tuple[tuple[int, ...], int], ...]


def proved(weights: Weights) -> tuple[Indices, Duals]:
    """Pairs of greatest whole weight, shape ``(pairs, 2)``, with the dual values that prove it."""
    from solvers.matching.blossom import perfect

    whole = weights.whole
    count = weights.vertices
    if count < 2:
        return np.empty((0, 2), dtype=np.int64), Duals((0,) * (count + count % 2), ())
    if count % 2:
        whole = np.pad(whole, (0, 1))
    mate, value, parts, sizes = perfect(whole)
    pairs = [(v, int(mate[v])) for v in range(count) if v < mate[v] and whole[v, mate[v]] > 0]
    total = len(whole)
    values = [int(each) for each in value]
    sets = tuple(
        (_members(b, parts, sizes, total), values[total + b])
        for b in range(len(sizes))
        if sizes[b] and values[total + b]
    )
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), Duals(tuple(values[:total]), sets)


def _members(b: int, parts: Whole, sizes: Whole, count: int) -> tuple[int, ...]:
    members: list[int] = []
    remaining = [b + count]
    while remaining:
        each = remaining.pop()
        if each < count:
            members.append(each)
        else:
            remaining += parts[each - count, : sizes[each - count]].tolist()
    return tuple(sorted(members))
