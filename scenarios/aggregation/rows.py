"""Rows of a CSV file under headings, each with its line."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from scenarios.communication.numbered_text import NumberedText
from scenarios.faults import Fault
from scenarios.tables.delimiters import delimiter_of
from scenarios.wording import nearest, short, text_trouble

MOST_ROWS = 200_000
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_Made = TypeVar("_Made")


@dataclass(frozen=True)
class Row:
    """Cells by heading; what is wrong with any of them is noted.

    Attributes
    ----------
    line, cells
        Where it is, and what is there.
    wrong
        What was found wrong by asking for a cell, whose answer is then of no use.
    """

    line: int
    cells: Mapping[str, str]
    wrong: list[str] = field(default_factory=list)

    def note(self, message: str) -> None:
        """Say what is wrong."""
        self.wrong.append(message)

    def number(self, heading: str, most: float, *, zero: bool = False) -> float:
        """A number above 0, or from 0 on, up to ``most``; anything else is noted."""
        try:
            return self._number(heading, most, zero=zero)
        except ValueError as error:
            self.note(str(error))
            return 1.0

    def _number(self, heading: str, most: float, *, zero: bool) -> float:
        text = self.cells[heading]
        if not text:
            raise ValueError(f"{heading} is empty; write a number")
        if not _NUMBER.fullmatch(text):
            raise ValueError(f"{heading} = {short(text)} is no number; write digits, as 2.5e3")
        value = float(text)
        if not (value >= 0 if zero else value > 0) or value > most:
            least = "0" if zero else "above 0"
            raise ValueError(f"{heading} = {short(text)}; give a number from {least} to {most:g}")
        return value

    def whole(self, heading: str, least: int, most: int) -> int:
        """A whole number; anything else is noted."""
        text = self.cells[heading]
        if text.isdigit() and text.isascii() and len(text) <= 18 and least <= int(text) <= most:
            return int(text)
        self.note(f"{heading} = {short(text)}; give a whole number from {least} to {most}")
        return least

    def text(self, heading: str, least: int = 1) -> str:
        """A short text; an empty or too long one or one with control characters is noted."""
        if trouble := text_trouble(self.cells[heading], 100, least):
            self.note(f"{heading} {trouble}")
        return self.cells[heading]


@dataclass(frozen=True)
class Rows:
    """What a file holds.

    Attributes
    ----------
    shown
        What the file is called in messages.
    headings, rows
        In their order; rows that are faulty are left out.
    faults
        Found so far.
    source
        What the file says after ``# source:``.
    sha256
        Of the file.
    """

    shown: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    faults: tuple[Fault, ...]
    source: str
    sha256: str

    def each(self, make: Callable[[Row], _Made], faults: list[Fault]) -> tuple[_Made, ...]:
        """Make something of each row; what is wrong with one is noted and the row left out."""
        made = []
        for row in self.rows:
            one = make(row)
            if not row.wrong:
                made.append(one)
            faults += [Fault(self.shown, row.line, "", message) for message in row.wrong]
        return tuple(made)


def read_rows(
    path: Path, kind: str, wanted: Sequence[str], *, more: bool = False, one: bool = False
) -> Rows:
    """Read headings and rows; ``#`` begins a remark.

    Parameters
    ----------
    kind
        What to give instead of a wrong file.
    wanted
        Headings that must be there, in any order.
    more
        Whether other headings are allowed too.
    one
        Whether one row is expected.

    Raises
    ------
    ScenarioError
        The file cannot be read, or its headings are wrong.
    """
    text = NumberedText(path, str(path), kind)
    headings: tuple[str, ...] = ()
    rows: list[Row] = []
    source = ""
    known = {*wanted}
    delimiter = delimiter_of(
        text.beginning(), lambda cells: len(known & {cell.lower() for cell in cells})
    )
    for number, line in text:
        if not line.strip() or line.startswith("#"):
            key, _, value = line.lstrip("# ").partition(":")
            source = value.strip() if key.strip().lower() == "source" and not source else source
            continue
        try:
            cells = [
                each.strip() for each in next(csv.reader([line], delimiter=delimiter, strict=True))
            ]
        except csv.Error as error:
            text.fault(number, f"is no line of a CSV file ({error}); close its quotes")
            continue
        if not headings:
            headings = tuple(cell.lower() for cell in cells)
            _check_headings(text, number, headings, wanted, more=more)
        elif len(cells) != len(headings):
            message = f"has {len(cells)} cells under {len(headings)} headings; make them equal"
            text.fault(number, message)
        elif len(rows) == MOST_ROWS:
            text.fault(number, f"is one row more than the {MOST_ROWS:,} that are read; give fewer")
            break
        else:
            rows.append(Row(number, dict(zip(headings, cells, strict=True))))
    if not headings:
        text.fault(0, f"is empty; write {','.join(wanted)}")
    elif not rows and not text.faults:
        text.fault(0, "has no rows below its headings; add what was measured")
    elif one and len(rows) > 1:
        text.fault(rows[1].line, "is a second row; give one")
    return Rows(str(path), headings, tuple(rows), tuple(text.faults), source, text.sha256)


def _check_headings(
    text: NumberedText, line: int, headings: tuple[str, ...], wanted: Sequence[str], *, more: bool
) -> None:
    if len(set(headings)) < len(headings):
        twice = next(heading for heading in headings if headings.count(heading) > 1)
        text.fault(line, f"the heading {short(twice)} is there twice; rename one")
    for name in wanted:
        if name not in headings:
            text.fault(line, f"the heading {name} is missing; write {','.join(wanted)}")
    for name in headings:
        if not more and name not in wanted:
            text.fault(line, f"the heading {short(name)} is unknown; {nearest(name, [*wanted])}")
        elif trouble := text_trouble(name, 60):
            text.fault(line, f"a heading {trouble}")
    text.settle()
