"""A mapping, what it costs, and how far from the least it can be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.mapping.problem import Problem, total
from solvers.model.milp import Indices
from solvers.model.result import Certificate, Status
from solvers.partition.outcome import Partition, closed, gap_of


@dataclass(frozen=True, eq=False)
class Mapping:
    """Slot of each vertex, with the cost and what is known of the least.

    Attributes
    ----------
    slot
        Slot of each vertex, shape ``(vertices,)``.
    total
        What it costs, correctly rounded.
    bound
        No mapping costs less; minus infinity where nothing is known.
    status
        *Optimal* only where total and bound differ by at most 1e-9 of the total.
    method
        What found it.
    outermost
        The partition into outermost units alone, the best that was found for itself.
    certificate
        Certificate of the program that found it; ``None`` where no solver was asked for the whole
        of it.
    """

    slot: Indices
    total: float
    bound: float
    status: Status
    method: str
    outermost: Partition
    certificate: Certificate | None = None

    @property
    def gap(self) -> float:
        """Distance of total and bound relative to the total; infinite where that alone is 0."""
        return gap_of(self.total, self.bound)


def outcome(
    problem: Problem, slot: Indices, bound: float, method: str, outermost: Partition
) -> Mapping:
    """Recompute the cost and say what the bound makes of it."""
    weight = total(problem, slot)
    if not any(graph.has_negative for graph in problem.graphs):
        bound = max(bound, 0.0)
    frozen = np.array(slot, dtype=np.int64)
    frozen.setflags(write=False)
    return Mapping(
        slot=frozen,
        total=weight,
        bound=min(weight, bound),
        status=Status.OPTIMAL if closed(weight, bound) else Status.FEASIBLE,
        method=method,
        outermost=outermost,
    )
