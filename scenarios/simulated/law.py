"""The law behind the simulated measurements: time and power of a configuration.

A run ends when its slowest socket has done its work and all messages are through; who is done
earlier spins. The parts: `sockets` (clock, power, caps), `memory`, `parallel` (zones, messages,
crowding), put together for a socket in `phases`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from scenarios.simulated.applications import Application
from scenarios.simulated.cluster import SOCKETS, SimulatedCluster
from scenarios.simulated.configurations import checked
from scenarios.simulated.machine import Floats, SimulatedMachine
from scenarios.simulated.parallel import communication_s, loads
from scenarios.simulated.phases import Indices, socket_phases


@dataclass(frozen=True, eq=False)
class NoiseFreeRuns:
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


def outcome(
    machine: SimulatedMachine,
    application: Application,
    nodes: int,
    cores: Indices,
    caps_w: Floats,
    leakage: Floats,
    load: Floats,
) -> NoiseFreeRuns:
    """Time and power of runs on equally many nodes; parameters as in `socket_phases`."""
    phases = socket_phases(machine, application, nodes, cores, caps_w, leakage, load)
    time = phases.compute_s.max(axis=1) + communication_s(machine, application, nodes)
    part = phases.parallel_s / time[:, None]
    package = phases.parallel_w * part + phases.spinning_w * (1 - part)
    power = machine.power
    dram = power.dram_idle_w + power.dram_w_per_gb_s * phases.memory_gb_s * part
    return NoiseFreeRuns(time, package.sum(axis=1), dram.sum(axis=1))


def truth(
    cluster: SimulatedCluster,
    application: Application,
    nodes: ArrayLike,
    cores: ArrayLike,
    caps_w: ArrayLike,
) -> NoiseFreeRuns:
    """Noise-free time and power of configurations, for scoring.

    Many repetitions on the cluster's first ``nodes`` nodes scatter around these values, as long as
    none of these nodes is slow.

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
    result = NoiseFreeRuns(*(np.empty(len(n)) for _ in range(3)))
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
