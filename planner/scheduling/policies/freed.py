"""Where processors of a plan were freed since a job was last tried. Compiled.

A planned job that could not start earlier when it was last tried can now only if its run would
take up something that has been freed since. What was freed is kept roughly, as one stretch of time
and the most processors that are free anywhere in it: that is enough to pass over most jobs.

Since a job was last tried, three have freed something: jobs that ended; in this pass, jobs before
it that were moved; and in the pass before, jobs behind it that were.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.scheduling.policies.plan import NEVER, ProcessorPlan, first_from


class FreedStretch(NamedTuple):
    """A stretch of time, from ``begin`` to before ``end`` [s], and the most free processors in it.

    If nothing was freed, ``largest`` is 0 and the stretch is empty.
    """

    begin: int
    end: int
    largest: int


class Moves(NamedTuple):
    """Jobs that were moved in a pass, in order, and what they freed.

    From an index on, ``begin``, ``end`` and ``largest`` are those of all that were freed there.
    """

    job: NDArray[np.int32]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    largest: NDArray[np.int64]


def no_moves(jobs: int) -> Moves:
    """Return empty arrays with room for this number of jobs."""
    return Moves(np.empty(jobs, np.int32), *(np.empty(jobs, np.int64) for _ in range(3)))


@compiled_entry
def freed_between(plan: ProcessorPlan, steps: int, begin: int, end: int) -> FreedStretch:
    """Return a stretch from one time to another, with the most processors that are free in it."""
    if begin >= end:
        return FreedStretch(NEVER, 0, 0)
    # The plan begins by now and no stretch begins earlier, so a step holds `begin`.
    index = first_from(plan, 1, steps, begin + 1) - U(1)
    largest = plan.free[index]
    while plan.time[index + U(1)] < end:
        index += U(1)
        largest = max(largest, plan.free[index])
    return FreedStretch(begin, end, largest)


@compiled
def both(one: FreedStretch, other: FreedStretch) -> FreedStretch:
    """Return the smallest stretch that covers both, with the larger number of processors."""
    # The cover may hold more than was freed: a job is then tried in vain, but none is passed over.
    return FreedStretch(
        min(one.begin, other.begin), max(one.end, other.end), max(one.largest, other.largest)
    )


@compiled_entry
def note_move(moves: Moves, index: int, job: int, freed: FreedStretch) -> None:
    """Add a job at the end."""
    at = U(index)
    moves.job[at] = job
    moves.begin[at] = freed.begin
    moves.end[at] = freed.end
    moves.largest[at] = freed.largest


@compiled_entry
def from_there_on(moves: Moves, count: int) -> None:
    """Let each place say what was freed from there on."""
    freed = FreedStretch(NEVER, 0, 0)
    # From the back: behind `at` each place already holds the cover of all moves from it on.
    for back in range(count):
        at = U(count - 1 - back)
        freed = both(freed, FreedStretch(moves.begin[at], moves.end[at], moves.largest[at]))
        moves.begin[at] = freed.begin
        moves.end[at] = freed.end
        moves.largest[at] = freed.largest
