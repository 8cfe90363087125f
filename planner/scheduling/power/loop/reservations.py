"""Conservative backfilling with two resources: every waiting job has a reservation. Compiled.

The profile holds free nodes and watts from a time on, as steps. It is laid out anew in each pass,
and the jobs reserve in the order of the queue, so a job may move ahead where others end early. A
pass ends behind the last job that may start now: later reservations would change no start.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from planner.scheduling.policies.compiled import U, compiled
from planner.scheduling.power.loop.choosing import (
    PowerCluster,
    PowerFacts,
    begin,
    choice,
    expected_ms,
)
from planner.scheduling.power.loop.state import Integers, PowerNow, RunningJobs, with_waiting
from planner.scheduling.power.loop.waiting import (
    BLOCK,
    Least,
    WaitingJobs,
    Way,
    first_waiting,
    next_waiting,
)
from planner.scheduling.power.problem import NEVER

STRIDE = 16


class Profile(NamedTuple):
    """Steps in order of time: free nodes and watts from ``time_ms`` to the next step."""

    time_ms: Integers
    nodes: Integers
    mw: Integers


def empty_profile(jobs: int, most_running: int) -> Profile:
    """Make room for the ends of all that runs and for both ends of every job's reservation."""
    steps = most_running + 2 * jobs + 4
    return Profile(*(np.empty(steps, np.int64) for _ in range(3)))


@compiled
def pass_conservative(
    facts: PowerFacts,
    cluster: PowerCluster,
    profile: Profile,
    now: PowerNow,
    mode: int,
    time: int,
    end: int,
) -> PowerNow:
    """Start who can start without delaying anybody before it; the others reserve."""
    table, waiting = facts.table, cluster.waiting
    steps = _lay_out(profile, cluster.running, now, time)
    job = candidate = first_waiting(waiting, end)
    # The profile is what the running jobs, the starts of this pass and the reservations of the
    # waiting jobs before `job` leave free. So a job that fits from now on delays nobody before it.
    # Reservations only take from the profile: no job before `candidate` fits from now on, until a
    # start leaves fewer watts, for which Adaptive may take a smaller configuration. Behind the last
    # candidate nobody starts, so nobody has to reserve.
    while True:
        job = next_waiting(waiting, job, end)
        candidate = _next_that_fits(facts, waiting, profile, steps, now, max(job, candidate), end)
        if candidate == end:
            return now
        row = choice(facts, cluster.latest, now, mode, job) if job == candidate else NEVER
        if row != NEVER:
            length = expected_ms(facts, job, row)
            nodes, mw = table.nodes[U(row)], table.charge_mw[U(row)]
            if _free_until(profile, steps, 0, nodes, mw, time + length) == steps:
                steps = _take(profile, steps, time, time + length, nodes, mw)
                now = begin(facts, cluster, now, mode, job, row, time)
                now = with_waiting(now, now.waiting - 1)
                job += 1
                candidate = job
                continue
        wish = facts.log.wish[U(mode), U(job)]
        length = expected_ms(facts, job, wish)
        nodes, mw = table.nodes[U(wish)], facts.log.reserved_mw[U(mode), U(job)]
        at = _earliest(profile, steps, nodes, mw, length)
        steps = _take(profile, steps, at, at + length, nodes, mw)
        job += 1


@compiled
def _next_that_fits(
    facts: PowerFacts,
    waiting: WaitingJobs,
    profile: Profile,
    steps: int,
    now: PowerNow,
    job: int,
    end: int,
) -> int:
    """The next waiting job, from one on, whose least needs are free from now on; else the end."""
    least = facts.needs.least
    while job < end:
        if job % BLOCK == 0 and not _possible(profile, steps, now, waiting.least, job // BLOCK):
            job += BLOCK
        elif waiting.waits[U(job)] and _possible(profile, steps, now, least, job):
            return job
        else:
            job += 1
    return end


@compiled
def _possible(profile: Profile, steps: int, now: PowerNow, least: Least, at: int) -> bool:
    """Return whether a job or a block may start; while its share is free, only in its wish."""
    return _fits(profile, steps, least.wish, at) or (
        least.share_mw[U(at)] > now.free_mw and _fits(profile, steps, least.smaller, at)
    )


@compiled
def _fits(profile: Profile, steps: int, way: Way, at: int) -> bool:
    """Return whether the least needs of a job or a block are free from now on."""
    nodes, mw = way.nodes[U(at)], way.mw[U(at)]
    until = profile.time_ms[U(0)] + way.expected_ms[U(at)]
    return _free_until(profile, steps, 0, nodes, mw, until) == steps


@compiled
def _lay_out(profile: Profile, running: RunningJobs, now: PowerNow, time: int) -> int:
    """Write what is free if running jobs end as expected; how many steps."""
    profile.time_ms[0], profile.nodes[0], profile.mw[0] = time, now.free_nodes, now.free_mw
    last = 0
    # Running jobs come by expected end; an overdue one counts as ending in the next millisecond.
    for index in range(now.running):
        ends = max(running.expected_ms[U(index)], time + 1)
        if profile.time_ms[U(last)] < ends:
            last += 1
            profile.time_ms[U(last)] = ends
            profile.nodes[U(last)] = profile.nodes[U(last - 1)]
            profile.mw[U(last)] = profile.mw[U(last - 1)]
        profile.nodes[U(last)] += running.nodes[U(index)]
        profile.mw[U(last)] += running.charge_mw[U(index)]
    return last + 1


@compiled
def _free_until(profile: Profile, steps: int, first: int, nodes: int, mw: int, end: int) -> int:
    """Return the first step from one on, before an end, with too little free, or ``steps``."""
    step = first
    # All steps from `first` to before `step` have enough of both.
    while step < steps and profile.time_ms[U(step)] < end:
        if profile.nodes[U(step)] < nodes or profile.mw[U(step)] < mw:
            return step
        step += 1
    return steps


@compiled
def _earliest(profile: Profile, steps: int, nodes: int, mw: int, length: int) -> int:
    """Return the earliest time from which ``nodes`` and ``mw`` are free for ``length``."""
    step = 0
    # The last step is behind all runs and reservations, where each wish fits: the search ends.
    while True:
        at = profile.time_ms[U(step)]
        short = _free_until(profile, steps, step, nodes, mw, at + length)
        if short == steps:
            return int(at)
        # Every start up to the end of that step would run into it: too few are free there.
        step = short + 1


@compiled
def _take(profile: Profile, steps: int, begin_ms: int, end_ms: int, nodes: int, mw: int) -> int:
    """Take nodes and watts from one time to another; how many steps there are then."""
    first, steps = _split(profile, steps, begin_ms)
    last, steps = _split(profile, steps, end_ms)
    for step in range(first, last):
        profile.nodes[U(step)] -= nodes
        profile.mw[U(step)] -= mw
    return steps


@compiled
def _split(profile: Profile, steps: int, time: int) -> tuple[int, int]:
    """Let a step begin at a time, which is not before the first one; its place."""
    step = steps
    # From behind, in strides first: no time is before the first step, which ends the search.
    while step > STRIDE and profile.time_ms[U(step - STRIDE)] > time:
        step -= STRIDE
    while profile.time_ms[U(step - 1)] > time:
        step -= 1
    if profile.time_ms[U(step - 1)] == time:
        return step - 1, steps
    for later in range(steps, step, -1):
        profile.time_ms[U(later)] = profile.time_ms[U(later - 1)]
        profile.nodes[U(later)] = profile.nodes[U(later - 1)]
        profile.mw[U(later)] = profile.mw[U(later - 1)]
    profile.time_ms[U(step)] = time
    profile.nodes[U(step)] = profile.nodes[U(step - 1)]
    profile.mw[U(step)] = profile.mw[U(step - 1)]
    return step, steps + 1
