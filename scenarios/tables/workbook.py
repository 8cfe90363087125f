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
    corner,
    sheet_prefix,
    too_far,
)
from scenarios.tables.number_formats import PERCENTAGES, shown_unit
from scenarios.tables.workbook_scan import Part
from scenarios.tables.workbook_zip import unpack

MOST_TEXT = 4000
_HANDED_ON = ("Types", "Relationships", "workbook", "sst", "styleSheet")


class SheetsFound(Exception):  # noqa: N818 - the answer to a question
    """Names of the sheets with values, where only they are asked for."""

    def __init__(self, names: list[str]) -> None:
        super().__init__()
        self.names = names


def answer(request: bytes, limits: Limits = QUOTES) -> bytes:
    """Answer a request: a line with the wanted sheet as JSON, then the workbook.

    Instead of a sheet, ``true`` asks for the names of the sheets with values.
    """
    wanted, _, data = request.partition(b"\n")
    try:
        reply = read_workbook(data, json.loads(wanted), limits)
    except SheetsFound as found:
        reply = {"sheets": found.names}
    except WorkbookError as error:
        reply = {"error": str(error)}
    except MemoryError:
        reply = {
            "error": f"needs too much memory; copy the {limits.what} alone into a new workbook"
        }
    return json.dumps(reply, allow_nan=False).encode()


def read_workbook(
    data: bytes, wanted: str | bool | None, limits: Limits = QUOTES
) -> dict[str, Any]:
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
    parts = {name: (part, content) for name, part, content in unpack(data, limits)}
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
    chosen = choose(sheets, wanted, limits)
    part = sheets[chosen]
    if part.far:
        raise too_far(f"{sheet_prefix(chosen)}{part.far}", limits)
    kept = {
        name: content
        for name, (each, content) in parts.items()
        if name == members[chosen] or each.root in _HANDED_ON
    }
    rows = [[_plain(cell) for cell in row] for row in _calamine(kept, chosen)]
    _add_faults(rows, part, limits)
    _add_units(rows, part, parts.get("xl/styles.xml", (Part(), b""))[0])
    if not any(cell is not None for row in rows for cell in row):
        raise WorkbookError(_blank(chosen, limits))
    return {
        "sheet": chosen,
        "rows": rows,
        "hidden_rows": sorted(part.hidden_rows),
        "hidden_columns": sorted(part.hidden_columns),
    }


def choose(sheets: dict[str, Part], wanted: str | bool | None, limits: Limits) -> str:
    """Name of the sheet to read.

    Raises
    ------
    SheetsFound
        Only the names of the sheets are wanted.
    WorkbookError
        It is not there or empty, or several might be meant.
    """
    filled = [name for name, part in sheets.items() if part.filled]
    listed = ", ".join(repr(name[:80]) for name in list(sheets)[:20])
    if isinstance(wanted, bool):
        raise SheetsFound(filled)
    if wanted is not None:
        if wanted not in sheets:
            message = f"no sheet {wanted[:80]!r}; there is {listed or 'none'}"
            raise WorkbookError(message)
        if wanted not in filled:
            raise WorkbookError(_blank(wanted, limits))
        return wanted
    if not filled:
        raise WorkbookError(f"all sheets are empty; add the {limits.what} into it")
    if len(filled) > 1:
        some = ", ".join(repr(name[:80]) for name in filled[:20])
        raise WorkbookError(f"several sheets contain values: {some}; {limits.choose_sheet}")
    return filled[0]


def _blank(sheet: str, limits: Limits) -> str:
    return f"sheet {sheet[:80]!r} is empty; give the name of the sheet with the {limits.what}"


def _calamine(parts: dict[str, bytes], sheet: str) -> list[list[Any]]:
    from python_calamine import CalamineError, CalamineWorkbook

    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    stored.seek(0)
    try:
        workbook = CalamineWorkbook.from_filelike(stored)
        return workbook.get_sheet_by_name(sheet).to_python(skip_empty_area=False)
    except CalamineError as error:
        message = f"cannot be read ({str(error)[:200]}); save the workbook again as .xlsx or .csv"
        raise WorkbookError(message) from None


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


def _add_units(rows: list[list[Any]], part: Part, styles: Part) -> None:
    """Add the units and scales that number formats give to the numbers."""
    for (row, column), style in part.styles.items():
        identifier = styles.cell_formats.get(style, "")
        code = styles.formats.get(identifier, PERCENTAGES.get(identifier, ""))
        cell = rows[row][column] if row < len(rows) and column < len(rows[row]) else None
        if not isinstance(cell, float):
            continue
        unit, power = shown_unit(code, cell)
        if unit or power:
            rows[row][column] = {"number": cell, "unit": unit, "power": power}


def _add_faults(rows: list[list[Any]], part: Part, limits: Limits) -> None:
    """Put the errors of the scan into the cells; only a merged range's first cell shows text."""
    if sum(len(str(cell)) for row in rows for cell in row) > limits.characters:
        message = f"contains more than {limits.characters} characters; copy the {limits.what}"
        raise WorkbookError(f"{message} into a new sheet")
    for (row, column), message in part.faults.items():
        _reach(rows, row, column)
        rows[row][column] = {"fault": message}
    left = limits.rows * limits.columns
    for merged in part.merged:
        first, _, last = merged.partition(":")
        (top, start), (bottom, end) = corner(first), corner(last or first)
        shown = rows[top][start] if top < len(rows) and start < len(rows[top]) else None
        fault = f"is part of the merged range {merged}; unmerge it"
        for cells in rows[top : bottom + 1]:
            covered = cells[start : end + 1]
            left -= len(covered)
            if left < 0:
                raise WorkbookError("merged ranges overlap; unmerge them")
            cells[start : end + 1] = [
                {"fault": fault, "aside": place > 0, "upright": start == end}
                for place, _ in enumerate(covered)
            ]
        if isinstance(shown, str):
            rows[top][start] = {"fault": fault, "text": shown, "upright": start == end}


def _reach(rows: list[list[Any]], row: int, column: int) -> None:
    """Lengthen the rows to that cell: calamine leaves out what is empty at the end."""
    rows.extend([] for _ in range(len(rows), row + 1))
    rows[row].extend(None for _ in range(len(rows[row]), column + 1))
