"""Packages in the optimiser against every purchase of random small tenders."""

from __future__ import annotations

import pytest

from planner.errors import PlanError
from planner.formulations.procurement import procure
from planner.procurement.checker import violations
from planner.procurement.from_scenario import problem_from
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import GAP, Options, Outcome
from planner.procurement.problem import REGIMES, Problem
from solvers import Status
from tests.planner.procurement.catalogues import scenario
from tests.planner.procurement.enumeration import Best
from tests.planner.procurement.tenders import best_tender, tender
from tests.sizes import few

CASES = range(few(200))
CENTS = 1e-6
"""In log S: what half a cent per rounded amount is worth where energy is paid from the rest."""


def solved(problem: Problem) -> Outcome:
    """The engine's answer."""
    optimiser = Optimiser(problem, Options())
    outcome = optimiser.solve()
    optimiser.close()
    return outcome


@pytest.mark.parametrize("seed", CASES)
def test_the_plan_equals_the_best_of_every_purchase(seed: int) -> None:
    raw = tender(seed)
    try:
        problem = problem_from(scenario(raw)).under(REGIMES[seed % 3])
    except PlanError:
        return
    assert_best(problem, best_tender(raw, problem))


def assert_best(problem: Problem, truth: Best) -> None:
    """The engine's plan is the best of every purchase; where there is none, it finds none."""
    found = solved(problem)
    if truth.lower is None or truth.upper is None:
        assert found.status is Status.INFEASIBLE
        return
    assert found.plan is not None
    assert violations(problem, found.plan) == []
    assert found.status is Status.OPTIMAL
    assert found.objective is not None
    assert found.bound is not None
    assert truth.lower - GAP <= found.objective <= truth.upper + CENTS
    assert found.bound >= truth.lower - CENTS


@pytest.mark.parametrize("seed", CASES)
def test_engine_and_reference_agree(seed: int) -> None:
    try:
        problem = problem_from(scenario(tender(seed))).under(REGIMES[seed % 3])
    except PlanError:
        return
    found = solved(problem)
    try:
        other = procure(problem, solver="highs")
    except PlanError:
        assert found.status is Status.INFEASIBLE
        return
    assert other.plan is not None
    assert violations(problem, other.plan) == []
    assert found.objective is not None
    assert found.bound is not None
    assert other.objective is not None
    assert other.bound is not None
    assert found.objective <= other.bound + CENTS
    assert other.objective <= found.bound + CENTS


def test_half_of_the_tenders_have_a_plan() -> None:
    plans = 0
    for seed in range(40):
        try:
            problem = problem_from(scenario(tender(seed)))
        except PlanError:
            continue
        plans += solved(problem).plan is not None
    assert plans >= 15
