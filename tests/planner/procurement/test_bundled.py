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
from planner.procurement.marginal_value import MarginalValue, marginal_values
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options, Outcome
from planner.procurement.problem import REGIMES, Problem, Regime
from planner.procurement.procure import procure
from planner.procurement.quantities import most_nodes
from scenarios import load
from solvers import Status
from tests.shared_data import needs_data

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
    result = {regime: solved(problem.under(regime)) for regime in REGIMES}
    for regime, outcome in result.items():
        assert outcome.status is Status.OPTIMAL
        assert outcome.plan is not None
        assert violations(problem.under(regime), outcome.plan) == []
        assert outcome.gap is not None
        assert outcome.gap <= 1e-4
    return result


def effects_of(name: str) -> dict[tuple[str, float], MarginalValue]:
    """What a hundredth more or less watts and money changes."""
    optimiser = Optimiser(problem_from(load(name)), Options(gap=1e-4))
    effects = marginal_values(
        optimiser, optimiser.solve(), ("it_power_w", "capital"), (-0.01, 0.01)
    )
    optimiser.close()
    return {(effect.resource, effect.change): effect for effect in effects}


def used(problem: Problem, outcome: Outcome) -> tuple[float, float]:
    """Shares of the power limit and of the capital that a plan takes."""
    plan = outcome.plan
    assert plan is not None
    return (
        plan.it_power_w / problem.limits.it_power_w,
        plan.bill.capital / problem.limits.capital,
    )


def test_where_both_bind_caps_gain_much_and_overprovisioning_a_little_more() -> None:
    result = regimes("rfp-center")
    values = [result[name].objective or 0.0 for name in REGIMES]
    assert values == sorted(values)
    worst, static, free = (math.exp(value) for value in values)
    assert 0.51 < free / worst - 1 < 0.54
    assert 0.0008 < free / static - 1 < 0.0016
    assert min(used(problem_from(load("rfp-center")), result["overprovisioned"])) > 0.999


def test_in_the_centre_watts_and_money_are_both_certainly_worth_something() -> None:
    for (_, change), effect in effects_of("rfp-center").items():
        assert effect.certain
        assert effect.low is not None
        assert effect.high is not None
        assert (effect.low if change > 0 else -effect.high) > 0.002


def test_where_money_binds_overprovisioning_gains_nothing() -> None:
    result = regimes("rfp-money-bound")
    worst, _, free = (result[name].objective or 0.0 for name in REGIMES)
    assert free == pytest.approx(worst, abs=1e-4)  # the gap that each is solved to
    power, capital = used(problem_from(load("rfp-money-bound")), result["overprovisioned"])
    assert power < 0.8
    assert capital > 0.999


def test_where_money_binds_a_watt_is_worth_nothing() -> None:
    result = effects_of("rfp-money-bound")
    for change in (-0.01, 0.01):
        watts, money = result["it_power_w", change], result["capital", change]
        assert watts.low == pytest.approx(0, abs=2e-4)
        assert watts.high == pytest.approx(0, abs=2e-4)
        assert money.certain


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


@needs_data
@pytest.mark.parametrize("seed", range(4))
def test_samples_of_servers_have_the_same_optimum_without_the_reduction(seed: int) -> None:
    module = cases()
    problem: Problem = module.servers(most=60, seed=seed)
    optimiser = Optimiser(problem, Options(gap=1e-5))
    reduced = optimiser.solve()
    whole = optimiser.solve(most=most_nodes(problem, optimiser.layout))
    assert dominated(problem).any()
    assert reduced.objective == pytest.approx(whole.objective, abs=2e-5)


@needs_data
def test_all_published_servers_are_decided_to_a_thousandth() -> None:
    module = cases()
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


@pytest.mark.parametrize("name", ["rfp-center", "rfp-money-bound"])
def test_every_step_of_the_decision_is_closed(name: str) -> None:
    study = procure(load(name), Options())
    for outcome in (study.optimum, study.cheapest, study.least_power, *study.regimes.values()):
        assert outcome is not None
        assert outcome.status is Status.OPTIMAL
    assert study.plan is not None
    assert violations(study.problem, study.plan) == []
