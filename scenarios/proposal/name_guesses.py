"""Which column has the names of node types, where no heading says so."""

from __future__ import annotations

from collections.abc import Sequence

from scenarios.proposal.columns import Column
from scenarios.proposal.grid import Grid, held
from scenarios.tables.cells import Unreadable


def with_repeated_texts(
    free: Sequence[Column], component: Column, grid: Grid, body: Sequence[int]
) -> Column | None:
    """The first column of few texts, each of several parts: a bill of materials has such names.

    Parameters
    ----------
    free
        Columns that state no field.
    component
        The column of parts.
    grid, body
        The sheet, and the rows of the table.
    """
    parts = [row for row in body if grid.texts[row][component.place]]
    for each in free:
        names = {grid.texts[row][each.place] for row in parts} - {""}
        if each.words == 1 and 0 < len(names) < len(parts):
            return each
    return None


def with_merged_texts(
    free: Sequence[Column], powers: Sequence[Column], grid: Grid, body: Sequence[int]
) -> Column | None:
    """The first column whose texts are merged cells, as many as a column of powers has figures."""
    figures = {len(each.texts) for each in powers}
    for each in free:
        cells = [grid.cells[row][each.place] for row in body]
        merged = [cell for cell in cells if isinstance(cell, Unreadable) and held(cell) is not cell]
        starts = [cell for cell in merged if cell.merge is not None and cell.merge.rows > 1]
        if each.words == 1 and 1 < len(starts) in figures:
            return each
    return None


def above_part_numbers(columns: Sequence[Column], part_number: Column) -> Column | None:
    """The first column with cells, if it is before the part numbers and its texts are distinct."""
    first = next(each for each in columns if each.texts)
    named = first.place < part_number.place and first.words == first.distinct == 1
    return first if named else None


def with_distinct_texts(
    columns: Sequence[Column], free: Sequence[Column], grid: Grid, body: Sequence[int]
) -> Column | None:
    """The first free column of distinct texts, or else one without a heading."""
    names = (each for each in free if each.words >= 0.5 and each.distinct > 0.7)
    return next(names, None) or _blank_headed(columns, grid, body)


def _blank_headed(columns: Sequence[Column], grid: Grid, body: Sequence[int]) -> Column | None:
    """A column without a heading that has a distinct text in each row of the body."""
    headed = {each.place for each in columns}
    for place in range(len(grid.cells[0])):
        if place in headed:
            continue
        cells = tuple(grid.cells[row][place] for row in body)
        column = Column(place, "", cells, letter=grid.column_name(place))
        if column.texts and column.words > 0.8 and column.distinct == 1.0:
            return column
    return None
