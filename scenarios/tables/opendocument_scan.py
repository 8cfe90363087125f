"""What the XML of an OpenDocument spreadsheet says of its sheets, gathered by streaming."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from scenarios.tables.cell_references import Limits, WorkbookError, column_letters
from scenarios.tables.sheet_part import Part

_HIDDEN = frozenset({"collapse", "filter"})
_VALUES = ("value", "date-value", "time-value", "boolean-value")


class OpenDocument:
    """Gathers a :class:`Part` of each sheet while a parser streams over ``content.xml``.

    A row or cell may stand for many alike. What is blank is not counted: spreadsheet programs fill
    a sheet to its last row with it.
    """

    def __init__(self, limits: Limits) -> None:
        self.sheets: dict[str, Part] = {}
        self._limits = limits
        self._part = Part()
        self._row = self._column = 0
        self._rows = self._columns = 1
        self._next_row = self._next_column = self._next_hidden = 0
        self._cell: dict[str, str] | None = None
        self._text = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins, whose name and attributes are without their prefixes."""
        if name == "table":
            self._start_sheet(attributes.get("name", ""))
        elif name == "table-column":
            first = self._next_hidden
            self._next_hidden += _count(attributes, "number-columns-repeated")
            if attributes.get("visibility") in _HIDDEN:
                last = min(self._next_hidden, self._limits.columns)
                self._part.hidden_columns.update(range(first, last))
        elif name == "table-row":
            self._row, self._rows = self._next_row, _count(attributes, "number-rows-repeated")
            self._next_row += self._rows
            self._next_column = 0
            if attributes.get("visibility") in _HIDDEN:
                last = min(self._next_row, self._limits.rows)
                self._part.hidden_rows.update(range(self._row, last))
        elif name in {"table-cell", "covered-table-cell"}:
            self._column = self._next_column
            self._columns = _count(attributes, "number-columns-repeated")
            self._next_column += self._columns
            self._cell, self._text = attributes, ""

    def text(self, text: str) -> None:
        """Characters between elements."""
        if self._cell is not None:
            self._text = (self._text + text.strip())[:20]

    def end(self, name: str) -> None:
        """An element ends."""
        if name in {"table-cell", "covered-table-cell"} and self._cell is not None:
            self._end_cell(self._cell)
            self._cell = None

    def _start_sheet(self, name: str) -> None:
        if name in self.sheets:
            raise WorkbookError("contains two sheets with the same name; rename one of them")
        self._part = self.sheets[name] = Part(root="worksheet")
        self._next_row = self._next_column = self._next_hidden = 0

    def _end_cell(self, cell: dict[str, str]) -> None:
        kind, formula = cell.get("value-type", ""), "formula" in cell
        valued = bool(self._text) or any(cell.get(each) for each in _VALUES)
        part, limits = self._part, self._limits
        part.filled |= valued or formula
        if valued or formula or kind:
            last_row, last_column = self._row + self._rows, self._column + self._columns
            if not part.far and (last_row > limits.rows or last_column > limits.columns):
                part.far = f"{column_letters(min(last_column, 2 * limits.columns) - 1)}{last_row}"
        if part.far:
            return
        self._note_merged(cell)
        if formula and (not valued or self._text.startswith(("#", "Err:"))):
            message = (
                f"contains the error {self._text}; correct the formula, or enter the value"
                if valued
                else "is a formula without a stored value; open and save the workbook, or paste "
                "values"
            )
            part.faults.update(dict.fromkeys(self._places(), message))
        elif kind == "percentage":
            part.units.update(dict.fromkeys(self._places(), ("%", 2)))
        elif kind == "currency" and cell.get("currency"):
            part.units.update(dict.fromkeys(self._places(), (cell["currency"][:10], 0)))

    def _places(self) -> Iterator[tuple[int, int]]:
        rows = range(self._row, self._row + self._rows)
        return product(rows, range(self._column, self._column + self._columns))

    def _note_merged(self, cell: dict[str, str]) -> None:
        rows = _count(cell, "number-rows-spanned")
        columns = _count(cell, "number-columns-spanned")
        if rows == columns == 1:
            return
        if self._row + self._rows > self._limits.rows:
            return
        for row in range(self._row, self._row + self._rows):
            first = f"{column_letters(self._column)}{row + 1}"
            last = f"{column_letters(self._column + columns - 1)}{row + rows}"
            self._part.note_merged(f"{first}:{last}")


def _count(attributes: dict[str, str], name: str) -> int:
    """A number of repetitions, as ``name`` gives it.

    Raises
    ------
    WorkbookError
        It is none.
    """
    given = attributes.get(name, "1")
    if not (given.isascii() and given.isdigit() and len(given) <= 9 and int(given)):
        message = f"contains {name} = {given[:40]!r}, which does not count; save the workbook again"
        raise WorkbookError(message)
    return int(given)
