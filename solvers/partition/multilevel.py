"""Multilevel halving, a short annealing, then Kernighan-Lin between all parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.partition.annealing import Cooling, annealed
from solvers.partition.bounds import lower_bound
from solvers.partition.graph import cut
from solvers.partition.halving import halved
from solvers.partition.kl import refine
from solvers.partition.outcome import Partition, outcome
from solvers.partition.repair import repaired
from solvers.partition.request import Request

_TRIES = 2
_COOLING = Cooling(0.3, 0.1, 50)


@dataclass(frozen=True)
class Multilevel:
    """Multilevel halving from several streams of random numbers, each refined; the best is kept."""

    name: str = "multilevel"

    def suits(self, request: Request) -> str:  # noqa: ARG002 - the Protocol's
        """Suit every request."""
        return ""

    def partition(self, request: Request) -> Partition:
        """Return the least cut of all starts."""
        best, least = None, np.inf
        for stream in np.random.SeedSequence(request.seed).spawn(request.starts):
            rng = np.random.default_rng(stream)
            part = repaired(request, halved(request, rng, _TRIES))
            part = refine(request, annealed(request, part, _COOLING, rng))
            weight = cut(request.graph, part)
            if best is None or weight < least:
                best, least = part, weight
            if request.late():
                break
        if best is None:
            raise AssertionError("a request has at least one start")
        return outcome(request.graph, best, request.capacities, lower_bound(request), self.name)
