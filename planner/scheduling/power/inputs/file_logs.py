"""Job logs from files, on applications of the job details table.

A log says nothing of applications, of the work that a job does on other node counts, or of watts.
So the jobs get these by a rule, which :data:`RULE` states:

- application: users spread over the applications by a hash of the user's number (of the job's
  number where the log has no users), so that one user always runs one application;
- nodes: processors over the processors per node, rounded up; those of the log's machine over the
  nodes of the cluster, unless they are given;
- work: the job takes the log's run time in the packed configuration of its nodes.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from planner.errors import InputError
from planner.scheduling.power.inputs.logs import NO_USER, LogRequests, PowerLog, fitted, power_log
from planner.scheduling.power.problem import MS, Floats, Integers, JobDetails
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.model.schedule import ScheduleLog

RULE = (
    "Application: from a hash of the user number. Nodes: processors divided by processors per "
    "node, rounded up. Run time: as in the log, with all cores and without package caps."
)
"""How jobs of a file get application, nodes and work."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2^64 over the golden ratio: multiplication spreads neighbouring numbers."""


def file_log(
    log: ScheduleLog,
    read: JobLog,
    details: JobDetails,
    true_ms: Integers,
    *,
    cluster_nodes: int,
    weights: Floats,
    unmeasured: Literal["round", "reject"],
) -> PowerLog:
    """Fit the jobs of a file to the cluster and its applications.

    Parameters
    ----------
    read
        The log as it was read and cleaned.
    true_ms
        True time of each row of the table on typical nodes [ms].

    Raises
    ------
    InputError
        The log does not say how large its machine is, or no job is left.
    """
    taken = _taken(log, read)
    application = application_of(taken, len(details.applications))
    # Less a rounding error: whole nodes must not become one more.
    nodes = np.ceil(taken.processors / _processors_per_node(log, taken, cluster_nodes) - 1e-9)
    submit_s = taken.submit_s - taken.submit_s[0]
    requests = LogRequests(
        taken.number,
        submit_s * MS,
        application,
        np.maximum(nodes, 1).astype(np.int64),
        weights[application],
        np.where(taken.user == MISSING, NO_USER, taken.user),
    )
    fit = fitted(requests, details, cluster_nodes, unmeasured)
    run_ms = np.maximum(taken.run_s[fit.accepted] * MS, 1)
    requested_ms = taken.requested_s[fit.accepted] * MS
    true_scale = run_ms / true_ms[fit.row]
    known_ms = run_ms if log.expected_from == "run_time" else np.maximum(requested_ms, 1)
    scale = known_ms / true_ms[fit.row]
    return power_log(
        log.name, requests, fit, requested_ms, time_scale=scale, true_factor=true_scale / scale
    )


def application_of(log: JobLog, applications: int) -> Integers:
    """Return the index of each job's application, by its user; shape ``(jobs,)``."""
    key = np.where(log.user == MISSING, log.number, log.user).astype(np.uint64)
    # Fibonacci hashing (Knuth, TAOCP 3, section 6.4): the product wraps at 2^64, and its upper half
    # is the well-mixed one.
    spread = key * _GOLDEN >> np.uint64(32)
    return (spread % np.uint64(applications)).astype(np.int64)


def _taken(log: ScheduleLog, read: JobLog) -> JobLog:
    """Return as many jobs as the scenario requests, from its first one on."""
    first = log.first_job - 1
    if first >= len(read):
        raise InputError(
            f"log {log.name}: first_job = {log.first_job:,}, and {read.file or read.name} has "
            f"{len(read):,} jobs that can be simulated; give a smaller number"
        )
    last = len(read) if log.job_count is None else first + log.job_count
    return read.take(np.arange(first, min(last, len(read))))


def _processors_per_node(log: ScheduleLog, read: JobLog, cluster_nodes: int) -> float:
    if log.processors_per_node is not None:
        return log.processors_per_node
    if read.machine_processors is None:
        raise InputError(
            f"log {log.name}: {read.file or read.name} does not say how many processors its "
            "machine has; give processors_per_node"
        )
    return max(1.0, read.machine_processors / cluster_nodes)
