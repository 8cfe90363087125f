"""The waiting jobs in order, in blocks that a pass can skip as a whole. Compiled.

Each block stores a lower bound of its jobs' processors and estimates. A pass skips a block if these
bounds show that none of its jobs can start. Jobs that have started leave gaps. The gaps are closed
when they are more than half of the queue.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled

BLOCK = 32
GONE = 1 << 60
"""Processors and estimate of a gap."""


class QueueArrays(NamedTuple):
    """Arrays of the waiting jobs.

    Attributes
    ----------
    job, processors, estimate
        Values of the jobs, by position in the queue.
    fewest, shortest
        Lower bounds of processors and estimates, by block.
    """

    job: NDArray[np.int32]
    processors: NDArray[np.int64]
    estimate: NDArray[np.int64]
    fewest: NDArray[np.int64]
    shortest: NDArray[np.int64]


class QueueEnds(NamedTuple):
    """Ends of the queue: its first index, the index behind its last, and how many wait."""

    head: int
    tail: int
    length: int


def nobody_waiting(jobs: int) -> QueueArrays:
    """Return empty arrays with room for this number of jobs."""
    places = (np.empty(jobs, np.int64) for _ in range(2))
    blocks = (np.empty(jobs // BLOCK + 2, np.int64) for _ in range(2))
    return QueueArrays(np.empty(jobs, np.int32), *places, *blocks)


@compiled
def _put(waiting: QueueArrays, at: int, job: int, processors: int, estimate: int) -> None:
    index = U(at)
    waiting.job[index] = job
    waiting.processors[index] = processors
    waiting.estimate[index] = estimate
    block = index // U(BLOCK)
    # Places fill in order, so at the first place of a block its bounds are those of an older queue.
    if index % U(BLOCK) == U(0):
        waiting.fewest[block] = processors
        waiting.shortest[block] = estimate
    else:
        waiting.fewest[block] = min(waiting.fewest[block], processors)
        waiting.shortest[block] = min(waiting.shortest[block], estimate)


@compiled
def append(
    waiting: QueueArrays, line: QueueEnds, job: int, processors: int, estimate: int
) -> QueueEnds:
    """Put a job at the end."""
    if line.length == 0:
        _put(waiting, 0, job, processors, estimate)
        return QueueEnds(0, 1, 1)
    _put(waiting, line.tail, job, processors, estimate)
    return QueueEnds(line.head, line.tail + 1, line.length + 1)


@compiled
def without_head(waiting: QueueArrays, line: QueueEnds) -> QueueEnds:
    """Take the first job out."""
    head = line.head
    waiting.processors[U(head)] = GONE
    if line.length > 1:
        head += 1
        # Behind the head are gaps of backfilled jobs. The loop ends, since a job still waits.
        while waiting.processors[U(head)] == GONE:
            head += 1
    return QueueEnds(head, line.tail, line.length - 1)


@compiled
def without(waiting: QueueArrays, line: QueueEnds, at: int) -> QueueEnds:
    """Take out the job at a place, and give its block the bounds of the others."""
    if at == line.head:
        line = without_head(waiting, line)
    else:
        waiting.processors[U(at)] = GONE
        line = QueueEnds(line.head, line.tail, line.length - 1)
    block = U(at // BLOCK)
    first = at // BLOCK * BLOCK
    fewest = shortest = GONE
    for place in range(first, min(first + BLOCK, line.tail)):
        # A gap, whose processors are GONE, lowers no bound.
        if waiting.processors[U(place)] < GONE:
            fewest = min(fewest, waiting.processors[U(place)])
            shortest = min(shortest, waiting.estimate[U(place)])
    waiting.fewest[block] = fewest
    waiting.shortest[block] = shortest
    return line


@compiled
def without_gaps(waiting: QueueArrays, line: QueueEnds) -> QueueEnds:
    """Move the jobs together if most places are gaps."""
    # More gaps than jobs, each gap from one start, make closing them cheap: O(1) for each start.
    if line.tail - line.head <= 2 * BLOCK or 2 * line.length >= line.tail - line.head:
        return line
    count = 0
    # `count` <= `at`: a job moves over a gap or itself, never over a job still to come.
    for at in range(line.head, line.tail):
        index = U(at)
        if waiting.processors[index] < GONE:
            processors, estimate = waiting.processors[index], waiting.estimate[index]
            _put(waiting, count, waiting.job[index], processors, estimate)
            count += 1
    return QueueEnds(0, count, count)
