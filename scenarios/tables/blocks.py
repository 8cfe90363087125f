"""A sheet in which each node type is a block of rows with a label and values, one below another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scenarios.tables.cell_text import is_blank, one_line
from scenarios.tables.cells import Cell, Table
from scenarios.tables.headings import heading_text

_Place = tuple[int, int]
_Pair = tuple[str, _Place, Cell, _Place]
"""A label and what is to the right of it, each with its row and column."""


def in_blocks(table: Table) -> Table:
    """The table with a row for each block and a column for each label.

    A block ends at a blank row, or above a row with the label that begins it. Column A is the title
    of a block: what is to the right of its first label, or this label. Values next to each other
    are one text with semicolons between them; a text without a digit between values is a label.

    Examples
    --------
    >>> rows = (("Type", "Thin"), ("Idle", "90 W", "Max", "400 W"), ("Type", "Fat"), ("Idle", 95.0))
    >>> blocks = in_blocks(Table("q.csv", "", "", rows, (1, 2, 3, 4)))
    >>> blocks.rows
    ((None, 'Type', 'Idle', 'Max'), ('Thin', 'Thin', '90 W', '400 W'), ('Fat', 'Fat', 95.0, None))
    >>> blocks.address(1, 3), blocks.address(2, 0)
    ('D2', 'B3')
    """
    blocks = [[pair for row in rows for pair in _pairs(table, row)] for rows in _blocks(table)]
    labels: dict[str, _Place] = {}
    for label, at, cell, _ in (pair for pairs in blocks for pair in pairs):
        if not is_blank(cell):
            labels.setdefault(label, at)
    rows: list[tuple[Cell, ...]] = [(None, *labels)]
    origins: list[tuple[_Place, ...]] = [((0, 0), *labels.values())]
    for pairs in blocks:
        title, at, shown, place = pairs[0]
        found = {label: (cell, place) for label, _, cell, place in reversed(pairs)}
        cells = [found.get(label, (None, at)) for label in labels]
        rows.append((title if is_blank(shown) else shown, *(cell for cell, _ in cells)))
        origins.append((at if is_blank(shown) else place, *(place for _, place in cells)))
    return replace(
        table,
        rows=tuple(rows),
        lines=(0, *(table.lines[pairs[0][1][0]] for pairs in blocks)),
        hidden_rows=frozenset(),
        hidden_columns=frozenset(),
        origins=tuple(
            tuple((table.lines[row], column) for row, column in each) for each in origins
        ),
    )


def _blocks(table: Table) -> Iterator[list[int]]:
    """Indices of the rows of each block."""
    block: list[int] = []
    for row in range(len(table.rows)):
        filled = not all(map(is_blank, table.rows[row]))
        follows = bool(block) and table.lines[row] == table.lines[block[-1]] + 1
        again = bool(block) and filled and _label(table, row) == _label(table, block[0])
        if block and (not filled or not follows or again):
            yield block
            block = []
        block += [row] if filled else []
    if block:
        yield block


def _label(table: Table, row: int) -> str:
    return next(filter(None, map(heading_text, table.rows[row])), "")


def _pairs(table: Table, row: int) -> Iterator[_Pair]:
    """The labels of a row with their values."""
    filled = [(place, cell) for place, cell in enumerate(table.rows[row]) if not is_blank(cell)]
    label, start = heading_text(filled[0][1]), filled[0][0]
    before, _, behind = label.partition(":")
    if len(filled) == 1:
        name = before.strip() if behind.strip() else label
        yield name, (row, start), behind.strip() or None, (row, start)
        return
    values: list[tuple[int, Cell]] = []
    at = (row, start)
    for index, (place, cell) in enumerate(filled[1:], 1):
        text = cell if isinstance(cell, str) else ""
        if values and text and not any(map(str.isdigit, text)) and index + 1 < len(filled):
            yield _pair(label, at, values)
            label, at, values = one_line(text), (row, place), []
        else:
            values.append((place, cell))
    yield _pair(label, at, values)


def _pair(label: str, at: _Place, values: list[tuple[int, Cell]]) -> _Pair:
    place, cell = values[0]
    if len(values) > 1 and all(isinstance(each, str) for _, each in values):
        cell = "; ".join(one_line(str(each)) for _, each in values)
    return label.rstrip(" :"), at, cell, (at[0], place)
