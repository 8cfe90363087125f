"""Moves of single vertices between two sides of given weight, compiled: Fiduccia-Mattheyses.

Gains lie in a binary heap per side, since weights are real numbers. Vertices have sizes, for they
may stand for several. A pass moves each vertex at most once and goes back to its best moment: first
by how far the sides are out of balance beyond the tolerance, then by the cut.

References
----------
Fiduccia and Mattheyses, 19th Design Automation Conference (1982).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.compiled import compiled
from solvers.milp import Floats, Indices
from solvers.partition.graph import Parts


class Level(NamedTuple):
    """A graph whose vertices have sizes."""

    starts: Indices
    neighbours: Parts
    weights: Floats
    sizes: Indices  # (vertices,)
    pin: Parts  # side of each pinned vertex, else -1


@compiled
def _above(gain: Floats, a: int, b: int) -> int:
    return 1 if gain[a] > gain[b] or (gain[a] == gain[b] and a < b) else 0


@compiled
def _up(heap: Parts, place: int, gain: Floats, where: Parts) -> None:
    vertex = heap[place]
    while place > 0:
        parent = (place - 1) >> 1
        if _above(gain, vertex, heap[parent]) == 0:
            break
        heap[place] = heap[parent]
        where[heap[place]] = place
        place = parent
    heap[place] = vertex
    where[vertex] = place


@compiled
def _down(heap: Parts, place: int, count: int, gain: Floats, where: Parts) -> None:
    vertex = heap[place]
    while True:
        child = 2 * place + 1
        if child >= count:
            break
        if child + 1 < count and _above(gain, heap[child + 1], heap[child]) == 1:
            child += 1
        if _above(gain, heap[child], vertex) == 0:
            break
        heap[place] = heap[child]
        where[heap[place]] = place
        place = child
    heap[place] = vertex
    where[vertex] = place


@compiled
def _take(heap: Parts, vertex: int, count: int, gain: Floats, where: Parts) -> None:
    """Remove a vertex from a heap of ``count``."""
    place = where[vertex]
    where[vertex] = -1
    last = heap[count - 1]
    if last != vertex:
        heap[place] = last
        where[last] = place
        _up(heap, place, gain, where)
        _down(heap, where[last], count - 1, gain, where)


@compiled
def _set_gains(level: Level, side: Parts, gain: Floats) -> None:
    for vertex in range(len(side)):
        total = 0.0
        for entry in range(level.starts[vertex], level.starts[vertex + 1]):
            weight = level.weights[entry]
            total += weight if side[level.neighbours[entry]] != side[vertex] else -weight
        gain[vertex] = total


@compiled
def _source(
    over: int, tolerance: int, heaps: Parts, counts: Indices, gain: Floats, sizes: Indices
) -> int:
    """Side to move from, where side 1 holds ``over`` too much; -1 if there is no move."""
    if over > tolerance:
        return 1 if counts[1] > 0 else -1
    if over < -tolerance:
        return 0 if counts[0] > 0 else -1
    best = -1
    for which in range(2):
        if counts[which] == 0:
            continue
        size = sizes[heaps[which, 0]]
        after = over - size if which == 1 else over + size
        if abs(after) > tolerance + size:
            continue
        if best < 0 or gain[heaps[which, 0]] > gain[heaps[best, 0]]:
            best = which
    return best


@compiled
def move_pass(level: Level, side: Parts, target: int, tolerance: int, patience: int) -> float:
    """One pass; return the gain, or infinity where the balance became better.

    Parameters
    ----------
    side
        0 or 1 for each vertex; changed.
    target
        Size of side 1.
    """
    count = len(side)
    gain, where = np.empty(count), np.full(count, -1, dtype=np.int32)
    heaps = np.empty((2, count), dtype=np.int32)
    counts = np.zeros(2, dtype=np.int64)
    _set_gains(level, side, gain)
    over, scale = -target, 0.0
    for vertex in range(count):
        if side[vertex] == 1:
            over += level.sizes[vertex]
        if level.pin[vertex] < 0:
            which = side[vertex]
            heaps[which, counts[which]] = vertex
            counts[which] += 1
            _up(heaps[which], counts[which] - 1, gain, where)
        scale += abs(gain[vertex])
    moved = np.empty(count, dtype=np.int32)
    excess = max(0, abs(over) - tolerance)
    first_excess = excess
    best_excess, best, length, total = excess, 1e-12 * scale, 0, 0.0
    step = 0
    while step < count and step - length < patience + 4 * excess:
        which = _source(over, tolerance, heaps, counts, gain, level.sizes)
        if which < 0:
            break
        vertex = heaps[which, 0]
        _take(heaps[which], vertex, counts[which], gain, where)
        counts[which] -= 1
        total += gain[vertex]
        side[vertex] = 1 - which
        over += level.sizes[vertex] if which == 0 else -level.sizes[vertex]
        moved[step] = vertex
        step += 1
        for entry in range(level.starts[vertex], level.starts[vertex + 1]):
            other = level.neighbours[entry]
            if where[other] < 0:
                continue
            change = 2.0 * level.weights[entry]
            own = side[other]
            gain[other] += change if own == which else -change
            _up(heaps[own], where[other], gain, where)
            _down(heaps[own], where[other], counts[own], gain, where)
        excess = max(0, abs(over) - tolerance)
        if excess < best_excess or (excess == best_excess and total > best):
            best_excess, best, length = excess, total, step
    for place in range(length, step):
        side[moved[place]] = 1 - side[moved[place]]
    if length == 0:
        return 0.0
    return np.inf if best_excess < first_excess else best


@compiled
def settle(level: Level, side: Parts, target: int, tolerance: int, patience: int) -> None:
    """Passes until none is better."""
    for _ in range(20):
        if move_pass(level, side, target, tolerance, patience) <= 0.0:
            break


@compiled
def cut_between(level: Level, side: Parts) -> float:
    """Weight between the two sides."""
    twice = 0.0
    for vertex in range(len(side)):
        for entry in range(level.starts[vertex], level.starts[vertex + 1]):
            if side[vertex] != side[level.neighbours[entry]]:
                twice += level.weights[entry]
    return twice / 2


@compiled
def grown(level: Level, seeds: Parts, target: int, tolerance: int, patience: int) -> Parts:
    """Best of several first halvings: side 1 grows from each seed until it is full."""
    count = len(level.sizes)
    best, least, least_excess = np.zeros(count, dtype=np.int32), np.inf, 1 << 60
    for place in range(len(seeds)):
        side = np.zeros(count, dtype=np.int32)
        size = 0
        for vertex in range(count):
            if level.pin[vertex] == 1:
                side[vertex] = 1
                size += level.sizes[vertex]
        seed = seeds[place]
        if level.pin[seed] < 0 and size + level.sizes[seed] <= target + tolerance:
            side[seed] = 1
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


@compiled
def matched(level: Level, order: Indices, most: int) -> Parts:
    """Coarse vertex of each vertex: heaviest edges first among those of each vertex in turn.

    Only edges of positive weight join, never two pins of different sides, never beyond ``most``.
    """
    count = len(level.sizes)
    coarse = np.full(count, -1, dtype=np.int32)
    number = 0
    for place in range(count):
        vertex = order[place]
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
            if level.pin[vertex] != level.pin[other]:
                continue
            if weight > best or (weight == best and level.sizes[other] < level.sizes[mate]):
                mate, best = other, weight
        coarse[vertex] = number
        if mate >= 0:
            coarse[mate] = number
        number += 1
    return coarse


@compiled
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
                if slot[other] < begin:
                    slot[other] = filled
                    neighbours[filled] = other
                    weights[filled] = 0.0
                    filled += 1
                weights[slot[other]] += level.weights[entry]
        starts[new + 1] = filled
    return Level(starts, neighbours[:filled].copy(), weights[:filled].copy(), sizes, pin)


@compiled
def within(level: Level, vertices: Indices, place: Parts, pin: Parts) -> Level:
    """Graph on some vertices of size 1; ``place`` is work space filled with -1."""
    count = len(vertices)
    for i in range(count):
        place[vertices[i]] = i
    starts = np.zeros(count + 1, dtype=np.int64)
    entries = 0
    for i in range(count):
        entries += level.starts[vertices[i] + 1] - level.starts[vertices[i]]
    neighbours, weights = np.empty(entries, dtype=np.int32), np.empty(entries)
    filled = 0
    for i in range(count):
        for entry in range(level.starts[vertices[i]], level.starts[vertices[i] + 1]):
            other = place[level.neighbours[entry]]
            if other >= 0:
                neighbours[filled] = other
                weights[filled] = level.weights[entry]
                filled += 1
        starts[i + 1] = filled
    for i in range(count):
        place[vertices[i]] = -1
    sizes = np.ones(count, dtype=np.int64)
    return Level(starts, neighbours[:filled].copy(), weights[:filled].copy(), sizes, pin)
