"""Job logs on applications whose speeds next to each other are known.

A log says nothing of applications. :data:`RULE` states how its jobs get them; another seed spreads
the users over the applications anew, so that a result can be seen over many such mappings.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.formatting import plural
from planner.sharing_nodes.queues.problem import MS, SharedJobs, SharedProblem
from planner.sharing_nodes.queues.speeds import Integers, Speeds
from scenarios.job_logs.job_log import MISSING, JobLog

RULE = (
    "Application: from a hash of the seed and the user number (or job number, without users). "
    "Nodes: processors divided by processors per node, rounded up. Run time: as in the log, alone "
    "on whole nodes."
)
"""How jobs of a log get application, nodes and work."""

DAY_S = 86_400

_GOLDEN = 0x9E3779B97F4A7C15
"""2^64 over the golden ratio: multiplication spreads neighbouring numbers."""

_SEEDS = 0xD1B54A32D192ED03


def shared_problem(
    log: JobLog,
    speeds: Speeds,
    *,
    nodes: int | None = None,
    processors_per_node: int = 1,
    cores_per_node: int = 16,
    halves_per_node: int = 2,
    seed: int = 0,
) -> SharedProblem:
    """Put the jobs of a log on a cluster with shared nodes.

    Parameters
    ----------
    log
        As it was read and cleaned, or made by a model.
    speeds
        True speeds of the applications.
    nodes
        Nodes of the cluster; by default the processors of the log's machine over those per node.
    processors_per_node
        Processors of the log that are one node here; by default 1, as on the SP2 of SDSC, whose
        nodes had one processor.
    cores_per_node
        Cores of a node here, which bills count.
    halves_per_node
        As in :class:`~planner.sharing_nodes.queues.problem.SharedProblem`.
    seed
        Seed of the mapping of users to applications.

    Raises
    ------
    InputError
        Processors per node below 1, the size of the machine is not known, or no job fits it.
    """
    if processors_per_node < 1:
        raise InputError(
            f"processors_per_node = {processors_per_node}: a node has at least 1 processor"
        )
    if nodes is None:
        if log.machine_processors is None:
            raise InputError(
                f"{log.file or log.name} does not say how many processors its machine has; give "
                "the number of its nodes (--nodes, in Python nodes=)"
            )
        nodes = -(-log.machine_processors // processors_per_node)
    jobs = SharedJobs(
        number=log.number,
        submit_ms=log.submit_s * MS,
        application=application_of(log, len(speeds), seed),
        nodes=-(-log.processors // processors_per_node),
        run_ms=np.maximum(log.run_s * MS, 1),
        requested_ms=np.maximum(log.requested_s, 1) * MS,
        user=log.user.astype(np.int64),
    )
    problem = SharedProblem(nodes, jobs, speeds, cores_per_node, halves_per_node)
    if len(jobs) and not problem.fits.any():
        raise InputError(
            f"no job of {log.file or log.name} fits {plural(nodes, 'node')}; the smallest takes "
            f"{jobs.nodes.min():,}: give more nodes, or more processors to a node"
        )
    return problem


def application_of(log: JobLog, applications: int, seed: int = 0) -> Integers:
    """Index of each job's application; seed 0 is the mapping of power-aware scheduling."""
    key = np.where(log.user == MISSING, log.number, log.user).astype(np.uint64)
    shift = np.uint64(seed * _SEEDS % (1 << 64))
    spread = ((key + shift) * np.uint64(_GOLDEN)) >> np.uint64(32)
    return (spread % np.uint64(applications)).astype(np.int64)


def at_load(problem: SharedProblem, load: float) -> SharedProblem:
    """Return the same jobs, submitted closer together or further apart.

    Parameters
    ----------
    load
        Node-hours of the jobs that fit, alone on whole nodes, over those of the cluster between the
        first and the last submission; above 0.

    Raises
    ------
    InputError
        No load, or all jobs are submitted at once.
    """
    if not 0 < load < np.inf:
        raise InputError(f"load = {load:g}; give a load above 0, such as 0.9")
    now = offered_load(problem)
    if not now:
        raise InputError("all jobs are submitted at once, so that no load can be set; leave it out")
    jobs = problem.jobs
    submit = np.rint((jobs.submit_ms - jobs.submit_ms[0]) * (now / load)).astype(np.int64)
    return replace(problem, jobs=replace(jobs, submit_ms=submit))


def offered_load(problem: SharedProblem) -> float:
    """Load as :func:`at_load` has it; 0 where all jobs are submitted at once."""
    jobs = problem.jobs
    span = int(jobs.submit_ms[-1] - jobs.submit_ms[0]) if len(jobs) else 0
    work = float((jobs.nodes * jobs.run_ms)[problem.fits].sum())
    return work / (problem.nodes * span) if span else 0.0


def day_of(jobs: SharedJobs, day: int | None = None) -> NDArray[np.bool_]:
    """Flag jobs that are submitted on a day of the log.

    Parameters
    ----------
    day
        Days of 24 hours from the log's zero, counted from 1; by default the one with the most
        submitted node-hours.

    Raises
    ------
    InputError
        No job is submitted on that day.
    """
    days = jobs.submit_ms // (DAY_S * MS)
    if day is None:
        work = np.bincount(days, weights=(jobs.nodes * jobs.run_ms).astype(np.float64))
        day = int(work.argmax()) + 1
    chosen: NDArray[np.bool_] = days == day - 1
    if not chosen.any():
        last = int(days.max()) + 1 if len(days) else 0
        raise InputError(
            f"no job is submitted on day {day}; the log has days 1 to {last}, some without jobs"
        )
    return chosen


def until_day(jobs: SharedJobs, measured: NDArray[np.bool_], warm_up_days: int) -> SharedJobs:
    """Return the jobs of a day, with those of some days before it, which fill the cluster."""
    first = int(jobs.submit_ms[measured][0]) // (DAY_S * MS) - warm_up_days
    last = int(jobs.submit_ms[measured][-1])
    return jobs.take((jobs.submit_ms >= first * DAY_S * MS) & (jobs.submit_ms <= last))
