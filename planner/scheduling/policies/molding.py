"""The loop of moldable jobs: who starts now, and on how many processors. Compiled.

The rules are those of :mod:`planner.scheduling.policies.moldable`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.scheduling.policies.lookahead import lay_out
from planner.scheduling.policies.plan import ProcessorPlan, add, earliest, fits
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


class MoldingQueue(NamedTuple):
    """Waiting jobs in order of submission.

    Attributes
    ----------
    job
        By place in the queue.
    fewest
        Processors that each job of the log can run on at least.
    """

    job: NDArray[np.int32]
    fewest: NDArray[np.int64]


@compiled_entry
def mold(
    jobs: JobArrays,
    shapes: Shapes,
    machine: int,
    batch: bool,
    running: RunningJobs,
    plan: ProcessorPlan,
    queue: MoldingQueue,
    starts: NDArray[np.int64],
    chosen: NDArray[np.int64],
) -> None:
    """Fill in the starts, and the choice of each job."""
    now = MachineNow(machine, 0, 0, 0)
    arrived = waiting = 0
    # Each turn is one event, and each pass plans anew from the running jobs. The queue holds the
    # waiting jobs in order of submission.
    while True:
        key = next_end(running, now)
        if key == LATEST and arrived == len(jobs.submit):
            return
        arrival, time = arrives_next(jobs, arrived, key, batch)
        now = release(running, now, time)
        if arrival:
            queue.job[U(waiting)] = arrived
            waiting += 1
            # A new job that fits by no choice cannot start; by rule 2 it can only hinder others.
            tries = batch or queue.fewest[U(arrived)] <= now.free
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
        if tries and waiting > 0 and now.free > 0:
            now, waiting = _pass(shapes, running, now, plan, queue, waiting, time, starts, chosen)


@compiled
def _pass(
    shapes: Shapes,
    running: RunningJobs,
    now: MachineNow,
    plan: ProcessorPlan,
    queue: MoldingQueue,
    waiting: int,
    time: int,
    starts: NDArray[np.int64],
    chosen: NDArray[np.int64],
) -> tuple[MachineNow, int]:
    """Start who can start; who waits after that."""
    steps = lay_out(plan, running, now, time)
    own = U(shapes.own)
    reserved = False
    remaining = 0
    # The plan is what running jobs, starts of this pass and the head's reservation leave free. The
    # first `remaining` places hold the jobs before `index` that did not start.
    for index in range(waiting):
        job = U(queue.job[U(index)])
        shape = _NONE
        if queue.fewest[job] <= now.free:
            steps, shape = _best(shapes, plan, steps, queue, index, waiting, now.free, reserved)
        if shape == _NONE:
            if not reserved:
                reserved = True
                needed, estimate = shapes.processors[own, job], shapes.estimate[own, job]
                at = earliest(plan, needed, estimate)
                steps = add(plan, steps, at, at + estimate, -needed)
            queue.job[U(remaining)] = job
            remaining += 1
            continue
        taken, estimate = shapes.processors[U(shape), job], shapes.estimate[U(shape), job]
        steps = add(plan, steps, time, time + estimate, -taken)
        starts[job] = time
        chosen[job] = shape
        end_s = time + shapes.run[U(shape), job]
        now = start(running, now, job, taken, end_s, time + estimate)
    return now, remaining


@compiled
def _best(
    shapes: Shapes,
    plan: ProcessorPlan,
    steps: int,
    queue: MoldingQueue,
    index: int,
    waiting: int,
    free: int,
    reserved: bool,
) -> tuple[int, int]:
    """The choice with which a job starts now, or none; and how many steps the plan has."""
    job = U(queue.job[U(index)])
    own = U(shapes.own)
    needed, length = shapes.processors[own, job], shapes.estimate[own, job]
    best = _NONE
    shortest = 0
    # The fewest processors come first, so a later choice must end strictly earlier (rule 3).
    for shape in range(len(shapes.processors)):
        taken, estimate = shapes.processors[U(shape), job], shapes.estimate[U(shape), job]
        if taken == 0 or (best != _NONE and estimate >= shortest):
            continue
        if not fits(plan, taken, estimate):
            continue
        # Rule 2: more than the request only where nobody behind has a use for it.
        if taken > needed:
            if _of_use(queue, index, waiting, free - needed):
                continue
            if not reserved and index + 1 < waiting:
                behind = U(queue.job[U(index + 1)])
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
def _of_use(queue: MoldingQueue, index: int, waiting: int, free: int) -> bool:
    """Return whether a job behind a position of the queue could run on ``free`` processors."""
    other = U(index + 1)
    # `fewest` is over all choices of a job: one that needs more than `free` has no use for it.
    while other < U(waiting) and queue.fewest[U(queue.job[other])] > free:
        other += U(1)
    return other < U(waiting)


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
