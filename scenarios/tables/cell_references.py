"""How cells of a sheet are called, and how much of one is read."""

from __future__ import annotations

import re
from dataclasses import dataclass

_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})")


@dataclass(frozen=True)
class Limits:
    """How much of a spreadsheet or another file of cells is read.

    Attributes
    ----------
    what, files
        What it holds, and what such files are called in messages.
    choose_sheet
        What to do where several sheets hold values.
    rows, columns
        From A1 on.
    file_bytes, unpacked_bytes
        Most bytes of the workbook, and of all its XML parts.
    elements
        Most elements of one XML part.
    characters
        Most characters of all cells together.
    forms
        Kinds of workbook that are read: ``xlsx``, ``xls``, ``ods``. In the last two, formats that
        scale or label a number cannot be seen.
    memory_bytes, cpu_s, time_s
        Most memory, processor time and elapsed time of the process that reads it.
    """

    what: str
    files: str
    choose_sheet: str
    rows: int
    columns: int
    file_bytes: int
    unpacked_bytes: int
    elements: int
    characters: int
    memory_bytes: int
    cpu_s: int
    time_s: int
    forms: tuple[str, ...] = ("xlsx",)


QUOTES = Limits(
    what="quotes",
    files="workbooks",
    choose_sheet="set sheet to one of them",
    rows=2000,
    columns=200,
    file_bytes=8 << 20,  # quotes are kilobytes; logos and pictures may come with them
    unpacked_bytes=64 << 20,
    elements=2_000_000,
    characters=16 << 20,
    memory_bytes=1 << 30,
    cpu_s=20,
    time_s=30,
    forms=("xlsx", "xls", "ods"),
)

WORKBOOKS = Limits(
    what="measurements",
    files="workbooks",
    choose_sheet="choose one with --sheet",
    rows=200_000,
    columns=200,
    file_bytes=128 << 20,
    unpacked_bytes=1 << 30,
    elements=30_000_000,
    characters=256 << 20,
    memory_bytes=6 << 30,
    cpu_s=180,
    time_s=240,
)
"""Some fourteen million cells; where there are many, CSV and Parquet are read much sooner."""


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
    matched = _REFERENCE.fullmatch(reference)
    if matched is None:
        raise WorkbookError(f"{reference[:40]!r} is not a cell reference; save the workbook again")
    column = 0
    for letter in matched[1]:
        column = 26 * column + ord(letter) - 64
    return int(matched[2]) - 1, column - 1


def sheet_prefix(name: str) -> str:
    """Return the prefix of a cell's address: the sheet's name, quoted where Excel quotes it."""
    if re.fullmatch(r"\w+", name):
        return f"{name}!"
    return "'" + name.replace("'", "''") + "'!"


def too_far(where: str, limits: Limits) -> WorkbookError:
    """The error for a cell beyond the limits."""
    message = (
        f"{where} is beyond {limits.rows} rows x {limits.columns} columns; copy the "
        f"{limits.what} alone into a new sheet"
    )
    return WorkbookError(message)
