"""Communication as a list: source, destination, bytes and, where known, messages and sizes."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence

from scenarios.communication.matrix import MOST_RANKS
from scenarios.communication.numbered_text import (
    LARGEST_AMOUNT,
    NumberedText,
    a_rank,
    amount,
    is_comment,
    whole,
)
from scenarios.communication.records import Read, Records
from scenarios.faults import printable
from scenarios.formatting import clipped, short
from scenarios.remark import Remark, remark
from scenarios.tables.columns import ambiguous, known_headings, lay_out
from scenarios.tables.decimal_marks import FileMark, mark_of_beginning
from scenarios.tables.delimiters import DELIMITERS, cells_of, delimiter_of
from scenarios.tables.field import Field

FIELDS = (
    Field("source", "Rank that sends", "whole", ("src from sender",), most=MOST_RANKS - 1),
    Field(
        "destination",
        "Rank that receives",
        "whole",
        ("dst dest target to receiver",),
        most=MOST_RANKS - 1,
    ),
    Field("bytes", "Bytes of all messages", unit="B", most=LARGEST_AMOUNT),
    Field("messages", "Messages", aliases=("msgs",), most=LARGEST_AMOUNT, required=False),
    Field(
        "sizes",
        "Messages by the logarithm of their size, as 0,3,1",
        "special",
        ("log2sizehistogram",),
        required=False,
    ),
)
BYTES, MESSAGES = FIELDS[2:4]
_MOST_HEADINGS = 100
_BETWEEN = "".join(DELIMITERS) + " "
_COUNTS = frozenset({"count", "counts", "n", "num", "number", "calls", "times", "repeats"})
"""Headings that do not tell whether bytes are those of one message or of all."""

_WITHOUT_HEADINGS = ("source", "destination", "bytes", "messages")
_EXPLAINED = re.compile(r"(log2size_histogram|sizes)\(.*", re.IGNORECASE)
"""A last heading with an explanation that may hold separators."""

_PLAIN_COUNTS = re.compile(r"\d{1,15}(?:,\d{1,15})*", re.ASCII)

MOST_BINS = 70
"""Bins of a histogram: the 66 that Open MPI writes, and a few to spare."""


def read_edges(text: NumberedText, first_rank: int = 0) -> Read:
    """Read one directed record per line; those of the same pair add up.

    Delimiters or blanks separate columns; lines that begin with # or % are comments. Without
    headings the columns are source, destination, bytes and messages.

    Parameters
    ----------
    text
        The list.
    first_rank
        From where the file counts ranks, 0 or 1.

    Raises
    ------
    ScenarioError
        A line is not a record, a heading occurs twice, or a count does not say what it counts.
    """
    records = Records()
    left_out: tuple[str, ...] = ()
    separator: str | None = None
    columns: tuple[str, ...] = ()
    units: Mapping[str, str] = {}
    mark: FileMark | None = None
    for number, line in text:
        if not line.strip(_BETWEEN).strip() or is_comment(line):
            continue
        if not columns:
            separator = separator_of(text.beginning(), line) or None
            first_cells = _first_cells(text, number, line, separator)
            if not first_cells[0].strip()[:1].isdigit():
                first_cells = _cells(_EXPLAINED.sub(r"\1", line), separator)
                columns, units = _by_headings(text, number, first_cells)
                left_out = tuple(_left_out(first_cells, columns))
                continue
            columns = _WITHOUT_HEADINGS[: max(3, min(len(first_cells), 4))]
        if mark is None:
            mark = _mark(text.sample(), columns, separator)
        try:
            _read_line(_cells(line, separator), columns, first_rank, records, mark, units)
        except ValueError as error:
            text.fault(number, str(error))
    if not columns:
        text.fault(0, "has no records; give lines of source, destination, bytes")
    text.settle()
    directed = records.directed(messages="messages" in columns, sizes="sizes" in columns)
    remarks = tuple(_remarks(left_out, records, first_rank))
    return Read(records.highest + 1, directed, remarks=remarks)


def separator_of(beginning: Sequence[str], first: str) -> str:
    """Return the delimiter of a table of communication; empty if blanks separate its cells."""
    if not any(delimiter in first for delimiter in DELIMITERS):
        return ""
    lines = [each for each in beginning if not each.lstrip().startswith("%")]
    result = delimiter_of(lines, lambda cells: known_headings([*cells[:_MOST_HEADINGS]], FIELDS))
    return (
        result
        if result in first
        else next(delimiter for delimiter in DELIMITERS if delimiter in first)
    )


def _left_out(cells: Sequence[str], columns: Sequence[str]) -> Iterator[str]:
    """Headings of the columns that are not known, or their numbers from 1."""
    for number, (cell, column) in enumerate(zip(cells, columns, strict=True), 1):
        if not column:
            yield clipped(printable(cell.strip())) or str(number)


def _remarks(left_out: tuple[str, ...], records: Records, first_rank: int) -> Iterator[Remark]:
    if left_out:
        known = tuple(field.name for field in FIELDS)
        yield remark("ranks-columns", columns=(left_out, "text"), known=(known, "id"))
    if not first_rank and records.lowest == 1:
        yield remark("ranks-from-1", ranks=(records.highest + 1, "rank"))


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
    cells = re.split(r"[,;|\s]+", _EXPLAINED.sub(r"\1", line.strip()))
    places = lay_out(cells[:_MOST_HEADINGS], FIELDS, careful=False).places
    return {"source", "destination"} <= places.keys()


def _by_headings(
    text: NumberedText, number: int, cells: list[str]
) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """The field of each column, empty for one that is not known; and units by field."""
    layout = lay_out(cells, FIELDS, careful=False)
    for index, message in layout.problems:
        text.fault(number, message, "" if index is None else cells[index].strip())
    for message in ambiguous(layout):
        text.fault(number, message)
    for cell in cells:
        if cell.strip().lower() in _COUNTS:
            text.fault(
                number,
                f"{short(cell.strip())} is ambiguous: bytes of one message, or of all? If bytes "
                "are the sum, rename it messages; else multiply bytes by it first",
            )
    text.settle()
    names = {index: name for name, index in layout.places.items()}
    return tuple(names.get(index, "") for index in range(len(cells))), layout.units


def _mark(beginning: Sequence[str], columns: tuple[str, ...], separator: str | None) -> FileMark:
    """The mark of decimals by the first lines."""
    lines = (line for line in beginning[1:] if line.strip() and not is_comment(line))
    rows = (cells_of(line, separator) if separator else line.split() for line in lines)
    places = [index for index, name in enumerate(columns) if name in ("bytes", "messages")]
    cells = (row[index] for row in rows for index in places if index < len(row))
    return mark_of_beginning(cells, separator or "")


def _read_line(
    cells: list[str],
    columns: tuple[str, ...],
    first_rank: int,
    records: Records,
    mark: FileMark,
    units: Mapping[str, str],
) -> None:
    if len(cells) != len(columns):
        raise ValueError(
            f"has {len(cells)} columns, but {len(columns)} are expected; make them equal"
        )
    result = dict(zip(columns, cells, strict=True))
    records.add(
        _named("source", result, first_rank),
        _named("destination", result, first_rank),
        amount(
            result["bytes"], BYTES, mark, "" if (unit := units.get("bytes", "")) == "B" else unit
        ),
        amount(result["messages"], MESSAGES, mark) if "messages" in result else 0.0,
        histogram(result["sizes"]) if "sizes" in result else (),
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
        raise ValueError(
            f"has {len(counts)} bins of message sizes; at most {MOST_BINS} are allowed"
        )
    if _PLAIN_COUNTS.fullmatch(cell):
        return list(map(int, counts))
    return [whole(count.strip(), 0, LARGEST_AMOUNT, "count of messages") for count in counts]
