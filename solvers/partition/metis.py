"""METIS as a start, where the extra ``fast`` is installed; its loose sizes are repaired."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from solvers.model.milp import Indices
from solvers.partition.bounds import lower_bound
from solvers.partition.graph import Graph, Parts
from solvers.partition.kl import refine
from solvers.partition.outcome import Partition, outcome
from solvers.partition.repair import repaired
from solvers.partition.request import Request, Unsuited, refuse

# Each edge has two entries, whose sum stays near 2^30: METIS may count in 32 bits.
_WEIGHTS = 2**29


@dataclass(frozen=True)
class Metis:
    """One run of METIS for equal parts, which it fills only nearly."""

    name: str = "metis"

    def suits(self, request: Request) -> Unsuited | None:
        """METIS is installed, parts are equal, no weight is negative."""
        if find_spec("pymetis") is None:
            return Unsuited("missing", "pymetis is not installed; install the extra 'fast'")
        if request.graph.has_negative:
            return Unsuited("negative", "METIS takes no negative weights")
        return None if request.equal else Unsuited("sizes", "METIS is used for equal parts only")

    def partition(self, request: Request) -> Partition:
        """Repair and refine what METIS says."""
        refuse(self.suits(request))
        part = refine(request, repaired(request, loose(request)))
        return outcome(request.graph, part, request.capacities, lower_bound(request), self.name)


def loose(request: Request) -> Parts:
    """Partition of METIS; sizes are only nearly equal."""
    import pymetis

    graph = request.graph
    _, part = pymetis.part_graph(
        request.parts,
        adjacency=pymetis.CSRAdjacency(graph.starts, graph.neighbours),
        eweights=small_integers(graph, _WEIGHTS),
        recursive=True,  # many small parts: what the k-way program says is far worse there
    )
    return np.asarray(part, dtype=np.int32)


def small_integers(graph: Graph, most: int) -> Indices:
    """Positive weights as integers of at least 1 that add up to about ``most`` if they must."""
    if graph.step and graph.size <= most:
        return (graph.weights / graph.step).astype(np.int64)
    scale = (most - graph.edges) / max(graph.size, 1e-300)
    return np.maximum(1, np.rint(graph.weights * scale)).astype(np.int64)
