"""The same program with other numbers of tasks on a node: what is gained there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.placement.compared import PlacementSettings
from planner.placement.nodes import nodes_for
from planner.placement.placement import Placement
from solvers.partition.graph import cut
from solvers.partition.outcome import Partition
from solvers.partition.registry import BY_NAME
from solvers.partition.request import Request

MOST_RANKS = 2_048
"""Largest number of ranks that are grouped again, which takes seconds in all."""

_FACTORS = (0.25, 0.5, 2.0, 4.0)
_QUICK = ("dynamic", "matching", "multilevel")
"""The first that suits: exact for few ranks and for pairs, else a heuristic with its bound."""


@dataclass(frozen=True, eq=False)
class Size:
    """What is gained at a number of tasks on a node.

    Attributes
    ----------
    tasks, nodes
        On each node, the last one having what is left; how many nodes.
    rank_order
        Cut of the order of ranks.
    partition
        The groups found, with their bound.
    late
        Whether the time limit was reached, so that another run may differ.
    """

    tasks: int
    nodes: int
    rank_order: float
    partition: Partition
    late: bool = False


def other_sizes(placement: Placement, settings: PlacementSettings) -> tuple[Size, ...]:
    """Group again for a quarter to four times as many tasks on a node.

    The result is empty where the comparison would not be fair: with a hierarchy of cores, nodes of
    different sizes, or pins. It is also empty for the published cost, which depends on the number
    itself, and above ``MOST_RANKS``.
    """
    tasks, ranks = placement.nodes.tasks, placement.graph.vertices
    unlike = bool((np.abs(tasks[:-1] - tasks[0]) > 1).any())
    if placement.hierarchical or unlike or settings.pins or placement.costs.weight == "paper":
        return ()
    if ranks > MOST_RANKS or not placement.graph.edges:
        return ()
    own = int(tasks.max())
    sizes = dict.fromkeys(int(own * factor) for factor in _FACTORS)
    return tuple(_size(placement, settings, size) for size in sizes if 2 <= size < ranks)


def _size(placement: Placement, settings: PlacementSettings, tasks: int) -> Size:
    nodes = nodes_for(placement.graph.vertices, tasks_per_node=tasks)
    request = Request(
        placement.graph,
        nodes.tasks,
        seed=settings.seed,
        starts=settings.starts,
        time_limit_s=settings.time_limit_s,
    )
    chosen = next(BY_NAME[name] for name in _QUICK if not BY_NAME[name].suits(request))
    order = cut(placement.graph, nodes.node)
    result = chosen.partition(request)
    return Size(tasks, nodes.count, order, result, request.late())
