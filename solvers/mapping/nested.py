"""Mappings made level by level: from the outermost units inwards, and from the innermost outwards.

Inwards each unit is cut into its inner units by a partitioner, the weights of that level alone
deciding. Outwards all innermost units are filled first, then they are gathered: a graph of units
is cut, whose weights are those of the next level.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.mapping.problem import Problem
from solvers.model.milp import Indices
from solvers.partition.graph import Graph, inner
from solvers.partition.outcome import Partition
from solvers.partition.portfolio import Portfolio
from solvers.partition.request import Partitioner

_TIME = 0.5
"""Share of the time left that the units of a level may take together."""


def inwards(problem: Problem, outermost: Partition, partitioner: Partitioner) -> Indices:
    """Slot of each vertex, beginning with a partition into the outermost units."""
    part = outermost.part.astype(np.int64)
    for level in range(1, problem.levels):
        part = _split(problem, level, part, partitioner)
    return on_slots(part)


def _split(problem: Problem, level: int, part: Indices, partitioner: Partitioner) -> Indices:
    """Cut each unit of the level above into its units of this one."""
    above, units = problem.units[level - 1], problem.units[level]
    sizes, first = problem.sizes(level), np.flatnonzero(np.r_[True, np.diff(units) > 0])
    parents = above[first]
    order = np.argsort(part, kind="stable")
    ends = np.cumsum(problem.sizes(level - 1))
    made = np.empty_like(part)
    for parent, end in enumerate(ends.tolist()):
        members = np.sort(order[(ends[parent - 1] if parent else 0) : end])
        children = np.arange(*np.searchsorted(parents, (parent, parent + 1)))
        share = _TIME / (len(ends) - parent)
        made[members] = children[_cut(problem, level, members, sizes[children], partitioner, share)]
    return made


def _cut(
    problem: Problem,
    level: int,
    members: Indices,
    sizes: Indices,
    partitioner: Partitioner,
    share: float,
) -> Indices:
    in_order = np.repeat(np.arange(len(sizes)), sizes)
    if len(sizes) == 1:
        return in_order
    graph = inner(problem.graphs[level], members)
    if not graph.edges:
        return in_order
    request = problem.split(graph, sizes, share)
    chosen = Portfolio() if partitioner.suits(request) else partitioner
    return chosen.partition(request).part.astype(np.int64)


def outwards(problem: Problem, innermost: Partition) -> list[Indices]:
    """Slot of each vertex, beginning with a partition into the innermost units.

    Nothing where units of one level differ in size, or a vertex is pinned: then filled units do
    not fit everywhere.
    """
    if problem.request(0).pinned or any(
        len(set(problem.sizes(level).tolist())) > 1 for level in range(problem.levels)
    ):
        return []
    # Filled units, a row of vertices each, in the order of their slots.
    blocks = np.argsort(innermost.part, kind="stable").reshape(innermost.capacities.size, -1)
    for level in range(problem.levels - 2, -1, -1):
        unit = np.empty(problem.vertices, dtype=np.int64)
        unit[blocks] = np.arange(len(blocks))[:, None]
        gathered = _quotient(problem.graphs[level], unit, len(blocks))
        parents = int(problem.units[level][-1]) + 1
        if parents < len(blocks) and gathered.edges:
            request = problem.split(gathered, np.full(parents, len(blocks) // parents))
            blocks = blocks[np.argsort(Portfolio().partition(request).part, kind="stable")]
        blocks = blocks.reshape(parents, -1)
    slot = np.empty(problem.vertices, dtype=np.int64)
    slot[blocks.ravel()] = np.arange(problem.vertices)
    return [slot]


def _quotient(graph: Graph, unit: Indices, units: int) -> Graph:
    """Units as vertices, with the weight between them."""
    low, high, weights = graph.once()
    return Graph.from_edges(units, unit[low], unit[high], weights)


def on_slots(part: NDArray[np.integer]) -> Indices:
    """Vertices of each innermost unit on its slots, in their order."""
    slot = np.empty(len(part), dtype=np.int64)
    slot[np.argsort(part, kind="stable")] = np.arange(len(part))
    return slot
