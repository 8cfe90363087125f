"""Read the numbered lines of a file, and collect the errors in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from scenarios.communication.matrix import MOST_RANKS
from scenarios.faults import Fault, ScenarioError
from scenarios.formatting import short
from scenarios.job_logs.blocks import BEGINNING, LogBlocks
from scenarios.tables.decimal_marks import FileMark
from scenarios.tables.field import Field

LARGEST_BYTES = 1 << 30
MOST_FAULTS = 100
LARGEST_AMOUNT = 1 << 53
"""Whole numbers up to here are exact as floating point."""

KIND = "a table of communication"

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_SURELY_EXACT = 15
_MOST_DIGITS = 30


class NumberedText:
    """A file line by line, plain or gzipped.

    Attributes
    ----------
    shown
        What the file is called in messages.
    faults
        Errors found so far.
    """

    def __init__(self, path: Path, shown: str, kind: str = KIND) -> None:
        self.shown = shown
        self.faults: list[Fault] = []
        self._blocks = LogBlocks(path, shown, LARGEST_BYTES, kind=kind)

    @property
    def sha256(self) -> str:
        """Hash of what was read, packed as it is."""
        return self._blocks.sha256

    def beginning(self) -> list[str]:
        """The first lines, of an iteration of their own."""
        return self._blocks.beginning().decode("utf-8-sig", "replace").splitlines()

    def sample(self) -> list[str]:
        """The first lines without the last one where that may be cut."""
        data = self._blocks.beginning()
        lines = data.decode("utf-8-sig", "replace").splitlines()
        return lines[:-1] if len(data) == BEGINNING and not data.endswith(b"\n") else lines

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Yield numbers from 1 and lines without their ends."""
        number = 0
        for block in self._blocks:
            if b"\0" in block:
                number += block[: block.index(b"\0")].count(b"\n") + 1
                self.fault(number, "contains a zero byte; give a text file")
                return
            for line in block.decode("utf-8", "backslashreplace").removesuffix("\n").split("\n"):
                number += 1
                yield number, line.removesuffix("\r")
        if self._blocks.error:
            self.fault(number, self._blocks.error)

    def fault(self, line: int, message: str, where: str = "") -> None:
        """Note an error.

        Raises
        ------
        ScenarioError
            It is the hundredth error.
        """
        self.faults.append(Fault(self.shown, line, where, message))
        if len(self.faults) == MOST_FAULTS:
            raise ScenarioError(self.faults)

    def settle(self) -> None:
        """End the reading.

        Raises
        ------
        ScenarioError
            There are errors.
        """
        if self.faults:
            raise ScenarioError(self.faults)


def amount(
    text: str, field: Field | None = None, mark: FileMark = "point", unit: str = ""
) -> float:
    """Bytes or messages.

    Parameters
    ----------
    text
        The cell.
    field
        What it holds, where the table may have decimal commas and units; else a number is written
        with a point and without a unit.
    mark, unit
        Decimal mark of the table, and unit of the column.

    Raises
    ------
    ValueError
        No number, not finite, negative, or too large; says so with the remedy.

    Examples
    --------
    >>> amount("2.5e3")
    2500.0
    >>> amount("-1")
    Traceback (most recent call last):
        ...
    ValueError: '-1' is negative; give 0 or more
    """
    text = text.strip()
    if not unit and text.isdigit() and text.isascii() and len(text) <= _SURELY_EXACT:
        return float(text)
    if not text:
        raise ValueError(_EMPTY)
    if field is not None:
        value = field.amount(text, mark, unit)
    elif _NUMBER.fullmatch(text):
        value = float(text)
    else:
        raise ValueError(f"{short(text)} is not a number; write it in digits, as 4096")
    if value < 0:
        raise ValueError(f"{short(text)} is negative; give 0 or more")
    if value > LARGEST_AMOUNT:
        raise ValueError(f"{short(text)} is above 2^53 and not exact; use a larger unit")
    return value


_EMPTY = "is empty; write 0 where nothing was sent"


def whole(text: str, least: int, most: int, what: str) -> int:
    """A whole number within bounds; ``what`` it is, for the message.

    Raises
    ------
    ValueError
        Anything else; says so with the bounds.

    Examples
    --------
    >>> whole("8", 0, 7, "rank")
    Traceback (most recent call last):
        ...
    ValueError: '8' is not a rank from 0 to 7
    """
    if text.isdigit() and text.isascii() and len(text) <= _MOST_DIGITS:
        value = int(text)
        if least <= value <= most:
            return value
    raise ValueError(f"{short(text)} is not a {what} from {least} to {most}")


def a_rank(text: str, first: int = 0) -> int:
    """A rank as written in a file that counts from ``first``, as one from 0.

    Raises
    ------
    ValueError
        No rank.
    """
    return whole(text, first, MOST_RANKS - 1 + first, "rank") - first


def is_comment(line: str) -> bool:
    """Whether a line of a list or matrix only comments on it."""
    return line.lstrip().startswith(("#", "%"))
