"""The one rule by which the delimiter of a table in text is found, for every reader of CSV."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

DELIMITERS = (";", ",", "\t", "|")
HEADER_AMONG = 50
"""Rows in which the headings are searched: titles and notes may be above them."""

SAMPLE = 200
"""Records by which the delimiter is found."""

Known = Callable[[Sequence[str]], int]
"""How many of some cells are headings that the reader knows."""


def best_delimiter(
    rows: Callable[[str], Sequence[Sequence[str]]], known: Known | None = None
) -> str:
    """The one of semicolon, comma, tab and vertical bar by which a table makes most sense.

    That is the one by which most headings are known; then by which most rows have as many cells as
    the first row that has two or more filled ones; then the one with most cells; then the
    semicolon, since commas may then be decimal marks.

    Parameters
    ----------
    rows
        The table's rows by delimiter.
    known
        How many headings are known in a row; without it rows alone decide.
    """

    def score(delimiter: str) -> tuple[int, int, int]:
        found = rows(delimiter)
        headings = 0 if known is None else max(map(known, found[:HEADER_AMONG]), default=0)
        return headings, *consistency(found)

    return max(DELIMITERS, key=score)


def delimiter_of(lines: Iterable[str], known: Known | None = None) -> str:
    """The delimiter of a table whose rows are lines; blank lines and comments are passed over.

    Examples
    --------
    >>> delimiter_of(["nodes;time_s", "2;90,5", "4;80,5"])
    ';'
    >>> delimiter_of(["# by hand", "a,b;c", "1,2"], lambda cells: cells.count("a"))
    ','
    """
    sample = [each for each in lines if each.strip() and not each.lstrip().startswith("#")]
    sample = sample[:SAMPLE]

    def rows(delimiter: str) -> list[list[str]]:
        return [cells_of(line, delimiter) for line in sample]

    return best_delimiter(rows, known)


def cells_of(line: str, delimiter: str) -> list[str]:
    """Cells of one line, without blanks around them; none where it is not CSV."""
    cells: list[str] = []
    with contextlib.suppress(csv.Error):  # an open quote, or a cell of more than 128 KiB
        cells = next(csv.reader([line], delimiter=delimiter, strict=True), [])
    return [cell.strip() for cell in cells]


def consistency(rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    """How many rows are as wide as the first one with two filled cells; and how wide it is."""
    filled = (sum(bool(cell.strip()) for cell in cells) for cells in rows)
    header = next((index for index, count in enumerate(filled) if count > 1), None)
    if header is None:
        return 0, 0
    width = len(rows[header])
    return sum(len(cells) == width for cells in islice(rows, header, None)), width
