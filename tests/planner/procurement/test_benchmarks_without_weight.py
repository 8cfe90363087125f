"""Workloads of weight 0 and demands of probability 0: only their requirements count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from planner.procurement.checker import violations
from planner.procurement.mandates import mandates
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from planner.procurement.plan import Plan
from planner.procurement.problem import Problem
from planner.procurement.procure import procure
from scenarios.model.scenario import Scenario
from tests.planner.procurement.catalogues import Document, asked, merits, node, request, scenario
from tests.planner.procurement.enumeration import best

FLOW = merits("flow", ("a", None, 2.0), ("b", None, 1.0))
HPL = merits("hpl", ("a", None, 1.0), ("b", None, 3.0), weight=0.0)
NODES = [node("a", 1000.0), node("b", 1000.0)]


def given(required: float | None, mode: str = "shared", **more: Any) -> Document:
    """Five nodes in all; a is better at flow, b at the benchmark; the reference has one node."""
    result = request(NODES, [FLOW, HPL], 5_000.0, 5_000.0) | more
    result["procurement"] = {"workload_mode": mode}
    result["requirements"] = {} if required is None else {"throughput": {"hpl": required}}
    return result


def planned(problem: Problem) -> Plan:
    outcome = Optimiser(problem, Options()).solve()
    assert outcome.plan is not None
    assert violations(problem, outcome.plan) == []
    lower = best(problem).lower
    assert lower is not None
    assert outcome.plan.objective == pytest.approx(lower, abs=2e-4)
    return outcome.plan


def bought(plan: Plan) -> dict[str, int]:
    return {purchase.name: purchase.nodes for purchase in plan.purchases}


@pytest.mark.parametrize("mode", ["shared", "one_at_a_time"])
def test_a_benchmark_without_weight_binds_the_machine_and_not_the_score(mode: str) -> None:
    """With a nodes of a: benchmark a + 3 (5 - a) >= 10 leaves a <= 2, so flow 2 x 2 + 3 = 7."""
    problem = asked(given(10.0, mode))
    plan = planned(problem)
    assert bought(plan) == {"a": 2, "b": 3}
    assert plan.score == pytest.approx(7.0, rel=1e-4)
    assert bought(planned(asked(given(None, mode)))) == {"a": 5}
    assert best(asked(given(15.1, mode))).lower is None


def test_it_has_a_rating_of_its_own_and_its_mandate_is_shown() -> None:
    loaded: Scenario = scenario(given(10.0))
    study = procure(loaded, Options())
    problem = study.problem
    assert problem.rating_names == ("mix", "hpl alone")
    assert problem.demand.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert problem.energy_weight.tolist() == [1.0, 0.0]
    assert study.plan is not None
    (listed,) = mandates(loaded, problem, study.plan)
    assert (listed.what, listed.subject, listed.demand) == ("throughput", "hpl", "")
    assert listed.reached >= 10 * (1 - 1e-6)


def test_without_a_requirement_it_is_left_out() -> None:
    problem = asked(given(None))
    assert problem.workloads == ("flow",)
    only_c = merits("hpl", ("c", None, 1.0), weight=0.0)  # which nobody quotes to run
    nodes = [*NODES, node("c", 9e9)]
    assert asked(request(nodes, [FLOW, only_c], 5_000.0, 5_000.0)).workloads == ("flow",)


def test_a_timed_benchmark_without_weight_must_only_be_fast_enough() -> None:
    times = {"kind": "table", "node_type": "b", "nodes": [1, 2, 4], "time_s": [90.0, 50.0, 30.0]}
    climb = {
        "name": "climb", "rating": "time_to_solution", "weight": 0.0,
        "performance": {"kind": "times", "reference_time_s": 60.0, "runs": [{"time": times}]},
    }  # fmt: skip
    whole = request(NODES, [FLOW, climb], 5_000.0, 5_000.0)
    assert bought(planned(asked(whole))) == {"a": 5}
    whole["requirements"] = {"time_to_solution_s": {"climb": 60.0}}
    plan = planned(asked(whole))
    assert bought(plan) == {"a": 3, "b": 2}
    assert plan.score == pytest.approx(8.0, rel=1e-4)


def test_a_demand_of_probability_0_counts_in_requirements_only() -> None:
    whole = request(NODES, [FLOW, HPL | {"weight": 1.0}], 5_000.0, 5_000.0)
    whole["demands"] = [
        {"name": "usual", "probability": 1.0},
        {"name": "rush", "probability": 0.0, "factors": {"hpl": 9.0}},
    ]
    free = planned(asked(whole))
    alone = whole | {"demands": whole["demands"][:1]}
    assert free.objective == pytest.approx(planned(asked(alone)).objective, abs=2e-4)
    whole["requirements"] = {"throughput": {"hpl": 12.0}}
    bound = planned(asked(whole))
    assert bound.objective < free.objective - 1e-3
    assert np.array_equal(asked(whole).probability, [1.0, 0.0])


def test_a_price_of_probability_0_counts_only_where_every_price_holds() -> None:
    prices = [
        {"name": "now", "price_per_kwh": 0.1, "probability": 1.0},
        {"name": "crisis", "price_per_kwh": 1.0, "probability": 0.0},
    ]
    for holds, binding in (("expected", 0.1), ("every", 1.0)):
        whole = given(None)
        whole["budget"] |= {"energy_prices": prices, "operating_holds": holds}
        problem = asked(whole)
        assert problem.prices.binding_energy_price == binding
        assert problem.prices.expected_energy_price == 0.1
        planned(problem)


def test_a_criterion_of_weight_0_is_left_out_of_the_ranking() -> None:
    whole = given(None)
    whole["procurement"]["weights"] = {"performance": 60.0, "total cost": 40.0, "energy": 0.0}
    study = procure(scenario(whole), Options())
    assert study.ranking is not None
    assert dict(study.ranking.weights) == {"performance": 0.6, "total cost": 0.4}
