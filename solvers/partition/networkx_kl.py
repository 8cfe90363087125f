"""What networkx itself offers: its Kernighan-Lin halving, applied again within both halves.

Other algorithms of networkx find communities, as many and as large as the graph suggests (greedy
modularity, Louvain, label propagation, ``asyn_lpa``, Girvan-Newman), or split without regard to
sizes (``spectral_bisection``), or trees alone (``lukes_partitioning``). None of them fills parts of
given sizes, so they are left out: repairing their sizes would compare the repair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.model.milp import Indices
from solvers.partition.graph import Graph, Parts
from solvers.partition.order import beginnings
from solvers.partition.outcome import Partition
from solvers.partition.request import Request, Unsuited, refuse
from solvers.partition.starts import least_cut

MOST_EDGES = 2_500
"""Ten starts take some seconds. The loops are not compiled."""


@dataclass(frozen=True)
class NetworkxKernighanLin:
    """``kernighan_lin_bisection`` of networkx, from several starts.

    The parts are split into two groups, and the vertices into as many as both hold; then the
    vertices of each group likewise, until each group is one part. networkx moves one vertex at a
    time, sides in turn, rather than the best pair. It never comes back to an earlier split.
    """

    name: str = "networkx-kl"

    def suits(self, request: Request) -> Unsuited | None:
        """No pins, not too many edges."""
        if request.pinned:
            return Unsuited("pins", "networkx does not support pins")
        edges = request.graph.edges
        if edges <= MOST_EDGES:
            return None
        return Unsuited("pairs", f"{edges:,} edges; networkx takes {MOST_EDGES:,}", MOST_EDGES)

    def partition(self, request: Request) -> Partition:
        """Return the least cut of all starts."""
        refuse(self.suits(request))
        graph = as_networkx(request.graph)
        made = (_halved(graph, request.capacities, start) for start in beginnings(request))
        return least_cut(request, made, self.name)


def as_networkx(graph: Graph) -> Any:
    """The same graph as a ``networkx.Graph``; edges have ``weight``."""
    import networkx as nx

    made: Any = nx.empty_graph(graph.vertices)
    made.add_weighted_edges_from(graph.edge_list())
    return made


def _halved(graph: Any, sizes: Indices, start: Parts) -> Parts:
    """Each part of ``start`` filled anew."""
    part = start.copy()
    _split(graph, sizes, np.argsort(start, kind="stable"), 0, part)
    return part


def _split(graph: Any, sizes: Indices, members: Indices, first: int, part: Parts) -> None:
    """Give some vertices their parts, from the part ``first`` on."""
    from networkx.algorithms.community import kernighan_lin_bisection

    if len(sizes) == 1:
        part[members] = first
        return
    half = (len(sizes) + 1) // 2
    count = int(sizes[:half].sum())
    start = set(members[:count].tolist()), set(members[count:].tolist())
    inside = graph.subgraph(members.tolist())
    sides = kernighan_lin_bisection(inside, start, weight="weight")
    # Which of both comes first is not documented; sizes that differ tell them apart.
    one, other = (np.sort(np.fromiter(side, dtype=np.int64)) for side in sides)
    if len(one) != count:
        one, other = other, one
    _split(graph, sizes[:half], one, first, part)
    _split(graph, sizes[half:], other, first + half, part)
