"""What a reader took from the columns of a table, for somebody who checks it."""

from __future__ import annotations

from dataclasses import dataclass

SAMPLES = 3


@dataclass(frozen=True)
class ReadColumn:
    """A column that was read.

    Attributes
    ----------
    holds
        The field that it holds.
    heading
        As in the file.
    unit
        Unit of its numbers; empty where they have none.
    samples
        The first cells, as they are written.
    """

    holds: str
    heading: str
    unit: str
    samples: tuple[str, ...]


@dataclass(frozen=True)
class ReadSheet:
    """A vendor's sheet of which quotes were read.

    Attributes
    ----------
    file, sheet
        Its file without folders, and the name of the sheet in a workbook.
    quotes
        How many rows are quotes.
    columns
        The columns that are read.
    """

    file: str
    sheet: str
    quotes: int
    columns: tuple[ReadColumn, ...]
