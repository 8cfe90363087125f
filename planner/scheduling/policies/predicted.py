"""EASY backfilling by predicted run times, which are corrected when a job runs longer.

Tsafrir's prediction is the mean run time of the user's last two ended jobs. It is cut to whole
seconds and at most the requested time. With fewer than two ended jobs it is the requested time. It
is made at submission. When a job runs longer than predicted, a correction adds 1, 5, 15, 30
minutes, 1, 2, 5, 10, 20, 50, 100 hours to the first prediction at the first, second, ... time. The
result is at most the requested time; after these steps it is the requested time.

A correction takes effect before submissions of its instant. In EASY++ each submission has a pass,
whether the job fits or not. As published, no pass follows a correction. Processors on which a job
could backfill after the correction are idle until the next submission or end. Without one of these,
jobs that fit starve until the corrected job ends. With ``passes``, a pass follows the corrections
of an instant.

References
----------
Tsafrir, Etsion and Feitelson (2007). Backfilling using system-generated predictions rather than
user runtime estimates. IEEE TPDS 18(6).
predictsim (2015), github.com/dinesh121991/predictsim, simulation/pyss/src/schedulers:
``EasyPlusPlusScheduler.new_events_on_job_under_prediction`` sets the new prediction and makes no
pass; the corrector ``tsafrir`` falls back to the requested time after its last step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.errors import PlanError
from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.scheduling.policies.problem import JobArrays, SchedulingProblem, Starts, never_started
from planner.scheduling.policies.running import (
    COUNTER,
    COUNTERS,
    LATEST,
    MachineNow,
    RunningJobs,
    arrives_next,
    end,
    next_end,
    next_time,
    nothing_running,
    shadow,
    start,
)

STEPS_S = (60, 300, 900, 1800, 3600, 7200, 18_000, 36_000, 72_000, 180_000, 360_000, 1 << 40)
"""What is added to a prediction at its first, second, ... correction [s].

The last one reaches every requested time: a job may run for longer than 100 h beyond a prediction.
"""


class Predictions(NamedTuple):
    """What is predicted; ``job`` and ``rank`` are the queue, the others are by job or by user.

    Attributes
    ----------
    job, rank
        Waiting jobs by rank; those of equal rank by submission.
    waits
        Whether the job waits.
    first, current
        Predictions at submission and now [s].
    corrections
        How often it was corrected.
    last, before
        Run times of the user's last ended job and of the one before; below 0: none.
    steps
        ``STEPS_S``.
    """

    job: NDArray[np.int32]
    rank: NDArray[np.int64]
    waits: NDArray[np.bool_]
    first: NDArray[np.int64]
    current: NDArray[np.int64]
    corrections: NDArray[np.int32]
    last: NDArray[np.int64]
    before: NDArray[np.int64]
    steps: NDArray[np.int64]


def backfill_by_prediction(
    problem: SchedulingProblem, *, shortest_first: bool, passes: bool = False
) -> Starts:
    """Start every job; behind the head in the order of the queue, or of predictions.

    ``passes``: whether a pass follows the corrections of an instant.

    Raises
    ------
    PlanError
        There are outages or reservations.
    """
    if problem.unavailable:
        raise PlanError("predictions do not work with outages; use --estimates user or perfect")
    starts = never_started(problem)
    count, users = len(starts), int(problem.user.max(initial=0)) + 1
    predictions = Predictions(
        np.empty(count + 1, np.int32),
        np.empty(count + 1, np.int64),
        np.zeros(count, np.bool_),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.zeros(count, np.int32),
        np.full(users, -1, np.int64),
        np.full(users, -1, np.int64),
        np.array(STEPS_S, np.int64),
    )
    batch = problem.event_order == "batch"
    running = nothing_running(count, problem.processors)
    _schedule(
        problem.jobs,
        problem.user,
        problem.processors,
        batch,
        problem.predicts,
        shortest_first,
        passes,
        running,
        predictions,
        starts,
    )
    return Starts(starts, problem.jobs.run, predictions.first)


@compiled_entry
def _schedule(
    jobs: JobArrays,
    user: NDArray[np.int32],
    machine: int,
    batch: bool,
    predicts: bool,
    shortest_first: bool,
    passes: bool,
    running: RunningJobs,
    queue: Predictions,
    starts: NDArray[np.int64],
) -> None:
    now = MachineNow(machine, 0, 0, 0)
    arrived = waiting = head = 0
    changed = False
    # `head` is the first waiting job by submission, in any order of the queue. `changed` is set if
    # processors came back or a prediction changed since the last pass, or the head is new.
    while True:
        key = next_end(running, now)
        if key == LATEST and arrived == len(jobs.submit):
            return
        arrival, time = arrives_next(jobs, arrived, key, batch)
        before = now.released
        outlived = _outlived_at(jobs, running, now, queue) if passes else LATEST
        corrects = outlived < time or (outlived == time and not batch)
        time = min(time, outlived)
        now = _release(jobs, running, now, queue, time, starts)
        changed = changed or outlived == time
        if corrects:
            # The correction is the whole event; others of this instant have turns of their own.
            pass
        elif arrival:
            prediction = _predict(jobs, user, queue, arrived, predicts)
            _enqueue(queue, waiting, arrived, prediction, prediction if shortest_first else arrived)
            waiting += 1
            needed = jobs.processors[U(arrived)]
            if waiting == 1:
                head = arrived
                changed = True
            changed = changed or now.released > before
            arrived += 1
            # As in pyss: EASY makes a pass only for a submission that fits, EASY++ for each.
            if not (shortest_first or batch) and needed > now.free:
                continue
        else:
            counter = key & COUNTERS
            job = running.order[U(counter)]
            expected = starts[U(job)] + queue.current[U(job)]
            now = end(running, now, counter, jobs.processors[U(job)], expected, time)
            by = U(user[U(job)])
            queue.before[by] = queue.last[by]
            queue.last[by] = jobs.run[U(job)]
        changed = changed or now.released > before
        if batch and next_time(jobs, arrived, running, now) == time:
            changed = True
            continue
        if changed:
            while waiting > 0 and jobs.processors[U(head)] <= now.free:
                now = _start(jobs, running, now, queue, head, time, starts)
                waiting = _without(queue, waiting, head)
                head = _next_head(queue, waiting, head)
        # The whole queue, not only new jobs: a correction may have moved the reservation back.
        if waiting > 1 and now.free > 0 and (changed or arrival):
            reserved, extra = shadow(running, now, jobs.processors[U(head)])
            now, waiting = _backfill(
                jobs, running, now, queue, waiting, time, reserved, extra, starts
            )
        changed = False


@compiled
def _outlived_at(jobs: JobArrays, running: RunningJobs, now: MachineNow, queue: Predictions) -> int:
    """Return when the next prediction is outlived [s]; far away if the next to be over is not."""
    if now.started == now.released:
        return LATEST
    # The soonest expected end is enough: `_release` corrects all others of that instant.
    key = running.expected[U(now.started - now.released - 1)]
    job = U(running.order[U(key & COUNTERS)])
    return key >> COUNTER if queue.current[job] < jobs.run[job] else LATEST


@compiled
def _backfill(
    jobs: JobArrays,
    running: RunningJobs,
    now: MachineNow,
    queue: Predictions,
    waiting: int,
    time: int,
    reserved: int,
    extra: int,
    starts: NDArray[np.int64],
) -> tuple[MachineNow, int]:
    """Start whom that does not delay the head, in the order of the queue; how many wait then.

    The head itself does not fit.
    """
    remaining = 0
    index = U(0)
    # The first `remaining` places hold the jobs before `index` that did not start, with the head.
    # `extra` is what it leaves at its reservation, less what starts hold beyond it.
    while index < U(waiting):
        job = queue.job[index]
        needed = jobs.processors[U(job)]
        in_time = time + queue.current[U(job)] <= reserved
        if needed <= now.free and (in_time or needed <= extra):
            if not in_time:
                extra -= needed
            now = _start(jobs, running, now, queue, job, time, starts)
        else:
            queue.job[U(remaining)] = job
            queue.rank[U(remaining)] = queue.rank[index]
            remaining += 1
        index += U(1)
    return now, remaining


@compiled
def _predict(
    jobs: JobArrays, user: NDArray[np.int32], queue: Predictions, job: int, predicts: bool
) -> int:
    requested_s = int(jobs.estimate[U(job)])
    by = U(user[U(job)])
    if not predicts or queue.before[by] < 0:
        return requested_s
    # Tsafrir et al. (2007), section 3; at least 1 s, as a run without length reserves nothing.
    return max(1, min(int(queue.last[by] + queue.before[by]) // 2, requested_s))


@compiled
def _enqueue(queue: Predictions, waiting: int, job: int, prediction: int, rank: int) -> None:
    index = U(waiting)
    # Stable: of equal predictions the job that was submitted first comes first.
    while index > U(0) and queue.rank[index - U(1)] > rank:
        queue.job[index] = queue.job[index - U(1)]
        queue.rank[index] = queue.rank[index - U(1)]
        index -= U(1)
    queue.job[index] = job
    queue.rank[index] = rank
    queue.waits[U(job)] = True
    queue.first[U(job)] = prediction
    queue.current[U(job)] = prediction


@compiled
def _without(queue: Predictions, waiting: int, job: int) -> int:
    index = U(0)
    # The head waits, so it is found; the others keep their order.
    while queue.job[index] != job:
        index += U(1)
    while index < U(waiting - 1):
        queue.job[index] = queue.job[index + U(1)]
        queue.rank[index] = queue.rank[index + U(1)]
        index += U(1)
    return waiting - 1


@compiled
def _next_head(queue: Predictions, waiting: int, head: int) -> int:
    """The first job that waits behind this one."""
    if waiting > 0:
        # Jobs are numbered by submission, and one still waits, so the search ends.
        head += 1
        while not queue.waits[U(head)]:
            head += 1
    return head


@compiled
def _start(
    jobs: JobArrays,
    running: RunningJobs,
    now: MachineNow,
    queue: Predictions,
    job: int,
    time: int,
    starts: NDArray[np.int64],
) -> MachineNow:
    at = U(job)
    starts[at] = time
    queue.waits[at] = False
    expected = time + queue.current[at]
    return start(running, now, job, jobs.processors[at], time + jobs.run[at], expected)


@compiled
def _release(
    jobs: JobArrays,
    running: RunningJobs,
    now: MachineNow,
    queue: Predictions,
    time: int,
    starts: NDArray[np.int64],
) -> MachineNow:
    """Free what is predicted to be free by now, and correct what was outlived."""
    # The last place has the soonest expected end. A job that ends by then is freed; any other one
    # is corrected and moves to its later expected end, so that its processors stay held.
    while now.started > now.released:
        last = U(now.started - now.released - 1)
        key = running.expected[last]
        if key >> COUNTER > time:
            break
        job = U(running.order[U(key & COUNTERS)])
        length = queue.current[job]
        if length >= jobs.run[job]:
            free = now.free + jobs.processors[job]
            now = MachineNow(free, now.started, now.ended, now.released + 1)
            continue
        # Corrections due since the last event are made up, each from the first prediction.
        while length < jobs.run[job] and starts[job] + length <= time:
            step = min(queue.corrections[job], len(queue.steps) - 1)
            length = min(queue.first[job] + queue.steps[U(step)], jobs.estimate[job])
            queue.corrections[job] += 1
        queue.current[job] = length
        key = (starts[job] + length) << COUNTER | (key & COUNTERS)
        # The key has grown, so it can only move to the front; as many places are in use.
        while last > U(0) and running.expected[last - U(1)] < key:
            running.expected[last] = running.expected[last - U(1)]
            running.processors[last] = running.processors[last - U(1)]
            last -= U(1)
        running.expected[last] = key
        running.processors[last] = jobs.processors[job]
    return now
