"""Kernighan-Lin exchange between two parts, and over all pairs of parts, compiled.

The literal rule picks, k times, the best pair of two lists: O(k^3). Here the free vertices of each
side are sorted by their gain D, and pairs are tried from the top. The search ends once the sum of
both D, plus twice the most negative weight between the sides, is not above the best gain. No later
pair can then beat it; mostly a handful of pairs is examined.

Ties: among the best pairs the one whose first vertex comes first by (larger D, smaller number),
then whose second does. So the outcome does not depend on how parts are stored.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.compiled import compiled, counted_entry
from solvers.model.milp import Floats, Indices
from solvers.partition.graph import Parts
from solvers.partition.moves import comes_first

EPSILON = 1e-12
"""An exchange counts where it gains more than this share of the weights that it looks at."""


class State(NamedTuple):
    """Graph, parts and work space of the loops."""

    starts: Indices  # as in Graph
    neighbours: Parts
    weights: Floats
    part: Parts  # (vertices,)
    slots: Parts  # vertices, part by part
    slot: Parts  # place of each vertex in slots
    first: Indices  # slots first[p] up to first[p + 1] are those of part p
    free: Parts  # 1 where a vertex may move
    side: Parts  # 0 or 1 in the two parts under test, 2 or 3 when locked there, else -1
    gain: Floats  # D
    link: Floats  # weights of one vertex to the other side; 0 between picks
    order: Parts  # (2, vertices): free vertices of each side by falling D
    rank: Parts  # place in order
    negative: Parts  # (parts,): whether a part has an inner edge of negative weight
    changed: Indices  # (parts,): moment of its last change
    tested: Indices  # (parts,): moment of the last test against all later parts
    mark: Indices  # (parts,)
    listed: Parts  # (parts,)
    clock: Indices  # (3,): the moment; exchanges that gained; lists of parts made
    ends: Indices  # (2,): free vertices of each side
    picked: Parts  # (2, vertices): pairs of the pass


@compiled
def _sift(items: Parts, index: int, count: int, key: Floats) -> None:
    """Let an item sink in a heap whose top is the last in order."""
    # Both subtrees below `index` are heaps; the hole sinks through them to the place of the item.
    item = items[index]
    while True:
        child = 2 * index + 1
        if child >= count:
            break
        if child + 1 < count and comes_first(key, items[child], items[child + 1]) == 1:
            child += 1
        if comes_first(key, item, items[child]) == 0:
            break
        items[index] = items[child]
        index = child
    items[index] = item


@compiled
def _sort(items: Parts, count: int, key: Floats) -> None:
    """Sort by falling key, then by number; numba's own sorts take seconds to compile."""
    # Short lists by insertion. Longer ones by heapsort (Williams 1964), built from the bottom as by
    # Floyd (1964): in place, and O(n log n) for every input.
    if count <= 32:
        for i in range(1, count):
            item = items[i]
            j = i
            while j > 0 and comes_first(key, item, items[j - 1]) == 1:
                items[j] = items[j - 1]
                j -= 1
            items[j] = item
        return
    for index in range(count // 2 - 1, -1, -1):
        _sift(items, index, count, key)
    for last in range(count - 1, 0, -1):
        items[0], items[last] = items[last], items[0]
        _sift(items, 0, last, key)


@compiled
def _reposition(
    order: Parts, head: int, count: int, vertex: int, gain: Floats, rank: Parts
) -> None:
    """Restore the order after the gain of one vertex has changed."""
    # All others from `head` to `count` are in order, so only one of the two loops moves the vertex.
    position, key = rank[vertex], gain[vertex]
    while position > head:
        before = order[position - 1]
        if gain[before] > key or (gain[before] == key and before < vertex):
            break
        order[position] = before
        rank[before] = position
        position -= 1
    while position + 1 < count:
        after = order[position + 1]
        if gain[after] < key or (gain[after] == key and after > vertex):
            break
        order[position] = after
        rank[after] = position
        position += 1
    order[position] = vertex
    rank[vertex] = position


@compiled
def _drop(order: Parts, head: int, vertex: int, rank: Parts) -> None:
    """Take a vertex out: those before it move back by one place."""
    # The place at `head` becomes free; the caller raises the head by one and never reads it again.
    position = rank[vertex]
    while position > head:
        before = order[position - 1]
        order[position] = before
        rank[before] = position
        position -= 1


@compiled
def _sorted_part(s: State, p: int, which: int) -> int:
    """List the free vertices of a part, ascending, and mark all; return how many are free."""
    # Swaps permute the slots. By number, `seen` in `_gains` always adds up in one order.
    low, high = s.first[p], s.first[p + 1]
    _sort(s.slots[low:high], high - low, s.link)  # all 0: by number
    count = 0
    for index in range(low, high):
        vertex = s.slots[index]
        s.slot[vertex] = index
        s.side[vertex] = which
        if s.free[vertex] == 1:
            s.order[which, count] = vertex
            count += 1
    return count


@compiled
def _gains(s: State, which: int, count: int) -> tuple[float, float]:
    """Set D of one side; return the weights looked at and the most negative one across."""
    # D of Kernighan and Lin (1970): weight across less weight inside. Edges to other parts stay cut
    # in every exchange of these two, so they are left out; edges to pinned vertices count.
    seen, least = 0.0, 0.0
    for i in range(count):
        vertex = s.order[which, i]
        total = 0.0
        for entry in range(s.starts[vertex], s.starts[vertex + 1]):
            other = s.side[s.neighbours[entry]]
            if other >= 0:
                weight = s.weights[entry]
                seen += abs(weight)
                if other == which:
                    total -= weight
                else:
                    total += weight
                    least = min(least, weight)
        s.gain[vertex] = total
    return seen, least


@compiled
def _pick(s: State, head: int, ends: Indices, slack: float) -> tuple[float, int, int]:
    """Return the best gain and its pair."""
    best, first, second = -np.inf, -1, -1
    top = s.gain[s.order[1, head]]
    for i in range(head, ends[0]):
        a = s.order[0, i]
        # A pair gains D of both less twice the weight between them, so at most the sum of D plus
        # `slack`. Both lists fall, so once that is not above the best no later vertex can be.
        if s.gain[a] + top + slack <= best:
            break
        for entry in range(s.starts[a], s.starts[a + 1]):
            if s.side[s.neighbours[entry]] == 1:
                s.link[s.neighbours[entry]] = s.weights[entry]
        for j in range(head, ends[1]):
            b = s.order[1, j]
            both = s.gain[a] + s.gain[b]
            if both + slack <= best:
                break
            if both - 2.0 * s.link[b] > best:
                best, first, second = both - 2.0 * s.link[b], a, b
        for entry in range(s.starts[a], s.starts[a + 1]):
            s.link[s.neighbours[entry]] = 0.0
    return best, first, second


@compiled
def _lock(s: State, vertex: int, head: int, ends: Indices) -> None:
    """Swap a vertex to the other side for good, and update D of its free neighbours."""
    # Their update of D: with the vertex across, an edge of weight w to its old side is cut and one
    # to its new side is not. This changes D of the other end by 2w or by -2w.
    own = s.side[vertex] - 2
    for entry in range(s.starts[vertex], s.starts[vertex + 1]):
        other = s.neighbours[entry]
        which = s.side[other]
        if 0 <= which <= 1 and s.free[other] == 1:
            change = 2.0 * s.weights[entry]
            s.gain[other] += change if which == own else -change
            _reposition(s.order[which], head, ends[which], other, s.gain, s.rank)


@compiled
def _pass(s: State, p: int, q: int, patience: int) -> float:
    """One pass of Kernighan-Lin over two parts; return what it gained."""
    ends, picked = s.ends, s.picked
    ends[0], ends[1] = _sorted_part(s, p, 0), _sorted_part(s, q, 1)
    seen, least = _gains(s, 0, ends[0])
    more, least_too = _gains(s, 1, ends[1])
    # Gains within the rounding of their sums do not count: else passes could swap for ever.
    epsilon = EPSILON * (seen + more)
    slack = -2.0 * min(least, least_too)
    for which in range(2):
        _sort(s.order[which], ends[which], s.gain)
        for index in range(ends[which]):
            s.rank[s.order[which, index]] = index
    steps = min(ends[0], ends[1])
    total, best, length = 0.0, epsilon, 0
    # The parts stay as they are until the pass is over; `picked` lists the pairs that would be
    # exchanged. At the head the first m of each `order` are used up. The others are the free
    # vertices of their side that are not locked, by falling D, where D counts all picked pairs as
    # exchanged. `total` is what these gain together, `best` the most that any number of first pairs
    # gains, and `length` that number.
    for m in range(steps):
        gain, a, b = _pick(s, m, ends, slack)
        picked[0, m], picked[1, m] = a, b
        s.side[a], s.side[b] = 2, 3
        _drop(s.order[0], m, a, s.rank)
        _drop(s.order[1], m, b, s.rank)
        total += gain
        if total > best:
            best, length = total, m + 1
        # The paper makes all k picks. `refine` keeps to it up to k = 256, where the patience is k.
        if m + 1 - length >= patience:
            break
        _lock(s, a, m + 1, ends)
        _lock(s, b, m + 1, ends)
    for which in range(2):
        part = p if which == 0 else q
        for index in range(s.first[part], s.first[part + 1]):
            s.side[s.slots[index]] = -1
    for m in range(length):
        a, b = picked[0, m], picked[1, m]
        s.part[a], s.part[b] = q, p
        s.slots[s.slot[a]], s.slots[s.slot[b]] = b, a
        s.slot[a], s.slot[b] = s.slot[b], s.slot[a]
    return best if length > 0 else 0.0


@compiled
def has_negative(s: State, p: int) -> int:
    """1 where a part has an inner edge of negative weight."""
    for index in range(s.first[p], s.first[p + 1]):
        vertex = s.slots[index]
        for entry in range(s.starts[vertex], s.starts[vertex + 1]):
            if s.weights[entry] < 0.0 and s.part[s.neighbours[entry]] == p:
                return 1
    return 0


@compiled
def _later_parts(s: State, p: int, after: int, signed: int) -> int:
    """List, ascending, the parts beyond ``after`` between which and ``p`` an exchange can gain.

    An exchange cuts inner edges and heals edges between the two parts. Without a negative edge
    inside and a positive one between, it gains nothing.
    """
    s.clock[2] += 1
    stamp, count = s.clock[2], 0
    for index in range(s.first[p], s.first[p + 1]):
        vertex = s.slots[index]
        for entry in range(s.starts[vertex], s.starts[vertex + 1]):
            q = s.part[s.neighbours[entry]]
            if q > after and s.weights[entry] > 0.0 and s.mark[q] != stamp:
                s.mark[q] = stamp
                s.listed[count] = q
                count += 1
    if signed == 1:
        for q in range(after + 1, len(s.first) - 1):
            if s.mark[q] != stamp and (s.negative[p] == 1 or s.negative[q] == 1):
                s.listed[count] = q
                count += 1
    _sort(s.listed, count, s.link)
    return count


@compiled
def _exchange(s: State, p: int, q: int, signed: int, patience: int) -> float:
    """Passes over two parts until one gains nothing; return the gain."""
    # This ends, since each pass that counts lowers the cut by more than its rounding.
    gained = 0.0
    step = _pass(s, p, q, patience)
    while step > 0.0:
        gained += step
        step = _pass(s, p, q, patience)
    if gained > 0.0:
        s.clock[0] += 1
        s.clock[1] += 1
        s.changed[p] = s.changed[q] = s.clock[0]
        if signed == 1:
            s.negative[p], s.negative[q] = has_negative(s, p), has_negative(s, q)
    return gained


@counted_entry
def refine_rounds(
    starts: Indices,
    neighbours: Parts,
    weights: Floats,
    part: Parts,
    first: Indices,
    free: Parts,
    signed: int,
    patience: int,
    most: int,
) -> float:
    """Exchange between all pairs of parts in some rounds; return what the last one gained.

    Pairs of which neither part has changed since their last test are left out.

    Arrays one by one, for numba is slow to take a tuple in.
    """
    count, parts = len(part), len(first) - 1
    filled = first.copy()
    slots, slot = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
    for vertex in range(count):
        slots[filled[part[vertex]]], slot[vertex] = vertex, filled[part[vertex]]
        filled[part[vertex]] += 1
    s = State(
        starts,
        neighbours,
        weights,
        part,
        slots,
        slot,
        first,
        free,
        np.full(count, -1, dtype=np.int32),
        np.zeros(count),
        np.zeros(count),
        np.zeros((2, count), dtype=np.int32),
        np.zeros(count, dtype=np.int32),
        np.zeros(parts, dtype=np.int32),
        np.ones(parts, dtype=np.int64),
        np.zeros(parts, dtype=np.int64),
        np.full(parts, -1, dtype=np.int64),
        np.zeros(parts, dtype=np.int32),
        np.ones(3, dtype=np.int64),
        np.empty(2, dtype=np.int64),
        np.empty((2, count), dtype=np.int32),
    )
    if signed == 1:
        for p in range(parts):
            s.negative[p] = has_negative(s, p)
    # More than two parts as in Kernighan and Lin (1970): all pairs in turn, until none gains.
    gained = 0.0
    for _ in range(most):
        gained = 0.0
        for p in range(parts):
            # A pair of parts gained nothing in its last test, so it needs none until one of the two
            # changes. `tested` begins below `changed`: in the first round every pair is tested.
            last, s.clock[0] = s.tested[p], s.clock[0] + 1
            s.tested[p] = s.clock[0]
            position, listed = 0, _later_parts(s, p, p, signed)
            while position < listed:
                q = s.listed[position]
                position += 1
                if s.changed[p] <= last and s.changed[q] <= last:
                    continue
                gain = _exchange(s, p, q, signed, patience)
                if gain > 0.0:  # other parts may have become neighbours
                    gained += gain
                    position, listed = 0, _later_parts(s, p, q, signed)
        if gained <= 0.0:
            break
    return gained
