"""Free nodes by identity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush

from planner.errors import InputError


class NodePool:
    """Free nodes, handed out in order of preference.

    Parameters
    ----------
    nodes
        Number of nodes of the cluster; nodes are numbered from 0 on.
    order
        A permutation of them, the preferred ones first; ``None`` for the order of numbers.
    in_use
        How many of the first ones are in use: nodes 0 to ``in_use - 1``.

    Raises
    ------
    InputError
        The order is not a permutation of the nodes.
    """

    def __init__(self, nodes: int, order: Sequence[int] | None, in_use: int) -> None:
        self._order = list(range(nodes)) if order is None else [int(node) for node in order]
        if sorted(self._order) != list(range(nodes)):
            raise InputError(
                f"node_order is not a permutation of the {nodes:,} nodes; name every node from 0 "
                f"to {nodes - 1:,} once"
            )
        self._rank = {node: rank for rank, node in enumerate(self._order)}
        # Ranks instead of node numbers: the least one of the heap is the preferred free node.
        self._free = [self._rank[node] for node in range(in_use, nodes)]
        heapify(self._free)

    def __len__(self) -> int:
        return len(self._free)

    def take(self, count: int) -> tuple[int, ...]:
        """Take the preferred ones of the free nodes, of which there must be enough."""
        return tuple(self._order[heappop(self._free)] for _ in range(count))

    def give_back(self, nodes: Iterable[int]) -> None:
        """Free nodes."""
        for node in nodes:
            heappush(self._free, self._rank[node])
