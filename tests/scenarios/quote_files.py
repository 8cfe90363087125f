"""Workbooks for the tests: whole ones by XlsxWriter, broken ones by hand."""

from __future__ import annotations

import datetime as dt
import html
import io
import struct
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
    sheets: Mapping[str, Sequence[Sequence[Any]]],
    merged: Sequence[str] | Mapping[str, Any] = (),
    start: int = 0,
) -> bytes:
    """Build a workbook; ``=text`` becomes a formula without a stored value.

    Ranges are merged in the first sheet, perhaps with their text; the rows begin at row ``start``
    (from 0).
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
        text = merged[each] if isinstance(merged, Mapping) else "merged"
        sheet.merge_range(each, text)
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


_OF_DOCUMENTS = "urn:oasis:names:tc:opendocument:xmlns"
_MANIFEST = f"""<manifest:manifest xmlns:manifest="{_OF_DOCUMENTS}:manifest:1.0">
<manifest:file-entry manifest:full-path="/" manifest:media-type="x"/></manifest:manifest>"""


def document(sheets: Mapping[str, str]) -> bytes:
    """Zip an OpenDocument spreadsheet around the rows of its sheets."""
    spaces = " ".join(
        f'xmlns:{name}="{_OF_DOCUMENTS}:{name}:1.0"' for name in ("office", "table", "text")
    )
    tables = "".join(
        f'<table:table table:name="{name}">{rows}</table:table>' for name, rows in sheets.items()
    )
    content = (
        f"<office:document-content {spaces}><office:body><office:spreadsheet>{tables}"
        "</office:spreadsheet></office:body></office:document-content>"
    )
    mimetype = b"application/vnd.oasis.opendocument.spreadsheet"
    return zipped(
        {
            "mimetype": mimetype,
            "content.xml": content.encode(),
            "META-INF/manifest.xml": _MANIFEST.encode(),
        }
    )


def open_document(sheets: Mapping[str, Sequence[Sequence[Any]]]) -> bytes:
    """Build an OpenDocument spreadsheet as programs write them, with blank cells to the end."""
    end = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell '
    end += 'table:number-columns-repeated="16384"/></table:table-row>'
    return document(
        {
            name: "".join(
                f"<table:table-row>{''.join(map(_document_cell, row))}</table:table-row>"
                for row in rows
            )
            + end
            for name, rows in sheets.items()
        }
    )


def _document_cell(value: Any) -> str:
    cell = "<table:table-cell"
    if value is None:
        return f"{cell}/>"
    if isinstance(value, bool):
        given = str(value).lower()
        return f'{cell} office:value-type="boolean" office:boolean-value="{given}"/>'
    if isinstance(value, int | float):
        return f'{cell} office:value-type="float" office:value="{value}"/>'
    if isinstance(value, dt.date):
        return f'{cell} office:value-type="date" office:date-value="{value}"/>'
    text = html.escape(value)
    return f'{cell} office:value-type="string"><text:p>{text}</text:p></table:table-cell>'


def old_workbook(
    sheets: Mapping[str, Sequence[Sequence[Any]]], merged: Sequence[tuple[int, ...]] = ()
) -> bytes:
    """Build an ``.xls`` file (BIFF8), as [MS-XLS] and [MS-CFB] describe it.

    Ranges (first row, last row, first column, last column) are merged in the first sheet.
    """
    parts = [_sheet_stream(rows, merged if not i else ()) for i, rows in enumerate(sheets.values())]
    names = [struct.pack("<BB", len(name), 1) + name.encode("utf-16-le") for name in sheets]
    begin = _record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
    formats = _record(0xE0, bytes(20))
    place = len(begin) + len(formats) + sum(10 + len(name) for name in names) + 4
    listed = b""
    for name, part in zip(names, parts, strict=True):
        listed += _record(0x85, struct.pack("<IBB", place, 0, 0) + name)
        place += len(part)
    return _compound(begin + formats + listed + _record(0x0A) + b"".join(parts))


def _record(kind: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def _sheet_stream(rows: Sequence[Sequence[Any]], merged: Sequence[tuple[int, ...]]) -> bytes:
    stream = _record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
    for line, row in enumerate(rows):
        for column, value in enumerate(row):
            at = struct.pack("<HHH", line, column, 0)
            if isinstance(value, bool):
                stream += _record(0x205, at + bytes([value, 0]))
            elif isinstance(value, int | float):
                stream += _record(0x203, at + struct.pack("<d", value))
            elif value is not None:
                text = str(value)
                stream += _record(0x204, at + struct.pack("<HB", len(text), 1)
                                  + text.encode("utf-16-le"))  # fmt: skip
    ranges = b"".join(struct.pack("<HHHH", *each) for each in merged)
    stream += _record(0xE5, struct.pack("<H", len(merged)) + ranges) if merged else b""
    return stream + _record(0x0A)


def _compound(stream: bytes) -> bytes:
    """A compound file with one stream, Workbook, of 4,096 bytes or more."""
    stream += bytes(max(4096, -(-len(stream) // 512) * 512) - len(stream))
    size = len(stream) // 512
    assert size <= 125, "one sector of the allocation table"
    chain = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, size + 2), 0xFFFFFFFE]
    table = struct.pack("<128I", *chain, *[0xFFFFFFFF] * (128 - len(chain)))
    head = struct.pack(
        "<8s16s5H6s9I", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6, b"",
        0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0,
    )  # fmt: skip
    head += struct.pack("<109I", 0, *[0xFFFFFFFF] * 108)
    entries = _entry("Root Entry", 5, 1, 0xFFFFFFFE, 0)
    entries += _entry("Workbook", 2, 0xFFFFFFFF, 2, len(stream))
    return head + table + entries.ljust(512, b"\0") + stream


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    text = name.encode("utf-16-le") + b"\0\0"
    none = 0xFFFFFFFF
    return struct.pack(
        "<64sHBBIII16sIQQIII", text, len(text), kind, 1, none, none, child, b"", 0, 0, 0, start,
        size, 0,
    )  # fmt: skip


def merged_workbook(name: str, rows: Sequence[Sequence[Any]], ranges: Mapping[str, Any]) -> bytes:
    """Build a workbook of one sheet with merged ranges and what they show."""
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True})
    sheet = book.add_worksheet(name)
    for line, row in enumerate(rows):
        for column, value in enumerate(row):
            if value is not None:
                sheet.write(line, column, value)
    for place, shown in ranges.items():
        sheet.merge_range(place, shown)
    book.close()
    return stream.getvalue()
