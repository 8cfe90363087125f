"""Kernighan-Lin: exchanges between pairs of parts until none gains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.partition.exchange import refine_rounds
from solvers.partition.graph import Parts
from solvers.partition.order import beginnings
from solvers.partition.outcome import Partition
from solvers.partition.request import FREE, Request, Unsuited
from solvers.partition.starts import least_cut

_LITERAL = 256
_PATIENCE = 256
_QUICK = 1024
_ROUNDS = 1000


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

    def suits(self, request: Request) -> Unsuited | None:  # noqa: ARG002 - the Protocol's
        """Suit every request."""
        return None

    def partition(self, request: Request) -> Partition:
        """Return the least cut of all starts."""
        made = (refine(request, start) for start in beginnings(request))
        return least_cut(request, made, self.name)


def refine(request: Request, start: Parts) -> Parts:
    """Improve one partition until no pair of parts gains, or the time is over.

    Parameters
    ----------
    start
        Fills every capacity and keeps every pin; it is not changed.
    """
    part = np.array(start, dtype=np.int32)
    largest = int(request.capacities.max())
    patience = largest if largest <= _LITERAL else _PATIENCE
    starts, neighbours, weights, _, _ = request.flat(part)
    first = np.r_[0, np.cumsum(request.capacities)].astype(np.int64)
    free = (request.fixed == FREE).astype(np.int32)
    signed = int(request.graph.has_negative)
    # Small graphs are done before a clock has been read; no start anew in between.
    rounds = _ROUNDS if request.time_limit_s is None or len(part) <= _QUICK else 1
    while (
        refine_rounds(starts, neighbours, weights, part, first, free, signed, patience, rounds)
        > 0.0
        and not request.late()
    ):
        pass
    return part
