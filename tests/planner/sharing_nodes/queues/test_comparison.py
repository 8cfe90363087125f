"""Measures, users, logs, and comparisons over seeds."""

from __future__ import annotations

import json
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.power.inputs.file_logs import application_of as of_power
from planner.sharing_nodes.queues.bills import PerformanceEstimate, oracle
from planner.sharing_nodes.queues.checker import nodes_of, violations
from planner.sharing_nodes.queues.comparison import compare
from planner.sharing_nodes.queues.engine import schedule
from planner.sharing_nodes.queues.logs import application_of, day_of, shared_problem, until_day
from planner.sharing_nodes.queues.measures import NodeWatts, measure, node_hours, partnered
from planner.sharing_nodes.queues.meetings import meetings_of
from planner.sharing_nodes.queues.problem import SharedProblem, SharedSchedule
from planner.sharing_nodes.queues.replications import mapped_problems, replicate, synthetic_problems
from planner.sharing_nodes.queues.rules import HALF_IDLE, WHOLE, admitted_by_gain, gate_of, sharing
from planner.sharing_nodes.queues.speeds import Speeds, speeds_of
from planner.sharing_nodes.queues.users import sides_of
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.lublin import lublin_log
from scenarios.job_logs.reader import read_job_log
from tests.planner.sharing_nodes.queues.random_problems import random_case
from tests.planner.sharing_nodes.queues.test_loop import TWO, one_by_one
from tests.shared_data import TRACES, needs_data
from tests.sizes import few

THREE = speeds_of(
    ["memory", "mixed", "cpu"], [[0.62, 0.74, 0.93], [0.82, 0.85, 0.96], [0.97, 0.98, 1.0]]
)
"""Made by hand: the more two jobs use the memory, the more they disturb each other."""

RULES = (
    HALF_IDLE,
    sharing(gate_of(THREE, admitted_by_gain(THREE, least_gain=0.01)), "spread"),
    sharing(gate_of(THREE, admitted_by_gain(THREE, least_gain=0.01)), "wait"),
)


def in_use(plan: SharedSchedule, problem: SharedProblem) -> dict[str, int]:
    """Node-milliseconds by looking at every node between events."""
    times = sorted({
        int(problem.jobs.submit_ms[0]), *plan.start_ms[plan.runs].tolist(),
        *plan.end_ms[plan.runs].tolist(),
    })  # fmt: skip
    total = dict.fromkeys(("whole", "half", "shared", "idle"), 0)
    for since, until in pairwise(times):
        running = np.flatnonzero(plan.runs & (plan.start_ms <= since) & (plan.end_ms > since))
        for node in range(problem.nodes):
            here = [job for job in running.tolist() if node in nodes_of(plan, job)]
            kind = ("idle", "half", "shared")[len(here)]
            half = [job for job in here if node in nodes_of(plan, job)[: plan.split[job]]]
            if len(here) == 1 and not half:
                twice = not plan.split[here[0]] and (
                    len(nodes_of(plan, here[0])) > problem.jobs.nodes[here[0]]
                )
                kind = "half" if twice else "whole"
            total[kind] += until - since
    return total


def test_node_hours_are_those_of_looking_at_every_node() -> None:
    for seed in range(few(200)):
        problem, rule = random_case(seed)
        plan = schedule(problem, rule).schedule
        hours = node_hours(plan, problem, meetings_of(plan))
        for kind, value in in_use(plan, problem).items():
            assert getattr(hours, kind) == pytest.approx(value / 3.6e6, abs=1e-9), (seed, kind)


def test_jobs_with_a_partner_are_those_of_looking_at_every_pair() -> None:
    """Half of a node alone is no partner; nor is a job of another time or node."""
    alone = 0
    for seed in range(few(200)):
        problem, rule = random_case(seed)
        plan = schedule(problem, rule).schedule
        jobs = np.flatnonzero(plan.runs).tolist()
        nodes = {job: set(nodes_of(plan, job)) for job in jobs}
        met = {
            job
            for job, other in permutations(jobs, 2)
            if nodes[job] & nodes[other]
            and max(plan.start_ms[job], plan.start_ms[other])
            < min(plan.end_ms[job], plan.end_ms[other])
        }
        meetings = meetings_of(plan)
        assert set(np.flatnonzero(partnered(plan, meetings)).tolist()) == met, seed
        some = np.arange(len(problem.jobs)) % 2 == 0
        result = measure(plan, problem, meetings, measured=some)
        assert result.partnered_jobs == sum(job % 2 == 0 for job in met), seed
        assert result.partnered_jobs <= result.shared_jobs <= result.jobs
        alone += result.shared_jobs - result.partnered_jobs
    assert alone


def test_energy_and_throughput_by_hand() -> None:
    """Four nodes, 50 s, two jobs on each: 4 x 50 x 280 J. They need 2 x 80 + 2 x 45 = 250
    node-seconds alone, and use 200.
    """
    problem = one_by_one([2, 2], [80, 45], [0, 1], TWO)
    plan = schedule(problem, sharing(gate_of(TWO, [[0, 1], [1, 0]]))).schedule
    result = measure(plan, problem, meetings_of(plan), watts=NodeWatts(shared=280.0))
    assert result.energy_kwh == pytest.approx(4 * 50 * 280 / 3.6e6)
    assert result.throughput == pytest.approx(250 / 200)
    assert result.mean_turnaround_s == 50


def test_a_gain_is_the_work_of_a_pair_over_that_of_its_jobs_in_turn() -> None:
    """Memory 0.8 / 0.5 = 1.6, cpu 0.9: together 1.25 nodes' worth of work on a node."""
    assert admitted_by_gain(TWO, least_gain=0.2499)[0, 1]
    assert not admitted_by_gain(TWO, least_gain=0.2501)[0, 1]
    assert not admitted_by_gain(TWO, least_speed=0.95)[0, 1]


def test_a_user_who_pays_more_under_todays_price_pays_less_under_the_oracle() -> None:
    """CPU takes 50 s and not 45: a ninth more today, a tenth less under the oracle."""
    problem = one_by_one([2, 2], [80, 45], [0, 1], TWO)
    comparison = compare(problem, [sharing(gate_of(TWO, [[0, 1], [1, 0]]), name="share")])
    practice, true = (row for row in comparison.prices if row.rule == "share")
    assert (practice.policy, true.policy) == ("state of practice", "oracle")
    cpu = comparison.outcomes[1].bills
    before = comparison.baseline.bills["oracle"].price_su[1]
    assert cpu["state of practice"].price_su[1] / before == pytest.approx(50 / 45)
    assert cpu["oracle"].price_su[1] / before == pytest.approx(0.9)
    assert practice.mean_discount == 0
    assert true.mean_discount == pytest.approx(0.19 / 2)


def test_users_who_gain_and_lose_are_counted() -> None:
    jobs = one_by_one([2, 2], [80, 45], [0, 1], TWO).jobs
    columns = {name: getattr(jobs, name) for name in jobs.__dataclass_fields__}
    problem = SharedProblem(4, type(jobs)(**{**columns, "user": np.array([7, 9])}), TWO)
    comparison = compare(problem, [sharing(gate_of(TWO, [[0, 1], [1, 0]]), name="share")])
    assert comparison.users["share"].user.tolist() == [7, 9]
    practice, true = comparison.sides["share"]
    assert (practice.pays_less, practice.pays_more, practice.pays_more_and_later) == (1, 1, 1)
    assert practice.largest_rise == pytest.approx(1 / 9)
    assert (true.pays_less, true.pays_more) == (2, 0)
    assert (true.sooner, true.later) == (1, 1)


def test_jobs_are_counted_by_the_rule_for_users() -> None:
    bills_su = np.array([10.0, 10.0, 10.0, 0.0]), np.array([9.0, 10.0 + 1e-10, 12.0, 0.0])
    times_s = np.array([5.0, 5.0, 5.0, 5.0]), np.array([4.0, 5.0, 6.0, 6.0])
    result = sides_of("Headroom", bills_su, times_s)
    assert (result.count, result.pays_less, result.pays_same, result.pays_more) == (4, 1, 2, 1)
    assert (result.sooner, result.later, result.pays_more_and_later) == (1, 2, 1)
    assert result.largest_rise == pytest.approx(0.2)


def test_two_rules_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="two rules have one name"):
        compare(one_by_one([1], [1], [0], TWO), [HALF_IDLE, HALF_IDLE])


def small_log(jobs: int = 60) -> JobLog:
    return lublin_log(jobs, 64, 3, load=0.8, estimate_factor=2)


def test_with_seed_0_jobs_get_the_applications_of_power_aware_scheduling() -> None:
    log = small_log()
    assert (application_of(log, 3) == of_power(log, 3)).all()
    assert (application_of(log, 3, seed=1) != of_power(log, 3)).any()


def test_processors_are_rounded_up_to_nodes() -> None:
    log = small_log()
    problem = shared_problem(log, THREE, processors_per_node=3)
    assert problem.nodes == 22  # 64 / 3
    assert (problem.jobs.nodes == np.ceil(log.processors / 3)).all()


def test_a_day_and_the_days_before_it() -> None:
    jobs = shared_problem(lublin_log(400, 64, 3), THREE).jobs
    day = day_of(jobs)
    days = jobs.submit_ms // 86_400_000
    assert len(set(days[day].tolist())) == 1
    some = until_day(jobs, day, 1)
    assert set((some.submit_ms // 86_400_000).tolist()) <= {int(days[day][0]) - k for k in (0, 1)}
    with pytest.raises(InputError, match="no job is submitted on day 99999"):
        day_of(jobs, 99999)


@pytest.mark.parametrize(
    ("nodes", "message"), [(0, "at least 1 node"), (None, "does not say how many processors")]
)
def test_a_cluster_of_no_size_is_refused(nodes: int | None, message: str) -> None:
    log = small_log()
    odd = JobLog(**{**{f: getattr(log, f) for f in log.__dataclass_fields__},
                    "machine_processors": None})  # fmt: skip
    with pytest.raises(InputError, match=message):
        shared_problem(odd, THREE, nodes=nodes)


@pytest.mark.parametrize("pair", [[[0.5, 0.0], [1, 1]], [[0.5, np.nan], [1, 1]], [[0.5], [1]]])
def test_speeds_that_are_none_are_refused(pair: list[list[float]]) -> None:
    with pytest.raises(InputError):
        speeds_of(["a", "b"], np.array(pair))


def test_a_one_sided_gate_is_refused() -> None:
    with pytest.raises(InputError, match="not the reverse"):
        gate_of(TWO, [[0, 1], [0, 0]])


def estimates(speeds: Speeds) -> list[PerformanceEstimate]:
    """As a pricing method would give them: a bias, and a standard error."""
    true = oracle(speeds)
    return [
        PerformanceEstimate("POPPA", true.pair * 0.98, true.full, np.full_like(true.pair, 0.03)),
        PerformanceEstimate(
            "ours", true.pair, true.full, np.full_like(true.pair, 0.01), unbiased=True
        ),
    ]


def test_rules_are_compared_on_the_same_log_seed_by_seed() -> None:
    seeds = range(2)
    problems = list(synthetic_problems(THREE, seeds, jobs=80, nodes=32, load=0.9))
    study = replicate(problems, seeds, RULES, estimates(THREE))
    waits = [
        measure(run, problem, meetings_of(run)).mean_wait_s
        for problem in problems
        for run in [schedule(problem, WHOLE).schedule]
    ]
    change = study.change("share, wait", "mean_wait_s")
    assert change.before == pytest.approx(np.mean(waits))
    assert change.difference.mean == pytest.approx(change.after - change.before)
    again = replicate(problems, seeds, RULES, estimates(THREE))
    assert again.changes == study.changes
    assert not any(study.late_starts.values())
    assert not any(study.outlasted.values())
    practice = study.change("share, spread", "revenue: state of practice")
    true = study.change("share, spread", "revenue: oracle")
    assert true.after < practice.after


def test_one_seed_gives_no_interval() -> None:
    with pytest.raises(InputError, match="give at least 2, such as 20"):
        replicate(synthetic_problems(THREE, [1], jobs=20, nodes=32), [1], RULES)


@needs_data
def test_a_day_of_sdsc_sp2_keeps_every_rule_of_the_checker() -> None:
    """A day with three days before it, its jobs billed by each policy."""
    log = read_job_log(TRACES / "SDSC-SP2.swf.gz")
    problem = shared_problem(log, THREE)
    some = until_day(problem.jobs, day_of(problem.jobs), 3)
    part = SharedProblem(problem.nodes, some, THREE)
    comparison = compare(part, RULES, estimates(THREE), measured=day_of(some))
    for outcome, rule in zip(comparison.outcomes[1:], RULES, strict=True):
        assert not violations(outcome.schedule, part, rule)
        true, practice = (
            next(row for row in comparison.prices if (row.rule, row.policy) == (rule.name, policy))
            for policy in ("oracle", "state of practice")
        )
        assert true.revenue_su <= practice.revenue_su
        assert all(
            side.pays_more == 0 for side in comparison.sides[rule.name] if side.policy == "oracle"
        )


@needs_data
@pytest.mark.slow
def test_the_whole_of_sdsc_sp2_keeps_nodes_work_and_promises() -> None:
    log = read_job_log(TRACES / "SDSC-SP2.swf.gz")
    for problem in mapped_problems(log, THREE, range(1)):
        for rule in RULES[1:]:
            plan = schedule(problem, rule).schedule
            assert not violations(plan, problem, rule, reservations=False)


STORED = Path(__file__).parent / "stored_replications.json"


def twenty_seeds() -> dict[str, list[float]]:
    """Rounded, so that another machine's logarithm does not matter."""
    seeds = range(20)
    problems = synthetic_problems(THREE, seeds, jobs=2_000, load=0.8)
    study = replicate(problems, seeds, RULES[1:], estimates(THREE))
    rows = {
        f"{change.rule}: {change.quantity}": [
            change.before,
            change.after,
            change.ratio,
            change.low,
            change.high,
        ]
        for change in study.changes
    }
    rows["late starts"] = [float(sum(study.late_starts.values()))]
    return {
        name: [float(f"{value:.6g}") for value in values if value is not None]
        for name, values in rows.items()
    }


@pytest.mark.release
def test_twenty_synthetic_logs_give_the_stored_changes() -> None:
    """Write the file anew with ``python -m tests.planner.sharing_nodes.queues.test_comparison``."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    computed = twenty_seeds()
    assert computed.keys() == stored.keys()
    for name, values in computed.items():
        assert values == pytest.approx(stored[name], rel=1e-5), name


if __name__ == "__main__":
    STORED.write_text(json.dumps(twenty_seeds(), indent=1) + "\n", encoding="utf-8")
