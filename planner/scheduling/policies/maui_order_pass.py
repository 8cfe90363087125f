"""Who starts at an iteration where jobs of an account keep their order. Compiled.

As in ``maui_pass``: in order of priority while each job fits; then the first who cannot start has a
reservation, and a job that does not delay it may overtake. The queue is not sorted for it. The next
who may start is looked for, and blocks in which nobody may, or all come later, are passed over.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled
from planner.scheduling.policies.fairshare import FairshareUsage, used
from planner.scheduling.policies.job_queue import GONE
from planner.scheduling.policies.maui_order import (
    JobBlocks,
    bound_queue,
    close_up,
    join,
    leave,
    one_account,
    weight_at,
)
from planner.scheduling.policies.maui_pass import fits_its_throttles, start
from planner.scheduling.policies.maui_priority import (
    growth_of_all,
    priority_of,
    until_swap,
    until_use_matters,
    used_by_all,
)
from planner.scheduling.policies.maui_state import NONE, MauiRecords, MauiRules
from planner.scheduling.policies.problem import JobArrays
from planner.scheduling.policies.running import MachineNow, RunningJobs, shadow

ROUNDING = 2.0**-44
"""Near ties, relative to the sum of the largest terms: ten times what rounding can amount to."""


class Instant(NamedTuple):
    """A time [s], everybody's use, and the difference of priorities that rounding may turn."""

    time: int
    whole: float
    near: float


class Candidate(NamedTuple):
    """A job by its block and place in it, with its priority; block 0: nobody."""

    block: int
    place: int
    priority: float


@compiled
def start_in_order(
    jobs: JobArrays,
    rules: MauiRules,
    running: RunningJobs,
    blocks: JobBlocks,
    moved: NDArray[np.int32],
    usage: FairshareUsage,
    records: MauiRecords,
    now: MachineNow,
    time: int,
) -> MachineNow:
    """Start jobs of the queue; ``moved`` has room for all of them."""
    instant = _instant(jobs, rules, blocks, usage, now, time)
    first = Candidate(0, 0, 0.0)
    while now.free > 0:
        first = _first(jobs, rules, blocks, usage, records, instant, GONE, GONE, 0)
        if first.block == 0 or _processors(blocks, first) > now.free:
            break
        now = _start(jobs, rules, running, blocks, moved, usage, records, now, instant, first)
    if not rules.overtakes or first.block == 0 or now.free == 0:
        return now
    reserved, extra = NONE, 0
    if rules.reservations == 1:
        reserved, extra = shadow(running, now, _processors(blocks, first))
    longest = reserved - time
    # At the head `extra` is what the starts so far leave to the reservation.
    while one_is_small(blocks, now.free):
        first = _first(jobs, rules, blocks, usage, records, instant, now.free, longest, extra)
        if first.block == 0:
            return now
        if blocks.planned[U(first.block), U(first.place)] > longest:
            extra -= _processors(blocks, first)
        now = _start(jobs, rules, running, blocks, moved, usage, records, now, instant, first)
    return now


@compiled
def one_is_small(blocks: JobBlocks, free: int) -> bool:
    """Return whether a job needs at most the free processors."""
    return bool(blocks.fewest[U(0)] <= free)


@compiled
def until_other_first(
    jobs: JobArrays,
    rules: MauiRules,
    blocks: JobBlocks,
    usage: FairshareUsage,
    records: MauiRecords,
    now: MachineNow,
    time: int,
) -> float:
    """Return how long until another job can come first, if nothing happens before [s]."""
    look = until_use_matters(rules, usage, time)
    if look >= 0:
        return look
    growth = growth_of_all(usage)
    instant = _instant(jobs, rules, blocks, usage, now, time)
    head = _first(jobs, rules, blocks, usage, records, instant, GONE, GONE, 0)
    look = float(NONE)
    if head.block == 0:
        return look
    first = blocks.job[U(head.block), U(head.place)]
    # In each account the first is the next to overtake: the lead over it is the shortest.
    account, last = -1, 0.0
    block = blocks.after[U(0)]
    while block != 0:
        this, b = block, U(block)
        block = blocks.after[b]
        only = blocks.account[b, U(blocks.filled[b] - 1)] == account
        if only and weight_at(rules, blocks, this, 0) < last:
            continue
        for place in range(blocks.filled[b]):
            weight = weight_at(rules, blocks, this, place)
            if blocks.account[b, U(place)] == account and weight < last:
                continue
            job = blocks.job[b, U(place)]
            if job == first or not fits_its_throttles(jobs, rules, records, job):
                continue
            lead = head.priority - _priority_at(rules, blocks, usage, records, instant, this, place)
            later = until_swap(rules, usage, first, job, lead, time, instant.whole, growth)
            look = min(look, later)
            if blocks.account[b, U(place)] != account:
                account, last = blocks.account[b, U(place)], weight - instant.near
    return look


@compiled
def _instant(
    jobs: JobArrays,
    rules: MauiRules,
    blocks: JobBlocks,
    usage: FairshareUsage,
    now: MachineNow,
    time: int,
) -> Instant:
    whole = used_by_all(usage, time)
    # Weights are priorities, without rounding, where neither time nor use nor overtaking counts.
    if rules.queue_time == 0 and rules.bypass == 0 and len(rules.share) == 0:
        return Instant(time, whole, 0.0)
    # Each start, also of this pass, overtakes a job once at most, and shares are at most 1.
    terms = blocks.largest[U(0)] + abs(rules.queue_time) * (time / 60.0)
    terms += rules.bypass * (now.started + len(jobs.submit))
    for kind in range(len(rules.share)):
        terms += abs(rules.share[U(kind)])
    return Instant(time, whole, terms * ROUNDING)


@compiled
def _processors(blocks: JobBlocks, which: Candidate) -> int:
    processors: int = blocks.processors[U(which.block), U(which.place)]
    return processors


@compiled
def _priority_at(
    rules: MauiRules,
    blocks: JobBlocks,
    usage: FairshareUsage,
    records: MauiRecords,
    instant: Instant,
    block: int,
    place: int,
) -> float:
    job = blocks.job[U(block), U(place)]
    bypassed = blocks.bypassed[U(block), U(place)] + blocks.passed[U(block)]
    return priority_of(rules, usage, records, job, bypassed, instant.time, instant.whole)


@compiled
def _shared(
    rules: MauiRules,
    blocks: JobBlocks,
    usage: FairshareUsage,
    instant: Instant,
    account: int,
    job: int,
) -> float:
    """The part of the priority that the jobs of an account share; ``job`` is one of them."""
    # A start changes no use up to its own time, so the part stands for the whole pass.
    if blocks.shared_at[U(account)] != instant.time:
        part = rules.queue_time * (instant.time / 60.0)
        for kind in range(len(rules.share)):
            if instant.whole > 0:
                own = used(usage, kind, rules.shared_by[U(kind), U(job)], instant.time)
                part -= rules.share[U(kind)] * (own / instant.whole)
        blocks.shared[U(account)] = part
        blocks.shared_at[U(account)] = instant.time
    shared: float = blocks.shared[U(account)]
    return shared


@compiled
def _clearly_behind(near: float, value: float, job: int, other_value: float, other: int) -> bool:
    """Return whether rounding cannot bring a job before another one."""
    # Without rounding, of equal priorities the job that was submitted later is behind.
    return value < other_value - near or (near == 0 and value == other_value and job > other)


@compiled
def _first(
    jobs: JobArrays,
    rules: MauiRules,
    blocks: JobBlocks,
    usage: FairshareUsage,
    records: MauiRecords,
    instant: Instant,
    free: int,
    longest: int,
    extra: int,
) -> Candidate:
    """Return the first job within its throttles that needs at most ``free`` processors.

    It must also be over after ``longest``, or need at most ``extra`` processors.
    """
    best = Candidate(0, 0, -np.inf)
    winner = 0
    block = blocks.after[U(0)]
    # At the head `best` is the first of all jobs in the blocks before this one.
    while block != 0:
        this, b = block, U(block)
        block = blocks.after[b]
        if blocks.fewest[b] > free or (blocks.shortest[b] > longest and blocks.fewest[b] > extra):
            continue
        if _none_ahead(rules, blocks, usage, instant, this, winner, best.priority):
            if one_account(blocks):
                break
            continue
        for place in range(blocks.filled[b]):
            at = U(place)
            needed = blocks.processors[b, at]
            if needed > free or (blocks.planned[b, at] > longest and needed > extra):
                continue
            job = blocks.job[b, at]
            value = weight_at(rules, blocks, this, place)
            value += _shared(rules, blocks, usage, instant, blocks.account[b, at], job)
            if _clearly_behind(instant.near, value, job, best.priority, winner):
                continue
            if not fits_its_throttles(jobs, rules, records, job):
                continue
            priority = _priority_at(rules, blocks, usage, records, instant, this, place)
            if priority > best.priority or (priority == best.priority and job < winner):
                best = Candidate(this, place, priority)
                winner = job
    return best


@compiled
def _start(
    jobs: JobArrays,
    rules: MauiRules,
    running: RunningJobs,
    blocks: JobBlocks,
    moved: NDArray[np.int32],
    usage: FairshareUsage,
    records: MauiRecords,
    now: MachineNow,
    instant: Instant,
    which: Candidate,
) -> MachineNow:
    """Start a job; those ahead of it that still wait are bypassed."""
    job = blocks.job[U(which.block), U(which.place)]
    fewest = _processors(blocks, which) == blocks.fewest[U(0)]
    leave(records, blocks, which.block, which.place)
    if fewest:
        bound_queue(blocks)
    _bypass(jobs, rules, blocks, moved, usage, records, instant, job, which.priority)
    return start(jobs, rules, running, usage, records, now, job, instant.time)


@compiled
def _bypass(
    jobs: JobArrays,
    rules: MauiRules,
    blocks: JobBlocks,
    moved: NDArray[np.int32],
    usage: FairshareUsage,
    records: MauiRecords,
    instant: Instant,
    job: int,
    priority: float,
) -> None:
    """Count an overtaking of all jobs ahead of one with this priority."""
    count, account = 0, -1
    block = blocks.after[U(0)]
    # In each account those ahead come first, but for near ties: what lies behind a job that is not
    # ahead is collected in `moved` and joins the queue anew. `account` is that of the last such
    # job. So the blocks before this one are in order.
    while block != 0:
        close_up(blocks, block)
        following = blocks.after[U(block)]
        if _all_ahead(rules, blocks, usage, instant, block, job, priority):
            blocks.passed[U(block)] += 1
        elif _none_ahead(rules, blocks, usage, instant, block, job, priority):
            if one_account(blocks):
                break
        else:
            count, account = _bypass_some(
                rules, blocks, moved, usage, records, instant, block, job, priority, count, account
            )
        block = following
    for index in range(count):
        join(jobs, rules, records, blocks, moved[U(index)])


@compiled
def _all_ahead(
    rules: MauiRules,
    blocks: JobBlocks,
    usage: FairshareUsage,
    instant: Instant,
    block: int,
    job: int,
    priority: float,
) -> bool:
    """Return whether all jobs of a block are clearly ahead: the first one behind it is."""
    following = blocks.after[U(block)]
    account = blocks.account[U(block), U(0)]
    if following == 0 or blocks.account[U(following), U(0)] != account:
        return False
    other = blocks.job[U(following), U(0)]
    shared = _shared(rules, blocks, usage, instant, account, other)
    value = weight_at(rules, blocks, following, 0) + shared
    return _clearly_behind(instant.near, priority, job, value, other)


@compiled
def _none_ahead(
    rules: MauiRules,
    blocks: JobBlocks,
    usage: FairshareUsage,
    instant: Instant,
    block: int,
    job: int,
    priority: float,
) -> bool:
    """Return whether all jobs of a block are clearly behind: of one account, as is its first."""
    b = U(block)
    account, other = blocks.account[b, U(0)], blocks.job[b, U(0)]
    if blocks.account[b, U(blocks.filled[b] - 1)] != account:
        return False
    shared = _shared(rules, blocks, usage, instant, account, other)
    value = weight_at(rules, blocks, block, 0) + shared
    return _clearly_behind(instant.near, value, other, priority, job)


@compiled
def _bypass_some(
    rules: MauiRules,
    blocks: JobBlocks,
    moved: NDArray[np.int32],
    usage: FairshareUsage,
    records: MauiRecords,
    instant: Instant,
    block: int,
    job: int,
    priority: float,
    count: int,
    account: int,
) -> tuple[int, int]:
    """Count an overtaking of the jobs of a block that are ahead; new values of the last two."""
    b = U(block)
    last_account = blocks.account[b, U(blocks.filled[b] - 1)]
    place = 0
    while place < blocks.filled[b]:
        other, its_account = blocks.job[b, U(place)], blocks.account[b, U(place)]
        value = weight_at(rules, blocks, block, place)
        value += _shared(rules, blocks, usage, instant, its_account, other)
        ahead = value > priority
        if abs(value - priority) <= instant.near:
            exact = _priority_at(rules, blocks, usage, records, instant, block, place)
            ahead = exact > priority or (exact == priority and other < job)
        if not ahead:
            account = its_account
            # Those behind it in its account, here to the end of the block, are behind too.
            if account == last_account and value < priority - instant.near:
                break
        else:
            blocks.bypassed[b, U(place)] += 1
            if account == its_account:
                leave(records, blocks, block, place)
                moved[U(count)] = other
                count += 1
                continue
        place += 1
    return count, account
