"""EASY backfilling: a later job may start now unless that delays the first one.

The first job that does not fit has a reservation at its shadow time, when it fits if all running
jobs end as estimated. A later job backfills if it fits now and does not delay this start: it is
estimated to end by then, or takes only processors that are left over then. All jobs that end at the
shadow time count.

A job that did not start in the last pass is not tried again until processors become free. Until
then, shadow time and extra processors do not change, and the time that is left only shrinks.

References
----------
Lifka (1995). The ANL/IBM SP scheduling system. JSSPP.
Mu'alem and Feitelson (2001). Utilization, predictability, workloads, and user runtime estimates in
scheduling the IBM SP2 with backfilling. IEEE TPDS 12(6).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.scheduling.policies.job_queue import (
    BLOCK,
    GONE,
    QueueArrays,
    QueueEnds,
    append,
    nobody_waiting,
    without_gaps,
    without_head,
)
from planner.scheduling.policies.lookahead import look_ahead
from planner.scheduling.policies.predicted import backfill_by_prediction
from planner.scheduling.policies.problem import JobArrays, SchedulingProblem, Starts, never_started
from planner.scheduling.policies.running import (
    COUNTERS,
    LATEST,
    MachineNow,
    RunningJobs,
    arrives_next,
    end,
    next_end,
    next_time,
    nothing_running,
    release,
    shadow,
    start,
)


@dataclass(frozen=True)
class Easy:
    """EASY; the first ``reservations`` jobs that do not fit are not to be delayed.

    Attributes
    ----------
    reservations
        Number of waiting jobs with a reservation, at least 1.
    name
        Name in tables.
    """

    reservations: int = 1
    name: str = "easy"

    def schedule(self, problem: SchedulingProblem) -> Starts:
        """Start every job.

        Raises
        ------
        PlanError
            Predictions are requested with outages, or with another number of reservations.
        """
        if problem.predicts and self.reservations == 1:
            return backfill_by_prediction(problem, shortest_first=False)
        if self.reservations != 1 or problem.unavailable:
            rank = np.zeros(len(problem.jobs.submit), np.int64)
            return look_ahead(problem, rank, self.reservations)
        starts = never_started(problem)
        count = len(starts)
        running = nothing_running(count, problem.processors)
        batch = problem.event_order == "batch"
        simulate_easy(
            problem.jobs, problem.processors, batch, running, nobody_waiting(count), starts
        )
        return Starts(starts, problem.jobs.run)


@compiled_entry
def simulate_easy(
    jobs: JobArrays,
    machine: int,
    batch: bool,
    running: RunningJobs,
    waiting: QueueArrays,
    starts: NDArray[np.int64],
) -> None:
    """Fill in the starts."""
    now = MachineNow(machine, 0, 0, 0)
    line = QueueEnds(0, 0, 0)
    arrived = untried = 0
    freed = shadow_known = False
    reserved = extra = 0
    # Jobs at places before `untried` were tried since processors were last given back and did not
    # fit: until then the time to the reservation, the extra and the free processors only fall.
    # `freed` says that processors were given back since the last pass. `shadow_known` says that
    # `reserved` and `extra` are those of the present head, less what jobs took that were started
    # past it.
    while True:
        key = next_end(running, now)
        if key == LATEST and arrived == len(jobs.submit):
            return
        arrival, time = arrives_next(jobs, arrived, key, batch)
        before = now.released
        now = release(running, now, time)
        if arrival:
            needed = jobs.processors[U(arrived)]
            # `append` begins an empty queue at place 0 again, and nothing there has been tried.
            if line.length == 0:
                untried = 0
            line = append(waiting, line, arrived, needed, jobs.estimate[U(arrived)])
            arrived += 1
            freed = freed or now.released > before
            # As in pyss, a submission makes a pass only if it fits. `freed` waits for the next
            # pass: jobs that were released now have their own ends at this instant.
            if needed > now.free and not batch:
                continue
        else:
            counter = key & COUNTERS
            job = running.order[U(counter)]
            expected = starts[U(job)] + jobs.estimate[U(job)]
            now = end(running, now, counter, jobs.processors[U(job)], expected, time)
            freed = freed or now.released > before
        # A batch has one pass, behind the last event of its instant.
        if batch and next_time(jobs, arrived, running, now) == time:
            continue
        # A head that was tried since processors were last given back cannot fit yet.
        if freed or line.head >= untried:
            shadow_known = False
            while line.length > 0 and waiting.processors[U(line.head)] <= now.free:
                now = _start_at(jobs, running, waiting, now, line.head, time, starts)
                line = without_head(waiting, line)
        if line.length > 1 and now.free > 0 and (freed or untried < line.tail):
            if not shadow_known:
                # Shadow time and extra processors: Mu'alem and Feitelson (2001), section 2.1.
                reserved, extra = shadow(running, now, waiting.processors[U(line.head)])
                shadow_known = True
            first = line.head + 1 if freed else max(untried, line.head + 1)
            before = now.started
            now, extra = _backfill(
                jobs, running, waiting, now, first, line.tail, time, reserved - time, extra, starts
            )
            line = QueueEnds(line.head, line.tail, line.length - (now.started - before))
            line = without_gaps(waiting, line)
        # Last, as `without_gaps` moves the places.
        untried = line.tail
        freed = False


@compiled
def _start_at(
    jobs: JobArrays,
    running: RunningJobs,
    waiting: QueueArrays,
    now: MachineNow,
    index: int,
    time: int,
    starts: NDArray[np.int64],
) -> MachineNow:
    """Let the job at a place of the queue run."""
    job = U(waiting.job[U(index)])
    starts[job] = time
    expected = time + waiting.estimate[U(index)]
    return start(running, now, job, waiting.processors[U(index)], time + jobs.run[job], expected)


@compiled
def _backfill(
    jobs: JobArrays,
    running: RunningJobs,
    waiting: QueueArrays,
    now: MachineNow,
    first: int,
    last: int,
    time: int,
    longest: int,
    extra: int,
    starts: NDArray[np.int64],
) -> tuple[MachineNow, int]:
    """Start whom that does not delay the head; the extra processors that are left.

    A job may take ``longest``, the time until the reservation, or else ``extra`` processors.
    """
    index, tail = U(first), U(last)
    # Jobs before `index` have started or would delay the head. `extra` is what the head leaves at
    # its shadow time, less what starts of this pass hold beyond it.
    while index < tail and now.free > 0:
        block = index // U(BLOCK)
        whole = index % U(BLOCK) == U(0)
        if whole and (
            waiting.fewest[block] > now.free
            or (waiting.shortest[block] > longest and waiting.fewest[block] > extra)
        ):
            index += U(BLOCK)
            continue
        # Read to the end of the block, even when nothing is free: its new bounds need all its jobs.
        stop = min(tail, (block + U(1)) * U(BLOCK))
        fewest = shortest = GONE
        while index < stop:
            needed, estimate = waiting.processors[index], waiting.estimate[index]
            if needed <= now.free and (estimate <= longest or needed <= extra):
                if estimate > longest:
                    extra -= needed
                now = _start_at(jobs, running, waiting, now, index, time, starts)
                waiting.processors[index] = GONE
            elif needed < GONE:
                # A gap, whose processors are GONE, lowers no bound.
                fewest = min(fewest, needed)
                shortest = min(shortest, estimate)
            index += U(1)
        # After only a part of a block its old bounds stay: starts never make a lower bound false.
        if whole:
            waiting.fewest[block] = fewest
            waiting.shortest[block] = shortest
    return now, extra
