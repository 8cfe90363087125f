"""Waiting jobs of the Maui-like scheduler in an order that is kept from pass to pass. Compiled.

Queue time grows alike for all, and use changes the priorities of an account's jobs alike. An
account is a user, group and queue, as far as their use counts. So jobs of an account keep their
order, and being overtaken moves only those ahead further ahead. The queue holds the jobs by account
and in each by weight, the part of the priority that neither time nor use changes.

The jobs lie in blocks, which a pass can skip as a whole. An overtaking is counted once for a block
whose jobs are all overtaken.

Weights are rounded otherwise than priorities. They order all jobs but near ties, whose priorities
decide, so that each start is that of a queue sorted at each iteration.
"""

from __future__ import annotations

import numpy as np

from planner.scheduling.policies.compiled import U, compiled
from planner.scheduling.policies.job_queue import GONE
from planner.scheduling.policies.maui_state import JobBlocks, MauiParts, MauiRecords, MauiRules

LONG_QUEUE = 384
"""Waiting jobs from which on keeping the order costs less than sorting them at each pass."""

ROOM = 64
"""Jobs of a block; four times as many where all are of one account."""

UNUSED = 1
"""The place before the first block that is not in use; place 0 is that before the queue."""


def nobody_ordered(jobs: int, accounts: int, room: int) -> JobBlocks:
    """Return empty blocks for this number of jobs and accounts."""
    # Two neighbours hold more than half a block together, but for what the last start moved.
    blocks = 8 * jobs // room + 8
    places = (blocks, room)
    after = np.arange(1, blocks + 1)
    after[0], after[-1] = 0, 0
    numbers = [np.empty(places, np.int64) for _ in range(3)]
    bounds = [np.zeros(blocks, np.int64) for _ in range(4)]
    bounds[1][0] = GONE
    return JobBlocks(
        np.empty(places, np.int32),
        np.empty(places, np.int32),
        numbers[0],
        numbers[1],
        np.empty(places, np.float64),
        numbers[2],
        after,
        bounds[0],
        bounds[1],
        bounds[2],
        bounds[3],
        np.zeros(1, np.float64),
        np.empty(accounts, np.float64),
        np.full(accounts, -1, np.int64),
    )


@compiled
def keep_order(parts: MauiParts, in_blocks: int, waiting: int) -> bool:
    """Move the queue into blocks if it is long, and out of them if it is short.

    Parameters
    ----------
    in_blocks, waiting
        How many jobs are in blocks already; all of the queue, or those before the ones that have
        just been read. How many jobs wait.

    Returns
    -------
    bool
        Whether the queue is in blocks.
    """
    rules, queue, blocks, records = parts.rules, parts.queue, parts.blocks, parts.records
    if 2 * waiting >= rules.long_queue:
        for index in range(in_blocks, waiting):
            join(parts, queue.job[U(index)])
        return True
    for index in range(in_blocks):
        block = blocks.after[U(0)]
        last = blocks.filled[U(block)] - 1
        queue.job[U(index)] = blocks.job[U(block), U(last)]
        leave(records, blocks, block, last)
    blocks.fewest[U(0)] = GONE
    return False


@compiled
def is_ordered(blocks: JobBlocks) -> bool:
    """Return whether the queue is in blocks, and not empty."""
    return bool(blocks.after[U(0)] != 0)


@compiled
def bound_queue(blocks: JobBlocks) -> None:
    """Find the least processors of the whole queue."""
    fewest, block = GONE, blocks.after[U(0)]
    while block != 0:
        fewest = min(fewest, blocks.fewest[U(block)])
        block = blocks.after[U(block)]
    blocks.fewest[U(0)] = fewest


@compiled
def one_account(blocks: JobBlocks) -> bool:
    """Return whether all jobs are of one account, so that a job behind another stays so."""
    return len(blocks.shared) == 1


@compiled
def weight_at(rules: MauiRules, blocks: JobBlocks, block: int, place: int) -> float:
    """The part of a job's priority that neither time nor use changes."""
    b, at = U(block), U(place)
    bypassed = blocks.bypassed[b, at] + blocks.passed[b]
    weight: float = blocks.key[b, at] + rules.bypass * bypassed
    return weight


@compiled
def join(parts: MauiParts, job: int) -> None:
    """Put a job into its account, by weight; those of one weight are as they were submitted."""
    jobs, rules, records, blocks = parts.jobs, parts.rules, parts.records, parts.blocks
    j = U(job)
    account, planned = rules.account[j], records.planned[j]
    key = rules.fixed[j] + rules.wall_time * planned - rules.queue_time * (records.since[j] / 60.0)
    weight = key + rules.bypass * records.bypassed[j]
    terms = abs(rules.fixed[j]) + abs(rules.wall_time * planned)
    blocks.largest[U(0)] = max(blocks.largest[U(0)], terms)
    block = _block_for(rules, blocks, account, weight, job)
    if blocks.filled[U(block)] == blocks.job.shape[1]:
        _split(blocks, block)
        following = blocks.after[U(block)]
        if not _is_behind(rules, blocks, following, 0, account, weight, job):
            block = following
    b = U(block)
    place = blocks.filled[b]
    # The places behind `place` hold jobs that come behind this one.
    while place > 0 and _is_behind(rules, blocks, block, place - 1, account, weight, job):
        _copy(blocks, block, place - 1, block, place)
        place -= 1
    at = U(place)
    blocks.job[b, at] = job
    blocks.account[b, at] = account
    blocks.processors[b, at] = jobs.processors[j]
    blocks.planned[b, at] = planned
    blocks.key[b, at] = key
    blocks.bypassed[b, at] = records.bypassed[j] - blocks.passed[b]
    blocks.filled[b] += 1
    blocks.fewest[U(0)] = min(blocks.fewest[U(0)], jobs.processors[j])
    blocks.fewest[b] = min(blocks.fewest[b], jobs.processors[j])
    blocks.shortest[b] = min(blocks.shortest[b], planned)


@compiled
def leave(records: MauiRecords, blocks: JobBlocks, block: int, place: int) -> None:
    """Take a job out; ``fewest[0]`` is left as it is."""
    b = U(block)
    job = U(blocks.job[b, U(place)])
    records.bypassed[job] = blocks.bypassed[b, U(place)] + blocks.passed[b]
    for at in range(place + 1, blocks.filled[b]):
        _copy(blocks, block, at, block, at - 1)
    blocks.filled[b] -= 1
    if blocks.filled[b] > 0:
        _bound(blocks, block)
        return
    before = 0
    while blocks.after[U(before)] != block:
        before = blocks.after[U(before)]
    _remove_after(blocks, before)


@compiled
def close_up(blocks: JobBlocks, block: int) -> None:
    """Let a block take in the next ones while they fill half of it together."""
    b = U(block)
    following = blocks.after[b]
    while following != 0:
        count = blocks.filled[U(following)]
        if 2 * (blocks.filled[b] + count) > blocks.job.shape[1]:
            return
        more = blocks.passed[U(following)] - blocks.passed[b]
        for at in range(count):
            place = blocks.filled[b] + at
            _copy(blocks, following, at, block, place)
            blocks.bypassed[b, U(place)] += more
        blocks.filled[b] += count
        blocks.fewest[b] = min(blocks.fewest[b], blocks.fewest[U(following)])
        blocks.shortest[b] = min(blocks.shortest[b], blocks.shortest[U(following)])
        _remove_after(blocks, block)
        following = blocks.after[b]


@compiled
def _block_for(rules: MauiRules, blocks: JobBlocks, account: int, weight: float, job: int) -> int:
    """Return the block that a job is to join."""
    block: int = blocks.after[U(0)]
    if block == 0:
        return _insert_after(blocks, 0)
    following = blocks.after[U(block)]
    # No job of a block before `block` comes behind the one that joins.
    while following != 0 and not _is_behind(rules, blocks, following, 0, account, weight, job):
        block = following
        following = blocks.after[U(block)]
    return block


@compiled
def _is_behind(
    rules: MauiRules,
    blocks: JobBlocks,
    block: int,
    place: int,
    account: int,
    weight: float,
    job: int,
) -> bool:
    other = blocks.account[U(block), U(place)]
    if other != account:
        return bool(other > account)
    its_weight = weight_at(rules, blocks, block, place)
    return bool(
        its_weight < weight or (its_weight == weight and blocks.job[U(block), U(place)] > job)
    )


@compiled
def _split(blocks: JobBlocks, block: int) -> None:
    """Move the second half of a block to a new one behind it."""
    new = _insert_after(blocks, block)
    count = blocks.filled[U(block)]
    half = count // 2
    for at in range(half, count):
        _copy(blocks, block, at, new, at - half)
    blocks.passed[U(new)] = blocks.passed[U(block)]
    blocks.filled[U(new)] = count - half
    blocks.filled[U(block)] = half
    _bound(blocks, block)
    _bound(blocks, new)


@compiled
def _bound(blocks: JobBlocks, block: int) -> None:
    b = U(block)
    fewest = shortest = GONE
    for place in range(blocks.filled[b]):
        fewest = min(fewest, blocks.processors[b, U(place)])
        shortest = min(shortest, blocks.planned[b, U(place)])
    blocks.fewest[b] = fewest
    blocks.shortest[b] = shortest


@compiled
def _copy(blocks: JobBlocks, block: int, place: int, to_block: int, to_place: int) -> None:
    b, at, c, to = U(block), U(place), U(to_block), U(to_place)
    blocks.job[c, to] = blocks.job[b, at]
    blocks.account[c, to] = blocks.account[b, at]
    blocks.processors[c, to] = blocks.processors[b, at]
    blocks.planned[c, to] = blocks.planned[b, at]
    blocks.key[c, to] = blocks.key[b, at]
    blocks.bypassed[c, to] = blocks.bypassed[b, at]


@compiled
def _insert_after(blocks: JobBlocks, before: int) -> int:
    """Put an empty block behind another one."""
    new: int = blocks.after[U(UNUSED)]
    blocks.after[U(UNUSED)] = blocks.after[U(new)]
    blocks.after[U(new)] = blocks.after[U(before)]
    blocks.after[U(before)] = new
    blocks.passed[U(new)] = 0
    blocks.fewest[U(new)] = GONE
    blocks.shortest[U(new)] = GONE
    return new


@compiled
def _remove_after(blocks: JobBlocks, before: int) -> None:
    """Take the block behind another one out of use."""
    gone = blocks.after[U(before)]
    blocks.after[U(before)] = blocks.after[U(gone)]
    blocks.after[U(gone)] = blocks.after[U(UNUSED)]
    blocks.after[U(UNUSED)] = gone
    blocks.filled[U(gone)] = 0
