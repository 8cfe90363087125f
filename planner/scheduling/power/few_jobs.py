"""The choices of a comparison of few listed jobs, and what other work leaves free for them.

A log of one or a few listed jobs has no statistics. A reader sees why a policy is ahead from what
is free when a job is submitted, and from the configuration that each policy chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.scheduling.power.results.jobs import JobOutcome
from planner.scheduling.power.results.result import PolicyOutcome
from scenarios.model.schedule import Schedule

MOST_CHOICES = 12
"""Jobs of all runs together that are listed one by one."""


@dataclass(frozen=True)
class JobChoice:
    """A job of a listed log under a policy: its configuration and its times.

    Attributes
    ----------
    charged_w
        Power charged to the job at its start [W]; ``None`` where its application lists no
        configurations.
    wait_s
        From submission to start [s]; ``None`` where the job was rejected.
    """

    policy: str
    log: str
    bound_w: float
    job: int
    nodes: int | None
    cores_per_node: int | None
    package_cap_w: float | None
    charged_w: float | None
    fair_share_w: float
    wait_s: float | None
    turnaround_s: float | None
    energy_j: float | None


def single_job(outcomes: Sequence[PolicyOutcome]) -> bool:
    """Return whether every run has one job only, so that shares and fairness say nothing."""
    return all(len(outcome.jobs) == 1 for outcome in outcomes)


def choices_of(schedule: Schedule, outcomes: Sequence[PolicyOutcome]) -> tuple[JobChoice, ...]:
    """Return every job of every run, where the jobs are listed, few, and have one seed."""
    listed = {log.name for log in schedule.logs if log.kind == "listed"}
    few = sum(len(outcome.jobs) for outcome in outcomes) <= MOST_CHOICES
    seeds = {outcome.seed for outcome in outcomes}
    if not few or len(seeds) != 1 or any(outcome.log not in listed for outcome in outcomes):
        return ()
    return tuple(_choice(schedule, outcome, job) for outcome in outcomes for job in outcome.jobs)


def _choice(schedule: Schedule, outcome: PolicyOutcome, job: JobOutcome) -> JobChoice:
    key = (job.nodes, job.cores_per_node, job.package_cap_w)
    charges = [
        row.power_w
        for application in schedule.applications
        if application.name == job.application
        for row in application.configurations
        if (row.nodes, row.cores_per_node, row.package_cap_w) == key
    ]
    return JobChoice(
        outcome.policy,
        outcome.log,
        outcome.bound_w,
        job.job,
        *key,
        charges[0] if charges else None,
        job.fair_share_w,
        job.wait_s,
        job.turnaround_s,
        job.energy_j,
    )


def room_at_submission(schedule: Schedule, jobs_w: Sequence[float]) -> tuple[int, float] | None:
    """Return nodes and watts that other work leaves free when the only job is submitted.

    ``None`` where there are several jobs or bounds, or no other work.

    Parameters
    ----------
    jobs_w
        Power that jobs may use under each bound [W].
    """
    jobs = [job for log in schedule.logs for job in log.jobs]
    if len(jobs) != 1 or len(schedule.logs) != 1 or len(jobs_w) != 1 or not schedule.occupied:
        return None
    running = [use for use in schedule.occupied if use.until_s > jobs[0].submit_s]
    free_nodes = schedule.cluster.nodes - sum(use.nodes for use in running)
    return free_nodes, jobs_w[0] - sum(use.power_w for use in running)
