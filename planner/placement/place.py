"""Which MPI tasks share a node: groups of ranks with the least weight between them.

References
----------
Li, de Supinski, Schulz, Nikolopoulos and Cameron (2010): power-aware MPI task aggregation,
sections IV-A and IV-B.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.configuration.wording import plural
from planner.errors import InputError
from planner.placement.costs import (
    PairCosts,
    Weight,
    by_bytes,
    by_messages,
    pair_times,
    paper,
    signed,
)
from scenarios.wording import nearest
from solvers.partition.graph import Graph, cut
from solvers.partition.known import BY_NAME
from solvers.partition.outcome import Partition
from solvers.partition.request import Request

if TYPE_CHECKING:
    from scenarios.communication.matrix import Communication, Integers
    from scenarios.ping_pong import PingPong


@dataclass(frozen=True, eq=False)
class Placement:
    """Groups of ranks, one per node, beside the order of ranks.

    Attributes
    ----------
    communication
        Who sends how much to whom.
    costs
        What it costs to part two ranks.
    graph
        The same as a graph.
    partition
        What was found, with its bound.
    rank_order
        Cut of the default: consecutive ranks share a node.
    """

    communication: Communication
    costs: PairCosts
    graph: Graph
    partition: Partition
    rank_order: float

    @cached_property
    def groups(self) -> list[list[int]]:
        """Ranks of each node, ascending."""
        nodes = range(len(self.partition.capacities))
        return [self.partition.members(node).tolist() for node in nodes]

    @property
    def ratio(self) -> float | None:
        """Cut over that of the rank order; ``None`` where that is not above 0."""
        return self.partition.cut / self.rank_order if self.rank_order > 0 else None

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        found, unit = self.partition, self.costs.unit or "units"
        where = f"{plural(len(self.groups), 'node')}, {plural(self.graph.vertices, 'task')}"
        saved = (
            "as in the order of ranks"
            if found.cut == self.rank_order
            else f"{self.rank_order:,.6g} in the order of ranks"
        )
        if found.gap == 0:
            proof = "no grouping has less, proved"
        elif np.isfinite(found.bound):
            proof = f"no grouping has less than {found.bound:,.6g}"
        else:
            proof = "how much less is possible is not known"
        return (
            f"{self.communication.name} on {where}: {found.cut:,.6g} {unit} between nodes, "
            f"{saved}; {proof} ({found.method})."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may mislead."""
        found = [*self.costs.warnings]
        silent = len(self.communication.silent)
        if silent:
            found.append(f"{plural(silent, 'rank')} neither send nor receive: any node will do")
        if not self.graph.edges:
            found.append("no two ranks exchange anything: every grouping is as good")
        return tuple(dict.fromkeys(found))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is not known is ``None``."""
        found = self.partition
        known = bool(np.isfinite(found.bound))
        return {
            "name": self.communication.name,
            "sha256": self.communication.sha256,
            "ranks": self.graph.vertices,
            "nodes": len(self.groups),
            "cost": self.costs.weight,
            "unit": self.costs.unit,
            "groups": self.groups,
            "cut": found.cut,
            "cut_rank_order": self.rank_order,
            "ratio": self.ratio,
            "bound": found.bound if known else None,
            "gap": found.gap if known and np.isfinite(found.gap) else None,
            "status": found.status.value,
            "method": found.method,
            "summary": self.sentence,
            "warnings": list(self.warnings),
        }


def place(
    communication: Communication,
    *,
    nodes: int | None = None,
    tasks_per_node: int | None = None,
    algorithm: str = "portfolio",
    weight: Weight = "bytes",
    table: PingPong | None = None,
    seed: int = 0,
    starts: int = 10,
    time_limit_s: float | None = None,
) -> Placement:
    """Group ranks on nodes so that as little as possible is exchanged between nodes.

    Parameters
    ----------
    communication
        Who sends how much to whom.
    nodes
        How many, their numbers of tasks as equal as can be; or:
    tasks_per_node
        How many tasks each node has; the last one has what is left.
    algorithm
        One of :data:`solvers.partition.known.BY_NAME`.
    weight
        What it costs to part two ranks.
    table
        Ping-pong times, for ``signed`` and ``paper``; by default the bundled, assumed ones.
    seed, starts, time_limit_s
        Of the algorithm.

    Raises
    ------
    InputError
        Nodes that cannot be filled, an unknown algorithm, or one that does not suit the request.
    """
    sizes = capacities(communication.ranks, nodes, tasks_per_node)
    if algorithm not in BY_NAME:
        raise InputError(
            f"there is no algorithm {algorithm!r}; {nearest(algorithm, list(BY_NAME))}"
        )
    costs = _costs(communication, weight, table, int(sizes.max()))
    graph = Graph.from_edges(costs.ranks, costs.low, costs.high, costs.cost)
    request = Request(graph, sizes, seed=seed, starts=starts, time_limit_s=time_limit_s)
    chosen = BY_NAME[algorithm]
    why_not = chosen.suits(request)
    if why_not:
        raise InputError(f"{algorithm} does not suit: {why_not}; take portfolio, which suits all")
    in_order = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    return Placement(communication, costs, graph, chosen.partition(request), cut(graph, in_order))


def capacities(ranks: int, nodes: int | None, tasks_per_node: int | None) -> Integers:
    """Tasks of each node.

    Examples
    --------
    >>> capacities(10, 4, None).tolist(), capacities(10, None, 4).tolist()
    ([3, 3, 2, 2], [4, 4, 2])

    Raises
    ------
    InputError
        Neither or both are given, or there are more nodes than tasks.
    """
    if (nodes is None) == (tasks_per_node is None):
        raise InputError("give the number of nodes or of tasks per node, one of the two")
    if nodes is not None:
        if not 1 <= nodes <= ranks:
            raise InputError(f"{ranks} tasks do not fill {nodes} nodes; give 1 to {ranks} nodes")
        least, more = divmod(ranks, nodes)
        return np.array([least + (node < more) for node in range(nodes)], np.int64)
    if tasks_per_node is None or tasks_per_node < 1:
        raise InputError(f"{tasks_per_node} tasks per node place nobody; give 1 or more")
    whole, rest = divmod(ranks, tasks_per_node)
    return np.array([tasks_per_node] * whole + [rest] * (rest > 0), np.int64)


def _costs(
    communication: Communication, weight: Weight, table: PingPong | None, largest: int
) -> PairCosts:
    if weight == "bytes":
        return by_bytes(communication)
    if weight == "messages":
        return by_messages(communication)
    if table is None:
        from scenarios.ping_pong import bundled_ping_pong

        table = bundled_ping_pong()
    times = pair_times(communication, table)
    return signed(times) if weight == "signed" else paper(times, largest)
