"""Laws that hold whatever the catalogue: looser never hurts, order and currency do not matter."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.procurement.columns import Goal
from planner.procurement.from_scenario import problem_from
from planner.procurement.layout import layout
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import GAP, Options, Outcome
from planner.procurement.performance import Mode
from planner.procurement.problem import REGIMES, Problem, Regime
from planner.procurement.rating import Multipliers, Pool, cuts
from planner.procurement.task import Task
from solvers import Status
from tests.planner.procurement import enumeration
from tests.planner.procurement.catalogues import Document, document, random_problem, scenario
from tests.sizes import few

SEEDS = st.integers(0, 120)
REGIME = st.sampled_from(REGIMES)


def solved(problem: Problem) -> Outcome:
    return Optimiser(problem, Options()).solve()


def no_better(first: Outcome, other: Outcome) -> bool:
    """Whether the other's optimum is at least the one's, as far as the bounds tell."""
    if first.objective is None:
        return True
    return other.bound is not None and first.objective <= other.bound + 1e-9


def alike(first: Outcome, other: Outcome) -> bool:
    if first.objective is None or other.objective is None:
        return first.objective is other.objective
    return no_better(first, other) and no_better(other, first)


@settings(max_examples=few(25))
@given(SEEDS)
def test_a_freer_regime_never_hurts(seed: int) -> None:
    worst, static, over = (solved(random_problem(seed).under(regime)) for regime in REGIMES)
    assert no_better(worst, static)
    assert no_better(static, over)


@settings(max_examples=few(40))
@given(
    SEEDS,
    REGIME,
    st.sampled_from(["it_power_w", "liquid_w", "air_w", "capital", "operating", "racks"]),
    st.floats(1.0, 2.0),
)
def test_more_of_anything_never_hurts(
    seed: int, regime: Regime, resource: str, factor: float
) -> None:
    problem = random_problem(seed).under(regime)
    more = problem.limited(**{resource: getattr(problem.limits, resource) * factor})
    assert no_better(solved(problem), solved(more))


@settings(max_examples=few(25))
@given(SEEDS, REGIME, st.randoms(use_true_random=False))
def test_order_changes_nothing(seed: int, regime: Regime, random: Random) -> None:
    raw_scenario, shuffled = document(seed), document(seed)
    for key in ("node_types", "workloads", "demands"):
        random.shuffle(shuffled.get(key, []))
    before, after = (
        problem_from(scenario(variant)).under(regime) for variant in (raw_scenario, shuffled)
    )
    assert alike(solved(before), solved(after))


@settings(max_examples=few(25))
@given(SEEDS, REGIME)
def test_a_dominated_offer_changes_nothing(seed: int, regime: Regime) -> None:
    raw_scenario = document(seed)
    raw_scenario["requirements"].pop("shares", None)  # dear nodes help to reach a share of spend
    for node in raw_scenario["node_types"]:
        del node["maximum_quantity"]  # or more of the same would be an advantage
    before = solved(problem_from(scenario(raw_scenario)).under(regime))
    copy = raw_scenario["node_types"][0] | {"name": "z"}
    copy["price"] *= 1.5
    raw_scenario["node_types"].append(copy)
    for workload in raw_scenario["workloads"]:
        for row in workload["performance"].get("rows", []):
            if row["node_type"] == copy["name"]:
                workload["performance"]["rows"].append(row | {"node_type": "z"})
    assert alike(before, solved(problem_from(scenario(raw_scenario)).under(regime)))


@settings(max_examples=few(25))
@given(SEEDS, REGIME, st.sampled_from([0.5, 1000.0]))
def test_currency_changes_nothing(seed: int, regime: Regime, rate: float) -> None:
    raw_scenario, converted = document(seed), document(seed)
    exchange(converted, rate)
    before, after = (
        solved(problem_from(scenario(d)).under(regime)) for d in (raw_scenario, converted)
    )
    assert alike(before, after)
    if before.plan is not None and after.plan is not None and before.plan.nodes == after.plan.nodes:
        assert after.plan.bill.capital == pytest.approx(rate * before.plan.bill.capital)


def exchange(raw_scenario: Document, rate: float) -> None:
    """Every sum of money in another currency."""
    for node in raw_scenario["node_types"]:
        node["price"] *= rate
    for key in ("capital", "operating_per_year", "staff_per_year", "fixed_capital"):
        if key in raw_scenario["budget"]:
            raw_scenario["budget"][key] *= rate
    for energy in raw_scenario["budget"]["energy_prices"]:
        energy["price_per_kwh"] *= rate
    if "rack" in raw_scenario:
        raw_scenario["rack"]["price"] *= rate
    for key in raw_scenario.get("network", {}):
        if key.endswith("_price"):
            raw_scenario["network"][key] *= rate


def jolted(problem: Problem, rng: np.random.Generator) -> Problem:
    """Other prices, limits, watts and performance on the same ratings."""

    def factor() -> float:
        return float(rng.uniform(0.5, 2.0))

    power = factor()
    offers = tuple(
        replace(
            offer,
            idle_w=offer.idle_w * power,
            peak_w=offer.peak_w * power,
            tiers=tuple(replace(tier, price=tier.price * factor()) for tier in offer.tiers),
        )
        for offer in problem.offers
    )
    changed = replace(
        problem,
        offers=offers,
        modes=tuple(Mode(m.offer, m.cap_w, m.node_w * power) for m in problem.modes),
        merit=problem.merit * rng.uniform(0.5, 2.0, problem.merit.shape),
        drawn_w=problem.drawn_w * power,
    )
    return changed.limited(it_power_w=problem.limits.it_power_w * factor())


@settings(max_examples=few(30))
@given(SEEDS, REGIME, REGIME)
def test_multipliers_bound_every_machine_whatever_changes(
    seed: int, found_under: Regime, used_under: Regime
) -> None:
    pool, rng = Pool(), np.random.default_rng(seed)
    problem = random_problem(seed)
    Optimiser(problem.under(found_under), Options(), pool).solve()
    for changed in (problem.under(used_under), jolted(problem.under(used_under), rng)):
        lay = layout(changed)
        machines = list(enumeration.every_machine(changed))
        for index in rng.permutation(len(machines))[:5]:
            machine = machines[index]
            nodes = enumeration.slot_counts(changed, machine)
            headroom_w = enumeration.headroom_w(changed, machine)
            allowance_w = nodes.sum() * changed.drawn_w.max()  # more than can be drawn
            for rating, present in pool.multipliers.items():
                theta = enumeration.theta(changed, machine, rating)
                for first in cuts(changed, lay, rating, present):
                    bound = (
                        first.nodes @ nodes + first.power @ headroom_w + first.energy * allowance_w
                    )
                    bound -= first.mandatory
                    maximum = theta if first.rated else 0.0
                    met = theta > 0
                    assert (
                        not met or maximum <= bound + 1e-7 * (abs(bound) + first.mandatory) + 1e-9
                    )


@settings(max_examples=few(15))
@given(SEEDS)
def test_cuts_taken_all_at_once_are_those_taken_one_by_one(seed: int) -> None:
    problem, rng = random_problem(seed), np.random.default_rng(seed)
    workloads = len(problem.demand[0])
    some = [
        Multipliers(rng.random(workloads), rng.random(workloads), rng.random(3) / 99, energy)
        for energy in (0.0, 0.001, 0.002)
    ]
    lay = layout(problem)
    for multipliers, found in zip(some, cuts(problem, lay, 0, some), strict=True):
        (expected,) = cuts(problem, lay, 0, [multipliers])
        assert found.nodes == pytest.approx(expected.nodes, rel=1e-12)
        assert found.mandatory == pytest.approx(expected.mandatory, rel=1e-12)
        assert (found.energy, found.power.tolist()) == (expected.energy, expected.power.tolist())


@settings(max_examples=few(15))
@given(SEEDS, REGIME)
def test_a_pool_may_be_shared_with_changed_problems(seed: int, regime: Regime) -> None:
    pool = Pool()
    problem = random_problem(seed).under(regime)
    changed = jolted(problem, np.random.default_rng(seed))
    Optimiser(problem, Options(), pool).solve()
    warm = Optimiser(changed, Options(), pool).solve()
    assert alike(solved(changed), warm)


def test_the_gap_is_one_of_the_logarithm() -> None:
    for seed in range(few(20)):
        outcome = solved(random_problem(seed))
        if outcome.objective is not None and outcome.objective > -math.inf:
            assert outcome.gap is not None
            assert -1e-9 <= outcome.gap <= GAP


def test_a_bound_that_a_plan_beats_is_dropped_and_said() -> None:
    outcome = solved(random_problem(1))
    assert outcome.plan is not None
    assert outcome.last is not None
    solution = outcome.last[1]
    task = Task(Goal.SCORE, None, None, None, "any", outcome.plan)
    claimed = replace(solution.certificate, bound=outcome.plan.objective - 0.1)
    task.read(outcome.plan, replace(solution, certificate=claimed))
    assert task.bound is None
    (note,) = task.outcome(Status.UNKNOWN, claimed).certificate.notes[-1:]
    assert str(note) == "bounds-dropped: bounds 1"
    close = replace(solution.certificate, bound=outcome.plan.objective - 1e-7)
    task.read(outcome.plan, replace(solution, certificate=close))
    assert task.bound == task.value
