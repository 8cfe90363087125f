"""Leaving out offers that another stands in for never changes the optimum."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from planner.procurement.dominance import dominated
from planner.procurement.layout import layout
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import GAP, Options
from planner.procurement.problem import Problem, Regime
from planner.procurement.quantities import most_nodes
from tests.planner.procurement.catalogues import (
    Document,
    asked,
    document,
    merits,
    node,
    request,
)
from tests.planner.procurement.enumeration import best
from tests.sizes import few


def optima(problem: Problem) -> tuple[float | None, float | None]:
    """Log S with and without the reduction."""
    every = most_nodes(problem, layout(problem))
    return (
        Optimiser(problem, Options()).solve().objective,
        Optimiser(problem, Options()).solve(most=every).objective,
    )


def same(first: float | None, other: float | None) -> bool:
    if first is None or other is None:
        return first is other
    return abs(first - other) <= 2 * GAP


def planted(seed: int, *, spend_shares: bool = False) -> Document:
    """A random request in which some offers are worse copies of others, sold in any number."""
    rng, raw_scenario = np.random.default_rng([7, seed]), document(seed)
    shares = raw_scenario["requirements"].get("shares", [])
    raw_scenario["requirements"]["shares"] = [
        s for s in shares if spend_shares or s["of"] != "spend"
    ]
    for node_type in raw_scenario["node_types"]:
        if rng.random() < 0.7:
            node_type.pop("maximum_quantity")
            node_type.pop("discounts", None)
            node_type["minimum_quantity"] = 1
    for node_type in list(raw_scenario["node_types"]):
        if rng.random() < 0.6:
            plant(rng, raw_scenario, node_type)
    return raw_scenario


FIELDS = ("price", "idle_w", "peak_w", "ports", "memory_gb", "vendor", "cooling", "kind")


def plant(rng: np.random.Generator, raw_scenario: Document, original: Document) -> None:
    """Add a copy that is worse in one thing, and sometimes better in another."""
    copy = original | {"name": original["name"] + "z"}
    for _ in range(int(rng.integers(1, 3))):
        key = str(rng.choice(FIELDS))
        factor = float(rng.choice([0.9, 1.0, 1.2, 1.5]))
        if key in ("price", "memory_gb"):
            copy[key] = round(copy[key] * factor, 2)
        elif key == "idle_w":
            copy[key] = min(round(copy[key] * factor), copy["peak_w"])
        elif key == "peak_w":
            copy[key] = max(round(copy[key] * factor), copy["idle_w"] + 1)
        elif key == "ports":
            copy[key] = max(0, copy[key] + int(rng.integers(-1, 2)))
        else:
            pairs = {"vendor": ("V", "W"), "cooling": ("air", "liquid"), "kind": ("cpu", "gpu")}
            copy[key] = str(rng.choice(pairs[key]))
    raw_scenario["node_types"].append(copy)
    slower = float(rng.choice([0.9, 1.0, 1.0]))
    for workload in raw_scenario["workloads"]:
        copy_performance(workload["performance"], original["name"], copy, slower)


def copy_performance(model: Document, of: str, copy: Document, slower: float) -> None:
    for row in list(model.get("rows", [])):
        if row["node_type"] == of:
            merit = row["figure_of_merit"] * slower
            consumed_w = row["drawn_w"] and max(row["drawn_w"], copy["idle_w"])
            change: dict[str, Any] = {"figure_of_merit": merit, "drawn_w": consumed_w}
            model["rows"].append(row | change | {"node_type": copy["name"]})
    for run in list(model.get("runs", [])):
        if run["time"]["node_type"] == of:
            model["runs"].append(run | {"time": run["time"] | {"node_type": copy["name"]}})


@pytest.mark.parametrize("regime", ["worst-case", "overprovisioned"])
def test_the_reduction_changes_no_optimum(regime: Regime) -> None:
    left_out = 0
    solved = 0
    for seed in range(few(24)):
        problem = asked(planted(seed)).under(regime)
        left_out += int(dominated(problem).sum())
        reduced, whole = optima(problem)
        assert same(reduced, whole), (problem.name, reduced, whole)
        solved += reduced is not None
    assert left_out >= few(7, 1)
    assert solved >= few(8, 1)


@pytest.mark.release
@pytest.mark.parametrize(
    "regime",
    ["worst-case", "static", "overprovisioned"],
)
@pytest.mark.parametrize("spend_shares", [False, True])
def test_the_reduction_changes_no_optimum_on_hundreds(
    regime: Regime, *, spend_shares: bool
) -> None:
    for seed in range(40, 240):
        problem = asked(planted(seed, spend_shares=spend_shares)).under(regime)
        reduced, whole = optima(problem)
        assert same(reduced, whole), (problem.name, reduced, whole)


def unbounded(name: str, price: float, **more: Any) -> Document:
    result = node(name, price)
    del result["maximum_quantity"]
    return result | more


def counted(problem: Problem) -> float | None:
    """The optimum by enumeration, which needs quantities that end: no more than fit."""
    maximum = most_nodes(problem, layout(problem))
    offers = tuple(
        replace(offer, tiers=tuple(replace(t, last=min(t.last, m)) for t in offer.tiers))
        for offer, m in zip(problem.offers, maximum, strict=True)
    )
    return best(replace(problem, offers=offers)).lower


def test_a_dear_offer_stays_where_a_share_of_spend_needs_it() -> None:
    """One a, two b and one gpu spend 220 of 520 on cpus (42 %) on 400 W, and do 13 times the work.

    Four b instead would need 500 W; fewer reach no 40 %.
    """
    nodes = [
        unbounded("a", 100.0),
        unbounded("b", 60.0),
        unbounded("g", 300.0, vendor="W", kind="gpu"),
    ]
    work = merits("w", ("a", None, 1.0), ("b", None, 1.0), ("g", None, 10.0))
    share = {"kind": "cpu", "least": 0.4, "of": "spend"}
    problem = asked(
        request(
            nodes, [work], 700.0, 400.0,
            requirements={"shares": [share]}, procurement={"regime": "worst-case"},
        )
    )  # fmt: skip
    truth = counted(problem)
    assert truth == pytest.approx(math.log(13))
    assert optima(problem)[0] == pytest.approx(truth, abs=GAP)


def test_two_equal_offers_stay_where_each_type_has_one_cap() -> None:
    """At 50 W, w runs nearly as fast; v needs 100 W: best are both types, each under its cap."""
    capped = {"idle_w": 10.0, "sockets": 1, "package_caps_w": [50.0, 100.0]}
    nodes = [unbounded("a", 100.0, **capped), unbounded("b", 100.0, **capped)]
    low, high = (50.0, 100.0)
    work = [
        merits("w", ("a", high, 2.0), ("b", high, 2.0), ("a", low, 1.9), ("b", low, 1.9)),
        merits("v", ("a", high, 2.0), ("b", high, 2.0), ("a", low, 0.2), ("b", low, 0.2)),
    ]
    problem = asked(request(nodes, work, 1000.0, 510.0, procurement={"regime": "static"}))
    truth = counted(problem)
    assert optima(problem)[0] == pytest.approx(truth, abs=GAP)


def test_the_best_of_two_runs_counts() -> None:
    """Type a once took 2.5 s and once 25 s on two nodes; b takes 20 s."""
    capped = {"sockets": 1, "package_caps_w": [50.0, 100.0]}

    def run(name: str, cap_w: float | None, time_s: float) -> Document:
        times = {"nodes": [1, 2], "time_s": [time_s, time_s / 2]}
        return {"cap_w": cap_w, "time": {"kind": "table", "node_type": name, **times}}

    runs = [run("a", 100.0, 5.0), run("a", None, 50.0), run("b", None, 40.0)]
    climb = {
        "name": "climb",
        "rating": "time_to_solution",
        "weight": 1.0,
        "performance": {"kind": "times", "reference_time_s": 10.0, "runs": runs},
    }
    nodes = [unbounded("a", 100.0, **capped), unbounded("b", 100.0, **capped)]
    both = merits("w", ("a", None, 1.0), ("b", None, 1.0))
    reduced, whole = optima(asked(request(nodes, [climb, both], 300.0, 1000.0)))
    assert reduced == pytest.approx(whole, abs=GAP)


RULES: list[tuple[str, Document, Document, Document]] = [
    ("a vendor of its own", {"vendor": "W"}, {}, {"procurement": {"most_vendors": 1}}),
    ("a share of vendors", {"vendor": "W"}, {},
     {"requirements": {"shares": [{"vendor": "V", "least": 0.5, "of": "nodes"}]}}),
    ("a share of kinds", {"kind": "gpu"}, {},
     {"requirements": {"shares": [{"kind": "cpu", "least": 0.5, "of": "nodes"}]}}),
    ("the other is sold out", {}, {"maximum_quantity": 3}, {}),
    ("the other comes in lots", {}, {"minimum_quantity": 4}, {}),
    ("the other costs less in number only", {"price": 100.0},
     {"price": 110.0, "discounts": [{"from_quantity": 3, "fraction": 0.3}]}, {}),
    ("other cooling", {"cooling": "liquid"}, {}, {"facility": {"liquid_w": 1000.0}}),
    ("fewer ports", {"ports": 0}, {"ports": 1}, {}),
    ("more memory", {"memory_gb": 9.0}, {}, {}),
    ("more nodes in a rack", {"nodes_per_rack": 4}, {"nodes_per_rack": 2},
     {"rack": {"nodes": 2, "price": 5.0}}),
    ("less idle power", {"idle_w": 40.0}, {}, {}),
    ("less peak power", {"peak_w": 90.0}, {}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("why", "mine", "others", "site"), RULES, ids=[rule[0] for rule in RULES])
def test_an_offer_that_has_something_of_its_own_stays(
    why: str, mine: Document, others: Document, site: Document
) -> None:
    """The offer a costs more than b and does no more work, but has something that b has not."""
    nodes = [unbounded("a", 120.0) | mine, unbounded("b", 100.0) | others]
    work = merits("w", ("a", None, 1.0), ("b", None, 1.0))
    problem = asked(request(nodes, [work], 1000.0, 1000.0, **site))
    assert dominated(problem).tolist() == [False, False]
    plain = [unbounded("a", 120.0), unbounded("b", 100.0)]
    without = asked(request(plain, [work], 1000.0, 1000.0))
    assert dominated(without).tolist() == [True, False]


def test_of_equal_offers_the_first_stays() -> None:
    nodes = [unbounded(name, 100.0) for name in ("a", "b", "c")]
    work = merits("w", *((node["name"], None, 1.0) for node in nodes))
    problem = asked(request(nodes, [work], 1000.0, 1000.0))
    assert dominated(problem).tolist() == [False, True, True]


def test_an_offer_stays_for_the_only_workload_that_it_runs_better() -> None:
    nodes = [unbounded("a", 120.0), unbounded("b", 100.0)]
    work = [
        merits("w", ("a", None, 1.0), ("b", None, 5.0)),
        merits("v", ("a", None, 1.1), ("b", None, 1.0)),
    ]
    assert not dominated(asked(request(nodes, work, 1000.0, 1000.0))).any()
