"""Rules that give way: what is printed suffices and a step less does not, on every machine."""

from __future__ import annotations

import copy
import datetime as dt
import math
from typing import Any

import pytest

from planner.procurement.checker import violations
from planner.procurement.giving_way import Changed
from planner.procurement.infeasible import Diagnosis, diagnose
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from planner.procurement.problem import (
    EXPIRED,
    LATE,
    NODE_MEMORY,
    RACK_POWER,
    REGIMES,
    RESOURCES,
    Problem,
)
from planner.procurement.procure import procure
from planner.procurement.relaxations import EVERY_THROUGHPUT, QUANTITIES, STOCK, relaxations
from planner.procurement.rules import THROUGHPUT
from tests.planner.procurement.catalogues import (
    Document,
    asked,
    document,
    merits,
    node,
    request,
    scenario,
)
from tests.planner.procurement.enumeration import best

PRICES = dict.fromkeys(RESOURCES, 1.0)
DECIDED = dt.date(2027, 1, 15)
MOST_COUNTED = 9
"""Enumeration of larger stocks takes too long."""


def has_plan(given: Document) -> bool:
    try:
        return best(asked(given)).lower is not None
    except Exception as nothing:
        assert "can be bought" in str(nothing)  # noqa: PT017
        return False


def diagnosed(given: Document, prices: dict[str, float] | None = None) -> Diagnosis:
    loaded = scenario(given)
    study = procure(loaded, Options())
    assert study.plan is None
    if prices is None and study.diagnosis is not None:
        return study.diagnosis
    return diagnose(Optimiser(study.problem, Options()), prices or {}, loaded)


def applied(given: Document, change: Changed, value: Any) -> Document:
    """The document with one rule changed as it is printed."""
    new = copy.deepcopy(given)
    wanted, question = new["requirements"], new["procurement"]
    rule, subject = change.rule, change.subject
    quotes = [each for each in new["node_types"] if each["name"] in subject.split(", ")]
    if rule.startswith(THROUGHPUT):
        wanted["throughput"] |= {subject: value}
        wanted["throughput"] = {k: v for k, v in wanted["throughput"].items() if v}
        return new
    if rule == EVERY_THROUGHPUT:
        wanted["throughput"] = {k: v * value / 100 for k, v in wanted["throughput"].items()}
        return new
    if rule == LATE and quotes:
        value = (value - question["decided_on"]).days / 7
    groups: dict[str, tuple[list[Document], str]] = {
        "mandate: nodes": ([wanted], "nodes"),
        "mandate: memory": ([wanted], "total_memory_gb"),
        "policy: vendors": ([question], "most_vendors"),
        "policy: node types": ([question], "most_node_types"),
        LATE: (quotes, "lead_weeks") if quotes else ([wanted], "delivered_by"),
        NODE_MEMORY: (quotes, "memory_gb") if quotes else ([wanted], "node_memory_gb"),
        STOCK: (quotes, "maximum_quantity"),
        QUANTITIES: (quotes, "minimum_quantity"),
        EXPIRED: (quotes, "valid_until"),
        RACK_POWER: ([new.get("facility", {})], "rack_w"),
    }
    places, key = groups.get(rule, ([], subject))
    if rule.startswith("share: "):
        places = wanted["shares"]
    if rule.startswith("mandate: a partition for "):
        places = [wanted["time_to_solution_s"]]
    for place in places:
        place[key] = float(value) if rule == RACK_POWER else value
    return new


def milder(given: Document, change: Changed) -> Any:
    """The value before the one that is printed; ``None`` where there is none but the rule's own."""
    from planner.procurement.from_scenario import problem_from

    loaded = scenario(given)
    (steps,) = [
        each.values
        for each in relaxations(problem_from(loaded, barred=True), loaded)
        if (each.rule, each.subject) == (change.rule, change.subject)
    ]
    place = list(steps).index(change.value) if len(steps) < 10**5 else change.value - steps[0]
    return steps[place - 1] if place else None


def check_ways(given: Document, found: Diagnosis) -> list[str]:
    """See that every way suffices as printed, and with each of its changes a step less does not."""
    rules = []
    for way in found.ways:
        if any(change.rule == STOCK and change.value > MOST_COUNTED for change in way.changes):
            continue
        whole = given
        for change in way.changes:
            whole = applied(whole, change, change.value)
        if way.grown is None:
            assert has_plan(whole), (given["name"], way.changes)
            assert way.plan.score == pytest.approx(
                math.exp(best(asked(whole)).lower or 0), rel=2e-3
            )
        for change in way.changes:
            assert change.least, (given["name"], change)
            before = milder(given, change)
            if before is None and len(way.changes) > 1:
                continue  # the rule as it is: looked at by what is irreducible
            rest = given if len(way.changes) == 1 else whole
            less = given if before is None else applied(rest, change, before)
            assert not has_plan(less), (given["name"], change, before)
            rules.append(change.rule)
    return rules


def hopeless(count: int, first: int) -> list[Document]:
    """So many requests without a plan, all with stocks, and some with dates and memory too."""
    found: list[Document] = []
    seed = first
    while len(found) < count:
        given = document(seed)
        given["procurement"] |= {"regime": REGIMES[seed // 2 % 3], "decided_on": DECIDED}
        wanted = given["requirements"]
        if seed % 2:
            given["budget"]["capital"] = round(given["budget"]["capital"] * 0.3, 2)
        if seed % 3 == 0:
            wanted["nodes"] = 6
        if seed % 3 == 1:
            wanted["throughput"] = {"flow": 2.5}
        given["node_types"][0] |= {"valid_until": dt.date(2026, 12, 1)} if seed % 4 == 0 else {}
        if seed % 5 == 0:
            wanted["node_memory_gb"] = 5.0
        if seed % 5 == 1:
            wanted["delivered_by"] = dt.date(2027, 6, 1)
            for place, each in enumerate(given["node_types"]):
                each["lead_weeks"] = 10.0 + 14.5 * place
        if not has_plan(given):
            found.append(given)
        seed += 1
    return found


@pytest.mark.parametrize(("first", "count"), [(0, 2), pytest.param(0, 10, marks=pytest.mark.slow)])
def test_every_way_of_random_requests_suffices_and_a_step_less_does_not(
    first: int, count: int
) -> None:
    rules: list[str] = []
    for given in hopeless(count, first=first):
        rules += check_ways(given, diagnosed(given, PRICES))
    assert rules
    assert count == 2 or {rule.partition(":")[0] for rule in rules} >= {"mandate", "share"}


# By hand

FLOW = merits("flow", ("a", None, 1.0), ("b", None, 1.0))


def pair(**more: Any) -> Document:
    """Five nodes of a, as many of b; 1,000 each, 10,000 in all; one node does as the reference."""
    nodes = [node("a", 1000.0), node("b", 1000.0, vendor="W", kind="gpu")]
    return request(nodes, [FLOW], 10_000.0, 5_000.0) | {"requirements": {"nodes": 8}} | more


def only_change(found: Diagnosis, rule: str) -> Changed:
    (change,) = [c for way in found.ways for c in way.changes if c.rule == rule]
    return change


def test_a_throughput_in_three_digits_is_the_largest_that_some_machine_reaches() -> None:
    """Ten nodes do 10 of 12 reference nodes' work: 0.8333; 0.833 is met and 0.834 is not."""
    given = pair(reference={"name": "old", "nodes": 12}, requirements={"throughput": {"flow": 1.0}})
    found = diagnosed(given)
    change = only_change(found, THROUGHPUT + "flow")
    assert change.value == 0.833
    assert "a throughput of flow of 0.833 instead of 1 times" in change.words
    check_ways(given, found)


@pytest.mark.parametrize(
    ("rule", "value", "changes"),
    [
        (EXPIRED, DECIDED, {"valid_until": dt.date(2026, 12, 31)}),
        (LATE, dt.date(2027, 8, 13), {"lead_weeks": 30.0}),
        (LATE, dt.date(2027, 6, 1), {"lead_weeks": None}),
        (NODE_MEMORY, 2.0, {"memory_gb": 2.0}),
        (NODE_MEMORY, 4.0, {"memory_gb": None}),
        (RACK_POWER, 400, {"peak_w": 400.0}),
    ],
)
def test_exclusions_are_part_of_explanation_and_repair(
    rule: str, value: Any, changes: Document
) -> None:
    given = pair()
    given["procurement"] = {"decided_on": DECIDED}
    given["node_types"][0]["lead_weeks"] = 4.0
    given["node_types"][1] |= {"lead_weeks": 4.0} | changes
    if rule == LATE:
        given["requirements"]["delivered_by"] = dt.date(2027, 6, 1)
    if rule == NODE_MEMORY:
        given["requirements"]["node_memory_gb"] = 4.0
    if rule == RACK_POWER:
        given |= {"facility": {"rack_w": 300.0}, "rack": {"nodes": 2, "price": 0.0}}
    found = diagnosed(given)
    assert set(found.clashing) == {"mandate: nodes", rule}
    assert only_change(found, rule).value == value
    assert rule in check_ways(given, found)


def test_where_every_quote_is_excluded_the_explanation_says_what_would_admit_some() -> None:
    given = pair(requirements={})
    given["procurement"] = {"decided_on": DECIDED}
    for each in given["node_types"]:
        each["valid_until"] = dt.date(2026, 12, 31)
    study = procure(scenario(given), Options())
    assert study.diagnosis is not None
    assert study.diagnosis.clashing == (EXPIRED,)
    assert "no expired quote is bought (excludes a, b)" in study.headline
    assert {c.subject for w in study.diagnosis.ways for c in w.changes} == {"a", "b", "a, b"}
    check_ways(given, study.diagnosis)


def test_shares_vendors_and_stocks_give_way() -> None:
    """Of eight nodes at least 90 % b: five of b make 62.5 %; of one vendor: five nodes."""
    given = pair(
        requirements={"nodes": 8, "shares": [{"kind": "gpu", "of": "nodes", "least": 0.9}]}
    )
    found = diagnosed(given)
    share = only_change(found, "share: gpu of nodes")
    assert (share.value, share.subject) == (0.625, "least")
    assert only_change(found, "mandate: nodes").value == 5
    stock = only_change(found, STOCK)
    assert (stock.subject, stock.value) == ("b", 8)
    check_ways(given, found)
    alone = pair(procurement={"most_vendors": 1})
    found = diagnosed(alone)
    assert only_change(found, "policy: vendors").value == 2
    assert check_ways(alone, found)


def test_times_to_solution_and_node_types_give_way() -> None:
    times = {"kind": "table", "node_type": "a", "nodes": [1, 2], "time_s": [90.0, 50.126]}
    climb = {
        "name": "climb", "rating": "time_to_solution", "weight": 1.0,
        "performance": {"kind": "times", "reference_time_s": 10.0, "runs": [{"time": times}]},
    }  # fmt: skip
    slow = pair(requirements={"time_to_solution_s": {"climb": 20.0}})
    slow["workloads"].append(climb)
    found = diagnosed(slow)
    assert only_change(found, "mandate: a partition for climb").value == 50.13
    assert check_ways(slow, found) == ["mandate: a partition for climb"]
    types = pair(procurement={"most_node_types": 1})
    found = diagnosed(types)
    assert only_change(found, "policy: node types").value == 2
    assert check_ways(types, found)


def test_several_throughputs_give_way_together_where_no_single_one_helps() -> None:
    """Ten nodes for 12 of flow and 12 of tide: each alone at 0 still leaves 12 of 10."""
    work = [FLOW, merits("tide", ("a", None, 1.0), ("b", None, 1.0))]
    given = pair(requirements={"throughput": {"flow": 24.0, "tide": 24.0}})
    given["workloads"] = work
    found = diagnosed(given)
    change = only_change(found, EVERY_THROUGHPUT)
    assert change.value == 41.6  # per cent: 10 of 24
    assert EVERY_THROUGHPUT in check_ways(given, found)


def test_two_exclusions_at_once_are_one_way() -> None:
    given = pair(procurement={"decided_on": DECIDED})
    given["node_types"][0]["maximum_quantity"] = 1
    given["node_types"][1] |= {"valid_until": dt.date(2026, 12, 31), "memory_gb": 2.0}
    given["requirements"] = {"node_memory_gb": 4.0, "throughput": {"flow": 3.0, "tide": 1.0}}
    given["workloads"].append(merits("tide", ("b", None, 1.0)))
    found = diagnosed(given)
    (way,) = found.ways
    assert {change.rule for change in way.changes} == {EXPIRED, NODE_MEMORY}
    check_ways(given, found)


def test_rules_and_resources_together_where_neither_alone_suffices() -> None:
    """Neither resources nor any one rule make a plan of this random request."""
    (given,) = hopeless(1, first=1000)
    found = diagnosed(given, PRICES)
    assert found.repairs == ()
    (way,) = found.ways
    assert way.grown is not None
    assert len(way.changes) >= 1
    loaded = asked_changed(given, found)
    limits = {n: getattr(loaded.limits, n) + more * (1 + 1e-9) for n, more in way.grown.added}
    assert best(loaded.limited(**limits)).lower is not None
    for name, more in way.grown.added:
        less = limits | {name: getattr(loaded.limits, name) + 0.998 * more}
        assert best(loaded.limited(**less)).lower is None
    check_ways(given, found)


def asked_changed(given: Document, found: Diagnosis) -> Problem:
    """The problem with the rules of the only way changed."""
    for change in found.ways[0].changes:
        given = applied(given, change, change.value)
    return asked(given)


# Three resources


def three(prices: dict[str, float]) -> Document:
    """Twenty nodes of 1,000, 100 W and a rack each; there are 10,000, 1,000 W and two racks."""
    nodes = [node("a", 1000.0, maximum_quantity=40, nodes_per_rack=1)]
    return request(
        nodes, [merits("w", ("a", None, 1.0))], 10_000.0, 1_000.0,
        requirements={"nodes": 20}, facility={"racks": 2},
        procurement={"regime": "worst-case", "repair_prices": prices},
    )  # fmt: skip


def enough(problem: Problem, added: dict[str, float]) -> bool:
    limits = {name: getattr(problem.limits, name) + more for name, more in added.items()}
    return best(problem.limited(**limits)).lower is not None


@pytest.mark.parametrize(
    ("prices", "cost"),
    [({"it_power_w": 1.0, "capital": 1.0, "racks": 100.0}, 1_000 + 10_000 + 1_800.0), ({}, None)],
)
def test_three_resources_short_at_once_get_a_repair(
    prices: dict[str, float], cost: float | None
) -> None:
    given = three(prices)
    problem = asked(given)
    (repair,) = diagnosed(given).repairs
    added = dict(repair.added)
    assert added == pytest.approx({"it_power_w": 1000.0, "capital": 10_000.0, "racks": 18.0}, 1e-4)
    assert repair.cost == (None if cost is None else pytest.approx(cost, rel=1e-4))
    assert repair.relative == (cost is None)
    exact = {"it_power_w": 1000.0, "capital": 10_000.0, "racks": 18.0}
    assert enough(problem, exact)
    for name, much in exact.items():
        assert not enough(problem, exact | {name: 0.999 * much})
    assert violations(problem.limited(**{
        name: getattr(problem.limits, name) + more for name, more in added.items()
    }), repair.plan) == []  # fmt: skip


# What nothing helps, and what is useful


def test_a_requirement_that_no_machine_meets_is_named() -> None:
    given = pair(requirements={"nodes": 11})
    found = diagnosed(given)
    assert found.impossible == ("mandate: nodes",)
    (line, *_) = found.sentences(asked(given))
    assert line.startswith("No machine meets the mandatory 11 nodes, whatever resources")
    assert diagnosed(pair(procurement={"most_vendors": 1})).impossible == ()


def test_what_a_useful_machine_needs_comes_first() -> None:
    """Three idle nodes draw 150 W of 120; four at work, as good as the reference, draw 400 W."""
    nodes = [node("a", 100.0, maximum_quantity=9)]
    given = request(
        nodes, [merits("w", ("a", None, 1.0))], 1_000.0, 120.0, requirements={"nodes": 3}
    )
    given["reference"]["nodes"] = 4
    found, problem = diagnosed(given), asked(given)
    (repair,), (useful,) = found.repairs, found.useful
    assert repair.plan.score < 0.01
    assert dict(repair.added)["it_power_w"] < 31
    assert dict(useful.added)["it_power_w"] == pytest.approx(280.0, rel=1e-3)
    assert useful.plan.score == pytest.approx(1.0, rel=1e-3)
    lines = found.sentences(problem)
    assert lines[0].startswith("For a machine as good as the reference: 280")
    less = best(problem.limited(it_power_w=120.0 + 280.0 * 0.999)).lower
    assert less is not None
    assert less < 0
    assert diagnosed(three({"it_power_w": 1.0, "capital": 1.0, "racks": 1.0})).useful == ()
