"""The bundled procurements and the published servers, whole: minutes, so marked slow."""

from __future__ import annotations

import importlib.util
import math
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from planner.procurement.checker import violations
from planner.procurement.dominance import dominated
from planner.procurement.from_scenario import problem_from
from planner.procurement.infeasible import diagnose
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options, Outcome
from planner.procurement.problem import REGIMES, Problem, Regime
from planner.procurement.quantities import most_nodes
from scenarios import load
from solvers import Status

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]


def cases() -> ModuleType:
    """The benchmark's instances."""
    spec = importlib.util.spec_from_file_location(
        "procurement_cases", ROOT / "benchmarks" / "procurement_cases.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def solved(problem: Problem, gap: float = 1e-4) -> Outcome:
    optimiser = Optimiser(problem, Options(gap=gap))
    outcome = optimiser.solve()
    optimiser.close()
    return outcome


def regimes(name: str) -> dict[Regime, Outcome]:
    problem = problem_from(load(name))
    found = {regime: solved(problem.under(regime)) for regime in REGIMES}
    for regime, outcome in found.items():
        assert outcome.status is Status.OPTIMAL
        assert outcome.plan is not None
        assert violations(problem.under(regime), outcome.plan) == []
        assert outcome.gap is not None
        assert outcome.gap <= 1e-4
    return found


def test_where_both_bind_caps_gain_much_and_overprovisioning_a_little_more() -> None:
    found = regimes("rfp-center")
    values = [found[name].objective or 0.0 for name in REGIMES]
    assert values == sorted(values)
    worst, static, free = (math.exp(each) for each in values)
    assert 0.40 < free / worst - 1 < 0.44
    assert 0.002 < free / static - 1 < 0.01


def test_where_money_binds_overprovisioning_gains_next_to_nothing() -> None:
    found = regimes("rfp-money-bound")
    worst, _, free = (math.exp(found[name].objective or 0.0) for name in REGIMES)
    assert 0 <= free / worst - 1 < 0.01


def test_a_tenth_of_the_power_names_the_clash_and_the_least_repair() -> None:
    whole = problem_from(load("rfp-center"))
    problem = whole.limited(it_power_w=whole.limits.it_power_w / 10)
    assert solved(problem).status is Status.INFEASIBLE
    why = diagnose(Optimiser(problem, Options()), {"it_power_w": 12.0})
    assert "limit: it_power_w" in why.clashing
    (repair,) = why.repairs
    ((resource, amount),) = repair.added
    assert resource == "it_power_w"
    enough = problem.limited(it_power_w=problem.limits.it_power_w + amount * 1.0001)
    short = problem.limited(it_power_w=problem.limits.it_power_w + repair.bound * 0.999)
    assert solved(enough).plan is not None
    assert solved(short).status is Status.INFEASIBLE


@pytest.mark.parametrize("seed", range(4))
def test_samples_of_servers_have_the_same_optimum_without_the_reduction(seed: int) -> None:
    module = cases()
    if not module.SERVERS.exists():
        pytest.skip("the published servers are not here")
    problem: Problem = module.servers(most=60, seed=seed)
    optimiser = Optimiser(problem, Options(gap=1e-5))
    reduced = optimiser.solve()
    whole = optimiser.solve(most=most_nodes(problem, optimiser.layout))
    assert dominated(problem).any()
    assert reduced.objective == pytest.approx(whole.objective, abs=2e-5)


def test_all_published_servers_are_decided_to_a_thousandth() -> None:
    module = cases()
    if not module.SERVERS.exists():
        pytest.skip("the published servers are not here")
    problem: Problem = module.servers()
    assert len(problem.offers) > 1000
    outcome = solved(problem, gap=1e-3)
    assert outcome.status is Status.OPTIMAL
    assert outcome.plan is not None
    assert violations(problem, outcome.plan) == []


def test_twenty_demands_with_risk_are_decided() -> None:
    problem: Problem = cases().varied(0, 20)
    outcome = solved(problem, gap=5e-3)
    assert outcome.status is Status.OPTIMAL
    assert outcome.plan is not None
    assert violations(problem, outcome.plan) == []
    spread = np.ptp(outcome.plan.scores)
    neutral = solved(replace(problem, cvar_weight=0.0), gap=5e-3)
    assert neutral.plan is not None
    assert spread > 0
    assert np.dot(problem.probability, np.log(neutral.plan.scores)) >= (
        np.dot(problem.probability, np.log(outcome.plan.scores)) - 5e-3
    )
