r"""Vertices on slots of nested units, as an optimisation problem.

Sets: vertices :math:`v`, as many slots, levels :math:`l` of units, outermost first; each slot lies
in one unit of each level, and a unit in one of the level above. Parameters: weight
:math:`w^l_{uv}` of parting two vertices at level l. Variables: :math:`s(v)`, the slot of each
vertex, no slot twice. With :math:`U^l(s)` the unit of a slot,

.. math:: \min \sum_l \sum_{uv} w^l_{uv} \, [U^l(s(u)) \ne U^l(s(v))].

A pair that is parted at a level is parted at all inner ones, so what it costs is the sum of its
weights from there on inwards. Weights may be negative. Where :math:`w^l = w (d_l - d_{l+1})`, a
pair costs its weight times the distance of its slots.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from solvers.model.milp import Indices, ModelError
from solvers.partition.graph import Graph, Parts, cut
from solvers.partition.request import FREE, Request

_NO_PINS: Parts = np.empty(0, dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Problem:
    """Graphs by level, and the units of the slots.

    Attributes
    ----------
    graphs
        One for each level, outermost first, on the same vertices: what parting there costs more
        than parting further in.
    units
        Unit of each slot at each level, numbered from 0 along the slots; shape
        ``(levels, slots)``.
    fixed
        Outermost unit of each pinned vertex, ``-1`` for the others. Empty: none is.
    seed, starts, time_limit_s
        As in :class:`solvers.partition.request.Request`.

    Raises
    ------
    ModelError
        Shapes that do not match, units that are not nested or not numbered along the slots.
    """

    graphs: tuple[Graph, ...]
    units: Indices
    fixed: Parts = field(default_factory=lambda: _NO_PINS)
    seed: int = 0
    starts: int = 10
    time_limit_s: float | None = None
    began: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        units = np.array(self.units, dtype=np.int64)
        pins = np.array(self.fixed, dtype=np.int32)
        if not pins.size and self.graphs:
            pins = np.full(self.graphs[0].vertices, FREE, dtype=np.int32)
        for name, array in (("units", units), ("fixed", pins)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        _check(self)

    @property
    def vertices(self) -> int:
        """As many as slots."""
        return self.graphs[0].vertices

    @property
    def levels(self) -> int:
        """How many."""
        return len(self.graphs)

    def sizes(self, level: int) -> Indices:
        """Slots of each unit."""
        return np.bincount(self.units[level]).astype(np.int64)

    def remaining_s(self) -> float | None:
        """Seconds left, or ``None`` without a limit."""
        if self.time_limit_s is None:
            return None
        return max(0.0, self.began + self.time_limit_s - time.perf_counter())

    def late(self) -> bool:
        """Whether the time is over."""
        return self.remaining_s() == 0.0

    @cached_property
    def size(self) -> float:
        """Sum of all absolute weights: the scale of rounding errors."""
        return math.fsum(graph.size for graph in self.graphs)

    def request(self, level: int, share: float = 1.0) -> Request:
        """The units of one level as parts, with a share of the time that is left."""
        fixed = self.fixed if level == 0 else _NO_PINS
        return self.split(self.graphs[level], self.sizes(level), share, fixed)

    def split(
        self, graph: Graph, sizes: Indices, share: float = 1.0, fixed: Parts = _NO_PINS
    ) -> Request:
        """Any graph in parts of these sizes, with a share of the time that is left."""
        remaining_s = self.remaining_s()
        limit_s = None if remaining_s is None else remaining_s * share
        return Request(graph, sizes, self.seed, self.starts, limit_s, fixed)


def total(problem: Problem, slot: Indices) -> float:
    """What a mapping costs, correctly rounded; ``slot`` of each vertex, shape ``(vertices,)``."""
    return math.fsum(
        cut(graph, units[slot]) for graph, units in zip(problem.graphs, problem.units, strict=True)
    )


def _check(problem: Problem) -> None:
    counts = {graph.vertices for graph in problem.graphs}
    if len(counts) != 1:
        raise ModelError(f"graphs have {sorted(counts)} vertices; give one number to all levels")
    shape = (len(problem.graphs), *counts)
    if problem.units.shape != shape:
        raise ModelError(f"units have shape {problem.units.shape}, not {shape}: a slot per vertex")
    for level, units in enumerate(problem.units):
        steps = np.diff(units)
        if units[0] != 0 or steps.min(initial=0) < 0 or steps.max(initial=0) > 1:
            raise ModelError(f"units of level {level} are not numbered from 0 along the slots")
        if level and (np.diff(problem.units[level - 1]) > steps).any():
            raise ModelError(f"a unit of level {level} lies in two of level {level - 1}")
    problem.request(0)  # pins that do not fit are refused there
