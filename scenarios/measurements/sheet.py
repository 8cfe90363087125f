"""Measurements from a sheet of a workbook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from scenarios.faults import ScenarioError
from scenarios.measurements.fields import FIELDS, OPTIONAL
from scenarios.measurements.table import OPTION, RunTable
from scenarios.tables.cell_references import WORKBOOKS
from scenarios.tables.cell_text import is_blank
from scenarios.tables.cells import Cell, Table
from scenarios.tables.columns import headings_row, lay_out
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
    layout = lay_out(headings, FIELDS, columns, units, option=OPTION)
    line = cells.lines[header]
    if layout.problems:
        return RunTable(file_name, cells.sha256, headings, line, layout, {}, (), sheet=cells.sheet)
    rows = [row for row in top if row > header and cells.rows[row] != headings]
    commented = [
        cells.lines[row]
        for row, row_cells in enumerate(cells.rows)
        if row > header and _is_comment(row_cells) and _is_full(cells, row, layout.places)
    ]
    runs: dict[str, list[Cell]] = {
        target: [cells.cell(row, index) for row in rows] for target, index in layout.places.items()
    }
    return RunTable(
        file_name,
        cells.sha256,
        headings,
        line,
        layout,
        runs,
        [cells.lines[row] for row in rows],
        sheet=cells.sheet,
        warnings=_hidden(cells, rows, layout.places),
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


def _hidden(cells: Table, rows: list[int], places: Mapping[str, int]) -> tuple[str, ...]:
    """Return what a spreadsheet program does not show, and what is read all the same."""
    warnings = []
    hidden = [cells.lines[row] for row in rows if row in cells.hidden_rows]
    if hidden:
        listed = ", ".join(map(str, hidden[:5])) + (", ..." if hidden[5:] else "")
        warnings.append(f"{len(hidden)} hidden rows are included: {listed}")
    columns = [index for index in places.values() if index in cells.hidden_columns]
    if columns:
        listed = ", ".join(target for target, p in places.items() if p in columns)
        warnings.append(f"hidden columns are included: {listed}")
    return tuple(warnings)
