"""What explains a comparison of few jobs: other work at the start, waits, and choices.

A log of one or a few listed jobs has no statistics. A reader sees why a policy is ahead from what
is free when a job is submitted, and from the configuration that each policy chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planner.formatting import duration, plural, watts, words
from planner.scheduling.power.headline import label
from planner.scheduling.power.results.jobs import JobOutcome
from planner.scheduling.power.results.result import PolicyOutcome
from scenarios.model.schedule import Schedule, ScheduleJob

MOST_CHOICES = 12
"""Jobs of all runs together that are listed one by one."""


@dataclass(frozen=True)
class JobChoice:
    """A job of a listed log under a policy: its configuration and its times.

    Attributes
    ----------
    charged_w
        Power charged to the job [W]; ``None`` where its application lists no configurations.
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
    wait_s: float | None
    turnaround_s: float | None


def single_job(outcomes: Sequence[PolicyOutcome]) -> bool:
    """Return whether every run has one job only, so that shares and fairness say nothing."""
    return all(len(outcome.jobs) == 1 for outcome in outcomes)


def choices_of(schedule: Schedule, outcomes: Sequence[PolicyOutcome]) -> tuple[JobChoice, ...]:
    """Return every job of every run, where the jobs are listed, few, and have one seed."""
    listed = {log.name: log.jobs for log in schedule.logs if log.kind == "listed"}
    few = sum(len(outcome.jobs) for outcome in outcomes) <= MOST_CHOICES
    seeds = {outcome.seed for outcome in outcomes}
    if not few or len(seeds) != 1 or any(outcome.log not in listed for outcome in outcomes):
        return ()
    return tuple(
        _choice(schedule, outcome, job, stated)
        for outcome in outcomes
        for job in outcome.jobs
        if (stated := _stated(listed[outcome.log], job.job)) is not None
    )


def _stated(jobs: Sequence[ScheduleJob], number: int) -> ScheduleJob | None:
    return jobs[number - 1] if 1 <= number <= len(jobs) else None


def _choice(
    schedule: Schedule, outcome: PolicyOutcome, job: JobOutcome, stated: ScheduleJob
) -> JobChoice:
    key = (job.nodes, job.cores_per_node, job.package_cap_w)
    charges = [
        row.power_w
        for application in schedule.applications
        if application.name == job.application
        for row in application.configurations
        if (row.nodes, row.cores_per_node, row.package_cap_w) == key
    ]
    wait_s = None if job.start_s is None else job.start_s - stated.submit_s
    return JobChoice(
        outcome.policy,
        outcome.log,
        outcome.bound_w,
        job.job,
        *key,
        charges[0] if charges else None,
        wait_s,
        job.turnaround_s,
    )


def load_text(schedule: Schedule, jobs_w: Sequence[float] = ()) -> str:
    """Return what other work occupies when the logs begin; empty where nothing runs.

    Parameters
    ----------
    jobs_w
        Power that jobs may use under each bound [W].
    """
    if not schedule.occupied:
        return ""
    nodes = sum(use.nodes for use in schedule.occupied)
    power_w = sum(use.power_w for use in schedule.occupied)
    ends = dict.fromkeys(duration(use.until_s) for use in schedule.occupied)
    of = f" of the {watts(jobs_w[0])}" if len(set(jobs_w)) == 1 else ""
    return (
        f"At the start, other work occupies {nodes:,} of {plural(schedule.cluster.nodes, 'node')} "
        f"and {watts(power_w)}{of}, until {words(ends)}."
    )


def fit_text(schedule: Schedule, choices: Sequence[JobChoice], jobs_w: Sequence[float]) -> str:
    """Return what other work leaves free, and which of the chosen configurations fit at once.

    It explains waits of the only job under the only bound; empty where it would not, or where all
    fit.

    Parameters
    ----------
    jobs_w
        Power that jobs may use under each bound [W].
    """
    jobs = [job for log in schedule.logs for job in log.jobs]
    charges = [(choice, choice.charged_w, choice.wait_s) for choice in choices]
    if len(jobs) != 1 or len(set(jobs_w)) != 1 or not schedule.occupied:
        return ""
    running = [use for use in schedule.occupied if use.until_s > jobs[0].submit_s]
    free_w = jobs_w[0] - sum(use.power_w for use in running)
    free_nodes = schedule.cluster.nodes - sum(use.nodes for use in running)
    fitting: list[tuple[str, str]] = []
    for choice, charged_w, wait_s in charges:
        if charged_w is None or wait_s is None or choice.nodes is None:
            return ""
        fits = charged_w <= free_w and choice.nodes <= free_nodes
        if fits is not (wait_s == 0):
            return ""
        if fits:
            fitting.append((label(choice.policy), watts(charged_w)))
    if len(fitting) == len(charges):
        return ""
    when = "So" if len(running) == len(schedule.occupied) else "When the job is submitted,"
    free = f"{when} {plural(free_nodes, 'node')} and {watts(free_w)} are free"
    if not fitting:
        return f"{free}: no chosen configuration fits at once."
    named = words(f"{name} (charged {charged})" for name, charged in fitting)
    which, fit = ("configuration", "fits") if len(fitting) == 1 else ("configurations", "fit")
    return f"{free}: only the {which} of {named} {fit} at once."


def share_text(schedule: Schedule, jobs_w: Sequence[float]) -> str:
    """Return the fair share of the only listed job under the only bound; empty for others.

    Parameters
    ----------
    jobs_w
        Power that jobs may use under each bound [W].
    """
    jobs = [job for log in schedule.logs for job in log.jobs]
    if len(jobs) != 1 or len(schedule.logs) != 1 or len(jobs_w) != 1:
        return ""
    (job,) = jobs
    weights = {application.name: application.priority for application in schedule.applications}
    weight = weights.get(job.application, 1.0) if job.priority is None else job.priority
    share_w = weight * job.nodes / schedule.cluster.nodes * jobs_w[0]
    return f"The fair share of this job is {watts(min(share_w, jobs_w[0]))}."


def waits_text(choices: Sequence[JobChoice]) -> str:
    """Return how long the jobs wait under each policy; empty where they wait equally long."""
    waits: dict[str, list[float]] = {}
    for choice in choices:
        if choice.wait_s is not None:
            waits.setdefault(choice.policy, []).append(choice.wait_s)
    single = all(len(values) == 1 for values in waits.values())
    by_text: dict[str, list[str]] = {}
    for policy, values in waits.items():
        mean_s = sum(values) / len(values)
        by_text.setdefault(duration(mean_s) if mean_s else "", []).append(policy)
    if len(by_text) < 2:
        return ""
    if not single:
        means = (f"{text or '0 s'} under {words(map(label, policies))}"
                 for text, policies in by_text.items())  # fmt: skip
        return f"Mean wait is {words(means)}."
    return f"{'; '.join(_waits(by_text))}."


def _waits(by_text: dict[str, list[str]]) -> Iterator[str]:
    for text, policies in by_text.items():
        wait, start = ("wait", "start") if len(policies) > 1 else ("waits", "starts")
        yield f"{words(map(label, policies))} {f'{wait} {text}' if text else f'{start} at once'}"


def job_text(schedule: Schedule) -> str:
    """Return request and application of the only listed job; empty where there are more."""
    jobs = [job for log in schedule.logs for job in log.jobs]
    if len(jobs) != 1 or len(schedule.logs) != 1:
        return ""
    (job,) = jobs
    configurations = [
        row
        for application in schedule.applications
        if application.name == job.application
        for row in application.configurations
    ]
    listed = f" It has {plural(len(configurations), 'configuration')}." if configurations else ""
    return (
        f"The job requests {plural(job.nodes, 'node')} for {duration(job.requested_s)} at "
        f"{duration(job.submit_s) if job.submit_s else 'time 0'}.{listed}"
    )
