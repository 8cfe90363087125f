"""Placement on cores: what two tasks share decides what their messages cost.

Levels, outermost first: nothing but the network, the node, and what the hierarchy names within it.
With :math:`c_l` the cost of a pair that shares no more than level l, its weight at level l is
:math:`c_l - c_{l+1}`, what being apart there costs more than being together. With bytes or messages
:math:`c_l` is their number times the distance of the level; with ``signed`` the time of all
messages of the pair; with ``paper`` the weight itself is the published cost of the two times.

References
----------
Power-aware MPI task aggregation, section IV: tasks on nodes, then "the same algorithm" for
processors, then dies.
"""

from __future__ import annotations

from collections.abc import Mapping as Named
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from planner.errors import InputError
from planner.placement.costs import (
    PairCosts,
    Weight,
    by_bytes,
    by_messages,
    paper,
    signed,
)
from planner.placement.distances import assumed_distances, distances_of
from planner.placement.message_times import pair_times
from planner.placement.nodes import Nodes
from scenarios.communication.matrix import Communication, Floats, Integers
from scenarios.communication.ping_pong import PingPong
from solvers.mapping import Problem
from solvers.partition.graph import Graph, Parts


@dataclass(frozen=True, eq=False)
class Levels:
    """Costs of parting at each level.

    Attributes
    ----------
    costs
        Costs of tasks on different nodes, plainly: bytes, messages, or times against those within.
    graphs
        Weights by level, outermost first.
    constant
        What all pairs cost at least, sharing all that can be shared.
    distances
        Distance of each level; ``None`` with times.
    scale
        Weight of the outermost graph over the plain cost.
    assumed
        Names of the levels whose distance was not given.
    """

    costs: PairCosts
    graphs: tuple[Graph, ...]
    constant: float
    distances: dict[str, float] | None
    scale: float
    assumed: tuple[str, ...] = ()

    @property
    def summed(self) -> bool:
        """Whether the costs of several levels add up to one objective.

        The published cost has an objective per level: nodes first, then the units within each node.
        """
        return len(self.graphs) > 1 and self.costs.weight != "paper"

    def problem(
        self, nodes: Nodes, fixed: Parts, *, seed: int, starts: int, time_limit_s: float | None
    ) -> Problem:
        """Tasks on slots."""
        return Problem(self.graphs, nodes.units, fixed, seed, starts, time_limit_s)


def level_costs(
    communication: Communication,
    nodes: Nodes,
    weight: Weight,
    table: PingPong | None = None,
    distances: Named[str, float] | None = None,
    message_bytes: float | None = None,
) -> Levels:
    """Costs by level.

    Parameters
    ----------
    table
        Ping-pong times, for ``signed`` and ``paper``; by default the bundled, assumed ones.
    distances
        Distances of levels, for bytes and messages, not rising inwards. Those that are not given
        are assumed: ten times that of the next level inwards, 1 at the innermost.
    message_bytes
        Mean size of a message, for ``signed`` and ``paper`` where messages are not known.

    Raises
    ------
    InputError
        Distances for times, of no level, or rising inwards.
    """
    if weight in {"bytes", "messages"}:
        return _by_distance(communication, nodes, weight, dict(distances or {}))
    if distances:
        raise InputError(
            f"distances apply to the costs bytes and messages only; {weight} uses message times"
        )
    if table is None:
        from scenarios.communication.ping_pong import bundled_ping_pong

        table = bundled_ping_pong()
    return _by_time(communication, nodes, weight, table, message_bytes)


def _by_distance(
    communication: Communication, nodes: Nodes, weight: Weight, given: dict[str, float]
) -> Levels:
    costs = by_bytes(communication) if weight == "bytes" else by_messages(communication)
    known = distances_of(nodes.levels, given)
    assumed = assumed_distances(known, given)
    values = list(known.values())
    steps = [outer - inner for outer, inner in pairwise(values)]
    graphs = tuple(
        Graph.from_edges(costs.ranks, costs.low, costs.high, costs.cost * step) for step in steps
    )
    constant = float(costs.cost.sum() * values[-1])
    return Levels(costs, graphs, constant, known, steps[0], assumed)


def _by_time(
    communication: Communication,
    nodes: Nodes,
    weight: Weight,
    table: PingPong,
    message_bytes: float | None,
) -> Levels:
    made: list[PairCosts] = []
    inmost: Floats = np.zeros(communication.pairs)
    for level, (apart, together) in enumerate(pairwise(nodes.sharings)):
        times = pair_times(
            communication,
            table,
            message_bytes=message_bytes,
            within=together,
            between=apart,
        )
        largest = int(np.bincount(nodes.units[level]).max())
        made.append(signed(times) if weight == "signed" else paper(times, largest))
        inmost = times.intra_us
    graphs = tuple(costs.graph for costs in made)
    constant = float(inmost.sum()) if weight == "signed" else 0.0
    return Levels(made[0], graphs, constant, None, 1.0)


def bytes_by_level(communication: Communication, nodes: Nodes, slot: Integers) -> list[float]:
    """Bytes of the pairs that share no more than each level; ``slot`` of each rank."""
    shared = np.ones(communication.pairs, dtype=np.int64) * len(nodes.units)
    for level in range(len(nodes.units) - 1, -1, -1):
        unit = nodes.units[level][slot]
        shared[unit[communication.low] != unit[communication.high]] = level
    sums = np.bincount(shared, communication.bytes, len(nodes.units) + 1)
    return [float(level_sum) for level_sum in sums]
