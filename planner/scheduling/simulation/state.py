"""Running jobs, waiting jobs and their estimates at an instant, derived from a schedule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.simulation.schedule import Integers, JobSchedule

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class MachineState:
    """The machine at the end of an instant, after all its events.

    Attributes
    ----------
    time_s
        The instant [s].
    free
        Number of free processors.
    running, waiting
        Jobs, as rows of the schedule, in order of submission.
    expected_end_s
        Ends of the running jobs, by the estimates of this instant [s].
    """

    time_s: int
    free: int
    running: Rows
    waiting: Rows
    expected_end_s: Integers

    def shadow(self, processors: Integers, needed: int) -> tuple[int, int, list[int]]:
        """Return when processors will be free, how many more are free then, and which jobs end.

        All jobs that are expected to end at that instant count.

        Parameters
        ----------
        processors
            Processors of all jobs of the schedule.
        needed
            Number of processors; more than are free, at most all of the machine.
        """
        order = np.argsort(self.expected_end_s, kind="stable")
        ends = self.expected_end_s[order]
        free = self.free + np.cumsum(processors[self.running[order]])
        enough = int(np.searchsorted(free, needed))
        time = int(ends[enough])
        last = int(np.searchsorted(ends, time, side="right")) - 1
        return time, int(free[last]) - needed, [int(self.running[k]) for k in order[: last + 1]]


def state_at(schedule: JobSchedule, time_s: int) -> MachineState:
    """The state at the end of an instant."""
    started = schedule.started
    running = started & (schedule.start_s <= time_s) & (schedule.end_s > time_s)
    waiting = started & (schedule.submit_s <= time_s) & (schedule.start_s > time_s)
    rows = np.flatnonzero(running)
    free = schedule.machine_processors - int(schedule.processors[rows].sum())
    ends = np.array([_expected_end(schedule, int(row), time_s) for row in rows], np.int64)
    return MachineState(time_s, free, rows, np.flatnonzero(waiting), ends)


def estimates_of(schedule: JobSchedule) -> Integers:
    """Return the run times that were planned with at submission [s]."""
    return schedule.requested_s if schedule.estimate_s is None else schedule.estimate_s


def _expected_end(schedule: JobSchedule, row: int, time_s: int) -> int:
    """When a running job is expected to end; a prediction is corrected whenever it is outlived."""
    from planner.scheduling.policies.predicted import STEPS_S

    start, requested_s = int(schedule.start_s[row]), int(schedule.requested_s[row])
    first = length = int(estimates_of(schedule)[row])
    corrections = 0
    # The corrections of policies/predicted.py, counted anew from the first prediction on.
    while start + length <= time_s and length < requested_s:
        step = STEPS_S[min(corrections, len(STEPS_S) - 1)]
        length = min(first + step, requested_s)
        corrections += 1
    return start + length
