"""The hidden law: jobs share the last-level cache and the memory bandwidth of a socket.

Notes
-----
A phase of job i has stall share s, cache footprint f, and width w (ranks over the reference). Its
bandwidth b is the phase's bandwidth share times the bandwidth scale. Its job waits the share t of
its time for the network. All quantities are those of the job alone at width 1 unless a formula says
otherwise.

Cache. Each job holds the share a_i of the cache. Its misses per instruction, over those alone, are

    m_i = 1 + C (sqrt(c_i / a_i) - 1),   c_i = w_i min(f_i, 1)

with the miss scale C. While the footprints fit together, a_i = w_i f_i. Otherwise the shares solve

    a_i = min(w_i f_i, theta b_i w_i m_i),   sum_i a_i = 1:

a job holds cache in proportion to the lines that it fetches at equal progress.

Memory. A miss takes lambda(D) = 1 + D^2 / (1 - D) of its unloaded time where the socket carries
the share D of its bandwidth. The computing part of a job stretches to

    x_i = (1 - s_i) + s_i m_i lambda(D) / lambda(b_i)

and its progress is r_i = 1 / ((1 - t_i) x_i + t_i). The loop closes with D = sum_i b_i w_i m_i r_i.

Both equations have one solution, since each right-hand side falls in its unknown. One more job
makes theta fall and D rise. So no job ever runs faster because another one joins it. That is why
the cache is shared at equal progress, and not at the rates that the bandwidth leaves.

References
----------
The square-root rule of misses against cache size: Hartstein et al. (2006), "Cache miss behavior: is
it sqrt(2)?". The smooth bound by bandwidth grows as the mean wait of a queue with a single server.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scenarios.simulated.shared_node.demand import Floats, PhaseDemand, Rates
from scenarios.simulated.shared_node.fitted import BANDWIDTH_SCALE, MISS_SCALE
from solvers.compiled import compiled, counted, counted_entry

_HALVINGS = 60
_LEAST_WEIGHT = 1e-6
"""Fetched lines of a phase without memory traffic: it holds what nobody else wants."""


@dataclass(frozen=True)
class CacheAndBandwidth:
    """The law with its two global numbers.

    Attributes
    ----------
    bandwidth_scale
        Factor of all bandwidth shares: how hard the jobs press on the memory; above 0, at most 1.
    miss_scale
        C: share of the misses that follow the square-root rule; 0 or more.
    """

    bandwidth_scale: float = BANDWIDTH_SCALE
    miss_scale: float = MISS_SCALE

    def __post_init__(self) -> None:
        if not 0 < self.bandwidth_scale <= 1:
            raise ValueError(
                f"bandwidth_scale = {self.bandwidth_scale}; give more than 0, at most 1"
            )
        if not 0 <= self.miss_scale < float("inf"):
            raise ValueError(f"miss_scale = {self.miss_scale}; give 0 or more")

    def rates(self, demand: PhaseDemand) -> Rates:
        """Solve both equations for phases that run at once."""
        scaled = demand._replace(bandwidth=self.bandwidth_scale * demand.bandwidth)
        return solve(scaled, float(self.miss_scale))


@counted_entry
def solve(demand: PhaseDemand, miss_scale: float) -> Rates:
    """Solve the law by bisection, first for the cache and then for the bandwidth."""
    count = len(demand.stall)
    resident = share_cache(demand, miss_scale)
    misses = np.ones(count)
    for i in range(count):
        whole = demand.width[i] * min(demand.llc[i], 1.0)
        if whole > 0.0:
            misses[i] = 1.0 + miss_scale * (np.sqrt(whole / resident[i]) - 1.0)
    low, high = 0.0, 1.0 - 1e-12
    for _ in range(_HALVINGS):
        load = 0.5 * (low + high)
        if _carried(demand, misses, load) > load:
            low = load
        else:
            high = load
    stretch, latency, traffic = np.empty(count), np.empty(count), np.empty(count)
    for i in range(count):
        latency[i] = delay(high) / delay(demand.bandwidth[i])
        stretch[i] = 1.0 - demand.stall[i] + demand.stall[i] * misses[i] * latency[i]
        traffic[i] = demand.bandwidth[i] * demand.width[i] * misses[i]
        traffic[i] /= (1.0 - demand.transfer[i]) * stretch[i] + demand.transfer[i]
    return Rates(stretch, latency, resident, traffic)


@compiled
def delay(load: float) -> float:
    """Time of a miss over that of an unloaded memory: lambda(D)."""
    return 1.0 + load * load / (1.0 - load)


@compiled
def _carried(demand: PhaseDemand, misses: Floats, load: float) -> float:
    """Traffic of all jobs if the memory were loaded so."""
    total = 0.0
    for i in range(len(misses)):
        slower = delay(load) / delay(demand.bandwidth[i])
        stretch = 1.0 - demand.stall[i] + demand.stall[i] * misses[i] * slower
        time = (1.0 - demand.transfer[i]) * stretch + demand.transfer[i]
        total += demand.bandwidth[i] * demand.width[i] * misses[i] / time
    return total


@counted
def share_cache(demand: PhaseDemand, miss_scale: float) -> Floats:
    """Share of the cache that each job holds."""
    count = len(demand.stall)
    most = demand.width * demand.llc
    resident = most.copy()
    if most.sum() <= 1.0:
        return resident
    low, high = 0.0, 0.0
    for i in range(count):
        weight = max(demand.bandwidth[i], _LEAST_WEIGHT) * demand.width[i]
        whole = demand.width[i] * min(demand.llc[i], 1.0)
        if whole > 0.0:
            least = 1.0 + miss_scale * (np.sqrt(whole / most[i]) - 1.0)
            high = max(high, most[i] / (weight * max(least, _LEAST_WEIGHT)))
    for _ in range(_HALVINGS + 20):
        theta = 0.5 * (low + high)
        if _held(demand, miss_scale, theta, resident) > 1.0:
            high = theta
        else:
            low = theta
    _held(demand, miss_scale, high, resident)
    return resident


@compiled
def _held(demand: PhaseDemand, miss_scale: float, theta: float, resident: Floats) -> float:
    """Fill in the shares at one theta, and add them up.

    With y = sqrt(a) the share solves y^3 - p y - q = 0, where p = theta b w (1 - C) and
    q = theta b w C sqrt(c). Newton's method falls to the root from a point above it.
    """
    total = 0.0
    for i in range(len(resident)):
        most = demand.width[i] * demand.llc[i]
        fetched = theta * max(demand.bandwidth[i], _LEAST_WEIGHT) * demand.width[i]
        p = fetched * (1.0 - miss_scale)
        q = fetched * miss_scale * np.sqrt(demand.width[i] * min(demand.llc[i], 1.0))
        y = np.sqrt(max(p, 0.0)) + np.cbrt(q)
        for _ in range(_HALVINGS):
            slope = 3.0 * y * y - p
            if slope <= 0.0:
                break
            step = (y * y * y - p * y - q) / slope
            y -= step
            if step <= 1e-15 * y:
                break
        resident[i] = min(most, y * y)
        total += resident[i]
    return total
