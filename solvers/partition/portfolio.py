"""Whatever suits the size of a request, and the best of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from solvers.partition.dynamic import Dynamic
from solvers.partition.ilp import Ilp
from solvers.partition.kl import KernighanLin, refine
from solvers.partition.matching import Matching
from solvers.partition.metis import Metis
from solvers.partition.multilevel import Multilevel
from solvers.partition.outcome import Partition, outcome
from solvers.partition.regions import recut
from solvers.partition.request import FREE, Partitioner, Request
from solvers.partition.semidefinite import by_entries
from solvers.result import Status

_SUBSETS = 16
_PROGRAM = 40
_NODES = 500
_VERTICES_RECUT = 60_000


@dataclass(frozen=True)
class Portfolio:
    """Exact where that is quick, else the best of the heuristics, and their best bound.

    Subsets up to 16 free vertices, a matching for parts of two, else Kernighan-Lin, multilevel
    halving and METIS if installed, regions of the best one cut anew, the bound by entries, and up
    to 40 vertices the integer program, for the time that is left or, without a limit, for a fixed
    number of nodes.
    """

    name: str = "portfolio"

    def suits(self, request: Request) -> str:  # noqa: ARG002 - the Protocol's
        """Suit every request."""
        return ""

    def partition(self, request: Request) -> Partition:
        """Return the least cut of all methods; ``method`` names what found it."""
        if (request.fixed == FREE).sum() <= _SUBSETS:
            return Dynamic().partition(request)
        if not Matching().suits(request):
            return Matching().partition(request)
        best: Partition | None = None
        for method in _HEURISTICS:
            if method.suits(request):
                continue
            found = method.partition(request)
            best = found if best is None or found.cut < best.cut else best
            if best.status is Status.OPTIMAL or request.late():
                return best
        if best is None:
            raise AssertionError("there are heuristics")
        best = _recut(request, best)
        bound = max(best.bound, by_entries(request, best.cut))
        best = outcome(request.graph, best.part, best.capacities, bound, best.method)
        small = request.graph.vertices <= _PROGRAM and not Ilp().suits(request)
        if best.status is Status.OPTIMAL or request.late() or not small:
            return best
        nodes = _NODES if request.time_limit_s is None else None
        return Ilp(node_limit=nodes).improved(request, best)


_HEURISTICS: tuple[Partitioner, ...] = (KernighanLin(), Multilevel(), Metis())


def _recut(request: Request, best: Partition) -> Partition:
    """Cut regions anew, about as many as keep the effort in line with the starts."""
    largest = int(request.capacities.max())
    tries = min(4 * request.parts, request.starts * _VERTICES_RECUT // (60 * (largest + 10)))
    rng = np.random.default_rng(np.random.SeedSequence([request.seed, 1]))
    part = refine(request, recut(request, best.part, tries, rng))
    found = outcome(request.graph, part, request.capacities, best.bound, "regions")
    return found if found.cut < best.cut else replace(best)
