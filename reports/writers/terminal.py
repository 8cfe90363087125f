"""A study on a terminal: the answer, its numbers, what may be wrong, the table, what to do next."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator, Sequence

from planner.formatting import unmarked
from planner.study import Study
from reports.view import Grid, view

MOST_ROWS = 24
WIDTH, LONG_WIDTH = 110, 150
"""Letters of a line where there is no terminal; of a table whose names are long."""
_SLIGHTLY_WIDER = 120
_WHOLE = 40
"""Letters up to which a cell is not broken over lines."""


def terminal(study: Study, room: int | None = None) -> str:
    """What a study shows on a terminal that is ``room`` letters wide."""
    return unmarked("\n".join(_lines(study, room)))


def _lines(study: Study, room: int | None) -> Iterator[str]:
    shown = view(study, MOST_ROWS)
    yield from (text for text in (shown.headline, shown.confidence) if text)
    for tile in shown.tiles:
        yield f"{tile.label}: {tile.value}{f' ({tile.note})' if tile.note else ''}"
    for text in (*shown.risks, *shown.warnings):
        yield f"{shown.labels['warning']}: {text}"
    if shown.decision is not None and shown.decision.rows:
        yield f"\n{shown.decision.caption}"
        yield _grid(shown.decision, room)
    if shown.next_steps:
        yield f"{shown.labels['next_steps']}:"
        yield from (f"- {text}" for text in shown.next_steps)


def _grid(grid: Grid, room: int | None) -> str:
    cells = [[unmarked(cell) for cell in row] for row in grid.rows]
    text = table_text(grid.headings, cells, room, grid.right)
    return f"{text}\n{grid.note}" if grid.note else text


def table_text(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    room: int | None = None,
    right: Sequence[bool] = (),
) -> str:
    """A table as text: names and numbers stay whole, headings and long cells may break.

    Only a terminal that is too narrow for this breaks them too.

    Parameters
    ----------
    room
        Letters of a line of the terminal; without one the table is as wide as it needs.
    right
        Which columns are set to the right; by default none.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    names = list(headings)
    widest = [min(max(map(len, column)), _WHOLE) for column in zip(names, *rows, strict=True)]
    least_widths = [
        max([0, *map(len, name.split()), *(min(len(row[index]), _WHOLE) for row in rows)])
        for index, name in enumerate(names)
    ]
    wide = LONG_WIDTH if any(len(row[0]) > _WHOLE for row in rows) else WIDTH
    wide = max(wide, _line(widest)) if _line(widest) <= _SLIGHTLY_WIDER else wide
    room = max(wide, _line(least_widths)) if room is None else room
    if _line(widest) > room >= _line(least_widths):
        names = _broken(names, least_widths, room)
    table = Table(box=box.SIMPLE_HEAD)
    for name, is_right in zip(names, right or [False] * len(names), strict=True):
        table.add_column(Text(name), overflow="fold", justify="right" if is_right else "left")
    for row in rows:
        table.add_row(*map(Text, row))
    stream = io.StringIO()
    Console(file=stream, width=room).print(table)
    return stream.getvalue().rstrip("\n")


def _broken(names: Sequence[str], least_widths: Sequence[int], room: int) -> list[str]:
    """Headings over as few lines as let the table fit, in columns of at least these widths."""
    most_words = max(len(name.split()) for name in names)
    broken = [*names]
    for lines in range(1, most_words + 1):
        broken = [
            _over(name, width, lines) for name, width in zip(names, least_widths, strict=True)
        ]
        widths = [
            max(width, *map(len, text.split("\n")))
            for text, width in zip(broken, least_widths, strict=True)
        ]
        if _line(widths) <= room:
            break
    return broken


def _over(name: str, least_widths: int, lines: int) -> str:
    """Wrap a heading to at most ``lines`` lines, in the narrowest column that fits it."""
    for width in range(max(least_widths, 1), len(name) + 1):
        parts = textwrap.wrap(name, width, break_long_words=False, break_on_hyphens=False)
        if len(parts) <= lines:
            return "\n".join(parts)
    return name


def _line(widths: Sequence[int]) -> int:
    """Letters of a line with columns of these widths."""
    return sum(widths) + 3 * len(widths) + 1
