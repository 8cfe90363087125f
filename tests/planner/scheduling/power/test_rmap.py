"""RMAP's compiled policies: against the literal ones, Table 5.2, and published EASY starts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from planner.errors import InputError
from planner.scheduling.power.loop.waiting import BLOCK
from planner.scheduling.power.problem import (
    JobDetails,
    Occupied,
    PowerJobs,
    PowerProblem,
    PowerSchedule,
)
from planner.scheduling.power.rmap import (
    Backfill,
    Greedy,
    adaptive_policy,
    naive_policy,
    traditional_policy,
)
from planner.scheduling.power.truth import PowerTruth
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import read_job_log
from tests.planner.scheduling.power.literal import LiteralPolicy
from tests.planner.scheduling.power.random_problems import random_problem
from tests.shared_data import TRACES, needs_data
from tests.sizes import few

POLICIES = (
    ("traditional", None),
    ("naive", None),
    ("adaptive", 0.0),
    ("adaptive", 0.25),
    ("adaptive", None),
)
SEEDS = (43, 153, *(seed for seed in range(200) if seed not in (43, 153)))
"""In 43 two jobs end at an instant and Adaptive's second pass starts one more; in 153 Adaptive
starts a job as fewer watts are free than when it was submitted."""

LONG_QUEUES = (24, 15, 62, 36, 7, 17, 26, 39)
"""Seeds of problems of which most jobs wait; in 24 a rejected job is submitted while they do."""

BACKFILLS: tuple[Backfill, ...] = ("none", "head", "conservative")


def compiled(rule: str, threshold: float | None, backfill: Backfill, **options: Any) -> Greedy:
    if rule == "adaptive":
        return adaptive_policy(threshold, backfill=backfill, **options)
    policy = traditional_policy if rule == "traditional" else naive_policy
    return policy(backfill=backfill, **options)


def literal(
    rule: str, threshold: float | None, backfill: Backfill, **options: Any
) -> LiteralPolicy:
    name: Any = "easy" if backfill == "head" else backfill
    kind: Any = rule
    return LiteralPolicy(rule=kind, threshold=threshold, backfill=name, **options)


def differences(first: PowerSchedule, second: PowerSchedule) -> list[str]:
    names = ("start_ms", "end_ms", "row", "node_first", "node", "rounded", "killed")
    return [
        name for name in names if not np.array_equal(getattr(first, name), getattr(second, name))
    ]


@pytest.mark.parametrize("backfill", BACKFILLS)
@pytest.mark.parametrize(("rule", "threshold"), POLICIES)
@pytest.mark.parametrize("kill", ["never", "deadline"])
def test_every_start_configuration_and_node_is_that_of_the_literal_policy(
    rule: str, threshold: float | None, backfill: Backfill, kill: str
) -> None:
    for seed in SEEDS[: few(len(SEEDS))]:
        problem = random_problem(seed)
        order = np.random.default_rng(seed).permutation(problem.nodes).tolist()
        preferred = tuple(order) if seed % 2 else ()
        options: dict[str, Any] = {"kill": kill}
        fast = compiled(rule, threshold, backfill, node_order=preferred, **options)
        slow = literal(rule, threshold, backfill, node_order=preferred or None, **options)
        result = differences(fast.schedule(problem).schedule, slow.schedule(problem).schedule)
        assert not result, (seed, result)


@pytest.mark.parametrize(("rule", "threshold"), POLICIES)
def test_long_queues_start_as_by_the_literal_policy(rule: str, threshold: float | None) -> None:
    """Hundreds of jobs wait at once, over several blocks of the queue's index."""
    for seed in LONG_QUEUES[: few(len(LONG_QUEUES), 1)]:
        problem = random_problem(seed, most_jobs=300, law=False)
        at_once = np.cumsum(np.diff(problem.jobs.submit_ms, prepend=0) // 8)
        jobs = replace(problem.jobs, submit_ms=at_once)
        problem = replace(problem, jobs=jobs)
        fast = compiled(rule, threshold, "head").schedule(problem).schedule
        slow = literal(rule, threshold, "head").schedule(problem).schedule
        assert not differences(fast, slow), seed
        waits = fast.start_ms[fast.runs] - jobs.submit_ms[fast.runs]
        assert (waits > 0).sum() > 3 * BLOCK


def table_5_2() -> PowerProblem:
    """SP-MZ in three configurations; job A holds 50 nodes and 7,250 W for 1,000 s."""
    details = JobDetails(
        applications=("SP-MZ",),
        first=np.array([0, 3]),
        nodes=np.array([6, 8, 8]),
        cores_per_node=np.array([16, 12, 10]),
        package_cap_w=np.array([115.0, 65.0, 80.0]),
        time_ms=np.array([447_900, 415_300, 439_200]),
        charge_mw=np.array([796_400, 783_800, 738_200]),
    )
    ones = np.ones(1, np.int64)
    jobs = PowerJobs(ones, 0 * ones, 0 * ones, 6 * ones, 450_000 * ones, np.ones(1))
    truth = PowerTruth(details.time_ms, details.charge_mw)
    occupied = (Occupied(50, 7_250_000, 1_000_000),)
    return PowerProblem(60, 8_000_000, jobs, details, truth, occupied=occupied)


@pytest.mark.parametrize(
    ("policy", "row", "turnaround_s"),
    [
        (traditional_policy(), 0, 1447.9),
        (naive_policy(), 1, 1415.3),
        (adaptive_policy(), 2, 439.2),
    ],
)
def test_table_5_2(policy: Greedy, row: int, turnaround_s: float) -> None:
    problem = table_5_2()
    assert problem.fair_share_mw.tolist() == [800_000]
    schedule = policy.schedule(problem).schedule
    assert schedule.row.tolist() == [row]
    assert schedule.end_ms.tolist() == [round(turnaround_s * 1000)]


def test_a_threshold_below_zero_is_refused() -> None:
    with pytest.raises(InputError, match=r"threshold = -0.1 .* give 0 or more"):
        adaptive_policy(-0.1)


def easy_problem(log: JobLog, nodes: int) -> PowerProblem:
    """No bound, and one configuration per job: its processors, its requested and its run time."""
    counts, application = np.unique(log.processors, return_inverse=True)
    ones = np.ones(len(counts))
    details = JobDetails(
        applications=tuple(f"{count} processors" for count in counts),
        first=np.arange(len(counts) + 1),
        nodes=counts,
        cores_per_node=ones.astype(np.int64),
        package_cap_w=115 * ones,
        time_ms=(1000 * ones).astype(np.int64),
        charge_mw=(0 * ones).astype(np.int64),
    )
    estimate = np.maximum(log.requested_s, 1)
    jobs = PowerJobs(
        number=log.number,
        submit_ms=log.submit_s * 1000,
        application=application,
        nodes=log.processors,
        requested_ms=estimate * 1000,
        weight=np.ones(len(log.number)),
        time_scale=estimate.astype(np.float64),
    )
    truth = PowerTruth(details.time_ms, details.charge_mw, time_factor=log.run_s / estimate)
    return PowerProblem(nodes, 1000, jobs, details, truth)


@needs_data
@pytest.mark.parametrize(
    ("name", "jobs", "nodes"), [("SDSC-SP2", 54_006, 128), ("SDSC-BLUE", 232_542, 1152)]
)
def test_without_a_bound_every_job_starts_as_published_under_easy(
    name: str, jobs: int, nodes: int
) -> None:
    log = read_job_log(TRACES / f"{name}.swf.gz")
    problem = easy_problem(log, nodes)
    schedule = traditional_policy().schedule(problem).schedule
    starts = pd.Series(schedule.start_ms // 1000, index=problem.jobs.number)
    table = pd.read_csv(TRACES / f"{name}_EASY_pyss-predictsim-2015.csv.gz")
    assert len(table) == jobs
    assert (starts.loc[table["job"]].to_numpy() == table["start"].to_numpy()).all()
