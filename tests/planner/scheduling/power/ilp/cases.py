"""Power problems of the size that an ILP scheduler meets: eight simulated applications, class D."""

from __future__ import annotations

import functools

import numpy as np

from planner.scheduling.power.events.moment import PowerJob, PowerMoment, RunningJob
from planner.scheduling.power.problem import JobDetails, PowerJobs, PowerProblem
from planner.scheduling.power.truth import PowerTruth
from scenarios.simulated import NAMES, SimulatedCluster, grid, load_applications, truth

NODES = 64
BOUNDS_W = (6500, 8000, 10000, 12000, 14720)
REQUESTS = np.arange(8, NODES + 1, 4)


@functools.cache
def simulated_details() -> JobDetails:
    """The eight applications on the grid of the thesis, 375 rows each; simulated."""
    cluster, applications = SimulatedCluster.typical(NODES), load_applications("D")
    nodes, cores, caps = grid("D")
    laws = [truth(cluster, applications[name], nodes, cores, caps) for name in NAMES]
    return JobDetails(
        tuple(NAMES),
        len(nodes) * np.arange(len(NAMES) + 1),
        np.tile(nodes, len(NAMES)),
        np.tile(cores, len(NAMES)),
        np.tile(caps, len(NAMES)),
        np.concatenate([np.ceil(1000 * law.time_s) for law in laws]).astype(np.int64),
        np.concatenate([np.rint(1000 * law.package_power_w) for law in laws]).astype(np.int64),
    )


def moment(queue: int, seed: int, *, busy: bool = True) -> PowerMoment:
    """A queue of jobs in a cluster of which up to half is busy; bounds take turns with the seed."""
    rng, details = np.random.default_rng([seed, queue]), simulated_details()
    bound_mw = 1000 * BOUNDS_W[seed % len(BOUNDS_W)]
    now_ms = 3_600_000
    waiting = tuple(_job(rng, number, bound_mw, now_ms) for number in range(queue))
    running = _running(rng, queue, bound_mw, now_ms) if busy else ()
    return PowerMoment(
        time_ms=now_ms,
        nodes=NODES,
        free_nodes=NODES - sum(run.nodes for run in running),
        bound_mw=bound_mw,
        free_mw=bound_mw - sum(run.charge_mw for run in running),
        waiting=tuple(sorted(waiting, key=lambda job: job.submit_ms)),
        running=running,
        occupied=(),
        details=details,
    )


def _job(rng: np.random.Generator, number: int, bound_mw: int, now_ms: int) -> PowerJob:
    nodes = int(rng.choice(REQUESTS))
    return PowerJob(
        number,
        int(rng.integers(len(NAMES))),
        nodes,
        1000 * int(rng.integers(100, 900)),
        nodes * bound_mw // NODES,
        now_ms - int(rng.integers(0, 1_800_000)),
    )


def _running(
    rng: np.random.Generator, number: int, bound_mw: int, now_ms: int
) -> tuple[RunningJob, ...]:
    """Jobs that took up to half of nodes and watts, by expected end."""
    details, runs = simulated_details(), list[RunningJob]()
    nodes, free_mw = NODES // 2, bound_mw // 2
    for offset in range(int(rng.integers(0, 4))):
        job = _job(rng, number + offset, bound_mw, now_ms)
        rows = np.arange(len(details))[details.rows(job.application)]
        rows = rows[(details.nodes[rows] <= nodes) & (details.charge_mw[rows] <= free_mw)]
        if not len(rows):
            continue
        row = int(rng.choice(rows))
        began = now_ms - int(rng.integers(0, details.time_ms[row]))
        end_ms = began + int(details.time_ms[row])
        charge, count = int(details.charge_mw[row]), int(details.nodes[row])
        runs.append(RunningJob(job, row, count, charge, began, end_ms))
        nodes, free_mw = nodes - count, free_mw - charge
    return tuple(sorted(runs, key=lambda run: run.expected_end_ms))


def simulated_log(
    jobs: int, seed: int, *, gap_s: float = 60.0, whole_s: bool = False
) -> PowerProblem:
    """A log of Poisson arrivals; ``whole_s`` rounds all times up to whole seconds. Simulated."""
    rng, details = np.random.default_rng([seed, jobs]), simulated_details()
    time_ms = details.time_ms
    if whole_s:
        time_ms = -(-time_ms // 1000) * 1000
        details = JobDetails(
            details.applications,
            details.first,
            details.nodes,
            details.cores_per_node,
            details.package_cap_w,
            time_ms,
            details.charge_mw,
        )
    submit = np.cumsum(rng.exponential(gap_s, jobs)) - gap_s
    submit_ms = 1000 * np.maximum(np.ceil(submit), 0).astype(np.int64)
    return PowerProblem(
        nodes=NODES,
        bound_mw=1000 * BOUNDS_W[seed % len(BOUNDS_W)],
        jobs=PowerJobs(
            number=np.arange(1, jobs + 1),
            submit_ms=np.maximum.accumulate(submit_ms),
            application=rng.integers(0, len(NAMES), jobs),
            nodes=rng.choice(REQUESTS, jobs),
            requested_ms=1000 * rng.integers(100, 900, jobs),
            weight=np.ones(jobs),
        ),
        details=details,
        truth=PowerTruth(time_ms, details.charge_mw),
    )
