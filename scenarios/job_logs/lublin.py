"""Synthetic logs by the Lublin-Feitelson model: sizes, run times and the daily cycle.

References
----------
Lublin and Feitelson, Journal of Parallel and Distributed Computing 63(11), 2003, and the authors'
generator. Departures: arrival times are rounded down once, not added up rounded; sizes follow the
machine by keeping the published distances of ``medium`` and ``high`` from log2 of its processors;
a power of two that rounds above the machine becomes the largest on it; the load is set by gaps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scenarios.faults import Fault, ScenarioError
from scenarios.job_logs.job_log import LATEST_S, MISSING, MOST_JOBS, Integers, JobLog
from scenarios.job_logs.lublin_parameters import (
    ALL_JOBS,
    BATCH,
    FITTED_PROCESSORS,
    INTERACTIVE,
    LublinJobClass,
)
from scenarios.job_logs.origin import SYNTHETIC
from scenarios.job_logs.requested_times import requested_times
from solvers.portable import exp, log

LONGEST_LOG_RUN = 12.0
LONGEST_LOG_GAP = 13.0
"""Longer draws are drawn again: run times end at exp(12) s, some 45 hours, gaps at exp(13) s."""

HALF_HOURS = 48
HALF_HOUR_S = 1800
_DAY_BEGINS = 11  # the half-hour, counted from 1, at which the fitted day begins
_FEWEST_PROCESSORS = 32  # below, interactive jobs have a medium power below their low one

Floats = NDArray[np.float64]


def lublin_log(
    jobs: int,
    machine_processors: int,
    seed: int,
    *,
    classes: bool = True,
    load: float | None = None,
    estimate_factor: float = 0.0,
) -> JobLog:
    """Make a synthetic log; time 0 is midnight.

    Parameters
    ----------
    jobs
        How many.
    machine_processors
        Processors of the machine, at least 32; the model was fitted to machines of 100 to 400.
    seed
        Seed of the random numbers; the same seed gives the same arrays.
    classes
        Interactive and batch jobs, each with its own sizes, run times and arrivals (queue 0 and 1);
        else one class with the parameters fitted to all jobs together.
    load
        Offered load: run time times processors of all jobs over processors of the machine times
        the time from first to last submission. All gaps are stretched alike before they are laid
        over the day, so the daily cycle stays one of 24 hours. The model's own unless given.
    estimate_factor
        Requests are uniform from the run time to (1 + factor) times it; 0 for exact ones.

    Returns
    -------
    JobLog
        Jobs without users, in order of submission, times in seconds.

    Raises
    ------
    ScenarioError
        A number of jobs, a machine, a load or a factor that the model has no place for.
    """
    _check(jobs, machine_processors, load)
    kinds = (INTERACTIVE, BATCH) if classes else (ALL_JOBS,)
    rng = np.random.default_rng(seed)
    *streams, estimates = rng.spawn(len(kinds) + 1)
    gaps = [draw_gaps(kind, jobs, stream) for kind, stream in zip(kinds, streams, strict=True)]
    sums = np.concatenate([np.cumsum(gap) for gap in gaps])
    queue = np.repeat(np.arange(len(kinds)), jobs)
    first = np.argsort(_arrivals(kinds, queue, sums), kind="stable")[:jobs]
    sums, queue = sums[first], queue[first]
    processors, run = np.ones(jobs, np.int64), np.ones(jobs, np.int64)
    for code, (kind, stream) in enumerate(zip(kinds, streams, strict=True)):
        own = queue == code
        processors[own] = draw_sizes(kind, int(own.sum()), machine_processors, stream)
        run[own] = draw_run_times(kind, processors[own], stream)
    work = float(processors @ run.astype(float))
    stretch = (
        1.0 if load is None else _stretch(kinds, queue, sums, work / machine_processors / load)
    )
    submit = np.floor(_arrivals(kinds, queue, stretch * sums)).astype(np.int64)
    order = np.argsort(submit, kind="stable")
    run, missing = run[order], np.full(jobs, MISSING, np.int64)
    codes = missing.astype(np.int32)
    return JobLog(
        name=f"Lublin-Feitelson, {jobs} jobs, seed {seed}",
        number=np.arange(1, jobs + 1),
        submit_s=submit[order],
        run_s=run,
        processors=processors[order],
        requested_s=requested_times(run, estimate_factor, estimates),
        user=codes,
        group=codes,
        queue=queue[order].astype(np.int32),
        partition=codes,
        wait_s=missing,
        names={"queue": tuple(kind.name for kind in kinds)},
        header={
            "MaxProcs": str(machine_processors),
            SYNTHETIC: f"Lublin-Feitelson model, seed {seed}",
        },
        machine_processors=machine_processors,
    )


def draw_sizes(
    kind: LublinJobClass, jobs: int, machine_processors: int, rng: np.random.Generator
) -> Integers:
    """Processors of jobs: one, or two to a two-stage uniform power, often rounded."""
    shift = log(machine_processors / FITTED_PROCESSORS) / log(2.0)
    medium, high = kind.medium + shift, kind.high + shift
    share = rng.random(jobs)
    first = rng.random(jobs) <= kind.first_stage
    power = rng.uniform(np.where(first, kind.low, medium), np.where(first, medium, high))
    rounded = np.minimum(np.floor(power + 0.5), machine_processors.bit_length() - 1)
    power = np.where(share <= kind.serial + kind.power_of_two, rounded, power)
    sizes = np.floor(exp(log(2.0) * power) + 0.5).astype(np.int64)
    return np.where(share <= kind.serial, 1, np.minimum(sizes, machine_processors))


def draw_run_times(
    kind: LublinJobClass, processors: Integers, rng: np.random.Generator
) -> Integers:
    """Run times [s]: exp of a hyper-gamma variable, longer for larger jobs; rounded down."""
    share = np.clip(kind.slope * processors + kind.level, 0, 1)
    logarithm = np.full(len(processors), np.inf)
    while (again := np.flatnonzero(logarithm > LONGEST_LOG_RUN)).size:
        first = rng.random(len(again)) <= share[again]
        shape = np.where(first, kind.shape_1, kind.shape_2)
        logarithm[again] = rng.gamma(shape, np.where(first, kind.scale_1, kind.scale_2))
    run: Integers = np.floor(exp(logarithm)).astype(np.int64)
    return run


def draw_gaps(kind: LublinJobClass, jobs: int, rng: np.random.Generator) -> Floats:
    """Gaps between arrivals [s] on a day without a cycle."""
    logarithm = np.full(jobs, np.inf)
    while (again := np.flatnonzero(logarithm > LONGEST_LOG_GAP)).size:
        shape = kind.gap_shape * kind.rush_ratio
        logarithm[again] = rng.gamma(shape, kind.gap_scale, len(again))
    gaps: Floats = exp(logarithm)
    return gaps


def daily_cycle(kind: LublinJobClass) -> Floats:
    """Arrival rate in each half-hour from midnight, over its mean, shape ``(48,)``."""
    from scipy.special import gammainc

    counted = np.arange(_DAY_BEGINS, _DAY_BEGINS + HALF_HOURS)
    edges = np.concatenate([counted - 0.5, counted[-1:] + 0.5])
    weight = np.empty(HALF_HOURS)
    share = np.diff(gammainc(kind.day_shape, edges / kind.day_scale))  # of a gamma distribution
    weight[(counted - 1) % HALF_HOURS] = share
    cycle: Floats = weight / weight.mean()
    return cycle


def _arrivals(kinds: Sequence[LublinJobClass], queue: NDArray[np.intp], sums: Floats) -> Floats:
    """Arrival times [s]: sums of gaps laid over days, where a busy half-hour holds more of them."""
    times = np.empty(len(sums))
    edges = HALF_HOUR_S * np.arange(HALF_HOURS + 1.0)
    day = HALF_HOUR_S * HALF_HOURS
    for code, kind in enumerate(kinds):
        own = queue == code
        filled = HALF_HOUR_S * np.concatenate([[0.0], np.cumsum(daily_cycle(kind))])
        filled[-1] = day
        days, rest = np.divmod(sums[own], day)
        times[own] = days * day + np.interp(rest, filled, edges)
    return times


def _stretch(
    kinds: Sequence[LublinJobClass], queue: NDArray[np.intp], sums: Floats, span_s: float
) -> float:
    """Return the factor of all gaps at which first and last submission lie so far apart."""
    if len(sums) < 2:
        raise _fault("load", "one job alone has no load; generate more jobs")

    def span(factor: float) -> float:
        return float(np.ptp(_arrivals(kinds, queue, factor * sums)))

    low, high = 0.0, 1.0
    while span(high) < span_s:
        high *= 2
        if high * sums.max() > LATEST_S:
            raise _fault(
                "load",
                "is too low: submit times would exceed the limit of a log; give a higher load",
            )
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if span(middle) < span_s else (low, middle)
    return high


def _check(jobs: int, machine_processors: int, load: float | None) -> None:
    if not 1 <= jobs <= MOST_JOBS:
        raise _fault("jobs", f"{jobs} is outside 1 to {MOST_JOBS}; give a number such as 10,000")
    if machine_processors < _FEWEST_PROCESSORS:
        too_few = f"{machine_processors} is below {_FEWEST_PROCESSORS}"
        raise _fault(
            "machine_processors", f"{too_few}, too few for the job sizes of the model; give more"
        )
    if load is not None and not 0 < load < math.inf:
        raise _fault("load", f"{load:g} is not a load; give a number such as 0.8")


def _fault(where: str, message: str) -> ScenarioError:
    return ScenarioError([Fault("Lublin-Feitelson model", 0, where, message)])
