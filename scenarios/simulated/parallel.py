"""What parallel runs lose: uneven zones, messages, and a system that wants cores of its own."""

from __future__ import annotations

import heapq
import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scenarios.simulated.applications import Application
from scenarios.simulated.machine import Floats, SimulatedMachine
from solvers.portable import exp, log, power


def loads(application: Application, nodes: int) -> Floats:
    """Work of each node's rank, 1 on average, shape ``(nodes,)``.

    Whole zones go to ranks, the largest first, each to the rank with least work (as NAS-MZ does).
    """
    return _loads(application.zones, application.zone_ratio, nodes)


@cache
def _loads(zones: int, ratio: float, nodes: int) -> Floats:
    work = _assign(zones, ratio, nodes)
    work.setflags(write=False)
    return work


def _assign(zones: int, ratio: float, nodes: int) -> Floats:
    if zones == 0:
        return np.ones(nodes)
    if ratio == 1:
        share, more = divmod(zones, nodes)
        counts = np.full(nodes, float(share))
        counts[:more] += 1
        return counts * nodes / zones
    side = math.isqrt(zones)
    line = exp(log(ratio) * np.arange(side) / (2 * (side - 1)))
    sizes = np.sort(np.outer(line, line).ravel())[::-1]
    heap = [(0.0, rank) for rank in range(nodes)]
    for size in sizes.tolist():
        filled, rank = heapq.heappop(heap)
        heapq.heappush(heap, (filled + size, rank))
    work = np.zeros(nodes)
    for filled, rank in heap:
        work[rank] = filled
    shares: Floats = work * nodes / work.sum()
    return shares


def communication_s(machine: SimulatedMachine, application: Application, nodes: int) -> float:
    """Time of all messages of a run [s], one rank a node.

    Halos shrink with the edge of a rank's part of the plane, reductions climb a tree, and an
    all-to-all exchange of fixed blocks grows with the number of partners.
    """
    if nodes == 1:
        return 0.0
    network = machine.network
    halo_gb = application.halo_gb / math.sqrt(nodes)
    step = 4 * network.latency_s + halo_gb / network.bandwidth_gb_s
    step += application.reductions * network.latency_s * (nodes - 1).bit_length()
    block = network.latency_s + application.block_mb * 1e-3 / network.bandwidth_gb_s
    return application.steps * step + application.exchanges * (nodes - 1) * block


def crowding(machine: SimulatedMachine, cores: NDArray[np.int64], nodes: int) -> Floats:
    """Probability that MPI's and the system's own threads want more cores than the job left free.

    Their number is Poisson; on one node, without messages, there are none. A thread of the job
    that is put aside holds up its rank at the next barrier.
    """
    mean = machine.system.service_threads if nodes > 1 else 0.0
    spare = machine.system.cores - np.arange(machine.system.cores + 1)
    terms = np.array([exp(-mean) * power(mean, k) / math.factorial(k) for k in range(spare[0] + 1)])
    more = np.maximum(1 - np.cumsum(terms)[spare], 0.0)
    return np.asarray(more[cores])
