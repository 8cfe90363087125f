"""The compiled loop of power-aware policies: which job starts now, and in which configuration.

The rules are those of :mod:`planner.scheduling.power.rmap`. A job that could not start
in the last pass is tried again if nodes or watts were freed since. Under Adaptive it is also tried
again if other jobs took watts since, as it then accepts a smaller configuration. Time alone lets
nobody start: it only brings the reservation nearer.
"""

from __future__ import annotations

from typing import NamedTuple

from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.scheduling.power.loop.choosing import (
    CONSERVATIVE,
    NONE,
    PowerCluster,
    PowerFacts,
    begin,
    choice,
    expected_ms,
    mode_of,
)
from planner.scheduling.power.loop.lending import advance, lend, next_phase
from planner.scheduling.power.loop.reservations import Profile, pass_conservative
from planner.scheduling.power.loop.state import (
    PowerNow,
    forget_released,
    next_end,
    next_released,
    release,
    remove,
    shadow,
    with_waiting,
)
from planner.scheduling.power.loop.waiting import (
    Room,
    add,
    first_waiting,
    next_that_may_start,
    next_waiting,
)
from planner.scheduling.power.problem import NEVER


@compiled_entry
def run_log(facts: PowerFacts, cluster: PowerCluster, profile: Profile, now: PowerNow) -> None:
    """Fill in the starts.

    At one instant submissions come first, and each event has a pass of its own; what is expected
    to end by then, and does, is free in each of them. A rejected job causes no pass.
    """
    log, running, nodes, released = facts.log, cluster.running, cluster.nodes, cluster.released
    count, arrived, mode, time, started = len(log.submit_ms), 0, 1, 0, 0
    # At the head all events before `time` are over. `released` holds the jobs whose nodes are free
    # already but whose own pass is still to come.
    while arrived < count or now.running > 0 or released[U(0)] > 0:
        if arrived < count and log.wish[U(0), U(arrived)] == NEVER:
            arrived += 1
            continue
        index, end = next_end(running, nodes, now)
        place = next_released(released)
        # Ends of one instant have their passes in the order of starts, released before or not.
        if place > 0 and (end > time or released[U(place)] < nodes.started[running.job[U(index)]]):
            index, end = NEVER, time
        if facts.rules.lends:
            phase = next_phase(facts, cluster, now)
            # A change of phase is no event for a policy; it renews the loans before later events.
            if phase < end and (arrived == count or phase < log.submit_ms[U(arrived)]):
                advance(facts, cluster, now, phase)
                lend(facts, cluster, now, phase)
                continue
        before = now.running
        if arrived < count and log.submit_ms[U(arrived)] <= end:
            time = log.submit_ms[U(arrived)]
            now = release(running, nodes, released, now, time)
            add(facts.needs, cluster.waiting, arrived)
            now = with_waiting(now, now.waiting + 1)
            arrived += 1
        elif index == NEVER:
            forget_released(released, place)
        else:
            time = end
            now = remove(running, nodes, now, index)
            now = release(running, nodes, released, now, time)
        if now.waiting > 0:
            begun = now.started
            now, mode = _any_pass(
                facts, cluster, profile, now, mode, time, before, arrived, started
            )
            started = begun
        if facts.rules.lends:
            advance(facts, cluster, now, time)
            lend(facts, cluster, now, time)


@compiled
def _any_pass(
    facts: PowerFacts,
    cluster: PowerCluster,
    profile: Profile,
    now: PowerNow,
    last: int,
    time: int,
    before: int,
    arrived: int,
    started: int,
) -> tuple[PowerNow, int]:
    """Start who can start, and the mode.

    ``before`` jobs ran before the event; ``started`` had started when the last pass began.
    """
    mode = mode_of(facts, cluster.waiting, now)
    if facts.rules.backfill == CONSERVATIVE:
        return pass_conservative(facts, cluster, profile, now, mode, time, arrived), mode
    overdue = now.running > 0 and cluster.running.expected_ms[U(0)] <= time
    # A job that could not start before cannot start now unless something was freed, the reservation
    # of the head moved on, or the mode or the loans changed; or unless fewer watts are free than
    # when it was tried: Adaptive then gives it a smaller configuration. Otherwise only the new job
    # is tried.
    whole = now.running < before or overdue or mode != last or facts.rules.lends > 0
    whole = whole or (now.started > started and facts.rules.adaptive[U(mode)])
    first = 0 if whole else arrived - 1
    return _pass(facts, cluster, now, mode, time, first, arrived), mode


@compiled
def _pass(
    facts: PowerFacts,
    cluster: PowerCluster,
    now: PowerNow,
    mode: int,
    time: int,
    first: int,
    end: int,
) -> PowerNow:
    """Start who can start, from a job on; those before it were tried before."""
    waiting = cluster.waiting
    head = first_waiting(waiting, end)
    blocked, job = head < first, max(head, first)
    gap = _gap(facts, cluster, now, mode, time, head) if blocked else PowerGap(time, 0, 0)
    # Jobs before `job` that still wait cannot start now. Once `blocked`, the first of them is
    # `head`, and `gap` is what its reservation leaves, less what later starts take then. A start
    # within the gap, or one that ends before it, leaves the head its reservation.
    while True:
        if blocked:
            if not _may_overtake(facts, now):
                break
            job = next_that_may_start(facts.needs, waiting, _room(now, gap, time), job, end)
        else:
            job = next_waiting(waiting, job, end)
        if job == end:
            break
        row = choice(facts, cluster.latest, now, mode, job)
        if blocked and row != NEVER and not _fits(facts, gap, time, job, row):
            row = NEVER
        if row != NEVER:
            if blocked:
                gap = _narrower(facts, gap, time, job, row)
            now = begin(facts, cluster, now, mode, job, row, time)
            now = with_waiting(now, now.waiting - 1)
        elif not blocked:
            blocked, head = True, job
            gap = _gap(facts, cluster, now, mode, time, head)
        job += 1
    if facts.rules.best_fit and blocked:
        now = _best_fit(facts, cluster, now, mode, time, gap, head, end)
    return now


class PowerGap(NamedTuple):
    """When the head of the queue is to start, and what it leaves over then."""

    time_ms: int
    nodes: int
    mw: int


@compiled
def _gap(
    facts: PowerFacts, cluster: PowerCluster, now: PowerNow, mode: int, time: int, head: int
) -> PowerGap:
    """Return the reservation of the head: its wish, when running jobs end as expected."""
    # D16: the nodes of its wish, and the watts that its mode reserves for the head.
    wish = facts.log.wish[U(mode), U(head)]
    nodes, mw = facts.table.nodes[U(wish)], facts.log.reserved_mw[U(mode), U(head)]
    at, extra_nodes, extra_mw = shadow(cluster.running, now, time, nodes, mw)
    return PowerGap(at, extra_nodes, extra_mw)


@compiled
def _may_overtake(facts: PowerFacts, now: PowerNow) -> bool:
    """Return whether first fit can start anybody behind the head."""
    if facts.rules.backfill == NONE or facts.rules.best_fit:
        return False
    return now.free_nodes > 0 and now.free_mw >= facts.cheapest_mw


@compiled
def _room(now: PowerNow, gap: PowerGap, time: int) -> Room:
    """Return what is free now, and what the reservation leaves."""
    return Room(now.free_nodes, now.free_mw, gap.nodes, gap.mw, gap.time_ms - time)


@compiled
def _fits(facts: PowerFacts, gap: PowerGap, time: int, job: int, row: int) -> bool:
    """Return whether a start now leaves the head its reservation, in nodes and in watts."""
    table = facts.table
    # Nodes and watts must both be left over: the lack of one alone delays the head.
    if table.nodes[U(row)] <= gap.nodes and table.charge_mw[U(row)] <= gap.mw:
        return True
    return time + expected_ms(facts, job, row) <= gap.time_ms


@compiled
def _narrower(facts: PowerFacts, gap: PowerGap, time: int, job: int, row: int) -> PowerGap:
    """Return what a start now leaves over at the reservation."""
    if time + expected_ms(facts, job, row) <= gap.time_ms:
        return gap
    table = facts.table
    return PowerGap(gap.time_ms, gap.nodes - table.nodes[U(row)], gap.mw - table.charge_mw[U(row)])


@compiled
def _best_fit(
    facts: PowerFacts,
    cluster: PowerCluster,
    now: PowerNow,
    mode: int,
    time: int,
    gap: PowerGap,
    head: int,
    end: int,
) -> PowerNow:
    """Start behind the head who leaves the fewest watts, of several the first, while one fits."""
    needs, waiting = facts.needs, cluster.waiting
    # One start in each turn: it narrows the gap, and with it what the others may take.
    while now.waiting > 1 and now.free_nodes > 0 and now.free_mw >= facts.cheapest_mw:
        best, best_row, highest_mw = NEVER, NEVER, -1
        room = _room(now, gap, time)
        job = next_that_may_start(needs, waiting, room, head + 1, end)
        while job < end:
            row = choice(facts, cluster.latest, now, mode, job)
            # A job that has to wait gets the charge to beat, which is not above itself.
            charge = facts.table.charge_mw[U(row)] if row != NEVER else highest_mw
            if charge > highest_mw and _fits(facts, gap, time, job, row):
                best, best_row, highest_mw = job, row, charge
            job = next_that_may_start(needs, waiting, room, job + 1, end)
        if best_row == NEVER:
            break
        gap = _narrower(facts, gap, time, best, best_row)
        now = begin(facts, cluster, now, mode, best, best_row, time)
        now = with_waiting(now, now.waiting - 1)
    return now
