"""The checker passes what the optimiser plans, and names everything that is then tampered with."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.procurement.bill import Bill
from planner.procurement.checker import violations
from planner.procurement.columns import Goal
from planner.procurement.from_scenario import problem_from
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from planner.procurement.plan import AtWork, Plan
from planner.procurement.problem import REGIMES, Problem, Regime
from scenarios.model.procurement import ShareLimit
from tests.planner.procurement.catalogues import (
    ACHIEVING_NOTHING,
    Document,
    random_problem,
    scenario,
)
from tests.sizes import few

Change = Callable[[Plan], Plan]
SEEDS = st.integers(0, 120)  # on a few later seeds no machine runs all workloads


def request() -> Document:
    """Two vendors of which both are needed, and every kind of limit."""

    def node(name: str, vendor: str, kind: str, cooling: str, **more: Any) -> Document:
        return {
            "name": name, "vendor": vendor, "kind": kind, "cooling": cooling, "capped_packages": 1,
            "package_caps_w": [150.0, 200.0], "maximum_quantity": 9, **more,
        }  # fmt: skip

    def table(name: str, merits: dict[str, float]) -> Document:
        rows = [
            {"node_type": node, "cap_w": cap, "figure_of_merit": merit * (0.8 if cap < 200 else 1)}
            for node, merit in merits.items()
            for cap in (150.0, 200.0)
        ]
        model = {"kind": "table", "reference_figure_of_merit": 1.0, "rows": rows}
        return {"name": name, "performance": model}

    time = {"kind": "table", "node_type": "a", "nodes": [1, 2, 4], "time_s": [90.0, 50.0, 30.0]}
    climb = {"kind": "times", "reference_time_s": 60.0, "runs": [{"time": time}]}
    discount = {"from_quantity": 3, "fraction": 0.1}
    return {
        "format": 1,
        "name": "request",
        "title": "Request",
        "reference": {"name": "old", "nodes": 2},
        "procurement": {"cvar_weight": 0.5, "cvar_level": 0.5},
        "node_types": [
            node("a", "V", "cpu", "air", price=100.0, idle_w=100.0, peak_w=300.0, memory_gb=4.0,
                 discounts=[discount]),
            node("b", "W", "gpu", "liquid", price=200.0, idle_w=150.0, peak_w=500.0, memory_gb=8.0,
                 ports=2),
        ],
        "workloads": [
            table("flow", {"a": 1.0}),
            table("pairs", {"a": 1.0, "b": 6.0}),
            {"name": "climb", "rating": "time_to_solution", "performance": climb},
        ],
        "demands": [
            {"name": "even", "probability": 0.5, "factors": {}},
            {"name": "flow", "probability": 0.5, "factors": {"flow": 3.0}},
        ],
        "power": {"bound_w": 3000.0, "fixed_w": 50.0},
        "facility": {"racks": 6, "liquid_w": 2000.0, "air_w": 2500.0},
        "rack": {"nodes": 3, "price": 20.0},
        "network": {
            "leaf_node_ports": 4, "leaf_uplinks": 2, "spine_ports": 4, "leaf_price": 15.0,
            "spine_price": 25.0, "leaf_w": 30.0, "spine_w": 20.0, "node_cable_price": 1.0,
            "uplink_cable_price": 2.0,
        },
        "budget": {
            "capital": 1800.0, "operating_per_year": 500.0, "energy_price_per_kwh": 0.01,
            "maintenance_fraction_per_year": 0.1, "staff_per_year": 5.0, "discount_rate": 0.03,
            "installation_fraction": 0.02, "fixed_capital": 10.0, "utilisation": 0.9,
        },
    }  # fmt: skip


@cache
def planned(regime: Regime) -> tuple[Problem, Plan]:
    problem = problem_from(scenario(request())).under(regime)
    plan = Optimiser(problem, Options()).solve().plan
    assert plan is not None
    assert len(plan.purchases) == 2
    return problem, plan


@settings(max_examples=few(40))
@given(SEEDS, st.sampled_from(REGIMES), st.sampled_from([Goal.SCORE, Goal.COST, Goal.POWER]))
def test_no_plan_of_the_optimiser_violates_anything(seed: int, regime: Regime, goal: Goal) -> None:
    problem = random_problem(seed).under(regime)
    optimiser = Optimiser(problem, Options())
    plan = optimiser.solve().plan
    if plan is not None and goal is not Goal.SCORE:
        plan = optimiser.solve(goal, floor=plan.objective - 0.1).plan
    if plan is not None:
        assert violations(problem, plan) == []


@pytest.mark.release
@pytest.mark.parametrize("regime", REGIMES)
def test_no_plan_of_hundreds_violates_anything(regime: Regime) -> None:
    for seed in sorted(set(range(400)) - ACHIEVING_NOTHING):
        problem = random_problem(seed).under(regime)
        plan = Optimiser(problem, Options()).solve().plan
        assert plan is None or violations(problem, plan) == [], seed


@pytest.mark.parametrize("regime", REGIMES)
def test_the_plan_that_is_tampered_with_is_sound(regime: Regime) -> None:
    assert violations(*planned(regime)) == []


def bought(**changes: Any) -> Change:
    """The first purchase changed."""
    return lambda plan: replace(
        plan, purchases=(replace(plan.purchases[0], **changes), *plan.purchases[1:])
    )


def stated(field: str, change: Callable[[Any], Any]) -> Change:
    return lambda plan: replace(plan, **{field: change(getattr(plan, field))})


def billed(field: str, change: Callable[[Any], Any]) -> Change:
    def changed(paid: Bill) -> Bill:
        return replace(paid, **{field: change(getattr(paid, field))})

    return stated("bill", changed)


def woven(**less: int) -> Change:
    """The fabric with so much less of each."""
    return billed(
        "fabric", lambda f: replace(f, **{name: getattr(f, name) - n for name, n in less.items()})
    )


def first(change: Callable[[Any], Any]) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    return lambda values: (change(values[0]), *values[1:])


def worked(change: Callable[[AtWork], AtWork]) -> Change:
    """Every entry of the first rating's allocation changed."""
    return stated("at_work", first(lambda working: tuple(change(group) for group in working)))


TAMPERED: list[tuple[str, Change, str]] = [
    ("one node less", lambda p: bought(nodes=p.purchases[0].nodes - 1)(p), "nodes add up to"),
    ("a number not on offer", bought(nodes=10), "a: 10 nodes are not on offer (1 to 9)"),
    ("no node", bought(nodes=0), "a: 0 nodes are not on offer"),
    ("the price without discount", bought(unit_price=100.0), "a: price is stated as 100 but"),
    ("another vendor", bought(vendor="W"), "a of W is a of V"),
    ("one cap for all", bought(cap_w=150.0), "one cap of 150 W for all, but overprovisioned"),
    ("an offer that is none", bought(offer=7), "offer 7 is none of the 2 on offer"),
    ("bought twice", stated("purchases", lambda p: (*p, p[0])), "a is bought twice"),
    ("racks of a purchase", bought(racks=9), "a: racks is stated as 9"),
    ("one rack less", billed("racks", first(lambda n: n - 1)), "nodes of a in racks: "),
    ("racks of another problem", billed("racks", lambda r: r[1:]), "bill.racks holds 1 entries"),
    ("one leaf less", woven(leaves=1), "node ports at leaf switches: "),
    ("one spine less", woven(spines=1), "uplinks at spine switches: "),
    ("one uplink less", woven(uplinks=1), "uplinks: "),
    ("one cable less", woven(node_cables=1), "node cables: "),
    ("more leaves than spines serve", woven(leaves=-9), "leaf switches: "),
    ("a line struck out", billed("lines", lambda lines: lines[1:]), "the bill lists"),
    ("a line dearer", billed("lines", first(lambda li: replace(li, unit_price=91.0))), "the bill"),
    ("hardware", billed("hardware", lambda v: v + 0.01), "hardware is stated as"),
    ("capital", billed("capital", lambda v: v - 0.01), "capital is stated as"),
    ("power of switches", billed("fabric_w", lambda v: v - 1), "fabric_w is stated as"),
    ("power", stated("it_power_w", lambda v: v - 1), "it_power_w is stated as"),
    ("mean power", stated("mean_it_w", lambda v: v - 1), "mean_it_w is stated as"),
    ("operating cost", stated("operating", lambda v: v - 0.01), "operating is stated as"),
    ("total cost", stated("total_cost", lambda v: v - 0.01), "total_cost is stated as"),
    ("theta raised", stated("ratings", first(lambda v: v * 1.00001)), "rating of even is stated"),
    ("a score raised", stated("scores", first(lambda v: v * 1.00001)), "score of even is stated"),
    ("the objective raised", stated("objective", lambda v: v + 1e-5), "objective is stated as"),
    ("an infinite objective", stated("objective", lambda _: np.inf), "objective is stated as inf"),
    ("no number", stated("objective", lambda _: np.nan), "objective is stated as nan"),
    ("more at work than bought", worked(lambda y: replace(y, nodes=y.nodes * 3)), "of a in use"),
    ("fewer than none at work", worked(lambda y: replace(y, nodes=-y.nodes)), "in use, below 0"),
    ("work that does not run", worked(lambda y: replace(y, mode=3, workload=0)), "not run flow"),
    ("no number at work", worked(lambda y: replace(y, nodes=np.nan)), "which is not a number"),
    ("a score for nothing", lambda p: replace(p, ratings=(0.0, 0.0)), "but comes to -inf"),
    ("a partition of no time", stated("partitions", first(lambda p: replace(p, time_s=0.0))),
     "is not admissible"),
    ("a mode that is none", worked(lambda y: replace(y, mode=9)), "no such pair exists"),
    ("a capability job nowhere", stated("partitions", lambda _: (None,)), "climb runs nowhere"),
    ("a faster partition", stated("partitions", first(lambda p: replace(p, time_s=9.0))),
     "is not admissible"),
    ("a larger partition", stated("partitions", first(lambda p: replace(p, nodes=99))),
     "nodes for climb: 99 (allowed: at most"),
    ("a partition in no mode", stated("partitions", first(lambda p: replace(p, mode=9))),
     "no such mode exists"),
    ("another regime", stated("regime", lambda _: "static"), "regime is static, not over"),
    ("a rating less", stated("ratings", lambda v: v[1:]), "ratings holds 1 entries, not 2"),
    ("a score less", stated("scores", lambda v: v[1:]), "scores holds 1 entries, not 2"),
    ("an allocation less", stated("at_work", lambda v: v[1:]), "at_work holds 1 entries, not 2"),
    ("no partitions", stated("partitions", lambda _: ()), "partitions holds 0 entries, not 1"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"), [t[1:] for t in TAMPERED], ids=[t[0] for t in TAMPERED]
)
def test_what_is_tampered_with_is_named(change: Change, message: str) -> None:
    problem, plan = planned("overprovisioned")
    faults = violations(problem, change(plan))
    assert any(message in violation for violation in faults), faults


def group_w(problem: Problem, plan: Plan, cooling: str) -> float:
    """Watts of all nodes of one cooling when everything works as in the heaviest rating."""
    largest = 0.0
    for working in plan.at_work:
        watts = sum(
            purchase.nodes * problem.offers[purchase.offer].idle_w
            for purchase in plan.purchases
            if problem.offers[purchase.offer].cooling == cooling
        )
        for group in working:
            mode = problem.modes[group.mode]
            if problem.offers[mode.offer].cooling == cooling:
                watts += group.nodes * (mode.node_w - problem.offers[mode.offer].idle_w)
        largest = max(largest, watts)
    return largest


def test_every_limit_that_a_plan_passes_is_named() -> None:
    problem, plan = planned("overprovisioned")
    memory = sum(problem.offers[p.offer].memory_gb * p.nodes for p in plan.purchases)
    share = ShareLimit(kind="gpu", of="nodes", least=0.9)
    cases = [
        (problem.limited(it_power_w=plan.it_power_w - 0.01), "IT power of rating"),
        (problem.limited(liquid_w=group_w(problem, plan, "liquid") - 0.01), "liquid cooling of"),
        (problem.limited(air_w=group_w(problem, plan, "air") - 0.01), "air cooling of"),
        (problem.limited(it_power_w=1000.0), "IT power of installed nodes"),
        (problem.limited(it_power_w=1000.0), "IT power of climb"),
        (problem.limited(capital=plan.bill.capital - 0.001), "capital: "),
        (problem.limited(operating=plan.operating - 0.001), "operating cost: "),
        (problem.limited(racks=sum(plan.bill.racks) - 1), "racks: "),
        (replace(problem, least_nodes=sum(plan.nodes) + 1), "nodes: "),
        (replace(problem, least_memory_gb=memory + 1), "memory: "),
        (
            replace(problem, least_work=99 * problem.demand),
            'throughput of "flow" in demand "even": ',
        ),
        (replace(problem, shares=(share,)), "GPU share of nodes: "),
        (replace(problem, shares=(ShareLimit(vendor="V", most=0.1),)), "V share of spend: "),
        (replace(problem, network=None), "leaf switches without a network: "),
        (replace(problem, most_vendors=1), "vendors: 2 (allowed: at most 1)"),
        (replace(problem, most_node_types=1), "node types: 2 (allowed: at most 1)"),
    ]
    for changed, message in cases:
        faults = violations(changed, plan)
        assert any(violation.startswith(message) for violation in faults), (message, faults)


@pytest.mark.parametrize("less", [1e-9, 1e-12, 1e-13])
def test_a_value_and_its_bound_are_never_printed_alike(less: float) -> None:
    """However little a limit is passed by, two equal numbers are no reason."""
    problem, plan = planned("overprovisioned")
    changed = problem.limited(capital=plan.bill.capital * (1 - less))
    (faults,) = [
        violation for violation in violations(changed, plan) if "allowed: at most" in violation
    ]
    value, bound = faults.removeprefix("capital: ").removesuffix(")").split(" (allowed: at most ")
    assert value != bound


def test_misstated_watts_are_found() -> None:
    problem, plan = planned("overprovisioned")
    assert 0 < plan.liquid_w < plan.it_power_w
    assert 0 < plan.air_w < plan.it_power_w
    for name in ("it_power_w", "liquid_w", "air_w"):
        faults = violations(problem, replace(plan, **{name: getattr(plan, name) * 1.001}))
        assert [violation.split()[0] for violation in faults] == [name]


def test_a_limit_that_is_just_reached_is_no_violation() -> None:
    problem, plan = planned("overprovisioned")
    reached = problem.limited(
        it_power_w=plan.it_power_w,
        liquid_w=plan.liquid_w,
        air_w=plan.air_w,
        capital=plan.bill.capital,
        operating=plan.operating,
        racks=sum(plan.bill.racks),
    )
    reached = replace(reached, least_nodes=sum(plan.nodes), most_vendors=2, most_node_types=2)
    assert violations(reached, plan) == []


def test_a_static_machine_works_under_its_one_cap() -> None:
    problem, plan = planned("static")
    caps = [p.cap_w for p in plan.purchases]
    other = 150.0 if caps[0] == 200.0 else 200.0
    moved = bought(cap_w=other)(plan)
    faults = violations(problem, moved)
    assert any(
        f"works under a cap of {caps[0]} W, which static forbids" in violation
        for violation in faults
    )
    assert any("it_power_w is stated" in violation for violation in faults)
    assert "climb: works in a mode that static forbids" in faults
    faults = violations(problem, bought(cap_w=160.0)(plan))
    assert "a: a cap of 160.0 W is not permitted" in faults


def test_a_worst_case_machine_works_uncapped_and_counts_at_its_peak() -> None:
    problem, plan = planned("worst-case")
    capped = worked(lambda group: replace(group, mode=group.mode - 1))(plan)
    faults = violations(problem, capped)
    assert any("which worst-case forbids" in violation for violation in faults)
    peak = sum(problem.offers[p.offer].peak_w * p.nodes for p in plan.purchases)
    assert plan.it_power_w == pytest.approx(peak + problem.fixed_w + plan.bill.fabric_w)
    faults = violations(problem.limited(it_power_w=plan.it_power_w - 1e-6), plan)
    assert any("IT power of installed nodes" in violation for violation in faults)


def test_what_is_broken_is_said_with_units_whole_numbers_and_names() -> None:
    """Only b is bought, on which flow does not run: its throughput is nought in both demands."""
    problem, plan = planned("overprovisioned")
    only_b = replace(plan, purchases=tuple(p for p in plan.purchases if p.name == "b"))
    minimum = replace(
        problem, least_work=np.full_like(problem.demand, 2.0), least_memory_gb=123456.0
    )
    zero = replace(only_b, ratings=(0.0, 0.0), at_work=((), ()))
    faults = violations(minimum, zero)
    nowhere = "(no node bought runs it), but every plan does some of all work"
    assert f'"flow" is not done in demand "even" {nowhere}' in faults
    assert f'"flow" is not done in demand "flow" {nowhere}' in faults
    assert 'throughput of "flow" in demand "even": 0 (required: at least 2)' in faults
    memory = 8 * sum(p.nodes for p in only_b.purchases)
    assert f"memory: {memory} GB (required: at least 123,456 GB)" in faults
    large = replace(problem, prices=replace(problem.prices, fixed_capital=19_329_000.0))
    currency = problem.prices.currency
    (capital,) = [
        violation for violation in violations(large, plan) if violation.startswith("capital: 1")
    ]
    limit = re.escape(f"(allowed: at most 1,800 {currency})")
    assert re.fullmatch(rf"capital: 19,33\d,\d00 {currency} {limit}", capital)
    share = replace(problem, shares=(ShareLimit(kind="gpu", of="nodes", least=0.95),))
    (message,) = violations(share, plan)
    assert re.fullmatch(r"GPU share of nodes: [\d.]+ % \(required: at least 95 %\)", message)
