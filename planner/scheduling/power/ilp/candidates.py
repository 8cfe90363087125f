"""Configurations that an ILP scheduler has to consider for a job."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.events.moment import PowerJob, PowerMoment
from planner.scheduling.power.problem import SLACK_MS, JobDetails

Integers = NDArray[np.int64]


@dataclass(eq=False)
class CandidateConfigurations:
    """Rows of the job details table that are possible and not dominated, by application.

    A row is possible if the whole cluster could run it. It is dominated if another possible row
    of its application needs no more nodes, no more watts and no more time; of equal rows the
    first one is kept. Every resource limit that leaves a dominated row leaves a better one, so
    that the table is filtered once.

    Attributes
    ----------
    details
        The job details table.
    nodes, bound_mw
        Nodes and power bound of the cluster; the bound is what all jobs may be charged together
        [mW].
    """

    details: JobDetails
    nodes: int
    bound_mw: int
    _rows: dict[int, Integers] = field(default_factory=dict, init=False)

    @classmethod
    def at(cls, now: PowerMoment) -> CandidateConfigurations:
        """Make candidates for the cluster and the table of a moment."""
        return cls(now.details, now.nodes, now.bound_mw)

    def of(self, job: PowerJob, *, fair_share: bool, threshold: float | None) -> Integers:
        """Return rows for a job, by charge, the least first.

        With ``fair_share`` these are the rows within the job's share of the bound; if there is
        none, the rows of least charge (D15: rounded up). Among these, the ones that are expected to
        end within ``1 + threshold`` of the requested time; if there is none, the fastest one. It is
        the rule of Adaptive: a program that may choose any run time starts more jobs, each of them
        slowly, for longer than its user requested. ``None`` is any run time.
        """
        rows = self._of_application(job.application)
        if fair_share and len(rows):
            charge = self.details.charge_mw[rows]
            # Rows are sorted by charge: the first one has the least, which D15 allows in any case.
            rows = rows[charge <= max(job.fair_share_mw, int(charge[0]))]
        if threshold is None or not len(rows):
            return rows
        time_ms = self.details.time_ms[rows]
        in_time = expected_ms(job, time_ms) <= latest_ms(job, threshold)
        return rows[in_time] if in_time.any() else rows[[int(np.argmin(time_ms))]]

    def least_power(self, application: int) -> int:
        """Return the row of least charge, then of least time, then of fewest nodes."""
        return int(self._of_application(application)[0])

    def _of_application(self, application: int) -> Integers:
        if application not in self._rows:
            self._rows[application] = self._filtered(application)
        return self._rows[application]

    def _filtered(self, application: int) -> Integers:
        details, part = self.details, self.details.rows(application)
        rows = np.arange(part.start, part.stop)
        possible = (details.nodes[rows] <= self.nodes) & (details.charge_mw[rows] <= self.bound_mw)
        rows = rows[possible]
        needs = details.nodes[rows], details.charge_mw[rows], details.time_ms[rows]
        front = rows[undominated(*needs)]
        order = np.lexsort(
            (
                details.nodes[front],
                details.time_ms[front],
                details.charge_mw[front],
            )
        )
        return front[order]


def undominated(*needs: Integers) -> NDArray[np.bool_]:
    """Flag options that no other one betters; of equal ones the first.

    Parameters
    ----------
    needs
        What each option needs of something, less being better; each of shape ``(options,)``.
    """
    count = len(needs[0])
    no_more = np.ones((count, count), dtype=np.bool_)
    less = np.zeros((count, count), dtype=np.bool_)
    for need in needs:
        no_more &= need[:, None] <= need
        less |= need[:, None] < need
    earlier = np.arange(count)[:, None] < np.arange(count)
    # Row i makes column j worse: no need of i is larger, and one is less or i comes first.
    worse = no_more & (less | earlier)
    flags: NDArray[np.bool_] = np.logical_not(np.logical_or.reduce(worse, axis=0, initial=False))
    return flags


def latest_ms(job: PowerJob, threshold: float) -> int:
    """Return the longest expected time that a threshold allows [ms]."""
    return math.floor(job.requested_ms * (1 + threshold) + SLACK_MS)


def expected_ms(job: PowerJob, time_ms: Integers) -> Integers:
    """Return what ``PowerJob.expected_ms`` gives, for many times at once [ms]."""
    scaled: Integers = np.ceil(time_ms * job.time_scale - SLACK_MS).astype(np.int64)
    return np.maximum(scaled, 1)
