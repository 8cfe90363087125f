"""Measurements from a sheet of a workbook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from scenarios.faults import ScenarioError
from scenarios.measurements.fields import FIELDS, OPTIONAL, laid_out
from scenarios.measurements.table import OPTION, RunTable
from scenarios.remark import Remark, remark
from scenarios.tables.cell_references import WORKBOOKS, column_letters
from scenarios.tables.cell_text import is_blank
from scenarios.tables.cells import Cell, Table
from scenarios.tables.columns import headings_row
from scenarios.tables.delimiters import HEADER_AMONG
from scenarios.tables.spreadsheet import read_cells


def sheet_runs(
    path: Path,
    file_name: str,
    columns: Mapping[str, str] | None,
    units: Mapping[str, str] | None,
    sheet: str | None,
) -> RunTable:
    """Read the columns of a sheet; blank rows and those that begin with ``#`` are left out.

    Raises
    ------
    ScenarioError
        The workbook as a whole cannot be used.
    """
    cells = read_cells(path, file_name, sheet, WORKBOOKS)
    top = [row for row, row_cells in enumerate(cells.rows) if _holds_values(row_cells)]
    if not top:
        raise ScenarioError([cells.whole_fault("contains only comments; add measurements")])
    header = top[headings_row([cells.rows[row] for row in top[:HEADER_AMONG]], FIELDS, columns)]
    headings = cells.rows[header]
    layout = laid_out(headings, columns, units, option=OPTION)
    line = cells.lines[header]
    table = RunTable(file_name, cells.sha256, headings, line, layout, {}, (), sheet=cells.sheet)
    if layout.problems:
        return table
    below = [row for row in top if row > header]
    rows = [row for row in below if cells.rows[row] != headings]
    again = [cells.lines[row] for row in below if cells.rows[row] == headings]
    commented = [
        cells.lines[row]
        for row, row_cells in enumerate(cells.rows)
        if row > header and _is_comment(row_cells) and _is_full(cells, row, layout.places)
    ]
    runs: dict[str, list[Cell]] = {
        target: [cells.cell(row, index) for row in rows] for target, index in layout.places.items()
    }
    return replace(
        table,
        cells=runs,
        lines=[cells.lines[row] for row in rows],
        remarks=(
            *table.on_rows("runs-headings-again", again),
            *table.on_rows("runs-hidden-rows", _hidden_rows(cells, rows)),
            *_hidden_columns(cells, layout.places),
        ),
        commented=commented,
        others={
            heading: [cells.cell(row, index) for row in rows]
            for heading, index in layout.others.items()
        },
    )


def _holds_values(row: Sequence[Cell]) -> bool:
    return not _is_comment(row) and not all(is_blank(cell) for cell in row)


def _is_comment(row: Sequence[Cell]) -> bool:
    first = next((cell for cell in row if not is_blank(cell)), None)
    return isinstance(first, str) and first.lstrip()[:1] == "#"


def _is_full(cells: Table, row: int, places: Mapping[str, int]) -> bool:
    """Return whether every column that a run must have is filled."""
    needed = (index for target, index in places.items() if target not in OPTIONAL)
    return not any(is_blank(cells.cell(row, index)) for index in needed)


def _hidden_rows(cells: Table, rows: Sequence[int]) -> list[int]:
    """Lines that a spreadsheet program does not show, and that are read all the same."""
    return [cells.lines[row] for row in rows if row in cells.hidden_rows]


def _hidden_columns(cells: Table, places: Mapping[str, int]) -> Iterator[Remark]:
    """Say which columns are read that a spreadsheet program does not show."""
    columns = sorted({*places.values()} & {*cells.hidden_columns})
    if columns:
        yield remark("runs-hidden-columns", columns=(tuple(map(column_letters, columns)), "id"))
