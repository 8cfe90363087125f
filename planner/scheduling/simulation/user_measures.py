"""How users fare, and how evenly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from planner.scheduling.simulation.job_measures import bounded_slowdown, core_hours
from planner.scheduling.simulation.schedule import JobSchedule
from scenarios.job_logs.job_log import MISSING


@dataclass(frozen=True, eq=False)
class UserMeasures:
    """One value per user, of the users' jobs that started; shape ``(users,)``.

    Attributes
    ----------
    user
        Code of the user, ascending; jobs without a user are not counted.
    jobs
        How many started.
    mean_wait_s, mean_bounded_slowdown
        Over the user's jobs.
    core_hours, share
        Processor-hours that the jobs ran, and their share of those of all users; shares are 0 where
        nobody ran for any time.
    """

    user: NDArray[np.int32]
    jobs: NDArray[np.int64]
    mean_wait_s: NDArray[np.float64]
    mean_bounded_slowdown: NDArray[np.float64]
    core_hours: NDArray[np.float64]
    share: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.user)


def measure_users(schedule: JobSchedule) -> UserMeasures:
    """Measure each user's started jobs."""
    ran = schedule.take(schedule.started & (schedule.user != MISSING))
    user, user_index = np.unique(ran.user, return_inverse=True)
    jobs = np.bincount(user_index, minlength=len(user))

    def summed(values: ArrayLike) -> NDArray[np.float64]:
        sums = np.bincount(user_index, np.asarray(values, float), minlength=len(user))
        return sums.astype(float)

    hours = summed(core_hours(ran))
    total = hours.sum()
    return UserMeasures(
        user=user,
        jobs=jobs,
        mean_wait_s=summed(ran.wait_s) / jobs,
        mean_bounded_slowdown=summed(bounded_slowdown(ran)) / jobs,
        core_hours=hours,
        share=hours / total if total > 0 else np.zeros(len(user)),
    )


def jain_index(values: ArrayLike) -> float | None:
    """Jain's index of fairness, (sum x)^2 / (n sum x^2): 1 where all fare alike, 1/n at worst.

    1 where all values are 0, which is alike too; ``None`` without values.

    References
    ----------
    Jain, Chiu and Hawe, DEC-TR-301, 1984.

    Examples
    --------
    >>> jain_index([1, 1, 1, 1]), jain_index([4, 0, 0, 0])
    (1.0, 0.25)
    """
    x = np.asarray(values, float)
    if not len(x):
        return None
    largest = float(np.abs(x).max())
    if largest == 0:
        return 1.0
    # Scaling changes no ratio, and keeps the squares within floating point.
    x = x / largest
    return float(x.sum() ** 2 / (len(x) * (x**2).sum()))
