"""A sheet in which each node type is a block of rows with a label and values, one below another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scenarios.tables.cell_text import is_blank, shown
from scenarios.tables.cells import Cell, Table, Unreadable

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
        title, at, first, place = pairs[0]
        rows.append(
            (title if is_blank(first) else first, *(_stated(pairs, each) for each in labels))
        )
        places = {label: place for label, _, _, place in reversed(pairs)}
        origins.append((place, *(places.get(label, at) for label in labels)))
    return replace(
        table,
        rows=tuple(rows),
        lines=(0, *(table.lines[pairs[0][1][0]] for pairs in blocks)),
        hidden_rows=frozenset(
            row
            for row, pairs in enumerate(blocks, 1)
            if any(
                at[0] in table.hidden_rows or place[1] in table.hidden_columns
                for _, at, _, place in pairs
            )
        ),
        hidden_columns=frozenset(),
        origins=tuple(
            tuple((table.lines[row], column) for row, column in each) for each in origins
        ),
    )


def _blocks(table: Table) -> Iterator[list[int]]:
    """Indices of the rows of each block."""
    block: list[int] = []
    for row in range(len(table.rows)):
        filled = any(True for _ in _filled(table, row))
        follows = bool(block) and table.lines[row] == table.lines[block[-1]] + 1
        again = bool(block) and filled and _label(table, row) == _label(table, block[0])
        if block and (not filled or not follows or again):
            yield block
            block = []
        block += [row] if filled else []
    if block:
        yield block


def _label(table: Table, row: int) -> str:
    return shown(next((cell for _, cell in _filled(table, row)), None))


def _filled(table: Table, row: int) -> Iterator[tuple[int, Cell]]:
    """The filled cells of a row; a merged one counts once."""
    for place, cell in enumerate(table.rows[row]):
        merge = cell.merge if isinstance(cell, Unreadable) else None
        if merge is not None:
            cell = None if merge.across or merge.down else merge.shown  # noqa: PLW2901
        if not is_blank(cell):
            yield place, cell


def _pairs(table: Table, row: int) -> Iterator[_Pair]:
    """The labels of a row with their values."""
    (start, first), *others = _filled(table, row)
    label, at = shown(first), (row, start)
    if not others:
        name, _, behind = map(str.strip, label.partition(":"))
        yield (name if behind else label), at, behind or None, at
        return
    values: list[tuple[int, Cell]] = []
    for place, cell in others:
        is_label = isinstance(cell, str) and not any(map(str.isdigit, cell))
        if values and is_label and place < others[-1][0]:
            yield _pair(label, at, values)
            label, at, values = shown(cell), (row, place), []
        else:
            values.append((place, cell))
    yield _pair(label, at, values)


def _pair(label: str, at: _Place, values: list[tuple[int, Cell]]) -> _Pair:
    return label.rstrip(" :"), at, _joined([cell for _, cell in values]), (at[0], values[0][0])


def _stated(pairs: list[_Pair], label: str) -> Cell:
    """What a block states for a label, perhaps in several rows."""
    return _joined([cell for each, _, cell, _ in pairs if each == label and not is_blank(cell)])


def _joined(cells: list[Cell]) -> Cell:
    """One cell as it is; several as one text."""
    if len(cells) < 2:
        return cells[0] if cells else None
    return next((each for each in cells if isinstance(each, Unreadable)), None) or "; ".join(
        map(shown, cells)
    )
