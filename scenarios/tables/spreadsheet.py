"""Cells of a spreadsheet, from XLSX or CSV; a workbook is read by a limited process."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from pathlib import Path
from typing import Any, Final

from scenarios.faults import Fault, ScenarioError
from scenarios.files import read_bytes
from scenarios.tables.cell_references import QUOTES, Limits
from scenarios.tables.cells import Cell, Merge, NumberWithUnit, Table, Unreadable
from scenarios.tables.csv_cells import read_csv
from scenarios.tables.limited_child import ask
from scenarios.tables.table_text import is_text


def read_cells(path: Path, shown: str, sheet: str | None = None, limits: Limits = QUOTES) -> Table:
    """Read one sheet of a workbook, or a CSV file (``.csv``, ``.tsv``, ``.txt``).

    Parameters
    ----------
    path
        The file.
    shown
        What to call it in messages.
    sheet
        Name of the sheet; by default the only one that is not empty.
    limits
        How much of a workbook is read.

    Raises
    ------
    ScenarioError
        The file as a whole cannot be used. What is wrong with one cell stays in that cell as
        :class:`Unreadable`. It is an error only if a caller reads this cell.
    """
    if is_text(path):
        if sheet is not None:
            raise _error(shown, f"is a text file and has no sheet {sheet!r}; delete the key sheet")
        return read_csv(path, shown)
    remedy = f"copy the {limits.what} alone into a new workbook"
    data = read_bytes(path, shown, "a workbook or CSV file", limits.file_bytes, remedy)
    reply = _ask_child(data, sheet, shown, limits)
    rows = tuple(
        tuple(_in_sheet(reply["rows"], row, column) for column in range(len(cells)))
        for row, cells in enumerate(reply["rows"])
    )
    digest = hashlib.sha256(data).hexdigest()
    lines = tuple(range(1, len(rows) + 1))
    hidden = frozenset(reply["hidden_rows"]), frozenset(reply["hidden_columns"])
    return Table(shown, reply["sheet"], digest, rows, lines, *hidden, form=reply["form"])


def sheet_names(
    path: Path, shown: str, limits: Limits = QUOTES
) -> tuple[list[str], frozenset[str]]:
    """Names of the sheets of a workbook that hold values, and of the hidden ones of them.

    A text file has one sheet without a name.

    Raises
    ------
    ScenarioError
        The file as a whole cannot be used.
    """
    if is_text(path):
        return [""], frozenset()
    remedy = f"copy the {limits.what} alone into a new workbook"
    data = read_bytes(path, shown, "a workbook or CSV file", limits.file_bytes, remedy)
    reply = _ask_child(data, "", shown, limits)
    return reply["sheets"], frozenset(reply["hidden"])


def _error(shown: str, message: str) -> ScenarioError:
    return ScenarioError([Fault(shown, 0, "", message)])


def _ask_child(data: bytes, sheet: str | None, shown: str, limits: Limits) -> dict[str, Any]:
    """Have a limited process read the workbook."""
    request = json.dumps(sheet).encode() + b"\n" + data
    reply: dict[str, Any] = json.loads(ask("scenarios.tables.workbook", request, limits, shown))
    if "error" in reply:
        raise _error(shown, reply["error"])
    return reply


def _in_sheet(rows: list[list[Any]], row: int, column: int) -> Cell:
    """The cell at that place; what a merged range shows is in its first cell."""
    plain = rows[row][column]
    if not isinstance(plain, dict) or "merge" not in plain:
        return _cell(plain)
    down, across, *size = plain["merge"]
    first = rows[row - down][column - across]
    shown = _cell(first.get("shown")) if isinstance(first, dict) else None
    text = shown if isinstance(shown, str) and not down and not across else ""
    return Unreadable(plain["fault"], text, Merge(shown, down, across, *size))


def _cell(plain: Any) -> Cell:
    if isinstance(plain, dict):
        if "date" in plain:
            return dt.date.fromisoformat(plain["date"])
        if "number" in plain:
            return NumberWithUnit(plain["number"], plain["unit"], plain["power"])
        return Unreadable(plain["fault"])
    cell: Final[bool | float | str | None] = plain
    return cell
