"""Performance of shared jobs over their nodes, and bills that rest on it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from planner.errors import InputError
from planner.sharing_nodes.queues.bills import PerformanceEstimate, bills, oracle, state_of_practice
from planner.sharing_nodes.queues.checker import nodes_of
from planner.sharing_nodes.queues.engine import schedule
from planner.sharing_nodes.queues.meetings import meetings_of
from planner.sharing_nodes.queues.performance import COMBINATIONS, Combination, performance
from planner.sharing_nodes.queues.problem import SharedProblem, SharedSchedule
from planner.sharing_nodes.queues.rules import WHOLE, gate_of, sharing
from planner.sharing_nodes.queues.speeds import Floats
from tests.planner.sharing_nodes.queues.random_problems import random_case
from tests.planner.sharing_nodes.queues.test_loop import TWO, one_by_one
from tests.sizes import few

GATE = gate_of(TWO, [[0, 1], [1, 0]])


def partner(plan: SharedSchedule, job: int, node: int, time: int) -> int | None:
    for other in range(len(plan.start_ms)):
        here = plan.start_ms[other] <= time < plan.end_ms[other]
        if other != job and here and node in nodes_of(plan, other):
            return other
    return None


def brute_force(
    plan: SharedSchedule,
    problem: SharedProblem,
    pair: Floats,
    idle: Floats,
    job: int,
    combination: Combination,
) -> float:
    """Look at every node between any two events."""
    app, total = problem.jobs.application, 0.0
    if not plan.shared[job]:
        return 1.0
    start, end = int(plan.start_ms[job]), int(plan.end_ms[job])
    times = sorted({*plan.start_ms.tolist(), *plan.end_ms.tolist(), start, end})
    nodes = nodes_of(plan, job)
    by_node = dict.fromkeys(nodes, 0.0)
    for since, until in pairwise(time for time in times if start <= time <= end):
        values = []
        for index, node in enumerate(nodes):
            other = partner(plan, job, node, since)
            alone = float(idle[app[job]]) if index < plan.split[job] else 1.0
            values.append(alone if other is None else float(pair[app[job], app[other]]))
            by_node[node] += values[-1] * (until - since) / (end - start)
        total += min(values) * (until - since) / (end - start)
    means = np.array(list(by_node.values()))
    answers = {
        "slowest at each time": total,
        "slowest on average": means.min(),
        "mean of nodes": means.mean(),
        "each node by itself": np.sqrt((means**2).mean()),
    }
    return float(answers[combination])


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_performance_is_that_of_looking_at_every_node_between_events(
    combination: Combination,
) -> None:
    for seed in range(few(100)):
        problem, rule = random_case(seed, most_jobs=12)
        plan = schedule(problem, rule).schedule
        pair = np.random.default_rng(seed).uniform(0.3, 1.0, size=problem.speeds.pair.shape)
        idle = np.random.default_rng(seed).uniform(0.9, 1.5, size=len(pair))
        mine = performance(plan, problem, meetings_of(plan), pair, idle, combination)
        for job in np.flatnonzero(plan.runs).tolist():
            other = brute_force(plan, problem, pair, idle, job, combination)
            assert mine[job] == pytest.approx(other, abs=1e-12), (seed, job)


def test_the_time_mean_of_the_slowest_node_is_alone_over_co_run_time() -> None:
    """The identity that the choice of the combination rests on; up to the last millisecond."""
    for seed in range(few(300)):
        problem, rule = random_case(seed)
        plan = schedule(problem, rule).schedule
        speeds = problem.speeds
        pair, idle = speeds.pair / speeds.full[:, None], speeds.half / speeds.full
        mine = performance(plan, problem, meetings_of(plan), pair, idle)
        for job in np.flatnonzero(plan.shared & plan.runs).tolist():
            time = int(plan.end_ms[job] - plan.start_ms[job])
            done = mine[job] * time - problem.jobs.run_ms[job]
            assert -1e-5 * time - 1e-6 <= done <= 6 + 1e-5 * time


def test_other_combinations_find_less_slowdown() -> None:
    for seed in range(few(100)):
        problem, rule = random_case(seed)
        plan = schedule(problem, rule).schedule
        pair = np.minimum(problem.speeds.pair, 1)
        performances = [
            performance(plan, problem, meetings_of(plan), pair, np.ones(len(pair)), way)
            for way in COMBINATIONS
        ]
        for less, more in pairwise(performances):
            assert (less <= more + 1e-12).all()


def test_meetings_of_three_jobs_by_hand() -> None:
    """Memory has nodes 0 to 3; cpu runs on 0 and 1 from 0 to 10 s, and again from 10 s on."""
    problem = one_by_one([2, 1, 2], [100, 9, 9], [0, 1, 1], TWO)
    plan = schedule(problem, sharing(GATE)).schedule
    meetings = meetings_of(plan)
    rows = zip(meetings.job, meetings.other, meetings.begin_ms, meetings.end_ms, strict=True)
    mine = [tuple(int(value) for value in row[1:]) for row in rows if row[0] == 0]
    assert mine == [(1, 0, 10_000)] * 2 + [(2, 10_000, 20_000)] * 4


def test_bills_by_hand() -> None:
    """Both share 4 nodes of 16 cores for 50 s: 2 nodes' worth of cores each, 32 x 50 / 3600 SU.

    Memory next to cpu: 0.8 of its speed with halves idle, but 1.6 times that on whole nodes, which
    counts as 1. CPU: 0.9 of both.
    """
    problem = one_by_one([2, 2], [80, 45], [0, 1], TWO)
    plan = schedule(problem, sharing(GATE)).schedule
    hours = 32 * 50 / 3600
    prices = {
        (reference, estimate.name): bills(
            plan, problem, meetings_of(plan), estimate, reference=reference
        ).price_su / hours
        for reference in ("whole nodes", "half idle")
        for estimate in (state_of_practice(TWO), oracle(TWO))
    }  # fmt: skip
    assert prices["whole nodes", "state of practice"].tolist() == pytest.approx([1, 1])
    assert prices["whole nodes", "oracle"].tolist() == pytest.approx([1, 0.81])
    assert prices["half idle", "oracle"].tolist() == pytest.approx([0.64, 0.81])


def test_under_the_oracle_no_job_pays_more_than_alone_on_whole_nodes() -> None:
    for seed in range(few(300)):
        problem, rule = random_case(seed)
        before, after = schedule(problem, WHOLE).schedule, schedule(problem, rule).schedule
        alone = bills(before, problem, meetings_of(before), state_of_practice(problem.speeds))
        shared = bills(after, problem, meetings_of(after), oracle(problem.speeds))
        assert (shared.price_su <= alone.price_su * (1 + 1e-5) + 2e-3).all()


def test_a_performance_of_4_percent_too_much_is_a_price_of_8_percent_too_much() -> None:
    problem = one_by_one([2, 2], [80, 45], [0, 1], TWO)
    plan = schedule(problem, sharing(GATE)).schedule
    true = oracle(TWO)
    biased = PerformanceEstimate("4 % too much", 1.04 * true.pair, true.full)
    pay = [
        bills(plan, problem, meetings_of(plan), estimate, reference="half idle").price_su
        for estimate in (biased, true)
    ]
    assert (pay[0] / pay[1]).tolist() == pytest.approx([1.04**2, 1.04**2])


def test_the_unbiased_price_is_the_oracles_on_average() -> None:
    problem = one_by_one([2, 2], [80, 45], [0, 1], TWO)
    plan = schedule(problem, sharing(GATE)).schedule
    meetings, true = meetings_of(plan), oracle(TWO)
    ours = PerformanceEstimate("ours", true.pair, true.full, np.full((2, 2), 0.1), unbiased=True)
    plain = PerformanceEstimate("plain", true.pair, true.full, np.full((2, 2), 0.1))
    exact = bills(plan, problem, meetings, true, reference="half idle").price_su
    mean = {
        estimate.name: np.mean([
            bills(plan, problem, meetings, estimate, reference="half idle", seed=seed).price_su
            for seed in range(500)
        ], axis=0) / exact
        for estimate in (ours, plain)
    }  # fmt: skip
    assert mean["ours"].tolist() == pytest.approx([1, 1], abs=0.03)
    assert mean["plain"].tolist() == pytest.approx([1 + 0.01 / 0.64, 1 + 0.01 / 0.81], abs=0.03)
    assert (mean["plain"] - mean["ours"]).tolist() == pytest.approx([0.01 / 0.64, 0.01 / 0.81])


def test_estimates_of_other_applications_are_refused() -> None:
    problem = one_by_one([2, 2], [80, 45], [0, 1], TWO)
    plan = schedule(problem).schedule
    with pytest.raises(InputError, match="estimates of 1 applications, where the speeds name 2"):
        bills(
            plan,
            problem,
            meetings_of(plan),
            PerformanceEstimate("odd", np.ones((1, 1)), np.ones(1)),
        )
    with pytest.raises(InputError, match="is not above 0"):
        PerformanceEstimate("zero", np.zeros((2, 2)), np.ones(2))
