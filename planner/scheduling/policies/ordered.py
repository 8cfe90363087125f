"""The queue in another order than that of submission: the shortest or the largest job first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.lookahead import look_ahead
from planner.scheduling.policies.problem import JobArrays, SchedulingProblem, Starts


@dataclass(frozen=True)
class Ordered:
    """Start jobs in order of a rank; jobs of equal rank in order of submission.

    Attributes
    ----------
    rank
        Function that gives the rank of each job; the lowest rank is first.
    reservations
        Number of jobs at the head that backfilled jobs must not delay. If it is negative, no job
        overtakes the first one.
    """

    name: str
    rank: Callable[[JobArrays], NDArray[np.int64]]
    reservations: int = -1

    def schedule(self, problem: SchedulingProblem) -> Starts:
        """Start every job.

        Raises
        ------
        PlanError
            Predictions are requested.
        """
        return look_ahead(problem, self.rank(problem.jobs), self.reservations)


def by_estimate(jobs: JobArrays) -> NDArray[np.int64]:
    """The shortest job first, by its estimate."""
    return jobs.estimate


def by_processors(jobs: JobArrays) -> NDArray[np.int64]:
    """The largest job first."""
    return -jobs.processors
