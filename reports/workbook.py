"""The study's tables as an Excel workbook. Text is text: never a formula, never a link."""

from __future__ import annotations

import datetime as dt
import io
import math
from typing import Any

from planner.registry import command_of
from planner.study import Study
from reports.report import report_of

MOST_ROWS = 100_000
"""A sheet could hold ten times as many, but nobody opens them."""
_LARGEST_CELL = 32_000
_LONGEST_NAME = 31
_FIXED_DATE = dt.datetime(2000, 1, 1)  # XlsxWriter wants it naive


class WorkbookWriteError(RuntimeError):
    """A cell could not be written; the message says which."""


def workbook(study: Study) -> bytes:
    """Make the workbook's bytes: the same for the same study.

    Raises
    ------
    WorkbookError
        A cell that the format cannot hold.
    """
    import xlsxwriter

    buffer = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = xlsxwriter.Workbook(buffer, options)
    book.set_properties(
        {
            "title": clean(report_of(study).title(study)),
            "created": _FIXED_DATE,
            "author": "Headroom",
        }
    )
    look = _Look(
        book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"}),
        book.add_format({"valign": "top", "text_wrap": True}),
    )
    for name, rows in sheets(study).items():
        _sheet(book, name, rows, look)
    book.close()
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
        short = name[:_LONGEST_NAME]
        for number in range(2, len(every) + 2):
            if short.lower() not in {name.lower() for name in named}:
                break
            ending = f"-{number}"
            short = name[: _LONGEST_NAME - len(ending)] + ending
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


class _Look:
    def __init__(self, header: Any, text: Any) -> None:
        self.header = header
        self.text = text


def _sheet(book: Any, name: str, rows: list[dict[str, Any]], look: _Look) -> None:
    sheet = book.add_worksheet(name)
    columns = list(dict.fromkeys(column for row in rows for column in row))
    for index, column in enumerate(columns):
        _write(sheet, 0, index, column, look.header)
        longest = max([len(column), *(len(str(row.get(column, ""))) for row in rows)])
        sheet.set_column(index, index, min(max(9, longest + 1), 60))
    for line, row in enumerate(rows, start=1):
        for index, column in enumerate(columns):
            _write(sheet, line, index, row.get(column), look.text)
    sheet.freeze_panes(1, 0)


def _write(sheet: Any, row: int, column: int, value: Any, look: Any) -> None:
    if value is None:
        return
    if isinstance(value, bool):
        code = sheet.write_boolean(row, column, value, look)
    elif isinstance(value, int | float) and math.isfinite(value):
        code = sheet.write_number(row, column, value, look)
    else:
        code = sheet.write_string(row, column, clean(str(value)), look)
    if code != 0:
        raise WorkbookWriteError(
            f"cell {row + 1}:{column + 1} of {sheet.get_name()} was refused ({code})"
        )


def clean(text: str) -> str:
    """Text that a workbook can hold: no lone surrogates, no control characters, not endless."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    writable = "".join(c if c in "\t\n" or ord(c) >= 32 else "�" for c in text)
    return writable if len(writable) <= _LARGEST_CELL else writable[: _LARGEST_CELL - 1] + "…"
