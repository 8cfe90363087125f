"""A table that is written once, and shown in the terminal, the document, the workbook and JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from planner.formatting import DASH

Row = Any
"""A mapping, or an object with attributes."""


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes
    ----------
    key
        Name of the value in JSON and in the workbook, with its unit: ``power_w``. For an object, it
        is an attribute or a path of attributes: ``wait_s.mean``. A column that is only shown may
        have a function of the row.
    heading
        What people read above it.
    text
        Writes one value; a value that is not known shows as a dash.
    number
        Whether it is set to the right.
    width
        In print, relative to the other columns.
    row_text
        Writes the value from its row instead of ``text``, where one unit suits a whole row.
    shown
        Whether people see it; else it is in JSON and in the workbook alone.
    named
        Whether the heading is a name, which print does not capitalise.
    """

    key: str | Callable[[Any], Any]
    heading: str
    text: Callable[[Any], str] = str
    number: bool = False
    width: float = 1.0
    row_text: Callable[[Any], str] | None = None
    shown: bool = True
    named: bool = False

    def value(self, row: Row) -> Any:
        """Return the value of a row; ``None`` if it is not known."""
        if not isinstance(self.key, str):
            return self.key(row)
        for name in self.key.split("."):
            if row is None:
                return None
            row = row.get(name) if isinstance(row, Mapping) else getattr(row, name)
        return row

    def cell(self, row: Row, unknown: str = DASH) -> str:
        """Return the value of a row as people read it."""
        value = self.value(row)
        if value is None:
            return unknown
        return self.text(value) if self.row_text is None else self.row_text(row)


@dataclass(frozen=True)
class Table:
    """Rows of plain values under columns.

    Attributes
    ----------
    name
        Name of the sheet, also used in JSON.
    caption
        What it shows.
    columns, rows
        Each row has a value by the key of each column; a missing one is not known.
    """

    name: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Row]

    def plain(self) -> list[dict[str, Any]]:
        """Return the values, as in JSON and in the workbook."""
        return [
            {
                column.key: column.value(row)
                for column in self.columns
                if isinstance(column.key, str)
            }
            for row in self.rows
        ]

    def headings(self) -> tuple[str, ...]:
        """Return the headings of the columns that people see."""
        return tuple(column.heading for column in self.columns if column.shown)

    def cells(self, most_rows: int | None = None) -> list[tuple[str, ...]]:
        """Return the rows as people read them, the first ``most_rows`` of them."""
        columns = [column for column in self.columns if column.shown]
        return [tuple(column.cell(row) for column in columns) for row in self.rows[:most_rows]]


def hidden(columns: Sequence[Column], *keys: str) -> tuple[Column, ...]:
    """The columns, of which some tell people nothing here: JSON and the workbook keep them."""
    return tuple(
        replace(column, shown=False) if column.key in keys else column for column in columns
    )
