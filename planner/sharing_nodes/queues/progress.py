"""Progress of jobs whose speed changes with their partners. Compiled.

A job runs at the speed of its slowest node. On each of its halves this is the speed next to the job
on the other half, or that next to an idle half; on its whole nodes that with all cores. A
neighbour's own wait for another node does not make it a milder neighbour: speeds of pairs are those
of two jobs that compute.
"""

from __future__ import annotations

from planner.scheduling.policies.compiled import U, compiled
from planner.sharing_nodes.queues.problem import NEVER
from planner.sharing_nodes.queues.speeds import PPM
from planner.sharing_nodes.queues.state import (
    LATEST,
    Integers,
    SharedCluster,
    SharedFacts,
    SharedNow,
    leave,
)


@compiled
def begin(facts: SharedFacts, cluster: SharedCluster, job: int, time: int) -> None:
    """Let a job that has its nodes run, and its neighbours feel it."""
    jobs = cluster.jobs
    jobs.work_left[U(job)] = facts.log.work[U(job)]
    jobs.since_ms[U(job)] = time
    jobs.rate[U(job)] = speed(facts, cluster, job)
    if facts.rules.weighs:
        jobs.pace[U(job)] = pace(facts, cluster, job)
    jobs.end_ms[U(job)] = time + _rest_ms(jobs.work_left[U(job)], jobs.rate[U(job)])
    if jobs.split[U(job)] > 0:
        refresh_neighbours(facts, cluster, job, time)


@compiled
def finish(
    facts: SharedFacts, cluster: SharedCluster, now: SharedNow, job: int, time: int
) -> SharedNow:
    """End a job; those that shared nodes with it speed up."""
    now = leave(facts, cluster, now, job)
    if cluster.jobs.split[U(job)] > 0:
        refresh_neighbours(facts, cluster, job, time)
    return now


@compiled
def speed(facts: SharedFacts, cluster: SharedCluster, job: int) -> int:
    """Return the speed of a job now: that of its slowest node."""
    return slowest(facts, cluster, job, facts.pair, facts.half, facts.log.rate[U(job)])


@compiled
def pace(facts: SharedFacts, cluster: SharedCluster, job: int) -> int:
    """Return the work of a job per time, as predicted [millionths of a node]."""
    rules = facts.rules
    relative = slowest(facts, cluster, job, rules.relative, rules.idle, PPM)
    return int(facts.log.nodes[U(job)] * relative)


@compiled
def slowest(
    facts: SharedFacts, cluster: SharedCluster, job: int, pair: Integers, half: Integers, whole: int
) -> int:
    """Return the least speed on a job's nodes, by speed tables and the speed on whole nodes."""
    log, jobs = facts.log, cluster.jobs
    split = jobs.split[U(job)]
    lowest = LATEST if split == jobs.held[U(job)] else whole
    mine = U(log.application[U(job)])
    first = log.first[U(job)]
    for index in range(first, first + split):
        node = U(cluster.node[U(index)])
        other = cluster.occupant[node, U(0)]
        if other == job:
            other = cluster.occupant[node, U(1)]
        if other == NEVER:
            lowest = min(lowest, half[mine])
        else:
            lowest = min(lowest, pair[mine, U(log.application[U(other)])])
    return int(lowest)


@compiled
def refresh_neighbours(facts: SharedFacts, cluster: SharedCluster, job: int, time: int) -> None:
    """Bring the speed up to date of each job that has the other half of a node of this one."""
    jobs, first = cluster.jobs, facts.log.first[U(job)]
    cluster.sweeps[U(0)] += 1
    sweep = cluster.sweeps[U(0)]
    for index in range(first, first + jobs.split[U(job)]):
        node = U(cluster.node[U(index)])
        for side in range(2):
            other = cluster.occupant[node, U(side)]
            if other in (NEVER, job):
                continue
            if jobs.seen[U(other)] != sweep:
                jobs.seen[U(other)] = sweep
                _refresh(facts, cluster, other, time)


@compiled
def _refresh(facts: SharedFacts, cluster: SharedCluster, job: int, time: int) -> None:
    jobs, rate = cluster.jobs, speed(facts, cluster, job)
    if facts.rules.weighs:
        jobs.pace[U(job)] = pace(facts, cluster, job)
    if rate == jobs.rate[U(job)]:
        return
    jobs.work_left[U(job)] -= jobs.rate[U(job)] * (time - jobs.since_ms[U(job)])
    jobs.since_ms[U(job)] = time
    jobs.rate[U(job)] = rate
    jobs.end_ms[U(job)] = time + _rest_ms(jobs.work_left[U(job)], rate)


@compiled
def _rest_ms(work: int, rate: int) -> int:
    """Return the time for the work that is left, rounded up to whole milliseconds."""
    if work <= 0:
        return 0
    return (work + rate - 1) // rate
