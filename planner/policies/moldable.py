"""EASY backfilling that may run a job on fewer or more processors, to fill gaps in the schedule.

The further work of Smith, Hammond and Jarvis: "moldable jobs; where the number of processors used
by the job is changed, to try to take better advantage of free processors that result from gaps in
the schedule". The number is chosen once, when the job starts. What the job takes on other
processors is a model's word (:mod:`planner.policies.speedup`), for its run time and its estimate
alike; decisions are by estimates only.

A job may run on its request times one of ``choices``, where that is a whole number of processors
(of nodes, where jobs take whole nodes), and at most the machine. At each pass, in the order of the
queue:

1. A number is possible if so many processors are free from now on for the job's estimate on them,
   beside the reservation of the head, the first job that did not start.
2. A number above the request is possible only if what it takes beyond the request is of no use to
   those behind: nobody behind has a number of at most the processors that the request would leave
   free; and if nobody has a reservation yet, the first behind could not start earlier, on its own
   request, beside this job's request.
3. Of the possible numbers the job takes the one on which it ends earliest by estimate, of several
   the fewest processors; but only if that end is no later than it would be on the request itself at
   the earliest time at which that is free, by estimates and beside the head's reservation.
4. The first job that does not start gets that time on its request as its reservation.

So a head starts smaller only if it is to end no later than by waiting for its reservation. A job
behind it has none to compare with: the earliest time of rule 3 is what it could hope for if it were
next, and no later than what EASY would give it by the estimates known now. Of jobs ahead in the
queue rule 2 need not ask: they were tried before, with more processors free. Nobody is promised an
end no later than under EASY (docs/moldable.md counts who loses): a request may be free earlier than
estimated, and what a job holds longer or takes beyond its request is missing to jobs that are
submitted later. With ``choices = (1,)`` rules 2 and 3 say nothing, and this is EASY, start by
start.

References
----------
Smith, Hammond and Jarvis (2011), section on further work.
Cirne and Berman (2002). Using moldability to improve the performance of supercomputer jobs. JPDC
62(10). There the user's agent chooses, once, at submission, from the answers of a queue predictor;
here the scheduler does at the start, with what is free then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError, PlanError
from planner.policies.compiled import U, compiled
from planner.policies.lookahead import lay_out
from planner.policies.plan import Plan, add, earliest, empty_plan, fits
from planner.policies.running import (
    COUNTERS,
    LATEST,
    Now,
    Running,
    arrives_next,
    end,
    next_end,
    next_time,
    nothing_running,
    release,
    start,
)
from planner.policies.speedup import Downey, Speedup, scaled
from planner.policies.task import (
    Integers,
    Jobs,
    Starts,
    Task,
    never_started,
    refuse_predictions,
)

CHOICES = (0.25, 0.5, 1.0, 2.0)
"""ASSUMED: halves and doubles, as most programs of the logs ask for powers of two."""

ASSUMED = Downey()
"""Every job asks for its average parallelism, whose variance is 1."""

_LATEST_S = 1 << 38
_NONE = -1


class Shapes(NamedTuple):
    """What jobs may run on; arrays of shape ``(choices, jobs)``, times in seconds.

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


class Queue(NamedTuple):
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


@dataclass(frozen=True)
class Moldable:
    """EASY that fills gaps with other numbers of processors.

    Attributes
    ----------
    speedup
        What a job takes on other numbers; by default Downey's, with every job asking for its
        average parallelism and a variance of 1: ASSUMED.
    choices
        Factors of the request; 1 is one of them.

    Raises
    ------
    InputError
        The request is no choice, or a factor is not above 0.
    """

    speedup: Speedup = ASSUMED
    choices: tuple[float, ...] = CHOICES
    name: str = "moldable"

    def __post_init__(self) -> None:
        whole = all(0 < choice < np.inf for choice in self.choices)
        if not whole or 1 not in self.choices:
            raise InputError(
                f"choices {self.choices} are no factors of a request; give numbers above 0, and "
                "the request itself, 1"
            )

    def schedule(self, task: Task) -> Starts:
        """Start every job.

        Raises
        ------
        PlanError
            Predictions are asked for, there are outages or reservations, or the log may last longer
            on few processors than can be held.
        """
        refuse_predictions(task, self.name)
        if task.unavailable:
            raise PlanError(
                "moldable does not plan beside outages or reservations; leave them out, or take "
                "easy or conservative"
            )
        shapes = self.shapes(task)
        starts = never_started(task)
        count = len(starts)
        chosen = np.full(count, shapes.own, np.int64)
        there = np.where(shapes.processors > 0, shapes.processors, task.processors)
        _moldable(
            task.jobs,
            shapes,
            task.processors,
            task.event_order == "batch",
            nothing_running(count, task.processors),
            empty_plan(2 * min(count, task.processors) + 8),
            Queue(np.empty(count + 1, np.int32), there.min(axis=0)),
            starts,
            chosen,
        )
        jobs = np.arange(count)
        asked = task.requested_s
        taken = shapes.processors[chosen, jobs]
        estimate = shapes.estimate[chosen, jobs]
        return Starts(
            starts,
            shapes.run[chosen, jobs],
            estimate,
            taken,
            estimate if asked is None else scaled(asked, taken, task.jobs.processors, self.speedup),
        )

    def shapes(self, task: Task) -> Shapes:
        """What the jobs of a task may run on, the fewest processors first.

        Raises
        ------
        PlanError
            The log may last longer than can be held.
        """
        jobs, unit = task.jobs, task.node_processors
        factors = sorted(set(self.choices))
        shape = (len(factors), len(jobs.submit))
        processors, run, estimate = (np.zeros(shape, np.int64) for _ in range(3))
        for place, factor in enumerate(factors):
            wanted = jobs.processors * factor
            whole = (wanted % unit == 0) & (wanted >= 1) & (wanted <= task.processors)
            taken = np.where(whole, wanted, jobs.processors).astype(np.int64)
            processors[place] = np.where(whole, taken, 0)
            run[place] = scaled(jobs.run, taken, jobs.processors, self.speedup)
            estimate[place] = scaled(jobs.estimate, taken, jobs.processors, self.speedup)
        _refuse_times(jobs, run, estimate)
        return Shapes(processors, run, estimate, factors.index(1))


def _refuse_times(jobs: Jobs, run: Integers, estimate: Integers) -> None:
    if not len(jobs.submit):
        return
    last = float(jobs.submit[-1]) + float(run.max(axis=0).sum(dtype=float)) + float(estimate.max())
    if last >= _LATEST_S:
        raise PlanError(
            f"on the fewest processors the jobs may last beyond {_LATEST_S:,} s; give choices "
            "nearer to 1, or split the log"
        )


@compiled
def _moldable(
    jobs: Jobs,
    shapes: Shapes,
    machine: int,
    batch: bool,
    running: Running,
    plan: Plan,
    queue: Queue,
    starts: NDArray[np.int64],
    chosen: NDArray[np.int64],
) -> None:
    """Fill in the starts, and the choice of each job."""
    now = Now(machine, 0, 0, 0)
    arrived = waiting = 0
    while True:
        key = next_end(running, now)
        if key == LATEST and arrived == len(jobs.submit):
            return
        arrival, time = arrives_next(jobs, arrived, key, batch)
        now = release(running, now, time)
        if arrival:
            queue.job[U(waiting)] = arrived
            waiting += 1
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
    running: Running,
    now: Now,
    plan: Plan,
    queue: Queue,
    waiting: int,
    time: int,
    starts: NDArray[np.int64],
    chosen: NDArray[np.int64],
) -> tuple[Now, int]:
    """Start who can start; who waits after that."""
    steps = lay_out(plan, running, now, time)
    own = U(shapes.own)
    reserved = False
    kept = 0
    for place in range(waiting):
        job = U(queue.job[U(place)])
        shape = _NONE
        if queue.fewest[job] <= now.free:
            steps, shape = _best(shapes, plan, steps, queue, place, waiting, now.free, reserved)
        if shape == _NONE:
            if not reserved:
                reserved = True
                wanted, estimate = shapes.processors[own, job], shapes.estimate[own, job]
                at = earliest(plan, wanted, estimate)
                steps = add(plan, steps, at, at + estimate, -wanted)
            queue.job[U(kept)] = job
            kept += 1
            continue
        taken, estimate = shapes.processors[U(shape), job], shapes.estimate[U(shape), job]
        steps = add(plan, steps, time, time + estimate, -taken)
        starts[job] = time
        chosen[job] = shape
        end_s = time + shapes.run[U(shape), job]
        now = start(running, now, job, taken, end_s, time + estimate)
    return now, kept


@compiled
def _best(
    shapes: Shapes,
    plan: Plan,
    steps: int,
    queue: Queue,
    place: int,
    waiting: int,
    free: int,
    reserved: bool,
) -> tuple[int, int]:
    """The choice with which a job starts now, or none; and how many steps the plan has."""
    job = U(queue.job[U(place)])
    own = U(shapes.own)
    wanted, length = shapes.processors[own, job], shapes.estimate[own, job]
    best = _NONE
    shortest = 0
    for shape in range(len(shapes.processors)):
        taken, estimate = shapes.processors[U(shape), job], shapes.estimate[U(shape), job]
        if taken == 0 or (best != _NONE and estimate >= shortest):
            continue
        if not fits(plan, taken, estimate):
            continue
        if taken > wanted:
            if _of_use(queue, place, waiting, free - wanted):
                continue
            if not reserved and place + 1 < waiting:
                behind = U(queue.job[U(place + 1)])
                steps, later = _puts_off(shapes, plan, steps, job, shape, behind)
                if later:
                    continue
        best, shortest = shape, estimate
    if best not in (_NONE, shapes.own):
        at = earliest(plan, wanted, length)
        if plan.time[U(0)] + shortest > at + length:
            best = _NONE
    return steps, best


@compiled
def _of_use(queue: Queue, place: int, waiting: int, left: int) -> bool:
    """Whether anybody behind a place of the queue could run on so many processors."""
    other = U(place + 1)
    while other < U(waiting) and queue.fewest[U(queue.job[other])] > left:
        other += U(1)
    return other < U(waiting)


@compiled
def _puts_off(
    shapes: Shapes, plan: Plan, steps: int, job: int, shape: int, behind: int
) -> tuple[int, bool]:
    """Whether a job that starts now with a choice puts off another, more than with its request."""
    own = U(shapes.own)
    time = plan.time[U(0)]
    wanted, length = shapes.processors[own, U(behind)], shapes.estimate[own, U(behind)]
    asked = shapes.processors[own, U(job)], shapes.estimate[own, U(job)]
    more = shapes.processors[U(shape), U(job)], shapes.estimate[U(shape), U(job)]
    steps = add(plan, steps, time, time + asked[1], -asked[0])
    before = earliest(plan, wanted, length)
    steps = add(plan, steps, time, time + asked[1], asked[0])
    steps = add(plan, steps, time, time + more[1], -more[0])
    after = earliest(plan, wanted, length)
    steps = add(plan, steps, time, time + more[1], more[0])
    return steps, after > before
