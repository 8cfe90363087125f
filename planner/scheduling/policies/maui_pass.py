"""Who starts at an iteration of the Maui-like scheduler: stages 7 to 9. Compiled."""

from __future__ import annotations

from planner.scheduling.policies.compiled import U, compiled
from planner.scheduling.policies.fairshare import begin_use
from planner.scheduling.policies.lookahead import lay_out
from planner.scheduling.policies.maui_state import NONE, MauiParts, MauiRecords, MauiRules
from planner.scheduling.policies.plan import add, earliest, fits
from planner.scheduling.policies.problem import JobArrays
from planner.scheduling.policies.running import MachineNow, hold, shadow


@compiled
def start_whom_one_can(
    parts: MauiParts, now: MachineNow, waiting: int, time: int
) -> tuple[MachineNow, int]:
    """Start jobs of the queue, which is in order of priority; who is left, and how many."""
    jobs, rules, running = parts.jobs, parts.rules, parts.running
    plan, queue, records = parts.plan, parts.queue, parts.records
    index = 0
    # Stage 7: in order of priority while each job fits. One beyond its throttles is passed over and
    # gets no reservation, so that it holds up nobody.
    while index < waiting and now.free > 0:
        job = queue.job[U(index)]
        if fits_its_throttles(jobs, rules, records, job):
            if jobs.processors[U(job)] > now.free:
                break
            now = _start_at(parts, now, index, time)
        index += 1
    if rules.overtakes and index < waiting and now.free > 0:
        if rules.reservations <= 1:
            # Without a reservation each estimate ends by then, so each job that fits may start.
            reserved, extra = NONE, 0
            if rules.reservations == 1:
                # One reservation needs no plan: its time and extra processors decide, as in EASY.
                head = queue.job[U(index)]
                reserved, extra = shadow(running, now, jobs.processors[U(head)])
                index += 1
            now = _backfill(parts, now, index, waiting, time, reserved, extra, 0)
        else:
            steps = lay_out(plan, running, now, time)
            now, steps, index = _reserve(parts, now, index, waiting, time, steps)
            now = _backfill(parts, now, index, waiting, time, 0, 0, steps)
    remaining = 0
    for index in range(waiting):
        if queue.job[U(index)] >= 0:
            queue.job[U(remaining)] = queue.job[U(index)]
            remaining += 1
    return now, remaining


@compiled
def fits_its_throttles(jobs: JobArrays, rules: MauiRules, records: MauiRecords, job: int) -> bool:
    """Return whether the job's user, group and queue may run it now."""
    # Hard limits, all of which must allow the job: it counts from its start to its end.
    for kind in range(rules.limited_by.shape[0]):
        k = U(kind)
        party = U(rules.limited_by[k, U(job)])
        processors = records.in_use[k, party] + jobs.processors[U(job)]
        if (
            processors > rules.most_processors[k, party]
            or records.jobs_in_use[k, party] >= rules.most_jobs[k, party]
        ):
            return False
    return True


@compiled
def start(parts: MauiParts, now: MachineNow, job: int, time: int) -> MachineNow:
    """Let a job run."""
    jobs, rules, running = parts.jobs, parts.rules, parts.running
    usage, records = parts.usage, parts.records
    j = U(job)
    processors = jobs.processors[j]
    records.start[j] = time
    for kind in range(rules.shared_by.shape[0]):
        begin_use(usage, kind, rules.shared_by[U(kind), j], processors, time)
    for kind in range(rules.limited_by.shape[0]):
        k = U(kind)
        party = U(rules.limited_by[k, j])
        records.in_use[k, party] += processors
        records.jobs_in_use[k, party] += 1
        records.idle[k, party] -= 1
    # Stage 5: a run ends at its estimate at the latest, unless the estimate is extended.
    length = jobs.run[j] if rules.extends else min(jobs.run[j], records.planned[j])
    # The job's number is its counter: a killed job starts again under it; ties go by submission.
    return hold(running, now, job, processors, time + length, time + records.planned[j])


@compiled
def _reserve(
    parts: MauiParts, now: MachineNow, index: int, waiting: int, time: int, steps: int
) -> tuple[MachineNow, int, int]:
    """Give the first who cannot start their reservations; steps of the plan, and the next place."""
    jobs, rules, plan = parts.jobs, parts.rules, parts.plan
    queue, records = parts.queue, parts.records
    reserved = 0
    # The plan is what running jobs, starts of this pass and the reservations so far leave free, so
    # a start that fits it delays none of them.
    while index < waiting and reserved < rules.reservations:
        job = queue.job[U(index)]
        if fits_its_throttles(jobs, rules, records, job):
            needed, planned = jobs.processors[U(job)], records.planned[U(job)]
            if fits(plan, needed, planned):
                steps = add(plan, steps, time, time + planned, -needed)
                now = _start_at(parts, now, index, time)
            else:
                at = earliest(plan, needed, planned)
                steps = add(plan, steps, at, at + planned, -needed)
                reserved += 1
        index += 1
    return now, steps, index


@compiled
def _backfill(
    parts: MauiParts,
    now: MachineNow,
    first: int,
    waiting: int,
    time: int,
    reserved: int,
    extra: int,
    steps: int,
) -> MachineNow:
    """Start each job that does not delay a reservation.

    A single reservation is given by its time and extra processors; several are given by ``steps``
    of the plan.
    """
    jobs, rules, plan = parts.jobs, parts.rules, parts.plan
    queue, records = parts.queue, parts.records
    last = _last_tried(parts, first, waiting)
    index = first
    # At the head `extra`, or the plan, holds what the starts so far leave to the reservations.
    while now.free > 0:
        chosen, largest = -1, 0
        while index < last:
            job = queue.job[U(index)]
            if job >= 0 and jobs.processors[U(job)] <= now.free:
                needed, planned = jobs.processors[U(job)], records.planned[U(job)]
                if steps > 0:
                    may = fits(plan, needed, planned)
                else:
                    # As in EASY: over by the reservation, or only on processors that it leaves.
                    may = time + planned <= reserved or needed <= extra
                # Strictly larger: of equally many processors the job of higher priority starts
                # (BACKFILLMETRIC PROCS).
                if may and needed > largest and fits_its_throttles(jobs, rules, records, job):
                    chosen, largest = index, needed
                    if not rules.best_fit:
                        break
            index += 1
        if chosen < 0:
            return now
        job = queue.job[U(chosen)]
        planned = records.planned[U(job)]
        if steps > 0:
            steps = add(plan, steps, time, time + planned, -largest)
        elif time + planned > reserved:
            extra -= largest
        now = _start_at(parts, now, chosen, time)
        # A start frees nothing, so first fit goes on behind it; the next best fit may be anywhere.
        index = first if rules.best_fit else chosen + 1
    return now


@compiled
def _last_tried(parts: MauiParts, first: int, waiting: int) -> int:
    """The place behind the jobs that are tried."""
    jobs, rules, queue, records = parts.jobs, parts.rules, parts.queue, parts.records
    if rules.depth >= waiting - first:
        return waiting
    tried, index = 0, first
    # Jobs that their throttles hold back do not use up the depth.
    while index < waiting and tried < rules.depth:
        if fits_its_throttles(jobs, rules, records, queue.job[U(index)]):
            tried += 1
        index += 1
    return index


@compiled
def _start_at(parts: MauiParts, now: MachineNow, index: int, time: int) -> MachineNow:
    """Start the job at a place of the queue; those before it that still wait are bypassed."""
    queue, records = parts.queue, parts.records
    job = queue.job[U(index)]
    # Every considered job before it is bypassed, also one that its throttles hold back.
    for before in range(index):
        other = queue.job[U(before)]
        if other >= 0:
            records.bypassed[U(other)] += 1
    queue.job[U(index)] = -1
    return start(parts, now, job, time)
