"""Moments that were never set: schedulers write 0, which a program may print as a day of 1970."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scenarios.job_logs.cell_values import Seconds
from scenarios.job_logs.job_log import MISSING, Integers

LEAST_UNIX_S = 1 << 28
"""Mid-1978: earlier times are counted from some zero of their own."""

_DAY_S = 86_400  # a local time of 0 is up to 14 hours from it
LONGEST_RUN_S = 1 << 29
"""17 years. What ends and never started has run since 1970, by end minus start."""


def known_moments(moments: Mapping[str, Seconds | None]) -> dict[str, Seconds | None]:
    """Return the moments of a job, ``None`` for each that was not set.

    A negative moment was not set. Nor was one around 0, if another moment of the job is a date:
    jobs do not wait or run for years.

    Examples
    --------
    >>> known_moments({"submit": 1_610_000_200, "start": 0, "end": 1_610_000_300})
    {'submit': 1610000200, 'start': None, 'end': 1610000300}
    >>> known_moments({"submit": 0, "start": 0, "end": 3600})
    {'submit': 0, 'start': 0, 'end': 3600}
    """
    dated = max((each for each in moments.values() if each is not None), default=0) >= LEAST_UNIX_S
    least = _DAY_S + 1 if dated else 0
    return {
        name: None if moment is None or moment < least else moment
        for name, moment in moments.items()
    }


def known_submissions(submit_s: Integers) -> Integers:
    """Return submit times, ``MISSING`` for those around 0 where all others are dates."""
    later = submit_s > _DAY_S
    if not later.any() or submit_s[later].min() < LEAST_UNIX_S:
        return submit_s
    return np.where(later, submit_s, MISSING)


def known_runs(run_s: Integers) -> Integers:
    """Return run times of jobs with dates, ``MISSING`` for those that began or end in 1970."""
    return np.where(run_s < LONGEST_RUN_S, run_s, MISSING)


def never_set(wait_s: Integers) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which jobs started years before they were submitted: their start was not set."""
    met: np.ndarray[tuple[int], np.dtype[np.bool_]] = wait_s <= -LEAST_UNIX_S
    return met
