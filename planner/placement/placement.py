"""A placement: the node, and the core, of each rank, compared with the order of ranks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from planner.placement.levels import bytes_by_level
from solvers.mapping import total
from solvers.partition.graph import cut

if TYPE_CHECKING:
    import networkx as nx

    from planner.placement.costs import PairCosts
    from planner.placement.levels import Levels
    from planner.placement.nodes import Nodes
    from scenarios.communication.matrix import Communication
    from solvers.mapping import Mapping
    from solvers.partition.graph import Graph, Parts
    from solvers.partition.outcome import Partition

_FREE: Parts = np.empty(0, dtype=np.int32)


class LevelBytes(NamedTuple):
    """Bytes between ranks that share no more than a level.

    Attributes
    ----------
    level
        Its name.
    distance
        What a byte costs there; ``None`` with times of messages.
    bytes, bytes_rank_order
        As placed, and in the order of ranks.
    """

    level: str
    distance: float | None
    bytes: float
    bytes_rank_order: float


@dataclass(frozen=True, eq=False)
class Placement:
    """Groups of ranks, one per node, and their cores, compared with the order of ranks.

    Attributes
    ----------
    communication
        Who sends how much to whom.
    nodes
        Nodes with the cores that are taken.
    levels
        What it costs to part two ranks, by what they share.
    mapping
        Slot of each rank, with a bound over all levels.
    partition
        Nodes alone: cut and bound in plain costs.
    time_limit_s
        Time limit of the algorithm.
    late
        Whether it reached that, so that another run may differ.
    moved_by_pins
        Whether the order of ranks breaks a pin, so that it cannot be kept.
    """

    communication: Communication
    nodes: Nodes
    levels: Levels
    mapping: Mapping
    partition: Partition
    time_limit_s: float | None = None
    late: bool = False
    moved_by_pins: bool = False

    @property
    def costs(self) -> PairCosts:
        """What it costs to part two ranks on different nodes."""
        return self.levels.costs

    @property
    def graph(self) -> Graph:
        """These costs as a graph."""
        return self.costs.graph

    @cached_property
    def rank_order(self) -> float:
        """Cut of the default: consecutive ranks share a node."""
        return cut(self.graph, self.nodes.node)

    @cached_property
    def groups(self) -> list[list[int]]:
        """Ranks of each node, ascending."""
        nodes = range(len(self.partition.capacities))
        return [self.partition.members(node).tolist() for node in nodes]

    @cached_property
    def cores(self) -> list[list[int]]:
        """Core of each rank in ``groups``, counted through its node."""
        core = self.nodes.core[self.mapping.slot]
        return [core[group].tolist() for group in self.groups]

    @property
    def ratio(self) -> float | None:
        """Cut over that of the rank order; ``None`` where that is not above 0."""
        return self.partition.cut / self.rank_order if self.rank_order > 0 else None

    @property
    def hierarchical(self) -> bool:
        """Whether anything is known within nodes."""
        return bool(self.nodes.names)

    @property
    def in_order(self) -> bool:
        """Whether every rank is where the order of ranks has it."""
        if self.hierarchical:
            return bool((np.diff(self.mapping.slot) > 0).all())
        return bool((np.diff(self.partition.part) >= 0).all())

    @property
    def summed(self) -> bool:
        """Whether costs of all levels add up to what was to be least, rather than the cut alone."""
        return self.levels.summed

    @cached_property
    def total(self) -> float:
        """Costs at all levels: weight times distance, or the time of all messages [us]."""
        return self.mapping.total + self.levels.constant

    @cached_property
    def total_rank_order(self) -> float:
        """The same with rank r on slot r."""
        problem = self.levels.problem(self.nodes, _FREE, seed=0, starts=1, time_limit_s=None)
        return total(problem, np.arange(self.nodes.node.size)) + self.levels.constant

    @property
    def total_bound(self) -> float:
        """No placement costs less."""
        return self.mapping.bound + self.levels.constant

    @cached_property
    def by_level(self) -> tuple[LevelBytes, ...]:
        """Bytes between ranks that share no more than each level, outermost first."""
        here = bytes_by_level(self.communication, self.nodes, self.mapping.slot)
        order = np.arange(self.nodes.node.size)
        before = bytes_by_level(self.communication, self.nodes, order)
        distances = self.levels.distances or {}
        return tuple(
            LevelBytes(level, distances.get(level), now, was)
            for level, now, was in zip(self.nodes.levels, here, before, strict=True)
        )

    def to_networkx(self) -> nx.Graph[int]:
        """Return the ranks, and the cost of separating them, as a graph of networkx.

        Attributes of a node: ``rank``; ``node``, its number among those given; ``slot``, its core
        there (in order of the ranks where cores are not known). Attributes of an edge: ``weight``,
        the cost of separating the two ranks; ``cut``, whether they are on different nodes.
        Attributes of the graph: ``name``, ``cost`` and ``unit`` of the weights, and ``cut``, the
        sum of the weights between nodes.

        Examples
        --------
        >>> import headroom as hr
        >>> import networkx as nx
        >>> ring = nx.Graph([(0, 2), (2, 1), (1, 3), (3, 0)])
        >>> placed = hr.place(ring, nodes=2).placement.to_networkx()
        >>> placed.graph["cut"], [placed.nodes[rank]["node"] for rank in range(4)]
        (2.0, [0, 1, 1, 0])
        """
        import networkx as nx

        part = self.partition.part.tolist()
        numbers, slots = self.nodes.numbers.tolist(), self.nodes.core[self.mapping.slot].tolist()
        graph = nx.Graph(
            name=self.communication.name,
            cost=self.costs.weight,
            unit=self.costs.unit,
            cut=self.partition.cut,
        )
        for rank, (own, slot) in enumerate(zip(part, slots, strict=True)):
            graph.add_node(rank, rank=rank, node=numbers[own], slot=slot)
        for u, v, weight in self.graph.edge_list():
            graph.add_edge(u, v, weight=weight, cut=part[u] != part[v])
        return graph
