"""How far two schedules of the same jobs are apart: completions over time, and single waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.simulation.schedule import Integers, JobSchedule
from planner.scheduling.simulation.steps import Steps


@dataclass(frozen=True)
class Deviation:
    """How far two schedules of the same jobs are apart; all but the lead and ratio are symmetric.

    Attributes
    ----------
    policy
        Whose schedule is held against the recorded one.
    jobs
        Jobs that are compared.
    largest_gap_jobs, largest_gap_percent
        Largest distance of the two curves of completed jobs, in jobs and as a share of the jobs.
    largest_gap_at_s
        When it is first reached [s].
    mean_gap_jobs, mean_gap_percent
        Mean distance over the time from the first submission to the last end of either.
    area_h_per_job
        Area between the curves, per job [h]: by how much the n-th completion is off, on average
        (the Wasserstein distance of order 1 of the two sets of ends).
    mean_lead_h
        By how much jobs end earlier than recorded, on average [h]; negative where later.
    mean_wait_ratio
        Mean wait over the mean recorded wait; ``None`` where nobody waited.
    mean_wait_error_s, median_wait_error_s
        Absolute error of a job's wait [s]: how well single jobs are met.
    wait_correlation, rank_correlation
        Pearson's of the waits, and of their ranks (Spearman's); ``None`` where all waits are equal.
    """

    policy: str
    jobs: int
    largest_gap_jobs: int
    largest_gap_percent: float
    largest_gap_at_s: int
    mean_gap_jobs: float
    mean_gap_percent: float
    area_h_per_job: float
    mean_lead_h: float
    mean_wait_ratio: float | None
    mean_wait_error_s: float
    median_wait_error_s: float
    wait_correlation: float | None
    rank_correlation: float | None


def completions(schedule: JobSchedule) -> Steps:
    """Completed jobs over time."""
    ends, much = np.unique(schedule.end_s[schedule.started], return_counts=True)
    return Steps(ends, np.cumsum(much))


def deviation(recorded: JobSchedule, simulated: JobSchedule) -> Deviation:
    """Return how far two schedules of the same jobs are apart; every job started in both."""
    one, other = recorded.end_s, simulated.end_s
    times = np.union1d(one, other)
    gaps = np.abs(completions(recorded).at(times) - completions(simulated).at(times))
    worst = int(gaps.argmax())
    jobs = len(one)
    # Curves of equally many steps: the area between them is the sum of the n-th ends' distances.
    area = float(np.abs(np.sort(one) - np.sort(other)).sum(dtype=float))
    lasted = int(times[-1] - recorded.submit_s.min())
    waits, simulated_s = recorded.wait_s, simulated.wait_s
    errors = np.abs(simulated_s - waits)
    return Deviation(
        policy=simulated.policy,
        jobs=jobs,
        largest_gap_jobs=int(gaps[worst]),
        largest_gap_percent=100 * int(gaps[worst]) / jobs,
        largest_gap_at_s=int(times[worst]),
        mean_gap_jobs=area / max(lasted, 1),
        mean_gap_percent=100 * area / max(lasted, 1) / jobs,
        area_h_per_job=area / jobs / 3600,
        mean_lead_h=float((one - other).mean()) / 3600,
        mean_wait_ratio=float(simulated_s.mean() / waits.mean()) if waits.any() else None,
        mean_wait_error_s=float(errors.mean()),
        median_wait_error_s=float(np.median(errors)),
        wait_correlation=_correlation(waits, simulated_s),
        rank_correlation=_correlation(_ranks(waits), _ranks(simulated_s)),
    )


def _correlation(one: NDArray[Any], other: NDArray[Any]) -> float | None:
    if one.min() == one.max() or other.min() == other.max():
        return None
    return float(np.corrcoef(one, other)[0, 1])


def _ranks(values: Integers) -> NDArray[np.float64]:
    """Ranks from 1, ties sharing their mean."""
    _, index, much = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(much)
    mean: NDArray[np.float64] = last - (much - 1) / 2
    return mean[index]
