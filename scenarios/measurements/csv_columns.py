"""Measurements from CSV: only the columns that are read are kept, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

from scenarios.faults import Fault, ScenarioError
from scenarios.measurements.fields import FIELDS, laid_out
from scenarios.measurements.table import (
    LARGEST_TEXT,
    MOST_COLUMNS,
    MOST_FAULTS,
    MOST_ROWS,
    OPTION,
    RunTable,
    refuse,
)
from scenarios.tables.cells import Cell
from scenarios.tables.columns import headings_row, known_headings
from scenarios.tables.csv_cells import open_csv
from scenarios.tables.delimiters import HEADER_AMONG, cells_of
from scenarios.tables.field_table import excess
from scenarios.tables.records import Record

Comment = tuple[int, int]
"""Line of a comment, and how many cells it would have as a record."""

_SIMULATED = re.compile(r"(?<!not )\bsimulated\b", re.IGNORECASE)
_SOURCE = re.compile(r"^source\s*:\s*", re.IGNORECASE)
_MOST_NOTE = 120


def csv_runs(
    path: Path,
    file_name: str,
    columns: Mapping[str, str] | None,
    units: Mapping[str, str] | None,
) -> RunTable:
    """Read the columns of a CSV file; blank lines and those that begin with ``#`` are left out.

    Raises
    ------
    ScenarioError
        Missing, too large, not UTF-8 or UTF-16, not CSV, or without runs.
    """
    text = open_csv(
        path,
        file_name,
        lambda cells: known_headings([*cells[:MOST_COLUMNS]], FIELDS, columns),
        most=LARGEST_TEXT,
        remedy="delete columns, or use a Parquet file",
    )
    comments: list[Comment] = []
    simulated: list[str] = []

    def on_comment(number: int, line: str) -> None:
        if not simulated and _SIMULATED.search(line):
            simulated.append(_note(line))
        if text.delimiter in line:
            comments.append((number, len(cells_of(line, text.delimiter))))

    records = text.records(on_comment)
    top = list(islice(records, HEADER_AMONG))
    if not top:
        raise _error(
            file_name, "contains no values; write a row of headings, then the measurements"
        )
    best = headings_row([cells[:MOST_COLUMNS] for _, cells in top], FIELDS, columns)
    line, cells = top[best]
    if len(cells) > MOST_COLUMNS:
        much = f"{len(cells)} columns, more than {MOST_COLUMNS}"
        raise _error(file_name, f"{much}; delete those that are not needed", line)
    headings: list[Cell] = [cell.strip() or None for cell in cells]
    layout = laid_out(headings, columns, units, option=OPTION)
    table = RunTable(file_name, text.file.sha256, headings, line, layout, {}, (), text.delimiter)
    if layout.problems:
        return table
    filled = _filled(table, top[best + 1 :], records, cells, comments)
    return replace(filled, simulated=simulated[0]) if simulated else filled


def _note(line: str) -> str:
    """Return the text of a comment without its mark and without ``source:``."""
    text = " ".join(line.strip().lstrip("#").split())
    return _SOURCE.sub("", text).rstrip(".")[:_MOST_NOTE]


def _filled(
    table: RunTable,
    top: list[Record],
    rest: Iterator[Record],
    header: list[str],
    comments: list[Comment],
) -> RunTable:
    """Add the cells of all runs, and the errors of records that are too short or too long.

    ``comments`` is complete as soon as ``rest`` is read.
    """
    width = max(i for i, cell in enumerate(header) if cell.strip()) + 1
    places = [*table.layout.places.values(), *table.layout.others.values()]
    filled: list[list[str]] = [[] for _ in places]
    lines: list[int] = []
    faults: list[Fault] = []
    again: list[int] = []
    for source in (top, rest):
        for line, cells in source:
            if len(cells) != width and (error := excess(cells, header, spare=1)):
                faults.append(Fault(table.name, line, "", error))
            elif cells == header:
                again.append(line)
            else:
                lines.append(line)
                for column, index in zip(filled, places, strict=True):
                    column.append(cells[index])
            if len(lines) > MOST_ROWS:
                raise _error(table.name, f"contains more than {MOST_ROWS} rows; split it", line)
            if len(faults) > MOST_FAULTS:
                raise refuse(table.name, faults)
    if faults:
        raise refuse(table.name, faults)
    named = len(table.layout.places)
    columns: dict[str, list[str]] = dict(zip(table.layout.places, filled[:named], strict=True))
    others: dict[str, list[str]] = dict(zip(table.layout.others, filled[named:], strict=True))
    widest = max(len(header), width + 1)
    commented = [n for n, much in comments if n > table.header_line and width <= much <= widest]
    return replace(
        table,
        cells=columns,
        lines=lines,
        remarks=table.on_rows("runs-headings-again", again),
        commented=commented,
        others=others,
    )


def _error(file_name: str, message: str, line: int = 0) -> ScenarioError:
    return ScenarioError([Fault(file_name, line, "", message)])
