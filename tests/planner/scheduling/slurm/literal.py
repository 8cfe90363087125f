"""FCFS with EASY backfilling of nodes and watts, as it is defined, and how orders differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True)
class Job:
    """Times in seconds; ``limit_s`` is what the scheduler plans with."""

    submit_s: float
    run_s: float
    limit_s: float
    nodes: int
    watts: int


def easy_starts(jobs: Sequence[Job], nodes: int, watts: int) -> list[float]:
    """Start of each job [s], in order of the jobs: the queue is in order of submission.

    At every submission and end, jobs start from the head of the queue while they fit. The first
    that does not fit gets a reservation: the earliest time at which enough nodes and watts are free
    by the limits of running jobs. A later job overtakes it if it fits now and either ends by then,
    or needs no more than what is left then of nodes and watts.
    """
    starts: list[float | None] = [None] * len(jobs)
    now = -1.0
    while None in starts:
        ends = [s + job.run_s for s, job in zip(starts, jobs, strict=True) if s is not None]
        now = min(time for time in [*ends, *(job.submit_s for job in jobs)] if time > now)
        _start(jobs, starts, nodes, watts, now)
    return [start for start in starts if start is not None]


def _start(
    jobs: Sequence[Job], starts: list[float | None], nodes: int, watts: int, now: float
) -> None:
    """Decide at one moment; submissions and ends at it have happened."""
    running = [
        (start + job.limit_s, job.nodes, job.watts)
        for start, job in zip(starts, jobs, strict=True)
        if start is not None and start + job.run_s > now
    ]
    free = nodes - sum(n for _, n, _ in running), watts - sum(w for _, _, w in running)
    reserved: tuple[float, int, int] | None = None
    for index, job in enumerate(jobs):
        if starts[index] is not None or job.submit_s > now:
            continue
        fits = job.nodes <= free[0] and job.watts <= free[1]
        if reserved is None and not fits:
            reserved = _reservation(job, running, free)
        elif fits and (reserved is None or _harmless(job, now, reserved)):
            starts[index] = now
            free = free[0] - job.nodes, free[1] - job.watts
            running.append((now + job.limit_s, job.nodes, job.watts))
            if reserved is not None and now + job.limit_s > reserved[0]:
                reserved = reserved[0], reserved[1] - job.nodes, reserved[2] - job.watts


def _reservation(
    head: Job, running: list[tuple[float, int, int]], free: tuple[int, int]
) -> tuple[float, int, int]:
    """When the head can start by the limits, and what is left of nodes and watts then.

    All that ends at that instant counts.
    """
    remaining = free
    for end in sorted({end for end, _, _ in running}):
        freed = [(n, w) for other, n, w in running if other == end]
        remaining = remaining[0] + sum(n for n, _ in freed), remaining[1] + sum(w for _, w in freed)
        if head.nodes <= remaining[0] and head.watts <= remaining[1]:
            return end, remaining[0] - head.nodes, remaining[1] - head.watts
    raise ValueError(f"{head} never fits")


def _harmless(job: Job, now: float, reserved: tuple[float, int, int]) -> bool:
    time, spare_nodes, spare_watts = reserved
    return now + job.limit_s <= time or (job.nodes <= spare_nodes and job.watts <= spare_watts)


def order_differences(
    starts: Sequence[float], expected_starts: Sequence[float], tie_s: float
) -> int:
    """Pairs of jobs that start in one order here and in the other there, each beyond a tie."""
    return sum(
        (starts[i] - starts[j]) * (expected_starts[i] - expected_starts[j]) < 0
        and abs(starts[i] - starts[j]) > tie_s
        and abs(expected_starts[i] - expected_starts[j]) > tie_s
        for i, j in combinations(range(len(starts)), 2)
    )


def forbidden_starts(
    jobs: Sequence[Job], starts: Sequence[float], nodes: int, watts: int, tie_s: float
) -> list[int]:
    """Jobs whose start would delay the job that was first in the queue then, which EASY forbids.

    It looks at each start with what ran at that moment, so that delays do not add up.
    """
    order = sorted(range(len(jobs)), key=lambda index: starts[index])
    return [
        index for position, index in enumerate(order)
        if not _allowed(jobs, starts, order[:position], index, (nodes, watts), tie_s)
    ]  # fmt: skip


def _allowed(
    jobs: Sequence[Job],
    starts: Sequence[float],
    earlier: list[int],
    index: int,
    machine: tuple[int, int],
    tie_s: float,
) -> bool:
    now, job = starts[index], jobs[index]
    on = [other for other in earlier if starts[other] + jobs[other].run_s > now]
    running = [
        (starts[other] + jobs[other].limit_s, jobs[other].nodes, jobs[other].watts) for other in on
    ]
    free = machine[0] - sum(n for _, n, _ in running), machine[1] - sum(w for _, _, w in running)
    submitted = [other for other in range(index) if jobs[other].submit_s < now - tie_s]
    waiting = [other for other in submitted if other not in earlier]
    if not waiting:
        return True
    head = jobs[waiting[0]]
    if head.nodes <= free[0] and head.watts <= free[1]:
        return False
    end, *spare = _reservation(head, running, free)
    return _harmless(job, now, (end + tie_s, spare[0], spare[1]))
