"""Values that callers give to the log: whole numbers, names, paths and connections.

SQLite's own errors name neither the value nor the remedy. It cannot store numpy's whole numbers,
which are common in programs that measure.
"""

from __future__ import annotations

import operator
import sqlite3
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TypeVar

from planner.errors import InputError
from planner.pricing.accounts.units import MOST
from scenarios.formatting import short

MOST_NAME = 200
_Item = TypeVar("_Item")


def whole(value: object, what: str, least: int = -MOST) -> int:
    """A whole number that SQLite can store.

    Parameters
    ----------
    value
        Python's or numpy's whole number; no ``bool``.
    what
        Name of the value in an error.
    least
        Smallest valid value.

    Raises
    ------
    InputError
        It is of another type, below ``least`` or too large.

    Examples
    --------
    >>> whole(5, "cores")
    5
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None:
        message = f"{what} = {short(value)} is not a whole number"
        raise InputError(f"{message}; give an int, such as {max(least, 0)}")
    if not least <= number <= MOST:
        message = f"{what} = {short(number)} is out of range"
        raise InputError(f"{message}; give {least:,} to {MOST:,}")
    return number


def fitting_name(value: object, what: str) -> str:
    """A name that can be stored and printed.

    Raises
    ------
    InputError
        It is not text, is empty or too long, or cannot be printed.
    """
    if not isinstance(value, str):
        raise InputError(f"{what} = {short(value)} is not a name; give text")
    if not 0 < len(value) <= MOST_NAME or not value.isprintable():
        message = f"{what} {value[:80]!r} is not a valid name"
        raise InputError(f"{message}; give 1 to {MOST_NAME} printable characters")
    return str(value)


def path_from(value: object) -> Path:
    """A path.

    Raises
    ------
    InputError
        It is neither text nor a path.
    """
    if not isinstance(value, str | PathLike) or "\0" in str(value):
        raise InputError(f"path = {short(value)} is not a path; give text or a pathlib.Path")
    return Path(value)


def items(values: Iterable[_Item], what: str) -> list[_Item]:
    """Everything in an iterable, which a caller may have confused with one item.

    Raises
    ------
    InputError
        It cannot be iterated, or is a text.
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"{what} = {short(values)} is not a list; give a list, even of one item")
    return list(values)


def file_of(connection: object) -> Path:
    """The file of an open log.

    Raises
    ------
    InputError
        It is not a connection, or is closed.
    """
    if not isinstance(connection, sqlite3.Connection):
        message = f"connection = {short(connection)} is not an open log"
        raise InputError(f"{message}; give what create or opened returned")
    try:
        rows = connection.execute("PRAGMA database_list").fetchall()
    except sqlite3.ProgrammingError as error:
        message = f"the log cannot be used ({error})"
        raise InputError(f"{message}; open it where it is used, and close it last") from None
    return Path(rows[0][2] or "the log")
