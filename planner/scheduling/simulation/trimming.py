"""Which jobs are measured: warm-up and cool-down are simulated like all else, but not counted."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.formatting import plural
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.steps import jobs_waiting

MSER_BATCH = 5
FEWEST_MSER_BATCHES = 10
ALL_JOBS = "all jobs"
"""The rule that leaves out no job."""


@dataclass(frozen=True, eq=False)
class Measured:
    """The jobs that are counted.

    Attributes
    ----------
    jobs
        Whether a job is, shape ``(jobs,)``.
    start_s, end_s
        The window for what is a mean over time [s].
    rule
        How they were chosen, in words.
    settled
        Whether a rule that looks for the end of the warm-up found one in the first half.
    """

    jobs: NDArray[np.bool_]
    start_s: int
    end_s: int
    rule: str
    settled: bool = True


def all_measured(schedule: JobSchedule) -> Measured:
    """Every job; the window lasts from the first submission to the last end."""
    start = int(schedule.submit_s.min()) if len(schedule) else 0
    end = int(schedule.end_s.max(initial=start))
    return Measured(np.ones(len(schedule), np.bool_), start, end, ALL_JOBS)


def trim_by_share(schedule: JobSchedule, warm_up: float, cool_down: float) -> Measured:
    """Leave out a share of the jobs at either end, in order of submission, rounded down.

    The window lasts from the first to the last submission of a measured job.

    Parameters
    ----------
    schedule
        Jobs and their starts.
    warm_up, cool_down
        Shares of the jobs to leave out at the beginning and at the end, from 0.

    Returns
    -------
    Measured
        Which jobs are measured.

    Raises
    ------
    InputError
        A share below 0, or both together 1 or more.
    """
    if not (warm_up >= 0 and cool_down >= 0 and warm_up + cool_down < 1):
        shares = f"warm_up = {warm_up:g} and cool_down = {cool_down:g}"
        raise InputError(f"{shares} leave no jobs; give shares from 0 whose sum is below 1")
    number = len(schedule)
    jobs = np.zeros(number, np.bool_)
    jobs[math.floor(warm_up * number) : number - math.floor(cool_down * number)] = True
    return _window(schedule, jobs, f"all but {warm_up:.3g} and {cool_down:.3g} of the jobs")


def trim_by_mser(
    schedule: JobSchedule, series: str = "wait", *, interval_s: int = 3600, cool_down: float = 0.0
) -> Measured:
    """Leave out the warm-up that the marginal standard error rule MSER-5 finds.

    The series is cut where its mean over what is left has the least standard error; in batches of
    five, and at most in the middle. Where the least lies at the middle, no steady state was found:
    the jobs are cut there and ``settled`` is false.

    Parameters
    ----------
    schedule
        Jobs and their starts.
    series
        ``"wait"``: waits of the started jobs in order of submission; ``"queue"``: mean number of
        jobs waiting in each interval from the first submission to the last.
    interval_s
        Length of those intervals [s].
    cool_down
        Share of the jobs to leave out at the end.

    Returns
    -------
    Measured
        Which jobs are measured, and whether a steady state was found.

    Raises
    ------
    InputError
        An unknown series, a share outside [0, 1), or fewer than ten batches.

    References
    ----------
    White, "An effective truncation heuristic for bias reduction in simulation output", Simulation
    69(6), 1997; White, Cobb and Spratt, "A comparison of five steady-state truncation heuristics
    for simulation", WSC 2000.
    """
    number = len(schedule)
    eligible = trim_by_share(schedule, 0, cool_down).jobs
    if series == "wait":
        rows = np.flatnonzero(schedule.started)
        cut, settled = mser(schedule.wait_s[rows].astype(float))
        first = int(rows[cut])
        jobs = eligible & (np.arange(number) >= first)
    elif series == "queue":
        cut, settled = mser(_queue_by_interval(schedule, interval_s))
        jobs = eligible & (schedule.submit_s >= schedule.submit_s[0] + cut * interval_s)
    else:
        raise InputError(f"series {series!r} is not known; choose wait or queue")
    return _window(schedule, jobs, f"MSER-{MSER_BATCH} on the {series} series", settled=settled)


def mser(values: NDArray[np.float64], batch: int = MSER_BATCH) -> tuple[int, bool]:
    """Where MSER cuts a series, as a number of values, and whether that lies before the middle.

    Raises
    ------
    InputError
        Fewer than ten batches.
    """
    number = len(values) // batch
    if number < FEWEST_MSER_BATCHES:
        fewest = batch * FEWEST_MSER_BATCHES
        message = f"{plural(len(values), 'value')} cannot show a warm-up; it takes {fewest}"
        raise InputError(f"{message}: trim by share")
    means = values[: number * batch].reshape(number, batch).mean(axis=1)
    # Centred first: the difference of sums below loses digits where all waits are long.
    means = means - means.mean()
    remaining = number - np.arange(number)
    total = np.cumsum(means[::-1])[::-1]
    squares = np.cumsum((means**2)[::-1])[::-1]
    # White (1997): the squared deviations of the remaining batches over their squared number.
    error = np.maximum(squares - total**2 / remaining, 0) / remaining**2
    half = number // 2
    # The first of equal minima, which leaves out least; beyond the middle too few batches remain.
    cut = int(np.argmin(error[: half + 1]))
    return cut * batch, cut < half


def _queue_by_interval(schedule: JobSchedule, interval_s: int) -> NDArray[np.float64]:
    if interval_s < 1:
        raise InputError(f"interval_s = {interval_s} is below 1 s; give a longer one")
    if not len(schedule):
        return np.zeros(0)
    waiting = jobs_waiting(schedule)
    # Whole intervals only: what the last one lacks would look like a short queue.
    edges = np.arange(schedule.submit_s[0], schedule.submit_s[-1] + 1, interval_s)
    times = np.unique(np.concatenate([edges, waiting.time_s]))
    area = np.concatenate([[0], np.cumsum(waiting.at(times[:-1]) * np.diff(times))])
    means: NDArray[np.float64] = np.diff(area[np.searchsorted(times, edges)]) / interval_s
    return means


def _window(
    schedule: JobSchedule, jobs: NDArray[np.bool_], rule: str, *, settled: bool = True
) -> Measured:
    submit = schedule.submit_s[jobs]
    start, end = (int(submit[0]), int(submit[-1])) if len(submit) else (0, 0)
    return Measured(jobs, start, end, rule, settled)
