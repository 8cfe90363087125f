"""What every algorithm that suits finds for the same nodes, with the same seed and limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from planner.placement.placement import Placement
from planner.placement.problem import mapping_by, nodes_alone
from planner.placement.rank_files import FileForm
from planner.placement.values import bound_of, is_late, value_of
from solvers.mapping.warm import warm
from solvers.model.result import Status
from solvers.partition.outcome import closed, outcome
from solvers.partition.registry import BY_NAME
from solvers.partition.request import Request, Unsuited, pins

if TYPE_CHECKING:
    from scenarios.communication.monitoring import Traffic
    from solvers.mapping import Problem

ORDER = (
    "order", "kl", "networkx-kl", "multilevel", "metis", "matching", "dynamic", "ilp", "portfolio",
)  # fmt: skip
"""In which algorithms are compared: the baseline, heuristics, exact ones, the best of them."""
_MOST_EXCHANGED = 50_000
"""Ranks times starts that Kernighan-Lin takes without a time limit."""


@dataclass(frozen=True)
class PlacementSettings:
    """The settings of a comparison of placements.

    Attributes
    ----------
    algorithm
        Whose groups are taken.
    seed, starts, time_limit_s
        Seed, number of random starts and time limit of every algorithm.
    traffic
        Which messages of a monitoring profile count.
    form
        Format of the rank file that is shown.
    pins
        Node of each rank that must be there, by its number among those given.
    command
        Words of the command behind ``headroom``; empty for a study from Python.
    files
        Name and SHA-256 of the file that an algorithm of the user's own was read from.
    """

    algorithm: str = "portfolio"
    seed: int = 0
    starts: int = 10
    time_limit_s: float | None = None
    traffic: Traffic = "all"
    form: FileForm = "openmpi-5"
    pins: Mapping[int, int] = field(default_factory=dict)
    command: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class Tried:
    """What one algorithm found.

    Attributes
    ----------
    name
        Name of the algorithm.
    placement
        With its own bounds.
    seconds
        That it took; ``None`` where it was not timed.
    late
        Whether it stopped at the time limit, so that another run may differ.
    """

    name: str
    placement: Placement
    seconds: float | None = None
    late: bool = False

    @property
    def value(self) -> float:
        """The minimised value: the cut, or with a hierarchy the cost over all levels."""
        return value_of(self.placement)

    @property
    def bound(self) -> float:
        """What it proved that none is below."""
        return bound_of(self.placement)

    @property
    def proved(self) -> bool:
        """Whether it proved its own."""
        placement = self.placement
        own = placement.mapping if placement.summed else placement.partition
        return own.status is Status.OPTIMAL

    @property
    def method(self) -> str:
        """What found it."""
        return self.placement.partition.method


def compared(
    placement: Placement,
    settings: PlacementSettings,
    seconds: float | None,
    progress: Callable[[str], None],
) -> tuple[tuple[Tried, ...], dict[str, Unsuited]]:
    """Solve the same problem with each algorithm; the one behind the placement does not run again.

    Parameters
    ----------
    placement, seconds
        Placement of the requested algorithm, and the time that it took.
    progress
        Called with the name of each other algorithm.

    Returns
    -------
    tuple
        The result of each algorithm, and why other algorithms have none.
    """
    tried, refused = [], dict[str, Unsuited]()
    limit = settings.time_limit_s
    levels = len(placement.levels.graphs)
    index_of = placement.nodes.index_of
    fixed = pins(
        placement.graph.vertices, {rank: index_of(node) for rank, node in settings.pins.items()}
    )
    warm()  # compiling must not count against the time limit
    for name in ORDER if settings.algorithm in ORDER else (settings.algorithm, *ORDER):
        if name == settings.algorithm:
            late = placement.late or is_late(name, levels, limit, seconds)
            tried.append(Tried(name, placement, seconds, late))
            continue
        began = time.perf_counter()
        problem = placement.levels.problem(
            placement.nodes, fixed, seed=settings.seed, starts=settings.starts, time_limit_s=limit
        )
        request = problem.request(0)
        why_not = BY_NAME[name].suits(request) or _too_long(name, request)
        if why_not is not None:
            refused[name] = why_not
            continue
        progress(name)
        result = _placed(placement, problem, name)
        took = time.perf_counter() - began
        tried.append(Tried(name, result, took, is_late(name, levels, limit, took)))
    return tuple(tried), refused


def _too_long(name: str, request: Request) -> Unsuited | None:
    """Exchanges between all pairs of nodes: some 10 CPU s for the limit, a thousand beyond."""
    most = _MOST_EXCHANGED // request.starts
    if name != "kl" or request.time_limit_s is not None or request.graph.vertices <= most:
        return None
    return Unsuited("starts", f"above {most:,} ranks these starts need a time limit", most)


def _placed(placement: Placement, problem: Problem, name: str) -> Placement:
    """What another algorithm makes of the same, as :func:`planner.placement.problem.place`."""
    mapping = mapping_by(placement.levels, problem, BY_NAME[name])
    partition = nodes_alone(placement.levels, placement.nodes, placement.graph, mapping)
    return replace(placement, mapping=mapping, partition=partition)


def with_best_bounds(placement: Placement, tried: tuple[Tried, ...]) -> Placement:
    """Give a placement the best bounds of all algorithms; each bound holds for every placement."""
    partition, mapped = placement.partition, placement.mapping
    nodes = max(attempt.placement.partition.bound for attempt in tried)
    whole = min(mapped.total, max(attempt.placement.mapping.bound for attempt in tried))
    return replace(
        placement,
        partition=outcome(
            placement.graph, partition.part, partition.capacities, nodes, partition.method
        ),
        mapping=replace(
            mapped,
            bound=whole,
            status=Status.OPTIMAL if closed(mapped.total, whole) else Status.FEASIBLE,
        ),
    )  # fmt: skip
