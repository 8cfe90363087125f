"""A partition, what it cuts, and how far from the least cut it can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solvers.model.milp import Indices
from solvers.model.result import Certificate, Status, relative_gap
from solvers.partition.graph import Graph, Parts, cut

_EPSILON = float(np.finfo(np.float64).eps)

TOLERANCE = 1e-9
"""Cuts count as equal within this share: of the cut where something is proved, else of all
absolute weights."""


@dataclass(frozen=True, eq=False)
class Partition:
    """Part of each vertex, with the cut and what is known of the least.

    Attributes
    ----------
    part
        Part of each vertex, shape ``(vertices,)``.
    capacities
        Vertices of each part, shape ``(parts,)``.
    cut
        Weight of the edges between different parts, correctly rounded.
    bound
        No partition of these sizes cuts less; minus infinity where nothing is known.
    status
        *Optimal* only where cut and bound differ by at most 1e-9 of the cut.
    method
        What found the partition.
    certificate
        Certificate of the program that found it; ``None`` where no solver was asked for the whole
        of it.
    """

    part: Parts
    capacities: Indices
    cut: float
    bound: float
    status: Status
    method: str
    certificate: Certificate | None = None

    @property
    def gap(self) -> float:
        """Distance of cut and bound relative to the cut; infinite where the cut alone is zero."""
        return gap_of(self.cut, self.bound)

    def members(self, part: int) -> Indices:
        """Vertices of one part, ascending."""
        return np.flatnonzero(self.part == part)


def gap_of(weight: float, bound: float) -> float:
    """Distance of weight and bound relative to the weight; infinite where that alone is 0."""
    if weight <= bound:
        return 0.0
    return (weight - bound) / abs(weight) if weight else float("inf")


def closed(weight: float, bound: float) -> bool:
    """Whether a bound meets a weight: within a share of the weight itself, however small it is."""
    return weight <= bound or relative_gap(weight, bound) <= TOLERANCE


def rounding(graphs: Sequence[Graph], sums: int) -> float:
    """Return what adding up weights in floats can change by; 0 where all are integers.

    Parameters
    ----------
    sums
        Additions, one after the other, behind one value.
    """
    if all(graph.step or not graph.edges for graph in graphs):
        return 0.0
    return sums * _EPSILON * sum(graph.size for graph in graphs)


def outcome(graph: Graph, part: Parts, capacities: Indices, bound: float, method: str) -> Partition:
    """Recompute the cut and say what the bound makes of it."""
    weight = cut(graph, part)
    if not graph.has_negative:
        bound = max(bound, 0.0)
    frozen = np.array(part, dtype=np.int32)
    frozen.setflags(write=False)
    return Partition(
        part=frozen,
        capacities=capacities,
        cut=weight,
        bound=min(weight, bound),
        status=Status.OPTIMAL if closed(weight, bound) else Status.FEASIBLE,
        method=method,
    )
