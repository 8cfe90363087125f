"""The figure of single jobs: a period, its jobs, and the rows of processors that they are drawn on.

The position of a job has no meaning: processors are only counted, and a job may be in pieces.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.steps import jobs_waiting

if TYPE_CHECKING:
    from planner.scheduling.simulation.result import SimulationResult

MOST_JOBS = 400
_WANTED = 160
"""Most jobs in a period that the user did not choose."""
_SHORTEST_S = 1800
Rows = tuple[tuple[int, int], ...]
"""First row and number of rows of each piece."""


def period_of(result: SimulationResult) -> tuple[int, int]:
    """The period that was requested, else that around the first policy's longest queue [s]."""
    return result.window_s or busiest(result.simulations[0].schedule)


def shown(result: SimulationResult) -> list[int]:
    """The first policy, and that with the shortest wait; else the one with the longest."""
    order = result.ranking
    others = [policy for policy in (order[:1] + order[-1:]) if policy != 0]
    return [0, *others[:1]]


def pieces(result: SimulationResult) -> Iterator[dict[str, Any]]:
    """A row for each piece of a job, in seconds since the beginning of the period."""
    begin, end = period_of(result)
    for policy in shown(result):
        schedule = result.simulations[policy].schedule
        ahead = overtook(schedule)
        for job, rows in drawn(schedule, begin, end):
            for first, count in rows:
                yield {
                    "policy": schedule.policy, "job": int(schedule.number[job]),
                    "begin_s": max(int(schedule.start_s[job]), begin) - begin,
                    "end_s": min(int(schedule.end_s[job]), end) - begin,
                    "first": first, "processors": count,
                    "overtook": bool(ahead[job]),
                }  # fmt: skip


def shows(result: SimulationResult) -> bool:
    """Whether the figure shows a job that overtook another, or a period that was requested."""
    if not result.ranking:
        return False
    if result.window_s:
        return next(pieces(result), None) is not None
    return any(piece["overtook"] for piece in pieces(result))


def busiest(schedule: JobSchedule, jobs: int = _WANTED) -> tuple[int, int]:
    """Return the longest period around the first longest queue with at most ``jobs`` jobs.

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
    # Bisection: a longer period never has fewer jobs. Lengths up to `low` are short enough.
    while low < high:
        half = (low + high + 1) // 2
        number = np.count_nonzero(running(ran, peak - half, peak + half))
        low, high = (half, high) if number <= jobs else (low, half - 1)
    begin = max(first, peak - low)
    return begin, max(begin + 1, min(last, peak + low))


def running(schedule: JobSchedule, begin_s: int, end_s: int) -> NDArray[np.bool_]:
    """Return which jobs run within a period."""
    return schedule.started & (schedule.start_s < end_s) & (schedule.end_s > begin_s)


def overtook(schedule: JobSchedule) -> NDArray[np.bool_]:
    """Return which jobs started before one that was submitted earlier."""
    latest = np.maximum.accumulate(np.where(schedule.started, schedule.start_s, -1))
    earlier = np.concatenate([[-1], latest[:-1]]) if len(schedule) else latest
    ahead: NDArray[np.bool_] = schedule.started & (schedule.start_s < earlier)
    return ahead


def drawn(schedule: JobSchedule, begin_s: int, end_s: int) -> list[tuple[int, Rows]]:
    """The largest jobs of a period in the order of their starts, and their rows."""
    there = np.flatnonzero(running(schedule, begin_s, end_s))
    inside = np.minimum(schedule.end_s, end_s) - np.maximum(schedule.start_s, begin_s)
    area = (schedule.processors * inside)[there]
    chosen = there[np.sort(np.argsort(-area, kind="stable")[:MOST_JOBS])]
    chosen = chosen[np.argsort(schedule.start_s[chosen], kind="stable")]
    columns = (schedule.start_s, schedule.end_s, schedule.processors)
    start, end, processors = (column[chosen].tolist() for column in columns)
    places = rows_of(start, end, processors, schedule.machine_processors)
    return [*zip(chosen.tolist(), places, strict=True)]


def rows_of(
    start_s: list[int], end_s: list[int], processors: list[int], machine: int
) -> list[Rows]:
    """Rows for jobs in order of their starts: the first hole that holds one whole, else pieces.

    Examples
    --------
    >>> rows_of([0, 0, 5, 5], [5, 9, 9, 9], [2, 1, 1, 2], 4)
    [((0, 2),), ((2, 1),), ((0, 1),), ((1, 1), (3, 1))]
    """
    free = [(0, machine)]
    ending: list[tuple[int, int]] = []
    rows: list[Rows] = []
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


def _taken(free: list[tuple[int, int]], needed: int) -> Rows:
    for first, count in free:
        if count >= needed:
            return ((first, needed),)
    pieces_of = []
    for first, count in free:
        piece = min(count, needed)
        needed -= piece
        if piece:
            pieces_of.append((first, piece))
    return tuple(pieces_of)


def _without(free: list[tuple[int, int]], taken: Rows) -> list[tuple[int, int]]:
    gone = dict(taken)
    remaining = [(first + gone.get(first, 0), count - gone.get(first, 0)) for first, count in free]
    return [hole for hole in remaining if hole[1]]
