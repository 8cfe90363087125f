"""The portfolio runs the methods that suit the size of a request, and returns the best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.model.result import Status
from solvers.partition.bounds import by_neighbours, lower_bound, rounded_up
from solvers.partition.columns import by_columns
from solvers.partition.dynamic import Dynamic
from solvers.partition.graph import cut
from solvers.partition.ilp import MOST_BY_WORK, Ilp
from solvers.partition.matching import Matching
from solvers.partition.metis import Metis, loose
from solvers.partition.order import in_order
from solvers.partition.outcome import Partition, closed, outcome
from solvers.partition.repair import repaired
from solvers.partition.request import FREE, Request, Unsuited
from solvers.partition.search import Incumbent, Search
from solvers.partition.semidefinite import by_entries

_SUBSETS = 16
_MATCHING_S = 7e-7
_ENTRIES_S = 1e-7


@dataclass(frozen=True)
class Portfolio:
    """Exact where that is quick, else the best of the heuristics, and their best bound.

    Subsets up to 16 free vertices, a matching for parts of two. Else the order, METIS if installed
    and rounds of halving, annealing and exchanges; then the bounds by eigenvalues, by columns and
    by entries, and up to 40 vertices the integer program, for the time that is left or, without a
    limit, for a fixed number of nodes. What time is left then goes into further rounds, without a
    limit a fixed number of proposals.

    Nothing is begun that would take longer, by its size, than the time that is left, or without a
    limit than ``WORK_S`` of :mod:`solvers.partition.request`. So a short one leaves the bound by
    neighbours alone, but METIS and the first round are always made.
    """

    name: str = "portfolio"

    def suits(self, request: Request) -> Unsuited | None:  # noqa: ARG002 - the Protocol's
        """Suit every request."""
        return None

    def partition(self, request: Request) -> Partition:
        """Return the least cut of all methods; ``method`` names what found it."""
        if (request.fixed == FREE).sum() <= _SUBSETS:
            return Dynamic().partition(request)
        graph = request.graph
        if not Matching().suits(request) and request.allows(
            _MATCHING_S * graph.vertices * graph.edges
        ):
            return Matching().partition(request)
        quick = rounded_up(graph, by_neighbours(request)) if request.parts > 1 else 0.0
        best = _first(request)
        search = Search(request, best, quick)
        search.run()
        if closed(best.weight, quick):
            return outcome(graph, best.part, request.capacities, quick, best.method)
        return _proved(request, search, quick)


def _first(request: Request) -> Incumbent:
    """Take the vertices in their order, or METIS if installed."""
    order = in_order(request, np.arange(request.graph.vertices))
    best = Incumbent(order, cut(request.graph, order), "order")
    if not Metis().suits(request):
        best.offer(request, repaired(request, loose(request)), "metis")
    return best


def _proved(request: Request, search: Search, quick: float) -> Partition:
    """Bound the incumbent, and improve it while there is time."""
    graph, best = request.graph, search.best
    bound = max(quick, lower_bound(request))
    if not closed(best.weight, bound):
        bound = max(bound, by_columns(request, best.part, best.weight))
    if not closed(best.weight, bound) and request.allows(_ENTRIES_S * graph.vertices**3):
        bound = max(bound, by_entries(request, best.weight))
    answer = outcome(graph, best.part, request.capacities, bound, best.method)
    if answer.status is Status.OPTIMAL or request.late():
        return answer
    if graph.vertices <= MOST_BY_WORK and not Ilp().suits(request):
        return Ilp().improved(request, answer)
    search.until(bound)
    return outcome(graph, best.part, request.capacities, bound, best.method)
