"""Rounds of halving, annealing and exchanges for as long as there is time; the best is kept.

What the rounds do is fixed by the request and its seed. A time limit only says after how many they
stop: more time continues where less would have ended. The first round is begun without a look at
the clock, so that a busy machine has at least a halving.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from solvers.partition.annealing import Cooling, annealed
from solvers.partition.graph import Parts, cut
from solvers.partition.halving import halved
from solvers.partition.kl import refine
from solvers.partition.order import in_order
from solvers.partition.outcome import closed
from solvers.partition.repair import repaired
from solvers.partition.request import Request

_CLOSE = 0.02
_SMALL, _LARGE = 400, 4096
_TRIES = 64
_WORK = 200_000
_VISITS = 8_000_000


@dataclass
class Incumbent:
    """Best partition up to now, and what found it."""

    part: Parts
    weight: float
    method: str

    def offer(self, request: Request, part: Parts, method: str) -> None:
        """Keep a partition that cuts less."""
        weight = cut(request.graph, part)
        if weight < self.weight:
            self.part, self.weight, self.method = part, weight, method


@dataclass(frozen=True)
class _Round:
    """Where one annealing starts, and how it goes."""

    start: str
    cooling: Cooling
    tries: int = 1


_FEW = (
    _Round("halved", Cooling(0.3, 0.1, 50)),
    _Round("halved", Cooling(0.7, 0.2, 250)),
    _Round("drawn", Cooling(0.6, 0.33, 1000)),
    _Round("drawn", Cooling(1.0, 0.2, 1000)),
)
_MANY = (
    _Round("halved", Cooling(0.5, 0.12, 100)),
    _Round("best", Cooling(0.7, 0.12, 300)),
    _Round("best", Cooling(0.7, 0.12, 200, doublings=2)),
)


class Search:
    """Rounds on one request, which can be continued.

    Attributes
    ----------
    request
        The graph to cut, with the sizes of its parts and the limits.
    best
        Incumbent, improved in place.
    bound
        Once the incumbent meets this lower bound the rounds end.
    """

    def __init__(self, request: Request, best: Incumbent, bound: float = -math.inf) -> None:
        self.request, self.best, self.bound = request, best, bound
        self._rng = np.random.default_rng(np.random.SeedSequence([request.seed, 2]))
        self._rounds = _rounds(request)
        self._started, self._made = False, 0

    def run(self) -> None:
        """Go the stated effort: one cycle, and 200,000 proposals for each start asked for."""
        if not (self._started or closed(self.best.weight, self.bound)):
            self._step()
        self._go_on(self.request.starts * _WORK)

    def until(self, bound: float) -> None:
        """Go on until the incumbent meets a bound or the time is over.

        Without a time limit the proposals may visit 8 million edges for each start.
        """
        self.bound = max(self.bound, bound)
        graph = self.request.graph
        degree = max(1.0, len(graph.weights) / graph.vertices)
        limited = self.request.time_limit_s is not None
        self._go_on(math.inf if limited else self.request.starts * _VISITS / degree)

    def _go_on(self, effort: float) -> None:
        """Make whole cycles until their proposals reach an effort."""
        while self._made < effort and not self._over():
            self._step()

    def _step(self) -> None:
        proposals, step = next(self._rounds)
        _go(self.request, self.best, step, self._rng)
        self._started = True
        self._made = max(self._made, proposals)

    def _over(self) -> bool:
        return closed(self.best.weight, self.bound) or self.request.late()


def _rounds(request: Request) -> Iterator[tuple[int, _Round]]:
    """Endless cycles of growing effort; the last round of each comes with all proposals so far."""
    count = request.graph.vertices
    cycle, factor, work, tries = (_FEW if count <= _SMALL else _MANY), 1.0, 0, 1
    if _SMALL < count <= _LARGE:  # a halving costs less where parts are large, and matters more
        tries = 2 + int(request.capacities.max()) // 16
    while True:
        for index, step in enumerate(cycle):
            cooling = replace(step.cooling, sweeps=int(step.cooling.sweeps * factor))
            work += cooling.sweeps * count
            ends = index + 1 == len(cycle)
            yield work if ends else 0, replace(step, cooling=cooling, tries=tries)
        factor *= 1.5
        if count > _SMALL:
            tries = min(_TRIES, 2 * tries)


def _go(request: Request, best: Incumbent, step: _Round, rng: np.random.Generator) -> None:
    if step.start == "halved":
        start = repaired(request, halved(request, rng, step.tries))
    elif step.start == "drawn":
        start = in_order(request, rng.permutation(request.graph.vertices))
    else:
        start = best.part
    part = annealed(request, start, step.cooling, rng)
    # Where weights have both signs the cut may be about zero, and no share of it says what is near.
    close = best.weight + _CLOSE * max(abs(best.weight), 0.1 * request.graph.size)
    if cut(request.graph, part) <= close and not request.late():
        part = refine(request, part)
    best.offer(request, part, "annealing")
