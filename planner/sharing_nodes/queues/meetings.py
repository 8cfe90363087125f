"""Meetings of jobs on nodes, with their times: read from a schedule, and not from the loop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.sharing_nodes.queues.problem import Integers, SharedSchedule


@dataclass(frozen=True, eq=False)
class Meetings:
    """Times at which two jobs share a node; arrays of shape ``(meetings,)``.

    Each is there twice, once for each of the two jobs.

    Attributes
    ----------
    job, other
        The job, and the one on the other half.
    entry
        Place of the job's node in ``schedule.node``.
    begin_ms, end_ms
        From when to when [ms].
    """

    job: Integers
    other: Integers
    entry: Integers
    begin_ms: Integers
    end_ms: Integers

    def __len__(self) -> int:
        return len(self.job)


def meetings_of(schedule: SharedSchedule) -> Meetings:
    """Return all meetings of a schedule, by job, other job and node.

    When a job starts on half a node, at most one other job is there: of those that took half of it
    before, the one with the last end, if that is still to come.
    """
    job = np.repeat(np.arange(len(schedule.start_ms)), schedule.count)
    position = np.arange(len(schedule.node)) - schedule.node_first[job]
    entry = np.flatnonzero(position < schedule.split[job])
    node, job = schedule.node[entry], job[entry]
    start, end = schedule.start_ms[job], schedule.end_ms[job]
    order = np.lexsort((job, start, node))
    entry, node, job, start, end = (array[order] for array in (entry, node, job, start, end))
    if not len(entry):
        none = np.empty(0, np.int64)
        return Meetings(none, none, none, none, none)
    key = node * (int(end.max()) + 1) + end
    latest = np.maximum.accumulate(key)
    holder = np.maximum.accumulate(np.where(key == latest, np.arange(len(key)), 0))
    before = np.r_[0, holder[:-1]]
    meets = np.r_[False, node[before[1:]] == node[1:]] & (end[before] > start)
    later, earlier = np.flatnonzero(meets), before[meets]
    begin, until = start[later], np.minimum(end[later], end[earlier])
    columns = (
        np.r_[job[later], job[earlier]],
        np.r_[job[earlier], job[later]],
        np.r_[entry[later], entry[earlier]],
        np.r_[begin, begin],
        np.r_[until, until],
    )
    order = np.lexsort((columns[2], columns[1], columns[0]))
    return Meetings(*(column[order].astype(np.int64) for column in columns))
