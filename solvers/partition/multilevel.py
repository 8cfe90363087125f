"""Multilevel halving, a short annealing, then Kernighan-Lin between all parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.partition.annealing import Cooling, annealed
from solvers.partition.graph import Parts
from solvers.partition.halving import halved
from solvers.partition.kl import refine
from solvers.partition.outcome import Partition
from solvers.partition.repair import repaired
from solvers.partition.request import Request, Unsuited
from solvers.partition.starts import least_cut

_TRIES = 2
_COOLING = Cooling(0.3, 0.1, 50)


@dataclass(frozen=True)
class Multilevel:
    """Multilevel halving from several streams of random numbers, each refined; the best is kept."""

    name: str = "multilevel"

    def suits(self, request: Request) -> Unsuited | None:  # noqa: ARG002 - the Protocol's
        """Suit every request."""
        return None

    def partition(self, request: Request) -> Partition:
        """Return the least cut of all starts."""
        streams = np.random.SeedSequence(request.seed).spawn(request.starts)
        made = (_refined(request, np.random.default_rng(stream)) for stream in streams)
        return least_cut(request, made, self.name)


def _refined(request: Request, rng: np.random.Generator) -> Parts:
    part = repaired(request, halved(request, rng, _TRIES))
    return refine(request, annealed(request, part, _COOLING, rng))
