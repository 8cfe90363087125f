"""Text in CSV files that a spreadsheet must not run: a name may begin as a formula does."""

from __future__ import annotations

import re
from typing import Any

_FORMULA = re.compile(r"'*[=+\-@\t\r\n|%]")
_MARKED = re.compile(r"'+[=+\-@\t\r\n|%]")


def inert(value: Any) -> Any:
    """Return a cell as it is written: text that begins like a formula gets an apostrophe before it.

    Spreadsheets show such a cell as text. Numbers stay as they are.

    Examples
    --------
    >>> inert("=cmd|' /C calc'!A0"), inert("lu"), inert(-1.5), inert("'=1")
    ("'=cmd|' /C calc'!A0", 'lu', -1.5, "''=1")
    """
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def as_named(cell: str) -> str:
    """Return the text that :func:`inert` wrote.

    Examples
    --------
    >>> as_named("'=1"), as_named("''=1"), as_named("'lu")
    ('=1', "'=1", "'lu")
    """
    return cell[1:] if _MARKED.match(cell) else cell
