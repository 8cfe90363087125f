"""Partitions to begin with: vertices in their order, and drawn at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solvers.model.milp import Indices
from solvers.partition.bounds import lower_bound
from solvers.partition.graph import Parts
from solvers.partition.outcome import Partition, outcome
from solvers.partition.request import FREE, Request, Unsuited


@dataclass(frozen=True)
class Order:
    """Vertices in their order fill one part after the other: the baseline."""

    name: str = "order"

    def suits(self, request: Request) -> Unsuited | None:  # noqa: ARG002 - the Protocol's
        """Suit every request."""
        return None

    def partition(self, request: Request) -> Partition:
        """Fill the parts in order."""
        part = in_order(request, np.arange(request.graph.vertices))
        return outcome(request.graph, part, request.capacities, lower_bound(request), self.name)


def in_order(request: Request, order: Indices) -> Parts:
    """Fill the parts one after the other with the vertices that are not pinned, as ordered."""
    part: Parts = request.fixed.copy()
    held = np.bincount(part[part != FREE], minlength=request.parts)
    free = order[part[order] == FREE]
    places = np.arange(request.parts, dtype=np.int32)
    part[free] = np.repeat(places, request.capacities - held)
    return part


def beginnings(request: Request) -> Iterator[Parts]:
    """Yield as many partitions as asked for: the order first, then drawn ones.

    Each has a generator of its own, so that the first do not depend on how many follow.
    """
    count = request.graph.vertices
    yield in_order(request, np.arange(count))
    for stream in np.random.SeedSequence(request.seed).spawn(request.starts - 1):
        yield in_order(request, np.random.default_rng(stream).permutation(count))
