"""State of the compiled loop of shared nodes: halves of nodes, remaining work, the queue.

Speeds are whole millionths, times whole milliseconds and work their product, so that progress is
exact: it does not matter how often it is brought up to date.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled
from planner.sharing_nodes.queues.problem import NEVER

Integers = NDArray[np.int64]

LATEST = 1 << 62
"""Later than every event."""


class SharedLog(NamedTuple):
    """Jobs in order of submission; arrays of shape ``(jobs,)``.

    Attributes
    ----------
    submit_ms, application, work
        Submit time, application, and work.
    nodes, rate
        Nodes that the job takes alone, 0 if it is rejected; and its speed there.
    halves
        Halves of nodes that it takes where it shares; 0 if it cannot.
    alone_ms, shared_ms
        Expected run time alone, and on halves with the worst admitted partners.
    first
        Where the job's nodes begin in the list of nodes.
    floor
        Least predicted speed of the job over that on whole nodes [millionths].
    """

    submit_ms: Integers
    application: Integers
    work: Integers
    nodes: Integers
    rate: Integers
    halves: Integers
    alone_ms: Integers
    shared_ms: Integers
    first: Integers
    floor: Integers


class SharedRules(NamedTuple):
    """A sharing rule, as the compiled loop reads it.

    Attributes
    ----------
    level
        Order of partners by application; 0 where a pair is not admitted.
    levels
        The largest level.
    spreads
        Whether a job may open empty nodes without a partner.
    pairs
        Whether a job may open empty nodes together with a waiting partner.
    fills
        Whether a job may take whole nodes for those halves that it does not find next to others.
    cover
        Share of the newly opened halves that this partner takes, at least.
    per_node
        Halves that stand for a whole node of a job: 2, or 1 where two jobs share all cores.
    weighs
        Whether a start that shares nodes must pay, as predicted.
    least_gain
        Work per time that it must add on each node that two jobs then share [millionths].
    relative, idle
        Predicted speeds next to an application, and to an idle half, over those on whole nodes
        [millionths]; shapes ``(applications, applications)`` and ``(applications,)``.
    lowest
        The former less what their errors may hide: floors are compared with these.
    """

    level: Integers
    levels: int
    spreads: bool
    pairs: bool
    fills: bool
    cover: float
    per_node: int
    weighs: bool
    least_gain: int
    relative: Integers
    idle: Integers
    lowest: Integers


class SharedFacts(NamedTuple):
    """Inputs that do not change while a log runs; ``pair`` and ``half`` are the true speeds."""

    log: SharedLog
    rules: SharedRules
    pair: Integers
    half: Integers


class StartedJobs(NamedTuple):
    """Jobs that have started; arrays of shape ``(jobs,)``.

    Attributes
    ----------
    start_ms, end_ms
        ``NEVER`` before the start. The end holds unless a partner comes or goes.
    work_left, since_ms, rate
        Work that was left at a time, and the speed from then on.
    split, held
        Nodes of which the job has half, and all its nodes; the former come first in its list.
    number
        Place of the job in the order of starts.
    expected_ms
        When it is expected to end at the latest.
    closes
        Nodes on which it is the last one that is expected to end.
    promised_ms
        First reservation at the head of the queue.
    pace
        Work per time, as predicted [millionths of a node].
    seen
        The last sweep over neighbours that came across the job.
    """

    start_ms: Integers
    end_ms: Integers
    work_left: Integers
    since_ms: Integers
    rate: Integers
    split: Integers
    held: Integers
    number: Integers
    expected_ms: Integers
    closes: Integers
    promised_ms: Integers
    pace: Integers
    seen: Integers


class SharedCluster(NamedTuple):
    """State that changes while a log runs.

    Attributes
    ----------
    jobs
        Jobs that have started.
    running
        Running jobs, by expected end; of equal ones the first that started comes first.
    occupant
        Jobs on the two halves of each node, or ``NEVER``; shape ``(nodes, 2)``.
    node
        Nodes of each job, from its ``first`` on.
    open
        Nodes with one free half, by the application on the other; shape ``(applications,)``.
    queue
        Waiting jobs in order.
    mate
        With whom each job opens nodes: a job, ``NEVER`` for any, less for nobody.
    sweeps
        How many sweeps over neighbours there were; shape ``(1,)``.
    """

    jobs: StartedJobs
    running: Integers
    occupant: Integers
    node: Integers
    open: Integers
    queue: Integers
    mate: Integers
    sweeps: Integers


class SharedNow(NamedTuple):
    """The cluster at an instant; handed on from step to step, so that it stays in registers.

    Attributes
    ----------
    empty, open
        Nodes with two free halves, and with one.
    running, waiting, started, arrived
        Numbers of jobs.
    """

    empty: int
    open: int
    running: int
    waiting: int
    started: int
    arrived: int


@compiled
def next_end(cluster: SharedCluster, now: SharedNow) -> tuple[int, int]:
    """Return the job that ends next, of several the one that started first, and when."""
    jobs, best, time = cluster.jobs, NEVER, LATEST
    for index in range(now.running):
        job = cluster.running[U(index)]
        end = jobs.end_ms[U(job)]
        if end > time:
            continue
        if end < time or jobs.number[U(job)] < jobs.number[U(best)]:
            best, time = job, end
    return best, time


@compiled
def outlasts(jobs: StartedJobs, job: int, other: int) -> bool:
    """Return whether a job is expected to end after another; of equal ones the later start does."""
    first, second = jobs.expected_ms[U(job)], jobs.expected_ms[U(other)]
    if first != second:
        return bool(first > second)
    return bool(jobs.number[U(job)] > jobs.number[U(other)])


@compiled
def place_job(
    facts: SharedFacts,
    cluster: SharedCluster,
    now: SharedNow,
    job: int,
    split: int,
    whole: int,
    time: int,
) -> SharedNow:
    """Let a job take the nodes that are listed for it; speeds of its neighbours do not change yet.

    It takes one half of each of the first ``split`` nodes, and both halves of the next ``whole``.
    """
    log, jobs = facts.log, cluster.jobs
    length = log.shared_ms[U(job)] if split > 0 else log.alone_ms[U(job)]
    jobs.split[U(job)] = split
    jobs.held[U(job)] = split + whole
    jobs.number[U(job)] = now.started
    jobs.expected_ms[U(job)] = time + length
    jobs.closes[U(job)] = whole
    jobs.start_ms[U(job)] = time
    empty, opened = now.empty - whole, now.open
    first = log.first[U(job)]
    for index in range(first + split, first + split + whole):
        node = U(cluster.node[U(index)])
        cluster.occupant[node, U(0)] = job
        cluster.occupant[node, U(1)] = job
    for index in range(first, first + split):
        node = U(cluster.node[U(index)])
        side = U(0) if cluster.occupant[node, U(0)] == NEVER else U(1)
        other = cluster.occupant[node, U(1) - side]
        cluster.occupant[node, side] = job
        if other == NEVER:
            empty -= 1
            opened += 1
            cluster.open[U(log.application[U(job)])] += 1
            jobs.closes[U(job)] += 1
            continue
        opened -= 1
        cluster.open[U(log.application[U(other)])] -= 1
        if outlasts(jobs, job, other):
            jobs.closes[U(job)] += 1
            jobs.closes[U(other)] -= 1
    # `closes` now counts each occupied node once: for the job on it that outlasts the other. So the
    # nodes that are whole and free by a time are the empty ones and the `closes` of all jobs that
    # are expected to end by then, which `shadow` adds up.
    _insert(cluster, now.running, job)
    return SharedNow(empty, opened, now.running + 1, now.waiting, now.started + 1, now.arrived)


@compiled
def leave(facts: SharedFacts, cluster: SharedCluster, now: SharedNow, job: int) -> SharedNow:
    """Free the nodes of a job; its neighbours go on as yet."""
    log, jobs = facts.log, cluster.jobs
    split, held = jobs.split[U(job)], jobs.held[U(job)]
    empty, opened = now.empty + held - split, now.open
    first = log.first[U(job)]
    for index in range(first + split, first + held):
        node = U(cluster.node[U(index)])
        cluster.occupant[node, U(0)] = NEVER
        cluster.occupant[node, U(1)] = NEVER
    for index in range(first, first + split):
        node = U(cluster.node[U(index)])
        side = U(0) if cluster.occupant[node, U(0)] == job else U(1)
        other = cluster.occupant[node, U(1) - side]
        cluster.occupant[node, side] = NEVER
        if other == NEVER:
            empty += 1
            opened -= 1
            cluster.open[U(log.application[U(job)])] -= 1
            continue
        opened += 1
        cluster.open[U(log.application[U(other)])] += 1
        if outlasts(jobs, job, other):
            jobs.closes[U(other)] += 1
    _take_out(cluster, now.running, job)
    return SharedNow(empty, opened, now.running - 1, now.waiting, now.started, now.arrived)


@compiled
def withdraw(facts: SharedFacts, cluster: SharedCluster, now: SharedNow, job: int) -> SharedNow:
    """Take a job back that was placed on trial and has not begun."""
    now = leave(facts, cluster, now, job)
    cluster.jobs.start_ms[U(job)] = NEVER
    return SharedNow(now.empty, now.open, now.running, now.waiting, now.started - 1, now.arrived)


@compiled
def waits(now: SharedNow, waiting: int) -> SharedNow:
    """Return the same cluster with another number of waiting jobs."""
    return SharedNow(now.empty, now.open, now.running, waiting, now.started, now.arrived)


@compiled
def _insert(cluster: SharedCluster, running: int, job: int) -> None:
    index, expected = U(running), cluster.jobs.expected_ms
    while index > U(0) and expected[U(cluster.running[index - U(1)])] > expected[U(job)]:
        cluster.running[index] = cluster.running[index - U(1)]
        index -= U(1)
    cluster.running[index] = job


@compiled
def _take_out(cluster: SharedCluster, running: int, job: int) -> None:
    index = 0
    while cluster.running[U(index)] != job:
        index += 1
    for later in range(index, running - 1):
        cluster.running[U(later)] = cluster.running[U(later + 1)]


@compiled
def shadow(cluster: SharedCluster, now: SharedNow, time: int, nodes: int) -> tuple[int, int]:
    """Return when ``nodes`` whole nodes will be free, by expected ends, and how many more then.

    A job whose expected end is past counts as ending in the next millisecond. All jobs that end at
    that instant count.
    """
    free, at, index = now.empty, time, 0
    # `free` is what is whole and free at `at`, when the first `index` running jobs have ended:
    # running jobs lie in the order of their expected ends.
    while index < now.running:
        job = U(cluster.running[U(index)])
        ends = max(cluster.jobs.expected_ms[job], time + 1)
        if free >= nodes and ends > at:
            break
        at = ends
        free += cluster.jobs.closes[job]
        index += 1
    return at, free - nodes
