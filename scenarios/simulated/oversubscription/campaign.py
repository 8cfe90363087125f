"""A measurement campaign: every application alone and every pair together, once, with noise.

Notes
-----
All draws are independent. L(s) is lognormal with median 1; s is the standard deviation of its
logarithm.

- I/O of a job takes L(io_spread) times its usual time in a run: other users share the file system.
- A run takes L(0.01) times its time: the nodes differ a little. Both jobs of a co-run share it, as
  they share the nodes.
- Counters: instructions per cycle L(0.02), misses per 1,000 instructions L(0.05), core time
  L(0.01). Many events share few counters, which count in turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np

from scenarios.pairs.co_runs import CoRun, CoRuns, SoloRun
from scenarios.simulated.oversubscription.applications import SIX, OversubscribedApplication
from scenarios.simulated.oversubscription.co_run import co_run_times_s, solo_time_s
from scenarios.simulated.oversubscription.machine import OversubscribedSystem
from solvers.portable import exp

RUN_SPREAD = 0.01
IPC_NOISE = 0.02
MISS_NOISE = 0.05
TIME_NOISE = 0.01
_LINE_BYTES = 64


def measured_co_runs(
    system: OversubscribedSystem,
    seed: int,
    applications: Sequence[OversubscribedApplication] = SIX,
) -> CoRuns:
    """Measure all applications alone and all pairs at equal rank counts, each once.

    Parameters
    ----------
    system
        Where; 63 co-runs of six applications on the two-node system, 84 on the eight-node one.
    seed
        Seed of all noise.
    applications
        By default the six of the paper.
    """
    rng = np.random.default_rng(seed)
    solo = solo_runs(system, rng, applications, system.ranks)
    together = tuple(
        _together(system, ranks, pair, rng)
        for ranks in system.ranks
        for pair in combinations_with_replacement(applications, 2)
    )
    names = tuple(application.name for application in applications)
    return CoRuns(system.label, names, system.ranks, solo, together)


def solo_runs(
    system: OversubscribedSystem,
    rng: np.random.Generator,
    applications: Sequence[OversubscribedApplication],
    counts: Sequence[int],
) -> tuple[SoloRun, ...]:
    """Measure all applications alone at some rank counts, each once."""
    return tuple(
        _solo(system, ranks, application, rng) for ranks in counts for application in applications
    )


def _factor(rng: np.random.Generator, spread: float) -> float:
    return float(exp(spread * rng.standard_normal()))


def _solo(
    system: OversubscribedSystem,
    ranks: int,
    application: OversubscribedApplication,
    rng: np.random.Generator,
) -> SoloRun:
    """Return a run alone; a rank's counters run while it has a core."""
    ranks_of_node = system.ranks_per_node(ranks)
    run = _factor(rng, RUN_SPREAD)
    time = run * solo_time_s(application, _factor(rng, application.io_spread))
    busy = [application.cycles * one.solo_s * one.busy_share for one in application.phases]
    cycles = [1e9 * system.ghz * one for one in busy]
    instructions = sum(
        phase.ipc * own for phase, own in zip(application.phases, cycles, strict=True)
    )
    misses = sum(
        1e9 * phase.bandwidth_gb_s / _LINE_BYTES * own
        for phase, own in zip(application.phases, busy, strict=True)
    )
    return SoloRun(
        application.name,
        ranks,
        ranks_of_node,
        time,
        core_time_s=ranks_of_node * run * sum(busy) * _factor(rng, TIME_NOISE),
        instructions_per_cycle=ranks_of_node * instructions / sum(cycles) * _factor(rng, IPC_NOISE),
        misses_per_kinstr=1e3 * misses / instructions * _factor(rng, MISS_NOISE),
    )


def _together(
    system: OversubscribedSystem,
    ranks: int,
    pair: tuple[OversubscribedApplication, OversubscribedApplication],
    rng: np.random.Generator,
) -> CoRun:
    """Return a run of a pair: both jobs meet the same nodes, and each its own I/O."""
    run = _factor(rng, RUN_SPREAD)
    io = (_factor(rng, pair[0].io_spread), _factor(rng, pair[1].io_spread))
    times = co_run_times_s(system, ranks, pair, io)
    return CoRun(pair[0].name, pair[1].name, ranks, run * times[0], run * times[1])
