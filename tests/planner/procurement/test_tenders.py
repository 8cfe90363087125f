"""Packages in the optimiser against every purchase of random small tenders."""

from __future__ import annotations

import pytest

from planner.errors import PlanError
from planner.procurement.checker import violations
from planner.procurement.from_scenario import problem_from
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import GAP, Options
from planner.procurement.problem import REGIMES
from solvers import Status
from tests.planner.procurement.catalogues import scenario
from tests.planner.procurement.enumeration import best  # noqa: F401
from tests.planner.procurement.tenders import best_tender, tender
from tests.sizes import few

CASES = range(few(200))


@pytest.mark.parametrize("seed", CASES)
def test_the_plan_equals_the_best_of_every_purchase(seed: int) -> None:
    raw = tender(seed)
    try:
        problem = problem_from(scenario(raw)).under(REGIMES[seed % 3])
    except PlanError:
        return
    truth = best_tender(raw, problem)
    optimiser = Optimiser(problem, Options())
    outcome = optimiser.solve()
    optimiser.close()
    if truth.lower is None or truth.upper is None:
        assert outcome.status is Status.INFEASIBLE
        return
    assert outcome.plan is not None
    assert violations(problem, outcome.plan) == []
    assert outcome.status is Status.OPTIMAL
    assert outcome.objective is not None
    assert outcome.bound is not None
    assert truth.lower - GAP <= outcome.objective <= truth.upper + 1e-6
    assert outcome.bound >= truth.lower - 1e-8
