"""What is written to be read as placement algorithms: the integer program, and Kernighan-Lin."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from planner.formulations.kernighan_lin import kernighan_lin
from planner.formulations.partition import nonzeros_of, partition
from planner.formulations.solved import LARGEST
from solvers.partition.networkx_kl import as_networkx
from solvers.partition.outcome import Partition, outcome
from solvers.partition.request import Partitioner, Request, Unsuited, refuse

_MOST_RANKS = 128


@dataclass(frozen=True)
class Reference:
    """The readable PuLP model of :mod:`planner.formulations.partition`, as a partitioner.

    With levels within nodes that add up, :mod:`planner.formulations.mapping` takes its place.

    Attributes
    ----------
    name
        By which it is chosen.
    solver
        ``cbc`` or ``highs``.
    """

    name: str
    solver: str

    def suits(self, request: Request) -> Unsuited | None:
        """Models that are not too large."""
        count = nonzeros_of(request.graph, request.parts)
        if count <= LARGEST:
            return None
        text = f"the model would have {count:,} nonzeros, more than {LARGEST:,}"
        return Unsuited("nonzeros", text, LARGEST)

    def partition(self, request: Request) -> Partition:
        """Solve the model.

        Raises
        ------
        PlanError
            The model is too large, or no partition was found in time.
        """
        return partition(request, solver=self.solver)


@dataclass(frozen=True)
class ReadableKernighanLin:
    """The published exchange on a networkx graph, from the order of ranks alone."""

    name: str = "reference-kl"

    def suits(self, request: Request) -> Unsuited | None:
        """No pins, some hundred ranks: it looks at all pairs of ranks."""
        if request.pinned:
            return Unsuited("pins", "the published Kernighan-Lin does not support pins")
        count = request.graph.vertices
        if count <= _MOST_RANKS:
            return None
        return Unsuited("ranks", f"{count:,} ranks; it takes at most {_MOST_RANKS}", _MOST_RANKS)

    def partition(self, request: Request) -> Partition:
        """Exchange until no pair of parts gains; no bound is proved.

        Raises
        ------
        ModelError
            The request does not suit.
        """
        refuse(self.suits(request))
        graph, sizes = request.graph, request.capacities
        part = np.empty(graph.vertices, dtype=np.int32)
        parts: list[set[int]] = kernighan_lin(as_networkx(graph), sizes.tolist())
        for p, members in enumerate(parts):
            part[sorted(members)] = p
        return outcome(graph, part, sizes, -math.inf, self.name)


REFERENCES: dict[str, Partitioner] = {
    each.name: each
    for each in (
        Reference("reference", "cbc"),
        Reference("reference-highs", "highs"),
        ReadableKernighanLin(),
    )
}
