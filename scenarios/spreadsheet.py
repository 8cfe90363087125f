"""Cells of a spreadsheet, from XLSX or CSV, each with the address that a user finds it by."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scenarios import spreadsheet_child
from scenarios.faults import Fault, ScenarioError
from scenarios.files import read_text
from scenarios.spreadsheet_child import (
    MOST_COLUMNS,
    MOST_ROWS,
    column_letters,
    sheet_prefix,
    too_far,
)

LARGEST_WORKBOOK = 8 << 20
"""Bytes; quotes are a few kilobytes, and logos and pictures may come with them."""

TIME_LIMIT_S = 30
_TEXT_SUFFIXES = (".csv", ".tsv", ".txt")
_DELIMITERS = (",", ";", "\t")


@dataclass(frozen=True)
class Unreadable:
    """A cell that must not be used: why, and the text that it shows."""

    message: str
    text: str = ""


Cell = bool | float | str | dt.date | Unreadable | None


@dataclass(frozen=True)
class Table:
    """The cells of one sheet.

    Attributes
    ----------
    name
        The file, as the user named it.
    sheet
        Name of the sheet; empty for CSV.
    sha256
        Hash of the file.
    rows
        Cells, from column A on; rows of a CSV file may differ in length.
    lines
        Number of each row, from 1: the sheet's row, or the line at which a CSV record begins.
    """

    name: str
    sheet: str
    sha256: str
    rows: tuple[tuple[Cell, ...], ...]
    lines: tuple[int, ...]

    def cell(self, row: int, column: int) -> Cell:
        """Give the cell at these indices, or ``None`` beyond the end of the row."""
        cells = self.rows[row]
        return cells[column] if column < len(cells) else None

    def address(self, row: int, column: int) -> str:
        """Where the user finds a cell, as in ``Quotes!C7`` or, in CSV, ``C7``.

        Examples
        --------
        >>> Table("q.xlsx", "My quotes", "", ((None,),), (7,)).address(0, 2)
        "'My quotes'!C7"
        """
        prefix = sheet_prefix(self.sheet) if self.sheet else ""
        return f"{prefix}{column_letters(column)}{self.lines[row]}"

    def fault(self, row: int, column: int, message: str) -> Fault:
        """Build the fault of one cell."""
        line = 0 if self.sheet else self.lines[row]
        return Fault(self.name, line, self.address(row, column), message)

    def row_fault(self, row: int, message: str) -> Fault:
        """Build the fault of a whole row."""
        where = f"{sheet_prefix(self.sheet)}{self.lines[row]}" if self.sheet else ""
        return Fault(self.name, 0 if self.sheet else self.lines[row], where, message)

    def whole_fault(self, message: str) -> Fault:
        """Build the fault of the whole sheet."""
        return Fault(self.name, 0, sheet_prefix(self.sheet)[:-1] if self.sheet else "", message)


def read_cells(path: Path, shown: str, sheet: str | None = None) -> Table:
    """Read one sheet of a workbook, or a CSV file (``.csv``, ``.tsv``, ``.txt``).

    The delimiter of a CSV file is the one of comma, semicolon and tab by which most rows have as
    many cells as the first row that has two or more filled ones; then the one with most cells.

    Parameters
    ----------
    path
        The file.
    shown
        What to call it in messages.
    sheet
        Name of the sheet; by default the only one that is not empty.

    Raises
    ------
    ScenarioError
        The file as a whole cannot be used. What is wrong with one cell stays in that cell as
        :class:`Unreadable`, for whoever needs it: a fault in a column that nobody reads is none.
    """
    if path.suffix.lower() in _TEXT_SUFFIXES:
        return _read_csv(path, shown, sheet)
    data = _read_bytes(path, shown)
    reply = _ask_child(data, sheet, shown)
    rows = tuple(tuple(_cell(each) for each in row) for row in reply["rows"])
    digest = hashlib.sha256(data).hexdigest()
    return Table(shown, reply["sheet"], digest, rows, tuple(range(1, len(rows) + 1)))


def _read_bytes(path: Path, shown: str) -> bytes:
    try:
        if not path.is_file():
            kind = "is no regular file" if path.exists() else "does not exist"
            raise _error(shown, f"{kind}; give the path of a workbook or CSV file")
        with path.open("rb") as stream:
            data = stream.read(LARGEST_WORKBOOK + 1)
    except OSError as error:
        raise _error(shown, f"cannot be read: {error.strerror or error}") from error
    if len(data) > LARGEST_WORKBOOK:
        much = f"is larger than {LARGEST_WORKBOOK >> 20} MiB"
        raise _error(shown, f"{much}; copy the quotes alone into a new workbook")
    return data


def _error(shown: str, message: str, line: int = 0) -> ScenarioError:
    return ScenarioError([Fault(shown, line, "", message)])


def _ask_child(data: bytes, sheet: str | None, shown: str) -> dict[str, Any]:
    """Have a limited process read the workbook; nothing that it says on its own is shown."""
    program = Path(spreadsheet_child.__file__)
    request = json.dumps(sheet).encode() + b"\n" + data
    try:
        started = subprocess.Popen(
            [sys.executable, "-P", str(program), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        message = f"cannot be read: no process could be started ({error.strerror}); try again"
        raise _error(shown, message) from error
    with started as child:
        try:
            out, _ = child.communicate(request, timeout=TIME_LIMIT_S)
        except subprocess.TimeoutExpired:
            message = f"takes more than {TIME_LIMIT_S} s to read; copy the quotes into a new file"
            raise _error(shown, message) from None
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
    if child.returncode != 0:
        message = "breaks the reader of workbooks; copy the quotes into a new workbook, or a .csv"
        raise _error(shown, message)
    reply: dict[str, Any] = json.loads(out)
    if "error" in reply:
        raise _error(shown, reply["error"])
    return reply


def _cell(plain: Any) -> Cell:
    if isinstance(plain, dict):
        if "date" in plain:
            return dt.date.fromisoformat(plain["date"])
        return Unreadable(plain["fault"], plain.get("text", ""))
    cell: Final[bool | float | str | None] = plain
    return cell


def _read_csv(path: Path, shown: str, sheet: str | None) -> Table:
    if sheet is not None:
        raise _error(shown, f"is text and has no sheet {sheet!r}; delete the key sheet")
    file = read_text(path, shown)
    parsed = [_records(file.text, delimiter) for delimiter in _DELIMITERS]
    records, broken = max(parsed, key=lambda each: _consistency(each[0]))  # the first of equals
    if broken:
        raise _error(shown, "a quotation mark is not closed as CSV wants; correct it", broken)
    if not records:
        raise _error(shown, "holds no values; save the quotes into it")
    lines = tuple(line for line, _ in records)
    rows = tuple(tuple(cell if cell.strip() else None for cell in row) for _, row in records)
    widest = max(range(len(rows)), key=lambda index: len(rows[index]))
    if len(rows) > MOST_ROWS or len(rows[widest]) > MOST_COLUMNS:
        line, column = (
            (widest, MOST_COLUMNS) if len(rows[widest]) > MOST_COLUMNS else (MOST_ROWS, 0)
        )
        where = f"{column_letters(column)}{lines[line]}"
        raise _error(shown, str(too_far(where)), lines[line])
    return Table(shown, "", file.sha256, rows, lines)


def _records(text: str, delimiter: str) -> tuple[list[tuple[int, list[str]]], int]:
    """Split text into records with their first lines; and the line that is not CSV, or 0."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    records = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                records.append((line, cells))
            line = reader.line_num + 1
    except csv.Error:  # an open quote, or a cell of more than 128 KiB
        return records, line
    return records, 0


def _consistency(records: list[tuple[int, list[str]]]) -> tuple[int, int]:
    filled = (sum(bool(cell.strip()) for cell in cells) for _, cells in records)
    header = next((index for index, count in enumerate(filled) if count > 1), None)
    if header is None:
        return (0, 0)
    width = len(records[header][1])
    return (sum(len(cells) == width for _, cells in records[header:]), width)
