"""Waiting jobs in blocks, with the least that a job of each needs: a scan skips blocks. Compiled.

A job waits at the place of its number in the log. For each block of places the least watts, nodes
and expected time of its waiting jobs are kept. No job of a block can start where less is free than
the block's least; so a queue of thousands of jobs is passed in steps of a block.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.scheduling.power.loop.state import LATEST, Integers

BLOCK = 64
"""Places of a block."""

HEAD_FROM, REQUESTED = 0, 1
"""Counters: a place before which nobody waits; requested nodes of all waiting jobs."""


class Needs(NamedTuple):
    """Least needs of each job in any configuration; arrays of shape ``(jobs,)``.

    Attributes
    ----------
    mw, nodes, expected_ms
        Charge [mW], nodes, and expected run time [ms].
    requested
        Requested nodes.
    """

    mw: Integers
    nodes: Integers
    expected_ms: Integers
    requested: Integers


class WaitingJobs(NamedTuple):
    """The waiting jobs, in blocks.

    Attributes
    ----------
    waits
        Shape ``(jobs,)``.
    mw, nodes, expected_ms
        Least needs of each block; ``LATEST`` where nobody waits.
    counters
        At ``HEAD_FROM`` and ``REQUESTED``.
    """

    waits: NDArray[np.bool_]
    mw: Integers
    nodes: Integers
    expected_ms: Integers
    counters: Integers


class Room(NamedTuple):
    """Resources that a job may take: now, and beyond the reservation of the queue's head.

    Attributes
    ----------
    nodes, mw
        Free now.
    spare_nodes, spare_mw
        Left over at the reservation.
    until_ms
        Time to the reservation.
    """

    nodes: int
    mw: int
    spare_nodes: int
    spare_mw: int
    until_ms: int


def nobody(jobs: int) -> WaitingJobs:
    """Give the index of an empty queue."""
    blocks = jobs // BLOCK + 1
    mw, nodes, expected_ms = (np.full(blocks, LATEST, np.int64) for _ in range(3))
    return WaitingJobs(np.zeros(jobs, np.bool_), mw, nodes, expected_ms, np.zeros(2, np.int64))


@compiled_entry
def add(needs: Needs, waiting: WaitingJobs, job: int) -> None:
    """Let a job wait."""
    block = U(job // BLOCK)
    waiting.waits[U(job)] = True
    waiting.mw[block] = min(waiting.mw[block], needs.mw[U(job)])
    waiting.nodes[block] = min(waiting.nodes[block], needs.nodes[U(job)])
    waiting.expected_ms[block] = min(waiting.expected_ms[block], needs.expected_ms[U(job)])
    waiting.counters[U(REQUESTED)] += needs.requested[U(job)]


@compiled_entry
def drop(needs: Needs, waiting: WaitingJobs, job: int) -> None:
    """Let a job wait no more."""
    waiting.waits[U(job)] = False
    waiting.counters[U(REQUESTED)] -= needs.requested[U(job)]
    first = job // BLOCK * BLOCK
    mw, nodes, expected_ms = LATEST, LATEST, LATEST
    # A least need cannot be taken back, so the jobs of the block are read anew.
    for other in range(first, min(first + BLOCK, len(waiting.waits))):
        if waiting.waits[U(other)]:
            mw = min(mw, needs.mw[U(other)])
            nodes = min(nodes, needs.nodes[U(other)])
            expected_ms = min(expected_ms, needs.expected_ms[U(other)])
    block = U(job // BLOCK)
    waiting.mw[block] = mw
    waiting.nodes[block] = nodes
    waiting.expected_ms[block] = expected_ms


@compiled_entry
def first_waiting(waiting: WaitingJobs, end: int) -> int:
    """Return the first job that waits, of those before an end; the end if nobody does."""
    # Jobs come in the order of their numbers and never wait again, so HEAD_FROM only grows.
    job = next_waiting(waiting, waiting.counters[U(HEAD_FROM)], end)
    waiting.counters[U(HEAD_FROM)] = job
    return job


@compiled_entry
def next_waiting(waiting: WaitingJobs, job: int, end: int) -> int:
    """Return the next job that waits, from one on, before an end; the end if nobody does."""
    while job < end:
        # `mw` of a block is LATEST only where nobody in it waits: the whole block is passed.
        if job % BLOCK == 0 and waiting.mw[U(job // BLOCK)] == LATEST:
            job += BLOCK
        elif waiting.waits[U(job)]:
            return job
        else:
            job += 1
    return end


@compiled_entry
def next_that_may_start(needs: Needs, waiting: WaitingJobs, room: Room, job: int, end: int) -> int:
    """The next waiting job, from one on, whose least needs leave it possible that it starts."""
    while job < end:
        # A block is judged at its first place only; elsewhere its jobs are judged one by one.
        if job % BLOCK == 0:
            at = U(job // BLOCK)
            needed = waiting.mw[at], waiting.nodes[at], waiting.expected_ms[at]
            if not _possible(room, needed[0], needed[1], needed[2]):
                job += BLOCK
                continue
        at = U(job)
        if waiting.waits[at] and _possible(
            room, needs.mw[at], needs.nodes[at], needs.expected_ms[at]
        ):
            return job
        job += 1
    return end


@compiled
def _possible(room: Room, mw: int, nodes: int, expected_ms: int) -> bool:
    # The least needs may be those of different rows or jobs: False is certain, True is not.
    if mw > room.mw or nodes > room.nodes:
        return False
    return expected_ms <= room.until_ms or (mw <= room.spare_mw and nodes <= room.spare_nodes)
