"""Configurations: nodes, cores per node and package cap; the measured grids, and what is none."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scenarios.simulated.applications import Problem
from scenarios.simulated.cluster import SOCKETS, SimulatedCluster
from scenarios.simulated.machine import Floats, SimulatedMachine

Indices = NDArray[np.int64]
Configuration = tuple[int, int, float]

CAPS_W = (51.0, 65.0, 80.0, 95.0, 115.0)
GRIDS = {
    "C": (tuple(range(8, 33, 2)), tuple(range(4, 17, 2)), CAPS_W),
    "D": (tuple(range(8, 65, 4)), tuple(range(8, 17, 2)), CAPS_W),
}


def grid(problem: Problem = "C") -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Nodes, cores per node and caps of the thesis's measurements (3.4, 5.4), one entry each."""
    axes = np.meshgrid(*GRIDS[problem], indexing="ij")
    nodes, cores, caps = (axis.ravel() for axis in axes)
    return nodes.astype(np.int64), cores.astype(np.int64), caps.astype(np.float64)


def checked(
    cluster: SimulatedCluster, nodes: ArrayLike, cores: ArrayLike, caps_w: ArrayLike
) -> tuple[Indices, Indices, Floats]:
    """Configurations as arrays of one length.

    Raises
    ------
    ValueError
        Nodes, cores or a cap that the machine does not have.
    """
    n, c, p = (np.atleast_1d(a) for a in np.broadcast_arrays(nodes, cores, caps_w))
    machine = cluster.machine
    within("nodes", n, 1, cluster.nodes)
    check_cores(machine, c)
    within("package cap", p, machine.cap.lowest_w, machine.cap.tdp_w)
    broken = n[n % 1 != 0].tolist()
    if broken:
        raise ValueError(f"nodes {broken[0]:g} is not a whole number")
    return n.astype(np.int64), c.astype(np.int64), p.astype(np.float64)


def check_cores(machine: SimulatedMachine, cores: NDArray[Any]) -> None:
    """Raise ``ValueError`` where cores per node do not fit the node or divide among its sockets."""
    within("cores per node", cores, SOCKETS, machine.system.cores)
    uneven = cores[cores % SOCKETS != 0].tolist()
    if uneven:
        raise ValueError(f"cores per node {uneven[0]:g} do not divide among {SOCKETS} sockets")


def within(quantity: str, values: NDArray[Any], low: float, high: float) -> None:
    """Raise ``ValueError`` where a value lies outside what the cluster has."""
    wrong = [v for v in values.tolist() if not low <= v <= high]
    if wrong:
        raise ValueError(f"{quantity} {wrong[0]:g} is outside {low:g} to {high:g} of this cluster")
