"""Rows of texts of a pair table, from CSV or a workbook, and the numbers in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenarios.faults import Fault, ScenarioError, foremost
from scenarios.tables.cell_references import WORKBOOKS, Limits
from scenarios.tables.cell_text import LONGEST_LABEL, CellError, as_label, one_line
from scenarios.tables.cells import Cell, NumberWithUnit, Unreadable
from scenarios.tables.csv_cells import open_csv
from scenarios.tables.decimal_marks import FileMark
from scenarios.tables.field import Field
from scenarios.tables.spreadsheet import read_cells
from scenarios.tables.table_text import is_text

LARGEST_TEXT = 256 << 20
MOST_ROWS = 2_000_000
LEAST, MOST = 1e-9, 1e12
"""Times [s] and relative speeds lie between these."""

_MISSING = frozenset({"", "-", "na", "n/a", "nan", "none", "null", "missing"})

Row = tuple[int, list[str]]
"""Line number, from 1, and cells without blanks around them."""


@dataclass(frozen=True)
class Sheet:
    """The rows of a file that hold a value; comments are left out.

    Attributes
    ----------
    delimiter
        Delimiter of a text file; empty for a workbook.
    """

    file_name: str
    sha256: str
    rows: list[Row]
    delimiter: str = ""

    def refuse(self, faults: Sequence[Fault]) -> ScenarioError:
        """Return an exception with the first of many errors."""
        return ScenarioError(foremost(faults, self.file_name))

    def fault(self, line: int, message: str, where: str = "") -> Fault:
        """Return an error of one line."""
        return Fault(self.file_name, line, where, message)


def read_sheet(
    path: Path,
    file_name: str,
    columns_known: Callable[[Sequence[str]], int],
    sheet: str | None = None,
    limits: Limits = WORKBOOKS,
) -> Sheet:
    """Read a CSV file or a sheet of a workbook.

    Parameters
    ----------
    columns_known
        How many headings of a row are known.
    limits
        Limits of a workbook, and how its sheet is chosen.

    Raises
    ------
    ScenarioError
        The file as a whole cannot be used.
    """
    if not is_text(path):
        cells = read_cells(path, file_name, sheet, limits)
        rows = [
            (line, [_text(cell) for cell in row])
            for line, row in zip(cells.lines, cells.rows, strict=True)
        ]
        return Sheet(file_name, cells.sha256, _filled_rows(rows, file_name))
    if sheet is not None:
        raise ScenarioError([Fault(file_name, 0, "", f"has no sheet {sheet!r}: it is a text file")])
    text = open_csv(path, file_name, columns_known, most=LARGEST_TEXT, remedy="delete columns")
    rows = _filled_rows(
        [(line, [cell.strip() for cell in cells]) for line, cells in text.records()], file_name
    )
    return Sheet(file_name, text.file.sha256, rows, text.delimiter)


def value(text: str, field: Field, mark: FileMark, unit: str = "") -> float | None:
    """Return a time or a relative speed; ``None`` where the cell says that there is none.

    Raises
    ------
    CellError
        No number, or out of range.

    Examples
    --------
    >>> speed = Field("speed", "Relative speed", blank="not measured")
    >>> value("0.5", speed, "point"), value("0,5", speed, "comma"), value("n/a", speed, "point")
    (0.5, 0.5, None)
    """
    number = field.read("" if text.lower() in _MISSING else text, mark, unit)
    return None if number is None else float(number)


def label(text: str, noun: str) -> str:
    """Return the name of an application, on one line.

    Raises
    ------
    CellError
        Blank, too long, or with a control character.
    """
    return as_label(text or None, noun) if text else _blank(noun)


def _blank(noun: str) -> str:
    message = (
        f"{noun} is empty; write the name of the application, with at most {LONGEST_LABEL} "
        "characters"
    )
    raise CellError(message)


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Unreadable):
        return cell.text
    unit = ""
    if isinstance(cell, NumberWithUnit):
        unit = "" if cell.has_plain_unit else cell.unit
        cell = cell.plain
    return f"{cell:.15g} {unit}".strip() if isinstance(cell, float) else one_line(str(cell))


def _filled_rows(rows: list[Row], file_name: str) -> list[Row]:
    filled = [row for row in rows if any(row[1]) and not row[1][0].startswith("#")]
    if not filled:
        raise ScenarioError([Fault(file_name, 0, "", "contains no values; add a table of pairs")])
    if len(filled) > MOST_ROWS:
        message = f"contains more than {MOST_ROWS:,} rows; delete pairs"
        raise ScenarioError([Fault(file_name, 0, "", message)])
    return filled
