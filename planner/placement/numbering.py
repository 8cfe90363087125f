"""Choose one of several equal placements: the order of ranks, or numbers by the lowest rank.

Nodes of one kind may swap places with all that they hold; the cost stays the same. So may
processors, caches and cores within one unit. Among all these placements, the one is returned in
which such units are in the order of their lowest ranks.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from planner.placement.nodes import Nodes
from scenarios.communication.matrix import Integers
from solvers.mapping import Mapping, Problem, total
from solvers.mapping.outcome import outcome
from solvers.partition.graph import cut
from solvers.partition.outcome import TOLERANCE
from solvers.partition.request import FREE


def settled(problem: Problem, nodes: Nodes, mapping: Mapping, *, summed: bool = True) -> Mapping:
    """A mapping that costs the same, in the order of ranks where that is as good and allowed.

    As good is what costs the same over all levels, or at each of them where they do not add up.
    """
    order = np.arange(problem.vertices)
    pinned = problem.fixed != FREE
    pins_kept = bool((problem.fixed[pinned] == nodes.node[pinned]).all())
    if pins_kept and _as_good(problem, mapping, order, summed=summed):
        slot = order
    else:
        slot = by_lowest_rank(nodes, mapping.slot, problem.fixed[pinned])
    renewed = outcome(problem, slot, mapping.bound, mapping.method, mapping.outermost)
    alone = mapping.outermost
    if len(problem.graphs) == 1:
        part = nodes.node[slot].astype(np.int32)
        alone = replace(alone, part=part)
    return replace(renewed, outermost=alone, certificate=mapping.certificate)


def _as_good(problem: Problem, mapping: Mapping, order: Integers, *, summed: bool) -> bool:
    near = TOLERANCE * problem.size
    if abs(mapping.total - total(problem, order)) > near:
        return False
    return summed or all(
        abs(cut(graph, units[mapping.slot]) - cut(graph, units)) <= near
        for graph, units in zip(problem.graphs, problem.units, strict=True)
    )


def by_lowest_rank(nodes: Nodes, slot: Integers, pinned: Integers | None = None) -> Integers:
    """Number alike units by their lowest ranks; nodes that are pinned to keep their numbers.

    Parameters
    ----------
    nodes
        With the units of the slots.
    slot
        Slot of each rank; shape ``(ranks,)``.
    pinned
        Nodes that ranks are pinned to.

    Examples
    --------
    >>> from planner.placement.nodes import nodes_for
    >>> by_lowest_rank(nodes_for(4, nodes=2), np.array([3, 0, 1, 2])).tolist()
    [0, 2, 3, 1]
    """
    rank = np.argsort(slot, kind="stable")
    units = nodes.units
    rank = rank[np.lexsort((rank, units[-1]))]
    kinds = np.bincount(units[-1]).astype(np.int64)  # units of one size are of one kind
    for level in range(len(units) - 1, -1, -1):
        starts = _starts(units[level])
        if level < len(units) - 1:
            kinds = _kinds(kinds, units[level][_starts(units[level + 1])])
        if level == 0:
            kinds = _kinds_of_nodes(nodes, kinds, pinned)
            parents = np.zeros(len(starts), dtype=np.int64)
        else:
            parents = units[level - 1][starts]
        rank = _exchanged(rank, starts, kinds, parents)
    result = np.empty_like(slot)
    result[rank] = np.arange(len(rank))
    return result


def _starts(units: Integers) -> Integers:
    return np.flatnonzero(np.r_[True, np.diff(units) > 0])


def _kinds(inner: Integers, parents: Integers) -> Integers:
    """Kind of each unit by those of its inner units, in their order."""
    ends = np.r_[_starts(parents), len(parents)]
    known: dict[bytes, int] = {}
    return np.array(
        [
            known.setdefault(inner[first:last].tobytes(), len(known))
            for first, last in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        ],
        dtype=np.int64,
    )


def _kinds_of_nodes(nodes: Nodes, inner: Integers, pinned: Integers | None) -> Integers:
    """Nodes are alike that have one hierarchy as well; those that are pinned to are like none."""
    known: dict[object, int] = {}
    kinds = [
        known.setdefault((shape, kind), len(known))
        for shape, kind in zip(nodes.shapes, inner.tolist(), strict=True)
    ]
    for node in set() if pinned is None else set(pinned.tolist()):
        kinds[node] = len(known) + node
    return np.array(kinds, dtype=np.int64)


def _exchanged(rank: Integers, starts: Integers, kinds: Integers, parents: Integers) -> Integers:
    """Ranks by slot, after units of one kind and parent change places."""
    lowest = np.minimum.reduceat(rank, starts)
    targets = np.lexsort((np.arange(len(starts)), kinds, parents))
    contents = np.lexsort((lowest, kinds, parents))
    source = np.empty_like(targets)
    source[targets] = contents
    sizes = np.diff(np.r_[starts, len(rank)])
    within = np.arange(len(rank)) - np.repeat(starts, sizes)
    moved: Integers = rank[np.repeat(starts[source], sizes) + within]
    return moved
