"""The law node by node: what any set of nodes takes and draws, without running the law again.

A socket's computing time is proportional to its rank's load, and its powers do not depend on the
load. So time and power of a run on nodes ``v_1, v_2, ...`` follow exactly from a few numbers of
single nodes: `scenarios.simulated.law.outcome` says the same, up to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from scenarios.simulated.applications import Application
from scenarios.simulated.cluster import SOCKETS, SimulatedCluster
from scenarios.simulated.configurations import checked
from scenarios.simulated.machine import Floats
from scenarios.simulated.parallel import communication_s, loads
from scenarios.simulated.phases import Indices, SocketPhases, socket_phases


@dataclass(frozen=True, eq=False)
class PerNode:
    """What each node of a cluster takes and draws in configurations of one application.

    With the loads ``load`` of its ranks a run takes ``max_i(compute_s[row, v_i] * load[i]) +
    messages_s[row]`` and draws ``sum_i(spinning_w[row, v_i]) + sum_i(load[i] * extra_j[row, v_i])
    / time``.

    Attributes
    ----------
    compute_s
        Time of a node's rank at load 1, that of the slower socket, shape ``(rows, nodes)`` [s].
    extra_j
        Energy above spinning, at load 1 and of both sockets, shape ``(rows, nodes)`` [J].
    spinning_w
        Power while both sockets wait or communicate, shape ``(rows, nodes)`` [W].
    messages_s
        Time of all messages, shape ``(rows,)`` [s].
    load_first, load
        Loads of a row's ranks: ``load[load_first[row]:][:n]`` for ``n`` nodes. Rows with equally
        many nodes share them.
    """

    compute_s: Floats
    extra_j: Floats
    spinning_w: Floats
    messages_s: Floats
    load_first: Indices
    load: Floats


def per_node(
    cluster: SimulatedCluster,
    application: Application,
    nodes: ArrayLike,
    cores: ArrayLike,
    caps_w: ArrayLike,
    *,
    memory: bool = False,
) -> PerNode:
    """Give the law of configurations for every node of the cluster.

    Parameters
    ----------
    nodes, cores, caps_w
        Nodes, cores per node and package cap [W] of each configuration; broadcast together.
    memory
        Whether powers are those of packages and memory; by default those of packages alone.

    Raises
    ------
    ValueError
        A configuration that the machine does not have.
    """
    n, c, p = checked(cluster, nodes, cores, caps_w)
    shape = (len(n), cluster.nodes)
    first, load = _loads(application, n)
    law = PerNode(np.empty(shape), np.empty(shape), np.empty(shape), np.empty(len(n)), first, load)
    for count in np.unique(n).tolist():
        rows = np.flatnonzero(n == count)
        phases = _phases(cluster, application, count, c[rows], p[rows])
        law.compute_s[rows] = _by_node(phases.compute_s).max(axis=-1)
        law.extra_j[rows] = _by_node(_extra_j(cluster, phases, memory=memory)).sum(axis=-1)
        law.spinning_w[rows] = _by_node(phases.spinning_w).sum(axis=-1)
        law.messages_s[rows] = communication_s(cluster.machine, application, count)
    if memory:
        law.spinning_w[:] += SOCKETS * cluster.machine.power.dram_idle_w
    return law


def _phases(
    cluster: SimulatedCluster, application: Application, count: int, cores: Indices, caps_w: Floats
) -> SocketPhases:
    """Phases of every socket of the cluster at load 1, shape ``(rows, sockets)``."""
    shape = (len(cores), cluster.leakage.size)
    return socket_phases(
        cluster.machine,
        application,
        count,
        cores,
        np.broadcast_to(caps_w[:, None], shape),
        np.broadcast_to(cluster.leakage.ravel(), shape),
        np.broadcast_to(1.0, shape),
    )


def _extra_j(cluster: SimulatedCluster, phases: SocketPhases, *, memory: bool) -> Floats:
    extra_w = phases.parallel_w - phases.spinning_w
    if memory:
        extra_w = extra_w + cluster.machine.power.dram_w_per_gb_s * phases.memory_gb_s
    return extra_w * phases.parallel_s


def _by_node(sockets: Floats) -> Floats:
    return sockets.reshape(len(sockets), -1, SOCKETS)


def _loads(application: Application, nodes: Indices) -> tuple[Indices, Floats]:
    """First entry of each row's loads, and the loads of all node counts one after the other."""
    counts, which = np.unique(nodes, return_inverse=True)
    parts = [loads(application, count) for count in counts.tolist()]
    ends = np.cumsum(counts)
    return (ends - counts)[which].astype(np.int64), np.concatenate(parts)
