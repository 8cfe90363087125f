"""Jobs that Slurm ran, under the simulator's compiled policy of the same rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from planner.configurations.table import Configuration
from planner.scheduling.power.problem import NEVER, JobDetails, PowerJobs, PowerProblem
from planner.scheduling.power.rmap import (
    Greedy,
    adaptive_policy,
    naive_policy,
    traditional_policy,
)
from planner.scheduling.power.truth import PowerTruth
from planner.scheduling.slurm.decision import SlurmRequest
from planner.scheduling.slurm.export import SlurmExport, charge_w


@dataclass(frozen=True)
class Ran:
    """A job as Slurm ran it: what its user requested, and times in seconds.

    ``limit_s`` is Slurm's time limit, with which it plans; ``None`` where the simulator is to plan
    with the expected time of the configuration, as under Adaptive, which changes it.
    """

    request: SlurmRequest
    submit_s: float
    run_s: float
    configuration: Configuration
    limit_s: float | None


@dataclass(frozen=True)
class Simulated:
    """Start [s] and charge [W] of each job by the simulator."""

    start_s: list[float]
    charge_w: list[int]


def simulated(export: SlurmExport, jobs: Sequence[Ran]) -> Simulated:
    """Run the jobs under the policy of the export's rule, charged in whole watts as by Slurm."""
    problem = problem_of(export, jobs)
    schedule = policy_of(export).schedule(problem).schedule
    assert (schedule.start_ms != NEVER).all()
    charge = problem.details.charge_mw[schedule.row] // 1000
    return Simulated((schedule.start_ms / 1000).tolist(), charge.tolist())


def policy_of(export: SlurmExport) -> Greedy:
    if export.rule == "adaptive":
        return adaptive_policy(export.threshold)
    return traditional_policy() if export.rule == "traditional" else naive_policy()


def problem_of(export: SlurmExport, jobs: Sequence[Ran]) -> PowerProblem:
    details, names = details_of(export), sorted(export.applications)
    expected_ms = np.array([_ms(job.configuration.time_s) for job in jobs])
    planned_ms = np.array(
        [expected if job.limit_s is None else _ms(job.limit_s)
         for job, expected in zip(jobs, expected_ms.tolist(), strict=True)]
    )  # fmt: skip
    requests = [job.request for job in jobs]
    power_jobs = PowerJobs(
        number=np.arange(1, len(jobs) + 1),
        submit_ms=np.array([_ms(job.submit_s) for job in jobs]),
        application=np.array([names.index(request.application) for request in requests]),
        nodes=np.array([request.nodes for request in requests]),
        requested_ms=np.array([60_000 * request.minutes for request in requests]),
        weight=np.ones(len(jobs)),
        time_scale=planned_ms / expected_ms,
    )
    factor = np.array([_ms(job.run_s) for job in jobs]) / planned_ms
    truth = PowerTruth(details.time_ms, details.charge_mw, time_factor=factor)
    return PowerProblem(export.nodes, 1000 * export.licences, power_jobs, details, truth)


def details_of(export: SlurmExport) -> JobDetails:
    names = sorted(export.applications)
    rows = [row for name in names for row in export.applications[name]]
    return JobDetails(
        applications=tuple(names),
        first=np.cumsum([0, *(len(export.applications[name]) for name in names)]),
        nodes=np.array([row.nodes for row in rows]),
        cores_per_node=np.array([row.cores_per_node for row in rows]),
        package_cap_w=np.array([row.package_cap_w for row in rows]),
        time_ms=np.array([_ms(row.time_s) for row in rows]),
        charge_mw=np.array([1000 * charge_w(row) for row in rows]),
    )


def _ms(seconds: float) -> int:
    return max(round(1000 * seconds), 0)


def swapped(
    starts: Sequence[float], expected: Sequence[float], tie_s: float
) -> list[tuple[int, int]]:
    """Pairs of jobs that start in one order here and in the other there, each beyond a tie."""
    return [
        (i, j)
        for i, j in combinations(range(len(starts)), 2)
        if (starts[i] - starts[j]) * (expected[i] - expected[j]) < 0
        and abs(starts[i] - starts[j]) > tie_s
        and abs(expected[i] - expected[j]) > tie_s
    ]
