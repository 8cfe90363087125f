"""What each job wants: the configuration it gets where enough nodes and watts are free."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.problem import NEVER, JobDetails, PowerProblem

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Wishes:
    """Rows of the job details table that jobs want; arrays of shape ``(jobs,)``.

    Attributes
    ----------
    row
        ``NEVER`` for a rejected job.
    rounded
        Jobs without a configuration within their fair share.
    """

    row: Integers
    rounded: NDArray[np.bool_]


def runnable(problem: PowerProblem, application: int) -> Integers:
    """Rows of an application that fit the cluster and its bound."""
    details, part = problem.details, problem.details.rows(application)
    index = np.arange(part.start, part.stop)
    fits = details.nodes[index] <= problem.nodes
    return index[fits & (details.charge_mw[index] <= problem.jobs_mw)]


def fastest(details: JobDetails, rows: Integers) -> int:
    """Fastest of some rows; of several that of least charge, of fewest nodes, the first one."""
    keys = (rows, details.nodes[rows], details.charge_mw[rows], details.time_ms[rows])
    return int(rows[np.lexsort(keys)[0]])


def cheapest(details: JobDetails, rows: Integers) -> int:
    """Row of least charge; of several that of fewest nodes, the first one."""
    keys = (rows, details.nodes[rows], details.charge_mw[rows])
    return int(rows[np.lexsort(keys)[0]])


def traditional(problem: PowerProblem) -> Wishes:
    """All cores of the requested nodes at the largest cap, or of as many as the bound allows.

    Where the table has no row of the requested nodes, it is the next smaller count, else the
    smallest one.

    References
    ----------
    Patki (2015), section 5.2.1.
    """
    details, jobs = problem.details, problem.jobs
    row = np.full(len(jobs), NEVER, np.int64)
    for application in range(len(details.applications)):
        rows = runnable(problem, application)
        mine = (jobs.application == application) & (jobs.nodes <= problem.nodes)
        if not len(rows) or not mine.any():
            continue
        packed = _packed(details, rows, details.rows(application))
        if len(packed):
            place = np.searchsorted(details.nodes[packed], jobs.nodes[mine], side="right") - 1
            row[mine] = packed[np.maximum(place, 0)]
    return Wishes(row, np.zeros(len(jobs), np.bool_))


def _packed(details: JobDetails, rows: Integers, part: slice) -> Integers:
    """Rows with all cores at the largest cap, by nodes, one of each count."""
    cores, cap = details.cores_per_node[part].max(), details.package_cap_w[part].max()
    full = (details.cores_per_node[rows] == cores) & (details.package_cap_w[rows] == cap)
    index = rows[full]
    index = index[np.argsort(details.nodes[index], kind="stable")]
    first = np.unique(details.nodes[index], return_index=True)[1]
    return np.asarray(index[first])


def naive(problem: PowerProblem, *, rejects: bool = False) -> Wishes:
    """Fastest configuration within the fair share; else that of least charge, or none.

    References
    ----------
    Patki (2015), section 5.2.2.
    """
    details, jobs, share = problem.details, problem.jobs, problem.fair_share_mw
    row = np.full(len(jobs), NEVER, np.int64)
    rounded = np.zeros(len(jobs), np.bool_)
    for application in range(len(details.applications)):
        rows = runnable(problem, application)
        mine = np.flatnonzero((jobs.application == application) & (jobs.nodes <= problem.nodes))
        if not len(rows) or not len(mine):
            continue
        least = cheapest(details, rows)
        chosen = {
            mw: fastest(details, rows[details.charge_mw[rows] <= mw])
            for mw in np.unique(share[mine]).tolist()
            if mw >= details.charge_mw[least]
        }
        for job in mine.tolist():
            rounded[job] = share[job] < details.charge_mw[least]
            row[job] = chosen.get(int(share[job]), NEVER if rejects else least)
    return Wishes(row, rounded)
