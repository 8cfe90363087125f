"""Small requests for proposals, answered; the long answers are made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from planner.procurement.alternatives import Alternative
from planner.procurement.budget_power_grid import Cell
from planner.procurement.front import ParetoPoint
from planner.procurement.losing_quotes import LosingQuote
from planner.procurement.outcome import Options
from planner.procurement.plan import Plan
from planner.procurement.procure import procure
from planner.procurement.sensitivity import Bar, MonteCarlo
from planner.procurement.study import ProcurementStudy
from scenarios.model.scenario import Scenario

HOSTILE = (
    "=SUM(A1:A9) #panic() *bold* _it_ $x^2$ @ref <tag> \\",
    "N" * 120,
    "高性能計算ノード 型番",
)


def document(labels: tuple[str, ...] = (), types: int = 3, **changes: Any) -> dict[str, Any]:
    """A scenario as plain data: ``types`` node types, two workloads, one run on a partition."""
    raw_scenario: dict[str, Any] = {
        "format": 1,
        "name": "small-rfp",
        "title": "What a small centre should buy",
        "description": "Made for tests.",
        "node_types": [_node_type(index, labels) for index in range(types)],
        "reference": {"name": "Old", "nodes": 20, "compute_rate": 100.0, "bandwidth_gb_s": 200.0},
        "procurement": {"cvar_weight": 0.5, "cvar_level": 0.5, "repair_prices": {"it_power_w": 5}},
        "power": {"bound_w": 30_000, "fixed_w": 500, "pue": 1.1, "carbon_g_per_kwh": 200},
        "facility": {"racks": 4, "rack_w": 20_000},
        "budget": {"capital": 900_000, "lifetime_years": 5, "energy_price_per_kwh": 0.1},
        "rack": {"nodes": 16, "price": 5_000},
        "workloads": [
            _roofline("flow", 3.0, 0.1),
            _roofline(labels[0] if labels else "pairs", 2.0, 0.6),
            _roofline("large run", 1.0, 0.4) | {"rating": "time_to_solution"},
        ],
        "demands": [
            {"name": "as now", "probability": 0.5},
            {"name": "more flow", "probability": 0.5, "factors": {"flow": 2}},
        ],
    }
    raw_scenario["workloads"][2]["performance"] |= {"reference_time_s": 1e6, "partitions": [8, 16]}
    return raw_scenario | changes


def _node_type(offer_index: int, labels: tuple[str, ...]) -> dict[str, Any]:
    label = labels[offer_index % len(labels)] if labels else f"Node {offer_index}"
    return {
        "name": f"type-{offer_index}",
        "label": label,
        "vendor": label if labels else f"Vendor {offer_index % 2}",
        "kind": "cpu",
        "price": 9_000.0 + 1_500 * (offer_index % 7),
        "idle_w": 120.0 + offer_index,
        "peak_w": 700.0 + 20 * (offer_index % 5),
        "package_caps_w": [200.0, 250.0, 300.0],
        "capped_packages": 2,
        "memory_gb": 256.0,
        "compute_rate": 300.0 + 40 * (offer_index % 6),
        "bandwidth_gb_s": 500.0 + 30 * (offer_index % 4),
        "as_bid_quantity": 20,
        "cores": 64,
    }


def _roofline(name: str, weight: float, clock_bound: float) -> dict[str, Any]:
    performance = {"kind": "roofline", "clock_bound": clock_bound, "power_intensity": 0.8}
    return {"name": name, "weight": weight, "performance": performance}


def answered(raw_scenario: dict[str, Any]) -> ProcurementStudy:
    """The short study of a scenario."""
    return procure(Scenario.model_validate(raw_scenario), Options())


def with_long_answers(study: ProcurementStudy) -> ProcurementStudy:
    """The same with every long answer, made by hand."""
    plan = study.plan
    assert plan is not None
    names = [offer.name for offer in study.problem.offers]
    lost = [
        LosingQuote(name, "V", 0.1, 0.12, (), 3) if name_index % 2 else
        LosingQuote(name, "V", 0.95, None, ("limit: capital",), 3)
        for name_index, name in enumerate(names)
    ]  # fmt: skip
    regrets, scores = (0.0, 0.01, 0.02, 0.05), (1.0, 1.1, 1.2, 1.3)
    simulation = MonteCarlo(4, 7, 0.75, 0.0, 0.0, regrets, scores, 0.1, 0.1, 0.05)
    return replace(
        study,
        full=True,
        alternatives=(Alternative(plan, 0.2, 0.25, 0.015), Alternative(plan, 0.1, 0.1, 0.02)),
        losing_quotes=tuple(lost),
        cells=_cells(study, plan),
        pareto=tuple(_point(names[0], n) for n in range(1, 31)),
        tornado=(
            Bar("capital", 0.1, 0.9 * plan.score, 1.1 * plan.score, 0.9, 1.0, types_change=True),
            Bar(f"price of {names[0]}", 0.1, None, plan.score, 0.0, 1.0, types_change=False),
        ),
        monte_carlo=simulation,
    )


def _point(name: str, n: int) -> ParetoPoint:
    """Beyond the 900,000 of capital from ten nodes on."""
    used = (("it_power_w", 1e3 * n), ("capital", 1e5 * n), ("racks", 1.0))
    beyond = ("capital",) * (n > 9)
    return ParetoPoint(1e5 * n, 2e5 * n, 0.3 * n, 1e3 * n, ((name, n),), used, beyond)


def _cells(study: ProcurementStudy, plan: Plan) -> tuple[Cell, ...]:
    """Two by two: no plan at all, no gain, some gain, and one without a worst-case plan."""
    limits = study.problem.limits
    scores = {
        (0.5, 0.5): (0.0, 0.0, 0.0), (0.5, 1.0): (1.0, 1.0, 1.0),
        (1.0, 0.5): (0.0, 0.8, 0.9), (1.0, 1.0): (1.0, 1.2, 1.25),
    }  # fmt: skip
    return tuple(
        Cell(
            limits.capital * money,
            limits.it_power_w * power,
            dict(zip(("worst-case", "static", "overprovisioned"), values, strict=True)),
            {"worst-case": None, "static": None, "overprovisioned": None},
            plan,
        )
        for (money, power), values in scores.items()
    )
