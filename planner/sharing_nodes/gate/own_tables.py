"""A table of own measurements, from a frame or a file: its columns as checked names and numbers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from planner.errors import InputError
from planner.plain_numbers import plain_float
from planner.sharing_nodes.tangram.metrics import Floats
from scenarios.faults import ScenarioError
from scenarios.formatting import short
from scenarios.pairs.cells import Row, Sheet, label, read_sheet
from scenarios.tables.cell_references import WORKBOOKS
from scenarios.tables.cell_text import CellError
from scenarios.tables.decimal_marks import FileMark, mark_of, number_and_unit


@dataclass(frozen=True)
class Range:
    """Numbers that a column may hold.

    Attributes
    ----------
    least, most
        Smallest and largest of them.
    text
        What they are called in a message.
    """

    least: float
    most: float
    text: str


@dataclass(frozen=True)
class OwnTable:
    """Columns of a table, before they are checked.

    Attributes
    ----------
    shown
        What messages call the table.
    columns
        Cells by heading.
    places
        What messages call each row.
    mark
        What decimals follow.
    sha256
        Digest of the file; empty for a frame.
    """

    shown: str
    columns: Mapping[str, Sequence[object]]
    places: Sequence[str]
    mark: FileMark = "point"
    sha256: str = ""

    def names(self, heading: str) -> list[str]:
        """The names of applications in a column.

        Raises
        ------
        InputError
            A cell is empty, too long, or holds a control character.
        """
        return [self._name(heading, row) for row in range(len(self.places))]

    def numbers(self, heading: str, within: Range) -> Floats:
        """The numbers of a column, shape (rows,).

        Raises
        ------
        InputError
            A cell is not a number within the range.
        """
        cells = self.columns[heading]
        numbers = np.array([self._number(heading, row) for row in range(len(cells))], dtype=float)
        wrong = ~((numbers >= within.least) & (numbers <= within.most))
        if wrong.any():
            row = int(np.argmax(wrong))
            cell = cells[row]
            value = short(cell) if isinstance(cell, str) else repr(cell)[:40]
            raise self.refusal(row, f"{value} is not {within.text}; correct it", heading)
        return numbers

    def refusal(self, row: int, message: str, heading: str = "") -> InputError:
        """The error of one row, and of one of its cells."""
        location = ", ".join(part for part in (self.shown, self.places[row], heading) if part)
        return InputError(f"{location}: {message}")

    def _number(self, heading: str, row: int) -> float:
        try:
            return _number(self.columns[heading][row], self.mark)
        except CellError as error:
            raise self.refusal(row, str(error), heading) from None

    def _name(self, heading: str, row: int) -> str:
        cell = self.columns[heading][row]
        missing = cell is None or (isinstance(cell, float) and np.isnan(cell))
        try:
            return label("" if missing else str(cell), heading)
        except CellError as error:
            raise self.refusal(row, str(error)) from None


@dataclass(frozen=True)
class Headings:
    """Which columns of a table count.

    Attributes
    ----------
    needed, optional
        Headings that a table must have, and may have; in a file in any case.
    others
        Whether columns with other headings count too.
    names
        Headings of columns that hold no numbers.
    """

    needed: tuple[str, ...]
    optional: tuple[str, ...] = ()
    others: bool = False
    names: tuple[str, ...] = ()

    def chosen(self, headings: Sequence[str], shown: str) -> dict[str, int]:
        """The columns that count, by heading.

        Raises
        ------
        InputError
            A heading occurs twice, is empty, or holds a control character.
        """
        result = dict[str, int]()
        for index, heading in enumerate(headings):
            if not (self.others or heading in self.known):
                continue
            try:
                name = label(heading, f"the heading of column {index + 1}")
            except CellError as error:
                raise InputError(f"{shown}: column {index + 1}: {error}") from None
            if name in result:
                raise InputError(f"{shown}: more than one column is called {name!r}; keep one")
            result[name] = index
        return result

    @property
    def known(self) -> tuple[str, ...]:
        """Headings with a meaning."""
        return (*self.needed, *self.optional)

    def count(self, cells: Sequence[str]) -> int:
        """How many known headings a row holds."""
        return len({cell.lower() for cell in cells} & {*self.known})

    def as_known(self, heading: str) -> str:
        """A heading of a file, as it is known."""
        return heading.lower() if heading.lower() in self.known else heading


def read_table(
    source: Any, headings: Headings, what: str, sheet: str | None = None, option: str = "--sheet"
) -> OwnTable:
    """Read a table with some columns.

    Parameters
    ----------
    source
        A pandas frame, or the path of a CSV or XLSX file.
    headings
        Columns that it must have, and that count.
    what
        What messages call the table.
    sheet, option
        Sheet of a workbook, and the option of the command that names it.

    Raises
    ------
    InputError
        It cannot be read, has no row, or lacks a column.
    """
    if isinstance(source, str | os.PathLike):
        table = _from_file(Path(source), headings, what, sheet, option)
    elif sheet is not None:
        raise InputError(f"{what} is not a file; leave out its sheet {sheet!r}")
    else:
        table = _from_frame(source, headings, what)
    missing = [name for name in headings.needed if name not in table.columns]
    if missing:
        needed = ", ".join(headings.needed)
        raise InputError(f"{table.shown} has no column {missing[0]!r}; it needs {needed}")
    if not table.places:
        raise InputError(f"{table.shown} has no row; give at least one")
    return table


def _from_frame(source: Any, headings: Headings, what: str) -> OwnTable:
    import pandas as pd

    if not isinstance(source, pd.DataFrame):
        raise InputError(f"{what} is a {type(source).__name__}; give a pandas frame or a CSV file")
    chosen = headings.chosen([str(name) for name in source.columns], what)
    columns = {name: source.iloc[:, index].tolist() for name, index in chosen.items()}
    return OwnTable(what, columns, [f"row {row}" for row in range(1, len(source) + 1)])


def _from_file(
    path: Path, headings: Headings, what: str, name: str | None, option: str
) -> OwnTable:
    limits = replace(WORKBOOKS, choose_sheet=f"choose one with {option}")
    try:
        sheet = read_sheet(path, str(path), headings.count, name, limits)
    except ScenarioError as error:
        raise InputError(f"{what} cannot be read: {error}") from None
    (line, first), rows = sheet.rows[0], sheet.rows[1:]
    width = max(index for index, heading in enumerate(first) if heading) + 1
    written = [headings.as_known(heading) for heading in first[:width]]
    chosen = headings.chosen(written, f"{sheet.file_name}, line {line}")
    cells = [_filled(sheet, row, width) for row in rows]
    columns = {name: [row[index] for row in cells] for name, index in chosen.items()}
    numbers = (column for name, column in columns.items() if name not in headings.names)
    mark = mark_of(chain.from_iterable(numbers), sheet.delimiter)
    places = [f"line {line}" for line, _ in rows]
    return OwnTable(sheet.file_name, columns, places, mark, sheet.sha256)


def _filled(sheet: Sheet, row: Row, width: int) -> list[str]:
    """The cells of a row, one for each heading; empty cells after the last heading are left out."""
    line, cells = row
    if len(cells) < width or any(cells[width:]):
        message = f"has {len(cells)} cells under {width} headings; make them equal"
        raise InputError(f"{sheet.file_name}, line {line}: {message}")
    return cells[:width]


def _number(cell: object, mark: FileMark) -> float:
    """A number, or NaN where a cell holds none."""
    if isinstance(cell, str):
        return _written(cell, mark)
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return float("nan")


def _written(text: str, mark: FileMark) -> float:
    """A number as it is written, NaN where there is none.

    Raises
    ------
    CellError
        It may be two numbers.
    """
    if mark == "unclear":
        number_and_unit(text, mark)
    try:
        return plain_float(text.replace(",", ".") if mark == "comma" else text)
    except ValueError:
        return float("nan")
