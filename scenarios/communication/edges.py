"""Communication as a list: source, destination, bytes and, where known, messages and sizes."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence

from scenarios.communication.numbered_text import (
    LARGEST_AMOUNT,
    NumberedText,
    a_rank,
    amount,
    whole,
)
from scenarios.communication.records import Read, Records
from scenarios.tables.delimiters import DELIMITERS, delimiter_of
from scenarios.wording import short

HEADINGS: Mapping[str, str] = {
    "source": "source",
    "src": "source",
    "from": "source",
    "sender": "source",
    "destination": "destination",
    "dst": "destination",
    "dest": "destination",
    "target": "destination",
    "to": "destination",
    "receiver": "destination",
    "bytes": "bytes",
    "messages": "messages",
    "msgs": "messages",
    "log2size_histogram": "sizes",
    "sizes": "sizes",
}
_COUNTS = frozenset({"count", "counts", "n", "num", "number", "calls", "times", "repeats"})
"""Headings that do not tell whether bytes are those of one message or of all."""

_NEEDED = ("source", "destination", "bytes")
_WITHOUT_HEADINGS = (*_NEEDED, "messages")
_EXPLAINED = re.compile(r"(log2size_histogram|sizes)\(.*", re.IGNORECASE)
"""A last heading with an explanation that may hold separators."""

_PLAIN_COUNTS = re.compile(r"\d{1,15}(?:,\d{1,15})*", re.ASCII)

MOST_BINS = 70
"""Bins of a histogram: the 66 that Open MPI writes, and a few to spare."""


def read_edges(text: NumberedText, first_rank: int = 0) -> Read:
    """Read one directed record per line; those of the same pair add up.

    Columns stand between commas, semicolons, tabs or blanks; lines that begin with # or % are
    comments. Without headings the columns are source, destination, bytes and messages.

    Parameters
    ----------
    text
        The list.
    first_rank
        From where the file counts ranks, 0 or 1.

    Raises
    ------
    ScenarioError
        A line is no record, a heading is there twice, or a count of it does not know what.
    """
    records = Records()
    left_out: tuple[str, ...] = ()
    separator: str | None = None
    columns: tuple[str, ...] = ()
    for number, line in text:
        if not line.strip() or line.lstrip()[0] in "#%":
            continue
        if not columns:
            separator = separator_of(text.beginning(), line) or None
            first_cells = _first_cells(text, number, line, separator)
            if not first_cells[0].strip()[:1].isdigit():
                first_cells = _cells(_EXPLAINED.sub(r"\1", line), separator)
                columns = _by_headings(text, number, first_cells)
                left_out = tuple(
                    short(cell.strip())
                    for cell, column in zip(first_cells, columns, strict=True)
                    if not column
                )
                continue
            columns = _WITHOUT_HEADINGS[: max(3, min(len(first_cells), 4))]
        try:
            _read_line(_cells(line, separator), columns, first_rank, records)
        except ValueError as error:
            text.fault(number, str(error))
    if not columns:
        text.fault(0, "has no records; give lines of source, destination, bytes")
    text.settle()
    directed = records.directed(messages="messages" in columns, sizes="sizes" in columns)
    warnings = [*_columns_left_out(left_out), *_counted_from_1(records, first_rank)]
    return Read(records.highest + 1, directed, warnings=tuple(warnings))


def separator_of(beginning: Sequence[str], first: str) -> str:
    """The delimiter of a table of communication; empty where blanks stand between its cells."""
    if not any(delimiter in first for delimiter in DELIMITERS):
        return ""
    lines = [each for each in beginning if not each.lstrip().startswith("%")]
    found = delimiter_of(lines, lambda cells: sum(map(bool, map(_heading, cells))))
    return (
        found
        if found in first
        else next(delimiter for delimiter in DELIMITERS if delimiter in first)
    )


def _columns_left_out(names: tuple[str, ...]) -> list[str]:
    if not names:
        return []
    which = f"column {names[0]} is" if len(names) == 1 else f"columns {', '.join(names)} are"
    known = ", ".join(dict.fromkeys(HEADINGS.values()))
    return [f"{which} not known and left out; known are {known}"]


def _counted_from_1(records: Records, first_rank: int) -> list[str]:
    if first_rank or records.lowest != 1:
        return []
    highest = records.highest
    message = (
        "RANK 0 NEVER OCCURS in this list, as if it counted from 1. It was read as counting from "
        f"0, so that there are {highest + 1} ranks, 0 to {highest}; if it counts from 1 to "
        f"{highest}, say so (--first-rank 1)"
    )
    return [message]


def _cells(line: str, separator: str | None) -> list[str]:
    if separator is None:
        return line.split()
    try:
        return next(csv.reader([line], delimiter=separator))
    except csv.Error as error:
        raise ValueError(f"cannot be split into cells ({error}); check its quotes") from error


def _first_cells(text: NumberedText, number: int, line: str, separator: str | None) -> list[str]:
    """Cells of the line that tells the columns; without them nothing else can be read."""
    try:
        return _cells(line, separator)
    except ValueError as error:
        text.fault(number, str(error))
        text.settle()
        raise


def is_headed(line: str) -> bool:
    """Whether a line is headings of a list of records."""
    found = [_heading(each) for each in re.split(r"[,;\s]+", _EXPLAINED.sub(r"\1", line.strip()))]
    return {"source", "destination"} <= set(found)


def _heading(cell: str) -> str:
    return HEADINGS.get(cell.strip().lower(), "")


def _by_headings(text: NumberedText, number: int, cells: list[str]) -> tuple[str, ...]:
    columns = tuple(map(_heading, cells))
    for needed in _NEEDED:
        if columns.count(needed) != 1:
            times = "not among the headings" if needed not in columns else "there twice"
            text.fault(number, f"{needed} is {times} ({short(','.join(cells))}); name it once")
    for column in set(columns) - {"", *_NEEDED}:
        if columns.count(column) > 1:
            text.fault(number, f"{column} is there twice ({short(','.join(cells))}); name it once")
    for cell in cells:
        if cell.strip().lower() in _COUNTS:
            text.fault(
                number,
                f"{short(cell.strip())} does not say whether bytes are those of one message or of "
                "all of them; name it messages where bytes are the sum, else multiply bytes by it "
                "and then name it messages",
            )
    text.settle()
    return columns


def _read_line(
    cells: list[str], columns: tuple[str, ...], first_rank: int, records: Records
) -> None:
    if len(cells) != len(columns):
        raise ValueError(f"has {len(cells)} columns where {len(columns)} are; make them equal")
    found = dict(zip(columns, cells, strict=True))
    records.add(
        _named("source", found, first_rank),
        _named("destination", found, first_rank),
        amount(found["bytes"]),
        amount(found["messages"]) if "messages" in found else 0.0,
        histogram(found["sizes"]) if "sizes" in found else (),
    )


def _named(column: str, found: Mapping[str, str], first_rank: int) -> int:
    try:
        return a_rank(found[column].strip(), first_rank)
    except ValueError as error:
        raise ValueError(f"{column}: {error}") from error


def histogram(cell: str) -> list[int]:
    """Messages by size, as Open MPI writes them: counts between commas.

    Raises
    ------
    ValueError
        No such list.

    Examples
    --------
    >>> histogram("0,3,1")
    [0, 3, 1]
    """
    cell = cell.strip()
    counts = cell.split(",")
    if len(counts) > MOST_BINS:
        raise ValueError(f"has {len(counts)} bins of message sizes; at most {MOST_BINS} are known")
    if _PLAIN_COUNTS.fullmatch(cell):
        return list(map(int, counts))
    return [whole(count.strip(), 0, LARGEST_AMOUNT, "count of messages") for count in counts]
