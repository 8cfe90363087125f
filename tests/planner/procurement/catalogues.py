"""Seeded small requests for proposals, each within reach of the brute force."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.procurement.from_scenario import problem_from
from planner.procurement.problem import Problem
from scenarios.model.scenario import Scenario

CAPACITY = ("flow", "grid", "pairs")
ACHIEVING_NOTHING: frozenset[int] = frozenset()
"""Seeds whose first candidate runs no work (log S is minus infinity): the search ends there."""
CHANCES = ((1.0,), (0.5, 0.5), (0.25, 0.75), (0.2, 0.3, 0.5))

Document = dict[str, Any]


NETWORK: Document = {
    "leaf_price": 15.0, "spine_price": 25.0, "leaf_w": 30.0, "spine_w": 20.0,
    "node_cable_price": 1.0, "uplink_cable_price": 2.0,
}  # fmt: skip
"""Prices and powers of the switches and cables of a small network."""


def random_problem(seed: int) -> Problem:
    return problem_from(scenario(document(seed)))


def scenario(raw_scenario: Document) -> Scenario:
    return Scenario.model_validate(raw_scenario)


def document(seed: int) -> Document:
    """A scenario as plain data, before it is validated: tests change it and validate again."""
    rng = np.random.default_rng([3, seed])
    types = [_node_type(rng, name) for name in ("a", "b", "c")[: int(rng.integers(2, 4))]]
    raw_scenario: Document = {
        "format": 1,
        "name": f"random-{seed}",
        "title": "Random",
        "node_types": types,
        "reference": {
            "name": "old",
            "nodes": _pick(rng, 1, 2, 2, 700),
            "compute_rate": 4.0,
            "bandwidth_gb_s": 5.0,
        },
        "procurement": _question(rng),
        "power": {"bound_w": _bound(rng, types, "peak_w"), "fixed_w": 20.0},
        "budget": _budget(rng, types),
        "workloads": [_capacity(rng, name, types) for name in CAPACITY[: int(rng.integers(1, 4))]],
    }
    if rng.random() < 0.4:
        raw_scenario["workloads"].append(_capability(rng, types))
    raw_scenario["reference"] |= {"compute_rate": 4.0, "bandwidth_gb_s": 5.0}
    chances = CHANCES[int(rng.integers(len(CHANCES)))]
    if len(chances) > 1:
        names = [entry["name"] for entry in raw_scenario["workloads"]]
        raw_scenario["demands"] = [
            {"name": f"mix {i}", "probability": chance, "factors": _factors(rng, names)}
            for i, chance in enumerate(chances)
        ]
    _site(rng, raw_scenario)
    _mandates(rng, raw_scenario)
    if _chance(rng, 0.3):
        _exactly_enough(rng, raw_scenario)
    return raw_scenario


def _exactly_enough(rng: np.random.Generator, raw_scenario: Document) -> None:
    """Money and watts that some purchase uses up to the last cent and watt."""
    types, budget = raw_scenario["node_types"], raw_scenario["budget"]
    counts = [int(rng.integers(0, entry["maximum_quantity"] + 1)) for entry in types]
    pairs = list(zip(counts, types, strict=True))
    cents = sum(count * round(entry["price"] * 100) for count, entry in pairs)
    with_installation = cents * round(1 + budget["installation_fraction"], 2) / 100
    budget["capital"] = round(with_installation + budget["fixed_capital"], 4) or 1.0
    watts = sum(count * entry[_pick(rng, "idle_w", "peak_w")] for count, entry in pairs)
    raw_scenario["power"]["bound_w"] = watts + raw_scenario["power"]["fixed_w"]


def _chance(rng: np.random.Generator, probability: float) -> bool:
    return bool(rng.random() < probability)


def _pick(rng: np.random.Generator, *values: Any) -> Any:
    return values[int(rng.integers(len(values)))]


def _bound(rng: np.random.Generator, types: list[Document], key: str) -> float:
    """Between little and nearly all that every node on offer needs."""
    total = sum(entry[key] * entry["maximum_quantity"] for entry in types)
    return float(round(total * rng.uniform(0.2, 0.9) + 20))


def _node_type(rng: np.random.Generator, name: str) -> Document:
    idle = 10.0 * int(rng.integers(5, 16))
    node: Document = {
        "name": name,
        "vendor": _pick(rng, "V", "W"),
        "kind": _pick(rng, "cpu", "gpu"),
        "price": round(float(rng.uniform(50, 300)), 2),
        "idle_w": idle,
        "peak_w": idle + 10.0 * int(rng.integers(8, 40)),
        "minimum_quantity": _pick(rng, 1, 1, 1, 2),
        "maximum_quantity": int(rng.integers(2, 6)),
        "memory_gb": float(rng.integers(1, 9)),
        "ports": int(rng.integers(0, 3)),
        "cooling": _pick(rng, "air", "liquid"),
        "compute_rate": float(rng.integers(2, 20)),
        "bandwidth_gb_s": float(rng.integers(2, 20)),
        "clock_exponent": _pick(rng, 1.2, 3.0),
    }
    caps = int(rng.integers(0, 4))
    node["package_caps_w"] = [300.0 - 30.0 * step for step in range(caps)][::-1]
    if _chance(rng, 0.4):
        node["discounts"] = [{"from_quantity": 3, "fraction": float(rng.uniform(0.05, 0.3))}]
        if _chance(rng, 0.4):
            node["discounts"].insert(0, {"from_quantity": 2, "fraction": 0.04})
    return node


def _caps(node: Document) -> list[float | None]:
    return list(node["package_caps_w"]) or [None]


def _capped_w(node: Document, cap: float | None) -> float:
    """What the cap lets: the one package's share comes off the peak."""
    return float(node["peak_w"] - (0 if cap is None else max(node["package_caps_w"]) - cap))


def _capacity(rng: np.random.Generator, name: str, types: list[Document]) -> Document:
    workload: Document = {"name": name, "weight": float(rng.integers(1, 5))}
    if _chance(rng, 0.3):
        workload["performance"] = {
            "kind": "roofline",
            "clock_bound": float(rng.uniform(0, 1)),
            "power_intensity": float(rng.uniform(0.5, 1)),
        }
        return workload
    rows = [
        {
            "node_type": node["name"],
            "cap_w": cap,
            "figure_of_merit": float(rng.integers(1, 40)) / 10,
            "drawn_w": _pick(rng, None, min(node["idle_w"] + 40.0, _capped_w(node, cap))),
        }
        for node in types
        for cap in _caps(node)
        if node is types[0] or _chance(rng, 0.8)
    ]
    workload["performance"] = {"kind": "table", "reference_figure_of_merit": 1.5, "rows": rows}
    return workload


def _capability(rng: np.random.Generator, types: list[Document]) -> Document:
    runs = [
        {
            "cap_w": cap,
            "time": {
                "kind": "table",
                "node_type": node["name"],
                "nodes": [1, 2, 4],
                "time_s": [float(rng.integers(20, 90)) for _ in range(3)],
            },
        }
        for node in types
        for cap in _caps(node)
        if node is types[0] or _chance(rng, 0.6)
    ]
    performance = {
        "kind": "times",
        "reference_time_s": 50.0,
        "runs": runs,
        "partitions": _pick(rng, [], [2, 3]),
    }
    return {
        "name": "climb",
        "weight": float(rng.integers(1, 5)),
        "rating": "time_to_solution",
        "performance": performance,
    }


def _factors(rng: np.random.Generator, names: list[str]) -> Document:
    """Never all zero: the first workload is always asked for."""
    choices = {name: _pick(rng, 0.0, 0.5, 1.0, 3.0) for name in names if _chance(rng, 0.6)}
    return {name: value for name, value in choices.items() if value or name != names[0]}


def _question(rng: np.random.Generator) -> Document:
    question: Document = {
        "workload_mode": _pick(rng, "shared", "one_at_a_time"),
        "cvar_weight": _pick(rng, 0.0, 0.5),
        "cvar_level": _pick(rng, 0.6, 0.8),
    }
    if _chance(rng, 0.2):
        question["most_vendors"] = 1
    if _chance(rng, 0.2):
        question["most_node_types"] = int(rng.integers(1, 3))
    return question


def _budget(rng: np.random.Generator, types: list[Document]) -> Document:
    budget: Document = {
        "capital": _bound(rng, types, "price"),
        "lifetime_years": 3.0,
        "discount_rate": _pick(rng, 0.0, 0.05),
        "maintenance_fraction_per_year": 0.1,
        "staff_per_year": 5.0,
        "installation_fraction": _pick(rng, 0.0, 0.02),
        "fixed_capital": _pick(rng, 0.0, 10.0),
        "utilisation": _pick(rng, 1.0, 0.8),
        "operating_holds": _pick(rng, "expected", "every"),
        "energy_prices": [
            {"name": "low", "price_per_kwh": 0.01, "probability": 0.5},
            {"name": "high", "price_per_kwh": 0.02, "probability": 0.5},
        ],
    }
    if _chance(rng, 0.4):
        watts = sum(entry["peak_w"] * entry["maximum_quantity"] for entry in types)
        budget["operating_per_year"] = float(round(watts * 8.76 * 0.015 * rng.uniform(0.3, 1)))
    return budget


def _site(rng: np.random.Generator, raw_scenario: Document) -> None:
    types = raw_scenario["node_types"]
    if _chance(rng, 0.3):
        raw_scenario["facility"] = {
            "liquid_w": _bound(rng, types, "peak_w"),
            "air_w": _bound(rng, types, "peak_w"),
        }
    if _chance(rng, 0.4):
        raw_scenario["rack"] = {"nodes": int(rng.integers(1, 4)), "price": 20.0}
        raw_scenario["facility"] = {
            **raw_scenario.get("facility", {}),
            "racks": int(rng.integers(2, 6)),
        }
        if _chance(rng, 0.5):
            raw_scenario["facility"]["rack_w"] = 1100.0
    if _chance(rng, 0.4):
        raw_scenario["network"] = {
            "leaf_node_ports": int(rng.integers(2, 5)),
            "leaf_uplinks": int(rng.integers(1, 4)),
            "spine_ports": int(rng.integers(2, 5)),
            **NETWORK,
        }
    if _chance(rng, 0.3):
        raw_scenario["power"] |= {"side": "facility", "pue": 1.1, "conversion_loss": 0.03}


def _mandates(rng: np.random.Generator, raw_scenario: Document) -> None:
    mandates: Document = {}
    if _chance(rng, 0.2):
        mandates["nodes"] = int(rng.integers(2, 6))
    if _chance(rng, 0.2):
        mandates["total_memory_gb"] = float(rng.integers(5, 30))
    if _chance(rng, 0.3):
        mandates["throughput"] = {"flow": float(rng.uniform(0.3, 2.5))}
    if _chance(rng, 0.2):
        mandates["time_to_solution_s"] = {"climb": 60.0}
    if _chance(rng, 0.3):
        who = _pick(rng, {"kind": "cpu"}, {"vendor": "V"})
        bound = _pick(rng, {"least": 0.4}, {"most": 0.6}, {"least": 0.2, "most": 0.7})
        mandates["shares"] = [{**who, **bound, "of": _pick(rng, "spend", "nodes")}]
    raw_scenario["requirements"] = mandates


def node(name: str, price: float, **more: Any) -> Document:
    """A node type of the vendor V that idles at 50 W and peaks at 100 W, unless said otherwise."""
    raw_scenario: Document = {"vendor": "V", "kind": "cpu", "idle_w": 50.0, "peak_w": 100.0}
    return (
        {"name": name, "price": price, "memory_gb": 4.0, "maximum_quantity": 5}
        | raw_scenario
        | more
    )


def merits(name: str, *rows: tuple[str, float | None, float], weight: float = 1.0) -> Document:
    """A workload from figures of merit: node type, cap, figure."""
    table = [{"node_type": t, "cap_w": c, "figure_of_merit": m} for t, c, m in rows]
    performance = {"kind": "table", "reference_figure_of_merit": 1.0, "rows": table}
    return {"name": name, "weight": weight, "performance": performance}


def request(
    nodes: list[Document], workloads: list[Document], capital: float, bound_w: float, **more: Any
) -> Document:
    """A request made by hand; ``more`` adds groups."""
    budget = {"capital": capital, "lifetime_years": 3.0, "energy_price_per_kwh": 0.01}
    raw_scenario: Document = {
        "format": 1,
        "name": "by-hand",
        "title": "By hand",
        "node_types": nodes,
        "reference": {"name": "old", "nodes": 1},
        "procurement": {},
        "power": {"bound_w": bound_w},
        "budget": budget,
        "workloads": workloads,
    }
    return raw_scenario | more


def asked(raw_scenario: Document) -> Problem:
    """The problem of a document."""
    return problem_from(scenario(raw_scenario))
