"""Cells of a sheet, each with the address that a user finds it by."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from decimal import Decimal

from scenarios.faults import Fault
from scenarios.tables.cell_references import column_letters, sheet_prefix


@dataclass(frozen=True)
class Merge:
    """The merged range that a cell is part of.

    Attributes
    ----------
    shown
        What the range shows, in its first cell.
    down, across
        Rows of the range above the cell, and columns to the left of it.
    rows, columns
        Size of the range.
    """

    shown: Cell
    down: int
    across: int
    rows: int
    columns: int


@dataclass(frozen=True)
class Unreadable:
    """A cell that must not be used: why, and the text that it shows.

    Attributes
    ----------
    merge
        The merged range that it is part of; a reader for which a value holds for the whole range
        may use it.
    """

    message: str
    text: str = ""
    merge: Merge | None = None


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
    form
        What the file is: ``csv`` in UTF-8 or UTF-16, the encoding of other CSV as ``cp1252``,
        ``xlsx``, ``xls`` or ``ods``.
    across
        Number of the sheet's row in each column, where rows and columns are exchanged; empty
        where they are not.
    origins
        Number of the sheet's row and index of its column for each cell, where blocks of rows
        have become rows; empty where they have not.
    """

    name: str
    sheet: str
    sha256: str
    rows: tuple[tuple[Cell, ...], ...]
    lines: tuple[int, ...]
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    form: str = "csv"
    across: tuple[int, ...] = ()
    origins: tuple[tuple[tuple[int, int], ...], ...] = ()

    def turned(self) -> Table:
        """The table with rows and columns exchanged; addresses stay those of the sheet.

        Examples
        --------
        >>> turned = Table("q.csv", "", "", (("Price", 7.0),), (3,)).turned()
        >>> turned.rows, turned.lines, turned.address(1, 0)
        ((('Price',), (7.0,)), (1, 2), 'B3')
        """
        width = max(map(len, self.rows), default=0)
        rows = tuple(
            tuple(_turned(self.cell(row, column)) for row in range(len(self.rows)))
            for column in range(width)
        )
        return replace(
            self,
            rows=rows,
            lines=tuple(range(1, width + 1)),
            hidden_rows=self.hidden_columns,
            hidden_columns=self.hidden_rows,
            across=self.lines,
        )

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
        return f"{self._prefix}{self._place(row, column)}"

    def row_name(self, row: int) -> str:
        """Number of a row, or letters of the sheet's column in a turned table."""
        return column_letters(row) if self.across else str(self.lines[row])

    def column_name(self, column: int) -> str:
        """Letters of a column, or number of the sheet's row in a turned table."""
        return str(self.across[column]) if self.across else column_letters(column)

    def fault(self, row: int, column: int, message: str) -> Fault:
        """Build the error of one cell."""
        line = self.across[column] if self.across else self.lines[row]
        line = self.origins[row][column][0] if self.origins else line
        return Fault(self.name, 0 if self.sheet else line, self.address(row, column), message)

    def row_fault(self, row: int, message: str) -> Fault:
        """Build the error of a whole row; of a whole column in a turned table."""
        if self.across or self.sheet:
            return Fault(self.name, 0, f"{self._prefix}{self.row_name(row)}", message)
        return Fault(self.name, self.lines[row], "", message)

    def whole_fault(self, message: str) -> Fault:
        """Build the error of the whole sheet."""
        return Fault(self.name, 0, self._prefix[:-1], message)

    @property
    def _prefix(self) -> str:
        return sheet_prefix(self.sheet) if self.sheet else ""

    def _place(self, row: int, column: int) -> str:
        if self.origins:
            line, column = self.origins[row][column]
            return f"{column_letters(column)}{line}"
        first, second = self.row_name(row), self.column_name(column)
        return f"{first}{second}" if self.across else f"{second}{first}"


def _turned(cell: Cell) -> Cell:
    if not isinstance(cell, Unreadable) or cell.merge is None:
        return cell
    merge = cell.merge
    return replace(
        cell, merge=Merge(merge.shown, merge.across, merge.down, merge.columns, merge.rows)
    )
