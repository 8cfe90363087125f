"""Packages whose lines are read from a vendor's price sheet."""

from __future__ import annotations

import copy
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.procurement.from_scenario import problem_from
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from scenarios import ScenarioError, load
from scenarios.model.scenario import Scenario
from scenarios.model.tender import Package
from scenarios.package_bill import package_bill
from scenarios.positions import NO_LINES
from scenarios.reading.cross_check import cross_check
from scenarios.reading.groups import groups_of
from scenarios.reading.package_sheets import attach_packages
from scenarios.reading.quote_sheets import Attached
from scenarios.reading.replaced import with_values
from scenarios.reading.source import Source
from tests.planner.procurement.catalogues import Document, merits, node, request
from tests.scenarios.quote_files import comma_separated, old_workbook, open_document, workbook
from tests.sizes import few

Rows = list[list[Any]]
SHEET: Rows = [
    ["Offer of V", None, None, None, None],
    ["Item", "Number", "Unit price [EUR]", "Power [kW]", "Sum [EUR]"],
    ["Compute node, 2 x 64 cores", 16, 14000.5, None, 224008],
    ["  with 768 GB", None, None, None, None],
    ["Rack", 2, 3000, 0.03, 6000],
    ["Subtotal", None, None, None, 230008],
    ["Cables, copper", 32, 140, None, 4480],
    ["Rebate", 1, -4488, None, -4488],
    ["Care", 1, 5000, None, 5000],
    ["Total without care", None, None, None, 230000],
]
MAPPED: dict[str, Any] = {
    "columns": {
        "item": "Item",
        "quantity": "Number",
        "price": "Unit price",
        "watts": "Power",
        "total": "Sum",
    },
    "kinds": {"Compute node": "node", "Rack": "rack", "cable": "network", "9": "service"},
    "names": {"Compute node": "a", "Rack": "r"},
    "per": {"Rack": {"per": "node:a", "every": 8}, "Cable": {"per": "node:a", "quantity": 2}},
    "per_year": ["Care"],
}
LINES: list[Document] = [
    {"kind": "node", "name": "a", "item": SHEET[2][0], "price": 14000.5, "quantity": 16},
    {"kind": "rack", "name": "r", "item": "Rack", "price": 3000, "watts": 30.0, "per": "node:a",
     "every": 8},
    {"kind": "network", "item": "Cables, copper", "price": 140, "per": "node:a", "quantity": 2},
    {"kind": "other", "item": "Rebate", "price": -4488},
    {"kind": "service", "item": "Care", "price": 5000, "per_year": True},
]  # fmt: skip


def tender(**package: Any) -> Document:
    """A request with one lot and one package of a node type ``a`` of the vendor V."""
    raw = request([node("a", 10.0)], [merits("x", ("a", None, 1.0))], 1e6, 1e6)
    raw["budget"]["currency"] = "EUR"
    del raw["node_types"][0]["price"], raw["node_types"][0]["vendor"]
    named: Document = {"name": "p", "vendor": "V", "lot": "L", "rounding": "line"}
    return copy.deepcopy(raw | {"lots": [{"name": "L"}], "packages": [named | package]})


def read(folder: Path, data: bytes, name: str = "v.xlsx", **how: Any) -> tuple[Attached, Document]:
    """Read a package from a file; ``how`` has keys of the sheet, and ``package`` others."""
    (folder / name).write_bytes(data)
    package = how.pop("package", {})
    raw = tender(sheet={"file": name, **MAPPED, **how}, **package)
    attached = attach_packages(Source("t.toml", NO_LINES, raw, 1), folder)
    return attached, raw


def said(attached: Attached) -> list[str]:
    return [str(each).split("/")[-1] for each in attached.faults]


def bare(package: Package) -> Package:
    """A package without where it was read."""
    lines = tuple(line.model_copy(update={"cells": {}}) for line in package.lines)
    return package.model_copy(update={"lines": lines, "sheet": None, "cells": {}})


def test_lines_are_read_with_the_cell_of_each_number(tmp_path: Path) -> None:
    total = {"printed_total": {"cell": "E10"}}
    attached, raw = read(tmp_path, workbook({"P": SHEET}), package=total)
    assert said(attached) == []
    (package,) = Scenario.model_validate(raw).packages
    assert bare(package) == Package.model_validate(
        {"name": "p", "vendor": "V", "lot": "L", "rounding": "line", "lines": LINES,
         "printed_total": 230000.0}
    )  # fmt: skip
    assert package_bill(package).total == Decimal("230000.00")
    assert package.cells == {"printed_total": "v.xlsx: P!E10"}
    assert [line.cells.get("quantity") for line in package.lines] == [
        f"v.xlsx: P!B{row}" for row in (3, 5, 7, 8, 9)
    ]
    assert package.lines[1].cells["price"] == "v.xlsx: P!C5"
    assert package.lines[1].cells["watts"] == "v.xlsx: P!D5"
    left_out = [each.values["rows"][0] for each in attached.remarks if "left-out" in each.kind]
    assert left_out == [("4",), ("6", "10")]


@pytest.mark.parametrize(("years", "quantity"), [(5, 1), (1, 1), (0, 0)])
def test_a_quantity_in_years_is_one_each_year(years: int, quantity: int, tmp_path: Path) -> None:
    rows = [*SHEET[:8], ["Care", years, 5000, None, 5000 * years], SHEET[9]]
    for key in ("Care", "9"):
        attached, raw = read(tmp_path, workbook({"P": rows}), per_year=[], years=[key])
        assert said(attached) == []
        (package,) = Scenario.model_validate(raw).packages
        line = package.lines[-1]
        assert (line.price, line.quantity, line.per_year) == (5000, quantity, True)
        assert "quantity" not in line.cells  # its cell has the years
        assert package_bill(package).per_year == 5000 * quantity


def test_a_quantity_in_years_is_kept_where_an_answer_says_that_it_is_due_once(
    tmp_path: Path,
) -> None:
    rows = [*SHEET[:8], ["Care", 5, 5000, None, 25000], SHEET[9]]
    cells = [
        ["line", "field", "question", "found at", "answer"],
        ["9: Care", "per_year", "", "", "false"],
    ]
    (tmp_path / "q.xlsx").write_bytes(workbook({"Q": cells}))
    how: Document = {"per_year": [], "years": ["Care"], "answers": "q.xlsx"}
    attached, raw = read(tmp_path, workbook({"P": rows}), **how)
    assert said(attached) == []
    line = Scenario.model_validate(raw).packages[0].lines[-1]
    assert (line.quantity, line.per_year) == (5, False)


def test_typed_lines_follow_those_of_the_sheet_and_keep_their_place(tmp_path: Path) -> None:
    typed: Document = {"lines": [{"kind": "other", "item": "More", "price": 1.0, "per": "rack:r"}]}
    _, raw = read(tmp_path, workbook({"P": SHEET}), package=typed)
    lines = Scenario.model_validate(raw).packages[0].lines
    assert [line.item for line in lines][-2:] == ["Care", "More"]
    source = Source("t.toml", NO_LINES, raw, 1)
    assert source.fault(("packages", 0, "lines", 5, "price"), "x").where == (
        "packages[1].lines[1].price"
    )
    assert source.fault(("packages", 0, "lines", 0, "price"), "x").file == "v.xlsx: P!C3"
    assert source.fault(("packages", 0, "lines", 0, "name"), "x").file == "v.xlsx: P!A3"


def test_a_merged_text_holds_for_its_rows_and_a_merged_number_is_refused(tmp_path: Path) -> None:
    rows: Rows = [["Item", "Number", "Unit price"], ["merged", 1, 10], [None, 2, 20]]
    how: dict[str, Any] = {
        "columns": {"item": "Item", "quantity": "Number", "price": "Unit price"},
        "kinds": {"merged": "network"}, "names": {}, "per": {}, "per_year": [],
    }  # fmt: skip
    attached, raw = read(tmp_path, workbook({"P": rows}, ["A2:A3"]), **how)
    assert said(attached) == []
    assert [(x["item"], x["price"]) for x in raw["packages"][0]["lines"]] == [
        ("merged", 10), ("merged", 20),
    ]  # fmt: skip
    rows = [["Item", "Number", "Unit price"], ["merged", 1, 10], ["merged", 2, None]]
    attached, _ = read(tmp_path, workbook({"P": rows}, ["C2:C3"]), **how)
    (message,) = said(attached)
    assert message == (
        "v.xlsx: P!C2: is price of several lines (rows 2 and 3), so each would have it; leave all "
        "but one of them out with skip_rows"
    )


def test_a_line_with_a_sum_only_is_one_unit(tmp_path: Path) -> None:
    rows = [*SHEET[:2], ["Fitting", None, None, None, 700], ["Less", None, None, None, -50]]
    attached, raw = read(
        tmp_path, workbook({"P": rows}), kinds={"Fitting": "installation"}, names={}, per={},
        per_year=[],
    )  # fmt: skip
    assert said(attached) == []
    assert [
        (line["kind"], line["price"], line["quantity"], line["cells"]["price"])
        for line in raw["packages"][0]["lines"]
    ] == [("installation", 700, 1, "v.xlsx: P!E3"), ("other", -50, 1, "v.xlsx: P!E4")]


def changed(row: int, column: int, value: Any) -> Rows:
    rows = [[*each] for each in SHEET]
    rows[row - 1][column] = value
    return rows


WRONG: list[tuple[Rows, dict[str, Any], str]] = [
    (changed(5, 0, "Shelf"), {},
     "v.xlsx: P!A5: 'Shelf' has no kind; give its beginning or row in kinds, or a column of kinds"),
    (SHEET, {"names": {"Rack": "r"}},
     "v.xlsx: P!A3: 'Compute node, 2 x 64 cores' is a line of nodes without its node type; "),
    (changed(3, 1, 16.5), {}, "v.xlsx: P!B3: quantity = 16.5 is not a whole number; "),
    (changed(3, 1, None), {},
     "v.xlsx: P!B3: 'Compute node, 2 x 64 cores' has no quantity; fill in its cell"),
    (changed(7, 2, None), {},
     "v.xlsx: P!E7: price is missing, and total is of 32 units; fill in the price"),
    (changed(7, 4, 4490), {},
     "v.xlsx: P!E7: total = 4,490.00 is 10.00 more than 32 x 140 = 4,480.00; correct one of"),
    (changed(5, 1, 3), {"columns": {k: v for k, v in MAPPED["columns"].items() if k != "total"}},
     "v.xlsx: P!B5: quantity = 3, but quantity = 1 per node:a with every = 8 gives 2; correct per"),
    (SHEET, {"skip_rows": [99]}, "t.toml: packages[1].sheet.skip_rows: there is no row 99; "),
    (changed(2, 2, "Unit price [USD]"), {}, "v.xlsx: P!C2: in the heading, "),
    (changed(3, 2, "14,000 USD"), {}, "v.xlsx: P!C3: "),
    (changed(2, 3, "Power [kg]"), {}, "v.xlsx: P!D2: in the heading, "),
    (SHEET, {"kinds": MAPPED["kinds"] | {"Rock": "rack"}},
     "t.toml: packages[1].sheet.kinds: no line begins with 'Rock'; did you mean 'Rack'?"),
    (SHEET, {"per_year": ["Care", "77"]}, "t.toml: packages[1].sheet.per_year: row 77 has no line"),
    (SHEET, {"years": ["Care", "77"]}, "t.toml: packages[1].sheet.years: row 77 has no line"),
    (SHEET, {"file": "w.xlsx"}, "w.xlsx: "),
    (SHEET, {"columns": MAPPED["columns"] | {"item": "Itme"}},
     "v.xlsx: P!2: there is no heading 'Itme' for item; did you mean 'Item'?"),
    (SHEET, {"columns": MAPPED["columns"] | {"kind": "Item"}},
     "v.xlsx: P!A3: 'Compute node, 2 x 64 cores' is not a kind of line; write one of node, rack,"),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "how", "message"), WRONG)
def test_an_error_is_at_the_vendors_cell(
    tmp_path: Path, rows: Rows, how: dict[str, Any], message: str
) -> None:
    attached, _ = read(tmp_path, workbook({"P": rows}), **how)
    assert said(attached)[0].startswith(message)
    assert not attached.whole


def test_a_sheet_that_cannot_be_read_makes_no_node_type_miss_its_price(tmp_path: Path) -> None:
    _, raw = read(tmp_path, workbook({"P": SHEET}), file="w.xlsx")
    assert not [each for each in cross_check(groups_of(raw), str) if each[0][0] == "node_types"]


def test_a_printed_total_in_a_cell_must_follow_from_the_lines(tmp_path: Path) -> None:
    total = {"printed_total": {"cell": "E10"}}
    attached, raw = read(tmp_path, workbook({"P": changed(10, 4, 230001)}), package=total)
    assert said(attached) == []
    source = Source("t.toml", NO_LINES, raw, 1)
    (found,) = (source.fault(*each) for each in cross_check(groups_of(raw), source.place))
    assert str(found).startswith("v.xlsx: P!E10: the lines come to 230,000.00, 1.00 less than ")
    attached, _ = read(tmp_path, workbook({"P": SHEET}), package={"printed_total": {"cell": "E99"}})
    assert said(attached) == [
        "t.toml: packages[1].printed_total.cell: there is no cell E99; the last one is P!E10"
    ]
    attached, _ = read(tmp_path, workbook({"P": SHEET}), package={"printed_total": {"cell": "D10"}})
    assert said(attached) == ["v.xlsx: P!D10: is blank; name the cell of the printed total"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cell": "E10"}, "a cell is one of the package's sheet; add sheet"),
        ({"cell": "10E"}, "printed_total is neither a number nor a cell"),
    ],
)
def test_a_cell_needs_a_sheet(given: Document, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Package.model_validate({"name": "p", "vendor": "V", "lot": "L", "lines": LINES,
                                "printed_total": given})  # fmt: skip


def test_a_package_without_lines_and_sheet_is_refused() -> None:
    with pytest.raises(ValueError, match="has no lines; add lines, or the sheet"):
        Package.model_validate({"name": "p", "vendor": "V", "lot": "L"})


def test_a_sheet_plans_as_its_typed_lines_do(tmp_path: Path) -> None:
    _, raw = read(tmp_path, workbook({"P": SHEET}))
    outcomes = [
        Optimiser(problem_from(Scenario.model_validate(each)), Options()).solve()
        for each in (raw, tender(lines=LINES))
    ]
    read_one, typed = (each.plan for each in outcomes)
    assert read_one is not None
    assert typed is not None
    assert read_one.purchases == typed.purchases
    assert read_one.bill.lines == typed.bill.lines
    assert outcomes[0].objective == outcomes[1].objective


# Any package in any layout

KINDS = ("network", "storage", "service", "installation", "spare")
CENTS = st.integers(-(10**6), 10**7).map(lambda each: each / 100)
FREE = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(KINDS),
        "price": CENTS,
        "quantity": st.integers(0, 50),
        "watts": st.sampled_from([0.0, 30.0, 850.0]),
        "per_year": st.booleans(),
    }
)
FOLLOWS = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(KINDS),
        "price": CENTS,
        "quantity": st.sampled_from([0.05, 1.0, 2.0]),
        "per": st.sampled_from(["node:a", "rack:r"]),
        "every": st.sampled_from([1, 3]),
    }
)
LAYOUT = st.fixed_dictionaries(
    {
        "form": st.sampled_from(["xlsx", "csv", "comma", "ods", "xls"]),
        "order": st.permutations(
            ["item", "quantity", "price", "watts", "kind", "per_year", "total"]
        ),
        "totals": st.booleans(),
        "by_row": st.booleans(),
        "notes": st.integers(0, 3),
    }
)
HEADINGS = {
    "item": "Position", "quantity": "Menge", "price": "Preis [EUR]", "watts": "Leistung [W]",
    "kind": "Art", "per_year": "Jährlich", "total": "Gesamt",
}  # fmt: skip
WORDS = {"node": "Knoten", "rack": "Schrank"}


def sheet_of(typed: list[Document], layout: Document) -> tuple[bytes, str, Document]:
    """A file with the lines of a package in some layout, its name, and the mapping."""
    package = Package.model_validate({"name": "p", "vendor": "V", "lot": "L", "lines": typed})
    order = [key for key in layout["order"] if key != "total" or layout["totals"]]
    rows: Rows = [["Angebot"], [HEADINGS[key] for key in order]]
    sheet: Document = {"names": {}, "per": {}}
    for each in package_bill(package).lines:
        line = each.line
        cells = {
            "item": line.item, "quantity": each.quantity, "price": line.price,
            "watts": line.watts or None, "kind": WORDS.get(line.kind, line.kind),
            "per_year": "ja" if line.per_year else None, "total": float(each.amount),
        }  # fmt: skip
        if len(rows) % 4 < layout["notes"]:
            rows.append([f"note {len(rows)}" if key == "item" else None for key in order])
        rows.append([cells[key] for key in order])
        key = str(len(rows)) if layout["by_row"] else line.item
        if line.name is not None:
            sheet["names"][key] = line.name
        if line.per is not None:
            sheet["per"][key] = {"per": line.per, "quantity": line.quantity, "every": line.every}
    sheet["columns"] = {key: HEADINGS[key] for key in order} | {
        "kind": {"heading": "Art", "values": {word: kind for kind, word in WORDS.items()}},
        "per_year": {"heading": "Jährlich", "values": {"ja": True}},
    }
    form = layout["form"]
    if form == "comma":
        sheet["decimal"] = "comma"
        texts = [[str(v).replace(".", ",") if isinstance(v, float) else v for v in r] for r in rows]
        return comma_separated(texts, ";").decode().encode("cp1252"), "v.csv", sheet
    make = {"xlsx": workbook, "ods": open_document, "xls": old_workbook}
    data = comma_separated(rows) if form == "csv" else make[form]({"P": rows})
    return data, f"v.{form}", sheet


@settings(max_examples=few(120), deadline=None)
@given(
    nodes=st.integers(1, 40),
    price=st.integers(100, 10**7).map(lambda each: each / 100),
    others=st.lists(FREE | FOLLOWS, max_size=8),
    layout=LAYOUT,
)
def test_any_package_is_the_same_from_any_sheet(
    tmp_path_factory: pytest.TempPathFactory,
    nodes: int,
    price: float,
    others: list[Document],
    layout: Document,
) -> None:
    typed: list[Document] = [
        {"kind": "node", "name": "a", "item": "Knoten A", "price": price, "quantity": nodes},
        {"kind": "rack", "name": "r", "item": "Rack", "price": 10.0, "per": "node:a", "every": 8},
        *({"item": f"{place} line"} | each for place, each in enumerate(others)),
    ]
    data, name, sheet = sheet_of(typed, layout)
    folder = tmp_path_factory.mktemp("sheet")
    (folder / name).write_bytes(data)
    raw = tender(sheet={"file": name} | sheet)
    attached = attach_packages(Source("t.toml", NO_LINES, raw, 1), folder)
    assert said(attached) == []
    (found,) = Scenario.model_validate(raw).packages
    (wanted,) = Scenario.model_validate(tender(lines=typed)).packages
    assert bare(found) == wanted
    assert package_bill(found).total == package_bill(wanted).total


ODD = st.sampled_from(
    [
        "",
        "x",
        "Total",
        "node",
        "rack",
        "1",
        "2,5",
        "-3",
        "1e9",
        "7 EUR",
        "3 kW",
        "5 %",
        "true",
        "12 x",
    ]
)


@settings(max_examples=few(200), deadline=None)
@given(rows=st.lists(st.lists(ODD, min_size=5, max_size=5), max_size=6))
def test_odd_cells_are_lines_or_errors(
    tmp_path_factory: pytest.TempPathFactory, rows: Rows
) -> None:
    folder = tmp_path_factory.mktemp("odd")
    data = comma_separated([["Item", "Number", "Unit price", "Power", "Sum"], *rows])
    how: dict[str, Any] = {"kinds": {"node": "node", "x": "rack"}, "names": {"node": "a"}}
    attached, raw = read(folder, data, "v.csv", per={}, per_year=[], **how)
    assert bool(attached.faults) != bool(raw["packages"][0].get("lines"))


def test_a_sheet_is_read_once() -> None:
    loaded = load("tender-university")
    assert with_values(loaded, {"budget.capital": 1.5e6}).packages == loaded.packages
    for values, message in (
        ({"budget.currency": "USD"}, "the prices of sheets were read in 'EUR'; load another"),
        (
            {"packages.west-gpu.sheet.file": "other.csv"},
            "the sheet of 'west-gpu' was not read when the scenario was loaded; replace lines",
        ),
    ):
        with pytest.raises(ScenarioError, match=message):
            with_values(loaded, values)
