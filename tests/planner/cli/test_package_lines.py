"""What ``headroom check`` shows of packages, for signature."""

from __future__ import annotations

from planner.cli.package_lines import package_data, package_tables
from planner.formatting import DASH
from tests.planner.procurement.catalogues import merits, node, request, scenario


def test_each_number_is_shown_with_the_cell_from_which_it_was_read() -> None:
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
        ("Node", "4", "250.0", "1,000.00", "once", "v.xlsx, sheet Q, row 7"),
        ("Store", "1", "50.0", "50.00", "once", "v.xlsx!B12"),
        ("Service", "1", "20.0", "20.00", "each year", DASH),
    ]
    assert packages[0]["total"] == "945.00"
