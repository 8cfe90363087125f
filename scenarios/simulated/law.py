"""The law behind the simulated measurements: time and power of a configuration.

A run has phases. In the parallel phase all cores of a rank compute and queue for memory; in the
others (serial code, a barrier that waits for a thread that the system put aside, messages, a slower
rank) they spin. Each socket has its own clock in each phase: what its cap and its leakage
leave. A step ends when the slowest socket has ended it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scenarios.simulated.applications import Application
from scenarios.simulated.cluster import SOCKETS, SimulatedCluster
from scenarios.simulated.machine import Floats, Machine
from scenarios.simulated.memory import queue, traffic_gb_per_gigacycle
from scenarios.simulated.parallel import communication_s, crowding, loads
from scenarios.simulated.sockets import highest_state, package_power_w, states, throttle

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Truth:
    """Noise-free time and power, one entry per configuration.

    Attributes
    ----------
    time_s
        Run time [s].
    package_power_w, dram_power_w
        Mean power, summed over all sockets of all nodes [W].
    """

    time_s: Floats
    package_power_w: Floats
    dram_power_w: Floats

    @property
    def power_w(self) -> Floats:
        """Packages and memory [W]."""
        return self.package_power_w + self.dram_power_w


@dataclass(frozen=True, eq=False)
class SocketPhases:
    """Work of single sockets, shape ``(configurations, sockets)``.

    Attributes
    ----------
    compute_s
        Until the socket's rank has done its work, waits for others and messages excluded [s].
    parallel_s
        Part of it in which all cores compute [s].
    parallel_w, spinning_w
        Package power in that part and in all others [W].
    memory_gb_s
        Memory traffic in that part.
    """

    compute_s: Floats
    parallel_s: Floats
    parallel_w: Floats
    spinning_w: Floats
    memory_gb_s: Floats


def socket_phases(
    machine: Machine,
    application: Application,
    nodes: int,
    cores: Indices,
    caps_w: Floats,
    leakage: Floats,
    load: Floats,
) -> SocketPhases:
    """Time and power of each socket of runs on equally many nodes.

    Parameters
    ----------
    nodes
        Ranks among which the work is divided.
    cores
        Per node, shape ``(configurations,)``.
    caps_w, leakage, load
        Cap [W], leakage factor and work (1 on average) of each socket, shape
        ``(configurations, sockets)``.
    """
    active = cores // SOCKETS
    table = states(machine)
    power = machine.power
    highest = highest_state(machine, active[:, None], caps_w)

    gb = traffic_gb_per_gigacycle(
        machine,
        application.stream_gb,
        application.reuse_gb,
        application.working_set_gb,
        nodes,
    )
    think = np.broadcast_to(1 / (gb * table.clock_ghz), (len(active), len(table.clock_ghz)))
    memory_gb_s, busy = queue(
        machine, active, think, application.service, application.row_conflicts
    )
    core_nf = application.active_nf * busy + application.stalled_nf * (1 - busy)
    switching = (active[:, None] * core_nf + power.uncore_nf) * table.v2_ghz
    dynamic = switching + power.uncore_fixed_w + power.ring_w_per_gb_s * memory_gb_s
    parallel_w = package_power_w(machine, active, dynamic[:, None, :], leakage)
    parallel = throttle(machine, parallel_w, caps_w, highest)

    switching = (active[:, None] * power.spinning_nf + power.uncore_nf) * table.v2_ghz
    spinning_w = package_power_w(
        machine, active, (switching + power.uncore_fixed_w)[:, None, :], leakage
    )
    spinning = throttle(machine, spinning_w, caps_w, highest)

    shape = parallel_w.shape
    traffic = parallel.of(np.broadcast_to(memory_gb_s[:, None, :], shape))
    work = application.gigacycles * load / nodes
    parallel_s = (1 - application.serial) * work / SOCKETS * gb / traffic
    serial_s = application.serial * work / spinning.of(np.broadcast_to(table.clock_ghz, shape))
    stretch = 1 + application.crowding * crowding(machine, cores, nodes)[:, None]
    slower = _overhead(machine, caps_w)
    return SocketPhases(
        compute_s=(parallel_s * stretch + serial_s) * slower,
        parallel_s=parallel_s * slower,
        parallel_w=parallel.of(parallel_w),
        spinning_w=spinning.of(spinning_w),
        memory_gb_s=traffic / slower,
    )


def _overhead(machine: Machine, caps_w: Floats) -> Floats:
    cap = machine.cap
    depth = (cap.tdp_w - caps_w) / (cap.tdp_w - cap.lowest_w)
    return 1 + cap.overhead_at_lowest * depth


def outcome(
    machine: Machine,
    application: Application,
    nodes: int,
    cores: Indices,
    caps_w: Floats,
    leakage: Floats,
    load: Floats,
) -> Truth:
    """Time and power of runs on equally many nodes; parameters as in `socket_phases`."""
    phases = socket_phases(machine, application, nodes, cores, caps_w, leakage, load)
    time = phases.compute_s.max(axis=1) + communication_s(machine, application, nodes)
    part = phases.parallel_s / time[:, None]
    package = phases.parallel_w * part + phases.spinning_w * (1 - part)
    power = machine.power
    dram = power.dram_idle_w + power.dram_w_per_gb_s * phases.memory_gb_s * part
    return Truth(time, package.sum(axis=1), dram.sum(axis=1))


def truth(
    cluster: SimulatedCluster,
    application: Application,
    nodes: ArrayLike,
    cores: ArrayLike,
    caps_w: ArrayLike,
) -> Truth:
    """Noise-free time and power of configurations, for scoring.

    The meaning: what the best of many repetitions comes to on the cluster's first ``nodes``
    nodes, none of which straggles.

    Parameters
    ----------
    nodes, cores, caps_w
        Nodes, cores per node and package cap [W] of each configuration; broadcast together.

    Raises
    ------
    ValueError
        A configuration that the machine does not have.
    """
    n, c, p = checked(cluster, nodes, cores, caps_w)
    result = Truth(*(np.empty(len(n)) for _ in range(3)))
    for count in np.unique(n):
        rows = n == count
        shape = (int(rows.sum()), int(count) * SOCKETS)
        part = outcome(
            cluster.machine,
            application,
            int(count),
            c[rows],
            np.broadcast_to(p[rows, None], shape),
            np.broadcast_to(cluster.leakage[:count].ravel(), shape),
            np.broadcast_to(np.repeat(loads(application, int(count)), SOCKETS), shape),
        )
        result.time_s[rows] = part.time_s
        result.package_power_w[rows] = part.package_power_w
        result.dram_power_w[rows] = part.dram_power_w
    return result


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
    _within("nodes", n, 1, cluster.nodes)
    _within("cores per node", c, SOCKETS, machine.system.cores)
    _within("package cap", p, machine.cap.lowest_w, machine.cap.tdp_w)
    if (n % 1).any() or (c % SOCKETS).any():
        odd = n[n % 1 != 0].tolist() + c[c % SOCKETS != 0].tolist()
        raise ValueError(f"{odd[0]} nodes or cores per node; nodes are whole and cores even")
    return n.astype(np.int64), c.astype(np.int64), p.astype(np.float64)


def _within(what: str, values: NDArray[np.generic], low: float, high: float) -> None:
    wrong = [v for v in values.tolist() if not low <= v <= high]
    if wrong:
        raise ValueError(f"{what} {wrong[0]:g} is outside {low:g} to {high:g} of this cluster")


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
        raise ValueError("sockets must be a list of different numbers")
    _within("socket", chosen, 0, cluster.leakage.size - 1)
    chosen_caps, chosen_load, _ = np.broadcast_arrays(
        np.asarray(caps_w, dtype=np.float64), np.asarray(load, dtype=np.float64), chosen
    )
    shape = chosen_caps.shape
    if not (chosen_load > 0).all():
        raise ValueError(f"a load of {chosen_load.min():g}; every socket has some work")
    machine = cluster.machine
    _within("cores per node", np.array([cores]), SOCKETS, machine.system.cores)
    _within("package cap", chosen_caps.ravel(), machine.cap.lowest_w, machine.cap.tdp_w)
    flat = (-1, len(chosen))
    caps = chosen_caps.reshape(flat)
    parts = len(chosen) / SOCKETS
    phases = socket_phases(
        machine,
        application,
        max(1, round(parts)),
        np.full(len(caps), cores),
        caps,
        np.broadcast_to(cluster.leakage.ravel()[chosen], caps.shape),
        chosen_load.reshape(flat),
    )
    part = phases.parallel_s / phases.compute_s
    mean_w = phases.parallel_w * part + phases.spinning_w * (1 - part)
    return SocketTimes(
        compute_s=phases.compute_s.reshape(shape),
        package_power_w=mean_w.reshape(shape),
        communication_s=communication_s(machine, application, max(1, round(parts))),
        waiting_power_w=phases.spinning_w.reshape(shape),
    )
