"""EASY backfilling that may run a job on fewer or more processors, to fill gaps in the schedule.

Smith, Hammond and Jarvis propose this as further work: "moldable jobs; where the number of
processors used by the job is changed, to try to take better advantage of free processors that
result from gaps in the schedule". The policy chooses the number once, when the job starts. A model
(:mod:`planner.scheduling.policies.speedup`) gives the run time and the estimate on other numbers of
processors. Decisions use estimates only.

A job may run on its request times one of ``choices``. The result must be a whole number of
processors (of nodes, if jobs take whole nodes), and at most the machine. Each pass applies these
rules in the order of the queue:

1. A number is possible if this many processors are free from now on for the job's estimate on them.
   The job must not delay the reservation of the head, the first job that did not start.
2. A number above the request is possible only if the additional processors are of no use to jobs
   behind. No job behind has a number of at most the processors that the request would leave free.
   If no job has a reservation yet, there is a second condition. While this job runs on its request,
   the first job behind could not start earlier on its own request.
3. The job takes the possible number on which it ends earliest by estimate; of equal ends, the
   fewest processors. It starts only if this end is no later than its end on the request. That end
   counts from the earliest time at which the request is free, by estimates and given the head's
   reservation.
4. The first job that does not start gets that time on its request as its reservation.

So the head starts on fewer processors only if it then ends no later than after a wait for its
reservation. A job behind the head has no reservation. The earliest time of rule 3 is its start if
it were next, and no later than its start under EASY by the estimates known now. Rule 2 ignores jobs
ahead in the queue: the pass tried them before, with more processors free. The policy does not
promise an end no later than under EASY; docs/moldable.md counts the jobs that end later. A request
may become free earlier than estimated. Processors that a job holds longer or beyond its request are
missing for jobs that are submitted later. With ``choices = (1,)``, rules 2 and 3 have no effect,
and all starts are those of EASY.

References
----------
Smith, Hammond and Jarvis (2011), section on further work.
Cirne and Berman (2002). Using moldability to improve the performance of supercomputer jobs. JPDC
62(10). There the user's agent chooses once, at submission, from the answers of a queue predictor.
Here the scheduler chooses at the start, from the processors that are free then.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.errors import InputError, PlanError
from planner.scheduling.policies.job_queue import nobody_waiting
from planner.scheduling.policies.molding import LeastNeeds, Shapes, mold
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

# The limit of simulation/simulate.py, which checks run times on the requested processors only.
_LATEST_S = 1 << 38


@dataclass(frozen=True)
class Moldable:
    """EASY that fills gaps with other numbers of processors.

    Attributes
    ----------
    speedup
        Model of the run time on other numbers of processors. The default is Downey's with a
        variance of 1, where each job requests its average parallelism: ASSUMED.
    choices
        Factors on the request; 1 is one of them.

    Raises
    ------
    InputError
        The factors do not contain 1, or a factor is not above 0.
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
        # A choice that a job does not have is 0 processors, which must not count as the fewest.
        there = np.where(shapes.processors > 0, shapes.processors, problem.processors)
        most = 2 * min(count, problem.processors) + 8
        mold(
            problem.jobs,
            shapes,
            # A choice that a job does not have holds the estimate of the request.
            LeastNeeds(there.min(axis=0), shapes.estimate.min(axis=0)),
            problem.processors,
            problem.event_order == "batch",
            nothing_running(count, problem.processors),
            empty_plan(most),
            empty_plan(most),
            nobody_waiting(count),
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
            # A choice that is not whole gets the times of the request, which keeps them valid.
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
