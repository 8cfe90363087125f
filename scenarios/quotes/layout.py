"""Where the rows of a vendor's table are in its sheet, and what their cells mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenarios.faults import Fault
from scenarios.formatting import folded
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import CellError, as_label, is_blank
from scenarios.tables.cells import Cell, Table, Unreadable
from scenarios.tables.headings import heading_text

PART_OF, PART_QUANTITY, OPTIONS = "parts.of", "parts.quantity", "options.heading"
"""Columns that a mapping names outside of ``columns``."""


@dataclass(frozen=True)
class Spot:
    """A cell that states something of a quote.

    Attributes
    ----------
    table, row, column
        Where it is.
    cell
        What it means.
    reading
        How it is read.
    """

    table: Table
    row: int
    column: int
    cell: Cell
    reading: Reading

    @property
    def address(self) -> str:
        """Where the user finds it."""
        return self.table.address(self.row, self.column)

    @property
    def text(self) -> str:
        """What it shows, on one line; empty if it is blank.

        Raises
        ------
        CellError
            It cannot be used as a text.
        """
        if isinstance(self.cell, Unreadable):
            raise CellError(self.cell.message)
        return "" if is_blank(self.cell) else as_label(self.cell, self.reading.target)

    def fault(self, message: str) -> Fault:
        """Build the error of the cell."""
        return self.table.fault(self.row, self.column, message)


@dataclass(frozen=True)
class BillLine:
    """A row of the price of a node type.

    Attributes
    ----------
    price
        The cell with the price.
    quantity
        The number of parts, where the price is of each; ``None`` for one.
    rebate
        The rebate on this price, where a cell states it.
    """

    price: Spot
    quantity: Spot | None = None
    rebate: Spot | None = None


@dataclass(frozen=True)
class Layout:
    """Where the rows of a table are in a sheet, and what its columns hold.

    A column is known by the target that it holds, or by its key in the mapping, as ``parts.of``.

    Attributes
    ----------
    cells
        The sheet.
    header
        Index of the row of the headings.
    places, readings
        Index of each column, and how its cells are read.
    rows
        Indices of the rows that are read.
    left_out
        Indices of rows below the headings that are not read, by the reason.
    meanings
        What cells of a column mean, by their folded text.
    """

    cells: Table
    header: int
    places: dict[str, int]
    readings: dict[str, Reading]
    rows: list[int]
    left_out: dict[str, list[int]]
    meanings: dict[str, dict[str, Cell]]

    def cell(self, row: int, key: str) -> Cell:
        """What a cell means; a merged cell holds for every row that it spans.

        A name, key or item may be merged with cells to its right, as a title is; so may a text
        whose meaning the mapping gives.
        """
        cell = self._held(row, self.places[key])
        if (
            isinstance(cell, Unreadable)
            and cell.merge is not None
            and (
                key in {"name", "key", "item", PART_OF}
                or folded(cell.text) in self.meanings.get(key, {})
            )
        ):
            cell = cell if cell.merge.across else cell.merge.shown
        return _meaning(cell, self.meanings.get(key, {}))

    def spot(self, row: int, key: str) -> Spot:
        """A cell with its place."""
        return Spot(self.cells, row, self.places[key], self.cell(row, key), self.readings[key])

    def heading(self, place: int) -> str:
        """The text of a heading."""
        return heading_of(self.cells.cell(self.header, place))

    def shows_nothing(self, row: int, place: int) -> bool:
        """Whether a cell is blank, or covered by another one's or by the heading's merged range."""
        cell, heading = self.cells.cell(row, place), self.cells.cell(self.header, place)
        if isinstance(cell, Unreadable) and cell.merge is not None:
            below = isinstance(heading, Unreadable) and heading.message == cell.message
            return cell.merge.across > 0 or below or is_blank(cell.merge.shown)
        return is_blank(cell)

    def _held(self, row: int, place: int) -> Cell:
        """A cell, or what its merged range shows if no other column of the range has a heading."""
        cell = self.cells.cell(row, place)
        if not isinstance(cell, Unreadable) or cell.merge is None or cell.merge.across:
            return cell
        others = range(place + 1, place + cell.merge.columns)
        return cell if any(self.heading(other) for other in others) else cell.merge.shown


def heading_of(cell: Cell) -> str:
    """The text of a heading; one that is merged with rows below it holds for these."""
    if isinstance(cell, Unreadable) and cell.merge is not None and cell.merge.columns == 1:
        cell = cell.merge.shown
    return heading_text(cell)


def _meaning(cell: Cell, meanings: Mapping[str, Cell]) -> Cell:
    if not meanings or not isinstance(cell, str | float) or isinstance(cell, bool):
        return cell
    text = cell if isinstance(cell, str) else f"{cell:.15g}"
    return meanings.get(folded(text), cell)
