"""The choices of a comparison of few listed jobs, and what other work leaves free for them.

A log of one or a few listed jobs has no statistics. A reader sees why a policy is ahead from what
is free when a job is submitted, and from the configuration that each policy chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.scheduling.power.results.jobs import JobOutcome
from planner.scheduling.power.results.result import PolicyOutcome
from scenarios.model.schedule import Schedule

Row = dict[str, Any]
MOST_CHOICES = 12
"""Jobs of all runs together that are listed one by one."""
_KEY = ("nodes", "cores_per_node", "package_cap_w")


def single_job(outcomes: Sequence[PolicyOutcome]) -> bool:
    """Return whether every run has one job only, so that shares and fairness say nothing."""
    return all(len(outcome.jobs) == 1 for outcome in outcomes)


def choices_of(schedule: Schedule, outcomes: Sequence[PolicyOutcome]) -> tuple[Row, ...]:
    """Return every job of every run, where the jobs are listed, few, and have one seed.

    A row has the job's configuration and times. ``charged_w`` is its power at its start [W];
    ``None`` where its application lists no configurations.
    """
    listed = {log.name for log in schedule.logs if log.kind == "listed"}
    few = sum(len(outcome.jobs) for outcome in outcomes) <= MOST_CHOICES
    seeds = {outcome.seed for outcome in outcomes}
    if not few or len(seeds) != 1 or any(outcome.log not in listed for outcome in outcomes):
        return ()
    return tuple(_choice(schedule, outcome, job) for outcome in outcomes for job in outcome.jobs)


def _choice(schedule: Schedule, outcome: PolicyOutcome, job: JobOutcome) -> Row:
    key = tuple(getattr(job, name) for name in _KEY)
    charges = [
        row.power_w
        for application in schedule.applications
        if application.name == job.application
        for row in application.configurations
        if (row.nodes, row.cores_per_node, row.package_cap_w) == key
    ]
    times = ("fair_share_w", "wait_s", "turnaround_s", "energy_j")
    return {
        **{name: getattr(outcome, name) for name in ("policy", "log", "bound_w")},
        **{name: getattr(job, name) for name in ("job", *_KEY)},
        "charged_w": charges[0] if charges else None,
        **{name: getattr(job, name) for name in times},
    }


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
