"""Seeded tiny requests at the edges: one node, no money left, power to spare, a full last rack."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.planner.procurement.catalogues import NETWORK, Document, merits, node, request

_CAPS_W = (100.0, 150.0, 200.0)
_MERITS = (0.75, 0.9, 1.0)


def edge_document(seed: int) -> Document:
    """One or two node types, with limits that some number of nodes just keeps or just passes."""
    rng = np.random.default_rng([38, seed])
    if seed % 6 == 5:
        return _many_nodes(rng)
    types = [_node(rng, name) for name in ("a", "b")[: int(rng.integers(1, 3))]]
    workloads = [
        merits(f"work {i}", *_rows(rng, types), weight=float(rng.integers(1, 4)))
        for i in range(int(rng.integers(1, 3)))
    ]
    raw_scenario = request(types, workloads, *_limits(rng, types))
    raw_scenario["procurement"] |= {
        "workload_mode": _pick(rng, "shared", "one_at_a_time"),
        "repair_prices": {"it_power_w": float(_pick(rng, 0.01, 1, 2, 5, 50))},
    }
    if rng.random() < 0.3:
        raw_scenario["rack"] = {"nodes": int(rng.integers(1, 4)), "price": _pick(rng, 0.0, 30.0)}
        raw_scenario["facility"] = {"racks": int(rng.integers(1, 6))}
    if rng.random() < 0.2:
        raw_scenario["network"] = {
            "leaf_node_ports": int(rng.integers(2, 5)),
            "leaf_uplinks": int(rng.integers(1, 3)),
            "spine_ports": int(rng.integers(2, 6)),
            **NETWORK,
        }
    if rng.random() < 0.2:
        most = sum(entry["peak_w"] * entry["maximum_quantity"] for entry in types)
        raw_scenario["budget"]["operating_per_year"] = round(most * 0.0876 * rng.uniform(0.2, 1), 2)
    return raw_scenario


def _many_nodes(rng: np.random.Generator) -> Document:
    """Some tens of capped nodes: more of them under lower caps do as much as more power."""
    count, idle_w = int(rng.integers(8, 31)), float(_pick(rng, 10, 20, 40))
    only = node(
        "a", 100.0, idle_w=idle_w, peak_w=300.0, package_caps_w=list(_CAPS_W), capped_packages=1,
        maximum_quantity=60,
    )  # fmt: skip
    work = merits("work", *(("a", cap, merit) for cap, merit in zip(_CAPS_W, _MERITS, strict=True)))
    drawn_w = count * rng.uniform(210, 290)  # between the lowest and the highest cap of all nodes
    raw_scenario = request([only], [work], count * 100.0, round(drawn_w, 1))
    raw_scenario["procurement"] |= {"repair_prices": {"it_power_w": float(_pick(rng, 0.1, 1, 5))}}
    return raw_scenario


def _pick(rng: np.random.Generator, *values: Any) -> Any:
    return values[int(rng.integers(len(values)))]


def _node(rng: np.random.Generator, name: str) -> Document:
    more: Document = {
        "idle_w": float(_pick(rng, 0, 20, 50, 100)),
        "peak_w": float(_pick(rng, 250, 300, 500)),
        "maximum_quantity": int(_pick(rng, 1, 4, 10, 20)),
        "cooling": _pick(rng, "air", "liquid"),
    }
    if rng.random() < 0.7:
        more |= {"package_caps_w": list(_CAPS_W), "capped_packages": 1}
    if rng.random() < 0.2:
        more["discounts"] = [{"from_quantity": 3, "fraction": float(rng.uniform(0.05, 0.4))}]
    return node(name, float(_pick(rng, 10, 75.5, 100, 130)), **more)


def _rows(rng: np.random.Generator, types: list[Document]) -> list[tuple[str, float | None, float]]:
    """Figures of merit: more under a higher cap, and less and less so."""
    rows: list[tuple[str, float | None, float]] = []
    for entry in types:
        merit = float(rng.uniform(0.5, 2))
        if "package_caps_w" not in entry:
            rows.append((entry["name"], None, merit))
            continue
        for cap, share in zip(_CAPS_W, _MERITS, strict=True):
            rows.append((entry["name"], cap, merit * share))
    return rows


def _limits(rng: np.random.Generator, types: list[Document]) -> tuple[float, float]:
    """Money and watts for a number of nodes exactly, for a little more, for all, or both scarce."""
    counts = [int(rng.integers(1, entry["maximum_quantity"] + 1)) for entry in types]
    entry, other = int(rng.integers(len(types))), int(rng.integers(len(types)))
    spent = counts[entry] * types[entry]["price"]
    if rng.random() < 0.4:
        return float(spent), round(
            counts[entry] * types[entry]["peak_w"] * rng.uniform(0.4, 0.9), 1
        )
    money = _pick(rng, spent, spent + rng.uniform(0, 1) * types[entry]["price"], 1e5)
    node_w = types[other][_pick(rng, "idle_w", "peak_w")] or 130.0
    drawn = counts[other] * node_w
    return float(money), float(_pick(rng, drawn, round(drawn + rng.uniform(0, 1) * node_w, 1), 1e5))
