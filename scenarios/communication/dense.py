"""Communication as a full matrix in CSV: row = source, column = destination."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from scenarios.communication.edges import BYTES, separator_of
from scenarios.communication.matrix import MOST_RANKS, Directed
from scenarios.communication.numbered_text import LARGEST_AMOUNT, NumberedText, a_rank, amount
from scenarios.communication.records import Read, Records, named
from scenarios.formatting import short
from scenarios.remark import remark
from scenarios.tables.decimal_marks import FileMark, mark_of_beginning
from scenarios.tables.delimiters import cells_of

_MOST_RECORD = 4
"""Columns of a list without headings: source, destination, bytes, messages."""

_ONLY_NUMBERS = re.compile(r"[0-9+\-.eE,;\s]*", re.ASCII)


def read_dense(text: NumberedText, *, sure: bool = False) -> Read:
    """Read one row per line, cells between delimiters or blanks.

    The first row may name the columns; then the first cell of each row names the row. Numbers from
    0 are ranks, other names are ranks in their order.

    Parameters
    ----------
    text
        The matrix.
    sure
        Whether somebody said that it is a matrix; else one that may be a list has a remark.

    Raises
    ------
    ScenarioError
        The matrix is ragged or not square, or a cell is not an amount; each error has its row and
        column.
    """
    records = Records()
    first_rows: list[list[str]] = []
    separator, columns, rows, last = "", 0, 0, 0
    labels: dict[str, int] = {}
    seen: set[int] = set()
    mark: FileMark = "point"
    for last, line in text:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not columns:
            separator = separator_of(text.beginning(), line)
            mark = _mark(text.sample(), separator)
            labels = _labels(text, last, _cells(line, separator), separator)
            columns = len(labels) or len(_cells(line, separator))
            if columns > MOST_RANKS:
                text.fault(last, f"has {columns} columns; at most {MOST_RANKS} ranks are read")
                break
            if labels:
                continue
        rows += 1
        cells = _cells(line, separator)
        rank = _row_of(text, last, cells, labels, seen) if labels else rows - 1
        if len(cells) != columns + bool(labels):
            first = columns + bool(labels)
            message = f"number of cells: {len(cells)} (first row: {first}); make them equal"
            text.fault(last, message, f"row {short(cells[0].strip()) if labels else rows}")
            continue
        cells = cells[1:] if labels else cells
        first_rows += [cells] if rows <= _MOST_RECORD else []
        if rank < 0:
            continue
        if rows <= columns:
            _read_row(text, last, rank, cells, records, mark, labels)
    if not rows:
        text.fault(0, "has no rows; give one row for each rank")
    elif rows != columns:
        hint = ", or read it as a list (--form edges)" if _may_be_list(first_rows) else ""
        text.fault(
            last, f"has {rows} rows and {columns} columns; give as many rows as columns{hint}"
        )
    text.settle()
    listed = not (sure or labels) and rows == len(first_rows) and _may_be_list(first_rows)
    in_order: list[str] = sorted(labels, key=labels.__getitem__)
    remarks = named(in_order, text.shown)
    if listed:
        remarks = (remark("ranks-maybe-list", lines=(rows, "line")),)
    return Read(columns, records.directed(messages=False), remarks=remarks)


def _labels(
    text: NumberedText, line: int, headings: Sequence[str], separator: str
) -> dict[str, int]:
    """Ranks by the names of the columns; empty where the first row holds amounts.

    The first row holds names if the next one begins with one of them.
    """
    corner, *names = (heading.strip() for heading in headings)
    below = (each for each in text.sample()[line:] if each.strip()[:1] not in ("", "#"))
    first = next((_cells(each, separator)[0].strip() for each in below), "")
    if len(names) < 2 or _is_amount(corner) or first not in names:
        return {}
    if len(set(names)) < len(names) or not all(names):
        if corner:
            return {}
        text.fault(line, "two columns have the same name, or one has none; give each its own")
        text.settle()
    numbers = [int(name) if name.isascii() and name.isdecimal() else -1 for name in names]
    in_order = sorted(numbers) == [*range(len(names))]
    return dict(zip(names, numbers if in_order else range(len(names)), strict=True))


def _row_of(
    text: NumberedText, line: int, cells: Sequence[str], labels: Mapping[str, int], seen: set[int]
) -> int:
    """The rank whose row the first cell names, each once; -1 for another name."""
    label = cells[0].strip()
    rank = labels.get(label, -1)
    if rank < 0 or rank in seen:
        what = "is not the name of a column" if rank < 0 else "names two rows"
        text.fault(line, f"{short(label)} {what}; name rows as columns, each once")
    seen.add(rank)
    return rank


def _is_amount(cell: str) -> bool:
    try:
        amount(cell, BYTES, "unclear")
    except ValueError:
        return False
    return True


def _may_be_list(rows: list[list[str]]) -> bool:
    """Whether rows of a matrix are records of source, destination, bytes as well.

    They would speak of few ranks, at most two new ones each, of no pair twice, and of some pair.
    """
    if not rows or not 3 <= len(rows[0]) <= _MOST_RECORD:
        return False
    try:
        pairs = [(a_rank(row[0].strip()), a_rank(row[1].strip())) for row in rows]
    except (ValueError, IndexError):
        return False
    few = max(map(max, pairs)) < 2 * len(pairs)
    return few and len(set(pairs)) == len(pairs) and any(a != b for a, b in pairs)


def _cells(line: str, separator: str) -> list[str]:
    if '"' in line and separator:
        return cells_of(line, separator) or [line]
    return line.split(separator) if separator else line.split()


def _mark(beginning: Sequence[str], separator: str) -> FileMark:
    """The mark of decimals by the first rows."""
    lines = (line for line in beginning if not line.lstrip().startswith("#"))
    return mark_of_beginning(
        (cell for line in lines for cell in _cells(line, separator)), separator
    )


def _read_row(
    text: NumberedText,
    line: int,
    rank: int,
    cells: list[str],
    records: Records,
    mark: FileMark,
    labels: Mapping[str, int],
) -> None:
    """Add what a rank sent; ``labels`` are the ranks of the cells by name, by default in order."""
    names = [*labels]
    columns = [*labels.values()] or range(len(cells))

    def shown(index: int) -> object:
        return short(names[index]) if names else index + 1

    values = _at_once(cells) if mark != "comma" else None
    if values is None:
        values = np.zeros(len(cells))
        for index, cell in enumerate(cells):
            try:
                values[index] = amount(cell, BYTES, mark)
            except ValueError as error:
                where = f"row {shown(columns.index(rank))}, column {shown(index)}"
                text.fault(line, str(error), where)
    try:
        for index in np.flatnonzero(values).tolist():
            records.add(rank, columns[index], float(values[index]))
    except ValueError as error:
        text.fault(line, str(error), f"row {shown(columns.index(rank))}")
        text.settle()


def _at_once(cells: list[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    """All cells of a row as numbers, or ``None`` if any is in doubt."""
    if not all(map(_ONLY_NUMBERS.fullmatch, cells)):
        return None
    try:
        values = np.array(cells, dtype=np.float64)
    except ValueError:
        return None
    sound = np.isfinite(values) & (values >= 0) & (values <= LARGEST_AMOUNT)
    return values if bool(sound.all()) else None


def with_messages(bytes_read: Read, counts: Read) -> Read:
    """Bytes of one matrix and messages of another of the same size.

    Raises
    ------
    ValueError
        The sizes differ.
    """
    if bytes_read.ranks != counts.ranks:
        raise ValueError(
            f"has {counts.ranks} ranks, but the matrix of bytes has {bytes_read.ranks}; "
            "give message counts of the same run"
        )
    much, many = bytes_read.records, counts.records
    records = Directed(
        np.concatenate([much.source, many.source]),
        np.concatenate([much.target, many.target]),
        np.concatenate([much.bytes, np.zeros_like(many.bytes)]),
        np.concatenate([np.zeros_like(much.bytes), many.bytes]),
    )
    return Read(bytes_read.ranks, records)
