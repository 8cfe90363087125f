"""Phases of a run on single sockets: what each takes and draws under its cap.

In the parallel phase all cores of a rank compute and queue for memory; in the others (serial
code, a barrier that waits for a thread that the system put aside, messages, a slower rank) they
spin. Each socket has a clock of its own in each phase: what its cap and its leakage leave.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenarios.simulated.applications import Application
from scenarios.simulated.cluster import SOCKETS
from scenarios.simulated.machine import Floats, SimulatedMachine
from scenarios.simulated.memory import queue, traffic_gb_per_gigacycle
from scenarios.simulated.parallel import crowding
from scenarios.simulated.sockets import highest_state, package_power_w, states, throttle

Indices = NDArray[np.int64]


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
    machine: SimulatedMachine,
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


def _overhead(machine: SimulatedMachine, caps_w: Floats) -> Floats:
    cap = machine.cap
    depth = (cap.tdp_w - caps_w) / (cap.tdp_w - cap.lowest_w)
    return 1 + cap.overhead_at_lowest * depth
