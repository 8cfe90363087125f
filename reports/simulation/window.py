"""The figure of single jobs shows a stretch of time, its jobs and the rows that they take."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.steps import jobs_waiting
from planner.scheduling.simulation.study import SimulationStudy

MOST_JOBS = 400
_WANTED = 160
"""Most jobs in a stretch of time that the user did not choose."""
_SHORTEST_S = 1800


@dataclass(frozen=True)
class JobBar:
    """A job in the figure.

    Attributes
    ----------
    number
        Number of the job.
    start_s, end_s
        When it ran [s].
    processors
        How many it held.
    overtook
        Whether it started before a job that was submitted earlier.
    rows
        Where it is drawn: first row and number of rows of each piece.
    """

    number: int
    start_s: int
    end_s: int
    processors: int
    overtook: bool
    rows: tuple[tuple[int, int], ...]


def window_of(study: SimulationStudy) -> tuple[int, int]:
    """The stretch that was asked for, else that around the first policy's longest queue [s]."""
    return study.window_s or busiest(study.simulations[0].schedule)


def busiest(schedule: JobSchedule, jobs: int = _WANTED) -> tuple[int, int]:
    """Return the longest stretch around the first longest queue with at most ``jobs`` jobs.

    Within the log, it reaches 1,800 s to both sides, even if more jobs run there.
    """
    ran = schedule.take(schedule.started)
    if not len(ran):
        return 0, 1
    waiting = jobs_waiting(schedule)
    longest = waiting.value.argmax() if len(waiting.value) else None
    peak = int(ran.start_s.min() if longest is None else waiting.time_s[longest])
    first, last = int(ran.submit_s.min()), int(ran.end_s.max())
    low, high = _SHORTEST_S, max(_SHORTEST_S, last - first)
    while low < high:
        half = (low + high + 1) // 2
        number = np.count_nonzero(running(ran, peak - half, peak + half))
        low, high = (half, high) if number <= jobs else (low, half - 1)
    begin = max(first, peak - low)
    return begin, max(begin + 1, min(last, peak + low))


def running(schedule: JobSchedule, begin_s: int, end_s: int) -> NDArray[np.bool_]:
    """Return which jobs run within a stretch."""
    return schedule.started & (schedule.start_s < end_s) & (schedule.end_s > begin_s)


def overtook(schedule: JobSchedule) -> NDArray[np.bool_]:
    """Return which jobs started before one that was submitted earlier."""
    latest = np.maximum.accumulate(np.where(schedule.started, schedule.start_s, -1))
    earlier = np.concatenate([[-1], latest[:-1]]) if len(schedule) else latest
    ahead: NDArray[np.bool_] = schedule.started & (schedule.start_s < earlier)
    return ahead


def bars(schedule: JobSchedule, begin_s: int, end_s: int) -> tuple[list[JobBar], int]:
    """The jobs of a stretch, and how many more run in it than are drawn, the smallest ones."""
    there = np.flatnonzero(running(schedule, begin_s, end_s))
    inside = np.minimum(schedule.end_s, end_s) - np.maximum(schedule.start_s, begin_s)
    area = (schedule.processors * inside)[there]
    chosen = there[np.sort(np.argsort(-area, kind="stable")[:MOST_JOBS])]
    chosen = chosen[np.argsort(schedule.start_s[chosen], kind="stable")]
    ahead = overtook(schedule)
    columns = (schedule.start_s, schedule.end_s, schedule.processors)
    start, end, processors = (column[chosen].tolist() for column in columns)
    places = rows_of(start, end, processors, schedule.machine_processors)
    boxes = [
        JobBar(int(schedule.number[job]), *times, bool(ahead[job]), rows)
        for job, times, rows in zip(
            chosen, zip(start, end, processors, strict=True), places, strict=True
        )
    ]
    return boxes, len(there) - len(chosen)


def rows_of(
    start_s: list[int], end_s: list[int], processors: list[int], machine: int
) -> list[tuple[tuple[int, int], ...]]:
    """Rows for jobs in order of their starts: the first hole that holds one whole, else pieces.

    Examples
    --------
    >>> rows_of([0, 0, 5, 5], [5, 9, 9, 9], [2, 1, 1, 2], 4)
    [((0, 2),), ((2, 1),), ((0, 1),), ((1, 1), (3, 1))]
    """
    free = [(0, machine)]
    ending: list[tuple[int, int]] = []
    rows: list[tuple[tuple[int, int], ...]] = []
    for job, (start, end, needed) in enumerate(zip(start_s, end_s, processors, strict=True)):
        while ending and ending[0][0] <= start:
            free += rows[heapq.heappop(ending)[1]]
        free = _merged(free)
        taken = _taken(free, needed)
        free = _without(free, taken)
        rows.append(taken)
        heapq.heappush(ending, (end, job))
    return rows


def _merged(holes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for first, count in sorted(holes):
        if merged and sum(merged[-1]) == first:
            merged[-1] = (merged[-1][0], merged[-1][1] + count)
        else:
            merged.append((first, count))
    return merged


def _taken(free: list[tuple[int, int]], needed: int) -> tuple[tuple[int, int], ...]:
    for first, count in free:
        if count >= needed:
            return ((first, needed),)
    pieces = []
    for first, count in free:
        piece = min(count, needed)
        needed -= piece
        if piece:
            pieces.append((first, piece))
    return tuple(pieces)


def _without(
    free: list[tuple[int, int]], taken: tuple[tuple[int, int], ...]
) -> list[tuple[int, int]]:
    gone = dict(taken)
    remaining = [(first + gone.get(first, 0), count - gone.get(first, 0)) for first, count in free]
    return [hole for hole in remaining if hole[1]]
