"""Cells, looks and printing of a workbook. Text is text: never a formula, never a link."""

from __future__ import annotations

import datetime as dt
import io
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

MOST_ROWS = 100_000
"""A sheet could hold ten times as many, but nobody opens them."""
_LARGEST_CELL = 32_000
_LEAST, _WIDEST = 10, 60
_MOST_COLUMNS = 8
"""Most columns of a sheet whose first column need not stay in sight."""
LONGEST_NAME = 31
_FIXED_DATE = dt.datetime(2000, 1, 1)  # XlsxWriter wants it naive


class WorkbookWriteError(RuntimeError):
    """A cell could not be written; the message says which."""


@contextmanager
def opened(buffer: io.BytesIO, title: str) -> Iterator[Any]:
    """A workbook that is written into a buffer: the same bytes for the same cells."""
    import xlsxwriter

    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = xlsxwriter.Workbook(buffer, options)
    book.set_properties({"title": clean(title), "created": _FIXED_DATE, "author": "Headroom"})
    yield book
    book.close()


class Look:
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


def fit(sheet: Any, index: int, heading: str, values: Sequence[Any]) -> None:
    """Make a column as wide as its longest value, within limits."""
    longest = max([_LEAST, *(len(str(value)) for value in values if value is not None)])
    sheet.set_column(index, index, min(max(longest, len(heading) // 2) + 2, _WIDEST))


def finish(sheet: Any, name: str, rows: int, columns: int) -> None:
    """Keep headings in sight, give them filters, and set up the print."""
    sheet.freeze_panes(1, 1 if columns > _MOST_COLUMNS else 0)
    if rows and columns:
        sheet.autofilter(0, 0, rows, columns - 1)
    _set_up_print(sheet, name)


def _set_up_print(sheet: Any, name: str) -> None:
    """Print on A4, all columns on one page, under the headings, with sheet and page in the foot."""
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    sheet.set_footer(f"&L{name.replace('&', '&&')}&RPage &P of &N")


def write(sheet: Any, row: int, column: int, value: Any, look: Any) -> None:
    """Write a value by its type; nothing for one that is not known."""
    if value is None:
        return
    if isinstance(value, bool):
        code = sheet.write_boolean(row, column, value, look)
    elif isinstance(value, int | float) and math.isfinite(value):
        code = sheet.write_number(row, column, value, look)
    else:
        code = sheet.write_string(row, column, clean(str(value)), look)
    refuse(sheet, row, column, code)


def refuse(sheet: Any, row: int, column: int, code: int) -> None:
    """Raise where a cell was not written."""
    if code != 0:
        raise WorkbookWriteError(
            f"cell {row + 1}:{column + 1} of {sheet.get_name()} was refused ({code})"
        )


def clean(text: str) -> str:
    """Text that a workbook can hold: no lone surrogates, no control characters, not endless."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    writable = "".join(c if c in "\t\n" or ord(c) >= 32 else "�" for c in text)
    return writable if len(writable) <= _LARGEST_CELL else writable[: _LARGEST_CELL - 1] + "…"
