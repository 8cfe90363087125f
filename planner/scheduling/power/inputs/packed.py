"""Packed configurations: all cores of each node and the highest cap, as Traditional runs jobs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.scheduling.power.problem import Integers, JobDetails


@dataclass(frozen=True, eq=False)
class Packed:
    """Packed configurations of one application; arrays of shape ``(node counts,)``.

    Attributes
    ----------
    nodes
        Node counts, ascending.
    row
        Row of the job details table with the most cores and the highest cap of that count.
    """

    nodes: Integers
    row: Integers


def packed_of(details: JobDetails, application: int) -> Packed:
    """Return configurations with the most cores and the highest cap of the whole application.

    Where a measured table lacks that configuration of a node count, the count is left out: a job
    that requests it is rounded or rejected, as with a count that was not measured.
    """
    part = details.rows(application)
    rows = np.arange(part.start, part.stop)
    cores, caps = details.cores_per_node[rows], details.package_cap_w[rows]
    packed = rows[(cores == cores.max()) & (caps == caps[cores == cores.max()].max())]
    nodes, first = np.unique(details.nodes[packed], return_index=True)
    return Packed(nodes, packed[first])
