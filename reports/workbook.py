"""The study's tables as an Excel workbook. Text is text: never a formula, never a link."""

from __future__ import annotations

import datetime as dt
import io
import math
from typing import Any

from planner.key_words import heading, sheet_title
from planner.registry import command_of
from planner.worded_study import Study
from reports.formula import Formula
from reports.registered import report_of
from reports.workbook_columns import number_formats
from scenarios.tables.cell_references import column_letters

MOST_ROWS = 100_000
"""A sheet could hold ten times as many, but nobody opens them."""
_LARGEST_CELL = 32_000
_LONGEST_NAME = 31
_LONGEST_WORD, _WIDEST = 10, 60
_MOST_COLUMNS = 8
"""Most columns of a sheet whose first column need not stay in sight."""
_FIXED_DATE = dt.datetime(2000, 1, 1)  # XlsxWriter wants it naive


class WorkbookWriteError(RuntimeError):
    """A cell could not be written; the message says which."""


def workbook(study: Study) -> bytes:
    """Make the workbook's bytes: the same for the same study.

    Raises
    ------
    WorkbookWriteError
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
    look = _Look(book)
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
    """The formats of a workbook; those of numbers are made once for each way of writing them."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self._numbers: dict[str, Any] = {}
        self.header = book.add_format(
            {"bold": True, "bottom": 1, "text_wrap": True, "valign": "top", "bg_color": "#EAF2F8"}
        )
        self.text = book.add_format({"valign": "top", "text_wrap": True})

    def number(self, written: str) -> Any:
        """The format of numbers that are written so."""
        if written not in self._numbers:
            made = self._book.add_format({"valign": "top", "num_format": written})
            self._numbers[written] = made
        return self._numbers[written]


def _sheet(book: Any, name: str, rows: list[dict[str, Any]], look: _Look) -> None:
    sheet = book.add_worksheet(sheet_title(name))
    columns = list(dict.fromkeys(column for row in rows for column in row))
    letters = {column: column_letters(index) for index, column in enumerate(columns)}
    for index, column in enumerate(columns):
        _write(sheet, 0, index, heading(column), look.header)
        values = [row.get(column) for row in rows]
        worked_out = [value.value if isinstance(value, Formula) else value for value in values]
        written = number_formats(column, worked_out)
        for line, value in enumerate(values, start=1):
            number = look.number(written[line - 1])
            if isinstance(value, Formula):
                text = value.text(line + 1, letters)
                _refused(
                    sheet, line, index, sheet.write_formula(line, index, text, number, value.value)
                )
                continue
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            _write(sheet, line, index, value, number if is_number else look.text)
        longest = max(
            [_LONGEST_WORD, *(len(str(value)) for value in worked_out if value is not None)]
        )
        sheet.set_column(index, index, min(max(longest, len(heading(column)) // 2) + 2, _WIDEST))
    sheet.freeze_panes(1, 1 if len(columns) > _MOST_COLUMNS else 0)
    if rows and columns:
        sheet.autofilter(0, 0, len(rows), len(columns) - 1)
    _set_up_print(sheet, sheet_title(name))


def _set_up_print(sheet: Any, name: str) -> None:
    """Print on A4, all columns on one page, under the headings, with sheet and page in the foot."""
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    sheet.set_footer(f"&L{name.replace('&', '&&')}&RPage &P of &N")


def _write(sheet: Any, row: int, column: int, value: Any, look: Any) -> None:
    if value is None:
        return
    if isinstance(value, bool):
        code = sheet.write_boolean(row, column, value, look)
    elif isinstance(value, int | float) and math.isfinite(value):
        code = sheet.write_number(row, column, value, look)
    else:
        code = sheet.write_string(row, column, clean(str(value)), look)
    _refused(sheet, row, column, code)


def _refused(sheet: Any, row: int, column: int, code: int) -> None:
    if code != 0:
        raise WorkbookWriteError(
            f"cell {row + 1}:{column + 1} of {sheet.get_name()} was refused ({code})"
        )


def clean(text: str) -> str:
    """Text that a workbook can hold: no lone surrogates, no control characters, not endless."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    writable = "".join(c if c in "\t\n" or ord(c) >= 32 else "�" for c in text)
    return writable if len(writable) <= _LARGEST_CELL else writable[: _LARGEST_CELL - 1] + "…"
