"""Which jobs a cluster can run at all, and which of them have no configuration in their share.

References
----------
Patki (2015), section 5.2. What happens to a job whose fair share is below its cheapest
configuration is not said there (D15); a job that no configuration can run waits for ever there,
and is rejected here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.problem import NEVER, JobDetails, PowerProblem

Flags = NDArray[np.bool_]


def possible_rows(problem: PowerProblem) -> Flags:
    """Flag configurations within the nodes and the bound of the cluster; shape ``(rows,)``."""
    details = problem.details
    flags: Flags = (details.nodes <= problem.nodes) & (details.charge_mw <= problem.jobs_mw)
    return flags


def accepted(problem: PowerProblem) -> Flags:
    """Flag jobs within the nodes that have a possible configuration; shape ``(jobs,)``."""
    jobs = problem.jobs
    possible = _count(problem.details, possible_rows(problem)) > 0
    flags: Flags = (jobs.nodes <= problem.nodes) & possible[jobs.application]
    return flags


def beyond_fair_share(problem: PowerProblem) -> Flags:
    """Flag jobs without a possible configuration within their fair share; shape ``(jobs,)``."""
    share, details = problem.fair_share_mw, problem.details
    possible = possible_rows(problem)
    cheapest_mw = np.full(len(details.applications), np.iinfo(np.int64).max)
    for application in range(len(cheapest_mw)):
        part = details.rows(application)
        charges = details.charge_mw[part][possible[part]]
        cheapest_mw[application] = charges.min(initial=cheapest_mw[application])
    flags: Flags = cheapest_mw[problem.jobs.application] > share
    return flags


def rounded_up(problem: PowerProblem, row: NDArray[np.int64]) -> Flags:
    """Flag jobs that got more than their fair share because no configuration is within it (D15).

    Parameters
    ----------
    row
        Configuration of each job, below 0 for none; shape ``(jobs,)``.
    """
    charge = np.r_[problem.details.charge_mw, 0][np.maximum(row, NEVER)]
    flags: Flags = (row != NEVER) & beyond_fair_share(problem) & (charge > problem.fair_share_mw)
    return flags


def _count(details: JobDetails, flags: Flags) -> NDArray[np.int64]:
    """Return how many rows of each application carry a flag; shape ``(applications,)``."""
    total = np.concatenate([[0], np.cumsum(flags)])
    count: NDArray[np.int64] = total[details.first[1:]] - total[details.first[:-1]]
    return count
