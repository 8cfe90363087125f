"""Runs alone and together: the law over the phases of both jobs in time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from scenarios.simulated.oversubscription.applications import OversubscribedApplication
from scenarios.simulated.oversubscription.law import Stretch, stretches
from scenarios.simulated.oversubscription.machine import OversubscribedSystem


def solo_time_s(application: OversubscribedApplication, io_factor: float = 1.0) -> float:
    """Run time alone, where all I/O of the run takes ``io_factor`` times its usual time [s]."""
    return application.cycles * sum(
        phase.solo_s * (phase.busy_share + (1.0 - phase.busy_share) * io_factor)
        for phase in application.phases
    )


class Segment(NamedTuple):
    """Time between two events of a co-run: no job changes its phase.

    Attributes
    ----------
    end_s
        Its end, from the start of both jobs [s].
    length_s
        Its length [s].
    phases
        Number of each job's phase.
    running
        Whether each job runs.
    stretch
        Time for a second of work alone, of each job.
    """

    end_s: float
    length_s: float
    phases: tuple[int, int]
    running: tuple[bool, bool]
    stretch: tuple[float, float]


def co_run_times_s(
    system: OversubscribedSystem,
    ranks: int,
    pair: tuple[OversubscribedApplication, OversubscribedApplication],
    io_factors: tuple[float, float] = (1.0, 1.0),
) -> tuple[float, float]:
    """Run times of two jobs that start at once [s].

    Parameters
    ----------
    system, ranks
        Where, and how many ranks each job has.
    pair
        The two applications.
    io_factors
        Time of each job's I/O in this run over its usual time.
    """
    ends = [0.0, 0.0]
    for segment in segments(system, ranks, pair, io_factors):
        for job in (0, 1):
            if segment.running[job]:
                ends[job] = segment.end_s
    return ends[0], ends[1]


def segments(
    system: OversubscribedSystem,
    ranks: int,
    pair: tuple[OversubscribedApplication, OversubscribedApplication],
    io_factors: tuple[float, float] = (1.0, 1.0),
) -> Iterator[Segment]:
    """Yield a co-run from event to event: an event is the end of a phase.

    The job that lasts longer runs alone after the end of the other one.
    """
    both = {
        phases: (one.cores + one.asleep * io_factors[0], other.cores + other.asleep * io_factors[1])
        for phases, (one, other) in _stretch_table(system, ranks, pair).items()
    }
    alone = [
        [own.busy_share + (1.0 - own.busy_share) * factor for own in application.phases]
        for application, factor in zip(pair, io_factors, strict=True)
    ]
    phase, cycle, clock = [0, 0], [0, 0], 0.0
    remaining_s = [application.phases[0].solo_s for application in pair]
    runs = [True, True]
    while any(runs):
        at, were = (phase[0], phase[1]), (runs[0], runs[1])
        times = both[at] if all(runs) else (alone[0][at[0]], alone[1][at[1]])
        until = [remaining_s[job] * times[job] if runs[job] else float("inf") for job in (0, 1)]
        step = min(until)
        clock += step
        for job in (0, 1):
            if not runs[job]:
                continue
            if until[job] > step:
                remaining_s[job] -= step / times[job]
                continue
            phase[job] = (phase[job] + 1) % len(pair[job].phases)
            cycle[job] += phase[job] == 0
            remaining_s[job] = pair[job].phases[phase[job]].solo_s
            runs[job] = cycle[job] < pair[job].cycles
        yield Segment(clock, step, at, were, times)


@lru_cache(maxsize=4096)
def _stretch_table(
    system: OversubscribedSystem,
    ranks: int,
    pair: tuple[OversubscribedApplication, OversubscribedApplication],
) -> dict[tuple[int, int], tuple[Stretch, ...]]:
    """Return the law for each combination of phases."""
    return {
        (i, j): stretches(system, ranks, (one, other))
        for i, one in enumerate(pair[0].phases)
        for j, other in enumerate(pair[1].phases)
    }
