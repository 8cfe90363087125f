"""A day of jobs from a log on nodes that may be shared: waits, energy, revenue and bills.

Applications get their speeds next to each other from the simulated node. The scheduler and the
prices see estimates of a trial on that node, never the law.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.formatting import plural
from planner.plain_numbers import plainly
from planner.pricing.trial import EARLIER_OF
from planner.sharing_nodes.queue_bills.study import QueuePriceStudy
from planner.sharing_nodes.queues.bills import PerformanceEstimate
from planner.sharing_nodes.queues.checker import violations
from planner.sharing_nodes.queues.comparison import compare
from planner.sharing_nodes.queues.logs import day_of, shared_problem, until_day
from planner.sharing_nodes.queues.problem import SharedProblem
from planner.sharing_nodes.queues.replications import replicate
from planner.sharing_nodes.queues.rules import (
    HALF_IDLE,
    WHOLE,
    SharingRule,
    admitted_by_gain,
    gate_of,
    sharing,
)
from planner.sharing_nodes.queues.simulated import (
    POLLING_ERROR,
    half_socket_speeds,
    measured_half_socket_speeds,
)
from planner.sharing_nodes.queues.speeds import Speeds, speeds_of
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import read_job_log

if TYPE_CHECKING:
    from planner.api import FilePath

WARM_UP_DAYS = 7
"""Days before the priced one that fill the machine."""
MARGIN = 0.1
"""Share that is added to the expected run times of jobs that share, for errors of the estimates."""


@plainly
def price_log(
    log: JobLog | FilePath,
    *,
    day: int | None = None,
    nodes: int | None = None,
    processors_per_node: int = 1,
    cores_per_node: int = 16,
    seeds: int = 1,
    workers: int = 1,
    columns: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> QueuePriceStudy:
    """Run a day of a log with and without shared nodes, and price its jobs.

    Parameters
    ----------
    log
        Jobs, or the path of a log (SWF, Slurm, PBS or CSV). Each user is mapped to one of the
        twelve applications by a stated rule.
    day
        Day of the log, counted from 1; by default the one with the most submitted node-hours.
    nodes
        Nodes of the machine; by default its processors over ``processors_per_node``.
    processors_per_node
        Processors of the log that are one node.
    cores_per_node
        Cores of a node, which bills count.
    seeds
        Mappings of users to applications that are tried; the first is shown in full.
    workers
        Processes of the trial on the simulated node.
    columns
        Headings of a CSV log by what the columns hold.
    progress
        Called with the number of finished seeds, and of all.

    Returns
    -------
    QueuePriceStudy
        ``comparison`` has the day under each rule, ``replications`` the same over several mappings.

    Raises
    ------
    InputError
        The log has no such day, no job of it fits, or the log does not say how large its machine
        is.
    ScenarioError
        The log cannot be read.
    """
    if day is not None and day < 1:
        raise InputError(f"day {day}: the days of a log are numbered from 1; give a positive day")
    read = log if isinstance(log, JobLog) else read_job_log(os.fspath(log), columns=columns or None)
    speeds = half_socket_speeds()

    def problem(seed: int) -> SharedProblem:
        return shared_problem(
            read,
            speeds,
            nodes=nodes,
            processors_per_node=processors_per_node,
            cores_per_node=cores_per_node,
            seed=seed,
        )

    _of_the_day(problem(0), day)  # refuses what cannot be simulated before the trial runs
    poppa = measured_half_socket_speeds("algorithm-4", 0.0, workers)
    ours = measured_half_socket_speeds(EARLIER_OF, POLLING_ERROR, workers)
    full = speeds.full / speeds.half  # solo runs give the slowdown by the layout itself
    estimates = (
        PerformanceEstimate("POPPA", poppa[0], full, poppa[1], unbiased=False),
        PerformanceEstimate("Headroom", ours[0], full, ours[1], unbiased=True),
    )
    return priced_day(read, problem, estimates, day=day, seeds=seeds, progress=progress)


def priced_day(
    read: JobLog,
    problem: Callable[[int], SharedProblem],
    estimates: tuple[PerformanceEstimate, PerformanceEstimate],
    *,
    day: int | None = None,
    seeds: int = 1,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> QueuePriceStudy:
    """Run a day with and without shared nodes, and price its jobs by estimates.

    Parameters
    ----------
    problem
        The whole log under the mapping of a seed.
    estimates
        By POPPA and by Headroom; pairs are admitted by the second.
    """
    first, measured = _of_the_day(problem(0), day)
    rules = rules_of(estimates[1], first.speeds)
    shown = compare(first, rules, estimates, measured=measured)
    progress(1, seeds)
    several = None
    if seeds > 1:
        numbers = range(seeds)
        days = (_of_the_day(problem(seed), day)[0] for seed in numbers)
        several = replicate(
            days, numbers, rules, estimates, progress=lambda seed: progress(seed + 1, seeds)
        )
    broken = [
        (outcome.rule, violation)
        for outcome, rule in zip(shown.outcomes, (WHOLE, *rules), strict=True)
        for violation in violations(outcome.schedule, first, rule)
    ]
    return QueuePriceStudy(read, shown, several, tuple(broken))


def rules_of(estimate: PerformanceEstimate, speeds: Speeds) -> tuple[SharingRule, ...]:
    """The rules that are compared with whole nodes; pairs are admitted by an estimate."""
    believed = speeds_of(speeds.applications, estimate.pair, full=speeds.full)
    gate = gate_of(believed, admitted_by_gain(believed), partner="first", margin=MARGIN)
    return HALF_IDLE, sharing(gate, "spread"), sharing(gate, "wait")


def _of_the_day(problem: SharedProblem, day: int | None) -> tuple[SharedProblem, NDArray[np.bool_]]:
    """The jobs up to the end of a day, and which of them are submitted on it."""
    chosen = day_of(problem.jobs, day)
    jobs = until_day(problem.jobs, chosen, WARM_UP_DAYS)
    selected = replace(problem, jobs=jobs)
    first = int(problem.jobs.submit_ms[chosen][0])
    last = int(problem.jobs.submit_ms[chosen][-1])
    measured = (jobs.submit_ms >= first) & (jobs.submit_ms <= last)
    if not (measured & selected.fits).any():
        raise InputError(
            f"no job of the day fits {plural(problem.nodes, 'node')}; the smallest takes "
            f"{jobs.nodes[measured].min():,}: give another day, or more nodes"
        )
    return selected, measured
