"""The optimiser against every machine of random small requests, in all three power regimes."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import solvers
from planner.procurement import optimise
from planner.procurement.checker import violations
from planner.procurement.columns import Goal
from planner.procurement.from_scenario import problem_from
from planner.procurement.layout import layout
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import GAP, Options
from planner.procurement.plan import meets_mandates
from planner.procurement.problem import REGIMES, Problem, Regime
from planner.procurement.program import Program
from planner.procurement.task import Task
from solvers import Status
from tests.planner.procurement.catalogues import (
    ACHIEVING_NOTHING,
    Document,
    asked,
    document,
    merits,
    node,
    random_problem,
    request,
    scenario,
)
from tests.planner.procurement.enumeration import Best, best, every_machine, least, slot_counts
from tests.sizes import few

Counts = tuple[int, ...]
SAMPLE, ALL = few(30), 400


def compare(problem: Problem, truth: Best) -> str:
    """Assert that our answer is right; what kind of instance it was."""
    where = f"{problem.name} {problem.regime}: {truth}"
    outcome = Optimiser(problem, Options()).solve()
    if truth.lower is None or truth.upper is None:
        assert outcome.status is Status.INFEASIBLE, where
        assert outcome.plan is None, where
        return "infeasible"
    if truth.lower == -math.inf:
        return "achieves nothing"
    assert outcome.status is Status.OPTIMAL, where
    assert outcome.objective is not None, where
    assert outcome.bound is not None, where
    assert truth.lower - GAP <= outcome.objective <= truth.upper + 1e-6, where
    assert outcome.bound >= truth.lower - 1e-8, where  # mandates are enumerated to 1e-9
    return "optimal"


@pytest.mark.parametrize("regime", REGIMES)
def test_the_optimum_equals_enumeration(regime: Regime) -> None:
    kinds = Counter(
        compare(problem, best(problem))
        for problem in (random_problem(seed).under(regime) for seed in range(SAMPLE))
    )
    assert kinds["optimal"] >= SAMPLE / 3
    assert kinds["infeasible"] >= 1


def test_an_optimum_by_allocations_equals_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, allocate = list[str](), Optimiser._allocate

    def noted(self: Optimiser, task: Task) -> None:
        asked.append(self.problem.name)
        allocate(self, task)

    monkeypatch.setattr(Optimiser, "_allocate", noted)
    monkeypatch.setattr(optimise, "_MANY_SLOTS", 0)
    monkeypatch.setattr(optimise, "_CUT_SOLVES", 1)
    for seed in range(SAMPLE):
        compare(problem := random_problem(seed), best(problem))
    assert len({*asked}) >= SAMPLE / 3


def test_missing_tangents_are_added_to_the_program_with_allocations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(optimise, "_MANY_SLOTS", 0)
    monkeypatch.setattr(optimise, "_CUT_SOLVES", 1)
    monkeypatch.setattr(optimise, "_CLOSE", ())
    for problem in map(random_problem, (9, 15, 21)):
        assert compare(problem, best(problem)) == "optimal"


@pytest.mark.parametrize("regime", REGIMES)
def test_the_program_with_allocations_equals_enumeration(regime: Regime) -> None:
    points = np.geomspace(1e-4, 100.0, 1_200).tolist()  # the logarithm within 2e-5
    kinds: Counter[bool] = Counter()
    for problem in (random_problem(seed).under(regime) for seed in range(SAMPLE)):
        truth = best(problem)
        tangents = dict.fromkeys(range(len(problem.demand)), points)
        program = Program(problem, layout(problem), {}, tangents, allocated=True)
        model = program.build.model()
        assert program.with_room().build.model().columns >= model.columns  # more may be sold
        objective = solvers.solve(model, proof="never").objective
        kinds[objective is None] += 1
        where = f"{problem.name} {problem.regime}: {truth}"
        if truth.lower is None or truth.upper is None:
            assert objective is None, where
        elif truth.lower > -math.inf:
            assert objective is not None, where
            assert truth.lower - 1e-5 <= objective <= truth.upper + GAP, where
    assert kinds[False] >= SAMPLE / 3
    assert kinds[True] >= 1


def test_work_that_is_mandatory_for_one_workload_binds_with_allocations() -> None:
    problem = next(p for p in map(random_problem, range(SAMPLE)) if (p.demand > 0).sum(1).min() > 1)
    lay, tangents = layout(problem), {rating: [1e-4, 1.0] for rating in range(len(problem.demand))}
    objectives = []
    for share in (0.0, 1e6):
        least_work = np.zeros_like(problem.demand)
        least_work[:, problem.demand[0].argmax()] = share
        changed = replace(problem, least_work=least_work, least_nodes=0, least_memory_gb=0.0)
        program = Program(changed, lay, {}, tangents, allocated=True)
        objectives.append(solvers.solve(program.build.model(), proof="never").objective)
    assert objectives[0] is not None
    assert objectives[1] is None


@pytest.mark.release
@pytest.mark.parametrize("regime", REGIMES)
def test_the_optimum_equals_enumeration_on_hundreds(regime: Regime) -> None:
    kinds = Counter(
        compare(problem, best(problem))
        for problem in (
            random_problem(seed).under(regime)
            for seed in range(SAMPLE, ALL)
            if seed not in ACHIEVING_NOTHING
        )
    )
    assert kinds["optimal"] >= ALL / 3


@pytest.mark.parametrize("goal", [Goal.COST, Goal.POWER])
def test_least_cost_and_least_power_equal_enumeration(goal: Goal) -> None:
    compared = 0
    for seed in range(SAMPLE):
        raw_scenario = document(seed)
        raw_scenario["demands"] = []
        raw_scenario["procurement"] |= {"workload_mode": "shared", "cvar_weight": 0.0}
        problem = problem_from(scenario(raw_scenario)).under(REGIMES[seed % 3])
        optimiser = Optimiser(problem, Options())
        objective = optimiser.solve().objective
        if problem.capabilities or objective is None or objective == -math.inf:
            continue
        floor = objective - 0.15
        outcome, truth = optimiser.solve(goal, floor=floor), least(problem, floor, goal)
        assert truth is not None
        assert outcome.bound is not None
        assert outcome.objective == pytest.approx(truth, rel=2 * GAP), problem.name
        assert outcome.bound <= truth * (1 + 1e-6), problem.name
        compared += 1
    assert compared >= SAMPLE / 6


def test_no_completed_machine_beats_the_optimum() -> None:
    beaten = 0
    for seed in range(SAMPLE):
        problem = random_problem(seed).under(REGIMES[seed % 3])
        optimiser, rng = Optimiser(problem, Options()), np.random.default_rng(seed)
        bound = optimiser.solve().bound
        machines = list(every_machine(problem))
        for index in rng.permutation(len(machines))[:6]:
            nodes = slot_counts(problem, machines[index]).astype(int).tolist()
            plan = optimiser.evaluate(nodes, "random")
            if not violations(problem, plan):
                assert bound is not None
                assert plan.objective <= bound + 1e-9
                beaten += 1
    assert beaten >= SAMPLE


def test_samples_hold_every_feature() -> None:
    problems = [random_problem(seed) for seed in range(30)]
    assert {len(p.offers) for p in problems} == {2, 3}
    assert {len(p.workloads) for p in problems} == {1, 2, 3}
    assert {len(p.capabilities) for p in problems} == {0, 1}
    assert {len(p.probability) for p in problems} == {1, 2, 3}
    assert {p.cvar_weight for p in problems} == {0.0, 0.5}
    for held_nodes in (
        [p.network for p in problems],
        [p.shares for p in problems],
        [p.most_vendors for p in problems],
        [p.most_node_types for p in problems],
        [p.limits.racks < math.inf for p in problems],
        [p.limits.liquid_w < math.inf for p in problems],
        [p.limits.operating < math.inf for p in problems],
        [bool(p.least_work.any()) for p in problems],
        [len(o.tiers) > 1 for p in problems for o in p.offers],
    ):
        assert any(held_nodes)
        assert not all(held_nodes)


def exact_mandates() -> list[tuple[Document, Counts]]:
    """Requests whose best machine just meets a mandate, and that machine."""
    alone = request(
        [node("a", 10.0)], [merits("w", ("a", None, 1.0))], 300.0, 300.0,
        requirements={"throughput": {"w": 3.0}},
    )  # fmt: skip
    mixed = request(
        [node("a", 10.0), node("b", 10.0, kind="gpu")],
        [merits("w", ("a", None, 2.0), ("b", None, 1.0))], 30.0, 1e5,
        requirements={
            "throughput": {"w": 4.0}, "shares": [{"kind": "gpu", "of": "nodes", "least": 0.5}],
        },
    )  # fmt: skip
    works = [
        merits("x", ("a", None, 1.0), ("b", None, 1.5)),
        merits("y", ("a", None, 10.0), ("b", None, 1.0)),
    ]
    one_at_a_time = request(
        [node("a", 10.0), node("b", 10.0)], works, 20.0, 1e5,
        requirements={"throughput": {"x": 2.0}}, procurement={"workload_mode": "one_at_a_time"},
    )  # fmt: skip
    return [(alone, (3,)), (mixed, (1, 2)), (one_at_a_time, (2, 0))]


def test_a_mandate_that_is_just_met_is_met() -> None:
    for raw_scenario, counts in exact_mandates():
        for regime in REGIMES:
            problem = asked(raw_scenario).under(regime)
            truth = best(problem)
            assert truth.lower is not None
            outcome = Optimiser(problem, Options()).solve(proof="always")
            assert outcome.plan is not None
            assert outcome.status is Status.OPTIMAL
            assert outcome.plan.objective == pytest.approx(truth.lower, abs=1e-6)
            assert outcome.bound is not None
            assert outcome.bound >= truth.lower - 1e-9
            if regime == "worst-case":
                assert tuple(outcome.plan.nodes) == counts


def test_a_small_machine_beside_a_large_reference_is_a_plan() -> None:
    """Half a node of 5,860: a ten-thousandth of the reference, and exact."""
    raw_scenario = request([node("a", 10.0)], [merits("w", ("a", None, 0.5))], 10.0, 1e5)
    raw_scenario["reference"]["nodes"] = 5860
    outcome = Optimiser(asked(raw_scenario), Options()).solve()
    assert outcome.plan is not None
    assert outcome.status is Status.OPTIMAL
    assert outcome.plan.score == pytest.approx(0.5 / 5860)


def test_a_mandate_holds_for_its_own_workload_alone() -> None:
    """a runs x ten times as fast as the reference, b runs y; x is to run at ten times its share.

    Of three nodes one a does x at 20 times its share, and two b do y at 4 times: the mix at 4.
    """
    works = [merits("x", ("a", None, 10.0)), merits("y", ("b", None, 1.0))]
    rows = [node("a", 10.0), node("b", 10.0)]
    raw_scenario = request(rows, works, 30.0, 1e5, requirements={"throughput": {"x": 10.0}})
    for regime in REGIMES:
        problem = asked(raw_scenario).under(regime)
        outcome = Optimiser(problem, Options()).solve(proof="always")
        assert outcome.plan is not None
        assert outcome.status is Status.OPTIMAL
        assert violations(problem, outcome.plan) == []
        assert {p.name: p.nodes for p in outcome.plan.purchases} == {"a": 1, "b": 2}
        truth = best(problem)
        assert outcome.plan.objective == pytest.approx(truth.lower, abs=1e-6)
    raw_scenario["requirements"]["throughput"]["x"] = 61.0  # more than three a could do
    assert Optimiser(asked(raw_scenario), Options()).solve().status is Status.INFEASIBLE


def test_mandatory_work_comes_first() -> None:
    """One type for both, three nodes: x at 2 takes two of them, the third does y at half."""
    works = [merits("x", ("a", None, 1.0)), merits("y", ("a", None, 1.0))]
    raw_scenario = request([node("a", 10.0)], works, 30.0, 1e5)
    free = Optimiser(asked(raw_scenario), Options()).solve()
    raw_scenario["requirements"] = {"throughput": {"x": 4.0}}
    bound = Optimiser(asked(raw_scenario), Options()).solve()
    assert free.plan is not None
    assert bound.plan is not None
    assert free.plan.score == pytest.approx(3.0)
    assert bound.plan.score == pytest.approx(2.0)
    assert not meets_mandates(asked(raw_scenario), free.plan)
    assert meets_mandates(asked(raw_scenario), bound.plan)
    performed = {at.workload: at.nodes for at in bound.plan.at_work[0]}
    assert performed == pytest.approx({0: 2.0, 1: 1.0})
