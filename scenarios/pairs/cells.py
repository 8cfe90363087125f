"""Rows of texts of a pair table, from CSV or a workbook, and the numbers in them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenarios.faults import Fault, ScenarioError, foremost
from scenarios.measurements.sheet import WORKBOOKS
from scenarios.tables.cell_text import LONGEST_LABEL, CellError, as_label, one_line
from scenarios.tables.cells import Cell, Unreadable
from scenarios.tables.csv_cells import open_csv
from scenarios.tables.spreadsheet import read_cells
from scenarios.tables.table_text import is_text
from scenarios.wording import short

LARGEST_TEXT = 256 << 20
MOST_ROWS = 2_000_000
LEAST, MOST = 1e-9, 1e12
"""Times [s] and relative speeds lie between these."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_MISSING = frozenset({"", "-", "na", "n/a", "nan", "none", "null", "missing"})

Row = tuple[int, list[str]]
"""Line number, from 1, and cells without blanks around them."""


@dataclass(frozen=True)
class Sheet:
    """The rows of a file that hold a value; comments are left out.

    Attributes
    ----------
    comma
        Whether decimals follow a comma.
    """

    shown: str
    sha256: str
    rows: list[Row]
    comma: bool = False

    def refuse(self, faults: Sequence[Fault]) -> ScenarioError:
        """The error with the first of many faults."""
        return ScenarioError(foremost(faults, self.shown))

    def fault(self, line: int, message: str, where: str = "") -> Fault:
        """A fault of one line."""
        return Fault(self.shown, line, where, message)


def read_sheet(
    path: Path, shown: str, known: Callable[[Sequence[str]], int], sheet: str | None = None
) -> Sheet:
    """Read a CSV file or a sheet of a workbook.

    Parameters
    ----------
    known
        How many headings of a row are known.

    Raises
    ------
    ScenarioError
        The file as a whole cannot be used.
    """
    if not is_text(path):
        cells = read_cells(path, shown, sheet, WORKBOOKS)
        rows = [
            (line, [_text(cell) for cell in row])
            for line, row in zip(cells.lines, cells.rows, strict=True)
        ]
        return Sheet(shown, cells.sha256, _kept(rows, shown))
    if sheet is not None:
        raise ScenarioError([Fault(shown, 0, "", f"has no sheet {sheet!r}: it is a text file")])
    text = open_csv(path, shown, known, most=LARGEST_TEXT, remedy="leave out columns")
    rows = _kept(
        [(line, [cell.strip() for cell in cells]) for line, cells in text.records()], shown
    )
    values = (cell for _, cells in rows[1:] for cell in cells[1:])
    comma = text.delimiter != "," and not any("." in cell for cell in values)
    return Sheet(shown, text.file.sha256, rows, comma)


def number(text: str, what: str, *, comma: bool = False) -> float | None:
    """A time or a relative speed; ``None`` where the cell says that there is none.

    Raises
    ------
    CellError
        No number, or none above 0.

    Examples
    --------
    >>> number("12.5", "co_a_s"), number("12,5", "co_a_s", comma=True), number("n/a", "co_a_s")
    (12.5, 12.5, None)
    """
    if (quick := _plain(text)) is not None:
        return quick
    if text.lower() in _MISSING:
        return None
    plain = text.replace(",", ".") if comma else text
    if not _NUMBER.fullmatch(plain):
        raise CellError(f"{what} {short(text)} is not a number; correct it, or leave it empty")
    value = float(plain)
    if not math.isfinite(value) or not LEAST <= value <= MOST:
        remedy = "correct it, or leave it empty if it was not measured"
        raise CellError(f"{what} = {short(text)} is not above 0 and below {MOST:g}; {remedy}")
    return value


def _plain(text: str) -> float | None:
    """A number as most are written; what is not so is looked at more closely."""
    if "_" in text or not text.isascii():
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if LEAST <= value <= MOST else None


def label(text: str, what: str) -> str:
    """The name of an application, on one line.

    Raises
    ------
    CellError
        Blank, too long, or with a control character.
    """
    return as_label(text or None, what) if text else _blank(what)


def _blank(what: str) -> str:
    message = f"{what} is empty; write the name of the application, at most {LONGEST_LABEL} signs"
    raise CellError(message)


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Unreadable):
        return cell.text
    return f"{cell:.15g}" if isinstance(cell, float) else one_line(str(cell))


def _kept(rows: list[Row], shown: str) -> list[Row]:
    kept = [row for row in rows if any(row[1]) and not row[1][0].startswith("#")]
    if not kept:
        raise ScenarioError([Fault(shown, 0, "", "holds no values; give a table of pairs")])
    if len(kept) > MOST_ROWS:
        message = f"holds more than {MOST_ROWS:,} rows; leave out pairs"
        raise ScenarioError([Fault(shown, 0, "", message)])
    return kept
