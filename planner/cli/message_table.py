"""A table of a message: rows of plain values under columns that write them for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
        Name of the value in a row.
    heading
        What people read above it.
    text
        Writes one value; a value that is not known shows as a dash.
    """

    key: str
    heading: str
    text: Callable[[Any], str] = str

    def cell(self, row: Row) -> str:
        """The value of a row as people read it."""
        value = row.get(self.key) if isinstance(row, Mapping) else getattr(row, self.key)
        return DASH if value is None else self.text(value)


@dataclass(frozen=True)
class Table:
    """Rows under columns, with what they show."""

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Row]

    def headings(self) -> tuple[str, ...]:
        """The headings of the columns."""
        return tuple(column.heading for column in self.columns)

    def cells(self, most_rows: int | None = None) -> list[tuple[str, ...]]:
        """The rows as people read them, the first ``most_rows`` of them."""
        return [tuple(column.cell(row) for column in self.columns) for row in self.rows[:most_rows]]
