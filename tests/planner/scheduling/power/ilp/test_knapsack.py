"""The knapsack policy against enumeration, by every solver; and what it must never exceed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.power.checking.checker import violations
from planner.scheduling.power.events.event_driven import Choice
from planner.scheduling.power.events.moment import PowerJob, PowerMoment
from planner.scheduling.power.ilp.budget import DecisionBudget
from planner.scheduling.power.ilp.knapsack import KnapsackPolicy
from planner.scheduling.power.ilp.naming import SolverName
from planner.scheduling.power.problem import JobDetails
from tests.planner.scheduling.power.ilp.cases import moment, simulated_details
from tests.planner.scheduling.power.ilp.passes import enumerated, fits, passes, value_of_choices
from tests.planner.scheduling.power.literal import LiteralPolicy
from tests.planner.scheduling.power.random_problems import random_problem
from tests.sizes import few

EXACT = DecisionBudget(gap=1e-9)
CASES = 200
THRESHOLDS = (0.0, 0.2, None)
BOTH: tuple[SolverName, SolverName] = ("highs", "cbc")


def _hand() -> PowerMoment:
    """Two jobs, 8 free nodes and 100 W: least power takes 40 s (30 W) and 20 s (40 W).

    Job 0 may run 20 s at 60 W, job 1 may run 16 s at 70 W.
    """
    details = JobDetails(
        ("a", "b"),
        np.array([0, 2, 4]),
        np.array([4, 4, 4, 4]),
        np.full(4, 16),
        np.array([51.0, 115.0, 51.0, 115.0]),
        np.array([40_000, 20_000, 20_000, 16_000]),
        np.array([30_000, 60_000, 40_000, 70_000]),
    )
    jobs = tuple(PowerJob(j, j, 4, 60_000, 50_000, 0) for j in range(2))
    return PowerMoment(0, 8, 8, 100_000, 100_000, jobs, (), (), details)


@pytest.mark.parametrize("solver", ["engine", "highs", "cbc"])
def test_two_jobs_by_hand(solver: SolverName) -> None:
    # (row 1, row 2): 40/20 + 1 = 3 at 100 W. (row 0, row 3): 1 + 20/16 = 2.25 at 100 W.
    now = _hand()
    policy = KnapsackPolicy(solver, fair_share=False, budget=EXACT)
    assert [(job.id, row) for job, row in policy.decide(now)] == [(0, 1), (1, 2)]
    # fair share of 50 W each: only rows 0 and 2
    fair = KnapsackPolicy(solver, budget=EXACT)
    assert [(job.id, row) for job, row in fair.decide(now)] == [(0, 0), (1, 2)]
    made = fair.decisions()[0]
    assert (made.queue, made.status, made.gap) == (2, "optimal", 0.0)


def test_ageing_prefers_the_job_that_waits_longer() -> None:
    # 4 nodes: one job starts. Without ageing job 0 is worth 2, job 1 at most 1.25. After 40 s of
    # its wait job 1 is worth 1.25 (1 + 40 / 20) = 3.75 against 2 of job 0, submitted just now.
    now = replace(_hand(), time_ms=40_000, free_nodes=4)
    first, second = now.waiting
    now = replace(now, waiting=(second, PowerJob(9, 0, 4, 60_000, 50_000, 40_000)))
    started = {
        ageing: KnapsackPolicy(fair_share=False, ageing=ageing, budget=EXACT).decide(now)
        for ageing in (0.0, 1.0)
    }
    assert [choice.job.id for choice in started[0.0]] == [9]
    assert started[1.0] == [Choice(second, 3)]
    assert first.id == 0


@pytest.mark.parametrize("reserved", [False, True])
@pytest.mark.parametrize("fair_share", [True, False])
@pytest.mark.parametrize("ageing", [0.0, 1.0])
def test_every_solver_reaches_the_enumerated_optimum(
    fair_share: bool, ageing: float, reserved: bool
) -> None:
    for number, now in enumerate(passes(few(CASES))):
        threshold = THRESHOLDS[number % 3]
        best = enumerated(
            now, fair_share=fair_share, ageing=ageing, threshold=threshold, reserved=reserved
        )
        for solver in ("engine", BOTH[number % 2]):
            policy = KnapsackPolicy(
                solver, fair_share, ageing, EXACT, threshold=threshold, reserved=reserved
            )
            choices = policy.decide(now)
            assert fits(now, choices)
            assert policy.decisions()[0].status == "optimal"
            assert value_of_choices(now, choices, ageing) == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("solver", ["engine", "highs", "cbc"])
def test_solvers_agree_on_realistic_queues(solver: SolverName) -> None:
    for seed in range(3):
        now = moment(8, seed)
        engine = KnapsackPolicy("engine", budget=EXACT)
        other = KnapsackPolicy(solver, budget=EXACT)
        values = [value_of_choices(now, policy.decide(now), 1.0) for policy in (engine, other)]
        assert values[1] == pytest.approx(values[0], rel=1e-8)
        assert other.decisions()[0].status == "optimal"


@pytest.mark.parametrize("seed", range(few(100)))
def test_no_job_gets_more_than_its_fair_share_unless_rounded(seed: int) -> None:
    problem = random_problem(seed)
    run = KnapsackPolicy().schedule(problem)
    schedule, details = run.schedule, problem.details
    assert violations(schedule, problem, fair_share=True) == []
    ran = schedule.runs & ~schedule.rounded
    assert (details.charge_mw[schedule.row[ran]] <= problem.fair_share_mw[ran]).all()
    assert len(run.decisions) > 0 or not schedule.runs.any()
    greedy = LiteralPolicy().schedule(problem).schedule
    assert np.array_equal(greedy.runs, schedule.runs)  # nobody starves: the log ends


def test_without_fair_share_some_job_gets_more() -> None:
    beyond = 0
    for seed in range(20):
        problem = random_problem(seed)
        schedule = KnapsackPolicy(fair_share=False).schedule(problem).schedule
        assert violations(schedule, problem) == []
        ran = schedule.runs
        charge = problem.details.charge_mw[schedule.row[ran]]
        beyond += int((charge > problem.fair_share_mw[ran]).sum())
    assert beyond > 0


@pytest.mark.parametrize("solver", ["engine", "highs", "cbc"])
def test_a_budget_that_is_reached_falls_back_to_adaptive_and_is_counted(solver: SolverName) -> None:
    now = moment(20, 1)
    policy = KnapsackPolicy(solver, budget=DecisionBudget(time_limit_s=0.0))
    adaptive = LiteralPolicy("adaptive", "easy", 0.0)
    assert policy.decide(now) == adaptive.decide(now)
    assert [(made.status, made.solver) for made in policy.decisions()] == [("fallback", "")]


def test_the_same_log_gives_the_same_schedule_twice() -> None:
    for seed in range(few(20)):
        problem = random_problem(seed)
        first, second = (KnapsackPolicy().schedule(problem).schedule for _ in range(2))
        assert np.array_equal(first.start_ms, second.start_ms)
        assert np.array_equal(first.row, second.row)


def test_twenty_jobs_are_decided_within_a_tenth_of_a_percent() -> None:
    simulated_details()
    for seed in range(5):
        policy = KnapsackPolicy()
        policy.decide(moment(20, seed))
        made = policy.decisions()[0]
        assert made.status == "optimal"
        assert made.gap is not None
        assert made.gap <= 1e-3


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(InputError, match="unknown solver 'glpk'; choose one of engine, highs, cbc"):
        KnapsackPolicy("glpk")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="ageing = -1"):
        KnapsackPolicy(ageing=-1)
    for threshold in (-0.1, 0.123, float("nan"), 100.0):
        with pytest.raises(InputError, match="is not a whole percentage of the requested time"):
            KnapsackPolicy(threshold=threshold)
    with pytest.raises(InputError, match="gap = nan of a decision's budget"):
        DecisionBudget(gap=float("nan"))
