"""Whether a policy keeps up with a log, as far as the log itself shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from planner.scheduling.simulation.steps import jobs_waiting

if TYPE_CHECKING:
    from planner.scheduling.simulation.schedule import JobSchedule

FEWEST_JOBS = 100
"""With fewer jobs a growing queue shows little."""
_PARTS = 4
_GROWTH = 3.0
"""A queue that grows steadily from 0 has seven times as many jobs in the last quarter."""


def growing_queue(schedule: JobSchedule) -> tuple[float, ...]:
    """Return the mean queue in each quarter of the time of submissions, if it grows throughout.

    It grows throughout if each quarter's mean exceeds the one before, the last one is at least
    three times the first, and jobs wait at every moment from the end of the first quarter to the
    last submission. Otherwise, or if the log has fewer than 100 jobs, the result is empty.
    """
    if len(schedule) < FEWEST_JOBS:
        return ()
    first, last = int(schedule.submit_s.min()), int(schedule.submit_s.max())
    if last - first < _PARTS:
        return ()
    waiting = jobs_waiting(schedule)
    edges = np.linspace(first, last, _PARTS + 1).astype(np.int64)
    inside = waiting.time_s[(waiting.time_s > first) & (waiting.time_s < last)]
    times = np.unique(np.concatenate([edges, inside]))
    values = waiting.at(times[:-1])
    if values[times[:-1] >= edges[1]].min(initial=1) == 0:
        return ()
    area = np.concatenate([[0.0], np.cumsum(values * np.diff(times).astype(float))])
    means = np.diff(area[np.searchsorted(times, edges)]) / np.diff(edges)
    grows = bool((np.diff(means) > 0).all()) and means[-1] >= _GROWTH * means[0]
    return tuple(means.tolist()) if grows else ()


def submitted_work(schedule: JobSchedule) -> float:
    """Work of the jobs that start, over what the machine can do while jobs are submitted."""
    started = schedule.take(schedule.started)
    span = int(schedule.submit_s.max()) - int(schedule.submit_s.min())
    work = float((started.processors * (started.end_s - started.start_s)).sum())
    return work / (schedule.machine_processors * span)
