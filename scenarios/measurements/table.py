"""The columns of a table of measurements that are read, before their cells are understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scenarios.faults import Fault, ScenarioError
from scenarios.formatting import clipped
from scenarios.remark import Given, Remark, remark
from scenarios.tables.cell_references import column_letters, sheet_prefix
from scenarios.tables.cells import Cell
from scenarios.tables.columns import Layout
from scenarios.tables.headings import heading_text

Cells = Sequence[Cell] | NDArray[np.float64]
"""The cells of one column; an array if all are numbers."""

MOST_FAULTS = 100
LARGEST_TEXT = 256 << 20
"""Bytes of a CSV file: 200,000 rows of 60 columns are half of it."""

OPTION = "--column"
"""The option by which a user says which column holds what."""

_FIRST_ROWS = 8
"""Rows of a remark whose places it has."""

MOST_ROWS = 1_000_000
MOST_COLUMNS = 1000


@dataclass(frozen=True)
class RunTable:
    """Some columns of a table, one entry per run.

    Attributes
    ----------
    name, sha256
        The file, as the user named it, and its hash.
    headings
        The row of headings, and in ``header_line`` its place.
    layout
        What the columns hold.
    cells
        By what they hold; of equal length.
    others
        Cells of the columns that Headroom does not know, by their headings.
    lines
        Place of each run: line of a text file, row of a sheet or of a Parquet file, from 1.
    row_word
        Word for a place in the file: ``line``, or ``row`` of a Parquet file.
    sheet
        Name of the sheet; empty where there is none.
    delimiter
        Delimiter of a text file.
    remarks
        What was read and may not have been meant.
    commented
        Places below the headings of rows that begin with ``#``, as comments do, but look like
        runs.
    simulated
        The first comment that calls the runs simulated; empty if none does.
    """

    name: str
    sha256: str
    headings: Sequence[Cell]
    header_line: int
    layout: Layout
    cells: Mapping[str, Cells]
    lines: Sequence[int]
    delimiter: str = ""
    row_word: str = "line"
    sheet: str = ""
    remarks: tuple[Remark, ...] = ()
    commented: Sequence[int] = ()
    simulated: str = ""
    others: Mapping[str, Sequence[Cell]] = field(default_factory=dict)

    def fault(self, run: int, target: str, message: str) -> Fault:
        """Build the error of one cell."""
        return self._fault(self.lines[run], self.layout.places.get(target), message)

    def heading_fault(self, index: int | None, message: str) -> Fault:
        """Build the error of a heading, or of the row of headings."""
        return self._fault(self.header_line, index, message)

    def position(self, run: int) -> str:
        """Return where the user finds a run, as in ``line 7``."""
        return self.line_position(self.lines[run])

    def line_position(self, line: int) -> str:
        """Return where the user finds a line that need not be a run."""
        if self.sheet:
            return f"{sheet_prefix(self.sheet)}{line}"
        return f"{self.row_word} {line}"

    def on_rows(self, kind: str, lines: Sequence[int], **more: Given) -> tuple[Remark, ...]:
        """Remark on some rows, if there are any: how many, and where the first of them are."""
        if not len(lines):
            return ()
        first = tuple(self.line_position(line) for line in lines[:_FIRST_ROWS])
        return (remark(kind, rows=(len(lines), "row"), first=(first, "place"), **more),)

    def _fault(self, line: int, index: int | None, message: str) -> Fault:
        where = "" if index is None else clipped(heading_text(self.headings[index]))
        if self.sheet:
            letters = "" if index is None else column_letters(index)
            address = f"{sheet_prefix(self.sheet)}{letters}{line}"
            return Fault(self.name, 0, f"{address}: {where}" if where else address, message)
        if self.row_word == "line":
            return Fault(self.name, line, where, message)
        row = f"row {line}" if line else "schema"
        return Fault(self.name, 0, f"{row}: {where}" if where else row, message)


def refuse(name: str, faults: Sequence[Fault]) -> ScenarioError:
    """Build an exception with at most a hundred errors, in the order of the file."""
    listed = list(dict.fromkeys(faults))
    if len(listed) > MOST_FAULTS:
        listed = sorted(listed)[:MOST_FAULTS]
        rest = "and more; correct these first"
        last = listed[-1]
        listed[-1] = Fault(last.file, last.line, last.where, f"{last.message} ({rest})")
    return ScenarioError(listed or [Fault(name, 0, "", "cannot be read")])
