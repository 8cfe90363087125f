"""Pins of ranks to nodes, checked against the nodes that are filled."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from planner.errors import InputError
from planner.formatting import plural
from planner.placement.nodes import Nodes
from solvers.partition.graph import Parts
from solvers.partition.request import FREE


def pinned_nodes(ranks: int, nodes: Nodes, pins: Mapping[int, int]) -> Parts:
    """Return the node of each pinned rank, ``FREE`` for the others; shape ``(ranks,)``.

    Parameters
    ----------
    ranks
        How many there are.
    nodes
        Those that are filled.
    pins
        Node of each rank that must be there; nodes by their numbers among those given.

    Raises
    ------
    InputError
        A rank or a node does not exist, or more ranks are pinned to a node than it has tasks.
    """
    fixed = np.full(ranks, FREE, dtype=np.int32)
    for rank, node in pins.items():
        if not 0 <= rank < ranks:
            raise InputError(
                f"rank {rank} is pinned, but ranks go from 0 to {ranks - 1}; correct --pin"
            )
        if not 0 <= node < nodes.offered:
            raise InputError(
                f"rank {rank} is pinned to node {node}, but nodes go from 0 to "
                f"{nodes.offered - 1}; correct --pin"
            )
        fixed[rank] = nodes.index_of(node)
    held = np.bincount(fixed[fixed != FREE], minlength=nodes.count)
    for node in np.flatnonzero(held > nodes.tasks)[:1].tolist():
        raise InputError(
            f"{plural(int(held[node]), 'rank')} are pinned to node {nodes.numbers[node]}, "
            f"which has {plural(int(nodes.tasks[node]), 'slot')}; pin fewer ranks, or give it "
            "more slots"
        )
    return fixed
