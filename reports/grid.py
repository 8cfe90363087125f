"""A table as the templates take it: columns, relative widths and formatted cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from planner.formatting import capitalised
from planner.worded_table import Column, Row
from reports.numbers import breakable

Table = dict[str, Any]
"""``columns`` (name, whether right-aligned), relative ``widths``, and ``rows`` of text."""


def table_of(columns: Sequence[Column], rows: Iterable[Row], *, exact: bool = False) -> Table:
    """Return one table with a line for each row, each column as wide as it says.

    Headings begin with a capital, unless they are names.
    """
    columns = [column for column in columns if column.shown]
    return table(
        [
            (column.heading if column.named else capitalised(column.heading), column.number)
            for column in columns
        ],
        [column.width for column in columns],
        [[column.cell(row) for column in columns] for row in rows],
        exact=exact,
    )


def headed(rows: Table, headings: Iterable[int]) -> Table:
    """Return a table in which rows of one cell are headings, repeated where a page begins."""
    return {**rows, "headings": list(headings)}


def table(
    columns: Sequence[tuple[str, bool]],
    widths: Sequence[float],
    rows: Iterable[Sequence[str]],
    *,
    exact: bool = False,
) -> Table:
    """Return one table; overlong words may break, unless ``exact`` keeps the text for copying.

    A width of 0 makes a column as wide as its longest cell.
    """
    cell = str if exact else breakable
    return {
        "columns": [{"name": cell(name), "right": right} for name, right in columns],
        "widths": list(widths),
        "rows": [[cell(text) for text in row] for row in rows],
    }
