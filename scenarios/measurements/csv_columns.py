"""Measurements from CSV: only the columns that are read are kept, line by line."""

from __future__ import annotations

import contextlib
import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

from scenarios.faults import Fault, ScenarioError
from scenarios.files import TextFile, read_text
from scenarios.measurements.headings import headings_row, known_headings, lay_out
from scenarios.measurements.table import (
    LARGEST_TEXT,
    MOST_COLUMNS,
    MOST_FAULTS,
    MOST_ROWS,
    RunTable,
    refuse,
)
from scenarios.tables.cell_text import quoted
from scenarios.tables.cells import Cell
from scenarios.tables.delimiters import HEADER_AMONG, best_delimiter

_SAMPLE = 200
_BEGINNING = 1 << 20  # characters in which the delimiter is looked for
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")

Record = tuple[int, list[str]]
"""First line of a record, and its cells."""

Comment = tuple[int, int]
"""Line of a comment, and how many cells it would have as a record."""


def csv_runs(
    path: Path,
    shown: str,
    columns: Mapping[str, str] | None,
    units: Mapping[str, str] | None,
) -> RunTable:
    """Read the columns of a CSV file; blank lines and those that begin with ``#`` are left out.

    The delimiter is that of comma, semicolon and tab with which most headings are known.

    Raises
    ------
    ScenarioError
        Missing, too large, not UTF-8, not CSV, or without runs.
    """
    file = read_text(path, shown, LARGEST_TEXT, "leave out columns, or give a Parquet file")
    delimiter = _delimiter(file, columns)
    comments: list[Comment] = []
    records = _records(file, delimiter, comments)
    top = list(islice(records, HEADER_AMONG))
    if not top:
        raise _error(shown, "holds no values; give a row of headings and measurements")
    best = headings_row([cells[:MOST_COLUMNS] for _, cells in top], columns)
    line, cells = top[best]
    if len(cells) > MOST_COLUMNS:
        much = f"{len(cells)} columns, more than {MOST_COLUMNS}"
        raise _error(shown, f"{much}; leave out those that are not needed", line)
    headings: list[Cell] = [cell.strip() or None for cell in cells]
    layout = lay_out(headings, columns, units)
    table = RunTable(shown, file.sha256, headings, line, layout, {}, (), delimiter)
    if layout.problems:
        return table
    return _filled(table, top[best + 1 :], records, cells, comments)


def _filled(
    table: RunTable,
    top: list[Record],
    rest: Iterator[Record],
    header: list[str],
    comments: list[Comment],
) -> RunTable:
    """Add the cells of all runs, and the faults of records that are too short or too long.

    ``comments`` is complete as soon as ``rest`` is read.
    """
    width = max(i for i, cell in enumerate(header) if cell.strip()) + 1
    places = [*table.layout.places.values(), *table.layout.others.values()]
    kept: list[list[str]] = [[] for _ in places]
    lines: list[int] = []
    faults: list[Fault] = []
    again = []
    for source in (top, rest):
        for line, cells in source:
            if len(cells) != width and (trouble := _trouble(cells, width, len(header))):
                faults.append(Fault(table.name, line, "", trouble))
            elif cells == header:
                again.append(line)
            else:
                lines.append(line)
                for column, place in zip(kept, places, strict=True):
                    column.append(cells[place])
            if len(lines) > MOST_ROWS:
                raise _error(table.name, f"holds more than {MOST_ROWS} rows; split it", line)
            if len(faults) > MOST_FAULTS:
                raise refuse(table.name, faults)
    if faults:
        raise refuse(table.name, faults)
    known = len(table.layout.places)
    found: dict[str, list[str]] = dict(zip(table.layout.places, kept[:known], strict=True))
    others: dict[str, list[str]] = dict(zip(table.layout.others, kept[known:], strict=True))
    widest = max(len(header), width + 1)
    commented = [n for n, much in comments if n > table.header_line and width <= much <= widest]
    warnings = tuple(f"the headings stand again in line {line}; left out" for line in again[:5])
    return RunTable(
        table.name,
        table.sha256,
        table.headings,
        table.header_line,
        table.layout,
        found,
        lines,
        table.delimiter,
        warnings=warnings,
        commented=commented,
        others=others,
    )


def _trouble(cells: list[str], width: int, declared: int) -> str:
    """What is wrong with a record that is not as wide as the headings; blanks at its end are not.

    One delimiter more at the end of a row is a habit of some programs, but a cell there means
    that a delimiter inside a cell has shifted the others.
    """
    remedy = "give one per column, in quotation marks where it holds the delimiter"
    if len(cells) < width:
        return f"{len(cells)} cells where the headings have {width}; {remedy}"
    beyond = next((cell for cell in cells[width:] if cell.strip()), None)
    if beyond is not None:
        return f"{quoted(beyond)} stands right of all headings; {remedy}"
    if len(cells) > max(declared, width + 1):
        return f"{len(cells)} cells where the headings have {declared}; {remedy}"
    return ""


def _delimiter(file: TextFile, columns: Mapping[str, str] | None) -> str:
    beginning = replace(file, text=file.text[:_BEGINNING])

    def rows(delimiter: str) -> list[list[str]]:
        found: list[list[str]] = []
        with contextlib.suppress(ScenarioError):  # said when the whole file is read
            found.extend(cells for _, cells in islice(_records(beginning, delimiter), _SAMPLE))
        return found

    return best_delimiter(rows, lambda cells: known_headings([*cells[:MOST_COLUMNS]], columns))


def _records(
    file: TextFile, delimiter: str, comments: list[Comment] | None = None
) -> Iterator[Record]:
    """Yield the records that have a filled cell, and add to ``comments`` those of many cells.

    Comments are lines outside of quotation marks.
    """
    number = 0
    fresh = True

    def lines() -> Iterator[str]:
        nonlocal number, fresh
        for found in _LINE.finditer(file.text):
            number += 1
            text = found[0]
            if fresh and text.lstrip()[:1] == "#":
                if comments is not None and delimiter in text:
                    comments.append((number, _width(text, delimiter)))
                continue
            if fresh:
                begun.append(number)
                fresh = False
            yield text

    begun: list[int] = []
    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    while True:
        fresh = True
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            message = f"is not CSV ({error}); close its quotation marks, or shorten the cell"
            raise _error(file.name, message, begun[-1] if begun else 0) from None
        if any(cells) and any(cell.strip() for cell in cells):
            yield begun[-1], cells


def _width(text: str, delimiter: str) -> int:
    """How many cells a line has; 0 where it is not CSV."""
    try:
        return len(next(csv.reader([text], delimiter=delimiter, strict=True)))
    except csv.Error:
        return 0


def _error(shown: str, message: str, line: int = 0) -> ScenarioError:
    return ScenarioError([Fault(shown, line, "", message)])
