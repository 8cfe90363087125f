"""Workbooks for people: headings in words, units, formats, filters, print set-up."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from planner.procurement.study import ProcurementStudy
from reports.workbook_columns import number_format, number_formats
from reports.writers.workbook import workbook


@dataclass(frozen=True)
class Written:
    """A workbook, read by another program and as XML."""

    sheets: dict[str, list[list[Any]]]
    xml: dict[str, str]


def written(data: bytes) -> Written:
    reader = CalamineWorkbook.from_filelike(io.BytesIO(data))
    sheets = {name: reader.get_sheet_by_name(name).to_python() for name in reader.sheet_names}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        xml = {name: archive.read(name).decode() for name in archive.namelist()}
    return Written(sheets, xml)


def test_headings_are_words_with_units_and_sheets_have_names(short: ProcurementStudy) -> None:
    sheets = written(workbook(short.study)).sheets
    assert next(iter(sheets)) == "Summary"
    assert all(name[0].isupper() and "_" not in name for name in sheets)
    cells = [cell for rows in sheets.values() for cell in rows[0]]
    assert [cell for cell in cells if re.search(r"[a-z]_[a-z]", cell)] == []
    assert any(cell.endswith(" [W]") for cell in cells)


def test_numbers_have_formats_and_shares_are_in_per_cent(short: ProcurementStudy) -> None:
    xml = written(workbook(short.study)).xml["xl/styles.xml"]
    assert 'formatCode="#,##0' in xml or "#,##0" in xml
    assert number_format([]) == "#,##0"
    assert number_format([0.00012]) == "#,##0.00000"


@pytest.mark.parametrize(
    ("unit", "values", "formats"),
    [
        ("number", [1.15, 0.03, 2_046_000], ["#,##0.00", "#,##0.00", "#,##0"]),
        ("share", [0.0, 0.04, 1.0], ["0.0%", "0.0%", "0.0%"]),
        ("share used", [0.99996, 1.0], ["0.000%", "0.000%"]),
        ("change", [-0.0003, 0.5], ["0.00%", "0.00%"]),
        ("value", [39_900_000.0, 0.62799], ["#,##0", "#,##0.0000"]),
        ("s", [12.0, 3.25], ["#,##0.00", "#,##0.00"]),
    ],
)
def test_a_small_number_is_not_rounded_to_nothing_by_a_large_one(
    unit: str, values: list[float], formats: list[str]
) -> None:
    assert number_formats(unit, values) == formats


def test_the_first_sheet_has_each_number_in_its_own_digits_and_its_unit(
    short: ProcurementStudy,
) -> None:
    book = written(workbook(short.study))
    rows = {row[0]: row[1:] for row in book.sheets["Summary"]}
    facts = {fact.key: fact for fact in short.study.facts}
    life, core_hour = facts["life"], rows["Cost of a used core-hour"][0]
    assert rows["Total cost of ownership"] == [life.value, life.unit.split()[1]]
    assert core_hour < 1
    assert "0.00" in format_of(book, core_hour)
    assert format_of(book, life.value) in {"#,##0", "3"}


def format_of(book: Written, value: Any) -> str:
    """The format of the cell of the first sheet with a number; of a built-in one its own number."""
    sheet, styles = (book.xml[f"xl/{name}.xml"] for name in ("worksheets/sheet1", "styles"))
    cells = re.findall(r'<c r="[A-Z]+[0-9]+" s="([0-9]+)"><v>([^<]*)</v>', sheet)
    (style, *_) = (int(style) for style, text in cells if float(text) == value)
    codes = dict(re.findall(r'<numFmt numFmtId="([0-9]+)" formatCode="([^"]*)"', styles))
    uses = re.findall(r'numFmtId="([0-9]+)"', styles[styles.index("<cellXfs") :])
    return str(codes.get(uses[style], uses[style]))


def test_every_sheet_has_a_filter_a_fixed_heading_and_a_print_set_up(
    short: ProcurementStudy,
) -> None:
    xml = written(workbook(short.study)).xml
    for name, text in xml.items():
        if name.startswith("xl/worksheets/sheet"):
            assert "<autoFilter" in text, name
            assert "<pane " in text, name
            assert 'orientation="landscape"' in text, name
            assert 'fitToHeight="0"' in text, name
