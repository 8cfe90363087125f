"""Time and power of each socket of one job, with a cap and a load of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from scenarios.simulated.applications import Application
from scenarios.simulated.cluster import SOCKETS, SimulatedCluster
from scenarios.simulated.configurations import check_cores, within
from scenarios.simulated.machine import Floats
from scenarios.simulated.parallel import communication_s
from scenarios.simulated.phases import socket_phases


@dataclass(frozen=True, eq=False)
class SocketTimes:
    """What single sockets of one job take and draw, shape ``(..., sockets)``.

    Attributes
    ----------
    compute_s
        Until each socket has done its own work [s]: waits for others and messages not counted.
    package_power_w
        Mean package power meanwhile [W].
    communication_s
        Time that all of them spend on messages besides [s]; the job takes this and the longest
        ``compute_s``.
    waiting_power_w
        Package power while a socket waits or communicates [W].
    """

    compute_s: Floats
    package_power_w: Floats
    communication_s: float
    waiting_power_w: Floats


def socket_times(
    cluster: SimulatedCluster,
    application: Application,
    sockets: ArrayLike,
    cores: int,
    caps_w: ArrayLike,
    load: ArrayLike = 1.0,
) -> SocketTimes:
    """Compute time of each socket of a job under a cap and with a load of its own.

    Parameters
    ----------
    sockets
        Numbers of the job's sockets, shape ``(sockets,)``: node times two, plus 0 or 1.
    cores
        Per node.
    caps_w
        Caps [W], shape ``(sockets,)`` or ``(distributions, sockets)``, or one for all.
    load
        Work of each socket, 1 for an equal part; broadcast alike. Zones are not assumed here.

    Raises
    ------
    ValueError
        Sockets, cores or a cap that the cluster does not have, or a load that is not positive.
    """
    chosen = np.asarray(sockets, dtype=np.int64)
    if chosen.ndim != 1 or not len(chosen) or len(np.unique(chosen)) != len(chosen):
        raise ValueError(f"sockets = {sockets!r}; give a list of different numbers")
    machine = cluster.machine
    within("socket", chosen, 0, cluster.leakage.size - 1)
    check_cores(machine, np.array([cores]))
    caps, work, _ = np.broadcast_arrays(
        np.asarray(caps_w, dtype=np.float64), np.asarray(load, dtype=np.float64), chosen
    )
    shape = caps.shape
    within("package cap", caps.ravel(), machine.cap.lowest_w, machine.cap.tdp_w)
    if not (work > 0).all():
        raise ValueError(f"a load of {work.min():g}; every socket has some work")
    nodes = -(-len(chosen) // SOCKETS)
    flat = caps.reshape(-1, len(chosen))
    phases = socket_phases(
        machine,
        application,
        nodes,
        np.full(len(flat), cores),
        flat,
        np.broadcast_to(cluster.leakage.ravel()[chosen], flat.shape),
        work.reshape(flat.shape),
    )
    part = phases.parallel_s / phases.compute_s
    mean_w = phases.parallel_w * part + phases.spinning_w * (1 - part)
    return SocketTimes(
        compute_s=phases.compute_s.reshape(shape),
        package_power_w=mean_w.reshape(shape),
        communication_s=communication_s(machine, application, nodes),
        waiting_power_w=phases.spinning_w.reshape(shape),
    )
