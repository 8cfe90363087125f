"""The hidden law: how much two phases slow each other down on shared cores.

Notes
-----
Two jobs i and j have k ranks on each node with c cores; o = max(0, 2k - c) cores run a rank of
each. A rank of a phase needs a core for the share u of its time and sleeps in I/O for the rest. All
parameters of a phase are those of the job alone. In the time that a job takes alone for one second
of work, it then takes

    t_i = (1 - u_i) q_i z_i + u_i x_i g_i + W_i / tau_i

*Cores.* A job advances with its slowest rank, which shares its core with a rank that wants the core
for the share u_j. The operating system moves ranks between cores each B = 60 ms. A phase that
synchronises each tau feels the slowest rank, or the mean rank if tau is much longer than B:

    g_i = (1 - b) (1 + u_j) + b max(1, k (u_i + u_j) / c) + 2 (w / s) u_j,   b = tau_i / (tau_i + B)

with w = 30 us for a context switch and the data that it pushes out of the core's own caches, and
the time slice s. Without overlapped cores g_i = 1.

*Cache.* The jobs' data fill the share F of the last-level cache. Beyond F = 1 it thrashes: the
share h of the requests that hit alone turns into misses along a steep step S. The misses per
instruction grow by

    m_i = v(F) / v(F alone),   v(F) = (1 - h + h S(F)) / (1 - h)
    S(F) = 1 / (1 + exp((1 - F) / 0.05))

*Memory.* A miss takes lambda(D) = 1 + D^2/(1 - D) where D is the share of the bandwidth in use.
The core time of a rank with stall share p grows to x_i = 1 - p + p m_i lambda(D) / lambda(D alone).
D = sum_i k u_i b_i m_i / t_i / bandwidth closes the loop, which has one solution: its right-hand
side falls with D.

*I/O.* q_i is the demand of both jobs on the file system over what it sustains, at least 1, over the
same of the job alone. z_i is the run's own factor: other users share the file system.

*Synchronisation.* A rank waits the slice s if a peer is descheduled on one of the o shared cores of
the N nodes, and the rank in the peer's place does not give the core back. It does when it sleeps,
and the scheduler takes it away from a rank that computes as soon as a message wakes the peer. It
does not when both poll, since a rank that polls never sleeps and so never gains credit:

    W_i = s (1 - (1 - r)^(o N)),   r = u_i spin_i u_j spin_j / 2

This convoy makes the long tail. It needs phases with tiny messages of both jobs at the same time.

This is the law ``slowest-rank``. The law ``idle-cycles`` has other g_i and W_i
(:mod:`~scenarios.simulated.oversubscription.idle_cycles`).

References
----------
Tangram, sections III and V: the paper names cores, memory and I/O as causes and prints no law.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from scenarios.simulated.oversubscription.applications import RankPhase
from scenarios.simulated.oversubscription.idle_cycles import (
    mean_stretch,
    polled_share,
    slowest_stretch,
)
from scenarios.simulated.oversubscription.machine import (
    IDLE_CYCLES,
    SWITCH_US,
    OversubscribedSystem,
)

BALANCE_MS = 60.0
STEP_WIDTH = 0.05
_HALVINGS = 40


class Stretch(NamedTuple):
    """Time for a second of work alone: on cores and in waits, and asleep in I/O."""

    cores: float
    asleep: float


def stretches(
    system: OversubscribedSystem, ranks: int, phases: Sequence[RankPhase]
) -> tuple[Stretch, ...]:
    """Return how long one or two phases take that run at once."""
    if len(phases) == 1:
        only = phases[0]
        return (Stretch(only.busy_share, 1.0 - only.busy_share),)
    misses = [_misses(system, ranks, phases, own) for own in phases]
    cores = [_core_stretch(system, ranks, phases[i], phases[1 - i]) for i in (0, 1)]
    load = _loaded(system, ranks, phases, misses, cores)
    results = []
    for index, own in enumerate(phases):
        memory = _memory_stretch(system, ranks, own, misses[index], load)
        waits = convoy_wait_ms(system, ranks, own, phases[1 - index]) / own.sync_ms
        asleep = (1.0 - own.busy_share) * io_stretch(system, ranks, phases, own)
        results.append(Stretch(own.busy_share * memory * cores[index] + waits, asleep))
    return tuple(results)


def _core_stretch(
    system: OversubscribedSystem, ranks: int, own: RankPhase, other: RankPhase
) -> float:
    """g_i: time of the slowest rank on its core, over that alone."""
    if system.overlapped_cores(ranks) == 0:
        return 1.0
    balanced = own.sync_ms / (own.sync_ms + BALANCE_MS)
    if system.law == IDLE_CYCLES:
        slowest = slowest_stretch(system, ranks, own, other)
        mean = mean_stretch(system, ranks, own, other)
    else:
        slowest = 1.0 + other.busy_share
        wanted = system.ranks_per_node(ranks) * (own.busy_share + other.busy_share)
        mean = max(1.0, wanted / system.cores_per_node)
    switches = 0.0
    if system.slice_ms > 0:
        switches = min(1.0, 2e-3 * SWITCH_US / system.slice_ms) * other.busy_share
    return (1.0 - balanced) * slowest + balanced * mean + switches


def _misses(
    system: OversubscribedSystem, ranks: int, phases: Sequence[RankPhase], own: RankPhase
) -> float:
    """m_i: misses per instruction over those alone."""
    misses = system.ranks_per_node(ranks) / system.llc_mb
    together = thrashing(own, misses * sum(phase.llc_mb for phase in phases))
    return together / thrashing(own, misses * own.llc_mb)


def thrashing(phase: RankPhase, filled: float) -> float:
    """v(F): misses where the jobs' data fill a share of the cache, over those in an empty one."""
    step = 1.0 / (1.0 + exp(min((1.0 - filled) / STEP_WIDTH, 700.0)))
    hit = phase.llc_hit_share
    return (1.0 - hit + hit * step) / (1.0 - hit)


def delay(load: float) -> float:
    """lambda(D): time of a miss over that of an idle memory."""
    return 1.0 + load * load / (1.0 - load)


def _traffic(system: OversubscribedSystem, ranks: int, phase: RankPhase) -> float:
    """Share of a node's bandwidth that a phase asks for alone."""
    requested_gb_s = system.ranks_per_node(ranks) * phase.busy_share * phase.bandwidth_gb_s
    return min(requested_gb_s / system.bandwidth_gb_s, 0.95)


def _memory_stretch(
    system: OversubscribedSystem, ranks: int, phase: RankPhase, misses: float, load: float
) -> float:
    """x_i: core time over that alone."""
    slower = delay(load) / delay(_traffic(system, ranks, phase))
    # a job that has fewer ranks running at once may load the memory less than alone
    return 1.0 - phase.stall_share + phase.stall_share * misses * max(slower, 1.0)


def _loaded(
    system: OversubscribedSystem,
    ranks: int,
    phases: Sequence[RankPhase],
    misses: Sequence[float],
    cores: Sequence[float],
) -> float:
    """D: the share of the bandwidth that is in use, by bisection."""
    low, high = 0.0, 1.0 - 1e-9
    for _ in range(_HALVINGS):
        load = 0.5 * (low + high)
        used = 0.0
        for index, phase in enumerate(phases):
            memory = _memory_stretch(system, ranks, phase, misses[index], load)
            time = 1.0 - phase.busy_share + phase.busy_share * memory * cores[index]
            used += _traffic(system, ranks, phase) * misses[index] / time
        low, high = (load, high) if used > load else (low, load)
    return high


def io_stretch(
    system: OversubscribedSystem, ranks: int, phases: Sequence[RankPhase], own: RankPhase
) -> float:
    """q_i: time asleep in I/O over that alone."""
    per_mb_s = ranks / system.file_system_mb_s
    together = max(1.0, per_mb_s * sum(phase.io_mb_s for phase in phases))
    return together / max(1.0, per_mb_s * own.io_mb_s)


def convoy_wait_ms(
    system: OversubscribedSystem, ranks: int, own: RankPhase, other: RankPhase
) -> float:
    """W_i: mean wait at a synchronisation for a peer that is descheduled [ms]."""
    idle = system.law == IDLE_CYCLES
    one, two = (polled_share(each) if idle else each.spin_share for each in (own, other))
    polls = own.busy_share * one * other.busy_share * two / 2
    shared = system.overlapped_cores(ranks) * system.nodes
    return system.slice_ms * float(1.0 - (1.0 - polls) ** shared)
