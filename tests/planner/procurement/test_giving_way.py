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
from planner.procurement.relaxations import relaxations
from planner.procurement.rules import EVERY_THROUGHPUT, QUANTITIES, STOCK, THROUGHPUT
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


def has_plan(raw_scenario: Document) -> bool:
    try:
        return best(asked(raw_scenario)).lower is not None
    except Exception as nothing:
        assert "can be bought" in str(nothing)  # noqa: PT017
        return False


def diagnosed(raw_scenario: Document, prices: dict[str, float] | None = None) -> Diagnosis:
    loaded = scenario(raw_scenario)
    study = procure(loaded, Options())
    assert study.plan is None
    if prices is None and study.diagnosis is not None:
        return study.diagnosis
    return diagnose(Optimiser(study.problem, Options()), prices or {}, loaded)


def applied(raw_scenario: Document, change: Changed, value: Any) -> Document:
    """The document with one rule changed as it is printed."""
    new = copy.deepcopy(raw_scenario)
    requirements, question = new["requirements"], new["procurement"]
    rule, subject = change.rule, change.subject
    quotes = [quote for quote in new["node_types"] if quote["name"] in subject.split(", ")]
    if rule.startswith(THROUGHPUT):
        requirements["throughput"] |= {subject: value}
        requirements["throughput"] = {k: v for k, v in requirements["throughput"].items() if v}
        return new
    if rule == EVERY_THROUGHPUT:
        requirements["throughput"] = {
            k: v * value / 100 for k, v in requirements["throughput"].items()
        }
        return new
    if rule == LATE and quotes:
        value = (value - question["decided_on"]).days / 7
    groups: dict[str, tuple[list[Document], str]] = {
        "requirement: nodes": ([requirements], "nodes"),
        "requirement: memory": ([requirements], "total_memory_gb"),
        "policy: vendors": ([question], "most_vendors"),
        "policy: node types": ([question], "most_node_types"),
        LATE: (quotes, "lead_weeks") if quotes else ([requirements], "delivered_by"),
        NODE_MEMORY: (quotes, "memory_gb") if quotes else ([requirements], "node_memory_gb"),
        STOCK: (quotes, "maximum_quantity"),
        QUANTITIES: (quotes, "minimum_quantity"),
        EXPIRED: (quotes, "valid_until"),
        RACK_POWER: ([new.get("facility", {})], "rack_w"),
    }
    indices, key = groups.get(rule, ([], subject))
    if rule.startswith("share: "):
        indices = requirements["shares"]
    if rule.startswith("requirement: a partition for "):
        indices = [requirements["time_to_solution_s"]]
    for index in indices:
        index[key] = float(value) if rule == RACK_POWER else value
    return new


def milder(raw_scenario: Document, change: Changed) -> Any:
    """The value before the one that is printed; ``None`` where there is none but the rule's own."""
    from planner.procurement.from_scenario import problem_from

    loaded = scenario(raw_scenario)
    (steps,) = [
        relaxation.values
        for relaxation in relaxations(problem_from(loaded, barred=True), loaded)
        if (relaxation.rule, relaxation.subject) == (change.rule, change.subject)
    ]
    index = list(steps).index(change.value) if len(steps) < 10**5 else change.value - steps[0]
    return steps[index - 1] if index else None


def check_ways(raw_scenario: Document, diagnosis: Diagnosis) -> list[str]:
    """See that every way suffices as printed, and with each of its changes a step less does not."""
    rules = []
    for way in diagnosis.ways:
        if any(change.rule == STOCK and change.value > MOST_COUNTED for change in way.changes):
            continue
        whole = raw_scenario
        for change in way.changes:
            whole = applied(whole, change, change.value)
        if way.grown is None:
            assert has_plan(whole), (raw_scenario["name"], way.changes)
            assert way.plan.score == pytest.approx(
                math.exp(best(asked(whole)).lower or 0), rel=2e-3
            )
        for change in way.changes:
            assert change.least, (raw_scenario["name"], change)
            before = milder(raw_scenario, change)
            if before is None and len(way.changes) > 1:
                continue  # the rule as it is: looked at by what is irreducible
            rest = raw_scenario if len(way.changes) == 1 else whole
            less = raw_scenario if before is None else applied(rest, change, before)
            assert not has_plan(less), (raw_scenario["name"], change, before)
            rules.append(change.rule)
    return rules


def hopeless(count: int, first: int) -> list[Document]:
    """So many requests without a plan, all with stocks, and some with dates and memory too."""
    result: list[Document] = []
    seed = first
    while len(result) < count:
        raw_scenario = document(seed)
        raw_scenario["procurement"] |= {"regime": REGIMES[seed // 2 % 3], "decided_on": DECIDED}
        requirements = raw_scenario["requirements"]
        if seed % 2:
            raw_scenario["budget"]["capital"] = round(raw_scenario["budget"]["capital"] * 0.3, 2)
        if seed % 3 == 0:
            requirements["nodes"] = 6
        if seed % 3 == 1:
            requirements["throughput"] = {"flow": 2.5}
        raw_scenario["node_types"][0] |= (
            {"valid_until": dt.date(2026, 12, 1)} if seed % 4 == 0 else {}
        )
        if seed % 5 == 0:
            requirements["node_memory_gb"] = 5.0
        if seed % 5 == 1:
            requirements["delivered_by"] = dt.date(2027, 6, 1)
            for index, entry in enumerate(raw_scenario["node_types"]):
                entry["lead_weeks"] = 10.0 + 14.5 * index
        if not has_plan(raw_scenario):
            result.append(raw_scenario)
        seed += 1
    return result


@pytest.mark.parametrize(("first", "count"), [(0, 2), pytest.param(0, 10, marks=pytest.mark.slow)])
def test_every_way_of_random_requests_suffices_and_a_step_less_does_not(
    first: int, count: int
) -> None:
    rules: list[str] = []
    for raw_scenario in hopeless(count, first=first):
        rules += check_ways(raw_scenario, diagnosed(raw_scenario, PRICES))
    assert rules
    assert count == 2 or {rule.partition(":")[0] for rule in rules} >= {"requirement", "share"}


# By hand

FLOW = merits("flow", ("a", None, 1.0), ("b", None, 1.0))


def pair(**more: Any) -> Document:
    """Five nodes of a, as many of b; 1,000 each, 10,000 in all; one node does as the reference."""
    nodes = [node("a", 1000.0), node("b", 1000.0, vendor="W", kind="gpu")]
    return request(nodes, [FLOW], 10_000.0, 5_000.0) | {"requirements": {"nodes": 8}} | more


def only_change(diagnosis: Diagnosis, rule: str) -> Changed:
    (change,) = [c for way in diagnosis.ways for c in way.changes if c.rule == rule]
    return change


def test_a_throughput_in_three_digits_is_the_largest_that_some_machine_reaches() -> None:
    """Ten nodes do 10 of 12 reference nodes' work: 0.8333; 0.833 is met and 0.834 is not."""
    raw_scenario = pair(
        reference={"name": "old", "nodes": 12}, requirements={"throughput": {"flow": 1.0}}
    )
    diagnosis = diagnosed(raw_scenario)
    change = only_change(diagnosis, THROUGHPUT + "flow")
    assert change.value == 0.833
    assert "a throughput of flow of 0.833 instead of 1 times" in change.words
    assert [*change.to_dict()] == ["rule", "subject", "value", "least"]
    check_ways(raw_scenario, diagnosis)


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
    raw_scenario = pair()
    raw_scenario["procurement"] = {"decided_on": DECIDED}
    raw_scenario["node_types"][0]["lead_weeks"] = 4.0
    raw_scenario["node_types"][1] |= {"lead_weeks": 4.0} | changes
    if rule == LATE:
        raw_scenario["requirements"]["delivered_by"] = dt.date(2027, 6, 1)
    if rule == NODE_MEMORY:
        raw_scenario["requirements"]["node_memory_gb"] = 4.0
    if rule == RACK_POWER:
        raw_scenario |= {"facility": {"rack_w": 300.0}, "rack": {"nodes": 2, "price": 0.0}}
    diagnosis = diagnosed(raw_scenario)
    assert set(diagnosis.clashing) == {"requirement: nodes", STOCK, rule}
    assert only_change(diagnosis, rule).value == value
    assert rule in check_ways(raw_scenario, diagnosis)


def test_where_every_quote_is_excluded_the_explanation_says_what_would_admit_some() -> None:
    raw_scenario = pair(requirements={})
    raw_scenario["procurement"] = {"decided_on": DECIDED}
    for entry in raw_scenario["node_types"]:
        entry["valid_until"] = dt.date(2026, 12, 31)
    study = procure(scenario(raw_scenario), Options())
    assert study.diagnosis is not None
    assert study.diagnosis.clashing == (EXPIRED,)
    assert study.study.headline.values == {"rule": EXPIRED}
    assert study.study.data["clashing"][0]["subject"] == "a, b"
    assert {c.subject for w in study.diagnosis.ways for c in w.changes} == {"a", "b", "a, b"}
    check_ways(raw_scenario, study.diagnosis)


def test_shares_vendors_and_stocks_give_way() -> None:
    """Of eight nodes at least 90 % b: five of b make 62.5 %; of one vendor: five nodes."""
    raw_scenario = pair(
        requirements={"nodes": 8, "shares": [{"kind": "gpu", "of": "nodes", "least": 0.9}]}
    )
    diagnosis = diagnosed(raw_scenario)
    share = only_change(diagnosis, "share: GPU share of nodes")
    assert (share.value, share.subject) == (0.625, "least")
    assert only_change(diagnosis, "requirement: nodes").value == 5
    stock = only_change(diagnosis, STOCK)
    assert (stock.subject, stock.value) == ("b", 8)
    check_ways(raw_scenario, diagnosis)
    alone = pair(procurement={"most_vendors": 1})
    diagnosis = diagnosed(alone)
    assert only_change(diagnosis, "policy: vendors").value == 2
    assert check_ways(alone, diagnosis)


def test_times_to_solution_and_node_types_give_way() -> None:
    times = {"kind": "table", "node_type": "a", "nodes": [1, 2], "time_s": [90.0, 50.126]}
    climb = {
        "name": "climb", "rating": "time_to_solution", "weight": 1.0,
        "performance": {"kind": "times", "reference_time_s": 10.0, "runs": [{"time": times}]},
    }  # fmt: skip
    slow = pair(requirements={"time_to_solution_s": {"climb": 20.0}})
    slow["workloads"].append(climb)
    diagnosis = diagnosed(slow)
    assert only_change(diagnosis, "requirement: a partition for climb").value == 50.13
    assert check_ways(slow, diagnosis) == ["requirement: a partition for climb"]
    types = pair(procurement={"most_node_types": 1})
    diagnosis = diagnosed(types)
    assert only_change(diagnosis, "policy: node types").value == 2
    assert check_ways(types, diagnosis)


def test_several_throughputs_give_way_together_where_no_single_one_helps() -> None:
    """Ten nodes for 12 of flow and 12 of tide: each alone at 0 still leaves 12 of 10."""
    work = [FLOW, merits("tide", ("a", None, 1.0), ("b", None, 1.0))]
    raw_scenario = pair(requirements={"throughput": {"flow": 24.0, "tide": 24.0}})
    raw_scenario["workloads"] = work
    diagnosis = diagnosed(raw_scenario)
    change = only_change(diagnosis, EVERY_THROUGHPUT)
    assert change.value == 41.6  # per cent: 10 of 24
    assert EVERY_THROUGHPUT in check_ways(raw_scenario, diagnosis)


def test_two_exclusions_at_once_are_one_way() -> None:
    raw_scenario = pair(procurement={"decided_on": DECIDED})
    raw_scenario["node_types"][0]["maximum_quantity"] = 1
    raw_scenario["node_types"][1] |= {"valid_until": dt.date(2026, 12, 31), "memory_gb": 2.0}
    raw_scenario["requirements"] = {"node_memory_gb": 4.0, "throughput": {"flow": 3.0, "tide": 1.0}}
    raw_scenario["workloads"].append(merits("tide", ("b", None, 1.0)))
    diagnosis = diagnosed(raw_scenario)
    (way,) = diagnosis.ways
    assert {change.rule for change in way.changes} == {EXPIRED, NODE_MEMORY}
    check_ways(raw_scenario, diagnosis)


def test_rules_and_resources_together_where_neither_alone_suffices() -> None:
    """Neither resources nor any one rule make a plan of this random request."""
    (raw_scenario,) = hopeless(1, first=1000)
    diagnosis = diagnosed(raw_scenario, PRICES)
    assert diagnosis.repairs == ()
    (way,) = diagnosis.ways
    assert way.grown is not None
    assert len(way.changes) >= 1
    loaded = asked_changed(raw_scenario, diagnosis)
    limits = {n: getattr(loaded.limits, n) + more * (1 + 1e-9) for n, more in way.grown.added}
    assert best(loaded.limited(**limits)).lower is not None
    for name, more in way.grown.added:
        less = limits | {name: getattr(loaded.limits, name) + 0.998 * more}
        assert best(loaded.limited(**less)).lower is None
    check_ways(raw_scenario, diagnosis)


def asked_changed(raw_scenario: Document, diagnosis: Diagnosis) -> Problem:
    """The problem with the rules of the only way changed."""
    for change in diagnosis.ways[0].changes:
        raw_scenario = applied(raw_scenario, change, change.value)
    return asked(raw_scenario)


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
    raw_scenario = three(prices)
    problem = asked(raw_scenario)
    (repair,) = diagnosed(raw_scenario).repairs
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
    share = {"kind": "gpu", "of": "nodes", "least": 0.9}
    raw_scenario = pair(requirements={"nodes": 8, "shares": [share]})
    assert diagnosed(raw_scenario).impossible == ()
    raw_scenario["node_types"][1]["kind"] = "cpu"
    diagnosis = diagnosed(raw_scenario)
    assert diagnosis.impossible == ("share: GPU share of nodes",)
    assert diagnosed(pair(procurement={"most_vendors": 1})).impossible == ()


@pytest.mark.parametrize("many", [11, 50_000])
def test_a_number_of_nodes_beyond_all_stocks_is_not_impossible(many: int) -> None:
    work = merits("flow", ("a", None, 1.0))
    diagnosis = diagnosed(
        request([node("a", 1000.0)], [work], 1e9, 1e9, requirements={"nodes": many})
    )
    assert diagnosis.impossible == ()
    assert set(diagnosis.clashing) == {"requirement: nodes", STOCK}


def test_a_rule_is_given_up_only_where_that_gives_a_plan() -> None:
    """Neither eight nodes nor 99 GB can be paid: giving up one of them leaves the other."""
    nodes = [node("a", 1000.0, memory_gb=4.0, maximum_quantity=60)]
    required = {"nodes": 8, "total_memory_gb": 99.0}
    dear = request(nodes, [merits("flow", ("a", None, 1.0))], 3_000.0, 9e5, requirements=required)
    diagnosis = diagnosed(dear)
    assert diagnosis.removable == ()
    dear["requirements"] = {"nodes": 8}
    assert {change.rule for way in diagnosed(dear).ways for change in way.changes} == {
        "requirement: nodes"
    }


def test_what_a_useful_machine_needs_comes_first() -> None:
    """Three idle nodes draw 150 W of 120; four at work, as good as the reference, draw 400 W."""
    nodes = [node("a", 100.0, maximum_quantity=9)]
    raw_scenario = request(
        nodes, [merits("w", ("a", None, 1.0))], 1_000.0, 120.0, requirements={"nodes": 3}
    )
    raw_scenario["reference"]["nodes"] = 4
    study = procure(scenario(raw_scenario), Options())
    diagnosis, problem = study.diagnosis, study.problem
    assert diagnosis is not None
    (repair,), (useful,) = diagnosis.repairs, diagnosis.useful
    assert repair.plan.score < 0.01
    assert dict(repair.added)["it_power_w"] < 31
    assert dict(useful.added)["it_power_w"] == pytest.approx(280.0, rel=1e-3)
    assert useful.plan.score == pytest.approx(1.0, rel=1e-3)
    first = study.study.rows("repairs")[0]
    assert first["added"] == pytest.approx(280.0, rel=1e-3)
    steps = [each for each in study.study.findings if each.kind.startswith("secure")]
    assert [each.values["added"] for each in steps] == pytest.approx([280.0], rel=1e-3)
    less = best(problem.limited(it_power_w=120.0 + 280.0 * 0.999)).lower
    assert less is not None
    assert less < 0
    assert diagnosed(three({"it_power_w": 1.0, "capital": 1.0, "racks": 1.0})).useful == ()
