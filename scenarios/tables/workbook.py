"""A workbook's cells as JSON, out of bytes that may be hostile.

Calamine aborts on a far cell and takes gigabytes for a zip bomb. So the zip is streamed and every
XML part scanned first, under limits on what is really unpacked; calamine then gets a fresh zip of
the scanned bytes, and reads no other.
"""

from __future__ import annotations

import datetime as dt
import io
import json
import math
import posixpath
import zipfile
from typing import Any

from scenarios.tables.cell_references import (
    QUOTES,
    Limits,
    WorkbookError,
    column_letters,
    corner,
    sheet_prefix,
    too_far,
)
from scenarios.tables.number_formats import PERCENTAGES, shown_unit
from scenarios.tables.sheet_part import Part
from scenarios.tables.workbook_zip import unpack

MOST_TEXT = 4000
_OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NOT_OLD = (
    "is an old .xls file that cannot be read, or has a password; save it as .xlsx without a "
    "password, or as .csv"
)
_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument.spreadsheet"
_MANIFEST = (
    b'<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    b'<manifest:file-entry manifest:full-path="/" manifest:media-type="' + _OPEN_DOCUMENT + b'"/>'
    b"</manifest:manifest>"
)
_HANDED_ON = ("Types", "Relationships", "workbook", "sst", "styleSheet")


ONLY_NAMES = ""


class SheetsFound(Exception):  # noqa: N818 - the answer to a question
    """Names of the sheets with values, and of the hidden ones of them, instead of cells."""

    def __init__(self, names: list[str], hidden: list[str]) -> None:
        super().__init__()
        self.names, self.hidden = names, hidden


def answer(request: bytes, limits: Limits = QUOTES) -> bytes:
    """Answer a request: a line with the wanted sheet as JSON, then the workbook.

    An empty name asks for the names of the sheets with values instead of cells.
    """
    wanted, _, data = request.partition(b"\n")
    try:
        reply = read_workbook(data, json.loads(wanted), limits)
    except SheetsFound as found:
        reply = {"sheets": found.names, "hidden": found.hidden}
    except WorkbookError as error:
        reply = {"error": str(error)}
    except MemoryError:
        reply = {
            "error": f"needs too much memory; copy the {limits.what} alone into a new workbook"
        }
    return json.dumps(reply, allow_nan=False).encode()


def read_workbook(data: bytes, wanted: str | None, limits: Limits = QUOTES) -> dict[str, Any]:
    """Read the sheet's name and its rows from A1 on, each cell ready for JSON.

    A date is ``{"date": ISO}``; a number that its format shows with a unit or scaled is
    ``{"number": stored, "unit": text, "power": of ten by which more is shown}``; a cell that must
    not be used is ``{"fault": why, "text": shown}``.
    Hidden rows and columns are read like all others, and listed, counted from 0.

    Raises
    ------
    WorkbookError
        The workbook as a whole cannot be used.
    """
    if data.startswith(_OLD):
        chosen, part, rows = _old(data, wanted, limits)
        form = "xls"
    else:
        parts = {name: (part, content) for name, part, content in unpack(data, limits)}
        form = "ods" if "content.xml" in parts else "xlsx"
        read = _open_document if form == "ods" else _office_open
        chosen, part, rows = read(parts, wanted, limits)
    _add_findings(rows, part, limits)
    if not any(cell is not None for row in rows for cell in row):
        raise WorkbookError(_blank(chosen, limits))
    return {
        "form": form,
        "sheet": chosen,
        "rows": rows,
        "hidden_rows": sorted(part.hidden_rows),
        "hidden_columns": sorted(part.hidden_columns),
    }


Parts = dict[str, tuple[Part, bytes]]
_Sheet = tuple[str, Part, list[list[Any]]]


def _office_open(parts: Parts, wanted: str | None, limits: Limits) -> _Sheet:
    """Name, scan and cells of a sheet of an ``.xlsx`` file."""
    relations = parts.get("xl/_rels/workbook.xml.rels", (Part(), b""))[0].targets
    listed = parts["xl/workbook.xml"][0].sheets
    members = {
        name: posixpath.normpath(posixpath.join("/xl", relations.get(relation, "")))[1:]
        for name, relation in listed
    }
    if len(members) < len(listed):
        raise WorkbookError("contains two sheets with the same name; rename one of them")
    sheets = {
        name: parts[member][0]
        for name, member in members.items()
        if member in parts and parts[member][0].root == "worksheet"
    }
    for name in parts["xl/workbook.xml"][0].hidden_sheets & sheets.keys():
        sheets[name].hidden = True
    chosen = choose(sheets, wanted, limits)
    part = sheets[chosen]
    kept = {
        name: content
        for name, (each, content) in parts.items()
        if name == members[chosen] or each.root in _HANDED_ON
    }
    rows = _calamine(_zipped(kept), chosen)
    _find_units(rows, part, parts.get("xl/styles.xml", (Part(), b""))[0])
    return chosen, part, rows


def _open_document(parts: Parts, wanted: str | None, limits: Limits) -> _Sheet:
    """Name, scan and cells of a sheet of an ``.ods`` file."""
    manifest = parts.get("META-INF/manifest.xml", (Part(), b""))[1]
    if b"encryption-data" in manifest:
        raise WorkbookError("is encrypted; save it without a password")
    part, content = parts["content.xml"]
    if not part.sheets_inside:
        message = "is an OpenDocument file without sheets; save it as .ods, .xlsx or .csv"
        raise WorkbookError(message)
    chosen = choose(part.sheets_inside, wanted, limits)
    kept = {"mimetype": _OPEN_DOCUMENT, "content.xml": content, "META-INF/manifest.xml": _MANIFEST}
    return chosen, part.sheets_inside[chosen], _calamine(_zipped(kept), chosen)


def _old(data: bytes, wanted: str | None, limits: Limits) -> _Sheet:
    """Name, extent and cells of a sheet of an ``.xls`` file, in which hidden rows are not seen."""
    from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum

    if "xls" not in limits.forms:
        raise WorkbookError(_NOT_OLD)
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
        names = [
            sheet.name for sheet in workbook.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet
        ]
        found = {name: workbook.get_sheet_by_name(name) for name in names}
    except (CalamineError, OSError, ValueError):
        raise WorkbookError(_NOT_OLD) from None
    parts = {}
    for name, sheet in found.items():
        last_row, last_column = sheet.end or (0, 0)
        far = last_row >= limits.rows or last_column >= limits.columns
        parts[name] = Part(
            filled=sheet.end is not None,
            far=f"{column_letters(last_column)}{last_row + 1}" if far else "",
        )
    chosen = choose(parts, wanted, limits)
    part = parts[chosen]
    for (top, left), (bottom, right) in found[chosen].merged_cell_ranges or ():
        first = f"{column_letters(left)}{top + 1}"
        part.note_merged(f"{first}:{column_letters(right)}{bottom + 1}")
    return chosen, part, _rows(found[chosen])


def choose(sheets: dict[str, Part], wanted: str | None, limits: Limits) -> str:
    """Name of the sheet to read.

    Raises
    ------
    SheetsFound
        Only the names of the sheets are wanted.
    WorkbookError
        It is not there or empty, several might be meant, or it is too large.
    """
    filled = [name for name, part in sheets.items() if part.filled]
    listed = ", ".join(repr(name[:80]) for name in list(sheets)[:20])
    if wanted == ONLY_NAMES:
        raise SheetsFound(filled, [name for name in filled if sheets[name].hidden])
    if wanted is not None:
        if wanted not in sheets:
            message = f"no sheet {wanted[:80]!r}; there is {listed or 'none'}"
            raise WorkbookError(message)
        if wanted not in filled:
            raise WorkbookError(_blank(wanted, limits))
    elif not filled:
        raise WorkbookError(f"all sheets are empty; add the {limits.what} into it")
    elif len(filled) > 1:
        some = ", ".join(repr(name[:80]) for name in filled[:20])
        raise WorkbookError(f"several sheets contain values: {some}; {limits.choose_sheet}")
    chosen = filled[0] if wanted is None else wanted
    if far := sheets[chosen].far:
        raise too_far(f"{sheet_prefix(chosen)}{far}", limits)
    return chosen


def _blank(sheet: str, limits: Limits) -> str:
    return f"sheet {sheet[:80]!r} is empty; give the name of the sheet with the {limits.what}"


def _zipped(members: dict[str, bytes]) -> io.BytesIO:
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    stored.seek(0)
    return stored


def _calamine(stored: io.BytesIO, sheet: str) -> list[list[Any]]:
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        return _rows(CalamineWorkbook.from_filelike(stored).get_sheet_by_name(sheet))
    except CalamineError as error:
        message = f"cannot be read ({str(error)[:200]}); save the workbook again as .xlsx or .csv"
        raise WorkbookError(message) from None


def _rows(sheet: Any) -> list[list[Any]]:
    return [[_plain(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False)]


def _plain(cell: object) -> Any:
    if isinstance(cell, dt.datetime):
        return {"date": cell.date().isoformat()}
    if isinstance(cell, dt.date):
        return {"date": cell.isoformat()}
    if isinstance(cell, str):
        if len(cell) > MOST_TEXT:
            return {"fault": f"holds {len(cell)} characters, more than {MOST_TEXT}; shorten it"}
        return cell or None
    if isinstance(cell, bool):
        return cell
    if isinstance(cell, int | float) and math.isfinite(cell):
        return float(cell)
    return {"fault": f"is {str(cell)[:40]!r}; format the cell as a number, a date or a text"}


def _find_units(rows: list[list[Any]], part: Part, styles: Part) -> None:
    """Note the units and scales that number formats give to the numbers."""
    for (row, column), style in part.styles.items():
        identifier = styles.cell_formats.get(style, "")
        code = styles.formats.get(identifier, PERCENTAGES.get(identifier, ""))
        cell = rows[row][column] if row < len(rows) and column < len(rows[row]) else None
        if not isinstance(cell, float):
            continue
        unit, power = shown_unit(code, cell)
        if unit or power:
            part.units[row, column] = unit, power


def _add_findings(rows: list[list[Any]], part: Part, limits: Limits) -> None:
    """Put the errors of the scan into the cells, and units; then say what is merged."""
    if sum(len(str(cell)) for row in rows for cell in row) > limits.characters:
        message = f"contains more than {limits.characters} characters; copy the {limits.what}"
        raise WorkbookError(f"{message} into a new sheet")
    for (row, column), message in part.faults.items():
        _reach(rows, row, column)
        rows[row][column] = {"fault": message}
    for (row, column), (unit, power) in part.units.items():
        cell = rows[row][column] if row < len(rows) and column < len(rows[row]) else None
        if isinstance(cell, float):
            rows[row][column] = {"number": cell, "unit": unit, "power": power}
    left = limits.rows * limits.columns
    for merged in part.merged:
        left -= _merge(rows, merged)
        if left < 0:
            raise WorkbookError("merged ranges overlap; unmerge them")


def _merge(rows: list[list[Any]], merged: str) -> int:
    """Say of each cell of a range where in it it is; return how many there are."""
    first, _, last = merged.partition(":")
    (top, start), (bottom, end) = corner(first), corner(last or first)
    shown = rows[top][start] if top < len(rows) and start < len(rows[top]) else None
    fault = f"is part of the merged range {merged}; unmerge it"
    count = 0
    for down, cells in enumerate(rows[top : bottom + 1]):
        covered = len(cells[start : end + 1])
        count += covered
        cells[start : start + covered] = [
            {"fault": fault, "merge": [down, across, bottom - top + 1, end - start + 1]}
            for across in range(covered)
        ]
    if count and shown is not None:
        rows[top][start]["shown"] = shown
    return count


def _reach(rows: list[list[Any]], row: int, column: int) -> None:
    """Lengthen the rows to that cell: calamine leaves out what is empty at the end."""
    rows.extend([] for _ in range(len(rows), row + 1))
    rows[row].extend(None for _ in range(len(rows[row]), column + 1))
