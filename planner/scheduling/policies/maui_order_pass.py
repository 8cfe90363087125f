"""Who starts at an iteration where jobs of an account keep their order. Compiled.

As in ``maui_pass``: in order of priority while each job fits; then the first who cannot start has a
reservation, and a job that does not delay it may overtake. The queue is not sorted for it. The next
who may start is looked for, and blocks in which nobody may, or all come later, are passed over.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from planner.scheduling.policies.compiled import U, compiled
from planner.scheduling.policies.job_queue import GONE
from planner.scheduling.policies.maui_order import bound_queue, leave, one_account, weight_at
from planner.scheduling.policies.maui_order_ahead import (
    Instant,
    bypass,
    clearly_behind,
    instant_of,
    none_ahead,
    priority_at,
    value_at,
)
from planner.scheduling.policies.maui_pass import fits_its_throttles, start
from planner.scheduling.policies.maui_priority import growth_of_all, until_swap, until_use_matters
from planner.scheduling.policies.maui_state import NONE, JobBlocks, MauiParts
from planner.scheduling.policies.running import MachineNow, shadow


class Candidate(NamedTuple):
    """A job by its block and place in it, with its priority; block 0: nobody."""

    block: int
    place: int
    priority: float


@compiled
def start_in_order(parts: MauiParts, now: MachineNow, time: int) -> MachineNow:
    """Start jobs of the queue."""
    rules, running, blocks = parts.rules, parts.running, parts.blocks
    instant = instant_of(parts, now, time)
    first = Candidate(0, 0, 0.0)
    while now.free > 0:
        first = _first(parts, instant, GONE, GONE, 0)
        if first.block == 0 or _processors(blocks, first) > now.free:
            break
        now = _start(parts, now, instant, first)
    if not rules.overtakes or first.block == 0 or now.free == 0:
        return now
    reserved, extra = NONE, 0
    if rules.reservations == 1:
        reserved, extra = shadow(running, now, _processors(blocks, first))
    longest = reserved - time
    # At the head `extra` is what the starts so far leave to the reservation.
    while one_is_small(blocks, now.free):
        first = _first(parts, instant, now.free, longest, extra)
        if first.block == 0:
            return now
        if blocks.planned[U(first.block), U(first.place)] > longest:
            extra -= _processors(blocks, first)
        now = _start(parts, now, instant, first)
    return now


@compiled
def one_is_small(blocks: JobBlocks, free: int) -> bool:
    """Return whether a job needs at most the free processors."""
    return bool(blocks.fewest[U(0)] <= free)


@compiled
def until_other_first(parts: MauiParts, now: MachineNow, time: int) -> float:
    """Return how long until another job can come first, if nothing happens before [s]."""
    jobs, rules, blocks = parts.jobs, parts.rules, parts.blocks
    usage, records = parts.usage, parts.records
    look = until_use_matters(rules, usage, time)
    if look >= 0:
        return look
    growth = growth_of_all(usage)
    instant = instant_of(parts, now, time)
    head = _first(parts, instant, GONE, GONE, 0)
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
            lead = head.priority - priority_at(parts, instant, this, place)
            later = until_swap(rules, usage, first, job, lead, time, instant.whole, growth)
            look = min(look, later)
            if blocks.account[b, U(place)] != account:
                account, last = blocks.account[b, U(place)], weight - instant.near
    return look


@compiled
def _processors(blocks: JobBlocks, which: Candidate) -> int:
    processors: int = blocks.processors[U(which.block), U(which.place)]
    return processors


@compiled
def _first(parts: MauiParts, instant: Instant, free: int, longest: int, extra: int) -> Candidate:
    """Return the first job within its throttles that needs at most ``free`` processors.

    It must also be over after ``longest``, or need at most ``extra`` processors.
    """
    jobs, rules, blocks, records = parts.jobs, parts.rules, parts.blocks, parts.records
    best = Candidate(0, 0, -np.inf)
    winner = 0
    block = blocks.after[U(0)]
    # At the head `best` is the first of all jobs in the blocks before this one.
    while block != 0:
        this, b = block, U(block)
        block = blocks.after[b]
        if blocks.fewest[b] > free or (blocks.shortest[b] > longest and blocks.fewest[b] > extra):
            continue
        if none_ahead(parts, instant, this, winner, best.priority):
            if one_account(blocks):
                break
            continue
        for place in range(blocks.filled[b]):
            at = U(place)
            needed = blocks.processors[b, at]
            if needed > free or (blocks.planned[b, at] > longest and needed > extra):
                continue
            job = blocks.job[b, at]
            value = value_at(parts, instant, this, place)
            if clearly_behind(instant.near, value, job, best.priority, winner):
                continue
            if not fits_its_throttles(jobs, rules, records, job):
                continue
            priority = priority_at(parts, instant, this, place)
            if priority > best.priority or (priority == best.priority and job < winner):
                best = Candidate(this, place, priority)
                winner = job
    return best


@compiled
def _start(parts: MauiParts, now: MachineNow, instant: Instant, which: Candidate) -> MachineNow:
    """Start a job; those ahead of it that still wait are bypassed."""
    blocks, records = parts.blocks, parts.records
    job = blocks.job[U(which.block), U(which.place)]
    fewest = _processors(blocks, which) == blocks.fewest[U(0)]
    leave(records, blocks, which.block, which.place)
    if fewest:
        bound_queue(blocks)
    bypass(parts, instant, job, which.priority)
    return start(parts, now, job, instant.time)
