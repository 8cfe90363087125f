"""Headings of tables: their text, and the unit in brackets at their end."""

from __future__ import annotations

import re

from scenarios.tables.cell_text import one_line
from scenarios.tables.cells import Cell, Unreadable

_LONGEST = 200
_BRACKETED = re.compile(r"(.*\S)\s*(?:\[([^\[\]]*)\]|\(([^()]*)\))")


def heading_text(cell: Cell) -> str:
    """A heading on one line; empty where the cell holds no text."""
    text = cell.text if isinstance(cell, Unreadable) else cell
    return one_line(text)[:_LONGEST] if isinstance(text, str) else ""


def split_unit(heading: str) -> tuple[str, str]:
    """Return a heading without its brackets, and the text in them.

    Examples
    --------
    >>> split_unit("Run time [ms]"), split_unit("Nodes")
    (('Run time', 'ms'), ('Nodes', ''))
    """
    found = _BRACKETED.fullmatch(heading) if heading[-1:] in {"]", ")"} else None
    if found is None:
        return heading, ""
    return found[1], (found[2] if found[2] is not None else found[3]).strip()
