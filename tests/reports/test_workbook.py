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
    assert number_format("gap", [0.0001]) == "0.000%"
    assert number_format("nodes", []) == "#,##0"
    assert number_format("time_s", [0.00012]) == "#,##0.00000"


@pytest.mark.parametrize(
    ("key", "values", "formats"),
    [
        ("value", [1.15, 0.03, 2_046_000, 0.9], ["#,##0.00", "#,##0.00", "#,##0", "#,##0.0"]),
        ("gap", [0.0, 4.9e-5, 0.4], ["0.0%", "0.0000%", "0.0%"]),
        ("objective", [39_900_000.0, 0.62799], ["#,##0", "#,##0.0000"]),
        ("time_s", [12.0, 3.25], ["#,##0.00", "#,##0.00"]),
    ],
)
def test_a_small_number_is_not_rounded_to_nothing_by_a_large_one(
    key: str, values: list[float], formats: list[str]
) -> None:
    assert number_formats(key, values) == formats


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
