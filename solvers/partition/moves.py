"""Moves of single vertices between two sides of given weight, compiled: Fiduccia-Mattheyses.

Gains lie in a binary heap per side, since weights are real numbers. Vertices have sizes, for they
may stand for several. In larger graphs, only vertices at the border are listed, and those that a
move brings there. All others are listed once the border is empty and sizes are still wrong. A pass
moves each vertex at most once and goes back to its best moment. The first criterion is how far the
sides are out of balance beyond the tolerance, the second is the cut.

References
----------
Fiduccia and Mattheyses, 19th Design Automation Conference (1982).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.compiled import compiled, compiled_entry, counted, counted_entry
from solvers.model.milp import Floats, Indices
from solvers.partition.graph import Parts

_SMALL = 64
_INSIDE, _LOCKED = -1, -2
"""Where a vertex is that is in no heap."""


class Level(NamedTuple):
    """A graph whose vertices have sizes."""

    starts: Indices
    neighbours: Parts
    weights: Floats
    sizes: Indices  # (vertices,)
    pin: Parts  # side of each pinned vertex, else -1


@compiled
def comes_first(gain: Floats, a: int, b: int) -> int:
    """Whether a comes before b: a strict total order, as equal keys fall back to the number."""
    return 1 if gain[a] > gain[b] or (gain[a] == gain[b] and a < b) else 0


@compiled
def _up(heaps: Parts, base: int, index: int, gain: Floats, where: Parts) -> None:
    """Let an item rise in the heap that begins at ``base``."""
    # `where` follows every shift, so a vertex whose gain changes is found in its heap at once.
    vertex = heaps[base + index]
    while index > 0:
        parent = (index - 1) >> 1
        above = heaps[base + parent]
        if comes_first(gain, vertex, above) == 0:
            break
        heaps[base + index] = above
        where[above] = index
        index = parent
    heaps[base + index] = vertex
    where[vertex] = index


@compiled
def _down(heaps: Parts, base: int, index: int, count: int, gain: Floats, where: Parts) -> None:
    """Let an item sink in the heap that begins at ``base``."""
    vertex = heaps[base + index]
    while True:
        child = 2 * index + 1
        if child >= count:
            break
        below = heaps[base + child]
        if child + 1 < count and comes_first(gain, heaps[base + child + 1], below) == 1:
            child += 1
            below = heaps[base + child]
        if comes_first(gain, below, vertex) == 0:
            break
        heaps[base + index] = below
        where[below] = index
        index = child
    heaps[base + index] = vertex
    where[vertex] = index


@compiled
def _push(
    heaps: Parts, base: int, counts: Indices, which: int, vertex: int, gain: Floats, where: Parts
) -> None:
    heaps[base + counts[which]] = vertex
    counts[which] += 1
    _up(heaps, base, counts[which] - 1, gain, where)


@compiled
def _pop(heaps: Parts, base: int, counts: Indices, which: int, gain: Floats, where: Parts) -> int:
    """Take the top out and lock it."""
    vertex = int(heaps[base])
    # Fiduccia and Mattheyses (1982): a vertex moves at most once in a pass, so it never comes back.
    where[vertex] = _LOCKED
    counts[which] -= 1
    if counts[which] > 0:
        heaps[base] = heaps[base + counts[which]]
        _down(heaps, base, 0, counts[which], gain, where)
    return vertex


@compiled
def _source(
    over: int, tolerance: int, heaps: Parts, counts: Indices, gain: Floats, sizes: Indices
) -> int:
    """Side to move from, where side 1 holds ``over`` too much; -1 if there is no move."""
    if over > tolerance:
        return 1 if counts[1] > 0 else -1
    if over < -tolerance:
        return 0 if counts[0] > 0 else -1
    best, best_gain = -1, 0.0
    for which in range(2):
        if counts[which] == 0:
            continue
        top = heaps[which * len(gain)]
        after = over - sizes[top] if which == 1 else over + sizes[top]
        # As in Fiduccia and Mattheyses a move may overstep the balance by its own vertex. Otherwise
        # sizes of 1 and a tolerance of 0 would allow none.
        if abs(after) > tolerance + sizes[top]:
            continue
        if best < 0 or gain[top] > best_gain:
            best, best_gain = which, gain[top]
    return best


@compiled
def _listed(
    level: Level, side: Parts, heaps: Parts, counts: Indices, gain: Floats, where: Parts
) -> tuple[int, float]:
    """Set gains and heaps; return the size of side 1 and the sum of absolute gains."""
    starts, neighbours, weights, pin = level.starts, level.neighbours, level.weights, level.pin
    size, scale, count = 0, 0.0, len(side)
    for vertex in range(count):
        own, inner, outer, border = side[vertex], 0.0, 0.0, count <= _SMALL
        size += own * level.sizes[vertex]
        for entry in range(starts[vertex], starts[vertex + 1]):
            if side[neighbours[entry]] == own:
                inner += weights[entry]
            else:
                outer += weights[entry]
                border = True
        gain[vertex] = outer - inner
        scale += abs(outer - inner)
        if pin[vertex] >= 0:
            where[vertex] = _LOCKED
        # Inside, `outer` is 0: a vertex whose inner weight is not positive leaves at no loss.
        elif border or outer >= inner:
            _push(heaps, own * count, counts, own, vertex, gain, where)
    return size, scale


@counted_entry
def move_pass(level: Level, side: Parts, target: int, tolerance: int, patience: int) -> float:
    """One pass; return the gain, or infinity where the balance became better.

    Parameters
    ----------
    side
        0 or 1 for each vertex; changed.
    target
        Size of side 1.
    """
    starts, neighbours, weights, sizes = level.starts, level.neighbours, level.weights, level.sizes
    count = len(side)
    gain, where = np.empty(count), np.full(count, _INSIDE, dtype=np.int32)
    heaps, moved = np.empty(2 * count, dtype=np.int32), np.empty(count, dtype=np.int32)
    counts = np.zeros(2, dtype=np.int64)
    over, scale = _listed(level, side, heaps, counts, gain, where)
    over -= target
    excess = max(0, abs(over) - tolerance)
    first_excess = excess
    # Gains within the rounding do not count; else `settle` would repeat passes for nothing.
    best_excess, best, length, total = excess, 1e-12 * scale, 0, 0.0
    step = 0
    # At the head the first `step` of `moved` have changed sides and are locked. `gain` is right for
    # every vertex that is not locked. Side s has its listed vertices in the heap that begins at s *
    # count; `where` holds their index in it. `over` is what side 1 has above its target, `total`
    # the gain of all moves, and `length` how many first moves lead to the best moment so far.
    # Above the least excess no cut makes a new best moment, so patience grows with the excess.
    while step < count and step - length < patience + 4 * excess:
        if excess > 0 and counts[int(over > 0)] == 0:
            _list_all(int(over > 0), side, heaps, counts, gain, where)
        which = _source(over, tolerance, heaps, counts, gain, sizes)
        if which < 0:
            break
        vertex = _pop(heaps, which * count, counts, which, gain, where)
        total += gain[vertex]
        side[vertex] = 1 - which
        over += sizes[vertex] if which == 0 else -sizes[vertex]
        moved[step] = vertex
        step += 1
        for entry in range(starts[vertex], starts[vertex + 1]):
            other = neighbours[entry]
            if where[other] == _LOCKED:
                continue
            own = side[other]
            gain[other] += 2.0 * (weights[entry] if own == which else -weights[entry])
            if where[other] == _INSIDE:
                _push(heaps, own * count, counts, own, other, gain, where)
            else:
                # The gain may have risen or fallen; at most one of the two calls moves the vertex.
                _up(heaps, own * count, where[other], gain, where)
                _down(heaps, own * count, where[other], counts[own], gain, where)
        excess = max(0, abs(over) - tolerance)
        if excess < best_excess or (excess == best_excess and total > best):
            best_excess, best, length = excess, total, step
    # Back to the best moment: every move after it is undone.
    for index in range(length, step):
        side[moved[index]] = 1 - side[moved[index]]
    if length == 0:
        return 0.0
    return np.inf if best_excess < first_excess else best


@compiled
def _list_all(
    which: int, side: Parts, heaps: Parts, counts: Indices, gain: Floats, where: Parts
) -> None:
    """Add the vertices of a side that are not listed yet: none at the border is left."""
    for vertex in range(len(side)):
        if where[vertex] == _INSIDE and side[vertex] == which:
            _push(heaps, which * len(side), counts, which, vertex, gain, where)


@counted
def settle(level: Level, side: Parts, target: int, tolerance: int, patience: int) -> None:
    """Passes until none is better."""
    for _ in range(20):
        if move_pass(level, side, target, tolerance, patience) <= 0.0:
            break


@compiled_entry
def cut_between(level: Level, side: Parts) -> float:
    """Weight between the two sides."""
    twice = 0.0
    for vertex in range(len(side)):
        for entry in range(level.starts[vertex], level.starts[vertex + 1]):
            if side[vertex] != side[level.neighbours[entry]]:
                twice += level.weights[entry]
    return twice / 2


@counted
def grown(level: Level, seeds: Indices, target: int, tolerance: int, patience: int) -> Parts:
    """Best of several first halvings: side 1 grows from each seed until it is full."""
    count = len(level.sizes)
    best, least, least_excess = np.zeros(count, dtype=np.int32), np.inf, 1 << 60
    for index in range(len(seeds)):
        side = np.zeros(count, dtype=np.int32)
        size = 0
        for vertex in range(count):
            if level.pin[vertex] == 1:
                side[vertex] = 1
                size += level.sizes[vertex]
        seed = seeds[index]
        if level.pin[seed] < 0 and size + level.sizes[seed] <= target + tolerance:
            side[seed] = 1
        # While side 1 is below its target, a pass moves the best vertex of side 0 into it: greedy
        # graph growing (Karypis and Kumar 1998).
        settle(level, side, target, tolerance, patience)
        excess = -target
        for vertex in range(count):
            if side[vertex] == 1:
                excess += level.sizes[vertex]
        excess = max(0, abs(excess) - tolerance)
        weight = cut_between(level, side)
        if excess < least_excess or (excess == least_excess and weight < least):
            best, least, least_excess = side, weight, excess
    return best


@counted_entry
def matched(level: Level, order: Indices, most: int) -> Parts:
    """Coarse vertex of each vertex: heaviest edges first among those of each vertex in turn.

    Only edges of positive weight join, never two pins of different sides, never beyond ``most``.
    """
    count = len(level.sizes)
    coarse = np.full(count, -1, dtype=np.int32)
    number = 0
    for index in range(count):
        vertex = order[index]
        if coarse[vertex] >= 0:
            continue
        mate, best = -1, 0.0
        for entry in range(level.starts[vertex], level.starts[vertex + 1]):
            other = level.neighbours[entry]
            weight = level.weights[entry]
            if coarse[other] >= 0 or weight <= 0.0:
                continue
            if level.sizes[vertex] + level.sizes[other] > most:
                continue
            # A vertex without a pin does not join one with a pin: the two could not move as one.
            if level.pin[vertex] != level.pin[other]:
                continue
            if weight > best or (weight == best and level.sizes[other] < level.sizes[mate]):
                mate, best = other, weight
        coarse[vertex] = number
        if mate >= 0:
            coarse[mate] = number
        number += 1
    return coarse


@counted_entry
def contracted(level: Level, coarse: Parts) -> Level:
    """Graph of the coarse vertices; edges between the same two add up."""
    count, number = len(coarse), coarse.max() + 1
    first = np.full((number, 2), -1, dtype=np.int32)
    for vertex in range(count):
        new = coarse[vertex]
        if first[new, 0] < 0:
            first[new, 0] = vertex
        else:
            first[new, 1] = vertex
    starts = np.zeros(number + 1, dtype=np.int64)
    neighbours = np.empty(len(level.neighbours), dtype=np.int32)
    weights = np.empty(len(level.weights))
    sizes = np.zeros(number, dtype=np.int64)
    pin = np.full(number, -1, dtype=np.int32)
    slot = np.full(number, -1, dtype=np.int64)
    filled = 0
    for new in range(number):
        begin = filled
        for which in range(2):
            vertex = first[new, which]
            if vertex < 0:
                continue
            sizes[new] += level.sizes[vertex]
            pin[new] = level.pin[vertex]
            for entry in range(level.starts[vertex], level.starts[vertex + 1]):
                other = coarse[level.neighbours[entry]]
                if other == new:
                    continue
                # Slots of earlier rows lie before `begin`, so `slot` is not cleared between rows.
                if slot[other] < begin:
                    slot[other] = filled
                    neighbours[filled] = other
                    weights[filled] = 0.0
                    filled += 1
                # The row of the other end adds in another order: its last bits may differ.
                weights[slot[other]] += level.weights[entry]
        starts[new + 1] = filled
    return Level(starts, neighbours[:filled].copy(), weights[:filled].copy(), sizes, pin)


@counted
def within(level: Level, vertices: Indices, position: Parts, pin: Parts) -> Level:
    """Graph on some vertices of size 1; ``position`` is work space filled with -1."""
    count = len(vertices)
    for i in range(count):
        position[vertices[i]] = i
    starts = np.zeros(count + 1, dtype=np.int64)
    entries = 0
    for i in range(count):
        entries += level.starts[vertices[i] + 1] - level.starts[vertices[i]]
    neighbours, weights = np.empty(entries, dtype=np.int32), np.empty(entries)
    filled = 0
    for i in range(count):
        for entry in range(level.starts[vertices[i]], level.starts[vertices[i] + 1]):
            other = position[level.neighbours[entry]]
            if other >= 0:
                neighbours[filled] = other
                weights[filled] = level.weights[entry]
                filled += 1
        starts[i + 1] = filled
    # Only what was written is reset: clearing all would cost as much as the whole graph each time.
    for i in range(count):
        position[vertices[i]] = -1
    sizes = np.ones(count, dtype=np.int64)
    return Level(starts, neighbours[:filled].copy(), weights[:filled].copy(), sizes, pin)
