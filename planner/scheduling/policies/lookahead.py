"""Backfilling with any number of reservations, any order of the queue, and planned outages.

At each pass the free processors to come are laid out from the expected ends of the running jobs and
from what will be unavailable. Jobs are then taken in the order of the queue: who can start now
does, the first few who cannot get a reservation, and all others must leave these alone. Slower than
the loops that know one policy, and the same where both apply (a test holds them to it).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.scheduling.policies.plan import NEVER, ProcessorPlan, add, earliest, empty_plan, fits
from planner.scheduling.policies.problem import (
    JobArrays,
    SchedulingProblem,
    Starts,
    Unavailable,
    never_started,
    refuse_predictions,
)
from planner.scheduling.policies.running import (
    COUNTER,
    COUNTERS,
    LATEST,
    MachineNow,
    RunningJobs,
    end,
    next_end,
    nothing_running,
    release,
    start,
)


class UnavailableWindows(NamedTuple):
    """Times at which processors are not available.

    Attributes
    ----------
    begin, end, processors
        Times [s], and how many.
    announced
        Whether the scheduler knows of it beforehand.
    change_at, change
        The same as changes of the machine's processors, in order of time.
    """

    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    processors: NDArray[np.int64]
    announced: NDArray[np.bool_]
    change_at: NDArray[np.int64]
    change: NDArray[np.int64]


class Ranked(NamedTuple):
    """Waiting jobs in the order of the queue: by rank, then by submission."""

    job: NDArray[np.int32]
    rank: NDArray[np.int64]


def look_ahead(problem: SchedulingProblem, rank: NDArray[np.int64], reservations: int) -> Starts:
    """Start every job, in the order of ``rank``; those of one rank as they were submitted.

    Parameters
    ----------
    problem
        The scheduling problem.
    rank
        Rank of each job; the least one is first.
    reservations
        How many jobs are not to be delayed; below 0 nobody overtakes.

    Raises
    ------
    PlanError
        Predictions are requested.
    """
    refuse_predictions(problem, "this policy, or one with more or fewer than one reservation,")
    starts, runs = never_started(problem), problem.jobs.run.copy()
    count = len(starts)
    windows = _windows(problem.unavailable)
    _look_ahead(
        problem.jobs,
        rank,
        problem.processors,
        problem.event_order == "batch",
        min(reservations, count),
        windows,
        nothing_running(count, problem.processors),
        empty_plan(2 * count + len(windows.begin)),
        Ranked(np.empty(count + 1, np.int32), np.empty(count + 1, np.int64)),
        starts,
        runs,
    )
    return Starts(starts, runs)


def _windows(unavailable: Sequence[Unavailable]) -> UnavailableWindows:
    columns = [
        np.array([getattr(window, name) for window in unavailable], np.int64)
        for name in ("begin_s", "end_s", "processors")
    ]
    begin, end, processors = columns
    at = np.concatenate((begin, end))
    change = np.concatenate((-processors, processors))
    order = np.argsort(at, kind="stable")
    announced = np.array([window.announced for window in unavailable], np.bool_)
    return UnavailableWindows(begin, end, processors, announced, at[order], change[order])


@compiled_entry
def _look_ahead(
    jobs: JobArrays,
    rank: NDArray[np.int64],
    machine: int,
    batch: bool,
    reservations: int,
    windows: UnavailableWindows,
    running: RunningJobs,
    plan: ProcessorPlan,
    queue: Ranked,
    starts: NDArray[np.int64],
    runs: NDArray[np.int64],
) -> None:
    now = MachineNow(machine, 0, 0, 0)
    arrived = waiting = changed = 0
    tries = False
    # Each turn is one event: changes of the machine before submissions, these before ends. At the
    # head `now.free` holds the first `changed` changes of the machine, and the queue is in order of
    # rank. `tries` says whether an event since the last pass can let a job start. A new job that
    # needs more than is free cannot start, and helps no other job. In a batch the pass waits for
    # the last event of its instant. Each pass makes its plan from the beginning, so that no
    # reservation of an earlier pass counts.
    while True:
        key = next_end(running, now)
        time = _next_time(jobs, windows, arrived, changed, waiting, key)
        if time >= LATEST >> COUNTER:
            return
        now = release(running, now, time)
        if changed < len(windows.change) and windows.change_at[U(changed)] == time:
            # All changes of an instant first: one that gives back may save jobs from another.
            while changed < len(windows.change) and windows.change_at[U(changed)] == time:
                now = _with_free(now, windows.change[U(changed)])
                changed += 1
            while now.free < 0 and now.started > now.released:
                now = _kill_latest(jobs, running, now, time, starts, runs)
            tries = True
        elif arrived < len(jobs.submit) and jobs.submit[U(arrived)] == time:
            waiting = _enqueue(queue, waiting, arrived, rank[U(arrived)])
            tries = tries or batch or jobs.processors[U(arrived)] <= now.free
            arrived += 1
        else:
            counter = key & COUNTERS
            job = running.order[U(counter)]
            expected = starts[U(job)] + jobs.estimate[U(job)]
            now = end(running, now, counter, jobs.processors[U(job)], expected, time)
            tries = True
        key = next_end(running, now)
        if batch and _next_time(jobs, windows, arrived, changed, waiting, key) == time:
            tries = True
            continue
        if tries and waiting > 0 and now.free > 0:
            _with_windows(plan, lay_out(plan, running, now, time), windows, time)
            now, waiting = _pass(
                jobs, running, now, plan, queue, waiting, reservations, time, starts, runs
            )
        tries = False


@compiled
def _next_time(
    jobs: JobArrays, windows: UnavailableWindows, arrived: int, changed: int, waiting: int, key: int
) -> int:
    """Time of the next event; outages after all jobs are none."""
    time = key >> COUNTER
    if arrived < len(jobs.submit):
        time = min(time, jobs.submit[U(arrived)])
    elif key == LATEST and waiting == 0:
        return time
    if changed < len(windows.change):
        time = min(time, windows.change_at[U(changed)])
    return time


@compiled
def _with_free(now: MachineNow, more: int) -> MachineNow:
    return MachineNow(now.free + more, now.started, now.ended, now.released)


@compiled
def _enqueue(queue: Ranked, waiting: int, job: int, rank: int) -> int:
    index = U(waiting)
    # Stable: a job comes behind those of its rank, which were submitted before.
    while index > U(0) and queue.rank[index - U(1)] > rank:
        queue.job[index] = queue.job[index - U(1)]
        queue.rank[index] = queue.rank[index - U(1)]
        index -= U(1)
    queue.job[index] = job
    queue.rank[index] = rank
    return waiting + 1


@compiled
def _kill_latest(
    jobs: JobArrays,
    running: RunningJobs,
    now: MachineNow,
    time: int,
    starts: NDArray[np.int64],
    runs: NDArray[np.int64],
) -> MachineNow:
    """End the job that started last of those that hold processors."""
    # Released jobs end at this instant by themselves and hold nothing that a kill could free.
    held = U(now.started - now.released)
    latest = 0
    index = U(0)
    while index < held:
        latest = max(latest, running.expected[index] & COUNTERS)
        index += U(1)
    job = running.order[U(latest)]
    key = (starts[U(job)] + runs[U(job)]) << COUNTER | latest
    index = U(now.started - now.ended - 1)
    # Close the gap that this key leaves in `ends`: `end` drops the last place.
    moved = running.ends[index]
    while moved != key:
        index -= U(1)
        moved, running.ends[index] = running.ends[index], moved
    # Only behind the search, whose key holds the end that was due.
    runs[U(job)] = time - starts[U(job)]
    expected = starts[U(job)] + jobs.estimate[U(job)]
    return end(running, now, latest, jobs.processors[U(job)], expected, time)


@compiled
def lay_out(plan: ProcessorPlan, running: RunningJobs, now: MachineNow, time: int) -> int:
    """Make a plan of the processors that the running jobs leave; how many steps there are."""
    plan.time[U(0)] = time
    plan.free[U(0)] = now.free
    steps = 1
    index = now.started - now.released
    # `release` has left only ends after now, the next one last: steps come in order of time.
    while index > 0:
        index -= 1
        at = running.expected[U(index)] >> COUNTER
        if at > plan.time[U(steps - 1)]:
            plan.time[U(steps)] = at
            plan.free[U(steps)] = plan.free[U(steps - 1)]
            steps += 1
        plan.free[U(steps - 1)] += running.processors[U(index)]
    plan.time[U(steps)] = NEVER
    plan.free[U(steps)] = plan.free[U(steps - 1)]
    return steps + 1


@compiled
def _with_windows(plan: ProcessorPlan, steps: int, windows: UnavailableWindows, time: int) -> None:
    """Remove unavailable processors from a plan."""
    for window in range(len(windows.begin)):
        at = U(window)
        if windows.begin[at] <= time < windows.end[at]:
            # The free processors of now lack these already; they come back at the end, for good.
            steps = add(plan, steps, windows.end[at], NEVER, windows.processors[at])
        elif windows.announced[at] and windows.begin[at] > time:
            # An outage is not known before it begins: only announced windows are planned around.
            steps = add(plan, steps, windows.begin[at], windows.end[at], -windows.processors[at])


@compiled
def _pass(
    jobs: JobArrays,
    running: RunningJobs,
    now: MachineNow,
    plan: ProcessorPlan,
    queue: Ranked,
    waiting: int,
    reservations: int,
    time: int,
    starts: NDArray[np.int64],
    runs: NDArray[np.int64],
) -> tuple[MachineNow, int]:
    """Start who can start; the plan goes on changing."""
    # Windows have changed the number of steps; the one at NEVER is the last.
    steps = 1
    while plan.time[U(steps)] < NEVER:
        steps += 1
    steps += 1
    blocked = False
    reserved = 0
    remaining = 0
    index = U(0)
    # The plan is what the running jobs, the outages, the starts of this pass and the reservations
    # given so far leave free. So a job that fits from now on delays no reservation. The first
    # `remaining` entries hold the jobs before `index` that did not start, in their order.
    while index < U(waiting):
        job = queue.job[index]
        needed, estimate = jobs.processors[U(job)], jobs.estimate[U(job)]
        starts_now = False
        # Below 0 nobody overtakes the first job that does not start: FCFS.
        if not (blocked and reservations < 0) and needed <= now.free:
            starts_now = fits(plan, needed, estimate)
        if starts_now:
            steps = add(plan, steps, time, time + estimate, -needed)
            starts[U(job)] = time
            end_s = time + runs[U(job)]
            now = start(running, now, job, needed, end_s, time + estimate)
        else:
            blocked = True
            # With as many reservations as jobs: conservative backfilling, planned anew each pass.
            if reserved < reservations:
                reserved += 1
                at = earliest(plan, needed, estimate)
                steps = add(plan, steps, at, at + estimate, -needed)
            queue.job[U(remaining)] = job
            queue.rank[U(remaining)] = queue.rank[index]
            remaining += 1
        index += U(1)
    return now, remaining
