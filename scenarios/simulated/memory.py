"""Memory of a socket: what misses the cache, and how cores queue for the controllers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scenarios.simulated.machine import Floats, SimulatedMachine


def traffic_gb_per_gigacycle(
    machine: SimulatedMachine, stream: float, reuse: float, working_set_gb: float, nodes: int
) -> float:
    """Memory traffic of a billion core cycles [GB].

    ``stream`` passes by the cache at any size; ``reuse`` stays in it as soon as a node's part of
    the working set is small against the caches of its two sockets.
    """
    if working_set_gb <= 0:
        return stream + reuse
    covered = 2 * machine.memory.cache_gb * nodes / working_set_gb
    return stream + reuse / (1 + covered * covered)


def achievable_gb_s(machine: SimulatedMachine, service: float) -> Floats:
    """Rates at which the controllers serve 1, 2, ... waiting cores of an access pattern [GB/s].

    What one core draws is set by its outstanding misses over their latency, and a poor pattern
    (short strides, a row opened for a few lines) hardly changes either. It costs the channels:
    they move no data while banks close a row and open the next. So the curve of
    rates over waiting cores keeps its slope at the origin and its form, and its ceiling is the
    share ``service`` of the channels' rate. In units of that ceiling ``j`` cores then weigh as
    much as ``j / service`` cores of a good pattern: fewer of them fill the channels. Between
    whole cores the curve is linear.

    References
    ----------
    Rixner, Dally, Kapasi, Mattson, Owens (2000), Memory access scheduling, ISCA: the share of
    the peak that a pattern gets of a channel, by its row hits.
    """
    served = (0.0, *machine.memory.served_gb_s)
    waiting = np.arange(1, len(served))
    rates: Floats = service * np.interp(waiting / service, np.arange(len(served)), served)
    return rates


def queue(
    machine: SimulatedMachine,
    active: NDArray[np.int64],
    think_s_per_gb: Floats,
    service: float,
    row_conflicts: float,
) -> tuple[Floats, Floats]:
    """Throughput of a socket's memory [GB/s] and share of time that its cores compute.

    A closed queueing network with one load-dependent station: each active core computes for
    ``think_s_per_gb``, then waits for its gigabyte. The controllers serve faster the more cores
    wait, until their channels are busy; then streams of several cores close each other's rows
    and they serve more slowly.

    Parameters
    ----------
    active
        Cores of the socket, shape ``(configurations,)``.
    think_s_per_gb
        Core seconds of computing per gigabyte, shape ``(configurations, states)``.
    service
        Share of the channels' rate that the access pattern leaves, above 0 to 1.
    row_conflicts
        Loss of service rate, 0 for none: at 8 waiting cores the rate is divided by one plus it.

    References
    ----------
    Reiser, Lavenberg (1980), Mean-value analysis of closed multichain queueing networks, JACM
    27(2); here by the equilibrium of the machine-repairman model, which is the same for one
    station.
    """
    rates = achievable_gb_s(machine, service)
    crowd = np.maximum(np.arange(len(rates)) - 2, 0) / (len(rates) - 3)
    rates = rates / (1 + row_conflicts * crowd)
    weight = np.ones_like(think_s_per_gb)
    total = weight.copy()
    waiting = np.zeros_like(weight)
    for j, rate in enumerate(rates, start=1):
        remaining = np.maximum(active - j + 1, 0)[:, None]
        weight = weight * remaining / (think_s_per_gb * rate)
        total += weight
        waiting += j * weight
    computing = active[:, None] - waiting / total
    return computing / think_s_per_gb, computing / active[:, None]
