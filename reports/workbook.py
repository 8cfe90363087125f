"""The study's tables as an Excel workbook. Text is text: never a formula, never a link."""

from __future__ import annotations

import io
from typing import Any

from planner.key_words import heading, sheet_title
from planner.registry import command_of
from planner.worded_study import Study
from reports.registered import report_of
from reports.sheets import LONGEST_NAME, MOST_ROWS, Look, finish, fit, opened, write
from reports.workbook_columns import number_formats


def workbook(study: Study) -> bytes:
    """Make the workbook's bytes: the same for the same study.

    Raises
    ------
    WorkbookWriteError
        A cell that the format cannot hold.
    """
    buffer = io.BytesIO()
    with opened(buffer, report_of(study).title(study)) as book:
        look = Look(book)
        for name, rows in sheets(study).items():
            _sheet(book, name, rows, look)
    return buffer.getvalue()


def sheets(study: Study) -> dict[str, list[dict[str, Any]]]:
    """Return every sheet's rows by its name: at most 31 characters, no two alike.

    A sheet that holds only some of its rows says so in its last one.
    """
    report = report_of(study)
    first = [{"what": name, "value": value} for name, value in report.summary(study)]
    every = {"summary": first, **study.tables(), **report.sheets(study)}
    partial, data = report.partial(study), f"{command_of(study).name}.json"
    named: dict[str, list[dict[str, Any]]] = {}
    for name, whole in every.items():
        rows = _with_note(whole, partial.get(name, ""), data)
        short = name[:LONGEST_NAME]
        for number in range(2, len(every) + 2):
            if short.lower() not in {name.lower() for name in named}:
                break
            ending = f"-{number}"
            short = name[: LONGEST_NAME - len(ending)] + ending
        named[short] = rows
    return named


def _with_note(rows: list[dict[str, Any]], note: str, data: str) -> list[dict[str, Any]]:
    """As many rows as a sheet has, and under them a ``note`` on those that it has not."""
    if len(rows) > MOST_ROWS:
        note = (
            f"first {MOST_ROWS:,} of {len(rows):,} rows; the rest is in {data}, or in frames() in "
            "Python"
        )
    if not note:
        return rows
    return [*rows[:MOST_ROWS], {next(iter(rows[0]), "what") if rows else "what": note}]


def _sheet(book: Any, name: str, rows: list[dict[str, Any]], look: Look) -> None:
    sheet = book.add_worksheet(sheet_title(name))
    columns = list(dict.fromkeys(column for row in rows for column in row))
    for index, column in enumerate(columns):
        write(sheet, 0, index, heading(column), look.header)
        values = [row.get(column) for row in rows]
        written = number_formats(column, values)
        for line, value in enumerate(values, start=1):
            number = look.number(written[line - 1])
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            write(sheet, line, index, value, number if is_number else look.text)
        fit(sheet, index, heading(column), values)
    finish(sheet, sheet_title(name), len(rows), len(columns))
