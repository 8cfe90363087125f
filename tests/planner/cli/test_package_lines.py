"""What ``headroom check`` shows of packages, for signature."""

from __future__ import annotations

from planner.cli.package_lines import package_data, package_tables
from planner.formatting import DASH
from scenarios import load
from tests.planner.procurement.catalogues import merits, node, request, scenario


def test_typed_lines_are_shown_with_their_sources() -> None:
    raw = request([node("a", 10.0)], [merits("x", ("a", None, 1.0))], 1e3, 1e3)
    raw["node_types"][0]["origin"] = "v.xlsx, sheet Q, row 7"
    raw["lots"] = [{"name": "L"}]
    raw["packages"] = [
        {
            "name": "p", "vendor": "V", "lot": "L", "discount": 0.1, "printed_total": 945.0,
            "currency": "CHF", "rate": 1.05,
            "lines": [
                {"kind": "node", "item": "Node", "name": "a", "price": 250.0, "quantity": 4},
                {"kind": "storage", "item": "Store", "price": 50.0, "source": "v.xlsx!B12"},
                {"kind": "service", "item": "Service", "price": 20.0, "per_year": True},
            ],
        }
    ]  # fmt: skip
    packages = package_data(scenario(raw))
    (table,) = package_tables(packages)
    assert table.caption == (
        "p of V for lot L: total 945.00 CHF, after a discount of 105.00 CHF, 18.00 CHF each year, "
        "as printed"
    )
    assert table.cells() == [
        ("Node", "4", "250.00", "0", "1,000.00", "once", "v.xlsx, sheet Q, row 7"),
        ("Store", "1", "50.00", "0", "50.00", "once", "v.xlsx!B12"),
        ("Service", "1", "20.00", "0", "20.00", "each year", DASH),
    ]
    assert packages[0]["total"] == "945.00"


def test_each_number_of_a_sheet_is_shown_with_its_cell() -> None:
    packages = package_data(load("tender-university"))
    tables = package_tables(packages)
    assert tables[0].caption == (
        "north-cpu of North for lot CPU nodes: total 656,470.00 EUR, as printed in Prices!F15, "
        "cells of tender-university-north.xlsx"
    )
    assert tables[0].cells()[1] == (
        "Rack with power distribution", "1", "Prices!C7", "6,800.00", "Prices!E7", "30",
        "Prices!D7", "6,800.00", "once",
    )  # fmt: skip
    assert tables[4].cells()[0] == (
        "GPU-Server, 8 x L40S, 512 GB", "7", "C3", "71,000.00", "E3", "0", DASH, "497,000.00",
        "once",
    )  # fmt: skip
    line = packages[0]["lines"][1]
    file = "tender-university-north.xlsx: Prices!"
    assert [line[key] for key in ("quantity_cell", "price_cell", "watts_cell")] == [
        f"{file}{cell}" for cell in ("C7", "E7", "D7")
    ]
