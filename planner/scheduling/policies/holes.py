"""From when on the plan has holes of a size: where to begin to look for an earlier start. Compiled.

A hole is a stretch of time in which at least some number of processors are free. For each size, a
power of two of processors and of seconds, ``begin`` holds a time before which no such hole begins.
A job of at least this size has no start before it either. What is planned later only makes holes
smaller, so the time stays true. Where processors are freed, it is brought forward.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.scheduling.policies.plan import NEVER, ProcessorPlan, first_from

LENGTHS = 62
"""Powers of two up to the longest run of a plan."""


class Holes(NamedTuple):
    """Times before which no hole of a size begins.

    Attributes
    ----------
    begin
        Times [s], of shape ``(widths * LENGTHS,)``: widths and lengths by their logarithms.
    seen
        The pass in which the times of each width were found, of shape ``(widths,)``.
    """

    begin: NDArray[np.int64]
    seen: NDArray[np.int64]


def no_holes(machine: int) -> Holes:
    """Return arrays for the holes of a machine, none of which has been looked for."""
    widths = machine.bit_length()
    return Holes(np.zeros(widths * LENGTHS, np.int64), np.full(widths, -1, np.int64))


@compiled_entry
def size_of(processors: int, length: int) -> int:
    """Return the place of the largest size that a job exceeds or equals."""
    width = size = 0
    while processors >> (width + 1) > 0:
        width += 1
    while length >> (size + 1) > 0:
        size += 1
    return width * LENGTHS + size


@compiled_entry
def holes_from(plan: ProcessorPlan, holes: Holes, size: int, at_pass: int) -> int:
    """Return a time before which no hole of a size begins."""
    width = size // LENGTHS
    if holes.seen[U(width)] != at_pass:
        holes.seen[U(width)] = at_pass
        _look(plan, holes, width)
    begin: int = holes.begin[U(size)]
    return begin


@compiled
def _look(plan: ProcessorPlan, holes: Holes, width: int) -> None:
    needed = 1 << width
    place, last = U(width * LENGTHS), U((width + 1) * LENGTHS)
    step = U(0)
    start = plan.time[step]
    longer = 1
    # At the head the hole that `step` is in, if any, begins at `start`; the sizes before `place`
    # have been found, and `longer` is the length of the next one. The plan ends with a hole.
    while place < last and plan.time[step] < NEVER:
        until = plan.time[step + U(1)]
        start = until if plan.free[step] < needed else start
        while until - start >= longer and place < last:
            holes.begin[place] = start
            place += U(1)
            longer <<= 1
        step += U(1)
    while place < last:
        holes.begin[place] = NEVER
        place += U(1)


@compiled_entry
def note_freed(
    plan: ProcessorPlan,
    steps: int,
    holes: Holes,
    begin: int,
    end: int,
    processors: int,
    at_pass: int,
) -> None:
    """Take in the holes that were made by freeing processors from one time to another."""
    if begin >= end:
        return
    first = first_from(plan, 1, steps, begin + 1) - U(1)
    for width in range(len(holes.seen)):
        needed = 1 << width
        if holes.seen[U(width)] == at_pass:
            step = first
            # A hole is new, or larger, only where the free processors have just come to its width.
            while plan.time[step] < end:
                if plan.free[step] - processors < needed <= plan.free[step]:
                    step = _note_hole(plan, holes, width, step)
                else:
                    step += U(1)


@compiled
def _note_hole(plan: ProcessorPlan, holes: Holes, width: int, step: int) -> int:
    """Take in the hole around a step; return the step behind it."""
    needed = 1 << width
    before = after = U(step)
    while before > U(0) and plan.free[before - U(1)] >= needed:
        before -= U(1)
    while plan.time[after] < NEVER and plan.free[after] >= needed:
        after += U(1)
    start = plan.time[before]
    length = plan.time[after] - start
    place = U(width * LENGTHS)
    while length > 0:
        holes.begin[place] = min(holes.begin[place], start)
        place += U(1)
        length >>= 1
    return after
