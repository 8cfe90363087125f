"""Number formats of a workbook: the unit that a cell shows counts, and never silently."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from scenarios.tables.cells import NumberWithUnit
from scenarios.tables.number_formats import shown_unit
from scenarios.tables.spreadsheet import read_cells
from tests.scenarios.quote_files import COLUMNS, HEADINGS, PLAIN
from tests.scenarios.test_quotes import quotes
from tests.sizes import few


class Formatted(NamedTuple):
    """A number and its format."""

    value: float
    number_format: str


def formatted_workbook(rows: list[list[Any]]) -> bytes:
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True})
    sheet = book.add_worksheet("Quotes")
    formats: dict[str, Any] = {}
    for line, row in enumerate(rows):
        for column, value in enumerate(row):
            if isinstance(value, Formatted):
                code = value.number_format
                if code not in formats:
                    formats[code] = book.add_format({"num_format": code})
                sheet.write_number(line, column, value.value, formats[code])
            elif value is not None:
                sheet.write(line, column, value)
    book.close()
    return stream.getvalue()


FORMATTED = [
    ("memory_gb", 0.75, '0.00 "TB"', 750.0),
    ("memory_gb", 768, '0 "GB";[Red]-0', 768.0),
    ("price", 18.2, '#,##0.00\\ "k$"', 18200.0),
    ("price", 18200, '0.0,"k"', 18200.0),
    ("price", 9000, '_-"$"* #,##0.00_-', 9000.0),
    ("price", 9000, "[$USD] #,##0", 9000.0),
    ("price", 9000, "#,##0.00_);[Red](#,##0.00)", 9000.0),
    ("peak_w", 0.4, '0.00 "kW"', 400.0),
    ("package_caps_w", 0.35, '0.00 "kW"', [350.0]),
    ("efficiency", 0.8, "0%", 0.8),
    ("efficiency", 0.8, "0.0 %", 0.8),
    ("maximum_quantity", 5, '0 "nodes"', 5),
    ("cores", 128000, '0,"k"', 128000),
    ("label", 6980, '"Xeon "0', "6980"),
    ("name", 6980, '"Xeon "0', "6980"),
    ("price", 18200, "#,##0 [$€-407]", ("in the number format, the price is in €, not in USD; "
     "give the currency of the sheet with its rate: currency, rate and rate_date")),
    ((
            "price"
), 18200, (
            '#,##0" net"'
), ("in the number format, 'net' is not a unit of money; use USD or "
            "kUSD; or set unit in columns.price")),
    ("memory_gb", 768, '0 "GBit"', ("in the number format, 'GBit' is not a unit of memory; use GB, "
     "TB, GiB, TiB; or set unit in columns.memory_gb")),
]  # fmt: skip


@pytest.mark.parametrize(("target", "value", "number_format", "expected"), FORMATTED)
def test_a_unit_that_the_number_format_shows_counts(
    tmp_path: Path, target: str, value: float, number_format: str, expected: object
) -> None:
    rows = [[*HEADINGS, "Extra"], [*PLAIN, None]]
    column = list(COLUMNS).index(target) if target in COLUMNS else 5
    rows[1][column] = Formatted(value, number_format)
    columns = COLUMNS if target in COLUMNS else COLUMNS | {target: "Extra"}
    found, faults = quotes(tmp_path, formatted_workbook(rows), columns)
    if isinstance(expected, str) and target not in {"label", "name"}:
        expected = f"q.xlsx: Quotes!{'ABCDEF'[column]}2: {expected}"
    assert (found[0][target] if found else faults[0]) == expected
    assert not found or found[0]["label"] in {"A1", "6980"}


def test_a_number_format_may_not_contradict_the_column(tmp_path: Path) -> None:
    data = formatted_workbook(
        [[*HEADINGS[:4], "Peak [kW]"], [*PLAIN[:4], Formatted(0.4, '0.0 "W"')]]
    )
    message = "the number format shows 'W', but the column is in 'kW'; correct one of them"
    assert quotes(tmp_path, data) == ([], [f"q.xlsx: Quotes!E2: {message}"])
    same = [[*HEADINGS[:4], "Peak [kW]"], [*PLAIN[:4], Formatted(0.4, '0.0 "kW"')]]
    assert quotes(tmp_path, formatted_workbook(same))[0][0]["peak_w"] == 400


def test_the_mapping_says_what_a_number_format_does_not(tmp_path: Path) -> None:
    data = formatted_workbook([HEADINGS, [*PLAIN[:2], Formatted(18.2, '0.0 "net"'), *PLAIN[3:]]])
    columns = COLUMNS | {"price": {"heading": "Price", "unit": "k"}}
    assert quotes(tmp_path, data, columns)[0][0]["price"] == 18200


def test_a_percentage_is_one_whatever_the_column_says(tmp_path: Path) -> None:
    for heading, unit in (("Extra", None), ("Extra [%]", None), ("Extra [%]", "1")):
        data = formatted_workbook([[*HEADINGS, heading], [*PLAIN, Formatted(0.8, "0%")]])
        column = {"heading": heading, "unit": unit}
        found, faults = quotes(tmp_path, data, COLUMNS | {"efficiency": column})
        assert faults == []
        assert found[0]["efficiency"] == 0.8


@given(st.text(alphabet='"\\[]$€-_*;0#?.,% kWab', max_size=30) | st.text(max_size=30))
def test_any_format_gives_a_short_text_and_a_ten_to_the(code: str) -> None:
    unit, power = shown_unit(code)
    assert len(unit) <= 40
    assert unit == unit.strip()
    assert -90 <= power <= 60


def test_a_format_without_end_is_read_in_part() -> None:
    assert shown_unit('0" kW' * 100_000)[0].startswith("kW0")
    assert shown_unit("0" + "," * 900 + '"k"') == ("k", -2700)


def test_a_full_sheet_of_formatted_numbers_is_read(tmp_path: Path) -> None:
    rows = few(2000)
    numbers = [
        [Formatted(1000 * row + column, '0 "kW"') for column in range(200)] for row in range(rows)
    ]
    path = tmp_path / "q.xlsx"
    path.write_bytes(formatted_workbook(numbers))
    last = NumberWithUnit(1000.0 * (rows - 1) + 199, "kW", 0)
    assert read_cells(path, "q.xlsx").cell(rows - 1, 199) == last
