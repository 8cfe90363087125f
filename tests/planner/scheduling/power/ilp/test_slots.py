"""The time-indexed policy against enumeration, by both solvers; and what it must never exceed."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import solvers
from planner.errors import InputError
from planner.scheduling.power.checking.checker import violations
from planner.scheduling.power.events.moment import PowerJob, PowerMoment, RunningJob
from planner.scheduling.power.ilp.budget import DecisionBudget
from planner.scheduling.power.ilp.candidates import CandidateConfigurations
from planner.scheduling.power.ilp.naming import SolverName
from planner.scheduling.power.ilp.slot_policy import SlotPlan, SlotPolicy, free_slots
from planner.scheduling.power.ilp.time_indexed import columns, point_of, program
from planner.scheduling.power.problem import JobDetails
from tests.planner.scheduling.power.ilp.cases import moment
from tests.planner.scheduling.power.ilp.passes import fits, passes
from tests.planner.scheduling.power.literal import LiteralPolicy
from tests.planner.scheduling.power.random_problems import STEP_MS, random_problem
from tests.sizes import few

SLOT_MS = 2 * STEP_MS
EXACT = DecisionBudget(gap=1e-9, node_limit=100_000)
BOTH: tuple[SolverName, SolverName] = ("highs", "cbc")


def _hand() -> PowerMoment:
    """8 nodes, 100 W; a job holds 4 nodes and 50 W for 15 s more. Slots of 10 s.

    Job 0 needs 8 nodes for 10 s. Job 1 needs 4 nodes for 20 s, job 2 needs 4 nodes for 30 s.
    """
    details = JobDetails(
        ("a", "b", "c"),
        np.arange(4),
        np.array([8, 4, 4]),
        np.full(3, 16),
        np.full(3, 115.0),
        np.array([10_000, 20_000, 30_000]),
        np.array([100_000, 50_000, 50_000]),
    )
    jobs = tuple(PowerJob(j, j, 8, 60_000, 100_000, 0) for j in range(3))
    other = PowerJob(9, 1, 4, 60_000, 50_000, 0)
    running = (RunningJob(other, 1, 4, 50_000, 0, 25_000),)
    return PowerMoment(10_000, 8, 4, 100_000, 50_000, jobs, running, (), details)


def test_what_runs_keeps_its_slots() -> None:
    free = free_slots(_hand(), 10_000, 2)
    assert free.nodes.tolist() == [4, 4, 8, 8]  # 15 s more are two slots of 10 s
    assert free.charge_mw.tolist() == [50_000, 50_000, 100_000, 100_000]


@pytest.mark.parametrize("solver", BOTH)
def test_three_jobs_by_hand(solver: SolverName) -> None:
    # Job 1 now (slots 0-1), job 0 in slot 2, job 2 in slots 3-5: ends 2 + 3 + 6 = 11. Without job 1
    # now, job 0 cannot end before slot 3 either: 3 + 5 + 6 = 14. Job 2 now keeps 4 nodes until slot
    # 3: 3 + 4 (job 1 in slots 2-3) + 5 (job 0) = 12.
    policy = SlotPolicy(solver, fair_share=False, slot_s=10, budget=EXACT)
    assert [(job.id, row) for job, row in policy.decide(_hand())] == [(1, 1)]
    made = policy.decisions()[0]
    assert (made.status, made.slot_error) == ("optimal", 0.0)
    plan = SlotPlan.of(_hand(), CandidateConfigurations.at(_hand()), 20, 10_000, fair_share=False)
    where = columns(plan.options, len(plan.free))
    model = program(plan.options, where, plan.cost(where), plan.free)
    assert solvers.solve(model, solver=solver).objective == pytest.approx(11)


def test_the_error_of_rounding_up_to_slots_is_reported() -> None:
    # 10, 20 and 30 s in slots of 25 s are 25 + 25 + 50 = 100 s instead of 60 s
    policy = SlotPolicy(fair_share=False, slot_s=25, budget=EXACT)
    policy.decide(_hand())
    assert policy.decisions()[0].slot_error == pytest.approx(40 / 60)


def _enumerated(plan: SlotPlan) -> int:
    """Least sum of ends over all options and first slots within the horizon."""
    options, best = plan.options, 1 << 30
    ways = [
        [
            (option, start)
            for option in range(options.first[job], options.first[job + 1])
            for start in range(len(plan.free) - int(options.slots[option]) + 1)
        ]
        for job in range(options.jobs)
    ]
    for chosen in itertools.product(*ways):
        total = sum(start + int(options.slots[option]) for option, start in chosen)
        nodes, charge = plan.free.nodes.copy(), plan.free.charge_mw.copy()
        for option, start in chosen:
            taken = slice(start, start + int(options.slots[option]))
            nodes[taken] -= options.nodes[option]
            charge[taken] -= options.charge_mw[option]
        if total < best and nodes.min() >= 0 and charge.min() >= 0:
            best = total
    return best


@pytest.mark.parametrize("fair_share", [True, False])
def test_both_solvers_reach_the_enumerated_optimum(fair_share: bool) -> None:
    tried = 0
    for number, now in enumerate(passes(few(200))):
        plan = SlotPlan.of(now, CandidateConfigurations.at(now), 3, SLOT_MS, fair_share=fair_share)
        where = columns(plan.options, len(plan.free))
        counts = np.bincount(plan.options.job[where.option])
        if counts.prod() > 3_000:
            continue
        tried += 1
        model = program(plan.options, where, plan.cost(where), plan.free)
        solved = solvers.solve(model, solver=BOTH[number % 2], proof="never")
        assert solved.objective == pytest.approx(_enumerated(plan))
    assert tried >= 10


def test_the_list_schedule_is_a_point_of_the_program() -> None:
    for seed in range(5):
        plan = SlotPlan.of(
            moment(10, seed),
            CandidateConfigurations.at(moment(10, seed)),
            20,
            60_000,
            fair_share=True,
        )
        where = columns(plan.options, len(plan.free))
        model = program(plan.options, where, plan.cost(where), plan.free)
        x = point_of(where, plan.chosen, plan.start)
        activity = model.row_activity(x)
        assert (activity <= model.row_upper + 1e-9).all()
        assert (activity >= model.row_lower - 1e-9).all()


@pytest.mark.parametrize("seed", range(few(40)))
def test_logs_end_within_nodes_watts_and_fair_share(seed: int) -> None:
    problem = random_problem(seed, most_jobs=8)  # the engine refuses what does not fit
    policy = SlotPolicy(BOTH[seed % 2], slot_s=SLOT_MS / 1000, budget=DecisionBudget(gap=1e-2))
    run = policy.schedule(problem)
    schedule, details = run.schedule, problem.details
    assert violations(schedule, problem, fair_share=True) == []
    ran = schedule.runs & ~schedule.rounded
    assert (details.charge_mw[schedule.row[ran]] <= problem.fair_share_mw[ran]).all()
    assert np.array_equal(LiteralPolicy().schedule(problem).schedule.runs, schedule.runs)
    assert {made.status for made in run.decisions} <= {"optimal", "fallback"}


@pytest.mark.parametrize("solver", BOTH)
def test_a_budget_that_is_reached_falls_back_to_adaptive_and_is_counted(solver: SolverName) -> None:
    now, adaptive = moment(10, 1), LiteralPolicy("adaptive", "easy", 0.0)
    late = SlotPolicy(solver, budget=DecisionBudget(time_limit_s=0.0))
    large = SlotPolicy(solver, most_terms=100)
    for policy in (late, large):
        assert policy.decide(now) == adaptive.decide(now)
        assert [(made.status, made.solver) for made in policy.decisions()] == [("fallback", "")]


def test_solvers_agree_on_realistic_queues() -> None:
    for seed in range(3):
        now = moment(5, seed)
        plan = SlotPlan.of(now, CandidateConfigurations.at(now), 20, 60_000, fair_share=True)
        where = columns(plan.options, len(plan.free))
        model = program(plan.options, where, plan.cost(where), plan.free)
        values = [solvers.solve(model, solver=solver, proof="never").objective for solver in BOTH]
        assert values[0] == pytest.approx(values[1])
        for solver in BOTH:
            assert fits(now, SlotPolicy(solver).decide(now))


def test_only_the_first_jobs_of_the_queue_are_planned() -> None:
    now = moment(10, 0)
    first = replace(now, waiting=now.waiting[:4])
    assert SlotPolicy(window=4).decide(now) == SlotPolicy().decide(first)


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(InputError, match="unknown solver 'engine'; choose one of highs, cbc"):
        SlotPolicy("engine")
    with pytest.raises(InputError, match="slot_s = 0"):
        SlotPolicy(slot_s=0)
