"""Measures of single jobs; of jobs that started only.

References
----------
Feitelson and Rudolph, "Metrics and benchmarking for parallel job scheduling", JSSPP 1998, section
2; Feitelson, "Metrics for parallel job scheduling and their convergence", JSSPP 2001, section 2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.simulation.schedule import JobSchedule

SLOWDOWN_BOUND_S = 10
"""Runs shorter than this count as this long in the bounded slowdown [s] (Feitelson 2001)."""

Floats = NDArray[np.float64]


def turnaround_s(schedule: JobSchedule) -> NDArray[np.int64]:
    """From submission to end [s]: wait plus run time, also called response time.

    Returns
    -------
    numpy.ndarray
        Seconds, one for each job, in order of submission.
    """
    return schedule.wait_s + schedule.run_s


def slowdown(schedule: JobSchedule) -> Floats:
    """Turnaround over run time; infinite for a run of 0 s that waits, 1 for one that does not.

    The run time is that on the processors that the job requested: who starts early on fewer, and
    runs longer for it, is not slowed down less. On more the slowdown may be below 1.
    """
    run = schedule.asked_run_s.astype(float)
    waits = np.where(schedule.wait_s > 0, np.inf, 1.0)
    np.divide(turnaround_s(schedule), run, out=waits, where=run > 0)
    return waits


def bounded_slowdown(schedule: JobSchedule) -> Floats:
    """max(1, (wait + run) / max(run, 10 s)), over the run time as in :func:`slowdown`."""
    run = np.maximum(schedule.asked_run_s, SLOWDOWN_BOUND_S)
    return np.maximum(1.0, turnaround_s(schedule) / run)


def core_hours(schedule: JobSchedule) -> Floats:
    """Processors times hours on the machine."""
    return schedule.processors * schedule.run_s / 3600.0
