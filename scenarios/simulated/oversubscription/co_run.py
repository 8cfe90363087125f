"""Runs alone and together: the law over the phases of both jobs in time."""

from __future__ import annotations

from functools import lru_cache

from scenarios.simulated.oversubscription.applications import OversubscribedApplication
from scenarios.simulated.oversubscription.law import Stretch, stretches
from scenarios.simulated.oversubscription.machine import OversubscribedSystem


def solo_time_s(application: OversubscribedApplication, io_factor: float = 1.0) -> float:
    """Run time alone, where all I/O of the run takes ``io_factor`` times its usual time [s]."""
    return application.cycles * sum(
        phase.solo_s * (phase.busy_share + (1.0 - phase.busy_share) * io_factor)
        for phase in application.phases
    )


def co_run_times_s(
    system: OversubscribedSystem,
    ranks: int,
    pair: tuple[OversubscribedApplication, OversubscribedApplication],
    io_factors: tuple[float, float] = (1.0, 1.0),
) -> tuple[float, float]:
    """Run times of two jobs that start at once [s].

    From event to event: an event is the end of a phase. The job that lasts longer runs alone after
    the end of the other one.

    Parameters
    ----------
    system, ranks
        Where, and how many ranks each job has.
    pair
        The two applications.
    io_factors
        Time of each job's I/O in this run over its usual time.
    """
    table = _stretch_table(system, ranks, pair)
    phase, cycle, clock = [0, 0], [0, 0], 0.0
    left = [application.phases[0].solo_s for application in pair]
    end: list[float | None] = [None, None]
    while None in end:
        shared = end[0] is None and end[1] is None
        times = []
        for job in (0, 1):
            own = pair[job].phases[phase[job]]
            alone = Stretch(own.busy_share, 1.0 - own.busy_share)
            found = table[phase[0], phase[1]][job] if shared else alone
            times.append(found.cores + found.asleep * io_factors[job])
        until = [left[job] * times[job] if end[job] is None else float("inf") for job in (0, 1)]
        step = min(until)
        clock += step
        for job in (0, 1):
            if end[job] is not None:
                continue
            if until[job] > step:
                left[job] -= step / times[job]
                continue
            phase[job] = (phase[job] + 1) % len(pair[job].phases)
            cycle[job] += phase[job] == 0
            left[job] = pair[job].phases[phase[job]].solo_s
            if cycle[job] == pair[job].cycles:
                end[job] = clock
    first, second = end
    return float(first or 0.0), float(second or 0.0)


@lru_cache(maxsize=4096)
def _stretch_table(
    system: OversubscribedSystem,
    ranks: int,
    pair: tuple[OversubscribedApplication, OversubscribedApplication],
) -> dict[tuple[int, int], tuple[Stretch, ...]]:
    """The law for each combination of phases."""
    return {
        (i, j): stretches(system, ranks, (one, other))
        for i, one in enumerate(pair[0].phases)
        for j, other in enumerate(pair[1].phases)
    }


def makespan_ratio(
    system: OversubscribedSystem,
    ranks: int,
    pair: tuple[OversubscribedApplication, OversubscribedApplication],
) -> float:
    """Makespan together over that one after the other, without variance: the truth of the law."""
    together = max(co_run_times_s(system, ranks, pair))
    return together / (solo_time_s(pair[0]) + solo_time_s(pair[1]))
