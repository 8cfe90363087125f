"""First come, first served: nobody overtakes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled_entry
from planner.scheduling.policies.lookahead import look_ahead
from planner.scheduling.policies.problem import (
    JobArrays,
    SchedulingProblem,
    Starts,
    never_started,
    refuse_predictions,
)


@dataclass(frozen=True)
class Fcfs:
    """First come, first served.

    Estimates and the order of events change nothing while no processors are taken away.
    """

    name: str = "fcfs"

    def schedule(self, problem: SchedulingProblem) -> Starts:
        """Start every job.

        Raises
        ------
        PlanError
            Predictions are requested.
        """
        refuse_predictions(problem, self.name)
        starts = never_started(problem)
        count = len(starts)
        if problem.unavailable:
            return look_ahead(problem, np.zeros(count, np.int64), reservations=-1)
        # A running job holds at least one processor, so no more jobs run at once than these.
        room = min(count, problem.processors) + 1
        end, held = np.empty(room, np.int64), np.empty(room, np.int64)
        _fcfs(problem.jobs, problem.processors, end, held, starts)
        return Starts(starts, problem.jobs.run)


@compiled_entry
def _fcfs(
    jobs: JobArrays,
    machine: int,
    end: NDArray[np.int64],
    held: NDArray[np.int64],
    starts: NDArray[np.int64],
) -> None:
    """Start each job when enough processors are free and the one before has started.

    ``end`` and ``held``: ends of the running jobs, the next one last, and their processors.
    """
    time, free = 0, machine
    count = U(0)
    # At the head `time` is the last start, `free` is what the `count` jobs leave that are not yet
    # known to have ended, and their ends fall. Estimates do not matter: nobody overtakes.
    for job in range(len(jobs.submit)):
        at = U(job)
        needed = jobs.processors[at]
        time = max(time, jobs.submit[at])
        # An end after `time` is taken only while processors lack: the job then starts at it.
        while count > U(0) and (free < needed or end[count - U(1)] <= time):
            count -= U(1)
            free += held[count]
            time = max(time, end[count])
        starts[at] = time
        finish = time + jobs.run[at]
        free -= needed
        index = count
        # Insertion sort: the places behind `index` hold earlier ends.
        while index > U(0) and end[index - U(1)] < finish:
            end[index] = end[index - U(1)]
            held[index] = held[index - U(1)]
            index -= U(1)
        end[index] = finish
        held[index] = needed
        count += U(1)
