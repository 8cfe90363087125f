"""Which MPI tasks share a node, and within it a processor and a die.

References
----------
Li, de Supinski, Schulz, Nikolopoulos and Cameron (2010): power-aware MPI task aggregation,
sections IV-A and IV-B.
"""

from __future__ import annotations

import time
from collections.abc import Mapping as Named
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.errors import InputError
from planner.formatting import plural
from planner.placement import verdict, wording
from planner.placement.costs import PairCosts, Weight
from planner.placement.levels import Levels, bytes_by_level, level_costs
from planner.placement.nodes import Counted, Memory, Nodes, nodes_for, spans
from planner.placement.numbering import settled
from planner.placement.own import Algorithm, find_algorithm
from planner.placement.verdict import is_late
from solvers.mapping import Mapping, Problem, solve, total
from solvers.mapping.exact import MOST_VERTICES
from solvers.mapping.warm import warm
from solvers.partition.graph import Graph, cut
from solvers.partition.outcome import Partition, outcome
from solvers.partition.request import FREE, Partitioner

if TYPE_CHECKING:
    from planner.placement.hierarchy import Fill
    from scenarios.communication.matrix import Communication
    from scenarios.ping_pong import PingPong
    from solvers.partition.graph import Parts


@dataclass(frozen=True, eq=False)
class Placement:
    """Groups of ranks, one per node, and their cores, beside the order of ranks.

    Attributes
    ----------
    communication
        Who sends how much to whom.
    nodes
        Nodes with the cores that are taken.
    levels
        What it costs to part two ranks, by what they share.
    mapping
        Seat of each rank, with a bound over all levels.
    partition
        Nodes alone: cut and bound in plain costs.
    time_limit_s
        Of the algorithm.
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

    @cached_property
    def graph(self) -> Graph:
        """These costs as a graph."""
        costs = self.costs
        return Graph.from_edges(costs.ranks, costs.low, costs.high, costs.cost)

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
        core = self.nodes.core[self.mapping.seat]
        return [core[group].tolist() for group in self.groups]

    @property
    def ratio(self) -> float | None:
        """Cut over that of the rank order; ``None`` where that is not above 0."""
        return self.partition.cut / self.rank_order if self.rank_order > 0 else None

    @property
    def sentence(self) -> str:
        """The answer in words: what to do, how sure that is, and what found it."""
        told = (wording.sentence(self), wording.sureness(self), wording.finder(self))
        return " ".join(filter(None, told))

    def shown(self, weight: float) -> str:
        """A cost with its unit."""
        return wording.amount(weight, self.costs.unit)

    @property
    def hierarchical(self) -> bool:
        """Whether anything is known within nodes."""
        return bool(self.nodes.names)

    @property
    def in_order(self) -> bool:
        """Whether every rank is where the order of ranks has it."""
        if self.hierarchical:
            return bool((np.diff(self.mapping.seat) > 0).all())
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
        """The same with rank r on seat r."""
        problem = self.levels.problem(self.nodes, _FREE, seed=0, starts=1, time_limit_s=None)
        return total(problem, np.arange(self.nodes.node.size)) + self.levels.constant

    @property
    def total_bound(self) -> float:
        """No placement costs less."""
        return self.mapping.bound + self.levels.constant

    @cached_property
    def by_level(self) -> list[dict[str, Any]]:
        """Bytes between ranks that share no more than each level, here and in rank order."""
        here = bytes_by_level(self.communication, self.nodes, self.mapping.seat)
        order = np.arange(self.nodes.node.size)
        before = bytes_by_level(self.communication, self.nodes, order)
        distances = self.levels.distances or {}
        return [
            {
                "level": level,
                "distance": distances.get(level),
                "bytes": now,
                "bytes_rank_order": was,
            }
            for level, now, was in zip(self.nodes.levels, here, before, strict=True)
        ]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may mislead."""
        found = [*self.costs.warnings, *self.levels.warnings, *self.stopped]
        threads = max((shape.threads for shape in self.nodes.shapes if shape), default=1)
        if threads > 1:
            found.append(f"a task has a core to itself, with all of its {threads} hardware threads")
        indexes = dict.fromkeys(shape.indexes for shape in self.nodes.shapes if shape)
        found += [
            f"the operating system numbers hardware threads otherwise (indexes={each}); cores here "
            "are counted as hwloc counts them (lstopo -l)"
            for each in indexes
            if each
        ]
        silent = len(self.communication.silent)
        if silent:
            verbs = "neither sends nor receives" if silent == 1 else "neither send nor receive"
            found.append(f"{plural(silent, 'rank')} {verbs}: any node will do")
        if len(self.nodes.unused):
            found.append(_unused(self.nodes))
        if not self.graph.edges:
            found.append("no two ranks exchange anything: every grouping is as good")
        return tuple(dict.fromkeys(found))

    @property
    def stopped(self) -> tuple[str, ...]:
        """That time was over, where it may have cost something."""
        if not self.late or verdict.proved(self):
            return ()
        message = (
            f"stopped at the limit of {self.time_limit_s:g} s: another run may find other groups "
            "or bounds, and more time (--time-limit) may find or prove more"
        )
        return (message,)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is not known is ``None``."""
        found = self.partition
        known = bool(np.isfinite(found.bound))
        content: dict[str, Any] = {
            "name": self.communication.name,
            "sha256": self.communication.sha256,
            "form": self.communication.form,
            "ranks": self.graph.vertices,
            "nodes": len(self.groups),
            "cost": self.costs.weight,
            "unit": self.costs.unit,
            "groups": self.groups,
            "node_numbers": self.nodes.numbers.tolist(),
            "unused_nodes": self.nodes.unused.tolist(),
            "cut": found.cut,
            "cut_rank_order": self.rank_order,
            "ratio": self.ratio,
            "bound": found.bound if known else None,
            "gap": found.gap if known and np.isfinite(found.gap) else None,
            "status": found.status.value,
            "method": found.method,
            "time_limit_s": self.time_limit_s,
            "stopped_by_time": self.late,
            "summary": self.sentence,
            "warnings": list(self.warnings),
        }
        if self.hierarchical:
            content |= self._hierarchy_to_dict()
        return content

    def _hierarchy_to_dict(self) -> dict[str, Any]:
        known = bool(np.isfinite(self.total_bound)) and self.summed
        return {
            "hierarchies": [str(shape) for shape in dict.fromkeys(self.nodes.shapes) if shape],
            "cores": self.cores,
            "total": self.total if self.summed else None,
            "total_rank_order": self.total_rank_order if self.summed else None,
            "total_bound": self.total_bound if known else None,
            "total_status": self.mapping.status.value if self.summed else None,
            "by_level": self.by_level,
        }


def place(
    communication: Communication,
    *,
    nodes: int | None = None,
    tasks_per_node: int | None = None,
    capacities: Sequence[int] = (),
    hierarchies: Sequence[Counted] = (),
    memory: Memory | None = None,
    fill: Fill = "packed",
    pins: Named[int, int] | None = None,
    algorithm: str | Algorithm = "portfolio",
    weight: Weight = "bytes",
    distances: Named[str, float] | None = None,
    table: PingPong | None = None,
    message_bytes: float | None = None,
    seed: int = 0,
    starts: int = 10,
    time_limit_s: float | None = None,
) -> Placement:
    """Place ranks so that as little as possible is exchanged between nodes, and far within them.

    Parameters
    ----------
    communication
        Who sends how much to whom.
    nodes, tasks_per_node, capacities, hierarchies, memory, fill
        Nodes and their cores, as in :func:`planner.placement.nodes.nodes_for`.
    pins
        Node of each rank that must be there, both from 0; nodes by their numbers among those given.
    algorithm
        One of :data:`solvers.partition.known.BY_NAME`, or as for
        :func:`planner.placement.own.find_algorithm`.
    weight, distances, table, message_bytes
        What it costs to part two ranks, as in :func:`planner.placement.levels.level_costs`.
    seed, starts, time_limit_s
        Of the algorithm.

    Raises
    ------
    InputError
        Nodes that cannot be filled, pins that do not fit, an unknown algorithm, or one that does
        not suit the request.
    """
    chosen = find_algorithm(algorithm)
    made = nodes_for(
        communication.ranks,
        nodes=nodes,
        tasks_per_node=tasks_per_node,
        capacities=capacities,
        hierarchies=hierarchies,
        memory=memory,
        fill=fill,
        pins=pins,
    )
    fixed = _pinned(communication.ranks, made, pins or {})
    if communication.ranks > MOST_VERTICES:
        warm()
    levels = level_costs(communication, made, weight, table, distances, message_bytes)
    problem = levels.problem(made, fixed, seed=seed, starts=starts, time_limit_s=time_limit_s)
    why_not = chosen.suits(problem.request(0))
    if why_not:
        raise InputError(f"{chosen.name} does not suit: {why_not}; take portfolio, which suits all")
    mapping = mapping_by(levels, problem, chosen)
    took = time.perf_counter() - problem.began
    mapping = settled(problem, made, mapping, summed=levels.summed)
    alone, costs = mapping.outermost, levels.costs
    partition = outcome(
        Graph.from_edges(costs.ranks, costs.low, costs.high, costs.cost),
        made.node[mapping.seat].astype(np.int32),
        made.tasks,
        alone.bound / levels.scale,
        mapping.method if levels.summed else alone.method,
    )
    late = is_late(chosen.name, len(levels.graphs), time_limit_s, took)
    pinned = fixed != FREE
    moved = bool((fixed[pinned] != made.node[pinned]).any())
    return Placement(communication, made, levels, mapping, partition, time_limit_s, late, moved)


def compiled_before(ranks: int) -> bool:
    """Whether the loops for so many ranks lie compiled on disk, or none is needed."""
    from scenarios.compiled import on_disk
    from solvers.mapping.swaps import sweep

    return ranks <= MOST_VERTICES or on_disk(sweep)


def mapping_by(levels: Levels, problem: Problem, chosen: Partitioner) -> Mapping:
    """Seats by one algorithm; level by level, nodes first, where levels do not add up."""
    whole = chosen.name == "portfolio" and (levels.summed or problem.levels == 1)
    return solve(problem, None if whole else chosen)


def _unused(nodes: Nodes) -> str:
    numbers = nodes.unused.tolist()
    told = (
        f"{len(numbers):,} of {plural(nodes.offered, 'node')} "
        f"{'has' if len(numbers) == 1 else 'have'} no tasks (number {spans(numbers)}): nodes are "
        "filled in the order in which they are given"
    )
    return f"{told}; name those first that are to be filled"


_FREE: Parts = np.empty(0, dtype=np.int32)


def _pinned(ranks: int, nodes: Nodes, pins: Named[int, int]) -> Parts:
    fixed = np.full(ranks, FREE, dtype=np.int32)
    for rank, node in pins.items():
        if not 0 <= rank < ranks:
            raise InputError(f"rank {rank} is pinned, but ranks are 0 to {ranks - 1}")
        if not 0 <= node < nodes.offered:
            raise InputError(
                f"rank {rank} is pinned to node {node}, but nodes are 0 to {nodes.offered - 1}"
            )
        fixed[rank] = nodes.place_of(node)
    held = np.bincount(fixed[fixed != FREE], minlength=nodes.count)
    for node in np.flatnonzero(held > nodes.tasks)[:1].tolist():
        raise InputError(
            f"{plural(int(held[node]), 'rank')} are pinned to node {nodes.numbers[node]}, "
            f"which has {plural(int(nodes.tasks[node]), 'task')}; pin fewer, or give it more"
        )
    return fixed
