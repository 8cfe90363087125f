"""Cells of a sheet, each with the address that a user finds it by."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from scenarios.faults import Fault
from scenarios.tables.cell_references import column_letters, sheet_prefix


@dataclass(frozen=True)
class Unreadable:
    """A cell that must not be used: why, and the text that it shows.

    Attributes
    ----------
    aside
        Whether it shows nothing itself, as part of a merged range that begins in another column.
    upright
        Whether it is part of a merged range of one column.
    """

    message: str
    text: str = ""
    aside: bool = False
    upright: bool = False


@dataclass(frozen=True)
class NumberWithUnit:
    """A number that its number format shows with a unit or scaled, as in ``18.2 kEUR``.

    Attributes
    ----------
    stored
        The cell's value.
    unit
        Text that is shown next to the number; may be empty.
    power
        What is shown is the value times ten to this power: 2 for percentages, -3 for thousands.
    """

    stored: float
    unit: str
    power: int

    @property
    def shown(self) -> Decimal:
        """What the cell shows, without the unit."""
        return Decimal(f"{self.stored:.15g}").scaleb(self.power)

    @property
    def plain(self) -> float:
        """What is shown, where the unit only says per cent, thousands or millions."""
        return float(self.shown.scaleb(_POWERS.get(self.unit, 0)))

    @property
    def has_plain_unit(self) -> bool:
        """Whether the unit only says by how much the number is scaled."""
        return not self.unit or self.unit in _POWERS


_POWERS = {"%": -2, "k": 3, "K": 3, "M": 6}


Cell = bool | float | str | dt.date | NumberWithUnit | Unreadable | None


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
    hidden_rows, hidden_columns
        Indices, from 0, of what the spreadsheet program does not show.
    """

    name: str
    sheet: str
    sha256: str
    rows: tuple[tuple[Cell, ...], ...]
    lines: tuple[int, ...]
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()

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
        """Build the error of one cell."""
        line = 0 if self.sheet else self.lines[row]
        return Fault(self.name, line, self.address(row, column), message)

    def row_fault(self, row: int, message: str) -> Fault:
        """Build the error of a whole row."""
        where = f"{sheet_prefix(self.sheet)}{self.lines[row]}" if self.sheet else ""
        return Fault(self.name, 0 if self.sheet else self.lines[row], where, message)

    def whole_fault(self, message: str) -> Fault:
        """Build the error of the whole sheet."""
        return Fault(self.name, 0, sheet_prefix(self.sheet)[:-1] if self.sheet else "", message)
