"""Tables in CSV: the one place where such a file is opened and its delimiter found."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from scenarios.faults import Fault, ScenarioError
from scenarios.files import LARGEST_BYTES, TextFile
from scenarios.tables.cell_references import QUOTES, column_letters, too_far
from scenarios.tables.cells import Table
from scenarios.tables.delimiters import DELIMITERS, SAMPLE, Known, best_delimiter
from scenarios.tables.records import Record, numbered_lines, records
from scenarios.tables.table_text import read_table_text

_BEGINNING = 1 << 20  # characters in which the delimiter is looked for


@dataclass(frozen=True)
class CsvText:
    """A table in text whose delimiter is known.

    Attributes
    ----------
    file
        Its name, text and hash.
    delimiter
        Between cells.
    comments
        Signs with which a line begins that is a comment.
    """

    file: TextFile
    delimiter: str
    comments: str

    def records(self, on_comment: Callable[[int, str], None] | None = None) -> Iterator[Record]:
        """Yield the records that have a filled cell; see :func:`scenarios.tables.records.records`.

        Raises
        ------
        ScenarioError
            A record is not CSV.
        """
        lines = numbered_lines(self.file.text)
        return records(
            lines,
            self.delimiter,
            self.file.name,
            comments=self.comments,
            on_comment=on_comment,
        )


def open_csv(
    path: Path,
    shown: str,
    known: Known | None = None,
    *,
    most: int = LARGEST_BYTES,
    remedy: str = "no table of quotes is that large",
    kind: str = "a text file",
    comments: str = "#",
) -> CsvText:
    """Read a table in text and find its delimiter.

    Parameters
    ----------
    path, shown, most, remedy, kind
        As in :func:`scenarios.tables.table_text.read_table_text`.
    known
        How many of some cells are headings that the reader knows.
    comments
        Signs with which a line begins that is a comment.

    Raises
    ------
    ScenarioError
        The file cannot be read as text.
    """
    return csv_of(read_table_text(path, shown, most, remedy, kind), known, comments)


def csv_of(file: TextFile, known: Known | None = None, comments: str = "#") -> CsvText:
    """Find the delimiter of a text that is read already."""
    beginning = replace(file, text=file.text[:_BEGINNING])

    def rows(delimiter: str) -> list[list[str]]:
        found: list[list[str]] = []
        with contextlib.suppress(ScenarioError):  # said when the whole file is read
            sample = CsvText(beginning, delimiter, comments).records()
            found.extend(cells for _, cells in islice(sample, SAMPLE))
        return found

    return CsvText(file, best_delimiter(rows, known), comments)


def read_csv(path: Path, shown: str) -> Table:
    """Read all cells of a CSV file; rows without a filled cell are left out.

    No line is a comment: a quote may begin with any sign. A file that is not UTF-8 is read in
    another encoding, and the table says so.

    Raises
    ------
    ScenarioError
        Missing, too large, in another encoding, not CSV, or nothing in it.
    """
    remedy = "no table of quotes is that large"
    text = csv_of(read_table_text(path, shown, LARGEST_BYTES, remedy, windows=True), comments="")
    found = list(text.records())
    if not found or not text.file.text.strip(f"{''.join(DELIMITERS)} \n"):
        raise _error(shown, "contains no values; add the quotes")
    lines = tuple(line for line, _ in found)
    rows = tuple(tuple(cell if cell.strip() else None for cell in row) for _, row in found)
    widest = max(range(len(rows)), key=lambda index: len(rows[index]))
    if len(rows) > QUOTES.rows or len(rows[widest]) > QUOTES.columns:
        line, column = (
            (widest, QUOTES.columns) if len(rows[widest]) > QUOTES.columns else (QUOTES.rows, 0)
        )
        where = f"{column_letters(column)}{lines[line]}"
        raise _error(shown, str(too_far(where, QUOTES)), lines[line])
    return Table(shown, "", text.file.sha256, rows, lines, form=text.file.encoding or "csv")


def _error(shown: str, message: str, line: int = 0) -> ScenarioError:
    return ScenarioError([Fault(shown, line, "", message)])
