r"""Least cut by dynamic programming over subsets of the free vertices, compiled.

With :math:`w(T)` the weight inside a part, the most that the parts still to be filled can keep of
the free vertices :math:`R` is

.. math:: f_p(R) = \max_{T \subseteq R,\, |T| = c_p}
   w(T \cup \text{pins}_p) + f_{p+1}(R \setminus T).

Parts are filled in a fixed order, so the size of :math:`R` tells :math:`p`. Where all parts left
have one size and no pins they are alike, and :math:`T` can be held to contain the least vertex of
:math:`R`; the longest run of such parts comes last. Sums of integers below 2^52 are exact. Other
sums are rounded, and the bound is lowered by the most that the rounding can change.

References
----------
Held and Karp, J. SIAM 10 (1962), for the recursion over subsets.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from solvers.compiled import compiled, counted, counted_entry
from solvers.model.milp import Floats, Indices
from solvers.partition.graph import Parts, cut
from solvers.partition.outcome import Partition, outcome, rounding
from solvers.partition.request import FREE, Request, Unsuited, refuse

MOST = 20
"""Vertices that are not pinned: about 20 MB of tables and at most a few seconds."""


@dataclass(frozen=True)
class Dynamic:
    """Exact for up to 20 vertices that are not pinned, for any capacities."""

    name: str = "dynamic"

    def suits(self, request: Request) -> Unsuited | None:
        """Few free vertices."""
        free = int((request.fixed == FREE).sum())
        if free <= MOST:
            return None
        return Unsuited("free", f"{free} free vertices; at most {MOST} are supported", MOST)

    def partition(self, request: Request) -> Partition:
        """Return a partition with the least cut."""
        refuse(self.suits(request))
        part = least_cut(request)
        least = cut(request.graph, part) - rounding([request.graph], 4 * request.graph.vertices)
        return outcome(request.graph, part, request.capacities, least, self.name)


def least_cut(request: Request) -> Parts:
    """Fill the parts in the best way."""
    free = np.flatnonzero(request.fixed == FREE)
    part: Parts = request.fixed.copy()
    order, sizes, alike_from = _filling_order(request)
    if not len(order):
        return part
    weights = request.graph.dense()
    # What a free vertex gains from the pinned ones of each part to fill.
    pulls = np.zeros((len(order), len(free)))
    for index, p in enumerate(order):
        pulls[index] = weights[np.ix_(free, np.flatnonzero(request.fixed == p))].sum(axis=1)
    takes = _best_takes(weights[np.ix_(free, free)], pulls, sizes, alike_from)
    for index, p in enumerate(order):
        part[free[(int(takes[index]) >> np.arange(len(free))) & 1 == 1]] = p
    return part


def _filling_order(request: Request) -> tuple[list[int], Indices, int]:
    """Parts with room, the free vertices of each, and the place from which all are alike."""
    held = np.bincount(request.fixed[request.fixed != FREE], minlength=request.parts)
    room = (request.capacities - held).tolist()
    alike = Counter(room[p] for p in range(request.parts) if not held[p])
    last = max(alike, key=lambda size: (alike[size], size), default=0)
    behind = [p for p in range(request.parts) if not held[p] and room[p] == last]
    ahead = [p for p in range(request.parts) if room[p] and p not in set(behind)]
    ahead.sort(key=lambda p: (-room[p], p))
    order = ahead + behind
    return order, np.array([room[p] for p in order], dtype=np.int64), len(ahead)


@counted
def _inside(weights: Floats) -> Floats:
    """Weight inside each subset."""
    count = len(weights)
    inside = np.zeros(1 << count)
    for top in range(count):
        # Sum of the weights from ``top`` to each subset of the vertices below it.
        base = 1 << top
        row = np.zeros(base)
        for subset in range(1, base):
            low = 0
            while (subset >> low) & 1 == 0:
                low += 1
            row[subset] = row[subset & (subset - 1)] + weights[top, low]
        for subset in range(base):
            inside[base + subset] = inside[subset] + row[subset]
    return inside


@counted
def _sums(values: Floats) -> Floats:
    """Sum of each subset."""
    sums = np.zeros(1 << len(values))
    for top in range(len(values)):
        for subset in range(1 << top):
            sums[(1 << top) + subset] = sums[subset] + values[top]
    return sums


@compiled
def _spread(members: Indices, low: int, high: int, table: Indices) -> None:
    """Mask over all vertices for each mask over ``members[low:high]``."""
    table[0] = 0
    for i in range(high - low):
        bit = 1 << members[low + i]
        for subset in range(1 << i):
            table[(1 << i) + subset] = table[subset] | bit


@counted_entry
def _best_takes(weights: Floats, pulls: Floats, sizes: Indices, alike_from: int) -> Indices:
    """Return the mask of free vertices that each part takes."""
    count, parts = len(weights), len(sizes)
    everything = (1 << count) - 1
    inside = _inside(weights)
    best = np.full(1 << count, -np.inf)
    taken = np.zeros(1 << count, dtype=np.int32)
    best[everything] = 0.0
    members = np.zeros(count, dtype=np.int64)
    half = (count + 1) // 2
    lower = np.zeros(1 << half, dtype=np.int64)
    upper = np.zeros(1 << half, dtype=np.int64)
    # The recursion forwards: `best[R]` is the most that the parts before `place` keep where they
    # leave R, minus infinity where none of their fillings does, and `taken[R]` what the last of
    # them took. Only sets of `left` vertices can be left, since sizes are given.
    remaining = count
    for index in range(parts):
        size = sizes[index]
        alike = index >= alike_from
        pull = _sums(pulls[index])
        # Sets that are read hold `remaining` vertices, those written fewer: one table suffices.
        for rest in range(1 << count):
            if best[rest] == -np.inf:
                continue
            length = 0
            for vertex in range(count):
                if (rest >> vertex) & 1:
                    members[length] = vertex
                    length += 1
            if length != remaining:
                continue
            skip = 1 if alike else 0
            always = (1 << members[0]) if alike else 0
            middle = skip + (length - skip) // 2
            # A mask over the members becomes one over all vertices by two look-ups, one for each
            # half of its bits.
            _spread(members, skip, middle, lower)
            _spread(members, middle, length, upper)
            shift = middle - skip
            choose = size - skip
            subset = (1 << choose) - 1
            limit = 1 << (length - skip)
            while subset < limit:
                take = always | lower[subset & ((1 << shift) - 1)] | upper[subset >> shift]
                value = best[rest] + inside[take] + pull[take]
                left_over = rest ^ take
                if value > best[left_over]:
                    best[left_over] = value
                    taken[left_over] = take
                # Zero is the only choice of no members, and it has no lowest bit to go on from.
                if subset == 0:
                    break
                # Gosper's hack (HAKMEM, 1972, item 175): the next larger number with as many bits.
                lowest = subset & -subset
                carried = subset + lowest
                subset = (((carried ^ subset) >> 2) // lowest) | carried
        remaining -= size
    # From the empty rest back to all. The size of a set tells which part left it, so one entry of
    # `taken` for each set is enough.
    takes = np.zeros(parts, dtype=np.int64)
    rest = 0
    for index in range(parts - 1, -1, -1):
        takes[index] = taken[rest]
        rest |= taken[rest]
    return takes
