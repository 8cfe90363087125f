"""Which MPI tasks share a node, and within it a processor and a die.

References
----------
Li, de Supinski, Schulz, Nikolopoulos and Cameron (2010): power-aware MPI task aggregation,
sections IV-A and IV-B.
"""

from __future__ import annotations

import time
from collections.abc import Mapping as Named
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from planner.errors import InputError
from planner.formulations.mapping import map_ranks
from planner.placement.costs import Weight
from planner.placement.levels import Levels, level_costs
from planner.placement.nodes import Nodes, NodeSizes, nodes_for
from planner.placement.numbering import settled
from planner.placement.own import Algorithm, find_algorithm
from planner.placement.pins import pinned_nodes
from planner.placement.placement import Placement
from planner.placement.reference import Reference
from planner.placement.values import is_late
from solvers.mapping import Mapping, Problem, solve
from solvers.mapping.exact import MOST_VERTICES
from solvers.mapping.warm import warm
from solvers.partition.outcome import outcome
from solvers.partition.request import FREE, Partitioner

if TYPE_CHECKING:
    from scenarios.communication.matrix import Communication
    from scenarios.communication.ping_pong import PingPong
    from solvers.partition.graph import Graph, Parts
    from solvers.partition.outcome import Partition


class PlacementRequest(NodeSizes, total=False):
    """Arguments of :func:`place`, without the algorithm."""

    pins: Named[int, int] | None
    weight: Weight
    distances: Named[str, float] | None
    table: PingPong | None
    message_bytes: float | None
    seed: int
    starts: int
    time_limit_s: float | None


def place(
    communication: Communication,
    *,
    algorithm: str | Algorithm | type[Algorithm] = "portfolio",
    **request: Unpack[PlacementRequest],
) -> Placement:
    """Place ranks so that as little as possible is exchanged between nodes, and far within them.

    Parameters
    ----------
    communication
        Who sends how much to whom.
    algorithm
        One of :data:`solvers.partition.registry.BY_NAME`, or as for
        :func:`planner.placement.own.find_algorithm`.
    request
        Nodes, pins, costs and limits, as in :func:`placement_problem`.

    Raises
    ------
    InputError
        Nodes that cannot be filled, pins that do not fit, an unknown algorithm, or one that does
        not suit the request.
    """
    chosen = find_algorithm(algorithm)
    built = placement_problem(communication, **request)
    made, levels, problem, fixed = built.nodes, built.levels, built.problem, built.fixed
    why_not = chosen.suits(problem.request(0))
    if why_not:
        raise InputError(f"{chosen.name} does not suit: {why_not}; take portfolio, which suits all")
    mapping = mapping_by(levels, problem, chosen)
    took = time.perf_counter() - problem.began
    mapping = settled(problem, made, mapping, summed=levels.summed)
    partition = nodes_alone(levels, made, levels.costs.graph, mapping)
    time_limit_s = problem.time_limit_s
    late = is_late(chosen.name, len(levels.graphs), time_limit_s, took)
    pinned = fixed != FREE
    moved = bool((fixed[pinned] != made.node[pinned]).any())
    return Placement(communication, made, levels, mapping, partition, time_limit_s, late, moved)


@dataclass(frozen=True, eq=False)
class PlacementProblem:
    """The placement problem, before any algorithm is chosen.

    Attributes
    ----------
    nodes, levels
        The nodes that are filled, and the cost of separating ranks at each level.
    problem
        The same problem without names.
    fixed
        Node of each pinned rank among ``nodes``; ``FREE`` for the others, of shape ``(ranks,)``.
    """

    nodes: Nodes
    levels: Levels
    problem: Problem
    fixed: Parts


def placement_problem(
    communication: Communication,
    *,
    pins: Named[int, int] | None = None,
    weight: Weight = "bytes",
    distances: Named[str, float] | None = None,
    table: PingPong | None = None,
    message_bytes: float | None = None,
    seed: int = 0,
    starts: int = 10,
    time_limit_s: float | None = None,
    **nodes: Unpack[NodeSizes],
) -> PlacementProblem:
    """The problem behind :func:`place`.

    Parameters
    ----------
    communication
        Who sends how much to whom.
    pins
        Node of each rank that must be there, both from 0; nodes by their numbers among those given.
    weight, distances, table, message_bytes
        What it costs to part two ranks, as in :func:`planner.placement.levels.level_costs`.
    seed, starts, time_limit_s
        Seed, number of random starts and time limit of the algorithm.
    nodes
        Nodes and their cores, as in :func:`planner.placement.nodes.nodes_for`.

    Raises
    ------
    InputError
        Nodes that cannot be filled, or pins that do not fit.
    """
    made = nodes_for(communication.ranks, pins=pins, **nodes)
    fixed = pinned_nodes(communication.ranks, made, pins or {})
    if communication.ranks > MOST_VERTICES:
        warm()
    levels = level_costs(communication, made, weight, table, distances, message_bytes)
    problem = levels.problem(made, fixed, seed=seed, starts=starts, time_limit_s=time_limit_s)
    return PlacementProblem(made, levels, problem, fixed)


def mapping_by(levels: Levels, problem: Problem, chosen: Partitioner) -> Mapping:
    """Slots by one algorithm; level by level, nodes first, where levels do not add up."""
    summed = levels.summed or problem.levels == 1
    if isinstance(chosen, Reference) and summed:
        return map_ranks(problem, solver=chosen.solver)
    whole = chosen.name == "portfolio" and summed
    return solve(problem, None if whole else chosen)


def nodes_alone(levels: Levels, nodes: Nodes, graph: Graph, mapping: Mapping) -> Partition:
    """The nodes of a mapping, with cut and bound in plain costs; ``graph`` has these costs."""
    alone = mapping.outermost
    return outcome(
        graph,
        nodes.node[mapping.slot].astype(np.int32),
        nodes.tasks,
        alone.bound / levels.scale,
        mapping.method if levels.summed else alone.method,
    )
