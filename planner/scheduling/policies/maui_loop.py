"""The loop of the Maui-like scheduler, which skips iterations that change nothing. Compiled.

Between two events, no job can start that the last iteration did not start. Free processors and
reservations do not change, and the time until the reservations only shrinks. This holds until
another job reaches the head of the queue, because use of the machine changes priorities. Within a
fairshare window, the difference of two priorities, times all use, is linear in time. So the loop
computes the first iteration at which the order can change, rather too early than too late.
"""

from __future__ import annotations

from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.scheduling.policies.fairshare import (
    FairshareUsage,
    begin_use,
    next_window,
    nobody_used,
)
from planner.scheduling.policies.maui_order import is_ordered, keep_order
from planner.scheduling.policies.maui_order_pass import (
    one_is_small,
    start_in_order,
    until_other_first,
)
from planner.scheduling.policies.maui_pass import fits_its_throttles, start_whom_one_can
from planner.scheduling.policies.maui_priority import (
    growth_of_all,
    heads_of,
    priority_of,
    until_swap,
    until_use_matters,
    used_by_all,
)
from planner.scheduling.policies.maui_state import (
    NONE,
    MauiParts,
    MauiQueue,
    MauiRecords,
    MauiRules,
    MauiState,
)
from planner.scheduling.policies.problem import JobArrays
from planner.scheduling.policies.running import (
    COUNTER,
    COUNTERS,
    LATEST,
    MachineNow,
    end,
    expect,
    next_end,
)


@compiled_entry
def advance(parts: MauiParts, state: MauiState, until: int) -> MauiState:
    """Go through the iterations before a time."""
    jobs, rules, queue = parts.jobs, parts.rules, parts.queue
    blocks, usage = parts.blocks, parts.usage
    # At the head all iterations up to `state.time` are done, and none before the next one can start
    # a job: nothing ends, arrives, passes its estimate or comes to the head of the queue until
    # then.
    while True:
        time = _next_iteration(parts, state)
        if time >= until:
            return state
        # A window that ends at this iteration closes only behind `_end`: what ends by now used the
        # machine in it. No window ends between iterations, as its length is a multiple of theirs.
        state = _past_windows(rules, usage, state, time)
        in_blocks = state.waiting if is_ordered(blocks) else 0
        state = _read(parts, state, time)
        now, again, ended = _end(parts, state, time)
        if state.window_end == time:
            state = _past_windows(rules, usage, state, time + 1)
        waiting, before = state.waiting, now.started
        look = NONE
        ordered = in_blocks > 0 or waiting >= rules.long_queue
        if ordered:
            ordered = keep_order(parts, in_blocks, waiting)
        fits = (
            one_is_small(blocks, now.free) if ordered else _one_fits(jobs, queue, waiting, now.free)
        )
        if fits:
            if ordered:
                now = start_in_order(parts, now, time)
                waiting -= now.started - before
                fits = one_is_small(blocks, now.free)
            else:
                _sort(parts, waiting, time)
                now, waiting = start_whom_one_can(parts, now, waiting, time)
                fits = _one_fits(jobs, queue, waiting, now.free)
            if now.started > before and (fits or state.held > 0):
                # Starts change bypass counts and throttles, so the next iteration may start others.
                look = time + rules.iteration
            elif fits:
                # Nothing started: only use and the shift of the windows change the order.
                seconds = (
                    until_other_first(parts, now, time)
                    if ordered
                    else _until_heads_change(parts, waiting, time)
                )
                look = min(_look_before(rules, time, seconds), state.window_end)
        state = MauiState(
            now, time, state.arrived, waiting, state.held, again, ended, state.window_end, look
        )


@compiled
def _next_iteration(parts: MauiParts, state: MauiState) -> int:
    """Return when something can happen next; ``NONE`` if all is done."""
    jobs, rules, running = parts.jobs, parts.rules, parts.running
    time = state.look
    if state.arrived < len(jobs.submit):
        time = min(time, jobs.submit[U(state.arrived)])
    now = state.now
    if now.started > now.ended:
        time = min(time, next_end(running, now) >> COUNTER)
        # Also an expected end before the true one is an event: the job's estimate is extended then.
        time = min(time, running.expected[U(now.started - now.released - 1)] >> COUNTER)
    if state.again > 0:
        # A killed job is submitted again at once, and read by the next iteration.
        time = state.time
    if time >= NONE:
        return NONE
    # Iterations are at multiples of their length; at least one length goes by.
    length = rules.iteration
    return max((time + length - 1) // length * length, state.time + length)


@compiled
def _past_windows(
    rules: MauiRules, usage: FairshareUsage, state: MauiState, time: int
) -> MauiState:
    """Close the windows of fairshare that end before a time."""
    ends = state.window_end
    while ends < time:
        if nobody_used(usage):
            # While nothing is used, all windows at once: a log may pause for years.
            ends = max((time - 1) // rules.window_s * rules.window_s, ends)
        else:
            next_window(usage, ends)
        ends += rules.window_s
    if ends == state.window_end:
        return state
    return MauiState(
        state.now, state.time, state.arrived, state.waiting, state.held, state.again,
        state.ended, ends, state.look,
    )  # fmt: skip


@compiled
def _read(parts: MauiParts, state: MauiState, time: int) -> MauiState:
    """Take in new jobs, and consider those that are held back no longer."""
    jobs, rules, queue, records = parts.jobs, parts.rules, parts.queue, parts.records
    held, waiting, arrived = state.held, state.waiting, state.arrived
    older = held
    for index in range(state.again):
        queue.held[U(held)] = queue.again[U(index)]
        held += 1
    while arrived < len(jobs.submit) and jobs.submit[U(arrived)] <= time:
        records.since[U(arrived)] = jobs.submit[U(arrived)]
        queue.held[U(held)] = arrived
        held += 1
        arrived += 1
    remaining = 0
    # Held jobs first, then killed ones, then new ones: each that is considered counts against
    # `most_idle` of those behind it.
    for index in range(held):
        job = queue.held[U(index)]
        if _is_considered(rules, records, job):
            if index < older:
                # A job that is held back gains no queue time for it (Maui's MAXIJOB).
                records.since[U(job)] = time
            queue.job[U(waiting)] = job
            waiting += 1
        else:
            queue.held[U(remaining)] = job
            remaining += 1
    return MauiState(
        state.now,
        state.time,
        arrived,
        waiting,
        remaining,
        0,
        state.ended,
        state.window_end,
        state.look,
    )


@compiled
def _is_considered(rules: MauiRules, records: MauiRecords, job: int) -> bool:
    """Return whether a job may join the queue; if so, it is counted."""
    kinds = rules.limited_by.shape[0]
    # All limits first, then all counts: a job that one kind refuses must not count for another.
    for kind in range(kinds):
        k = U(kind)
        party = U(rules.limited_by[k, U(job)])
        if records.idle[k, party] >= rules.most_idle[k, party]:
            return False
    for kind in range(kinds):
        k = U(kind)
        records.idle[k, U(rules.limited_by[k, U(job)])] += 1
    return True


@compiled
def _end(parts: MauiParts, state: MauiState, time: int) -> tuple[MachineNow, int, int]:
    """End what has ended or outlived its estimate; how many are submitted again, and are done."""
    jobs, rules, running = parts.jobs, parts.rules, parts.running
    queue, records = parts.queue, parts.records
    now = _release(parts, state.now, time)
    again, ended = 0, state.ended
    # In order of ends, of one instant by job: predictors learn in the order of `ended`.
    while now.started > now.ended:
        key = next_end(running, now)
        if key == LATEST or key >> COUNTER > time:
            break
        job = key & COUNTERS
        j = U(job)
        expected = records.start[j] + records.planned[j]
        now = end(running, now, job, jobs.processors[j], expected, time)
        # Use counts up to the end itself, not to the iteration that notices it.
        _leave(parts, job, key >> COUNTER)
        length = (key >> COUNTER) - records.start[j]
        if length < jobs.run[j]:
            # Killed at its estimate. The next one is at least 1 s longer: the runs are finite.
            records.attempts[j] += 1
            records.lost[j] += length
            request = jobs.estimate[j]
            longer = int(min(records.planned[j] * rules.factor, float(request)))
            records.planned[j] = min(max(longer, records.planned[j] + 1), request)
            records.since[j] = key >> COUNTER
            queue.again[U(again)] = job
            again += 1
        else:
            records.ended[U(ended)] = job
            ended += 1
    return now, again, ended


@compiled
def _leave(parts: MauiParts, job: int, time: int) -> None:
    jobs, rules, usage, records = parts.jobs, parts.rules, parts.usage, parts.records
    # The reverse of `_start`, but for `idle`: a job that runs is idle no longer.
    processors = jobs.processors[U(job)]
    for kind in range(rules.shared_by.shape[0]):
        begin_use(usage, kind, rules.shared_by[U(kind), U(job)], -processors, time)
    for kind in range(rules.limited_by.shape[0]):
        k = U(kind)
        party = U(rules.limited_by[k, U(job)])
        records.in_use[k, party] -= processors
        records.jobs_in_use[k, party] -= 1


@compiled
def _release(parts: MauiParts, now: MachineNow, time: int) -> MachineNow:
    """Free the processors of jobs whose estimate is over, or give these a longer one."""
    jobs, rules, running, records = parts.jobs, parts.rules, parts.running, parts.records
    # The last place has the soonest expected end; a job that is extended keeps its processors.
    while now.started > now.released:
        count = now.started - now.released - 1
        key = running.expected[U(count)]
        if key >> COUNTER > time:
            break
        job = U(key & COUNTERS)
        length = records.planned[job]
        processors = jobs.processors[job]
        if length >= jobs.run[job] or not rules.extends:
            now = MachineNow(now.free + processors, now.started, now.ended, now.released + 1)
            continue
        while length < jobs.run[job] and records.start[job] + length <= time:
            step = min(records.attempts[job], len(rules.steps) - 1)
            length = min(records.first[job] + rules.steps[U(step)], jobs.estimate[job])
            records.attempts[job] += 1
        records.planned[job] = length
        # The job leaves the last place and comes in again by its later end; as many jobs hold
        # processors.
        key = (records.start[job] + length) << COUNTER | (key & COUNTERS)
        expect(running, count, key, processors)
    return now


@compiled
def _one_fits(jobs: JobArrays, queue: MauiQueue, waiting: int, free: int) -> bool:
    # Necessary, not sufficient: throttles and reservations are tested in the pass alone.
    index = U(0)
    while index < U(waiting):
        if jobs.processors[U(queue.job[index])] <= free:
            return True
        index += U(1)
    return False


@compiled
def _sort(parts: MauiParts, waiting: int, time: int) -> None:
    """Put the jobs in order of priority; those of one priority as they were submitted."""
    queue, usage, records = parts.queue, parts.usage, parts.records
    whole = used_by_all(usage, time)
    # Insertion sort: the first `index` places are in order, and little moves between iterations.
    for index in range(waiting):
        job = queue.job[U(index)]
        bypassed = records.bypassed[U(job)]
        priority = priority_of(parts, job, bypassed, time, whole)
        at = U(index)
        while at > U(0):
            before = queue.priority[at - U(1)]
            if before > priority or (before == priority and queue.job[at - U(1)] < job):
                break
            queue.job[at] = queue.job[at - U(1)]
            queue.priority[at] = before
            at -= U(1)
        queue.job[at] = job
        queue.priority[at] = priority


@compiled
def _until_heads_change(parts: MauiParts, waiting: int, time: int) -> float:
    """Return how long the head of the queue stays the same, if nothing happens before [s]."""
    jobs, rules, queue = parts.jobs, parts.rules, parts.queue
    usage, records = parts.usage, parts.records
    if waiting < 2:
        return float(NONE)
    # Expansion factors grow at different speeds; with a depth the order behind the heads matters.
    if rules.expansion != 0 or rules.depth < waiting:
        return 0.0
    look = until_use_matters(rules, usage, time)
    if look >= 0:
        return look
    whole, growth = used_by_all(usage, time), growth_of_all(usage)
    # The jobs that get reservations are the heads. Who they are and their order stays until two
    # neighbours among them swap or a later job overtakes the last head, so only these pairs count.
    look = float(NONE)
    heads = heads_of(rules)
    head = -1
    for index in range(waiting):
        job = queue.job[U(index)]
        if not fits_its_throttles(jobs, rules, records, job):
            continue
        if head >= 0:
            lead = queue.priority[U(head)] - queue.priority[U(index)]
            first = queue.job[U(head)]
            later = until_swap(rules, usage, first, job, lead, time, whole, growth)
            look = min(look, later)
        if heads > 0:
            head = index
            heads -= 1
    return look


@compiled
def _look_before(rules: MauiRules, time: int, seconds: float) -> int:
    """Return the last iteration within a time from now, but the next one at least."""
    if seconds >= float(NONE):
        return NONE
    # Rounded down: too early costs one iteration, too late would change a start.
    whole_iterations = int(seconds * (1 - 1e-9)) // rules.iteration
    return time + max(whole_iterations, 1) * rules.iteration
