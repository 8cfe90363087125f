"""Which ranks share a node, by every method: least traffic between nodes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec

import numpy as np

from planner.comparison.method import ComparedDecision, Instance, Method, MethodAnswer, MethodKind
from planner.errors import PlanError
from planner.formulations.legends import of_partition
from planner.formulations.model_files import NamedModel
from planner.formulations.partition import formulate, nonzeros_of
from planner.formulations.partition import partition as reference
from planner.formulations.solved import GAP, refuse_large
from planner.placement.costs import by_bytes
from planner.placement.own import Algorithm, find_algorithm
from scenarios.communication.matrix import Communication
from solvers import Status
from solvers.model.milp import Indices
from solvers.partition.check import violations
from solvers.partition.graph import Graph, inner
from solvers.partition.outcome import TOLERANCE, Partition
from solvers.partition.registry import BY_NAME
from solvers.partition.request import Partitioner, Request

DECISION = ComparedDecision(
    "Which ranks share a node", "bytes between nodes", "ranks",
)  # fmt: skip
ENGINE = "portfolio"
HEURISTICS = ("order", "kl", "networkx-kl", "multilevel")
"""Always; METIS where the extra ``fast`` is installed."""


def graph_of(communication: Communication, ranks: int | None = None) -> Graph:
    """Bytes between pairs of ranks as a graph, or between the first ``ranks`` of them."""
    whole = by_bytes(communication).graph
    return whole if ranks is None else inner(whole, np.arange(ranks))


def instance(
    name: str,
    graph: Graph,
    ranks_per_node: int,
    *,
    heuristics: Sequence[Algorithm | type[Algorithm] | str] = (),
    node_limit: int | None = None,
    time_limit_s: float | None = None,
) -> Instance:
    """All methods for one graph; the limits hold for the exact ones."""
    full, rest = divmod(graph.vertices, ranks_per_node)
    capacities = np.array([ranks_per_node] * full + [rest] * bool(rest))

    def request(limit_s: float | None = None) -> Request:
        return Request(graph, capacities, time_limit_s=limit_s)

    def by_reference(solver: str) -> MethodAnswer:
        refuse_large("partition", nonzeros_of(graph, len(capacities)), "use --method portfolio")
        return _answer(graph, capacities, reference(
            request(time_limit_s), solver=solver, node_limit=node_limit
        ))  # fmt: skip

    def by(partitioner: Partitioner, limit_s: float | None = None) -> MethodAnswer:
        problem = request(limit_s)
        if why_not := partitioner.suits(problem):
            raise PlanError(f"{partitioner.name} cannot be used: {why_not}")
        proves = partitioner.name == ENGINE
        return _answer(graph, capacities, partitioner.partition(problem), proves=proves)

    methods = [
        *(Method(f"reference ({title})", MethodKind.REFERENCE, partial(by_reference, solver), GAP)
          for solver, title in (("cbc", "CBC"), ("highs", "HiGHS"))),
        Method("engine", MethodKind.ENGINE, partial(by, BY_NAME[ENGINE], time_limit_s), TOLERANCE),
        *(Method(name, MethodKind.HEURISTIC, partial(by, BY_NAME[name])) for name in _heuristics()),
        *(Method(own.name, MethodKind.OWN, partial(by, own))
          for own in (find_algorithm(heuristic) for heuristic in heuristics)),
    ]  # fmt: skip
    model = NamedModel(lambda: formulate(request())[0], of_partition(graph, capacities))
    return Instance(name, graph.vertices, None, tuple(methods), model)


def _heuristics() -> tuple[str, ...]:
    return (*HEURISTICS, "metis") if find_spec("pymetis") else HEURISTICS


def _answer(
    graph: Graph, capacities: Indices, partition: Partition, *, proves: bool = True
) -> MethodAnswer:
    broken = tuple(violations(graph, partition, capacities.tolist()))
    if not proves:
        return MethodAnswer(partition.cut, violations=broken)
    certificate = partition.certificate
    bound = None if partition.bound == -math.inf else partition.bound
    status = Status.OPTIMAL if partition.status is Status.OPTIMAL else Status.FEASIBLE
    return MethodAnswer(
        partition.cut,
        status,
        None if certificate is None else certificate.level,
        bound,
        None if certificate is None else certificate.nodes,
        broken,
    )
