"""Checks of a matching and its dual values, which share nothing with what computed them.

Pairs of weight 0 can fill up any matching to one that pairs all vertices. If the number of vertices
is odd, this needs one more vertex, of weight 0 to all others. At most ``(members - 1) / 2`` of
these pairs lie within an odd set. Suppose that the values of both vertices of every pair, plus
those of the odd sets that hold both, are at least its weight. Suppose also that the values of odd
sets are at least 0. Then no matching weighs more than ``sum of vertex values + sum over odd sets of
value * (members - 1) / 2``.

References
----------
Edmonds, J. Res. NBS 69B (1965).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from solvers.matching.duals import Duals
from solvers.matching.weights import Weights
from solvers.model.milp import Indices

_BLOCK = 512  # rows at a time: no second matrix is held


def matching_violations(weights: Weights, pairs: Indices) -> list[str]:
    """What keeps pairs from being a matching of pairs that may be; empty if nothing does."""
    violations = []
    flat = pairs.ravel()
    if len(flat) and not (flat.min() >= 0 and flat.max() < weights.vertices):
        return [f"a vertex lies outside 0..{weights.vertices - 1}"]
    violations += [
        f"vertex {a} is in more than one pair" for a, b in pairwise(sorted(flat.tolist())) if a == b
    ]
    for a, b in pairs.tolist():
        if not weights.weight[a, b] > 0:
            violations.append(f"pair {a}, {b} has no weight above 0")
    return violations


def dual_violations(weights: Weights, duals: Duals) -> list[str]:
    """What keeps dual values from bounding every matching; empty if nothing does."""
    count = weights.vertices
    total = count + count % 2
    if len(duals.vertex) != total:
        return [f"{len(duals.vertex)} values for {total} vertices"]
    violations = []
    for number, (members, value) in enumerate(duals.sets):
        if value < 0:
            violations.append(f"odd set {number} has the value {value}, below 0")
        if len(members) % 2 == 0 or len({*members}) != len(members):
            violations.append(
                f"set {number} has {len({*members})} members, which is not an odd number"
            )
        if not all(0 <= member < total for member in members):
            return [*violations, f"set {number} holds a number that is not a vertex"]
    return violations + _loose_pairs(weights, duals)


def _loose_pairs(weights: Weights, duals: Duals) -> list[str]:
    """A pair whose values add up to less than twice its weight, if there is one."""
    total = len(duals.vertex)
    value = np.array(duals.vertex, dtype=np.int64)
    sets = [(np.sort(np.array(members, dtype=np.int64)), worth) for members, worth in duals.sets]
    for start in range(0, total, _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, total))
        room = value[rows][:, None] + value[None, :]
        real = rows[rows < weights.vertices]
        room[: len(real), : weights.vertices] -= 2 * weights.whole[real]
        for members, worth in sets:
            first, last = np.searchsorted(members, (start, start + len(rows)))
            room[np.ix_(members[first:last] - start, members)] += worth
        room[np.arange(len(rows)), rows] = 0
        short = np.argwhere(room < 0)
        if len(short):
            a, b = int(short[0, 0]) + start, int(short[0, 1])
            return [f"the values of {a} and {b} are below the weight of their pair"]
    return []


def dual_bound(duals: Duals) -> int:
    """Twice the largest sum of whole weights that any matching can have, if the values hold."""
    inside = sum(value * ((len(members) - 1) // 2) for members, value in duals.sets)
    return sum(duals.vertex) + inside
