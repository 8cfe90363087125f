"""The thesis's closed form as the case of one node type, and the regimes told apart by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.procurement.checker import violations
from planner.procurement.from_scenario import problem_from
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from planner.procurement.plan import Plan
from planner.procurement.problem import REGIMES, Regime
from tests.planner.procurement.catalogues import Document, scenario
from tests.sizes import few

CAPS_W = [100.0, 200.0]


def node(name: str, price: float, idle_w: float, peak_w: float, **more: object) -> Document:
    return {
        "name": name, "vendor": "V", "price": price, "idle_w": idle_w, "peak_w": peak_w,
        "ports": 0, **more,
    }  # fmt: skip


def request(
    types: list[Document], merits: dict[tuple[str, float | None], float], watts: float, money: float
) -> Document:
    """Nodes, money and watts, and one workload whose throughput is linear in the nodes."""
    rows = [
        {"node_type": name, "cap_w": cap, "figure_of_merit": merit}
        for (name, cap), merit in merits.items()
    ]
    model = {"kind": "table", "reference_figure_of_merit": 1.0, "rows": rows}
    return {
        "format": 1,
        "name": "thesis",
        "title": "Thesis",
        "reference": {"name": "node", "nodes": 1},
        "procurement": {},
        "power": {"bound_w": watts},
        "budget": {"capital": money},
        "node_types": types,
        "workloads": [{"name": "work", "performance": model}],
    }


def best(raw_scenario: Document, regime: Regime) -> Plan | None:
    problem = problem_from(scenario(raw_scenario)).under(regime)
    plan = Optimiser(problem, Options()).solve().plan
    assert plan is None or violations(problem, plan) == []
    return plan


def installed(plan: Plan | None) -> int:
    return 0 if plan is None else sum(purchase.nodes for purchase in plan.purchases)


def capped_to_idle(price: float, idle_w: float, peak_w: float) -> Document:
    """A node whose lower cap holds it at its idle power, where it still works."""
    caps = [peak_w + 100.0 - (peak_w - idle_w), peak_w + 100.0]
    return node("older", price, idle_w, peak_w, package_caps_w=caps, capped_packages=1)


def test_equations_4_1_to_4_4_with_the_thesis_numbers() -> None:
    # P = 7,000 W; high-end 380 W: floor(18.4) = 18 nodes for 18 x 1.7 = 30.6 older nodes' money;
    # older at 180 W: n_lim = floor(38.9) = 38; n_ovp = min(38, floor(30.6)) = 30
    high = best(request([node("high", 170.0, 200.0, 380.0)], {("high", None): 1.0}, 7000, 1e6),
                "worst-case")  # fmt: skip
    assert installed(high) == 18
    older = capped_to_idle(100.0, 180.0, 380.0)
    low, full = older["package_caps_w"]
    merits: dict[tuple[str, float | None], float] = {("older", low): 1.0, ("older", full): 1.0}
    money_bound = best(request([older], merits, 7000, 18 * 170.0), "overprovisioned")
    assert installed(money_bound) == 30
    power_bound = best(request([older], merits, 7000, 1e6), "overprovisioned")
    assert installed(power_bound) == 38


@settings(max_examples=few(60))
@given(
    st.integers(100, 400),
    st.integers(1, 300),
    st.integers(100_00, 900_00),
    st.integers(0, 40),
    st.integers(0, 40),
    st.sampled_from([-1, 0, 1]),
    st.sampled_from(["worst-case", "overprovisioned"]),
)
def test_one_type_buys_what_power_and_money_allow(
    idle: int, span: int, cents: int, powered: int, paid: int, odd: int, regime: Regime
) -> None:
    # bounds that hold a whole number of nodes, or one cent and one watt more or less
    peak = idle + span
    per_node = peak if regime == "worst-case" else idle
    watts, budget = max(1, powered * per_node + odd), max(1, paid * cents + odd)
    older = capped_to_idle(cents / 100, float(idle), float(peak))
    merits: dict[tuple[str, float | None], float] = {
        ("older", cap): 1.0 for cap in older["package_caps_w"]
    }
    plan = best(request([older], merits, float(watts), budget / 100), regime)
    expected = min(watts // per_node, budget // cents)
    if expected == 0:
        assert plan is None or plan.score == 0
    else:
        assert plan is not None
        assert plan.score == pytest.approx(expected)
        assert installed(plan) >= expected


def test_one_type_gains_by_caps_and_a_little_by_overprovisioning() -> None:
    # 1,000 W, idle 100; 250 W for merit 1, 150 W for 0.9
    # worst-case: 4 nodes, 4.0; static at 150 W: 6 nodes, 5.4
    # overprovisioned: 6 nodes idle 600 W, each +50 W for 0.9: 900 W; the last 100 W lift one: 5.5
    # (7 nodes idle 700 W; 300 W run 6 of them: 5.4)
    first = node("a", 1.0, 100.0, 250.0, package_caps_w=CAPS_W, capped_packages=1)
    merits: dict[tuple[str, float | None], float] = {("a", 100.0): 0.9, ("a", 200.0): 1.0}
    raw_scenario = request([first], merits, 1000.0, 1e6)
    plans = [best(raw_scenario, regime) for regime in REGIMES]
    assert [plan.score for plan in plans if plan] == pytest.approx([4.0, 5.4, 5.5])


def test_two_types_gain_nothing_by_overprovisioning_where_money_binds() -> None:
    # as above, and b: 200 W, idle 100, merit 1.2, ten times the price; 1,000 W, money 24: b <= 2
    # worst-case: 2 b (400 W) + 2 a (500 W): 2.4 + 2 = 4.4; 1 b + 3 a: 4.2; 4 a: 4.0
    # static, a at 150 W: 2 b + 4 a (money 24, 1,000 W): 2.4 + 3.6 = 6.0; 1 b + 5 a: 5.7
    # overprovisioned: 2 b + 4 a again 6.0; 1 b + 5 a: 5.7 and 50 W for half a lift, 5.75
    first = node("a", 1.0, 100.0, 250.0, package_caps_w=CAPS_W, capped_packages=1)
    merits: dict[tuple[str, float | None], float] = {
        ("a", 100.0): 0.9,
        ("a", 200.0): 1.0,
        ("b", None): 1.2,
    }
    raw_scenario = request([first, node("b", 10.0, 100.0, 200.0)], merits, 1000.0, 24.0)
    plans = [best(raw_scenario, regime) for regime in REGIMES]
    assert [plan.score for plan in plans if plan] == pytest.approx([4.4, 6.0, 6.0])
    assert [p.nodes for plan in plans if plan for p in plan.purchases] == [2, 2, 4, 2, 4, 2]
