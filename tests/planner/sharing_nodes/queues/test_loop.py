"""The loop of shared nodes: against the literal one, cases by hand, and published EASY starts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import planner.sharing_nodes.queues
from planner.errors import InputError
from planner.sharing_nodes.queues.checker import nodes_of, violations
from planner.sharing_nodes.queues.engine import ALONE, NEVER, schedule
from planner.sharing_nodes.queues.problem import Integers, SharedJobs, SharedProblem, SharedSchedule
from planner.sharing_nodes.queues.rules import HALF_IDLE, WHOLE, Unpaired, gate_of, sharing
from planner.sharing_nodes.queues.speeds import Speeds, speeds_of
from scenarios.job_logs.reader import read_job_log
from tests.planner.sharing_nodes.queues.literal import Literal
from tests.planner.sharing_nodes.queues.random_problems import random_case
from tests.shared_data import TRACES, needs_data
from tests.sizes import few

UNPAIRED: tuple[Unpaired, ...] = ("spread", "wait")


def rows(plan: SharedSchedule) -> list[tuple[object, ...]]:
    columns = (
        plan.start_ms.tolist(), plan.end_ms.tolist(), plan.split.tolist(),
        [nodes_of(plan, job) for job in range(len(plan.start_ms))],
        plan.expected_end_ms.tolist(), plan.promised_ms.tolist(),
    )  # fmt: skip
    return list(zip(*columns, strict=True))


def test_every_start_end_and_node_is_that_of_the_literal_loop() -> None:
    for seed in range(few(1000)):
        problem, rule = random_case(seed)
        assert rows(schedule(problem, rule).schedule) == Literal(problem, rule).play().rows(), seed


def test_a_start_that_did_not_pay_is_tried_again_where_a_later_job_slowed_its_host() -> None:
    """Without an end in between; two of 3,000 queues of up to 60 jobs have such a start."""
    for seed in (95, 2000):
        problem, rule = random_case(seed, most_jobs=60)
        assert rows(schedule(problem, rule).schedule) == Literal(problem, rule).play().rows()


def test_the_independent_checker_finds_nothing_wrong() -> None:
    for seed in range(few(1000)):
        problem, rule = random_case(seed)
        errors = violations(schedule(problem, rule).schedule, problem, rule)
        assert not errors, (seed, *map(str, errors))


def one_by_one(
    nodes: list[int],
    run_s: list[int],
    apps: list[int],
    speeds: Speeds,
    cluster: int = 4,
) -> SharedProblem:
    """Jobs that are submitted at 0 s, in their order."""
    run_ms = 1000 * np.array(run_s)
    none = 0 * run_ms
    jobs = SharedJobs(
        np.arange(1, len(nodes) + 1), none, np.array(apps), np.array(nodes), run_ms, run_ms, none
    )
    return SharedProblem(cluster, jobs, speeds)


TWO = speeds_of(["memory", "cpu"], [[0.5, 0.8], [0.9, 1.0]])
"""Memory runs at half speed next to itself, so a whole node gives it 0.5 too."""


def test_a_pair_of_two_nodes_each_shares_four_and_the_last_runs_alone() -> None:
    """Work of memory: 80 s at 0.5 = 40; next to cpu it runs at 0.8.

    CPU: 45 s at 1 = 45, next to memory at 0.9: ends after 50 s. Memory has then done 40 of 40.
    """
    problem = one_by_one([2, 2], [80, 45], [0, 1], TWO)
    rule = sharing(gate_of(TWO, [[0, 1], [1, 0]]))
    plan = schedule(problem, rule).schedule
    assert plan.shared.all()
    assert plan.end_ms.tolist() == [50_000, 50_000]


def test_a_job_speeds_up_when_its_partner_ends() -> None:
    """CPU does 9 units in 10 s at 0.9. Memory: 100 s at 0.5 = 50, less 8 in 10 s, then at 1."""
    problem = one_by_one([2, 2], [100, 9], [0, 1], TWO)
    plan = schedule(problem, sharing(gate_of(TWO, [[0, 1], [1, 0]]))).schedule
    assert plan.end_ms.tolist() == [10_000 + 42_000, 10_000]


def test_a_parallel_job_runs_at_the_speed_of_its_slowest_node() -> None:
    """Memory has four halves, a partner on two of them: 0.8, not the mean of 0.8 and 1."""
    problem = one_by_one([2, 1], [100, 500], [0, 1], TWO)
    plan = schedule(problem, sharing(gate_of(TWO, [[0, 1], [1, 0]]))).schedule
    assert plan.end_ms[0] == round(50 / 0.8 * 1000)


def test_alone_on_whole_nodes_a_job_takes_its_time_of_the_log() -> None:
    problem = one_by_one([2, 2], [100, 9], [0, 1], TWO)
    assert schedule(problem, WHOLE).schedule.end_ms.tolist() == [100_000, 9_000]


def test_with_halves_idle_a_job_takes_twice_the_nodes_and_does_not_disturb_itself() -> None:
    problem = one_by_one([2, 3], [100, 9], [0, 1], TWO)
    plan = schedule(problem, HALF_IDLE).schedule
    assert plan.end_ms.tolist() == [50_000, 59_000]  # 3 nodes are more than half of the cluster
    assert plan.count.tolist() == [4, 3]


def test_without_a_partner_a_job_that_waits_takes_whole_nodes_and_one_that_spreads_halves() -> None:
    problem = one_by_one([1], [100], [0], TWO)
    gate = gate_of(TWO, [[0, 1], [1, 0]])
    assert schedule(problem, sharing(gate, "wait")).schedule.shared.tolist() == [False]
    assert schedule(problem, sharing(gate, "spread")).schedule.shared.tolist() == [True]


def test_a_job_that_waits_opens_nodes_with_the_first_partner_behind_it() -> None:
    problem = one_by_one([4, 1, 1, 1], [10, 100, 100, 100], [0, 0, 0, 1], TWO)
    plan = schedule(problem, sharing(gate_of(TWO, [[0, 1], [1, 0]]), "wait")).schedule
    assert plan.shared.tolist() == [False, True, False, True]
    assert nodes_of(plan, 1) == nodes_of(plan, 3) == [0, 1]


def test_a_partner_does_not_put_off_the_head() -> None:
    """One node is free, the head needs four at 100 s; a partner would stay to 1,000 s."""
    speeds = speeds_of(["a"], [[1.0]])
    gate = gate_of(speeds, [[1]])
    problem = one_by_one([1, 4, 1], [100, 10, 1000], [0, 0, 0], speeds)
    plan = schedule(problem, sharing(gate)).schedule
    assert plan.start_ms.tolist() == [0, 100_000, 110_000]
    short = one_by_one([1, 4, 1], [100, 10, 100], [0, 0, 0], speeds)
    assert schedule(short, sharing(gate)).schedule.start_ms.tolist() == [0, 100_000, 0]


def test_requested_times_of_jobs_that_share_are_stretched_by_the_worst_admitted_partner() -> None:
    gate = gate_of(TWO, [[0, 1], [1, 1]])
    assert gate.stretch.tolist() == [1, 1 / 0.9]
    problem = one_by_one([1], [9], [1], TWO)
    assert schedule(problem, sharing(gate)).schedule.expected_end_ms.tolist() == [10_000]


def test_a_gate_that_admits_nothing_is_the_baseline() -> None:
    for seed in range(few(100)):
        problem, _ = random_case(seed)
        apps = len(problem.speeds)
        gate = gate_of(problem.speeds, np.zeros((apps, apps)))
        for unpaired in UNPAIRED:
            plan = schedule(problem, sharing(gate, unpaired)).schedule
            assert rows(plan) == rows(schedule(problem, WHOLE).schedule)


class FreeChoice:
    def mates(self, waiting: Integers, time_ms: int) -> Integers:
        return np.full_like(waiting, NEVER)


class Nobody:
    def mates(self, waiting: Integers, time_ms: int) -> Integers:
        return np.full_like(waiting, ALONE)


class LastTwo:
    """Pairs the last two waiting jobs, and nobody else."""

    def mates(self, waiting: Integers, time_ms: int) -> Integers:
        mates = np.full_like(waiting, ALONE)
        if len(waiting) > 1:
            mates[-2], mates[-1] = waiting[-1], waiting[-2]
        return mates


def test_a_pairing_that_leaves_the_choice_changes_nothing() -> None:
    for seed in range(few(200)):
        problem, rule = random_case(seed)
        if rule.layout == "share" and rule.unpaired == "wait":
            free = schedule(problem, rule, FreeChoice()).schedule
            assert rows(free) == rows(schedule(problem, rule).schedule)
            other = schedule(problem, rule, LastTwo()).schedule
            assert not violations(other, problem, rule)


def test_a_pairing_says_who_opens_nodes_together() -> None:
    speeds = speeds_of(["a"], [[1.0]])
    rule = sharing(gate_of(speeds, [[1]]), "wait")
    problem = one_by_one([4, 1, 1, 1], [10, 20, 30, 40], [0, 0, 0, 0], speeds)
    alone = schedule(problem, rule, Nobody()).schedule
    assert not alone.shared.any()
    last = schedule(problem, rule, LastTwo()).schedule
    assert last.shared.tolist() == [False, False, True, True]


def test_a_pairing_of_a_rule_that_opens_nodes_alone_is_refused() -> None:
    with pytest.raises(InputError, match="give a rule with unpaired = 'wait'"):
        schedule(one_by_one([1], [1], [0], TWO), WHOLE, Nobody())


@needs_data
def test_with_sharing_off_and_speeds_of_1_every_job_starts_as_published_under_easy() -> None:
    log = read_job_log(TRACES / "SDSC-SP2.swf.gz")
    jobs = SharedJobs(
        log.number, 1000 * log.submit_s, 0 * log.number, log.processors,
        np.maximum(1000 * log.run_s, 1), 1000 * np.maximum(log.requested_s, 1), 0 * log.number,
    )  # fmt: skip
    plan = schedule(SharedProblem(128, jobs, speeds_of(["any"], [[1.0]]))).schedule
    starts = pd.Series(plan.start_ms // 1000, index=log.number)
    table = pd.read_csv(TRACES / "SDSC-SP2_EASY_pyss-predictsim-2015.csv.gz")
    assert len(table) == 54_006
    assert (starts.loc[table["job"]].to_numpy() == table["start"].to_numpy()).all()


def test_only_the_maker_of_true_speeds_imports_the_law() -> None:
    folder = Path(planner.sharing_nodes.queues.__file__).parent
    reaching = {
        path.name for path in folder.glob("*.py") if "scenarios.simulated" in path.read_text()
    }
    assert reaching == {"simulated.py"}
