"""Kernighan-Lin: exchanges between pairs of parts until none gains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.partition.bounds import lower_bound
from solvers.partition.exchange import State, has_negative, round_of_pairs
from solvers.partition.graph import Graph, Parts, cut
from solvers.partition.order import beginnings
from solvers.partition.outcome import Partition, outcome
from solvers.partition.request import FREE, Request

_LITERAL = 256
_PATIENCE = 256


@dataclass(frozen=True)
class KernighanLin:
    """Kernighan-Lin from several starts: vertices in their order, then drawn at random.

    Two parts: swaps of the best pair of free vertices, k times, of which the prefix with the
    largest gain is kept; repeated until it gains nothing. More parts: this between each pair of
    parts, until no pair gains. Parts of different sizes swap as often as the smaller allows;
    pinned vertices stay. The cut never grows.

    With parts above 256 a pass ends after 256 swaps without a new best, which the paper does not.

    References
    ----------
    Kernighan and Lin, Bell System Technical Journal 49 (1970), sections 3 and 5.
    """

    name: str = "kl"

    def suits(self, request: Request) -> str:  # noqa: ARG002 - the Protocol's
        """Suit every request."""
        return ""

    def partition(self, request: Request) -> Partition:
        """Return the least cut of all starts."""
        best, least = None, np.inf
        for start in beginnings(request):
            part = refine(request, start)
            weight = cut(request.graph, part)
            if best is None or weight < least:
                best, least = part, weight
            if request.late():
                break
        if best is None:
            raise AssertionError("a request has at least one start")
        return outcome(request.graph, best, request.capacities, lower_bound(request), self.name)


def refine(request: Request, start: Parts) -> Parts:
    """Improve one partition until no pair of parts gains, or the time is over.

    Parameters
    ----------
    start
        Fills every capacity and keeps every pin; it is not changed.
    """
    state = _state(request, start)
    largest = int(request.capacities.max())
    patience = largest if largest <= _LITERAL else _PATIENCE
    signed = int(request.graph.has_negative)
    while round_of_pairs(state, signed, patience) > 0.0 and not request.late():
        pass
    return state.part


def _state(request: Request, start: Parts) -> State:
    graph: Graph = request.graph
    count, parts = graph.vertices, request.parts
    part = np.array(start, dtype=np.int32)
    slots = np.argsort(part, kind="stable").astype(np.int32)
    slot = np.empty(count, dtype=np.int32)
    slot[slots] = np.arange(count, dtype=np.int32)
    state = State(
        starts=graph.starts,
        neighbours=graph.neighbours,
        weights=graph.weights,
        part=part,
        slots=slots,
        slot=slot,
        first=np.r_[0, np.cumsum(request.capacities)].astype(np.int64),
        free=(request.fixed == FREE).astype(np.int32),
        side=np.full(count, -1, dtype=np.int32),
        gain=np.zeros(count),
        link=np.zeros(count),
        order=np.zeros((2, count), dtype=np.int32),
        rank=np.zeros(count, dtype=np.int32),
        negative=np.zeros(parts, dtype=np.int32),
        changed=np.ones(parts, dtype=np.int64),
        tested=np.zeros(parts, dtype=np.int64),
        mark=np.full(parts, -1, dtype=np.int64),
        listed=np.zeros(parts, dtype=np.int32),
        clock=np.ones(3, dtype=np.int64),
    )
    if graph.has_negative:
        for p in range(parts):
            state.negative[p] = has_negative(state, p)
    return state
