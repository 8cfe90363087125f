"""Performance of a shared job: its speed over that alone on its halves, combined over its nodes.

POPPA measures on each node on its own. How the nodes of a parallel job are put together is a rule
of this project, as the paper leaves it open:

- ``slowest at each time`` (the rule): the mean over time of the slowest node's performance. A
  parallel job runs at the speed of its slowest node, so this mean is ``T_solo / T_co`` exactly
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

from typing import Literal

import numpy as np

from planner.scheduling.policies.compiled import U, compiled
from planner.scheduling.shared.meetings import Meetings
from planner.scheduling.shared.problem import Floats, Integers, SharedProblem, SharedSchedule

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
    combination: Combination = "slowest at each time",
) -> Floats:
    """Performance of each job by the combination; 1 for a job on whole nodes. Shape ``(jobs,)``.

    Parameters
    ----------
    pair
        ``pair[a, b]``: performance of ``a`` next to ``b``, true or estimated; 1 next to an idle
        half, where nothing is measured. Shape ``(applications, applications)``.

    Notes
    -----
    For ``each node by itself`` this is the root of the mean square over the nodes: the price is in
    the square.
    """
    if combination == "slowest at each time":
        return _slowest_at_each_time(schedule, problem, meetings, pair)
    mean = node_means(schedule, problem, meetings, pair, idle=1.0)
    shared, first = np.flatnonzero(schedule.shared), schedule.node_first
    found = np.ones(len(schedule.start_ms))
    if not len(shared):
        return found
    if combination == "slowest on average":
        found[shared] = [mean[first[job] : first[job + 1]].min() for job in shared]
    elif combination == "mean of nodes":
        found[shared] = [mean[first[job] : first[job + 1]].mean() for job in shared]
    else:
        square = mean**2
        found[shared] = [np.sqrt(square[first[job] : first[job + 1]].mean()) for job in shared]
    return found


def node_means(
    schedule: SharedSchedule,
    problem: SharedProblem,
    meetings: Meetings,
    pair: Floats,
    idle: float,
) -> Floats:
    """Mean over the job's time of a value of pairs, for each entry of ``schedule.node``.

    ``idle`` is the value next to an idle half, and on whole nodes.
    """
    application = problem.jobs.application
    length = meetings.end_ms - meetings.begin_ms
    value = pair[application[meetings.job], application[meetings.other]] - idle
    total = np.bincount(meetings.entry, weights=value * length, minlength=len(schedule.node))
    job = np.repeat(np.arange(len(schedule.start_ms)), schedule.count)
    means: Floats = idle + total / (schedule.end_ms - schedule.start_ms)[job]
    return means


def _slowest_at_each_time(
    schedule: SharedSchedule, problem: SharedProblem, meetings: Meetings, pair: Floats
) -> Floats:
    found = np.ones(len(schedule.start_ms))
    if not len(meetings):
        return found
    job, other, nodes, begin, end = _by_partner(meetings)
    first = np.searchsorted(job, np.arange(len(found) + 1)).astype(np.int64)
    application = problem.jobs.application
    value = pair[application[job], application[other]].astype(np.float64)
    times = np.empty(2 * int(np.diff(first).max()) + 2, np.int64)
    _integrate(
        first, nodes, begin, end, value, schedule.start_ms, schedule.end_ms, schedule.count, times,
        found,
    )  # fmt: skip
    return found


def _by_partner(meetings: Meetings) -> tuple[Integers, ...]:
    """Meetings of the same two jobs as one, with the number of nodes; by job.

    Two jobs meet on all nodes that they share from the later start to the earlier end.
    """
    new = np.r_[True, (np.diff(meetings.job) != 0) | (np.diff(meetings.other) != 0)]
    first = np.flatnonzero(new)
    nodes = np.diff(np.r_[first, len(meetings)])
    columns = (meetings.job, meetings.other, meetings.begin_ms, meetings.end_ms)
    job, other, begin, end = (each[first] for each in columns)
    return job, other, nodes.astype(np.int64), begin, end


@compiled
def _integrate(
    first: Integers,
    nodes: Integers,
    begin: Integers,
    end: Integers,
    value: Floats,
    start_ms: Integers,
    end_ms: Integers,
    held: Integers,
    times: Integers,
    found: Floats,
) -> None:
    """Fill in the mean over time of each job's least value; 1 while a node has nobody else."""
    for job in range(len(found)):
        low, high = first[U(job)], first[U(job + 1)]
        if low == high:
            continue
        count = _boundaries(low, high, begin, end, start_ms[U(job)], end_ms[U(job)], times)
        total = 0.0
        for piece in range(count - 1):
            since, until = times[U(piece)], times[U(piece + 1)]
            if since == until:
                continue
            least, busy = np.inf, 0
            for row in range(low, high):
                if begin[U(row)] <= since < end[U(row)]:
                    busy += nodes[U(row)]
                    least = min(least, value[U(row)])
            if busy < held[U(job)]:
                least = min(least, 1.0)
            total += least * (until - since)
        found[U(job)] = total / (end_ms[U(job)] - start_ms[U(job)])


@compiled
def _boundaries(
    low: int, high: int, begin: Integers, end: Integers, start: int, stop: int, times: Integers
) -> int:
    """Sort the times at which a job's partners change; how many."""
    count = _put(times, _put(times, 0, start), stop)
    for row in range(low, high):
        count = _put(times, _put(times, count, begin[U(row)]), end[U(row)])
    return count


@compiled
def _put(times: Integers, count: int, time: int) -> int:
    place = U(count)
    while place > U(0) and times[place - U(1)] > time:
        times[place] = times[place - U(1)]
        place -= U(1)
    times[place] = time
    return count + 1
