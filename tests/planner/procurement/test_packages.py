"""Packages by hand: money, racks, watts, lots, heuristics, diagnosis, and the answer as a study."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from planner.errors import InputError
from planner.procurement.checker import violations
from planner.procurement.data import data_of
from planner.procurement.infeasible import clashing, diagnose
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from planner.procurement.package_heuristics import package_plans
from planner.procurement.plan import Plan
from planner.procurement.problem import Problem
from planner.procurement.procure import procure
from planner.procurement.rules import groups, in_words
from tests.planner.procurement.catalogues import (
    Document,
    asked,
    merits,
    node,
    request,
    scenario,
)


def nodes(name: str, price: float, quantity: int, **more: Any) -> Document:
    return {"kind": "node", "item": name, "name": name, "price": price,
            "quantity": quantity} | more  # fmt: skip


def package(name: str, *lines: Document, **more: Any) -> Document:
    return {"name": name, "vendor": "V", "lot": "L", "lines": list(lines)} | more


def tender(*packages: Document, capital: float = 1000.0, **more: Any) -> Document:
    """One lot; nodes of a do 2, those of b do 1; both idle at 50 W and peak at 100 W."""
    types = [node("a", 10.0, vendor="V"), node("b", 10.0, vendor="V")]
    works = [merits("x", ("a", None, 2.0), ("b", None, 1.0))]
    raw = request(types, works, capital, 1e5) | {"packages": list(packages)}
    return raw | {"lots": [{"name": "L"}]} | more


def best(problem: Problem) -> Plan:
    optimiser = Optimiser(problem, Options())
    plan = optimiser.solve().plan
    optimiser.close()
    assert plan is not None
    assert violations(problem, plan) == []
    return plan


def names(plan: Plan) -> list[str]:
    return [bill.package.name for bill in plan.bill.packages.values()]


def test_a_package_is_bought_as_quoted_and_its_nodes_only_in_it() -> None:
    # p: 4 a for 80, score 8; q: 9 b for 50, score 9. b is sold in q alone, a in p alone
    raw = tender(package("p", nodes("a", 20.0, 4)), package("q", nodes("b", 5.0, 10)))
    plan = best(asked(raw))
    assert names(plan) == ["q"]
    assert [(each.name, each.nodes) for each in plan.purchases] == [("b", 10)]
    assert plan.bill.capital == 50.0


def test_free_nodes_join_a_package_until_the_money_is_spent() -> None:
    # p takes 80 of 100; two b for 10 each: 4 x 2 + 2 = 10
    plan = best(asked(tender(package("p", nodes("a", 20.0, 4)), capital=100.0)))
    assert plan.score == pytest.approx(10.0)
    assert plan.bill.capital == 100.0


def test_a_varying_package_follows_with_whole_racks() -> None:
    # a rack for every 3 nodes: 5 nodes and 2 racks are 5 x 20 + 2 x 7 = 114; a sixth is 134
    rack = {"kind": "rack", "item": "Rack", "name": "r", "price": 7.0, "per": "node:a", "every": 3}
    line = nodes("a", 20.0, 2, minimum_quantity=1, maximum_quantity=9)
    raw = tender(package("p", line, rack, all_or_nothing=False), capital=133.0)
    plan = best(asked(raw | {"facility": {"racks": 4}, "rack": {"nodes": 1, "price": 99.0}}))
    assert [(each.name, each.nodes) for each in plan.purchases if each.name == "a"] == [("a", 5)]
    assert plan.bill.capital == 114.0  # the site's racks, of one node each, are not used
    assert sum(plan.bill.racks) == 2


@pytest.mark.parametrize(
    ("more", "rest"),
    [
        ({}, {}),
        ({"vat": 0.19}, {"rounding of the package": 67.23 - 80 / 1.19}),
        ({"discount": 0.1}, {"discount of the package": -8.0}),
    ],
)
def test_what_lines_of_a_package_lack_of_its_price_is_rounding_or_its_discount(
    more: Document, rest: dict[str, float]
) -> None:
    plan = best(asked(tender(package("p", nodes("a", 20.0, 4), **more), capital=85.0)))
    found = {e.item: e.amount for e in plan.bill.lines if e.item.endswith("of the package")}
    assert found == pytest.approx(rest)


def test_lines_draw_power_and_network_lines_replace_switches() -> None:
    network = {"leaf_node_ports": 2, "leaf_uplinks": 1, "spine_ports": 2, "leaf_price": 500.0,
               "spine_price": 500.0}  # fmt: skip
    lines = [{"kind": "network", "item": "Net", "price": 5.0, "watts": 30.0}]
    raw = tender(package("p", nodes("a", 20.0, 4), *lines), network=network,
                 capital=85.0)  # fmt: skip
    raw["power"]["fixed_w"] = 1.0
    plan = best(asked(raw))
    assert plan.bill.fabric.leaves == 0
    assert plan.bill.fabric_w == 30.0
    assert plan.it_power_w == 431.0  # 4 x 100 + 30 + 1
    assert plan.bill.capital == 85.0


def test_installation_and_service_of_a_package_are_not_paid_twice() -> None:
    lines = [{"kind": "installation", "item": "In", "price": 5.0},
             {"kind": "service", "item": "Service", "price": 3.0, "per_year": True}]  # fmt: skip
    raw = tender(package("p", nodes("a", 20.0, 4), *lines), package("q", nodes("b", 1.0, 1)))
    raw["budget"] |= {"installation_fraction": 0.1, "maintenance_fraction_per_year": 0.05}
    bill = best(asked(raw)).bill
    assert (bill.capital, bill.installation, bill.maintenance) == (85.0, 0.0, 3.0)
    raw["packages"] = [package("p", nodes("a", 20.0, 4)), package("q", nodes("b", 1.0, 1))]
    bill = best(asked(raw)).bill
    assert (bill.capital, bill.installation, bill.maintenance) == (88.0, 8.0, 4.0)


def test_the_discount_of_a_vendor_counts_over_lots() -> None:
    # p and s together: 80 + 120 = 200, 10 % less; q is cheaper alone
    store = {"kind": "storage", "item": "Store", "price": 120.0}
    lots = [{"name": "L"}, {"name": "S"}]
    raw = tender(package("p", nodes("a", 20.0, 4)), package("q", nodes("b", 19.0, 4), vendor="W"),
                 package("s", store, lot="S"), capital=180.0, lots=lots)  # fmt: skip
    raw["node_types"][1]["vendor"] = "W"
    raw["vendor_terms"] = [{"vendor": "V", "discounts": [{"from_total": 200.0, "fraction": 0.1}]}]
    plan = best(asked(raw))
    assert names(plan) == ["p", "s"]
    assert plan.bill.capital == 180.0
    assert [line.amount for line in plan.bill.lines if not line.package] == [-20.0]


def test_lots_groups_and_least_orders_are_named_where_they_clash() -> None:
    raw = tender(package("p", nodes("a", 20.0, 4), group="g"),
                 package("s", nodes("b", 20.0, 4), lot="S", group="g"),
                 lots=[{"name": "L", "nodes": 2}, {"name": "S", "capital": 500.0}])  # fmt: skip
    problem = asked(raw)
    assert [group.name for group in groups(problem) if group.name.startswith(("lot", "group"))] == [
        "lot: L", "lot nodes: L", "lot: S", "lot capital: S", "group: g",
    ]  # fmt: skip
    optimiser = Optimiser(problem, Options())
    assert set(clashing(optimiser)) == {"lot: L", "lot: S", "group: g"}
    found = diagnose(optimiser, {}, None)
    optimiser.close()
    changes = {way.changes[0].rule: way.changes[0].words for way in found.ways}
    assert changes == {
        "lot: L": "no package for lot L: the lot optional",
        "lot: S": "no package for lot S: the lot optional",
    }
    assert "group: g" in found.removable or found.ways
    words = [in_words(problem, group.name) for group in groups(problem)]
    assert "that of group g at most one package is bought" in words
    assert "the 2 nodes of lot L" in words


def test_a_least_order_gives_way_by_the_least_step() -> None:
    raw = tender(package("p", nodes("a", 20.0, 4)), vendor_terms=[
        {"vendor": "V", "minimum_total": 100.0}])  # fmt: skip
    optimiser = Optimiser(asked(raw), Options())
    ways = {way.changes[0].rule: way.changes[0].value for way in diagnose(optimiser, {}).ways}
    optimiser.close()
    assert ways["order: V"] == 80.0


def test_heuristics_buy_packages_as_quoted_and_keep_the_limits() -> None:
    raw = tender(package("p", nodes("a", 20.0, 4)), package("q", nodes("b", 5.0, 10)),
                 capital=85.0)  # fmt: skip
    optimiser = Optimiser(asked(raw), Options())
    plans = {plan.method: plan for plan in package_plans(optimiser)}
    optimiser.close()
    assert {name: names(plan) for name, plan in plans.items()} == {
        "best package per lot": ["q"],
        "packages per money": ["q"],
        "cheapest package per lot": ["q"],
        "as quoted by V": ["p"],
    }
    assert all(violations(asked(raw), plan) == [] for plan in plans.values())


def test_a_vendor_without_a_package_for_a_lot_quoted_no_system() -> None:
    lots: list[dict[str, object]] = [{"name": "L"}, {"name": "M", "optional": True}]
    first, second = package("p", nodes("a", 20.0, 4)), package("q", nodes("b", 5.0, 2))
    second |= {"vendor": "W", "lot": "M"}
    methods = {}
    for optional in (True, False):
        lots[1] |= {"optional": optional}
        optimiser = Optimiser(asked(tender(first, second, lots=lots)), Options())
        methods[optional] = {plan.method for plan in package_plans(optimiser)}
        optimiser.close()
    quoted = {optional: {m for m in names if m.startswith("as quoted")}
              for optional, names in methods.items()}  # fmt: skip
    assert quoted == {True: {"as quoted by V"}, False: set()}


def test_a_heuristic_that_chooses_nodes_says_that_it_handles_no_packages() -> None:
    raw = scenario(tender(package("p", nodes("a", 20.0, 4))))
    with pytest.raises(InputError, match="does not handle packages; use --method engine"):
        procure(raw, Options(method="greedy-per-money"))


def test_the_checker_finds_every_tampering_with_packages() -> None:
    problem = asked(tender(package("p", nodes("a", 20.0, 4)), package("q", nodes("b", 5.0, 10))))
    plan = best(problem)
    (number,) = plan.bill.packages
    dearer = replace(plan.bill.packages[number], total=plan.bill.packages[number].total + 1)
    for bill in (
        replace(plan.bill, packages={}),
        replace(plan.bill, packages={0: plan.bill.packages[number]}),
        replace(plan.bill, packages={number: dearer}),
        replace(plan.bill, vendors={}),
        replace(plan.bill, maintenance=1.0),
        replace(plan.bill, capital=49.0),
    ):
        assert violations(problem, replace(plan, bill=bill)) != []


def test_shares_count_attributes_and_multiples_are_kept() -> None:
    raw = tender(package("p", nodes("a", 20.0, 4)), capital=200.0)
    raw["node_types"][0]["attributes"] = {"origin": "US"}
    raw["node_types"][1] |= {"attributes": {"origin": "EU"}, "sold_in": 4, "maximum_quantity": 12}
    raw["requirements"] = {"shares": [{"where": {"origin": "EU"}, "of": "nodes", "least": 0.5}]}
    plan = best(asked(raw))
    assert [(each.name, each.nodes) for each in plan.purchases] == [("b", 12), ("a", 4)]
    raw["budget"]["capital"] = 190.0  # 11 b would fit, but b is sold in fours
    assert [each.nodes for each in best(asked(raw)).purchases] == [8, 4]


def test_the_answer_has_packages_with_their_lines() -> None:
    raw = tender(package("p", nodes("a", 20.0, 4)), package("q", nodes("b", 5.0, 10)))
    study = procure(scenario(raw), Options())
    data = data_of(study)
    assert data["packages"] == [
        {"name": "q", "label": "q", "vendor": "V", "lot": "L", "nodes": 10,
         "racks_sold": 0, "racks": 0, "total": 50.0, "per_year": 0.0}
    ]  # fmt: skip
    assert data["bill_of_materials"] == [
        {"item": "b", "vendor": "V", "quantity": 10, "unit_price": 5.0, "amount": 50.0,
         "package": "q"}
    ]  # fmt: skip
    assert data["decision"]["plan"]["packages"] == [
        {"name": "q", "vendor": "V", "lot": "L", "total": 50.0, "per_year": 0.0}
    ]
    assert {row["name"]: row["reason"] for row in data["not_bought"]} == {"a": "package not bought"}
