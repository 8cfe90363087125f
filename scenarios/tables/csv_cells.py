"""Cells of a CSV file, each row with the line at which it begins."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from scenarios.faults import Fault, ScenarioError
from scenarios.files import read_text
from scenarios.tables.cell_references import QUOTES, column_letters, too_far
from scenarios.tables.cells import Table
from scenarios.tables.delimiters import DELIMITERS, best_delimiter


def read_csv(path: Path, shown: str) -> Table:
    """Read a CSV file; rows without a filled cell are left out.

    The delimiter is found as :func:`scenarios.tables.delimiters.best_delimiter` says.

    Raises
    ------
    ScenarioError
        Missing, too large, not UTF-8, not CSV, or nothing in it.
    """
    file = read_text(path, shown)
    parsed = {delimiter: _records(file.text, delimiter) for delimiter in DELIMITERS}
    delimiter = best_delimiter(lambda each: [cells for _, cells in parsed[each][0]])
    records, broken = parsed[delimiter]
    if broken:
        raise _error(shown, "a quotation mark is not closed as CSV wants; correct it", broken)
    if any(
        not found and not wrong for found, wrong in parsed.values()
    ):  # blanks and delimiters only
        raise _error(shown, "holds no values; save the quotes into it")
    lines = tuple(line for line, _ in records)
    rows = tuple(tuple(cell if cell.strip() else None for cell in row) for _, row in records)
    widest = max(range(len(rows)), key=lambda index: len(rows[index]))
    if len(rows) > QUOTES.rows or len(rows[widest]) > QUOTES.columns:
        line, column = (
            (widest, QUOTES.columns) if len(rows[widest]) > QUOTES.columns else (QUOTES.rows, 0)
        )
        where = f"{column_letters(column)}{lines[line]}"
        raise _error(shown, str(too_far(where, QUOTES)), lines[line])
    return Table(shown, "", file.sha256, rows, lines)


def _records(text: str, delimiter: str) -> tuple[list[tuple[int, list[str]]], int]:
    """Split text into records with their first lines; and the line that is not CSV, or 0."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    records = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                records.append((line, cells))
            line = reader.line_num + 1
    except csv.Error:  # an open quote, or a cell of more than 128 KiB
        return records, line
    return records, 0


def _error(shown: str, message: str, line: int = 0) -> ScenarioError:
    return ScenarioError([Fault(shown, line, "", message)])
