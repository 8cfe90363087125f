"""Quotes: read by mapping alone, and every fault with its cell, value and remedy."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios import Fault, ScenarioError, load
from scenarios.model.node_types import NodeType
from scenarios.model.quote_fields import BY_NAME, read_cell
from scenarios.model.quote_mapping import QuoteTable
from scenarios.quotes.reader import Quotes, read_quotes
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import CellError
from scenarios.tables.cells import NumberWithUnit
from tests.scenarios.quote_files import COLUMNS, HEADINGS, PLAIN, by_hand, comma_separated, workbook
from tests.sizes import few


def inline(value: Any) -> str:
    """Write a value as TOML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {inline(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(inline(each) for each in value) + "]"
    return str(value) if isinstance(value, dt.date) else json.dumps(value)


Read = tuple[list[dict[str, Any]], list[str]]


def quotes(folder: Path, data: bytes, columns: dict[str, Any] | None = None, **keys: Any) -> Read:
    """Read the bytes as q.xlsx or q.csv; faults as the user sees them, without the folder."""
    name = "q.xlsx" if data[:2] == b"PK" else "q.csv"
    (folder / name).write_bytes(data)
    currency = keys.pop("currency", "USD")
    raw = {"file": name, "columns": columns or COLUMNS} | keys
    read = read_quotes(QuoteTable.model_validate(raw), folder, "s.toml", currency)
    assert [len(file.sha256) for file in read.files] in ([64], [])
    return [*read.found], [str(fault).removeprefix(f"{folder}/") for fault in read.faults]


def only(folder: Path, target: str, cell: object, **keys: Any) -> Any:
    """Give the value, or else the fault, of one target in one otherwise whole row."""
    column = keys.pop("column", "Extra")
    rows = [[*HEADINGS, keys.pop("heading", "Extra")], [*PLAIN, cell]]
    columns = COLUMNS | {target: column}
    if target in COLUMNS:
        rows[1][list(COLUMNS).index(target)] = cell
        rows[1][5] = None
        columns = COLUMNS
    as_text = isinstance(cell, str) and not cell.startswith("=")  # as CSV: that is faster
    data = comma_separated(rows) if as_text else workbook({"Quotes": rows})
    found, faults = quotes(folder, data, columns, **keys)
    assert len(found) + len(faults) == 1
    return found[0].get(target) if found else faults[0].replace("q.csv:2: ", "q.xlsx: Quotes!")


def test_a_plain_sheet_becomes_node_types(tmp_path: Path) -> None:
    found, faults = quotes(tmp_path, workbook({"Quotes": [HEADINGS, PLAIN]}))
    assert faults == []
    assert found == [
        {
            "name": "A1",
            "vendor": "Alpha",
            "price": 9000.0,
            "idle_w": 100.0,
            "peak_w": 400.0,
            "label": "A1",
            "origin": "q.xlsx: Quotes!2",
        }
    ]


STRANGE: list[list[Any]] = [
    ["Angebot 4711", None, None, None, None, None, None, None, None],
    [],
    ["Leistung max. [kW]", "Lieferzeit", "Preis je Knoten", "Typ", "gültig bis", "Leerlauf",
     "Rabatte", "Grenzen", "Speicher (TB)"],
    ["0,75", "20 Wk", "18,2 k€", "Knoten Größe L", "31.03.2027", "110 W",
     "ab 500: 8 %; 1.000: 12,5 %", "300/350/400 W", "0,75"],
    [None] * 9,
    ["1.2", 12, "EUR 21.400,50", "GPU/8x", dt.date(2027, 4, 1), 0.3, None, 500, "1,5 TB"],
]  # fmt: skip
STRANGE_COLUMNS = {
    "name": "typ",
    "vendor": {"value": "Vendor B"},
    "price": "Preis je  Knoten",
    "idle_w": {"heading": "Leerlauf", "unit": "kW"},
    "peak_w": "Leistung max.",
    "lead_weeks": "Lieferzeit",
    "valid_until": "gültig bis",
    "discounts": "Rabatte",
    "package_caps_w": "Grenzen",
    "memory_gb": "Speicher",
}
FIRST = {
    "name": "Knoten-Gr-e-L",
    "vendor": "Vendor B",
    "price": 18200.0,
    "idle_w": 110.0,
    "peak_w": 750.0,
    "lead_weeks": 20.0,
    "valid_until": dt.date(2027, 3, 31),
    "discounts": [
        {"from_quantity": 500, "fraction": 0.08},
        {"from_quantity": 1000, "fraction": 0.125},
    ],
    "package_caps_w": [300.0, 350.0, 400.0],
    "memory_gb": 750.0,
    "label": "Knoten Größe L",
}


def test_a_sheet_never_seen_before_is_read_by_its_mapping_alone(tmp_path: Path) -> None:
    rows = [[*row] for row in STRANGE]
    rows[5][0] = "1,2"
    found, faults = quotes(
        tmp_path, workbook({"P": rows}), STRANGE_COLUMNS, decimal="comma", currency="EUR"
    )
    assert faults == []
    assert found[0] == FIRST | {"origin": "q.xlsx: P!4"}
    assert found[1] == {
        "name": "GPU-8x",
        "vendor": "Vendor B",
        "price": 21400.5,
        "idle_w": 300.0,
        "peak_w": 1200.0,
        "lead_weeks": 12.0,
        "valid_until": dt.date(2027, 4, 1),
        "package_caps_w": [500.0],
        "memory_gb": 1500.0,
        "label": "GPU/8x",
        "origin": "q.xlsx: P!6",
    }
    for quote in found:
        assert NodeType.model_validate(quote).name == quote["name"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_same_sheet_as_csv_gives_the_same(tmp_path: Path, delimiter: str) -> None:
    data = comma_separated(STRANGE[:4], delimiter)
    found, faults = quotes(tmp_path, data, STRANGE_COLUMNS, decimal="comma", currency="EUR")
    assert (found, faults) == ([FIRST | {"origin": "q.csv:4"}], [])


def test_one_wrong_decimal_among_them_is_named(tmp_path: Path) -> None:
    data = workbook({"P": STRANGE})
    found, faults = quotes(tmp_path, data, STRANGE_COLUMNS, decimal="comma", currency="EUR")
    assert [quote["name"] for quote in found] == ["Knoten-Gr-e-L"]
    assert faults == [
        (
            "q.xlsx: P!A6: '1.2' is not a number with decimal = 'comma'; correct it, or write "
            "decimal = 'point' if the decimal mark is a point"
        )
    ]


@pytest.mark.parametrize(
    ("decimal", "text", "value"),
    [
        ("point", "1,234,567.50", 1234567.5),
        ("point", "18 200.5", 18200.5),
        ("point", "18'200", 18200.0),
        ("point", "18\u2019200", 18200.0),
        ("point", "18\u00a0200", 18200.0),
        ("point", "1.5e3", 1500.0),
        ("point", "1,234", 1234.0),
        ("comma", "1.234.567,50", 1234567.5),
        ("comma", "1 234,5", 1234.5),
        ("comma", "1.234", 1234.0),
        ("comma", "1234,5", 1234.5),
    ],
)
def test_numbers_are_read_as_decimal_says(
    tmp_path: Path, decimal: str, text: str, value: float
) -> None:
    assert only(tmp_path, "price", text, decimal=decimal) == value


@pytest.mark.parametrize(
    ("decimal", "text"),
    [
        ("point", "18,2"),
        ("point", "1,23,4"),
        ("point", "1.234.567"),
        ("point", "0,350"),
        ("point", "1,234 567"),
        ("point", "12,34,567"),
        ("point", "1."),
        ("point", "."),
        ("comma", "1.5"),
        ("comma", "1.23.4"),
        ("comma", "1,234,567"),
        ("comma", "1.234.56"),
    ],
)
def test_odd_grouping_is_a_fault_that_names_the_key(
    tmp_path: Path, decimal: str, text: str
) -> None:
    message = f"q.xlsx: Quotes!C2: '{text}' is not a number with decimal = '{decimal}'; correct it"
    fault = only(tmp_path, "price", text, decimal=decimal)
    assert fault.startswith(message)
    other = "comma" if decimal == "point" else "point"
    if text in {"18,2", "1.5", "1.234.567", "1,234,567", "0,350"}:
        remedy = f", or write decimal = '{other}' if the decimal mark is a {other}"
        assert fault == message + remedy


@pytest.mark.parametrize(
    ("target", "cell", "value"),
    [
        ("peak_w", "0.35 kW", 350.0),
        ("peak_w", "350W", 350.0),
        ("peak_w", "0.0012 MW", 1200.0),
        ("peak_w", "350 watts", 350.0),
        ("price", "18.2 k USD", 18200.0),
        ("price", "18.2 kUSD", 18200.0),
        ("price", "18200 USD", 18200.0),
        ("price", "USD 18,200", 18200.0),
        ("price", "$18,200", 18200.0),
        ("price", "US$ 18.2k", 18200.0),
        ("price", "0.02 M", 20000.0),
        ("memory_gb", "768 GB", 768.0),
        ("memory_gb", "0.75 TB", 750.0),
        ("memory_gb", "1 GiB", 1.073741824),
        ("lead_weeks", "20 weeks", 20.0),
        ("lead_weeks", "20 wk", 20.0),
        ("lead_weeks", "20 Wochen", 20.0),
        ("lead_weeks", "1 Woche", 1.0),
        ("discounts", "ab 500 Knoten: 8 %", [{"from_quantity": 500, "fraction": 0.08}]),
        ("lead_weeks", 0, 0.0),
        ("efficiency", "80 %", 0.8),
        ("efficiency", 0.8, 0.8),
        ("bandwidth_gb_s", "1.2 TB/s", 1200.0),
        ("embodied_kg_co2e", "1.3 t CO2e", 1300.0),
        ("compute_rate", 3456.5, 3456.5),
        ("clock_exponent", "2.5", 2.5),
        ("cores", "1,024", 1024),
        ("cores", 128.0, 128),
        ("minimum_quantity", 0, 1),
        ("as_bid_quantity", 0, 0),
        ("cooling", "Liquid", "liquid"),
        ("cooling", " AIR ", "air"),
        ("kind", "GPU", "gpu"),
        ("kind", "fat node", "fat-node"),
        ("label", 42, "42"),
        ("label", dt.date(2027, 3, 31), "2027-03-31"),
        ("source", "one\ntwo", "one\ntwo"),
        ("valid_until", "2027-03-31", dt.date(2027, 3, 31)),
        ("valid_until", "31 March 2027", dt.date(2027, 3, 31)),
        ("valid_until", "31-Mar-2027", dt.date(2027, 3, 31)),
        ("valid_until", "March 31, 2027", dt.date(2027, 3, 31)),
        ("valid_until", "31. M\u00e4rz 2027", dt.date(2027, 3, 31)),
        ("valid_until", "24. Dez. 2027", dt.date(2027, 12, 24)),
        ("valid_until", "1 ao\u00fbt 2027", dt.date(2027, 8, 1)),
        ("valid_until", "1st Jun 2027", dt.date(2027, 6, 1)),
        ("valid_until", "31.3.2027", dt.date(2027, 3, 31)),
        ("valid_until", dt.date(2027, 3, 31), dt.date(2027, 3, 31)),
        ("package_caps_w", "300; 350; 400", [300.0, 350.0, 400.0]),
        ("package_caps_w", "0.4/0.3 kW", [300.0, 400.0]),
        ("package_caps_w", "300, 350 W", [300.0, 350.0]),
        ("package_caps_w", "1,300; 1200", [1200.0, 1300.0]),
        ("discounts", "500: 8%", [{"from_quantity": 500, "fraction": 0.08}]),
        ("discounts", "  ", None),
        ("memory_gb", "768 gb", 768.0),
        ("package_caps_w", "1.3; 1.20 kW", [1200.0, 1300.0]),
        ("price", "18.200 kUSD", 18200.0),
        ("price", "9000.125", 9000.125),
        ("price", "18.2000", 18.2),
        ("cores", "128.0", 128),
    ],
)
def test_a_cell_may_carry_its_unit(
    tmp_path: Path, target: str, cell: object, value: object
) -> None:
    read = only(tmp_path, target, cell)
    assert (read, type(read)) == (value, type(value))


ADDRESS = {"name": "A2", "vendor": "B2", "price": "C2", "idle_w": "D2", "peak_w": "E2"}


@pytest.mark.parametrize(
    ("target", "cell", "message"),
    [
        ("price", "on request", "'on request' is not a number; write the number and its unit"),
        ("price", True, "true is not a number; write the number"),
        (
            "price",
            dt.date(2027, 5, 1),
            "2027-05-01 is a date, not a number; format the cell as a number and type it again",
        ),
        (
            "price",
            "18200 EUR",
            ("the price is in EUR, not in USD; give the currency of the sheet with its rate: "
            "currency, rate and rate_date"),
        ),
        (
            "price",
            "€ 18,200",
            ("the price is in €, not in USD; give the currency of the sheet with its rate: "
            "currency, rate and rate_date"),
        ),
        ("price", "18,200 net", "'net' is not a unit of money; use USD or kUSD"),
        ("price", -5, "price = -5 is outside the range 0 to 1e+15; correct it"),
        (
            "price",
            0.5,
            (
            "price = 0.5 USD is implausible as a node's price; is the column in kUSD? "
            "write unit = 'kUSD'"
),
        ),
        ("price", 0, "price = 0 USD is implausible as a node's price; correct it"),
        ("price", "1e99", "price = 1e+99 is outside the range 0 to 1e+15; correct it"),
        (
            "peak_w",
            0.35,
            (
            "peak_w = 0.35 W is implausible as a node's power; is the column in kW? "
            "write unit = 'kW'"
),
        ),
        (
            "peak_w",
            0.0004,
            (
            "peak_w = 0.0004 W is implausible as a node's power; is the column in MW? "
            "write unit = 'MW'"
),
        ),
        ("peak_w", "0.35 W", "peak_w = 0.35 W is implausible as a node's power; correct it"),
        ("peak_w", "350 kW", "peak_w = 350000 W is implausible as a node's power; correct it"),
        ("peak_w", "350 GB", "'GB' is not a unit of power; use W, watt, watts, kW, MW"),
        ("peak_w", "350 mW", "'mW' is not a unit of power; use W, watt, watts, kW, MW"),
        ("peak_w", "300-350 W",
         "'300-350 W' is a range; write one number (for lead times the longest)"),
        (
            "idle_w",
            0.1,
            (
            "idle_w = 0.1 W is implausible as a node's power; is the column in kW? write "
            "unit = 'kW'"
),
        ),
        ("idle_w", 500, "idle_w = 500 W is above peak_w = 400 W (Quotes!E2); correct one of them"),
        ("name", "\u2014\u2014", "'\u2014\u2014' has no letter or digit; give a name with one"),
        ("name", "x" * 121, "name has 121 characters; give at most 120"),
        ("vendor", "a\u202eb", "contains the control character U+202E; delete it"),
        ("label", "a\x7fb", "contains the control character U+007F; delete it"),
        ((
            "lead_weeks"
), (
            "6 months"
), (
            "'months' cannot be converted to weeks; write the number of weeks"
)),
        ("lead_weeks", -1, "lead_weeks = -1 is outside the range 0 to 1000; correct it"),
        ((
            "lead_weeks"
), (
            "3 Monate"
), (
            "'Monate' cannot be converted to weeks; write the number of weeks"
)),
        ((
            "lead_weeks"
), (
            "30-34"
), (
            "'30-34' is a range; write one number (for lead times the longest)"
)),
        ("lead_weeks", "30 bis 34 Wochen",
         "'30 bis 34 Wochen' is a range; write one number (for lead times the longest)"),
        ("lead_weeks", "30 \u2013 34 weeks",
         "'30 \u2013 34 weeks' is a range; write one number (for lead times the longest)"),
        ("cores", 8.5, "cores = 8.5 is not a whole number; correct it"),
        ("cores", 0, "cores = 0 is outside the range 1 to 1e+09; correct it"),
        ("cores", "8 cores", "'cores' is written next to the number; write only the number"),
        ("maximum_quantity", 0, "maximum_quantity = 0 is outside the range 1 to 1e+09; correct it"),
        (
            "efficiency",
            80,
            "efficiency = 80 is outside the range 1e-12 to 1; correct it, or write unit = '%'",
        ),
        ((
            "cooling"
), (
            "water"
), (
            "'water' is not a type of cooling; write air or liquid, or translate it under values "
            "in the mapping"
)),
        (
            "valid_until",
            "03/04/2027",
            "'03/04/2027' could be two dates; write 2027-03-04 or 2027-04-03",
        ),
        ("valid_until", "31/03/2027", "'31/03/2027' could be two dates; write 2027-03-31"),
        ("valid_until", "soon", "'soon' is not a date; write it as in 2027-03-31"),
        ("valid_until", "31 jui 2027", "'31 jui 2027' is not a date; write it as in 2027-03-31"),
        ("valid_until", "31 Feb 2027", "'31 Feb 2027' is not a date; write it as in 2027-03-31"),
        ("valid_until", "2027-02-30", "'2027-02-30' is not a date; write it as in 2027-03-31"),
        ("valid_until", 46477, "46477 is a number; format the cell as a date"),
        (
            "discounts",
            "8 % on 500",
            "'8 % on 500' is not a discount; write it as in 500: 8 %; 1000: 12 %",
        ),
        (
            "discounts",
            "500: 0.08",
            "'500: 0.08' is not a discount; write it as in 500: 8 %; 1000: 12 %",
        ),
        (
            "discounts",
            "500: 8 %; 100: 9 %",
            "'100: 9 %' is not in ascending order; list each quantity once, the smallest first",
        ),
        (
            "discounts",
            "5: 100 %",
            "'5: 100 %' is out of range; give a whole number and a percentage below 100 %",
        ),
        ("package_caps_w", "300; none", "'none' is not a number; write the number and its unit"),
        ("package_caps_w", "1;" * 101, "has 101 caps; give at most 100"),
        ((
            "package_caps_w"
), (
            "300,350,400 W"
), ("package_caps_w = 3.0035e+08 W is implausible as a package's power; "
            "correct it")),
        ((
            "package_caps_w"
), (
            "150,200"
), ("package_caps_w = 150200 W is implausible as a package's power; "
            "correct it")),
        ((
            "package_caps_w"
), (
            "0.3; 0.35"
), ("package_caps_w = 0.3 W is implausible as a package's power; is the "
            "column in kW? write unit = 'kW'")),
        ("memory_gb", "768 Gb", "'Gb' is not a unit of memory; use GB, TB, GiB, TiB"),
        ("bandwidth_gb_s", "1200 Gb/s", "'Gb/s' is not a unit of bandwidth; use GB/s, TB/s"),
        ("cores", "1.000", "1.000 may be 1 or 1000; write 1000, or 1"),
        ("minimum_quantity", "5.000", "5.000 may be 5 or 5000; write 5000, or 5"),
        ("discounts", "1.000: 8 %", "1.000 may be 1 or 1000; write 1000, or 1"),
        ("price", "18.200", "18.200 may be 18.2 or 18200; write 18200, or 18.2"),
        ("price", "$18.125", "18.125 may be 18.125 or 18125; write 18125, or 18.1250"),
        ("vendor", "Al\u200bpha", "contains the control character U+200B; delete it"),
        ((
            "price"
), (
            "=1+1"
), (
            "is a formula without a stored value; open and save the workbook, or paste values"
)),
    ],
)  # fmt: skip
def test_a_cell_that_cannot_be_used_is_named_with_its_remedy(
    tmp_path: Path, target: str, cell: object, message: str
) -> None:
    fault = only(tmp_path, target, cell)
    assert fault == f"q.xlsx: Quotes!{ADDRESS.get(target, 'F2')}: {message}"


def test_a_group_of_thousands_is_not_read_as_decimals_behind_a_comma_either(tmp_path: Path) -> None:
    message = "q.xlsx: Quotes!C2: 18,200 may be 18,2 or 18200; write 18200, or 18,2"
    assert only(tmp_path, "price", "18,200", decimal="comma") == message


def test_the_same_faults_in_csv_have_a_line(tmp_path: Path) -> None:
    data = b'Model,Vendor,Price,Idle,Peak\n"A\n1",Alpha,9000,100,400\nB,Beta,9000,,400\n'
    found, faults = quotes(tmp_path, data)
    assert [quote["label"] for quote in found] == ["A 1"]
    remedy = "fill it in, or write skip_rows = [4] if the row is not a quote"
    assert faults == [f"q.csv:4: D4: idle_w is missing; {remedy}"]


def test_an_unquoted_decimal_comma_cannot_shift_the_columns(tmp_path: Path) -> None:
    data = b"Model,Vendor,Price,Idle,Peak\nA,Alpha,9000,50,100,400\nB,Beta,1,2,3\nC,C,1,2,3\n"
    assert quotes(tmp_path, data)[1][0] == (
        "q.csv:2: F2: is to the right of the last heading; put quotation marks around cells "
        "that contain delimiters"
    )


def test_a_decimal_comma_before_an_empty_last_cell_cannot_shift_them_either(tmp_path: Path) -> None:
    data = b"Model,Vendor,Price,Idle,Peak,Weeks\nA,Alpha,9000,50,100,400,\nB,B,9000,50,100,\n"
    found, faults = quotes(tmp_path, data, COLUMNS | {"lead_weeks": "Weeks"})
    assert [quote["name"] for quote in found] == ["B"]
    assert faults == [
        (
            "q.csv:2: G2: is one cell more than there are headings; put quotation marks around "
            "cells that contain delimiters, or delete the delimiter"
        )
    ]


def test_an_accent_may_be_written_in_two_ways(tmp_path: Path) -> None:
    rows = [["Gro\u0308\u00dfe", *HEADINGS[1:]], ["A1", "Mu\u0308ller", *PLAIN[2:]]]
    found, faults = quotes(tmp_path, comma_separated(rows), COLUMNS | {"name": "Gr\u00f6\u00dfe"})
    assert faults == []
    assert found[0]["vendor"] == "M\u00fcller"


@pytest.mark.parametrize(
    ("heading", "column", "cell", "value"),
    [
        ("Peak [kW]", "Peak [kW]", 0.35, 350.0),
        ("Peak (kW)", "peak", 0.35, 350.0),
        ("Peak [kW]", {"heading": "Peak", "unit": "kW"}, "350 W", 350.0),
        ("Peak (max)", {"heading": "Peak (max)", "unit": "kW"}, 0.35, 350.0),
        ("Peak in W", "Peak in W", 350, 350.0),
        ("Peak in kW", {"heading": "Peak in kW", "unit": "kW"}, 0.35, 350.0),
        ("Peak in kW", "Peak in kW", "350 W", 350.0),
    ],
)
def test_a_heading_or_the_mapping_gives_the_unit(
    tmp_path: Path, heading: str, column: object, cell: object, value: float
) -> None:
    rows = [[*HEADINGS[:4], heading], [*PLAIN[:4], cell]]
    found, faults = quotes(tmp_path, workbook({"Quotes": rows}), COLUMNS | {"peak_w": column})
    assert faults == []
    assert found[0]["peak_w"] == value


def test_percentages_that_the_sheet_shows_as_such_are_not_divided_again(tmp_path: Path) -> None:
    fault = only(tmp_path, "efficiency", 0.8, heading="Extra [%]")
    assert fault == (
        "q.xlsx: Quotes!F2: efficiency = 0.800% is too small; if the cell is formatted as a "
        "percentage, write unit = '1'"
    )
    column = {"heading": "Extra", "unit": "1"}
    assert only(tmp_path, "efficiency", 0.8, heading="Extra [%]", column=column) == 0.8
    assert only(tmp_path, "efficiency", 80, heading="Extra [%]") == 0.8
    blank = {"heading": "Extra", "unit": " % "}
    assert only(tmp_path, "efficiency", 0.8, column=blank) == fault


@pytest.mark.parametrize(
    ("headings", "columns", "message"),
    [
        (
            [*HEADINGS[:4], "Peak [kW]"],
            {"peak_w": {"heading": "Peak", "unit": "W"}},
            "Quotes!E1: 'Peak [kW]' contradicts unit = 'W'; delete unit or correct the heading",
        ),
        (
            [*HEADINGS[:4], "Peak (max)"],
            {},
            (
                "Quotes!E1: in the heading, 'max' is not a unit of power; use W, watt, "
                "watts, kW, MW; "
                "or set unit in columns.peak_w"
            ),
        ),
        (
            ["Model", "Vendor", "Price [EUR]", "Idle", "Peak"],
            {"price": {"heading": "Price", "unit": "k"}},
            (
                "Quotes!C1: in the heading, the price is in EUR, not in USD; give the currency of "
                "the sheet with its rate: currency, rate and rate_date; or set unit in "
                "columns.price"
            ),
        ),
        (
            ["Model", "Vendor", "Price EUR", "Idle", "Peak"],
            {"price": "Price EUR"},
            (
                "Quotes!C1: in the heading, the price is in EUR, not in USD; give the currency of "
                "the sheet with its rate: currency, rate and rate_date; or set unit in "
                "columns.price"
            ),
        ),
        (
            ["Model", "Vendor", "Price/kUSD", "Idle", "Peak"],
            {"price": "Price/kUSD"},
            (
                "Quotes!C1: in the heading, 'kUSD' is not in brackets; put it in brackets, or set "
                "unit in columns.price"
            ),
        ),
        (
            ["Model", "Vendor", "Price", "Idle", "Peak", " peak "],
            {},
            "Quotes!F1: 'Peak' is also the heading of Quotes!E1; rename one of them",
        ),
        (
            ["Model", "Vendor", "Price", "Idle", "Peak power"],
            {},
            "Quotes!1: there is no heading 'Peak' for peak_w; did you mean 'Peak power'?",
        ),
        (
            ["Model", "Vendor", "Price", "Idle", "x"],
            {},
            (
                "Quotes!1: there is no heading 'Peak' for peak_w; headings: 'Model', "
                "'Vendor', 'Price', "
                "'Idle', 'x'"
            ),
        ),
    ],
)
def test_a_heading_that_does_not_fit_is_named(
    tmp_path: Path, headings: list[str], columns: dict[str, Any], message: str
) -> None:
    data = workbook({"Quotes": [headings, PLAIN]})
    assert quotes(tmp_path, data, COLUMNS | columns) == ([], [f"q.xlsx: {message}"])


def test_a_merged_cell_holds_for_every_row_that_it_spans(tmp_path: Path) -> None:
    rows = [["Offer"], HEADINGS, PLAIN, ["B1", "Beta", 8000, 90, 300]]
    found, faults = quotes(tmp_path, workbook({"Quotes": rows}, ["A1:E1", "B3:B4"]))
    assert (faults, [quote["vendor"] for quote in found]) == ([], ["merged", "merged"])


def test_a_cell_that_is_merged_over_two_fields_is_refused(tmp_path: Path) -> None:
    rows = [HEADINGS, PLAIN, ["B1", "Beta", 8000, 90, 300]]
    data = workbook({"Quotes": rows}, ["D2:E3"])
    message = "is part of the merged range D2:E3; unmerge it"
    remedy = "or write skip_rows = [{}] if the row is not a quote"
    assert quotes(tmp_path, data)[1] == [
        fault
        for row in (2, 3)
        for fault in (
            f"q.xlsx: Quotes!D{row}: {message}",
            f"q.xlsx: Quotes!E{row}: peak_w is missing; fill it in, {remedy.format(row)}",
        )
    ]


@pytest.mark.parametrize(("beside", "merged"), [(None, ["E1:F1"]), (None, ["E1:F1", "E2:F2"])])
def test_a_heading_over_two_columns_of_which_one_is_filled_is_clear(
    tmp_path: Path, beside: object, merged: list[str]
) -> None:
    rows = [[*HEADINGS[:4], "merged", None], [*PLAIN, beside]]
    data = workbook({"Quotes": rows}, merged)
    found, faults = quotes(tmp_path, data, COLUMNS | {"peak_w": "merged"})
    if "E2:F2" in merged:
        assert faults == [
            "q.xlsx: Quotes!E2: 'merged' is not a number; write the number and its unit"
        ]
    else:
        assert ([quote["peak_w"] for quote in found], faults) == ([400.0], [])


def test_a_heading_over_two_filled_columns_is_named(tmp_path: Path) -> None:
    rows = [[*HEADINGS[:4], "merged", None], [*PLAIN, 500]]
    data = workbook({"Quotes": rows}, ["E1:F1"])
    message = "q.xlsx: Quotes!E1: is part of the merged range E1:F1; unmerge it"
    assert quotes(tmp_path, data, COLUMNS | {"peak_w": "merged"}) == ([], [message])


def test_error_cells_matter_only_where_they_are_read(tmp_path: Path) -> None:
    head = "".join(f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in [*HEADINGS, "X"])
    body = '<c t="inlineStr"><is><t>A</t></is></c>' * 2 + "<c><v>{}</v></c>" * 2
    body = body.format(9000, 100)
    error = '<c t="e"><v>#N/A</v></c>'
    data = by_hand(f"<row>{head}</row><row>{body}<c><v>400</v></c>{error}</row>")
    assert quotes(tmp_path, data)[1] == []
    data = by_hand(f"<row>{head}</row><row>{body}{error}</row>")
    message = "contains the error #N/A; correct the formula, or enter the value"
    assert quotes(tmp_path, data) == ([], [f"q.xlsx: Quotes!E2: {message}"])


def test_names_that_become_one_are_named_both(tmp_path: Path) -> None:
    rows = [HEADINGS, ["A 1", *PLAIN[1:]], ["A/1", *PLAIN[1:]]]
    found, faults = quotes(tmp_path, workbook({"Quotes": rows}))
    assert [quote["label"] for quote in found] == ["A 1"]
    assert faults == [
        "q.xlsx: Quotes!A3: becomes the name 'A-1', like Quotes!A2; rename one of them"
    ]


@pytest.mark.parametrize("text", ["Total", "Summe netto", "ZWISCHENSUMME:", "Sous-total", "合计"])
def test_a_total_below_the_quotes_is_left_out(tmp_path: Path, text: str) -> None:
    rows = [HEADINGS, PLAIN, [text, None, 9000, None, None]]
    found, faults = quotes(tmp_path, workbook({"Quotes": rows}))
    assert (len(found), faults) == (1, [])


def test_a_node_type_that_begins_like_a_total_is_read(tmp_path: Path) -> None:
    rows = [HEADINGS, ["Total Compute T1", *PLAIN[1:]], ["Totalise", *PLAIN[1:]]]
    found, _ = quotes(tmp_path, workbook({"Quotes": rows}))
    assert [quote["name"] for quote in found] == ["Total-Compute-T1", "Totalise"]


def test_all_missing_figures_of_all_types_are_listed_at_once(tmp_path: Path) -> None:
    rows = [HEADINGS, PLAIN, ["B1", None, 9000, None, None], ["C1", "Beta", 9000, 90, None]]
    remedy = "or write skip_rows = [{}] if the row is not a quote"
    data = workbook({"Quotes": rows})
    assert quotes(tmp_path, data)[1] == [
        (
            "q.xlsx: Quotes!3: vendor (Quotes!B3), idle_w (Quotes!D3), peak_w (Quotes!E3) are "
            f"missing; fill them in, {remedy.format(3)}"
        ),
        f"q.xlsx: Quotes!E4: peak_w is missing; fill it in, {remedy.format(4)}",
    ]
    columns = {key: COLUMNS[key] for key in ("name", "price", "peak_w")}
    found, faults = quotes(tmp_path, data, columns)
    assert found == []
    assert faults == [
        (
            "s.toml: quotes.columns: there is no column for vendor, idle_w; give its heading or "
            "its value, or the vendor's answers; node types: A1, B1, C1"
        ),
        f"q.xlsx: Quotes!E3: peak_w is missing; fill it in, {remedy.format(3)}",
        f"q.xlsx: Quotes!E4: peak_w is missing; fill it in, {remedy.format(4)}",
    ]
    assert quotes(tmp_path, data, rows=[2, 2])[1] == []
    assert quotes(tmp_path, data, skip_rows=[3, 4])[1] == []


def test_minimum_above_maximum_names_both_cells(tmp_path: Path) -> None:
    rows = [[*HEADINGS, "Min", "Max"], [*PLAIN, 10, 5]]
    columns = COLUMNS | {"minimum_quantity": "Min", "maximum_quantity": "Max"}
    assert quotes(tmp_path, workbook({"Quotes": rows}), columns)[1] == [
        (
            "q.xlsx: Quotes!F2: minimum_quantity = 10 is above maximum_quantity = 5 (Quotes!G2); "
            "correct one of them"
        )
    ]


def test_the_header_row_may_be_said(tmp_path: Path) -> None:
    rows = [HEADINGS, ["old", "Alpha", 1000, 10, 40], HEADINGS, PLAIN]
    data = workbook({"Quotes": rows})
    assert [q["name"] for q in quotes(tmp_path, data, header_row=3)[0]] == ["A1"]
    assert quotes(tmp_path, data, header_row=9)[1] == [
        "s.toml: quotes.header_row: row 9 does not exist or is blank; correct header_row"
    ]


def test_headings_without_quotes_are_a_fault(tmp_path: Path) -> None:
    message = "q.xlsx: Quotes: there are no quotes below the headings in row 1; add them"
    assert quotes(tmp_path, workbook({"Quotes": [HEADINGS]})) == ([], [message])


def test_a_thousand_quotes_are_read_and_no_more(tmp_path: Path) -> None:
    rows = [HEADINGS, *([f"n{i}", *PLAIN[1:]] for i in range(1001))]
    assert len(quotes(tmp_path, comma_separated(rows[:-1]))[0]) == 1000
    assert quotes(tmp_path, comma_separated(rows))[1] == [
        "q.csv: contains 1001 quotes, more than 1000; write rows = [first, last]"
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({(
            "file"
): (
            "../q.xlsx"
)}, (
            "file: '../q.xlsx' is outside the scenario's folder; copy the file into it"
)),
        ({"columns": {"name": "Model"}}, ("columns: there is no column for vendor, price, idle_w, "
         "peak_w; give its heading or its value, or the vendor's answers; node types: A1")),
        ({"columns": COLUMNS | {"pirce": "x"}}, ("columns.pirce: unknown field 'pirce'; did you "
         "mean 'price'?")),
        ({(
            "columns"
): COLUMNS | {(
            "name"
): {(
            "value"
): (
            "A"
)}}}, (
            "columns.name: each row needs its own name; give the heading of the column of names"
)),
        ({"columns": COLUMNS | {"vendor": {}}},
         "columns.vendor: give one of heading, column and value"),
        ({"columns": COLUMNS | {"vendor": {"unit": "W", "heading": "Vendor"}}},
         "columns.vendor.unit: vendor has no unit; delete the key unit"),
        ({"columns": COLUMNS | {"peak_w": {"unit": "GB", "heading": "Peak"}}},
         "columns.peak_w.unit: 'GB' is not a unit of power; use W, watt, watts, kW, MW"),
        ({"columns": COLUMNS | {"peak_w": {"value": 0.35}}}, ("columns.peak_w.value: peak_w "
         "= 0.35 W is implausible as a node's power; is the column in kW? write unit = 'kW'")),
        ({"columns": COLUMNS | {"vendor": {"value": " "}}},
         "columns.vendor.value: is blank; write a text"),
        ({"columns": COLUMNS | {"vendor": {"value": ""}}},
         "columns.vendor.value: is empty; write a text"),
        ({"columns": COLUMNS | {"vendor": ""}},
         "columns.vendor: is empty; write a text"),
        ({"columns": COLUMNS | {"vendor": {"value": dt.datetime(2027, 3, 31, 8)}}},
         ("columns.vendor.value: 2027-03-31 08:00:00 contains a time of day; write only the date")),
        ({"columns": COLUMNS | {"vendor": {"value": [1]}}},
         ("columns.vendor.value: a list cannot be the content of a cell; write a text, a "
            "number, true, "
            "false or a date")),
        ({"columns": COLUMNS | {"cores": {"value": 10**16}}},
         ("columns.cores.value: 10000000000000000 is too large to be a quantity; "
          "correct it")),
        ({"columns": COLUMNS | {"vendor": 5}},
         "columns.vendor: 5 is not a heading; write the heading of the sheet in quotation marks"),
        ({"columns": COLUMNS | {"vendor": {"headin": "x"}}},
         "columns.vendor.headin: unknown key 'headin'; did you mean 'heading'?"),
        ({"columns": 5}, ("columns: 5 should be a table; write its keys in "
         "braces, as in { key = value }")),
        ({"rows": []}, "rows: has 0 entries; give at least 2"),
        ({"rows": 3}, ("rows: 3 should be a list; write it in square "
         "brackets")),
        ({(
            "rows"
): [5, 2]}, (
            "rows: rows = [5, 2] are in the wrong order; give the first row, then the last"
)),
        ({"decimal": "dot"}, "decimal: 'dot' should be 'point' or 'comma'; correct it"),
        ({"colums": {}},
         "colums: unknown key 'colums'; did you mean 'columns' or 'discount_columns'?"),
    ],
)  # fmt: skip
def test_a_wrong_mapping_is_a_fault_of_the_scenario(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    data = workbook({"Quotes": [HEADINGS, PLAIN]})
    (tmp_path / "q.xlsx").write_bytes(data)
    raw = {"file": "q.xlsx", "columns": COLUMNS} | changes
    head = f'format = 1\nname = "s"\ntitle = "s"\nquotes = [{inline(raw)}]\n[procurement]\n'
    (tmp_path / "s.toml").write_text(head)
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "s.toml")
    found = [str(fault).replace(f"{tmp_path}/", "") for fault in caught.value.faults]
    assert [each for each in found if "quotes[" in each] == [f"s.toml:4: quotes[1].{message}"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    table = QuoteTable.model_validate({"file": "none.xlsx", "columns": COLUMNS})
    message = "does not exist; give the path of a workbook or CSV file"
    path = str(tmp_path / "none.xlsx")
    read = read_quotes(table, tmp_path, "s.toml", "USD")
    assert read == Quotes(faults=(Fault(path, 0, "", message),))


def test_a_mapping_survives_being_written_and_read_again() -> None:
    table = QuoteTable.model_validate({"file": "q.csv", "columns": COLUMNS, "rows": [2, 9]})
    assert QuoteTable.model_validate(table.model_dump()) == table
    values = QuoteTable.model_json_schema()["properties"]["columns"]["additionalProperties"]
    assert {"string", None} == {each.get("type") for each in values["anyOf"]}


CELLS = (
    st.floats(allow_nan=False, allow_infinity=False)
    | st.booleans()
    | st.dates()
    | st.builds(NumberWithUnit, st.floats(-1e9, 1e9), st.text(max_size=40), st.integers(-9, 4))
    | st.text(max_size=40)
    | st.text(alphabet="0123456789.,;:/%-+eE '$€kMWGUSDBab\n", max_size=25)
)


@pytest.mark.parametrize("target", BY_NAME)
@pytest.mark.parametrize("decimal", ["point", "comma"])
@settings(max_examples=few(40))
@given(cell=CELLS)
def test_any_cell_is_read_or_refused(target: str, decimal: Any, cell: Any) -> None:
    try:
        value = read_cell(cell, Reading(target, "", decimal, "USD"))
    except CellError as error:
        message = str(error)
        assert len(message) < 400
        return
    if value not in ([], "") and target in NodeType.model_fields:
        filled = {"name": "n"} | {target: value}
        NodeType.model_validate(filled)
