"""Performance of a shared job: its speed over that of a run alone, combined over its nodes.

POPPA measures on each node on its own. How the nodes of a parallel job are put together is a rule
of this project, as the paper leaves it open:

- ``slowest at each time`` (the rule): the mean over time of the slowest node's performance. A
  parallel job runs at the speed of its slowest node, so this mean is ``T_alone / T_co`` exactly
  where the nodes are measured exactly.
- ``slowest on average``: the slowest node's mean over time. It is too high where the slowest node
  changes, and then the user pays for time that others took.
- ``mean of nodes``: too high wherever nodes differ, as ranks on undisturbed nodes wait.
- ``each node by itself``: each node is priced by its own performance, ``sum_v C_v T perf_v^2``.
  Too high for the same reason.

References
----------
Breslow et al. (2013), equations 4 to 6.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from planner.scheduling.policies.compiled import U, compiled, compiled_entry
from planner.sharing_nodes.queues.meetings import Meetings
from planner.sharing_nodes.queues.problem import Floats, Integers, SharedProblem, SharedSchedule

Combination = Literal[
    "slowest at each time", "slowest on average", "mean of nodes", "each node by itself"
]
COMBINATIONS: tuple[Combination, ...] = (
    "slowest at each time",
    "slowest on average",
    "mean of nodes",
    "each node by itself",
)


def performance(
    schedule: SharedSchedule,
    problem: SharedProblem,
    meetings: Meetings,
    pair: Floats,
    idle: Floats,
    combination: Combination = "slowest at each time",
) -> Floats:
    """Performance of each job by the combination; 1 for a job on whole nodes. Shape ``(jobs,)``.

    Parameters
    ----------
    pair
        ``pair[a, b]``: performance of ``a`` next to ``b``, true or estimated. Shape
        ``(applications, applications)``.
    idle
        Performance next to an idle half. On whole nodes it is 1. Shape ``(applications,)``.

    Notes
    -----
    For ``each node by itself`` this is the root of the mean square over the nodes: the price is in
    the square.
    """
    if combination == "slowest at each time":
        return _slowest_at_each_time(schedule, problem, meetings, pair, idle)
    mean = node_means(schedule, problem, meetings, pair, idle, whole=1.0)
    shared, first = np.flatnonzero(schedule.shared), schedule.node_first
    result = np.ones(len(schedule.start_ms))
    if not len(shared):
        return result
    if combination == "slowest on average":
        result[shared] = [mean[first[job] : first[job + 1]].min() for job in shared]
    elif combination == "mean of nodes":
        result[shared] = [mean[first[job] : first[job + 1]].mean() for job in shared]
    else:
        square = mean**2
        result[shared] = [np.sqrt(square[first[job] : first[job + 1]].mean()) for job in shared]
    return result


def node_means(
    schedule: SharedSchedule,
    problem: SharedProblem,
    meetings: Meetings,
    pair: Floats,
    idle: Floats,
    whole: float,
) -> Floats:
    """Return the mean over the job's time of a value of pairs, for each entry of ``schedule.node``.

    ``idle`` is the value next to an idle half, by application; ``whole`` that on whole nodes.
    """
    application = problem.jobs.application
    length = meetings.end_ms - meetings.begin_ms
    mine = application[meetings.job]
    value = pair[mine, application[meetings.other]] - idle[mine]
    total = np.bincount(meetings.entry, weights=value * length, minlength=len(schedule.node))
    job = np.repeat(np.arange(len(schedule.start_ms)), schedule.count)
    halved = np.arange(len(job)) - schedule.node_first[job] < schedule.split[job]
    base = np.where(halved, idle[application[job]], whole)
    means: Floats = base + total / (schedule.end_ms - schedule.start_ms)[job]
    return means


def _slowest_at_each_time(
    schedule: SharedSchedule,
    problem: SharedProblem,
    meetings: Meetings,
    pair: Floats,
    idle: Floats,
) -> Floats:
    mixed = schedule.shared & (schedule.count > schedule.split)
    alone = idle[problem.jobs.application]
    result = np.where(schedule.shared, np.where(mixed, np.minimum(alone, 1.0), alone), 1.0)
    if not len(meetings):
        return result
    job, other, nodes, begin, end = _by_partner(meetings)
    first = np.searchsorted(job, np.arange(len(result) + 1)).astype(np.int64)
    application = problem.jobs.application
    value = pair[application[job], application[other]].astype(np.float64)
    times = np.empty(2 * int(np.diff(first).max()) + 2, np.int64)
    whole = np.where(mixed, 1.0, np.inf)
    stays = Stays(schedule.start_ms, schedule.end_ms, schedule.split, alone, whole)
    _integrate(Partners(first, nodes, value, begin, end), stays, times, result)
    return result


def _by_partner(meetings: Meetings) -> tuple[Integers, ...]:
    """Return meetings of the same two jobs as one, with the number of nodes; by job.

    Two jobs meet on all nodes that they share from the later start to the earlier end.
    """
    new = np.r_[True, (np.diff(meetings.job) != 0) | (np.diff(meetings.other) != 0)]
    first = np.flatnonzero(new)
    nodes = np.diff(np.r_[first, len(meetings)])
    columns = (meetings.job, meetings.other, meetings.begin_ms, meetings.end_ms)
    job, other, begin, end = (column[first] for column in columns)
    return job, other, nodes.astype(np.int64), begin, end


class Partners(NamedTuple):
    """Partners of the jobs: those of job ``j`` have the rows ``first[j]`` to ``first[j + 1]``.

    Attributes
    ----------
    nodes, value
        Nodes that a partner shares, and the job's performance there.
    begin_ms, end_ms
        From when to when.
    """

    first: Integers
    nodes: Integers
    value: Floats
    begin_ms: Integers
    end_ms: Integers


class Stays(NamedTuple):
    """Jobs: when they ran, nodes of which they had half, performance with idle and whole nodes."""

    start_ms: Integers
    end_ms: Integers
    split: Integers
    idle: Floats
    whole: Floats


@compiled_entry
def _integrate(partners: Partners, jobs: Stays, times: Integers, result: Floats) -> None:
    """Fill in the mean over time of each job's least value, of jobs that met another one."""
    for job in range(len(result)):
        low, high = partners.first[U(job)], partners.first[U(job + 1)]
        if low == high:
            continue
        count = _boundaries(partners, jobs, job, times)
        total = 0.0
        for piece in range(count - 1):
            since, until = times[U(piece)], times[U(piece + 1)]
            if since == until:
                continue
            slowest, busy = jobs.whole[U(job)], 0
            for row in range(low, high):
                if partners.begin_ms[U(row)] <= since < partners.end_ms[U(row)]:
                    busy += partners.nodes[U(row)]
                    slowest = min(slowest, partners.value[U(row)])
            if busy < jobs.split[U(job)]:
                slowest = min(slowest, jobs.idle[U(job)])
            total += slowest * (until - since)
        result[U(job)] = total / (jobs.end_ms[U(job)] - jobs.start_ms[U(job)])


@compiled
def _boundaries(partners: Partners, jobs: Stays, job: int, times: Integers) -> int:
    """Sort the times at which a job's partners change; how many."""
    count = _put(times, _put(times, 0, jobs.start_ms[U(job)]), jobs.end_ms[U(job)])
    for row in range(partners.first[U(job)], partners.first[U(job + 1)]):
        count = _put(times, _put(times, count, partners.begin_ms[U(row)]), partners.end_ms[U(row)])
    return count


@compiled
def _put(times: Integers, count: int, time: int) -> int:
    index = U(count)
    while index > U(0) and times[index - U(1)] > time:
        times[index] = times[index - U(1)]
        index -= U(1)
    times[index] = time
    return count + 1
