"""Tables without what tells nothing: constant columns move to the caption."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from planner.formatting import DASH
from reports.blocks import Block, grid, text
from reports.grid import Table

_NOTHING = frozenset(("", DASH))


def varying(rows: Table, keep: Collection[str] = (), *, total: bool = False) -> Table:
    """Return a table of several rows without columns that are empty or everywhere the same.

    Parameters
    ----------
    keep
        Headings of columns that stay in any case, besides the first one.
    total
        Whether the last row is a sum, in which a constant column may be empty.
    """
    if len(rows["rows"]) < 2 + total:
        return rows
    return _only(
        rows, [i for i in range(len(rows["columns"])) if _stays(rows, i, keep, total=total)]
    )


def compact(
    rows: Table,
    caption: str,
    *,
    small: bool = False,
    keep: Collection[str] = (),
    total: bool = False,
) -> list[Block]:
    """Return a table that varies; its caption says what is the same in every row.

    A table of one row is a sentence of its cells, without the first one, which only names it.
    """
    if len(rows["rows"]) == 1:
        return [text(f"{caption}: {_cells(rows)}.")]
    shown, same = without_constants(rows, keep, total=total)
    return [grid(shown, captioned(caption, same), small=small)]


def captioned(caption: str, same: str) -> str:
    """Return a caption that says what is the same in every row."""
    return f"{caption}; in every row: {same}" if same else caption


def without_constants(
    rows: Table, keep: Collection[str] = (), *, total: bool = False
) -> tuple[Table, str]:
    """Return the table that varies, and what is the same in every row, in words."""
    shown = varying(rows, keep, total=total)
    return shown, _same(rows, shown)


def _stays(rows: Table, column: int, keep: Collection[str], *, total: bool) -> bool:
    if column == 0 or rows["columns"][column]["name"] in keep:
        return True
    cells = {row[column] for row in rows["rows"][: -1 if total else None]}
    return len(cells) > 1


def _only(rows: Table, columns: Sequence[int]) -> Table:
    return {
        "columns": [rows["columns"][index] for index in columns],
        "widths": [rows["widths"][index] for index in columns],
        "rows": [[row[index] for index in columns] for row in rows["rows"]],
    }


def _same(rows: Table, shown: Table) -> str:
    remaining = list(shown["columns"])
    parts = []
    for column, cell in zip(rows["columns"], rows["rows"][0], strict=True):
        if remaining and column == remaining[0]:
            remaining.pop(0)
        elif cell not in _NOTHING:
            parts.append(f"{_small(column['name'])} {cell}")
    return "; ".join(parts)


def _cells(rows: Table) -> str:
    """Return each cell of the only row with its heading, in a sentence."""
    pairs = list(zip(rows["columns"], rows["rows"][0], strict=True))[1:]
    named = [f"{_small(column['name'])} {cell}" for column, cell in pairs if cell not in _NOTHING]
    return "; ".join(named)


def _small(heading: str) -> str:
    """Return a heading as it reads within a sentence; an abbreviation stays as it is.

    Examples
    --------
    >>> _small("Mean wait"), _small("IT power"), _small("I/O intensity")
    ('mean wait', 'IT power', 'I/O intensity')
    """
    abbreviated = len(heading) > 1 and not heading[1].islower()
    return heading if abbreviated else heading[:1].lower() + heading[1:]
