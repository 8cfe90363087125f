"""A sheet as a rectangle of cells that can be turned, so that columns are looked at as rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from scenarios.tables.cell_references import column_letters
from scenarios.tables.cell_text import shown
from scenarios.tables.cells import Cell, Table, Unreadable


def held(cell: Cell) -> Cell:
    """What a cell holds, also if it is the first one of a merged range."""
    merge = cell.merge if isinstance(cell, Unreadable) else None
    if merge is None or merge.down or merge.across:
        return cell
    return merge.shown


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells of a sheet, seen with its rows or its columns as rows.

    Attributes
    ----------
    table
        The sheet.
    turned
        Whether the columns of the sheet are the rows here.
    """

    table: Table
    turned: bool = False

    @cached_property
    def cells(self) -> list[list[Cell]]:
        """All cells; rows are equally long."""
        width = max(map(len, self.table.rows), default=0)
        rows = [[*row, *[None] * (width - len(row))] for row in self.table.rows]
        return [list(column) for column in zip(*rows, strict=True)] if self.turned else rows

    @cached_property
    def texts(self) -> list[list[str]]:
        """What each cell shows."""
        return [[shown(held(cell)) for cell in row] for row in self.cells]

    def line(self, row: int) -> int:
        """Number of a row as a mapping gives it: of the sheet's row, or column."""
        return row + 1 if self.turned else self.table.lines[row]

    def parted(self, row: int, below: int) -> bool:
        """Whether a blank row of the sheet is between two rows."""
        texts = () if self.table.sheet else filter(None, map(str, self.cells[row]))
        return self.line(below) - self.line(row) - sum(each.count("\n") for each in texts) > 1

    def column_name(self, column: int) -> str:
        """Letters of a column as a mapping gives it: of a turned grid the number of the row."""
        return str(self.table.lines[column]) if self.turned else column_letters(column)

    def address(self, row: int, column: int) -> str:
        """Where a person finds a cell."""
        return self.table.address(*((column, row) if self.turned else (row, column)))
