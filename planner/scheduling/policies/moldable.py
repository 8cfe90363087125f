"""EASY backfilling that may run a job on fewer or more processors, to fill gaps in the schedule.

The further work of Smith, Hammond and Jarvis: "moldable jobs; where the number of processors used
by the job is changed, to try to take better advantage of free processors that result from gaps in
the schedule". The number is chosen once, when the job starts. What the job takes on other
processors is a model's word (:mod:`planner.scheduling.policies.speedup`), for its run time and its
estimate alike; decisions are by estimates only.

A job may run on its request times one of ``choices``, where that is a whole number of processors
(of nodes, where jobs take whole nodes), and at most the machine. At each pass, in the order of the
queue:

1. A number is possible if so many processors are free from now on for the job's estimate on them,
   without delaying the reservation of the head, the first job that did not start.
2. A number above the request is possible only if what it takes beyond the request is of no use to
   those behind: nobody behind has a number of at most the processors that the request would leave
   free; and if nobody has a reservation yet, the first behind could not start earlier, on its own
   request, while this job runs on its request.
3. Of the possible numbers the job takes the one on which it ends earliest by estimate, of several
   the fewest processors; but only if that end is no later than it would be on the request itself at
   the earliest time at which that is free, by estimates and given the head's reservation.
4. The first job that does not start gets that time on its request as its reservation.

So a head starts smaller only if it is to end no later than by waiting for its reservation. A job
behind it has none to compare with: the earliest time of rule 3 is what it could hope for if it were
next, and no later than what EASY would give it by the estimates known now. Of jobs ahead in the
queue rule 2 need not ask: they were tried before, with more processors free. Nobody is promised an
end no later than under EASY (docs/moldable.md counts who loses): a request may be free earlier than
estimated, and what a job holds longer or takes beyond its request is missing to jobs that are
submitted later. With ``choices = (1,)`` rules 2 and 3 say nothing, and this is EASY, start by
start.

References
----------
Smith, Hammond and Jarvis (2011), section on further work.
Cirne and Berman (2002). Using moldability to improve the performance of supercomputer jobs. JPDC
62(10). There the user's agent chooses, once, at submission, from the answers of a queue predictor;
here the scheduler does at the start, with what is free then.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.errors import InputError, PlanError
from planner.scheduling.policies.molding import MoldingQueue, Shapes, mold
from planner.scheduling.policies.plan import empty_plan
from planner.scheduling.policies.problem import (
    Integers,
    JobArrays,
    SchedulingProblem,
    Starts,
    never_started,
    refuse_predictions,
)
from planner.scheduling.policies.running import nothing_running
from planner.scheduling.policies.speedup import Downey, Speedup, scaled

CHOICES = (0.25, 0.5, 1.0, 2.0)
"""ASSUMED: halves and doubles, as most programs of the logs ask for powers of two."""

ASSUMED = Downey()
"""Every job asks for its average parallelism, whose variance is 1."""

_LATEST_S = 1 << 38


@dataclass(frozen=True)
class Moldable:
    """EASY that fills gaps with other numbers of processors.

    Attributes
    ----------
    speedup
        What a job takes on other numbers; by default Downey's, with every job asking for its
        average parallelism and a variance of 1: ASSUMED.
    choices
        Factors of the request; 1 is one of them.

    Raises
    ------
    InputError
        The request is no choice, or a factor is not above 0.
    """

    speedup: Speedup = ASSUMED
    choices: tuple[float, ...] = CHOICES
    name: str = "moldable"

    def __post_init__(self) -> None:
        whole = all(0 < choice < np.inf for choice in self.choices)
        if not whole or 1 not in self.choices:
            raise InputError(
                f"choices {self.choices} must be numbers above 0 and include 1, the request "
                "itself; correct them"
            )

    def schedule(self, problem: SchedulingProblem) -> Starts:
        """Start every job.

        Raises
        ------
        PlanError
            Predictions are requested, there are outages or reservations, or the log may last longer
            on few processors than can be held.
        """
        refuse_predictions(problem, self.name)
        if problem.unavailable:
            raise PlanError(
                "moldable does not plan around outages or reservations; remove them, or use "
                "easy or conservative"
            )
        shapes = self.shapes(problem)
        starts = never_started(problem)
        count = len(starts)
        chosen = np.full(count, shapes.own, np.int64)
        there = np.where(shapes.processors > 0, shapes.processors, problem.processors)
        mold(
            problem.jobs,
            shapes,
            problem.processors,
            problem.event_order == "batch",
            nothing_running(count, problem.processors),
            empty_plan(2 * min(count, problem.processors) + 8),
            MoldingQueue(np.empty(count + 1, np.int32), there.min(axis=0)),
            starts,
            chosen,
        )
        jobs = np.arange(count)
        requested_s = problem.requested_s
        taken = shapes.processors[chosen, jobs]
        estimate = shapes.estimate[chosen, jobs]
        return Starts(
            starts,
            shapes.run[chosen, jobs],
            estimate,
            taken,
            estimate
            if requested_s is None
            else scaled(requested_s, taken, problem.jobs.processors, self.speedup),
        )

    def shapes(self, problem: SchedulingProblem) -> Shapes:
        """Return what the jobs of a problem may run on, the fewest processors first.

        Raises
        ------
        PlanError
            The log may last longer than can be held.
        """
        jobs, unit = problem.jobs, problem.node_processors
        factors = sorted(set(self.choices))
        shape = (len(factors), len(jobs.submit))
        processors, run, estimate = (np.zeros(shape, np.int64) for _ in range(3))
        for row, factor in enumerate(factors):
            scaled_processors = jobs.processors * factor
            whole = (
                (scaled_processors % unit == 0)
                & (scaled_processors >= 1)
                & (scaled_processors <= problem.processors)
            )
            taken = np.where(whole, scaled_processors, jobs.processors).astype(np.int64)
            processors[row] = np.where(whole, taken, 0)
            run[row] = scaled(jobs.run, taken, jobs.processors, self.speedup)
            estimate[row] = scaled(jobs.estimate, taken, jobs.processors, self.speedup)
        _refuse_times(jobs, run, estimate)
        return Shapes(processors, run, estimate, factors.index(1))


def _refuse_times(jobs: JobArrays, run: Integers, estimate: Integers) -> None:
    if not len(jobs.submit):
        return
    last = float(jobs.submit[-1]) + float(run.max(axis=0).sum(dtype=float)) + float(estimate.max())
    if last >= _LATEST_S:
        raise PlanError(
            f"on the fewest processors the jobs may end after {_LATEST_S:,} s; give choices "
            "nearer to 1, or split the log"
        )
