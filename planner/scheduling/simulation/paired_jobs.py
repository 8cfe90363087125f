"""Means over the jobs of a schedule, and of differences job by job, with their intervals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.replications.batch_means import MeanInterval, batch_means
from planner.scheduling.simulation.job_measures import bounded_slowdown, turnaround_s
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.trimming import Measured


def paired_difference(
    first: JobSchedule,
    second: JobSchedule,
    quantity: str = "wait",
    measured: Measured | None = None,
    *,
    batches: int | None = None,
) -> MeanInterval:
    """How much longer jobs wait, or how much more they are slowed down, in the second schedule.

    Both schedules are of one log, so each job is its own comparison (common random numbers): the
    interval is that of the mean of the differences, job by job in order of submission.

    Parameters
    ----------
    first, second
        Schedules of the same jobs; those that start in both are compared.
    quantity
        ``"wait"`` [s], ``"turnaround"`` [s] or ``"bounded_slowdown"``.
    measured
        Which jobs of the first schedule are measured; all unless given.
    batches
        As for ``batch_means``.

    Returns
    -------
    MeanInterval
        Mean of the differences with its confidence interval; above 0 where the second is slower.

    Raises
    ------
    InputError
        An unknown quantity, other jobs, or too few.
    """
    value = _quantity(quantity)
    order = np.argsort(second.number, kind="stable")
    index = np.minimum(np.searchsorted(second.number[order], first.number), len(second) - 1)
    other = second.take(order[index]) if len(second) else second
    same = len(first) == len(second) and bool(
        (other.number == first.number).all() and (other.submit_s == first.submit_s).all()
    )
    if not same:
        message = "the two schedules are not of the same jobs; compare schedules of one log"
        raise InputError(message)
    both = first.started & other.started
    if measured is not None:
        both &= measured.jobs
    difference = value(other.take(both)) - value(first.take(both))
    return batch_means(difference, batches)


def _quantity(name: str) -> Callable[[JobSchedule], NDArray[np.float64]]:
    quantities = {
        "wait": _wait, "turnaround": _turnaround, "bounded_slowdown": bounded_slowdown,
    }  # fmt: skip
    if name not in quantities:
        raise InputError(f"quantity {name!r} is not known; choose {' or '.join(quantities)}")
    return quantities[name]


def _wait(schedule: JobSchedule) -> NDArray[np.float64]:
    return schedule.wait_s.astype(float)


def _turnaround(schedule: JobSchedule) -> NDArray[np.float64]:
    return turnaround_s(schedule).astype(float)
