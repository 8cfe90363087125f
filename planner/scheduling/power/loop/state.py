"""State of the compiled loop of power-aware policies: nodes by identity, watts, the queue.

Running jobs are kept in order of their expected ends. A job whose expected end is past keeps its
nodes and watts until it ends; a reservation counts it as ending in the next millisecond.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

LATEST = 1 << 62
"""Later than every event."""

SLACK_MS = 1e-6
"""What the run time of a scaled job may lie above a whole millisecond and still be that."""


class RowTable(NamedTuple):
    """The job details table: nodes, time [ms] and charge [mW] of each row."""

    nodes: Integers
    time_ms: Integers
    charge_mw: Integers


class World(NamedTuple):
    """True times, as :class:`planner.scheduling.power.truth.Truth` has them.

    Attributes
    ----------
    by_node
        Whether the arrays of the law are filled; they have one row otherwise.
    """

    by_node: bool
    time_ms: Integers
    scale: Floats
    factor: Floats
    compute_s: Floats
    messages_s: Floats
    load_first: Integers
    load: Floats


class RunningJobs(NamedTuple):
    """Running jobs, by expected end.

    What was in use when the log began is numbered behind the jobs of the log.
    """

    job: Integers
    expected_ms: Integers
    end_ms: Integers
    nodes: Integers
    charge_mw: Integers


class NodeState(NamedTuple):
    """Nodes by identity.

    Attributes
    ----------
    free
        Whether a node is free, in order of preference.
    order
        Number of the node at each place of the order of preference.
    first, taken
        The places of what started as number ``s`` are ``taken[first[s]:]``.
    started
        Number of each job in order of starts; what was in use at the start comes first.
    """

    free: NDArray[np.bool_]
    order: Integers
    first: Integers
    taken: Integers
    started: Integers


class PowerNow(NamedTuple):
    """The cluster at an instant; handed on from step to step, so that it stays in registers."""

    free_nodes: int
    free_mw: int
    running: int
    waiting: int
    started: int
    taken: int


@compiled
def with_waiting(now: PowerNow, waiting: int) -> PowerNow:
    """Return the same cluster with another number of waiting jobs."""
    return PowerNow(now.free_nodes, now.free_mw, now.running, waiting, now.started, now.taken)


class Loans(NamedTuple):
    """Running jobs whose package caps may change; arrays of shape ``(jobs,)``.

    Attributes
    ----------
    row
        Configuration that the job runs in now.
    length_ms
        True run time of the whole job in it [ms].
    work_left, expected_left
        Share of the job's work that is left: true, and by the job details table.
    since_ms
        When these shares were right [ms].
    deadline_ms
        When the job is ended, from its start on [ms].
    next_row
        Configuration that it is to run in next.
    changes
        Rows of ``(job, time_ms, row)``, as far as there is room.
    counted
        How many changes there were, shape ``(1,)``.
    """

    row: Integers
    length_ms: Integers
    work_left: Floats
    expected_left: Floats
    since_ms: Integers
    deadline_ms: Integers
    next_row: Integers
    changes: Integers
    counted: Integers


class JobStarts(NamedTuple):
    """Results that the loop fills in: start, end and row of each job, and whether it was killed."""

    start_ms: Integers
    end_ms: Integers
    row: Integers
    killed: NDArray[np.bool_]


@compiled
def scaled_ms(time_ms: int, scale: float) -> int:
    """Return the time of a row for a job of another size, rounded up to whole milliseconds."""
    if scale == 1.0:
        return time_ms
    return max(int(np.ceil(time_ms * scale - SLACK_MS)), 1)


@compiled
def next_end(running: RunningJobs, nodes: NodeState, now: PowerNow) -> tuple[int, int]:
    """Place of the job that ends next, of several the one that started first, and when."""
    best, time, started = 0, LATEST, 0
    # A scan, not a heap: loans change ends of running jobs, and few run at once.
    for index in range(now.running):
        end, counter = running.end_ms[U(index)], nodes.started[U(running.job[U(index)])]
        if end < time or (end == time and counter < started):
            best, time, started = index, end, counter
    return best, time


@compiled
def put(
    running: RunningJobs,
    now: PowerNow,
    job: int,
    expected_ms: int,
    end_ms: int,
    nodes: int,
    mw: int,
) -> PowerNow:
    """Let a job run that holds its nodes already."""
    index = U(now.running)
    # Stable: a job comes behind those with an equal expected end, which began before it.
    while index > U(0) and running.expected_ms[index - U(1)] > expected_ms:
        before = index - U(1)
        running.job[index] = running.job[before]
        running.expected_ms[index] = running.expected_ms[before]
        running.end_ms[index] = running.end_ms[before]
        running.nodes[index] = running.nodes[before]
        running.charge_mw[index] = running.charge_mw[before]
        index = before
    running.job[index] = job
    running.expected_ms[index] = expected_ms
    running.end_ms[index] = end_ms
    running.nodes[index] = nodes
    running.charge_mw[index] = mw
    return PowerNow(
        now.free_nodes - nodes,
        now.free_mw - mw,
        now.running + 1,
        now.waiting,
        now.started,
        now.taken,
    )


@compiled
def remove(running: RunningJobs, nodes: NodeState, now: PowerNow, ended: int) -> PowerNow:
    """End what runs at a place."""
    job, count, mw = running.job[U(ended)], running.nodes[U(ended)], running.charge_mw[U(ended)]
    first = nodes.first[U(nodes.started[job])]
    for index in range(first, first + count):
        nodes.free[U(nodes.taken[U(index)])] = True
    # All later places move up by one, so the order of expected ends stays.
    for later in range(ended, now.running - 1):
        after = U(later + 1)
        running.job[U(later)] = running.job[after]
        running.expected_ms[U(later)] = running.expected_ms[after]
        running.end_ms[U(later)] = running.end_ms[after]
        running.nodes[U(later)] = running.nodes[after]
        running.charge_mw[U(later)] = running.charge_mw[after]
    return PowerNow(
        now.free_nodes + count,
        now.free_mw + mw,
        now.running - 1,
        now.waiting,
        now.started,
        now.taken,
    )


@compiled
def release(
    running: RunningJobs, nodes: NodeState, released: Integers, now: PowerNow, time: int
) -> PowerNow:
    """End the jobs that are expected to have ended, and have; their own events are still to come.

    Entry 0 of ``released`` tells how many there are; the next ones are their start numbers.
    """
    index = 0
    # `remove` closes the gap, so the next job is at the same place. Overdue jobs stay in front.
    while index < now.running and running.expected_ms[U(index)] <= time:
        if running.end_ms[U(index)] <= time:
            released[U(0)] += 1
            released[U(released[U(0)])] = nodes.started[U(running.job[U(index)])]
            now = remove(running, nodes, now, index)
        else:
            index += 1
    return now


@compiled
def next_released(released: Integers) -> int:
    """Place of the released job that started first; 0 if there is none."""
    best = 0
    # A scan: few jobs end at one instant.
    for place in range(1, released[U(0)] + 1):
        if best == 0 or released[U(place)] < released[U(best)]:
            best = place
    return best


@compiled
def forget_released(released: Integers, place: int) -> None:
    """Take out a released job."""
    # The last one fills the gap: `next_released` looks for the first start in any order.
    released[U(place)] = released[U(released[U(0)])]
    released[U(0)] -= 1


@compiled
def hold(nodes: NodeState, now: PowerNow, job: int, count: int) -> PowerNow:
    """Give a job the free nodes that come first in the order of preference."""
    nodes.started[job] = now.started
    nodes.first[U(now.started)] = now.taken
    node, index = U(0), now.taken
    # Enough nodes are free, so the scan ends; it takes the first free ones by preference.
    while index < now.taken + count:
        if nodes.free[node]:
            nodes.free[node] = False
            nodes.taken[U(index)] = node
            index += 1
        node += U(1)
    return PowerNow(
        now.free_nodes,
        now.free_mw,
        now.running,
        now.waiting,
        now.started + 1,
        now.taken + count,
    )


@compiled
def true_ms(world: World, nodes: NodeState, job: int, row: int, count: int) -> int:
    """Return the true run time of a running job in a configuration on its nodes [ms]."""
    scale, factor = world.scale[U(job)], world.factor[U(job)]
    if not world.by_node:
        return max(int(np.ceil(world.time_ms[U(row)] * scale * factor - SLACK_MS)), 1)
    slowest, load = 0.0, world.load_first[U(row)]
    first = nodes.first[U(nodes.started[U(job)])]
    # The slowest rank sets the time (`NodeLaw`); ranks follow the order of preference of the nodes.
    for rank in range(count):
        node = nodes.order[U(nodes.taken[U(first + rank)])]
        slowest = max(slowest, world.compute_s[U(row), U(node)] * world.load[U(load + rank)])
    time_ms = (slowest + world.messages_s[U(row)]) * 1000 * scale * factor
    return max(int(np.ceil(time_ms - SLACK_MS)), 1)


@compiled
def shadow(
    running: RunningJobs, now: PowerNow, time: int, nodes: int, mw: int
) -> tuple[int, int, int]:
    """Return when ``nodes`` and ``mw`` will be free, by expected ends, and what remains then.

    All jobs that are expected to end at that instant count.
    """
    free_nodes, free_mw, at, index = now.free_nodes, now.free_mw, time, 0
    # At the head all ends up to `at` count. Equal ends count together: only a later one breaks.
    while index < now.running:
        ends = max(running.expected_ms[U(index)], time + 1)
        if free_nodes >= nodes and free_mw >= mw and ends > at:
            break
        at = ends
        free_nodes += running.nodes[U(index)]
        free_mw += running.charge_mw[U(index)]
        index += 1
    return at, free_nodes - nodes, free_mw - mw
