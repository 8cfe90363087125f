"""The configuration that each job would get if enough nodes and watts were free.

Wishes are rows of the job details table, shape ``(jobs,)``; a rejected job has ``NEVER``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.inputs.packed import packed_of
from planner.scheduling.power.loop.lookup import stairs_of
from planner.scheduling.power.problem import NEVER, PowerProblem

Integers = NDArray[np.int64]


def runnable(problem: PowerProblem, application: int) -> Integers:
    """Return rows of an application that fit the cluster and its bound."""
    details, part = problem.details, problem.details.rows(application)
    index = np.arange(part.start, part.stop)
    fits = details.nodes[index] <= problem.nodes
    return index[fits & (details.charge_mw[index] <= problem.jobs_mw)]


def traditional(problem: PowerProblem) -> Integers:
    """Return rows with all cores of the requested nodes, or of as many as the bound allows.

    Where the table has no such row of the requested nodes, it is that of the next larger count,
    else of the largest. Where the bound allows no such row at all, the job is rejected.

    References
    ----------
    Patki (2015), section 5.2.1.
    """
    details, jobs = problem.details, problem.jobs
    row = np.full(len(jobs), NEVER, np.int64)
    for application, mine in _by_application(problem):
        rows = runnable(problem, application)
        packed = packed_of(details, application).row
        # As requests are rounded: to the next larger count with a packed row, else to the largest.
        requested = np.searchsorted(details.nodes[packed], jobs.nodes[mine])
        requested = np.minimum(requested, len(packed) - 1)
        possible = np.flatnonzero(np.isin(packed, rows))
        if len(possible):
            # Section 5.2.1: above the bound n_max, the largest packed count within it.
            row[mine] = packed[np.where(np.isin(requested, possible), requested, possible[-1])]
    return row


def _by_application(problem: PowerProblem) -> Iterator[tuple[int, Integers]]:
    """Yield each application that the cluster can run, and its jobs that fit the cluster."""
    jobs = problem.jobs
    order = np.argsort(jobs.application, kind="stable")
    order = order[jobs.nodes[order] <= problem.nodes]
    count = np.arange(len(problem.details.applications) + 1)
    first = np.searchsorted(jobs.application[order], count)
    for application in range(len(problem.details.applications)):
        mine = order[first[application] : first[application + 1]]
        if len(mine) and len(runnable(problem, application)):
            yield application, mine


def naive(problem: PowerProblem, *, rejects: bool = False) -> Integers:
    """Return the fastest configuration within the fair share; else that of least charge, or none.

    References
    ----------
    Patki (2015), section 5.2.2.
    """
    details, share = problem.details, problem.fair_share_mw
    stairs = stairs_of(details, problem.nodes, problem.jobs_mw)
    row = np.full(len(problem.jobs), NEVER, np.int64)
    for application, mine in _by_application(problem):
        # The last level holds all node counts: Naive looks at watts alone.
        level = stairs.level_first[application + 1] - 1
        steps = slice(stairs.step_first[level], stairs.step_first[level + 1])
        step = np.searchsorted(stairs.step_mw[steps], share[mine], side="right") - 1
        # D15: the first step has the least charge, and is the fastest row of that charge.
        cheapest = NEVER if rejects else int(stairs.step_row[steps][0])
        row[mine] = np.where(step >= 0, stairs.step_row[steps][step], cheapest)
    return row
