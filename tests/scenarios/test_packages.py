"""Errors of packages, each at its place and with its remedy."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from planner.procurement.as_sold import as_sold
from scenarios.model.scenario import Scenario
from scenarios.reading.cross_check import cross_check
from scenarios.reading.groups import groups_of
from tests.planner.procurement.catalogues import Document, merits, node, request

LINE = {"kind": "node", "item": "Node", "name": "a", "price": 10.0, "quantity": 4}
PACKAGE: Document = {"name": "p", "vendor": "V", "lot": "L", "lines": [LINE]}


def tender(**package: Any) -> Document:
    """A request with one lot and one package of a node type ``a`` of the vendor V."""
    raw = request([node("a", 10.0)], [merits("x", ("a", None, 1.0))], 1e3, 1e3)
    return copy.deepcopy(raw | {"lots": [{"name": "L"}], "packages": [PACKAGE | package]})


def faults(raw: Document) -> list[str]:
    """Every error as its key path and message."""
    found = cross_check(groups_of(raw), lambda where: f"at {where[-1]}")
    return [f"{'.'.join(map(str, where))}: {message}" for where, message in found]


def line(**more: Any) -> Document:
    return {"lines": [LINE | more]}


TOTAL = "packages.0.printed_total: the lines come to "
RACK = {"kind": "rack", "item": "Rack", "name": "r", "price": 1.0, "per": "node:b"}
CASES: list[tuple[Document, str]] = [
    ({"lot": "M"}, "packages.0.lot: there is no lot 'M'; "),
    (line(name="b"), "packages.0.lines.0.name: there is no node type 'b'; "),
    (line(price=0.0), "packages.0.lines.0.price: price = 0 of nodes is not above 0; write rebates"),
    (line(quantity=0), "packages.0.lines.0.quantity: a line of nodes needs at least one node"),
    ({"lines": [LINE, LINE]}, "packages.0.lines.1.name: 'a' has two lines in this package; "),
    ({"vendor": "W"}, "packages.0.lines.0.name: the package is of 'W', but 'a' is of 'V'; "),
    (line(maximum_quantity=9), "packages.0.lines.0.maximum_quantity: the package is all or nothi"),
    ({"currency": "CHF"}, "packages.0.currency: prices in CHF need rate, the USD for one CHF; "),
    ({"rate": 0.9}, "packages.0.rate: the prices are in USD already; delete rate, or "),
    ({"lines": [LINE, RACK]}, "packages.0.lines: p: per = 'node:b' of 'Rack' is the name of no "),
    ({"name": "a"}, "packages.0.name: 'a' is also the name of a node type; "),
    ({"printed_total": 41.0}, f"{TOTAL}40.00, 1.00 less than printed_total = 41.00; correct a"),
    ({"printed_total": 33.61, "vat": 0.19}, f"{TOTAL}40.00, 6.39 more than printed_total = 33.61"),
    ({"printed_total": 38.0, "discount": 0.0525},
     f"{TOTAL}37.90, 0.10 less than printed_total = 38.00"),
]  # fmt: skip


@pytest.mark.parametrize(("package", "message"), CASES)
def test_an_error_of_a_package_names_place_value_and_remedy(
    package: Document, message: str
) -> None:
    (found,) = faults(tender(**package))
    assert found.startswith(message)


def test_a_sound_package_has_no_error() -> None:
    assert faults(tender(printed_total=37.9, discount=0.0525)) == []


def test_names_of_lots_terms_and_attributes_must_exist() -> None:
    raw = tender()
    raw["vendor_terms"] = [{"vendor": "U"}, {"vendor": "V"}, {"vendor": "V"}]
    raw["lots"].append({"name": "L", "shares": [{"where": {"origin": "EU"}, "least": 0.5}]})
    raw["requirements"] = {"shares": [{"where": {"colour": "red"}, "least": 0.5}]}
    messages = "\n".join(faults(raw))
    assert "lots.1.name: 'L' is also the name of entry 1" in messages
    assert "vendor_terms.2.vendor: 'V' is also the vendor of entry 2" in messages
    assert "vendor_terms.0.vendor: there is no vendor 'U'" in messages
    assert "lots.1.shares.0.where.origin: there is no attribute 'origin'" in messages
    assert "requirements.shares.0.where.colour: there is no attribute 'colour'" in messages


def test_a_line_sells_multiples_only() -> None:
    raw = tender(all_or_nothing=False, lines=[LINE | {"quantity": 6, "maximum_quantity": 8}])
    raw["node_types"][0]["sold_in"] = 4
    assert faults(raw) == [
        "packages.0.lines.0.quantity: quantity = 6 is no multiple of sold_in = 4 of 'a'"
    ]


def test_a_node_type_in_a_package_needs_no_price_and_no_vendor_of_its_own() -> None:
    raw = tender()
    del raw["node_types"][0]["price"], raw["node_types"][0]["vendor"]
    assert faults(raw) == []


def test_a_type_of_a_gross_package_is_sold_without_tax() -> None:
    scenario = as_sold(Scenario.model_validate(tender(vat=0.25, currency="EUR", rate=2.0)))
    assert [each.price for each in scenario.node_types] == [16.0]


def test_a_type_of_two_packages_is_sold_as_two_types_and_doing_it_twice_changes_nothing() -> None:
    raw = tender()
    raw["packages"].append(PACKAGE | {"name": "q", "lines": [LINE | {"price": 12.0}]})
    scenario = as_sold(Scenario.model_validate(raw))
    assert [(each.name, each.price) for each in scenario.node_types] == [
        ("a.p", 10.0), ("a.q", 12.0),
    ]  # fmt: skip
    rows = scenario.workloads[0].performance
    assert rows is not None
    assert [row.node_type for row in rows.rows] == ["a.p", "a.q"]  # type: ignore[union-attr]
    assert as_sold(scenario) == scenario
    assert Scenario.model_validate(scenario.model_dump()) == scenario


def test_no_package_leaves_the_scenario_as_it_is() -> None:
    raw = tender()
    del raw["packages"]
    scenario = Scenario.model_validate(raw)
    assert as_sold(scenario) is scenario


def test_the_place_of_a_wrong_total_is_its_line(tmp_path: Path) -> None:
    from scenarios import ScenarioError, load

    text = """format = 1
name = "t"
title = "T"
[power]
bound_w = 1000
[budget]
capital = 1000
[reference]
name = "old"
nodes = 1
[procurement]
[[lots]]
name = "L"
[[node_types]]
name = "a"
kind = "cpu"
idle_w = 50
peak_w = 100
[[packages]]
name = "p"
vendor = "V"
lot = "L"
printed_total = 41
lines = [{ kind = "node", item = "Node", name = "a", price = 10, quantity = 4 }]
[[workloads]]
name = "x"
[workloads.performance]
kind = "table"
reference_figure_of_merit = 1
rows = [{ node_type = "a", figure_of_merit = 1 }]
"""
    path = tmp_path / "t.toml"
    path.write_text(text)
    with pytest.raises(ScenarioError, match=r"t\.toml:23: .*the lines come to 40\.00, 1\.00 less"):
        load(str(path))
