"""Which jobs of a kept order are ahead of another one; a start bypasses those. Compiled.

Values are rounded otherwise than priorities, which decide where two values are nearly equal.
"""

from __future__ import annotations

from typing import NamedTuple

from planner.scheduling.policies.compiled import U, compiled
from planner.scheduling.policies.fairshare import used
from planner.scheduling.policies.maui_order import close_up, join, leave, one_account, weight_at
from planner.scheduling.policies.maui_priority import priority_of, used_by_all
from planner.scheduling.policies.maui_state import MauiParts
from planner.scheduling.policies.running import MachineNow

ROUNDING = 2.0**-44
"""Near ties, relative to the sum of the largest terms: ten times what rounding can amount to."""


class Instant(NamedTuple):
    """A time [s], everybody's use, and the difference of priorities that rounding may turn."""

    time: int
    whole: float
    near: float


@compiled
def instant_of(parts: MauiParts, now: MachineNow, time: int) -> Instant:
    """Return what all comparisons of a pass share."""
    jobs, rules, blocks, usage = parts.jobs, parts.rules, parts.blocks, parts.usage
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
def priority_at(parts: MauiParts, instant: Instant, block: int, place: int) -> float:
    """Return the priority of a job, as a sorted queue has it."""
    blocks = parts.blocks
    job = blocks.job[U(block), U(place)]
    bypassed = blocks.bypassed[U(block), U(place)] + blocks.passed[U(block)]
    return priority_of(parts, job, bypassed, instant.time, instant.whole)


@compiled
def value_at(parts: MauiParts, instant: Instant, block: int, place: int) -> float:
    """Return the priority of a job, but for rounding."""
    rules, blocks, usage = parts.rules, parts.blocks, parts.usage
    account = U(blocks.account[U(block), U(place)])
    # A start changes no use up to its own time, so the part of an account holds for the whole pass.
    if blocks.shared_at[account] != instant.time:
        job = U(blocks.job[U(block), U(place)])
        part = rules.queue_time * (instant.time / 60.0)
        for kind in range(len(rules.share)):
            if instant.whole > 0:
                own = used(usage, kind, rules.shared_by[U(kind), job], instant.time)
                part -= rules.share[U(kind)] * (own / instant.whole)
        blocks.shared[account] = part
        blocks.shared_at[account] = instant.time
    value: float = weight_at(rules, blocks, block, place) + blocks.shared[account]
    return value


@compiled
def clearly_behind(near: float, value: float, job: int, other_value: float, other: int) -> bool:
    """Return whether rounding cannot bring a job before another one."""
    # Without rounding, of equal priorities the job that was submitted later is behind.
    return value < other_value - near or (near == 0 and value == other_value and job > other)


@compiled
def none_ahead(parts: MauiParts, instant: Instant, block: int, job: int, priority: float) -> bool:
    """Return whether all jobs of a block are clearly behind: of one account, as is its first."""
    blocks = parts.blocks
    b = U(block)
    if blocks.account[b, U(blocks.filled[b] - 1)] != blocks.account[b, U(0)]:
        return False
    value = value_at(parts, instant, block, 0)
    return clearly_behind(instant.near, value, blocks.job[b, U(0)], priority, job)


@compiled
def bypass(parts: MauiParts, instant: Instant, job: int, priority: float) -> None:
    """Count an overtaking of all jobs ahead of one that has left the queue."""
    blocks = parts.blocks
    count, account = 0, -1
    block = blocks.after[U(0)]
    # In each account those ahead come first, but for near ties: what lies behind a job that is not
    # ahead is collected in `queue.job` and joins the queue anew. `account` is that of the last such
    # job. So the blocks before this one are in order.
    while block != 0:
        close_up(blocks, block)
        following = blocks.after[U(block)]
        if _all_ahead(parts, instant, block, job, priority):
            blocks.passed[U(block)] += 1
        elif none_ahead(parts, instant, block, job, priority):
            if one_account(blocks):
                break
        else:
            count, account = _bypass_some(parts, instant, block, job, priority, count, account)
        block = following
    for index in range(count):
        join(parts, parts.queue.job[U(index)])


@compiled
def _all_ahead(parts: MauiParts, instant: Instant, block: int, job: int, priority: float) -> bool:
    """Return whether all jobs of a block are clearly ahead: the first one behind it is."""
    blocks = parts.blocks
    following = blocks.after[U(block)]
    account = blocks.account[U(block), U(0)]
    if following == 0 or blocks.account[U(following), U(0)] != account:
        return False
    value = value_at(parts, instant, following, 0)
    other = blocks.job[U(following), U(0)]
    return clearly_behind(instant.near, priority, job, value, other)


@compiled
def _bypass_some(
    parts: MauiParts,
    instant: Instant,
    block: int,
    job: int,
    priority: float,
    count: int,
    account: int,
) -> tuple[int, int]:
    """Count an overtaking of the jobs of a block that are ahead; new values of the last two."""
    blocks, records = parts.blocks, parts.records
    b = U(block)
    last_account = blocks.account[b, U(blocks.filled[b] - 1)]
    place = 0
    while place < blocks.filled[b]:
        other, its_account = blocks.job[b, U(place)], blocks.account[b, U(place)]
        value = value_at(parts, instant, block, place)
        ahead = value > priority
        if abs(value - priority) <= instant.near:
            exact = priority_at(parts, instant, block, place)
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
                parts.queue.job[U(count)] = other
                count += 1
                continue
        place += 1
    return count, account
