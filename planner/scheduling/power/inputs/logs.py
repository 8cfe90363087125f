"""Logs of jobs that request nodes and time: synthetic as in the thesis, or listed.

A requested time is the true time on typical nodes with all cores and without caps, times an
over-estimation factor. It never comes from the configuration that a policy would choose: then a
threshold of 0 would always or never let a job start.

References
----------
Patki (2015), section 5.4: 30 jobs of a log, Poisson arrivals. The thesis gives no rate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

import numpy as np

from planner.errors import InputError
from planner.scheduling.power.inputs.packed import Packed, packed_of
from planner.scheduling.power.problem import MS, SLACK_MS, Floats, Integers, JobDetails, PowerJobs
from scenarios.job_logs.poisson import MEAN_GAP_S, NODES, STEP, Kind, poisson_log
from scenarios.model.schedule import ScheduleLog

NO_USER = -1
"""Number of the user of a job whose log names none."""

JOBS = 30
"""Jobs of a synthetic log (5.4)."""

READ = "jobs read"
KEPT = "jobs kept"
ROUNDED_UP = "requests rounded up to a measured node count"
ROUNDED_DOWN = "requests above all measured node counts, rounded down to the largest"
TOO_LARGE = "requests rejected: more nodes than the cluster has"
UNMEASURED = "requests rejected: no configuration has the node count"
RULES = (ROUNDED_UP, ROUNDED_DOWN, TOO_LARGE, UNMEASURED)
"""What may happen to a request, in words."""


@dataclass(frozen=True, eq=False)
class LogRequests:
    """Requests before they are fitted to the configurations; arrays of shape ``(jobs,)``.

    Attributes
    ----------
    number, application, nodes
        Number of the job, its application and its requested nodes.
    submit_ms
        Submit time [ms], ascending.
    weight
        Priority.
    user
        Number of the user, ``NO_USER`` for none; empty where the log has no users.
    """

    number: Integers
    submit_ms: Integers
    application: Integers
    nodes: Integers
    weight: Floats
    user: Integers = field(default_factory=lambda: np.empty(0, np.int64))

    def __len__(self) -> int:
        return len(self.number)


@dataclass(frozen=True, eq=False)
class FittedRequests:
    """Which requests are kept, and the packed configuration of each.

    Attributes
    ----------
    accepted
        Indices of the requests that are kept, shape ``(jobs,)``.
    nodes, row
        Node count that each of them gets, and its packed row of the job details table.
    counts
        Jobs by what happened to them, in words; those that are 0 too.
    """

    accepted: Integers
    nodes: Integers
    row: Integers
    counts: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class PowerLog:
    """A log that is ready to be scheduled.

    Attributes
    ----------
    name
        As in the scenario.
    jobs
        The jobs.
    true_factor
        True run time over that of the table's truth times ``jobs.time_scale``, without scatter
        from run to run; shape ``(jobs,)``.
    request_index
        Index of each job among all requests that were read, shape ``(jobs,)``.
    counts
        Jobs by what happened to them, in words.
    mean_gap_s
        Mean time between submissions with which a synthetic log was made [s].
    user
        Number of each job's user, ``NO_USER`` for none; empty where the log has no users.
    """

    name: str
    jobs: PowerJobs
    true_factor: Floats
    request_index: Integers
    counts: Mapping[str, int]
    mean_gap_s: float | None = None
    user: Integers = field(default_factory=lambda: np.empty(0, np.int64))


def fitted(
    requests: LogRequests,
    details: JobDetails,
    cluster_nodes: int,
    unmeasured: Literal["round", "reject"],
) -> FittedRequests:
    """Give each request a node count that has a packed configuration, or reject it."""
    nodes = np.zeros(len(requests), dtype=np.int64)
    row = np.full(len(requests), -1, dtype=np.int64)
    for application in np.unique(requests.application).tolist():
        jobs = requests.application == application
        packed = packed_of(details, application)
        index = np.searchsorted(packed.nodes, requests.nodes[jobs])
        index = np.minimum(index, len(packed.nodes) - 1)
        nodes[jobs], row[jobs] = packed.nodes[index], packed.row[index]
    # By the request itself: its rounded count has a row, so it would always seem to fit.
    too_large = requests.nodes > cluster_nodes
    changed = (nodes != requests.nodes) & ~too_large
    refused = changed if unmeasured == "reject" else np.zeros_like(changed)
    accepted = np.flatnonzero(~too_large & ~refused)
    rounded = changed & ~refused
    counts = {
        READ: len(requests),
        KEPT: len(accepted),
        ROUNDED_UP: int((rounded & (nodes > requests.nodes)).sum()),
        ROUNDED_DOWN: int((rounded & (nodes < requests.nodes)).sum()),
        TOO_LARGE: int(too_large.sum()),
        UNMEASURED: int(refused.sum()),
    }
    return FittedRequests(accepted, nodes[accepted], row[accepted], counts)


def synthetic_log(
    log: ScheduleLog,
    details: JobDetails,
    true_ms: Integers,
    *,
    cluster_nodes: int,
    weights: Floats,
    unmeasured: Literal["round", "reject"],
    seed: np.random.SeedSequence,
) -> PowerLog:
    """Generate a synthetic log of the kind ``small``, ``large`` or ``random``.

    Sizes are in steps of 4 nodes, and all applications are equally likely.

    Parameters
    ----------
    true_ms
        True time of each row of the table on typical nodes [ms].
    weights
        Priority of each application.
    seed
        Seed of sizes, gaps and applications, the same for each bound and policy.

    Raises
    ------
    InputError
        No job is left: the cluster is too small for the kind of log.
    """
    kind = cast("Kind", log.kind)
    gap_s = mean_gap_s(log, details, true_ms, cluster_nodes)
    trace, choice = seed.spawn(2)
    count = log.job_count or JOBS
    synthetic = poisson_log(kind, int(trace.generate_state(1)[0]), jobs=count, mean_gap_s=gap_s)
    application = np.random.default_rng(choice).integers(len(details.applications), size=count)
    requests = LogRequests(
        synthetic.number,
        synthetic.submit_s * MS,
        application,
        synthetic.processors,
        weights[application],
    )
    fit = fitted(requests, details, cluster_nodes, unmeasured)
    requested = np.ceil(true_ms[fit.row] * log.estimate_factor - SLACK_MS).astype(np.int64)
    return power_log(log.name, requests, fit, requested, mean_gap_s=gap_s)


def listed_log(
    log: ScheduleLog,
    details: JobDetails,
    *,
    cluster_nodes: int,
    weights: Floats,
    unmeasured: Literal["round", "reject"],
) -> PowerLog:
    """Take the jobs that a scenario lists, in order of submission.

    Raises
    ------
    InputError
        No job is left, or one names an application without details.
    """
    codes = {name: index for index, name in enumerate(details.applications)}
    for job in log.jobs:
        if job.application not in codes:
            raise InputError(
                f"log {log.name}: no application is called {job.application!r}; there are "
                f"{', '.join(codes)}"
            )
    order = sorted(range(len(log.jobs)), key=lambda position: log.jobs[position].submit_s)
    jobs = [log.jobs[position] for position in order]
    application = [codes[job.application] for job in jobs]
    priority = [
        float(weights[of]) if job.priority is None else job.priority
        for of, job in zip(application, jobs, strict=True)
    ]
    requests = LogRequests(
        np.array(order, dtype=np.int64) + 1,
        np.array([round(job.submit_s * MS) for job in jobs], dtype=np.int64),
        np.array(application, dtype=np.int64),
        np.array([job.nodes for job in jobs], dtype=np.int64),
        np.array(priority),
    )
    fit = fitted(requests, details, cluster_nodes, unmeasured)
    requested = np.array([round(job.requested_s * MS) for job in jobs], dtype=np.int64)
    return power_log(log.name, requests, fit, requested[fit.accepted])


def mean_gap_s(
    log: ScheduleLog, details: JobDetails, true_ms: Integers, cluster_nodes: int
) -> float:
    """Return the mean time between submissions: as given, or what gives the offered load [s].

    The offered load is ``E[n t] / (gap N_cluster)``: mean node-seconds of a job in its packed
    configuration over those that the cluster has in a gap.
    """
    if log.offered_load is None:
        return log.mean_gap_s if log.mean_gap_s is not None else MEAN_GAP_S
    few, many = NODES[cast("Kind", log.kind)]
    sizes = np.arange(few, many + 1, STEP)
    sizes = sizes[sizes <= cluster_nodes]
    work = [
        _mean_work_s(sizes, packed_of(details, application), true_ms)
        for application in range(len(details.applications))
    ]
    return float(np.mean(work)) / (log.offered_load * cluster_nodes)


def _mean_work_s(sizes: Integers, packed: Packed, true_ms: Integers) -> float:
    """Mean node-seconds of requests for these sizes; 0 where the cluster has room for none."""
    if not len(sizes):
        return 0.0
    index = np.minimum(np.searchsorted(packed.nodes, sizes), len(packed.nodes) - 1)
    return float((packed.nodes[index] * true_ms[packed.row[index]]).mean() / MS)


def power_log(
    name: str,
    requests: LogRequests,
    fit: FittedRequests,
    requested_ms: Integers,
    *,
    time_scale: Floats | None = None,
    true_factor: Floats | None = None,
    mean_gap_s: float | None = None,
) -> PowerLog:
    """Put the kept jobs of a log together.

    Parameters
    ----------
    requested_ms, time_scale, true_factor
        Values of the kept jobs, shape ``(jobs,)``.

    Raises
    ------
    InputError
        No job is left.
    """
    if not len(fit.accepted):
        why = ", ".join(f"{count} {rule}" for rule in RULES if (count := fit.counts[rule]))
        raise InputError(
            f"log {name} has no job that can run ({why or 'it is empty'}); give a larger cluster, "
            "smaller requests, or unmeasured = 'round'"
        )
    ones = np.ones(len(fit.accepted))
    jobs = PowerJobs(
        number=requests.number[fit.accepted],
        submit_ms=requests.submit_ms[fit.accepted],
        application=requests.application[fit.accepted],
        nodes=fit.nodes,
        requested_ms=np.maximum(requested_ms, 1),
        weight=requests.weight[fit.accepted],
        time_scale=ones if time_scale is None else time_scale,
    )
    factor = ones if true_factor is None else true_factor
    user = requests.user[fit.accepted] if len(requests.user) else requests.user
    return PowerLog(name, jobs, factor, fit.accepted, fit.counts, mean_gap_s, user)
