"""The loop of moldable jobs: who starts now, and on how many processors. Compiled.

The rules are those of :mod:`planner.scheduling.policies.moldable`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.scheduling.policies.job_queue import (
    BLOCK,
    GONE,
    QueueArrays,
    QueueEnds,
    append,
    without,
    without_gaps,
)
from planner.scheduling.policies.lookahead import lay_out
from planner.scheduling.policies.plan import ProcessorPlan, add, earliest, fits, note_least
from planner.scheduling.policies.problem import JobArrays
from planner.scheduling.policies.running import (
    COUNTERS,
    LATEST,
    MachineNow,
    RunningJobs,
    arrives_next,
    end,
    next_end,
    next_time,
    release,
    start,
)

_NONE = -1


class Shapes(NamedTuple):
    """Processors that jobs may run on; arrays of shape ``(choices, jobs)``, times in seconds.

    Attributes
    ----------
    processors
        0 for a choice that a job does not have.
    run, estimate
        On these.
    own
        The choice that is the request.
    """

    processors: NDArray[np.int64]
    run: NDArray[np.int64]
    estimate: NDArray[np.int64]
    own: int


class LeastNeeds(NamedTuple):
    """The least that each job needs over all its choices; arrays of shape ``(jobs,)``.

    Attributes
    ----------
    processors
        Fewest processors.
    estimate
        Shortest estimate [s].
    """

    processors: NDArray[np.int64]
    estimate: NDArray[np.int64]


@compiled_entry
def mold(
    jobs: JobArrays,
    shapes: Shapes,
    least: LeastNeeds,
    machine: int,
    batch: bool,
    running: RunningJobs,
    plan: ProcessorPlan,
    ahead: ProcessorPlan,
    waiting: QueueArrays,
    starts: NDArray[np.int64],
    chosen: NDArray[np.int64],
) -> None:
    """Fill in the starts, and the choice of each job."""
    now = MachineNow(machine, 0, 0, 0)
    line = QueueEnds(0, 0, 0)
    arrived = 0
    # Each turn is one event, and each pass plans anew from the running jobs. The queue holds the
    # waiting jobs in order of submission, with the least that each needs.
    while True:
        key = next_end(running, now)
        if key == LATEST and arrived == len(jobs.submit):
            return
        arrival, time = arrives_next(jobs, arrived, key, batch)
        now = release(running, now, time)
        if arrival:
            fewest = least.processors[U(arrived)]
            line = append(waiting, line, arrived, fewest, least.estimate[U(arrived)])
            # A new job that fits by no choice cannot start; by rule 2 it can only hinder others.
            tries = batch or fewest <= now.free
            arrived += 1
        else:
            counter = key & COUNTERS
            job = U(running.order[U(counter)])
            shape = U(chosen[job])
            expected = starts[job] + shapes.estimate[shape, job]
            now = end(running, now, counter, shapes.processors[shape, job], expected, time)
            tries = True
        if batch and next_time(jobs, arrived, running, now) == time:
            continue
        if tries and line.length > 0 and now.free > 0:
            now, line = _pass(
                shapes, running, now, plan, ahead, waiting, line, time, starts, chosen
            )
            line = without_gaps(waiting, line)


@compiled
def _pass(
    shapes: Shapes,
    running: RunningJobs,
    now: MachineNow,
    plan: ProcessorPlan,
    ahead: ProcessorPlan,
    waiting: QueueArrays,
    line: QueueEnds,
    time: int,
    starts: NDArray[np.int64],
    chosen: NDArray[np.int64],
) -> tuple[MachineNow, QueueEnds]:
    """Start who can start."""
    steps = lay_out(plan, running, now, time)
    note_least(plan, ahead)
    own = U(shapes.own)
    reserved = False
    index = line.head
    # The plan is what running jobs, starts of this pass and the head's reservation leave free, and
    # `ahead` is the least of it up to each time. Jobs before `index` have started or cannot start.
    while index < line.tail and now.free > 0:
        # The first job that cannot start gets the reservation, so none up to it is passed over.
        if reserved:
            index = _next_that_fits(ahead, waiting, index, line.tail)
        else:
            index = _next_waiting(waiting, index, line.tail)
        if index >= line.tail:
            break
        job = U(waiting.job[U(index)])
        steps, shape = _best(shapes, plan, ahead, steps, waiting, line, index, now.free, reserved)
        if shape != _NONE:
            taken, estimate = shapes.processors[U(shape), job], shapes.estimate[U(shape), job]
            steps = add(plan, steps, time, time + estimate, -taken)
            note_least(plan, ahead)
            starts[job] = time
            chosen[job] = shape
            end_s = time + shapes.run[U(shape), job]
            now = start(running, now, job, taken, end_s, time + estimate)
            line = without(waiting, line, index)
        elif not reserved:
            reserved = True
            needed, estimate = shapes.processors[own, job], shapes.estimate[own, job]
            at = earliest(plan, needed, estimate)
            steps = add(plan, steps, at, at + estimate, -needed)
            note_least(plan, ahead)
        index += 1
    return now, line


@compiled
def _next_waiting(waiting: QueueArrays, index: int, tail: int) -> int:
    """Return the next place of the queue that holds a job, from one on; else the tail."""
    while index < tail and waiting.processors[U(index)] == GONE:
        index += 1
    return index


@compiled
def _next_that_fits(ahead: ProcessorPlan, waiting: QueueArrays, index: int, tail: int) -> int:
    """Return the next place whose job's least needs are free from now on; the tail if none are.

    What takes more processors for a longer time does not fit either.
    """
    while index < tail:
        block = U(index // BLOCK)
        whole = index % BLOCK == 0
        if whole and not fits(ahead, waiting.fewest[block], waiting.shortest[block]):
            index += BLOCK
        elif fits(ahead, waiting.processors[U(index)], waiting.estimate[U(index)]):
            return index
        else:
            index += 1
    return tail


@compiled
def _best(
    shapes: Shapes,
    plan: ProcessorPlan,
    ahead: ProcessorPlan,
    steps: int,
    waiting: QueueArrays,
    line: QueueEnds,
    index: int,
    free: int,
    reserved: bool,
) -> tuple[int, int]:
    """The choice with which a job starts now, or none; and how many steps the plan has."""
    job = U(waiting.job[U(index)])
    own = U(shapes.own)
    needed, length = shapes.processors[own, job], shapes.estimate[own, job]
    best = _NONE
    shortest = 0
    # The fewest processors come first, so a later choice must end strictly earlier (rule 3).
    for shape in range(len(shapes.processors)):
        taken, estimate = shapes.processors[U(shape), job], shapes.estimate[U(shape), job]
        if taken == 0 or (best != _NONE and estimate >= shortest):
            continue
        if not fits(ahead, taken, estimate):
            continue
        # Rule 2: more than the request only where nobody behind has a use for it.
        if taken > needed:
            if _of_use(waiting, index + 1, line.tail, free - needed):
                continue
            other = _next_waiting(waiting, index + 1, line.tail)
            if not reserved and other < line.tail:
                behind = waiting.job[U(other)]
                steps, later = _puts_off(shapes, plan, steps, job, shape, behind)
                if later:
                    continue
        best, shortest = shape, estimate
    # Rule 3: not later than the request, from the earliest time at which that is free.
    if best not in (_NONE, shapes.own):
        at = earliest(plan, needed, length)
        if plan.time[U(0)] + shortest > at + length:
            best = _NONE
    return steps, best


@compiled
def _of_use(waiting: QueueArrays, index: int, tail: int, free: int) -> bool:
    """Return whether a job from a place of the queue on could run on ``free`` processors."""
    # The queue holds the fewest over all choices of a job: above `free` it has no use for them.
    while index < tail:
        if index % BLOCK == 0 and waiting.fewest[U(index // BLOCK)] > free:
            index += BLOCK
        elif waiting.processors[U(index)] <= free:
            return True
        else:
            index += 1
    return False


@compiled
def _puts_off(
    shapes: Shapes, plan: ProcessorPlan, steps: int, job: int, shape: int, behind: int
) -> tuple[int, bool]:
    """Whether a job that starts now with a choice puts off another, more than with its request."""
    own = U(shapes.own)
    time = plan.time[U(0)]
    needed, length = shapes.processors[own, U(behind)], shapes.estimate[own, U(behind)]
    requested = shapes.processors[own, U(job)], shapes.estimate[own, U(job)]
    more = shapes.processors[U(shape), U(job)], shapes.estimate[U(shape), U(job)]
    # The plan is tried and restored: equal steps are merged, so it comes back exactly as it is.
    steps = add(plan, steps, time, time + requested[1], -requested[0])
    before = earliest(plan, needed, length)
    steps = add(plan, steps, time, time + requested[1], requested[0])
    steps = add(plan, steps, time, time + more[1], -more[0])
    after = earliest(plan, needed, length)
    steps = add(plan, steps, time, time + more[1], more[0])
    return steps, after > before
