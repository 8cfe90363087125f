"""Arrays of the compiled loop, from a problem."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import fixed
from planner.scheduling.power.loop.choosing import Caps, PowerLogArrays
from planner.scheduling.power.loop.lending import caps_above
from planner.scheduling.power.loop.state import LATEST, World
from planner.scheduling.power.loop.waiting import Least, Needs, Way
from planner.scheduling.power.problem import JobDetails, PowerProblem
from planner.scheduling.power.truth import NodeLaw

Integers = NDArray[np.int64]

_EXACT = 1e-9
"""By how much less than a product of floating point a job is taken to need, as a share."""


def least_charges(problem: PowerProblem, limit: Integers) -> Integers:
    """Return the least charge of a row of each job's application within a time limit."""
    details, jobs = problem.details, problem.jobs
    charges = np.full(len(jobs), LATEST)
    for application in range(len(details.applications)):
        part, jobs_of_application = (
            details.rows(application),
            np.flatnonzero(jobs.application == application),
        )
        order = np.argsort(details.time_ms[part], kind="stable")
        time_ms, charge = details.time_ms[part][order], details.charge_mw[part][order]
        # A millisecond more than the limit: rounding must not leave out a row that is in time.
        within = np.searchsorted(
            time_ms,
            limit[jobs_of_application] / jobs.time_scale[jobs_of_application] + 1,
            side="right",
        )
        cheapest = np.r_[LATEST, np.minimum.accumulate(charge)]
        charges[jobs_of_application] = cheapest[within]
    return charges


def needs_of(problem: PowerProblem, log: PowerLogArrays, adaptive: NDArray[np.bool_]) -> Needs:
    """Give what each job needs at least: in its wish, and in any row that Adaptive may take."""
    jobs, columns = problem.jobs, _columns(problem.details)
    # Lower bounds over the modes, of which one holds in each pass.
    wish = _way(
        problem,
        columns.charge_mw[log.wish].min(axis=0),
        columns.nodes[log.wish].min(axis=0),
        columns.time_ms[log.wish].min(axis=0),
    )
    least_mw = np.where(adaptive[:, None], log.least_mw, LATEST).min(axis=0)
    # Adaptive takes what is free then, so each need is the least of all rows.
    smaller = _way(
        problem,
        least_mw,
        columns.fewest[jobs.application],
        columns.fastest_ms[jobs.application],
    )
    return Needs(Least(fixed(wish), fixed(smaller), log.share_mw), jobs.nodes)


def _way(problem: PowerProblem, mw: Integers, nodes: Integers, time_ms: Integers) -> Way:
    expected_ms = (time_ms * problem.jobs.time_scale * (1 - _EXACT)).astype(np.int64)
    return Way(mw, nodes, expected_ms)


class _Columns(NamedTuple):
    """Columns of a table with a last row for jobs without one, and the least by application."""

    charge_mw: Integers
    nodes: Integers
    time_ms: Integers
    fewest: Integers
    fastest_ms: Integers


@lru_cache(maxsize=16)
def _columns(details: JobDetails) -> _Columns:
    parts = [details.rows(application) for application in range(len(details.applications))]
    fewest, fastest = (
        np.array([column[part].min(initial=LATEST) for part in parts], np.int64)
        for column in (details.nodes, details.time_ms)
    )
    columns = (details.charge_mw, details.nodes, details.time_ms)
    charge, nodes, time_ms = (np.append(column, 0) for column in columns)
    return _Columns(charge, nodes, time_ms, fewest, fastest)


def world_of(problem: PowerProblem) -> World:
    """Give what truly happens."""
    truth, jobs = problem.truth, len(problem.jobs)
    factor = truth.time_factor if len(truth.time_factor) else np.ones(jobs)
    law = truth.law
    if law is None:
        law = _NO_LAW
    return World(
        truth.law is not None,
        truth.time_ms,
        problem.jobs.time_scale,
        factor,
        law.compute_s,
        law.messages_s,
        law.load_first,
        law.load,
    )


_NO_LAW = NodeLaw(
    np.empty((1, 1)),
    np.empty((1, 1)),
    np.empty((1, 1)),
    np.empty(1),
    np.zeros(1, np.int64),
    np.empty(1),
)


def caps_of(problem: PowerProblem) -> Caps:
    """Give the caps that running jobs can change to, and the phases of jobs."""
    truth = problem.truth
    first, row = caps_above(problem.details)
    ends = [
        np.cumsum(truth.phase_share[begin:end])
        for begin, end in zip(truth.phase_first[:-1], truth.phase_first[1:], strict=True)
    ]
    phases = np.concatenate([np.empty(0), *ends])
    sequence = truth.sequence_of(problem.jobs.application)
    return Caps(first, row, sequence, truth.phase_first, phases, truth.phase_intensity)
