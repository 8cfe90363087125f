"""Loans of watts: within the bound, to the same nodes and cores, and gone when somebody starts."""

from __future__ import annotations

import numpy as np
import pytest

from planner.scheduling.power.checking.checker import Deadline, violations
from planner.scheduling.power.loop.lending import caps_above
from planner.scheduling.power.problem import JobDetails, PowerJobs, PowerProblem
from planner.scheduling.power.rmap import adaptive_policy
from planner.scheduling.power.truth import PowerTruth
from tests.planner.scheduling.power.random_problems import random_problem
from tests.sizes import few


@pytest.mark.parametrize("kill", ["never", "deadline"])
def test_charges_stay_within_the_bound_with_loans(kill: str) -> None:
    policy = adaptive_policy(lends="unallocated", kill=kill)
    lent = 0
    for seed in range(few(300)):
        problem = random_problem(seed)
        schedule = policy.schedule(problem).schedule
        rule: Deadline = "never" if kill == "never" else "configuration"
        assert not violations(schedule, problem, fair_share=True, deadline=rule), seed
        lent += len(schedule.lent)
    assert lent > 0


def test_what_phases_do_not_draw_is_lent_within_the_bound() -> None:
    policy = adaptive_policy(lends="measured")
    for seed in range(few(300)):
        problem = random_problem(seed, phases=True)
        schedule = policy.schedule(problem).schedule
        assert not violations(schedule, problem, lends_undrawn=True), seed


def test_without_phases_only_unallocated_watts_are_lent() -> None:
    for seed in range(few(100)):
        problem = random_problem(seed, phases=False)
        unallocated = adaptive_policy(lends="unallocated").schedule(problem).schedule
        other = adaptive_policy(lends="measured").schedule(problem).schedule
        assert np.array_equal(unallocated.end_ms, other.end_ms)
        assert np.array_equal(unallocated.lent, other.lent)


def details() -> JobDetails:
    """One node at 50 W takes 100 s, at 100 W half as long; another node count has one cap."""
    return JobDetails(
        applications=("a",),
        first=np.array([0, 3]),
        nodes=np.array([1, 1, 2]),
        cores_per_node=np.array([16, 16, 16]),
        package_cap_w=np.array([51.0, 115.0, 51.0]),
        time_ms=np.array([100_000, 50_000, 90_000]),
        charge_mw=np.array([50_000, 100_000, 300_000]),
    )


def test_rows_above_differ_in_the_cap_alone() -> None:
    first, rows = caps_above(details())
    assert [rows[first[row] : first[row + 1]].tolist() for row in range(3)] == [[1], [], []]


def test_a_loan_ends_when_another_job_starts() -> None:
    """Shares are 50 W of 100 W on 2 nodes; the second job comes after 20 s.

    The first job runs at 100 W for 20 s, which is 40 % of its work; the rest takes 60 s at 50 W, so
    it ends at 80 s. The second then has done 60 % in 60 s, and does the rest in 20 s at 100 W.
    """
    jobs = PowerJobs(
        number=np.array([1, 2]),
        submit_ms=np.array([0, 20_000]),
        application=np.zeros(2, np.int64),
        nodes=np.ones(2, np.int64),
        requested_ms=np.full(2, 1_000_000, np.int64),
        weight=np.ones(2),
    )
    table = details()
    problem = PowerProblem(2, 100_000, jobs, table, PowerTruth(table.time_ms, table.charge_mw))
    schedule = adaptive_policy(lends="unallocated").schedule(problem).schedule
    assert schedule.start_ms.tolist() == [0, 20_000]
    assert schedule.end_ms.tolist() == [80_000, 100_000]
    assert schedule.lent.tolist() == [[0, 0, 1], [0, 20_000, 0], [1, 80_000, 1]]
