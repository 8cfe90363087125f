"""Predictors on a fixed schedule: what they would have said at each submission, and how well.

Submissions and ends come in the order of time. Of one instant submissions come first, so an end at
t is known to submissions later than t; in a schedule by event order ``batch`` ends come first, but
for jobs of no length that start at that instant. Ends of one instant come by start. The schedule
stays as it is; schedules that use predictions need a simulation.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.scheduling.estimates.predictors.predictor import (
    Integers,
    Rows,
    RunTimePredictor,
    known_of,
)
from planner.scheduling.simulation.schedule import JobSchedule
from scenarios.job_logs.job_log import JobLog

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a predictor said of each job when it was submitted.

    Attributes
    ----------
    predictor
        Its name.
    seed
        What it was begun with.
    predicted_s
        Run times [s], shape ``(jobs,)``.
    """

    predictor: str
    seed: int
    predicted_s: Integers


def replay(
    predictor: RunTimePredictor, log: JobLog, schedule: JobSchedule, seed: int = 0
) -> Predictions:
    """Ask at each submission, and tell each end, as on the schedule.

    Jobs that never started are asked for, and never end.

    Raises
    ------
    InputError
        The schedule is not one of this log.
    """
    if not np.array_equal(log.number, schedule.number):
        raise InputError(
            f"the schedule of {schedule.name} has other jobs than {log.name}; give the log it was "
            "made from"
        )
    passing = predictor.begin(known_of(log), seed)
    predicted = np.empty(len(log), np.int64)
    order, is_end, bounds = _events(schedule)
    run_s = schedule.run_s
    for begin, stop in pairwise(bounds):
        rows = order[begin:stop]
        if is_end[begin]:
            passing.learn(rows, run_s[rows])
        else:
            predicted[rows] = passing.predict(rows)
    return Predictions(predictor.name, seed, predicted)


def _events(schedule: JobSchedule) -> tuple[Rows, list[bool], list[int]]:
    """Jobs by event, whether each event is an end, and where batches begin.

    A batch holds submissions of one instant, or ends between two submissions.
    """
    jobs = len(schedule)
    ran = np.flatnonzero(schedule.started)
    rows = np.concatenate((np.arange(jobs), ran))
    is_end = np.arange(len(rows)) >= jobs
    start = np.concatenate((schedule.submit_s, schedule.start_s[ran]))
    time = np.concatenate((schedule.submit_s, schedule.end_s[ran]))
    phase = np.where(is_end, 2, 1)
    if schedule.event_order == "batch":
        phase[is_end & (time > start)] = 0
    order = np.lexsort((rows, start, phase, time))
    rows, is_end, time = rows[order], is_end[order], time[order]
    new = (is_end[1:] != is_end[:-1]) | (~is_end[1:] & (time[1:] > time[:-1]))
    bounds = [0, *(np.flatnonzero(new) + 1).tolist(), len(rows)] if jobs else [0]
    return rows, is_end.tolist(), bounds


@dataclass(frozen=True)
class Accuracy:
    """How near predictions are to run times; run times below 1 s count as 1 s.

    Attributes
    ----------
    jobs
        How many.
    under_predicted
        Share that outlived the prediction.
    accuracy_mean, accuracy_median
        The smaller of prediction and run time over the larger.
    absolute_error_s
        Mean [s].
    over_estimate_mean, over_estimate_median
        Prediction less run time, over the run time, of those that did not outlive it; ``None`` if
        there are none.
    over_estimate_left
        Sum of these differences over that of the requests; ``None`` if requests were exact.
    at_request
        Share whose prediction is the request.
    users_accuracy
        Least decile, median and largest decile of the users' mean accuracies.

    References
    ----------
    Tsafrir, Etsion and Feitelson (2007). Backfilling using system-generated predictions rather than
    user runtime estimates. IEEE TPDS 18(6), section 4, for the accuracy.
    """

    jobs: int
    under_predicted: float
    accuracy_mean: float
    accuracy_median: float
    absolute_error_s: float
    over_estimate_mean: float | None
    over_estimate_median: float | None
    over_estimate_left: float | None
    at_request: float
    users_accuracy: tuple[float, float, float] | None


def accuracy(
    predicted_s: Integers,
    run_s: Integers,
    requested_s: Integers,
    user: NDArray[np.integer] | None = None,
) -> Accuracy:
    """Score predictions; arrays of shape ``(jobs,)``, times in seconds, predictions from 1 s on.

    Raises
    ------
    InputError
        There are no jobs.
    """
    if not len(run_s):
        raise InputError("no job was predicted; give a log with jobs that ran")
    run = np.maximum(run_s, 1)
    near = np.minimum(predicted_s, run) / np.maximum(predicted_s, run)
    over = (predicted_s - run)[predicted_s >= run]
    relative = over / run[predicted_s >= run]
    spare = int(np.maximum(requested_s - run, 0).sum())
    return Accuracy(
        jobs=len(run),
        under_predicted=float((predicted_s < run).mean()),
        accuracy_mean=float(near.mean()),
        accuracy_median=float(np.median(near)),
        absolute_error_s=float(np.abs(predicted_s - run).mean()),
        over_estimate_mean=float(relative.mean()) if len(relative) else None,
        over_estimate_median=float(np.median(relative)) if len(relative) else None,
        over_estimate_left=int(over.sum()) / spare if spare else None,
        at_request=float((predicted_s == np.maximum(requested_s, 1)).mean()),
        users_accuracy=None if user is None else _users(near, user),
    )


def _users(near: Floats, user: NDArray[np.integer]) -> tuple[float, float, float]:
    codes = np.unique(user, return_inverse=True)[1]
    means = np.bincount(codes, near) / np.bincount(codes)
    low, middle, high = np.quantile(means, (0.1, 0.5, 0.9))
    return float(low), float(middle), float(high)
