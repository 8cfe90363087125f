"""A log as it looks in hindsight: all submissions and all true run times are known."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from planner.errors import PlanError
from planner.scheduling.power.acceptance import accepted, beyond_fair_share, possible_rows
from planner.scheduling.power.ilp.candidates import undominated
from planner.scheduling.power.outcome import Placed, true_times_ms
from planner.scheduling.power.problem import MS, PowerProblem

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Hindsight:
    """Jobs with their options, times as they will be.

    Attributes
    ----------
    nodes, bound_mw
        Nodes and power bound of the cluster; the bound is what all jobs may be charged together
        [mW].
    job
        Index of each job in its log, shape ``(jobs,)``: rejected jobs are left out.
    submit
        Submit times, shape ``(jobs,)``.
    first
        Options of job ``j`` are ``first[j]`` to ``first[j + 1]``.
    row
        Row of the job details table of each option, shape ``(options,)``.
    used_nodes, charge_mw, time
        Nodes, charge [mW] and true run time of each option, shape ``(options,)``.
    occupied
        ``(end, nodes, charge_mw)`` of what is in use when the log begins.
    unit_ms
        Unit of ``submit``, ``time`` and ends of ``occupied`` [ms].
    """

    nodes: int
    bound_mw: int
    job: Integers
    submit: Integers
    first: Integers
    row: Integers
    used_nodes: Integers
    charge_mw: Integers
    time: Integers
    occupied: tuple[tuple[int, int, int], ...] = ()
    unit_ms: int = 1

    def __len__(self) -> int:
        return len(self.submit)

    def options(self, job: int) -> range:
        """Return options of a job."""
        return range(int(self.first[job]), int(self.first[job + 1]))

    @property
    def job_of_option(self) -> Integers:
        """Job of each option, shape ``(options,)``."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    @property
    def in_whole_seconds(self) -> bool:
        """Whether all times are whole seconds."""
        ends = [end for end, _, _ in self.occupied]
        times = np.concatenate([self.submit, self.time, ends]).astype(np.int64) * self.unit_ms
        return not (times % MS).any()

    def in_units(self, unit_ms: int, *, up: bool) -> Hindsight:
        """Return the problem with times rounded to a coarser unit.

        A schedule of the problem rounded up is one of this problem. Rounded down, any schedule of
        this problem becomes one: begin every job where its start is rounded down. What overlaps
        then in a unit overlapped at the end of that unit before.
        """
        step = unit_ms // self.unit_ms

        def rounded(values: Integers) -> Integers:
            coarse: Integers = -(-values // step) if up else values // step
            return coarse

        ends = [
            (int(rounded(np.array(end))), nodes, charge) for end, nodes, charge in self.occupied
        ]
        return replace(
            self,
            submit=rounded(self.submit),
            time=rounded(self.time),
            occupied=tuple(ends),
            unit_ms=unit_ms,
        )


def hindsight(problem: PowerProblem, *, fair_share: bool = False) -> Hindsight:
    """Return a log in hindsight, without dominated configurations.

    Parameters
    ----------
    fair_share
        Whether a job is restricted to configurations within its fair share, or to that of least
        charge if there is none: the optimum among fair schedules.

    Raises
    ------
    PlanError
        Run times depend on which nodes a job gets, or no job can run.
    """
    if problem.truth.law is not None:
        raise PlanError(
            "run times depend on the nodes that a job gets; an optimum in hindsight needs one "
            "run time for each configuration"
        )
    jobs = np.flatnonzero(accepted(problem))
    if not len(jobs):
        raise PlanError(
            "no job of the log can run, so nothing can be scheduled; raise the bound or take more "
            "nodes"
        )
    rows = [_rows(problem, int(job), fair_share=fair_share) for job in jobs]
    row, first = np.concatenate(rows), np.cumsum([0, *map(len, rows)])
    job = np.repeat(jobs, np.diff(first))
    anywhere = np.zeros(0, np.int64)
    time = true_times_ms(problem, Placed(job, row, anywhere, anywhere))
    return Hindsight(
        problem.nodes,
        problem.jobs_mw,
        jobs,
        problem.jobs.submit_ms[jobs],
        first,
        row,
        problem.details.nodes[row],
        problem.details.charge_mw[row],
        time,
        tuple((use.end_ms, use.nodes, use.charge_mw) for use in problem.occupied),
    )


def _rows(problem: PowerProblem, job: int, *, fair_share: bool) -> Integers:
    details = problem.details
    part = details.rows(int(problem.jobs.application[job]))
    rows: Integers = np.flatnonzero(possible_rows(problem)[part]) + part.start
    if fair_share:
        charge = details.charge_mw[rows]
        if beyond_fair_share(problem)[job]:
            rows = rows[charge == charge.min()]
        else:
            rows = rows[charge <= problem.fair_share_mw[job]]
    # The factors of a job are the same for all its rows, so its true times keep this order.
    true_ms = problem.truth.time_ms[rows]
    return rows[undominated(details.nodes[rows], details.charge_mw[rows], true_ms)]
