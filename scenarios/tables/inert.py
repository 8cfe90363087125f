"""Text in CSV files that a spreadsheet must not run: a name may begin as a formula does."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
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


def csv_text(rows: Iterable[Iterable[Any]], remarks: Iterable[str] = ()) -> str:
    """Return rows as a CSV file of inert cells; remarks come above them, each after a ``#``.

    Examples
    --------
    >>> csv_text([("job", "wait"), ("=1", 2.5)], ["simulated"]).splitlines()
    ['# simulated', 'job,wait', "'=1,2.5"]
    """
    text = io.StringIO(newline="")
    text.writelines(f"# {remark}\n" for remark in remarks)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows(map(inert, row) for row in rows)
    return text.getvalue()
