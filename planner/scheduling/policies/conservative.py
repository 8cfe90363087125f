"""Conservative backfilling: a later job may start now unless that delays anybody before it.

Every job has a planned start from its submission on: the earliest hole that is free for its
estimate. When a job ends, the rest of its time is freed; then each job whose planned start lies
later than now, in order of submission, is taken out of the plan and put in again as early as it
fits, which is never later than before. A job planned for now counts as started.

Jobs that start at one instant do so in the order in which these starts were planned, which pyss
does too: a plan that was not moved keeps its place.

References
----------
Mu'alem and Feitelson (2001). Utilization, predictability, workloads, and user runtime estimates in
scheduling the IBM SP2 with backfilling. IEEE TPDS 12(6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.scheduling.policies.freed import (
    FreedStretch,
    Moves,
    both,
    freed_between,
    from_there_on,
    no_moves,
    note_move,
)
from planner.scheduling.policies.holes import Holes, holes_from, no_holes, note_freed, size_of
from planner.scheduling.policies.lookahead import look_ahead
from planner.scheduling.policies.plan import (
    NEVER,
    ProcessorPlan,
    add,
    back_from,
    begin_plan,
    earlier,
    earliest,
    empty_plan,
    forget_past,
)
from planner.scheduling.policies.problem import (
    JobArrays,
    SchedulingProblem,
    Starts,
    never_started,
    refuse_predictions,
)
from planner.scheduling.policies.running import COUNTER, COUNTERS, LATEST, put_key

LONG_QUEUE = 384
"""Waiting jobs from which on looking for holes costs less than it saves."""


@dataclass(frozen=True)
class Conservative:
    """Conservative backfilling.

    The plan contains all reservations from the beginning. Outages are not known in advance. If the
    problem has any, each pass plans all waiting jobs anew, in order of submission.
    """

    name: str = "conservative"

    def schedule(self, problem: SchedulingProblem) -> Starts:
        """Start every job.

        Raises
        ------
        PlanError
            Predictions are requested.
        """
        refuse_predictions(problem, self.name)
        if any(not window.announced for window in problem.unavailable):
            count = len(problem.jobs.submit)
            return look_ahead(problem, np.zeros(count, np.int64), reservations=count)
        return Starts(_starts(problem, -1, np.empty((1, 2), np.int64)), problem.jobs.run)


def planned_starts(problem: SchedulingProblem, job: int) -> list[tuple[int, int]]:
    """Return when the start of one job was planned, and for when [s]; without outages."""
    # A plan at submission and at most one move for each end of a job; row 0 holds the count, and
    # how many plans were made for all jobs.
    history = np.zeros((len(problem.jobs.submit) + 2, 2), np.int64)
    _starts(problem, job, history)
    count = int(history[0, 0])
    return [(int(made), int(at)) for made, at in history[1 : count + 1]]


def plans_made(problem: SchedulingProblem) -> int:
    """Return how many starts were planned: one for each job, and one for each change."""
    history = np.zeros((1, 2), np.int64)
    _starts(problem, -1, history)
    return int(history[0, 1])


def _starts(
    problem: SchedulingProblem, watched: int, history: NDArray[np.int64]
) -> NDArray[np.int64]:
    starts = never_started(problem)
    count = len(starts)
    queue = Planned(np.empty(count, np.int32), *(np.empty(count, np.int64) for _ in range(6)))
    ends, order = np.empty(count, np.int64), np.empty(count, np.int32)
    batch = problem.event_order == "batch"
    if count:
        jobs = problem.jobs
        plan = empty_plan(count + len(problem.unavailable))
        steps = begin_plan(plan, int(jobs.submit[0]), problem.processors)
        for window in problem.unavailable:
            # The plan begins with the first submission: earlier outages change no start.
            begin = max(window.begin_s, int(jobs.submit[0]))
            steps = add(plan, steps, begin, window.end_s, -window.processors)
        holes = no_holes(problem.processors)
        parts = PlanParts(
            jobs, batch, plan, ends, order, queue, holes, LONG_QUEUE, watched, history, starts
        )
        _conservative(parts, steps, no_moves(count), no_moves(count))
    return starts


class Planned(NamedTuple):
    """Waiting jobs in order of submission, and when they are to start.

    Attributes
    ----------
    job, start, processors, estimate
        By place in the queue.
    size
        Place of the job's size among the holes.
    made
        Counts the plans: when this one was made.
    due
        When the plans of the jobs that start now were made, sorted.
    """

    job: NDArray[np.int32]
    start: NDArray[np.int64]
    processors: NDArray[np.int64]
    estimate: NDArray[np.int64]
    size: NDArray[np.int64]
    made: NDArray[np.int64]
    due: NDArray[np.int64]


class PlanParts(NamedTuple):
    """What the whole loop works on; no array of it is ever replaced.

    Attributes
    ----------
    batch, long_queue
        Order of events; waiting jobs from which on holes are looked for.
    ends, order
        Keys of the ends of running jobs, the next one last; jobs in order of their starts.
    watched, history
        The job whose plans are noted, and these.
    """

    jobs: JobArrays
    batch: bool
    plan: ProcessorPlan
    ends: NDArray[np.int64]
    order: NDArray[np.int32]
    queue: Planned
    holes: Holes
    long_queue: int
    watched: int
    history: NDArray[np.int64]
    starts: NDArray[np.int64]


class Plans(NamedTuple):
    """The plan at an instant; handed on from step to step, so that it stays in registers.

    Attributes
    ----------
    steps
        Steps of the plan.
    waiting, started, made
        Jobs that wait, jobs that have started, and plans that were made.
    soonest
        No planned start is earlier [s].
    """

    steps: int
    waiting: int
    started: int
    made: int
    soonest: int


@compiled_entry
def _conservative(parts: PlanParts, steps: int, last: Moves, moves: Moves) -> None:
    jobs, batch, plan, ends, order = parts.jobs, parts.batch, parts.plan, parts.ends, parts.order
    queue, watched, history, starts = parts.queue, parts.watched, parts.history, parts.starts
    arrived = ended = 0
    now = Plans(steps, 0, 0, 0, NEVER)
    freed, before = FreedStretch(NEVER, 0, 0), 0
    # At the head of the loop `ends` holds the keys of the `started - ended` running jobs, the next
    # end last. The queue holds the waiting jobs in order of submission; no planned start is before
    # `soonest`. The plan is the machine less the outages, less each running job until its estimated
    # end, less each waiting job in its planned run. A start therefore changes no step of the plan,
    # and a job that ends early gives back the rest of its estimate. At one instant starts come
    # last: a job that is submitted or moved at that instant may start at it too.
    while True:
        key = ends[U(now.started - ended - 1)] if now.started > ended else LATEST
        time = min(key >> COUNTER, now.soonest)
        arrival = arrived < len(jobs.submit) and jobs.submit[U(arrived)] <= time
        if arrival:
            time = jobs.submit[U(arrived)]
            arrival = time < key >> COUNTER or not batch
        elif time >= LATEST >> COUNTER:
            # Nothing runs, nothing is planned and nothing comes: both times are far away.
            history[0, 1] = now.made
            return
        if time > plan.time[U(0)]:
            now = _with_steps(now, forget_past(plan, now.steps, time))
        if arrival:
            now = _submit(parts, now, arrived)
            if arrived == watched:
                _note(history, time, queue.start[U(now.waiting - 1)])
            arrived += 1
        elif key >> COUNTER == time:
            job = order[U(key & COUNTERS)]
            ended += 1
            until = starts[U(job)] + jobs.estimate[U(job)]
            now = _with_steps(now, add(plan, now.steps, time, until, jobs.processors[U(job)]))
            freed = both(freed, freed_between(plan, now.steps, time, until))
            more = now.started > ended and ends[U(now.started - ended - 1)] >> COUNTER == time
            # In a batch all ends of an instant are freed first, then one pass moves the plans.
            if not (batch and more):
                now, before = _compress(parts, now, time, freed, last, before, moves, ended)
                # The two lists change places: the moves of this pass are `last` for the next one.
                last, moves, freed = moves, last, FreedStretch(NEVER, 0, 0)
        else:
            now = _start_due(parts, ended, now, time)


@compiled
def _with_steps(now: Plans, steps: int) -> Plans:
    return Plans(steps, now.waiting, now.started, now.made, now.soonest)


@compiled
def _submit(parts: PlanParts, now: Plans, job: int) -> Plans:
    """Plan a new job as early as it fits."""
    jobs, plan, queue = parts.jobs, parts.plan, parts.queue
    needed, estimate = jobs.processors[U(job)], jobs.estimate[U(job)]
    # Mu'alem and Feitelson (2001), section 2.2: a reservation that delays none made before.
    at = earliest(plan, needed, estimate)
    steps = add(plan, now.steps, at, at + estimate, -needed)
    index = U(now.waiting)
    queue.job[index] = job
    queue.start[index] = at
    queue.processors[index] = needed
    queue.estimate[index] = estimate
    queue.size[index] = size_of(needed, estimate)
    queue.made[index] = now.made
    return Plans(steps, now.waiting + 1, now.started, now.made + 1, min(now.soonest, at))


@compiled
def _compress(
    parts: PlanParts,
    now: Plans,
    time: int,
    freed: FreedStretch,
    last: Moves,
    before: int,
    moves: Moves,
    at_pass: int,
) -> tuple[Plans, int]:
    """Plan all jobs earlier that can be, in order of submission; also, how many were.

    ``freed``: by the jobs that ended; ``last`` and ``before``: the moves of the pass before.
    """
    plan, queue, holes = parts.plan, parts.queue, parts.holes
    long_queue, watched, history = parts.long_queue, parts.watched, parts.history
    steps, made, soonest = now.steps, now.made, now.soonest
    index = U(0)
    passed = moved = 0
    is_long = now.waiting >= long_queue
    # `freed` is what ended jobs, and the jobs before `index` that were moved in this pass, gave
    # back. `passed` counts the moves of the pass before by jobs up to this one, so `last` from
    # `passed` on is what jobs behind it gave back after its last try. A job that could not start
    # earlier then can now only if its run takes up some of this; all others are passed over.
    while index < U(now.waiting) and (freed.largest > 0 or passed < before):
        at, job = queue.start[index], queue.job[index]
        while passed < before and last.job[U(passed)] <= job:
            passed += 1
        since = freed
        if passed < before:
            behind = U(passed)
            since = both(
                since, FreedStretch(last.begin[behind], last.end[behind], last.largest[behind])
            )
        needed = queue.processors[index]
        # A plan for now is a start that only waits for its turn at this instant.
        if at > time and needed <= since.largest and since.begin < at:
            estimate = queue.estimate[index]
            begin, better = since.begin, at
            if is_long:
                better = back_from(plan, steps, needed, at)
                found = holes_from(plan, holes, queue.size[index], at_pass)
                # No hole that takes the whole run begins before `found`.
                begin = max(begin, found + estimate)
            if begin - estimate < better:
                better = earlier(plan, needed, estimate, at, begin, since.end)
            if better < at:
                # What the old run and the new one share is not given back.
                begin = max(at, better + estimate)
                steps = add(plan, steps, better, min(at, better + estimate), -needed)
                steps = add(plan, steps, begin, at + estimate, needed)
                freed_later = freed_between(plan, steps, begin, at + estimate)
                if is_long:
                    note_freed(plan, steps, holes, begin, at + estimate, needed, at_pass)
                note_move(moves, moved, job, freed_later)
                freed = both(freed, freed_later)
                moved += 1
                queue.start[index] = better
                queue.made[index] = made
                made += 1
                soonest = min(soonest, better)
                if job == watched:
                    _note(history, time, better)
        index += U(1)
    from_there_on(moves, moved)
    return Plans(steps, now.waiting, now.started, made, soonest), moved


@compiled
def _note(history: NDArray[np.int64], time: int, planned: int) -> None:
    """Add to the plans of the job that is watched; the first row holds their number."""
    history[0, 0] += 1
    history[history[0, 0], 0] = time
    history[history[0, 0], 1] = planned


@compiled
def _start_due(parts: PlanParts, ended: int, now: Plans, time: int) -> Plans:
    """Start what is planned for now."""
    jobs, ends, order = parts.jobs, parts.ends, parts.order
    queue, starts = parts.queue, parts.starts
    soonest = NEVER
    remaining = 0
    index = U(0)
    due = 0
    # The first `remaining` places hold the jobs before `index` that go on waiting, in their order;
    # `soonest` is the earliest of their planned starts.
    while index < U(now.waiting):
        at, job = queue.start[index], queue.job[index]
        if at > time:
            soonest = min(soonest, at)
            if U(remaining) < index:
                queue.job[U(remaining)] = job
                queue.start[U(remaining)] = at
                queue.processors[U(remaining)] = queue.processors[index]
                queue.estimate[U(remaining)] = queue.estimate[index]
                queue.size[U(remaining)] = queue.size[index]
                queue.made[U(remaining)] = queue.made[index]
            remaining += 1
        else:
            _put_in_order(queue, order, now.started, due, job, queue.made[index])
            due += 1
        index += U(1)
    # The counters follow the age of the plans, so ties among the ends do as well.
    for counter in range(now.started, now.started + due):
        job = order[U(counter)]
        starts[U(job)] = time
        put_key(ends, counter - ended, (time + jobs.run[U(job)]) << COUNTER | counter)
    return Plans(now.steps, remaining, now.started + due, now.made, soonest)


@compiled
def _put_in_order(
    queue: Planned, order: NDArray[np.int32], started: int, due: int, job: int, made: int
) -> None:
    """Put a job among those that start now, by when their plans were made."""
    index, first = U(due), U(started)
    # Insertion sort by the age of the plan; `order` from `first` on moves in step with `due`.
    while index > U(0) and queue.due[index - U(1)] > made:
        queue.due[index] = queue.due[index - U(1)]
        order[first + index] = order[first + index - U(1)]
        index -= U(1)
    queue.due[index] = made
    order[first + index] = job
