"""A placement, and what other algorithms, costs and numbers of tasks on a node give."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from planner.placement import values
from planner.placement.traffic import Pairs, by_node, cut_pairs, node_pairs
from solvers.partition.outcome import closed

if TYPE_CHECKING:
    from planner.placement.compared import PlacementSettings, Tried
    from planner.placement.layout import Layout
    from planner.placement.other_costs import Other
    from planner.placement.placement import Placement
    from planner.placement.sizes import Size
    from scenarios.communication.matrix import Floats, Integers
    from scenarios.communication.ping_pong import PingPong
    from solvers.partition.graph import Graph
    from solvers.partition.request import Unsuited


@dataclass(frozen=True, eq=False, repr=False)
class PlacementResult:
    """A placement, compared.

    Attributes
    ----------
    placement
        Its bounds are the best of all algorithms that were tried.
    layout
        Hosts and cores of the ranks.
    settings
        How it was found.
    tried
        What each algorithm found, that of the placement among them.
    refused
        Why others cannot answer, by name.
    others
        The placement by other costs.
    sizes
        Other numbers of tasks on a node; empty where they are not asked for.
    ping_pong
        Ping-pong times behind a cost in time; ``None`` where none were used.
    """

    placement: Placement
    layout: Layout
    settings: PlacementSettings
    tried: tuple[Tried, ...]
    refused: dict[str, Unsuited]
    others: tuple[Other, ...]
    sizes: tuple[Size, ...]
    ping_pong: PingPong | None

    @property
    def graph(self) -> Graph:
        """What it costs to part two ranks on different nodes."""
        return self.placement.graph

    @property
    def nodes(self) -> int:
        """How many have tasks."""
        return self.placement.nodes.count

    @property
    def value(self) -> float:
        """The minimised value: the cut, or with a hierarchy the cost over all levels."""
        return values.value_of(self.placement)

    @property
    def order_value(self) -> float:
        """The same for the order of ranks."""
        return values.order_value_of(self.placement)

    @property
    def bound(self) -> float:
        """No placement is below; minus infinity where nothing is known."""
        return values.bound_of(self.placement)

    @property
    def gap(self) -> float:
        """How much less, as a share, is not ruled out; infinite where that is not known."""
        return values.gap_of(self.placement)

    @property
    def tolerance(self) -> float:
        """Values nearer than this are the same."""
        return values.tolerance_of(self.placement)

    @property
    def comparison(self) -> values.Comparison:
        """Whether the placement is better than the order of ranks."""
        return values.comparison(self.placement)

    @property
    def slight(self) -> bool:
        """Whether less than a hundredth is gained, which nobody will notice."""
        return values.slight(self.placement)

    @property
    def proved(self) -> bool:
        """Whether no placement has less."""
        return values.proved(self.placement)

    def reached(self, attempt: Tried) -> bool:
        """Whether an algorithm's result is optimal by the best limit of all algorithms."""
        return closed(attempt.value, self.bound)

    @property
    def bound_by(self) -> tuple[str, ...]:
        """The algorithms whose bound is the best."""
        best = max(attempt.bound for attempt in self.tried)
        if not np.isfinite(best):
            return ()
        return tuple(
            attempt.name for attempt in self.tried if best - attempt.bound <= self.tolerance
        )

    @property
    def in_order(self) -> bool:
        """Whether every rank is where the order of ranks has it."""
        return self.placement.in_order

    @property
    def stopped_by_time(self) -> bool:
        """Whether another run may differ."""
        return any(attempt.late for attempt in self.tried) or any(size.late for size in self.sizes)

    @property
    def order_part(self) -> Integers:
        """Node of each rank in the order of ranks."""
        return self.placement.nodes.node

    @cached_property
    def node_pairs(self) -> Pairs:
        """Nodes that exchange something."""
        return node_pairs(self.graph, self.placement.partition.part)

    @cached_property
    def cut_pairs(self) -> Pairs:
        """Ranks that exchange something and are on different nodes."""
        return cut_pairs(self.graph, self.placement.partition.part)

    @cached_property
    def by_node(self) -> tuple[Floats, Floats]:
        """Weight inside each node, and between it and the others."""
        return by_node(self.graph, self.placement.partition.part, self.nodes)

    @cached_property
    def by_node_in_order(self) -> tuple[Floats, Floats]:
        """The same in the order of ranks."""
        return by_node(self.graph, self.order_part.astype(np.int32), self.nodes)

    @cached_property
    def as_placed(self) -> Integers:
        """The ranks, node by node, and within nodes by their cores where these are placed."""
        if self.placement.hierarchical:
            return np.argsort(self.placement.mapping.slot, kind="stable")
        return np.argsort(self.placement.partition.part, kind="stable")
