"""The state that a power-aware scheduler sees in a pass, and the form of its answers."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from planner.scheduling.power.problem import SLACK_MS, JobDetails


class PowerJob(NamedTuple):
    """A job as it is known when it is submitted; nobody can change it.

    Attributes
    ----------
    id
        From 0 on, in order of submission.
    application
        Index into the job details table.
    nodes
        Requested nodes, ``n_req``.
    requested_ms
        Requested time, ``t_req`` [ms].
    fair_share_mw
        Its share of the bound, ``P_job`` [mW].
    submit_ms
        Submit time [ms].
    time_scale
        How many times the table's run time the job takes.
    """

    id: int
    application: int
    nodes: int
    requested_ms: int
    fair_share_mw: int
    submit_ms: int
    time_scale: float = 1.0

    def expected_ms(self, time_ms: int) -> int:
        """Return the expected time of the job, from a row's time in the table, rounded up to ms."""
        return max(ceil(time_ms * self.time_scale - SLACK_MS), 1)


class RunningJob(NamedTuple):
    """A job that runs: its configuration, charge and the end by the job details table.

    An expected end in the past means that the job takes longer than its row says.
    """

    job: PowerJob
    row: int
    nodes: int
    charge_mw: int
    start_ms: int
    expected_end_ms: int


@dataclass(frozen=True, slots=True)
class PowerMoment:
    """The cluster, the queue and the running jobs as a power-aware scheduler sees them in a pass.

    Attributes
    ----------
    time_ms
        Now [ms].
    nodes, free_nodes
        Nodes of the cluster, and those that no job uses.
    bound_mw, free_mw
        What all running jobs may be charged together, and what is left of it [mW].
    waiting
        Jobs that wait, in order of submission.
    running
        Jobs that run, by expected end, the earliest first. What is in use when the log begins is
        not a job: it is in ``occupied``.
    occupied
        ``(end_ms, nodes, charge_mw)`` of what was in use when the log began and still is.
    details
        The job details table.
    """

    time_ms: int
    nodes: int
    free_nodes: int
    bound_mw: int
    free_mw: int
    waiting: tuple[PowerJob, ...]
    running: tuple[RunningJob, ...]
    occupied: tuple[tuple[int, int, int], ...]
    details: JobDetails

    def expected_ms(self, job: PowerJob, row: int) -> int:
        """Return the expected time of a job in a configuration [ms]."""
        return job.expected_ms(int(self.details.time_ms[row]))

    def ends(self) -> list[tuple[int, int, int]]:
        """Return ``(end_ms, nodes, charge_mw)`` of all that is in use, by expected end.

        A job that runs on after its expected end is expected to end 1 ms from now.
        """
        jobs = (
            (max(run.expected_end_ms, self.time_ms + 1), run.nodes, run.charge_mw)
            for run in self.running
        )
        return sorted([*self.occupied, *jobs])


class Choice(NamedTuple):
    """A job that starts now, and the row of its configuration.

    Attributes
    ----------
    job
        One of the waiting jobs.
    row
        Row of the job details table, one of the job's application.
    """

    job: PowerJob
    row: int
