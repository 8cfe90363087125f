"""The groups of a placement by costs for which they were not made."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.placement.costs import PairCosts, Weight, by_bytes, by_messages, signed
from planner.placement.message_times import pair_times
from planner.placement.placement import Placement
from scenarios.communication.ping_pong import PingPong
from solvers.partition.graph import Parts, cut
from solvers.partition.outcome import TOLERANCE

_NOTICED = 1e-3


@dataclass(frozen=True, eq=False)
class Other:
    """The same groups by a cost for which they were not made, between nodes.

    Attributes
    ----------
    weight, unit
        The cost.
    rank_order, cut
        Cost of the order of ranks, and of the placement.
    size
        Sum of all absolute weights.
    """

    weight: Weight
    unit: str
    rank_order: float
    cut: float
    size: float

    @property
    def worse(self) -> bool:
        """Whether the groups cost noticeably more by it than the order of ranks."""
        return self.cut - self.rank_order > max(
            TOLERANCE * self.size, _NOTICED * abs(self.rank_order)
        )


def other_costs(placement: Placement, table: PingPong) -> tuple[Other, ...]:
    """The placement by the costs that need no more than the file has."""
    communication = placement.communication
    costs = [by_bytes(communication)]
    if communication.messages is not None:
        costs += [by_messages(communication), signed(pair_times(communication, table))]
    order, part = placement.nodes.node.astype(np.int32), placement.partition.part
    return tuple(
        _other(cost, order, part) for cost in costs if cost.weight != placement.costs.weight
    )


def _other(costs: PairCosts, order: Parts, part: Parts) -> Other:
    graph = costs.graph
    return Other(costs.weight, costs.unit, cut(graph, order), cut(graph, part), graph.size)
