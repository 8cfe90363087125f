"""Workbooks for the tests: whole ones by XlsxWriter, broken ones by hand."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import xlsxwriter

HEADINGS: list[Any] = ["Model", "Vendor", "Price", "Idle", "Peak"]
PLAIN: list[Any] = ["A1", "Alpha", 9000, 100, 400]
COLUMNS: dict[str, Any] = {
    "name": "Model",
    "vendor": "Vendor",
    "price": "Price",
    "idle_w": "Idle",
    "peak_w": "Peak",
}
"""A small sheet of quotes, and its mapping."""
NAMESPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def workbook(
    sheets: Mapping[str, Sequence[Sequence[Any]]], merged: Sequence[str] = (), start: int = 0
) -> bytes:
    """Build a workbook; ``=text`` becomes a formula without a stored value.

    Ranges are merged in the first sheet; the rows begin at row ``start`` (from 0).
    """
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True})
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for line, row in enumerate(rows, start):
            for column, value in enumerate(row):
                if isinstance(value, dt.date):
                    sheet.write_datetime(line, column, value, day)
                elif isinstance(value, str) and value.startswith("="):
                    sheet.write_formula(line, column, value, value="")
                elif isinstance(value, str):
                    sheet.write_string(line, column, value)
                elif value is not None:
                    sheet.write(line, column, value)
    for each in merged:
        sheet = book.worksheets()[0]
        sheet.merge_range(each, "merged")
    book.close()
    return stream.getvalue()


def parts(sheet: str) -> dict[str, bytes]:
    """List the parts of a workbook whose only sheet, Quotes, has that XML."""
    texts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/'
        f'content-types"><Override PartName="/xl/workbook.xml" ContentType="{_MAIN}"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
        f'relationships"><Relationship Id="rId1" Type="{_RELATIONS}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook {NAMESPACE} xmlns:r="{_RELATIONS}">'
        '<sheets><sheet name="Quotes" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/'
        f'package/2006/relationships"><Relationship Id="rId1" Type="{_RELATIONS}/worksheet" '
        'Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": sheet,
    }
    return {name: text.encode() for name, text in texts.items()}


def zipped(members: Mapping[str, bytes]) -> bytes:
    """Zip the parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def by_hand(rows: str, before: str = "", after: str = "") -> bytes:
    """Zip a workbook around the rows of its only sheet."""
    sheet = f"<worksheet {NAMESPACE}>{before}<sheetData>{rows}</sheetData>{after}</worksheet>"
    return zipped(parts(sheet))


def comma_separated(rows: Sequence[Sequence[Any]], delimiter: str = ",") -> bytes:
    """Write rows as CSV, every text in quotation marks."""
    lines = []
    for row in rows:
        cells = ["" if v is None else f'"{v}"' if isinstance(v, str) else str(v) for v in row]
        lines.append(delimiter.join(cells))
    return "\n".join([*lines, ""]).encode()
