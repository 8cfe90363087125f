"""Compiled swaps of two vertices' slots improve all levels at once, until no swap gains.

A level-by-level mapping decides on the outer units without a look at the inner ones. Here a swap
counts by what it changes at every level. For each vertex, the slots near its neighbours are tried:
all slots of the neighbours' units at the requested level.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.compiled import compiled, compiled_entry, counted_entry
from solvers.mapping.problem import Problem
from solvers.model.milp import Floats, Indices
from solvers.partition.graph import Parts

_EPSILON = 1e-12
_ALL_SLOTS = 512
_SWEEPS = 50


class Joint(NamedTuple):
    """Edges of all levels, with what each costs by the level at which it is parted."""

    starts: Indices
    neighbours: Parts
    costs: Floats  # (entries, levels + 1): parted at level l and all further in; 0 if nowhere
    units: Indices  # (levels, slots)
    ends: Indices  # (levels, 2, slots): first slot of a slot's unit, and one beyond its last
    fixed: Parts


def joint(problem: Problem) -> Joint:
    """Lay the graphs over each other."""
    count = problem.vertices
    keys = [g.tails.astype(np.int64) * count + g.neighbours for g in problem.graphs]
    every = np.unique(np.concatenate(keys))
    costs = np.zeros((len(every), problem.levels + 1))
    for level, (graph, key) in enumerate(zip(problem.graphs, keys, strict=True)):
        costs[np.searchsorted(every, key), level] = graph.weights
    # A pair that is parted at a level is parted at all inner ones: costs add up from the inside.
    costs = np.cumsum(costs[:, ::-1], axis=1)[:, ::-1]
    rows, columns = np.divmod(every, count)
    starts = np.r_[0, np.cumsum(np.bincount(rows, minlength=count))]
    ends = np.empty((problem.levels, 2, count), dtype=np.int64)
    for level, units in enumerate(problem.units):
        sizes = problem.sizes(level)
        last = np.cumsum(sizes)
        ends[level, 0], ends[level, 1] = (last - sizes)[units], last[units]
    return Joint(
        starts,
        columns.astype(np.int32),
        np.ascontiguousarray(costs),
        np.ascontiguousarray(problem.units),
        ends,
        problem.fixed,
    )


def swapped(problem: Problem, edges: Joint, slot: Indices) -> Indices:
    """Improve a mapping until no swap that is tried gains, or the time is over.

    Returns
    -------
    Indices
        Costs no more than ``slot``, which is not changed.
    """
    slot = slot.copy()
    at = np.empty_like(slot)
    at[slot] = np.arange(len(slot))
    least = _EPSILON * max(problem.size, 1e-300)
    near = 1 if problem.vertices > _ALL_SLOTS else 0
    for _ in range(_SWEEPS):
        if sweep(edges, slot, at, near, least) == 0 or problem.late():
            break
    return slot


@compiled
def _parted(units: Indices, one: int, other: int) -> int:
    """Outermost level at which two slots lie in different units; the number of levels if none."""
    # Units are nested, so the first difference decides: further in the slots lie apart as well.
    level = 0
    while level < units.shape[0] and units[level, one] == units[level, other]:
        level += 1
    return level


@compiled_entry
def gain(edges: Joint, slot: Indices, one: int, other: int) -> float:
    """What is saved if two vertices swap their slots."""
    # The edge between the two is left out: they exchange slots, so it is parted where it is now.
    here, there = slot[one], slot[other]
    saved = 0.0
    for entry in range(edges.starts[one], edges.starts[one + 1]):
        third = edges.neighbours[entry]
        if third != other:
            now = _parted(edges.units, here, slot[third])
            then = _parted(edges.units, there, slot[third])
            saved += edges.costs[entry, now] - edges.costs[entry, then]
    for entry in range(edges.starts[other], edges.starts[other + 1]):
        third = edges.neighbours[entry]
        if third != one:
            now = _parted(edges.units, there, slot[third])
            then = _parted(edges.units, here, slot[third])
            saved += edges.costs[entry, now] - edges.costs[entry, then]
    return saved


@compiled
def _may(edges: Joint, one: int, other: int, here: int, there: int) -> int:
    """Whether pins allow a swap: both are free, or stay in their outermost unit."""
    if edges.units[0, here] == edges.units[0, there]:
        return 1
    return 1 if edges.fixed[one] == -1 and edges.fixed[other] == -1 else 0


@compiled
def _best_in(
    edges: Joint, slot: Indices, at: Indices, vertex: int, low: int, high: int, best: Floats
) -> None:
    """Look for the best swap of a vertex with those on some slots; ``best`` is gain and slot."""
    inmost = edges.units.shape[0] - 1
    here = slot[vertex]
    for there in range(low, high):
        # Slots of one innermost unit lie together at every level, so this swap changes nothing.
        if edges.units[inmost, there] == edges.units[inmost, here]:
            continue
        other = at[there]
        if _may(edges, vertex, other, here, there) == 1:
            saved = gain(edges, slot, vertex, other)
            if saved > best[0]:
                best[0], best[1] = saved, there


@counted_entry
def sweep(edges: Joint, slot: Indices, at: Indices, near: int, least: float) -> int:
    """Give each vertex in turn the best swap that gains; how many did.

    With ``near`` only slots in the innermost units of those are tried that it has weight to.
    """
    levels, count = edges.units.shape
    made = 0
    best = np.zeros(2)
    # At the head `at` is the inverse of `slot`. Each swap saves more than `least`, the rounding of
    # the costs, so sweeps cannot go in circles.
    for vertex in range(count):
        best[0], best[1] = least, -1.0
        if near == 0:
            _best_in(edges, slot, at, vertex, 0, count, best)
        else:
            for entry in range(edges.starts[vertex], edges.starts[vertex + 1]):
                its_slot = slot[edges.neighbours[entry]]
                low, high = edges.ends[levels - 1, 0, its_slot], edges.ends[levels - 1, 1, its_slot]
                _best_in(edges, slot, at, vertex, low, high, best)
        if best[1] >= 0:
            there, here = np.int64(best[1]), slot[vertex]
            other = at[there]
            slot[vertex], slot[other] = there, here
            at[there], at[here] = vertex, other
            made += 1
    return made
