"""What a caller asks of a partitioner."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from solvers.model.milp import Floats, Indices, ModelError
from solvers.partition.graph import Graph, Parts
from solvers.partition.moves import Level
from solvers.partition.outcome import Partition

FREE = -1
"""In ``fixed``, this value marks a vertex that may lie in any part."""

WORK_S = 10.0
"""Estimated seconds, from sizes alone, up to which something is begun where no limit is set."""

clock = time.perf_counter
"""What time limits are measured with; benchmarks on a shared machine put process time here."""


@dataclass(frozen=True, eq=False)
class Request:
    """A graph to be cut into parts of given sizes.

    Attributes
    ----------
    graph
        What is cut.
    capacities
        Vertices of each part, each at least 1, filled exactly; shape ``(parts,)``.
    seed
        For starts drawn at random.
    starts
        How many starting partitions a heuristic improves, at least 1.
    time_limit_s
        Wall seconds after which no more is begun. Without it the same request has the same answer.
    fixed
        Part of each pinned vertex, ``-1`` for the others; shape ``(vertices,)``. Empty: none is.

    Raises
    ------
    ModelError
        Capacities that do not add up to the vertices, pins that do not fit, no starts.
    """

    graph: Graph
    capacities: Indices
    seed: int = 0
    starts: int = 10
    time_limit_s: float | None = None
    fixed: Parts = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    began: float = field(default_factory=lambda: clock())  # noqa: PLW0108 - a benchmark may exchange it

    def __post_init__(self) -> None:
        sizes = np.array(self.capacities, dtype=np.int64)
        pins = np.array(self.fixed, dtype=np.int32)
        if not pins.size:
            pins = np.full(self.graph.vertices, FREE, dtype=np.int32)
        for name, array in (("capacities", sizes), ("fixed", pins)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        _check(self)

    @property
    def parts(self) -> int:
        """Number of parts."""
        return len(self.capacities)

    @cached_property
    def pinned(self) -> bool:
        """Whether any vertex is."""
        return bool((self.fixed != FREE).any())

    @cached_property
    def equal(self) -> bool:
        """Whether all parts have the same size."""
        return bool((self.capacities == self.capacities[0]).all())

    def flat(self, pin: Parts) -> Level:
        """Vertices of the graph, each of size 1, for the loops over levels."""
        starts, neighbours, weights, ones = self._arrays
        return Level(starts, neighbours, weights, ones, pin)

    @cached_property
    def _arrays(self) -> tuple[Indices, Parts, Floats, Indices]:
        # Copies may be written, as those of coarser levels: loops are compiled for one type only.
        graph = self.graph
        ones = np.ones(graph.vertices, dtype=np.int64)
        return graph.starts.copy(), graph.neighbours.copy(), graph.weights.copy(), ones

    def remaining_s(self) -> float | None:
        """Seconds left, or ``None`` without a limit."""
        if self.time_limit_s is None:
            return None
        return max(0.0, self.began + self.time_limit_s - clock())

    def allows(self, seconds: float) -> bool:
        """Whether something that takes about so long, by its size, may be begun."""
        remaining_s = self.remaining_s()
        return seconds <= (WORK_S if remaining_s is None else remaining_s)

    def late(self) -> bool:
        """Whether the time is over."""
        return self.remaining_s() == 0.0


@dataclass(frozen=True)
class Unsuited:
    """Why a partitioner cannot answer a request.

    Attributes
    ----------
    why
        A word for it, the same for all requests of its kind.
    message
        What an error says.
    most
        The limit that the request exceeds; ``None`` where none is exceeded.
    """

    why: str
    message: str
    most: int | None = None

    def __str__(self) -> str:
        return self.message


class Partitioner(Protocol):
    """One way to partition."""

    @property
    def name(self) -> str:
        """Its key in ``BY_NAME``."""
        ...

    def suits(self, request: Request) -> Unsuited | None:
        """Why it cannot answer this request; ``None`` if it can."""
        ...

    def partition(self, request: Request) -> Partition:
        """Return a partition that fills every capacity and keeps every pin.

        Raises
        ------
        ModelError
            The request does not suit.
        """
        ...


def equal_parts(graph: Graph, size: int) -> Indices:
    """Capacities of parts of one size.

    Raises
    ------
    ModelError
        The size does not divide the number of vertices.
    """
    if size < 1 or graph.vertices % size:
        raise ModelError(f"{graph.vertices} vertices do not make parts of {size}")
    return np.full(graph.vertices // size, size, dtype=np.int64)


def refuse(reason: Unsuited | None) -> None:
    """Raise where a partitioner does not suit."""
    if reason is not None:
        raise ModelError(str(reason))


def pins(vertices: int, places: dict[int, int]) -> Parts:
    """``fixed`` of a request from the part of each pinned vertex."""
    fixed = np.full(vertices, FREE, dtype=np.int32)
    for vertex, part in places.items():
        fixed[vertex] = part
    return fixed


def _check(request: Request) -> None:
    sizes: ArrayLike = request.capacities
    if request.capacities.ndim != 1 or np.min(sizes, initial=1) < 1:
        raise ModelError(f"capacities are {request.capacities.tolist()}; each is at least 1")
    filled = int(request.capacities.sum())
    if filled != request.graph.vertices:
        raise ModelError(
            f"capacities add up to {filled}, but there are {request.graph.vertices} vertices"
        )
    if request.fixed.shape != (request.graph.vertices,):
        raise ModelError(f"fixed has shape {request.fixed.shape}, not ({request.graph.vertices},)")
    if request.fixed.min() < FREE or request.fixed.max() >= request.parts:
        raise ModelError(f"a vertex is pinned outside the parts 0..{request.parts - 1}")
    held = np.bincount(request.fixed[request.fixed != FREE], minlength=request.parts)
    for part in np.flatnonzero(held > request.capacities)[:1].tolist():
        raise ModelError(
            f"{held[part]} vertices are pinned to part {part}, which holds "
            f"{request.capacities[part]}"
        )
    if request.starts < 1 or request.seed < 0:
        raise ModelError("starts is at least 1 and seed at least 0")
    limit = request.time_limit_s
    if limit is not None and not 0.0 <= limit < math.inf:
        raise ModelError(f"time_limit_s = {limit}; give a finite number of at least 0")
