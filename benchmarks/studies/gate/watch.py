"""The first seconds of co-runs as a monitor sees them, and what separating the jobs then takes.

Notes
-----
A round begins each 0.5 s; its windows last 50 ms each, the first one and the last one with both
jobs, the middle one with one job while the other is paused, in turn. In a phase alone a rank
executes, per cycle of time,

    b (ipc - q spin)  useful and  q b spin  polling instructions,

where b is its busy share and q the IPC of a polling loop. Together both take the time t of the law
for the same work, and ranks poll for the further time W / tau in it. Each window has noise of its
own: L(0.05) on instructions, and waiting is sampled 100 times a second on each rank of a node.

A monitor pauses for so short that the phases go on as without it; callers charge the pauses.
Separating ends the job with less progress. It starts again after the other one, and its start-up
takes 2 s: job managers, allocation and input, assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.studies.gate.watched import Floats, Watched
from scenarios.pairs.co_runs import CoRun, CoRuns
from scenarios.simulated.oversubscription.applications import OversubscribedApplication
from scenarios.simulated.oversubscription.campaign import RUN_SPREAD, solo_runs
from scenarios.simulated.oversubscription.co_run import Segment, segments, solo_time_s
from scenarios.simulated.oversubscription.law import convoy_wait_ms
from scenarios.simulated.oversubscription.machine import OversubscribedSystem
from solvers.portable import exp

Pair = tuple[OversubscribedApplication, OversubscribedApplication]

ROUND_S = 0.5
WINDOW_S = 0.05
POLLING_IPC = 0.9
WINDOW_NOISE = 0.05
SAMPLES_PER_S = 100.0
RESTART_S = 2.0
EARLIER_RUNS = 10


@dataclass(frozen=True, eq=False)
class WatchedCoRun:
    """A co-run that was watched from its start.

    Attributes
    ----------
    run
        Both run times, were the jobs left together.
    watched
        What the monitor saw.
    separated_s
        Time until both jobs end if they are separated at the end of the watch [s].
    probe
        What the monitor saw of another, short run of the same pair.
    """

    run: CoRun
    watched: Watched
    separated_s: float
    probe: Watched


@dataclass(frozen=True, eq=False)
class WatchedCampaign:
    """Runs alone and watched co-runs, with earlier run times of the applications.

    Attributes
    ----------
    runs
        As without a monitor.
    watched
        The same co-runs with what the monitor saw.
    earlier_s
        Times of ten earlier runs alone of each application [s].
    """

    runs: CoRuns
    watched: tuple[WatchedCoRun, ...]
    earlier_s: tuple[tuple[float, ...], ...]


def watched_co_runs(
    system: OversubscribedSystem,
    seed: int,
    applications: tuple[OversubscribedApplication, ...],
    pairs: tuple[tuple[int, int], ...],
    *,
    ranks: tuple[int, ...] = (),
    watch_s: float = 10.0,
) -> WatchedCampaign:
    """Return all applications alone, and given pairs together under a monitor, each once.

    Parameters
    ----------
    system
        Where.
    seed
        Seed of all noise.
    applications
        What runs.
    pairs
        Pairs of positions in ``applications``.
    ranks
        Rank counts of the jobs; by default those of the system.
    watch_s
        Length of the watch [s].

    Raises
    ------
    ValueError
        A watch without a round of each job.
    """
    if watch_s < 2 * ROUND_S:
        raise ValueError(f"watch_s = {watch_s}; give at least {2 * ROUND_S} s, a round of each job")
    rng = np.random.default_rng([seed, 1])
    counts = ranks or system.ranks
    names = tuple(application.name for application in applications)
    solo = solo_runs(system, rng, applications, counts)
    co_runs = tuple(
        _watched_co_run(system, count, (applications[i], applications[j]), watch_s, rng)
        for count in counts
        for i, j in pairs
    )
    together = tuple(one.run for one in co_runs)
    history = tuple(_earlier_runs_s(application, rng) for application in applications)
    runs = CoRuns(system.label, names, counts, solo, together)
    return WatchedCampaign(runs, co_runs, history)


def _earlier_runs_s(
    application: OversubscribedApplication, rng: np.random.Generator
) -> tuple[float, ...]:
    """Run times alone as the job log of the site has them."""
    times = []
    for _ in range(EARLIER_RUNS):
        io, run = rng.standard_normal(2)
        alone = solo_time_s(application, float(exp(application.io_spread * io)))
        times.append(alone * float(exp(RUN_SPREAD * run)))
    return tuple(times)


def _watched_co_run(
    system: OversubscribedSystem, ranks: int, pair: Pair, watch_s: float, rng: np.random.Generator
) -> WatchedCoRun:
    run = float(exp(RUN_SPREAD * rng.standard_normal()))
    io = _io_factors(pair, rng)
    parts = list(segments(system, ranks, pair, io))
    ends = [max(part.end_s for part in parts if part.running[job]) for job in (0, 1)]
    co_run = CoRun(pair[0].name, pair[1].name, ranks, run * ends[0], run * ends[1])
    watched = _windows(system, ranks, pair, parts, io, watch_s, rng)
    apart = run * _separated_s(pair, parts, io, watch_s)
    other = _io_factors(pair, rng)
    short = list(_first(segments(system, ranks, pair, other), watch_s))
    probe = _windows(system, ranks, pair, short, other, watch_s, rng)
    return WatchedCoRun(co_run, watched, apart, probe)


def _io_factors(pair: Pair, rng: np.random.Generator) -> tuple[float, float]:
    draws = rng.standard_normal(2)
    one, other = (float(exp(job.io_spread * draw)) for job, draw in zip(pair, draws, strict=True))
    return one, other


def _first(parts: Iterable[Segment], until_s: float) -> Iterator[Segment]:
    for part in parts:
        yield part
        if part.end_s >= until_s:
            return


def _separated_s(
    pair: Pair, parts: list[Segment], io: tuple[float, float], watch_s: float
) -> float:
    """The job with more progress goes on alone; the other one starts again after it."""
    alone = [solo_time_s(one, own) for one, own in zip(pair, io, strict=True)]
    done = [0.0, 0.0]
    for part in parts:
        inside = part.length_s - max(0.0, part.end_s - watch_s)
        if inside <= 0:
            break
        for job in (0, 1):
            if part.running[job]:
                phase = pair[job].phases[part.phases[job]]
                own = phase.busy_share + (1.0 - phase.busy_share) * io[job]
                done[job] += inside * own / part.stretch[job]
    return watch_s + sum(alone) - max(done) + RESTART_S


def _windows(
    system: OversubscribedSystem,
    ranks: int,
    pair: Pair,
    parts: list[Segment],
    io: tuple[float, float],
    watch_s: float,
    rng: np.random.Generator,
) -> Watched:
    rounds = int(watch_s / ROUND_S)
    ends = np.array([part.end_s for part in parts])
    begins_s = np.linspace(0.0, ROUND_S * rounds, rounds, endpoint=False)
    at = np.minimum(np.searchsorted(ends, begins_s), len(parts) - 1)
    shuttered = np.arange(rounds) % 2
    cycles = np.full((rounds, 3, 1, 2), 1e9 * system.ghz * WINDOW_S)
    cycles[np.arange(rounds), 1, 0, 1 - shuttered] = np.nan
    rates, shares = np.empty((rounds, 3, 2)), np.empty((rounds, 3, 2))
    for number, index in enumerate(at):
        together, alone = _rates(system, ranks, pair, parts[index], io)
        rates[number], shares[number] = together[0], together[1]
        rates[number, 1], shares[number, 1] = alone
    noise = exp(WINDOW_NOISE * rng.standard_normal(rates.shape))
    samples = max(1, round(SAMPLES_PER_S * WINDOW_S * system.ranks_per_node(ranks)))
    waiting = rng.binomial(samples, np.clip(shares, 0.0, 1.0)) / samples
    return Watched(
        watch_s, WINDOW_S, (rates * noise)[:, :, None, :] * cycles, cycles, waiting,
        shuttered.astype(np.int64), 1e6 * begins_s,
    )  # fmt: skip


def _rates(
    system: OversubscribedSystem,
    ranks: int,
    pair: Pair,
    part: Segment,
    io: tuple[float, float],
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Instructions per cycle and share of waiting of both jobs, together and alone."""
    phases = [pair[job].phases[part.phases[job]] for job in (0, 1)]
    rates = np.empty((2, 2, 2))
    for job, own in enumerate(phases):
        useful = own.busy_share * (own.ipc - POLLING_IPC * own.spin_share)
        polls = own.busy_share * own.spin_share
        longer = polls
        if all(part.running):
            longer += convoy_wait_ms(system, ranks, own, phases[1 - job]) / own.sync_ms
        alone_s = own.busy_share + (1.0 - own.busy_share) * io[job]
        for alone, wait, time in ((0, longer, part.stretch[job]), (1, polls, alone_s)):
            rates[alone, :, job] = (useful + POLLING_IPC * wait) / time, wait / time
    return (rates[0, 0], rates[0, 1]), (rates[1, 0], rates[1, 1])
