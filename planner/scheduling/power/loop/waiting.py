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


class Way(NamedTuple):
    """The least that a start takes in one way, by job or by block.

    Attributes
    ----------
    mw, nodes, expected_ms
        Charge [mW], nodes, and expected run time [ms]; ``LATEST`` if nobody can start in this way.
    """

    mw: Integers
    nodes: Integers
    expected_ms: Integers


class Least(NamedTuple):
    """What a start needs at least, by job or by block.

    Attributes
    ----------
    wish
        To start in its wish, by the mode that needs less.
    smaller
        To start in any configuration that fits (Algorithm 1).
    share_mw
        Fair share of the bound, of a block the largest; 0 where nobody waits. Only while less is
        free does Algorithm 1 apply.
    """

    wish: Way
    smaller: Way
    share_mw: Integers


class Needs(NamedTuple):
    """What each job needs at least, and requested nodes; arrays of shape ``(jobs,)``."""

    least: Least
    requested: Integers


class WaitingJobs(NamedTuple):
    """The waiting jobs, in blocks.

    Attributes
    ----------
    waits
        Shape ``(jobs,)``.
    least
        Least needs of each block; ``LATEST`` where nobody waits.
    counters
        At ``HEAD_FROM`` and ``REQUESTED``.
    """

    waits: NDArray[np.bool_]
    least: Least
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
    wish, smaller = (Way(*(np.full(blocks, LATEST, np.int64) for _ in range(3))) for _ in range(2))
    least = Least(wish, smaller, np.zeros(blocks, np.int64))
    return WaitingJobs(np.zeros(jobs, np.bool_), least, np.zeros(2, np.int64))


@compiled_entry
def add(needs: Needs, waiting: WaitingJobs, job: int) -> None:
    """Let a job wait."""
    waiting.waits[U(job)] = True
    waiting.counters[U(REQUESTED)] += needs.requested[U(job)]
    _include(needs.least, waiting.least, job)


@compiled
def _include(needs: Least, blocks: Least, job: int) -> None:
    """Let the bounds of a block hold for a job of it."""
    _lower(blocks.wish, job // BLOCK, needs.wish, job)
    _lower(blocks.smaller, job // BLOCK, needs.smaller, job)
    block = U(job // BLOCK)
    blocks.share_mw[block] = max(blocks.share_mw[block], needs.share_mw[U(job)])


@compiled
def _lower(least: Way, block: int, needs: Way, job: int) -> None:
    least.mw[U(block)] = min(least.mw[U(block)], needs.mw[U(job)])
    least.nodes[U(block)] = min(least.nodes[U(block)], needs.nodes[U(job)])
    least.expected_ms[U(block)] = min(least.expected_ms[U(block)], needs.expected_ms[U(job)])


@compiled_entry
def drop(needs: Needs, waiting: WaitingJobs, job: int) -> None:
    """Let a job wait no more."""
    waiting.waits[U(job)] = False
    waiting.counters[U(REQUESTED)] -= needs.requested[U(job)]
    block = job // BLOCK
    _forget(waiting.least.wish, block)
    _forget(waiting.least.smaller, block)
    waiting.least.share_mw[U(block)] = 0
    # A least need cannot be taken back, so the jobs of the block are read anew.
    for other in range(block * BLOCK, min((block + 1) * BLOCK, len(waiting.waits))):
        if waiting.waits[U(other)]:
            _include(needs.least, waiting.least, other)


@compiled
def _forget(least: Way, block: int) -> None:
    least.mw[U(block)] = LATEST
    least.nodes[U(block)] = LATEST
    least.expected_ms[U(block)] = LATEST


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
        # The least of a block is LATEST only where nobody in it waits: the whole block is passed.
        if job % BLOCK == 0 and waiting.least.wish.mw[U(job // BLOCK)] == LATEST:
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
        if job % BLOCK == 0 and not _possible(room, waiting.least, job // BLOCK):
            job += BLOCK
        elif waiting.waits[U(job)] and _possible(room, needs.least, job):
            return job
        else:
            job += 1
    return end


@compiled
def _possible(room: Room, least: Least, at: int) -> bool:
    """Return whether a job or a block may start; while its share is free, only in its wish."""
    return _is_room(room, least.wish, at) or (
        least.share_mw[U(at)] > room.mw and _is_room(room, least.smaller, at)
    )


@compiled
def _is_room(room: Room, way: Way, at: int) -> bool:
    mw, nodes = way.mw[U(at)], way.nodes[U(at)]
    # The least needs may be those of different rows or jobs: False is certain, True is not.
    if mw > room.mw or nodes > room.nodes:
        return False
    if way.expected_ms[U(at)] <= room.until_ms:
        return True
    return bool(mw <= room.spare_mw and nodes <= room.spare_nodes)
