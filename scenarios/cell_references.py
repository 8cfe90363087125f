"""How cells of a sheet are called, and how far from A1 a sheet of quotes may reach."""

from __future__ import annotations

import re

MOST_ROWS = 2000
MOST_COLUMNS = 200
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})")


class WorkbookError(Exception):
    """The workbook as a whole cannot be used; the message says why and what to do."""


def column_letters(column: int) -> str:
    """Letters of a column that is counted from 0.

    Examples
    --------
    >>> column_letters(0), column_letters(25), column_letters(26)
    ('A', 'Z', 'AA')
    """
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def corner(reference: str) -> tuple[int, int]:
    """Row and column, from 0, of a reference such as ``B7``.

    Raises
    ------
    WorkbookError
        It is none.
    """
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        raise WorkbookError(f"{reference[:40]!r} is no cell reference; save the workbook anew")
    column = 0
    for letter in found[1]:
        column = 26 * column + ord(letter) - 64
    return int(found[2]) - 1, column - 1


def sheet_prefix(name: str) -> str:
    """What stands before a cell's address: the sheet's name, quoted where Excel would."""
    if re.fullmatch(r"\w+", name):
        return f"{name}!"
    return "'" + name.replace("'", "''") + "'!"


def too_far(where: str) -> WorkbookError:
    """The error for a cell beyond all quotes."""
    message = (
        f"{where} lies beyond {MOST_ROWS} rows x {MOST_COLUMNS} columns; copy the quotes alone "
        "into a new sheet"
    )
    return WorkbookError(message)
