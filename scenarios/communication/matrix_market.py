"""Communication from a MatrixMarket file: a directed matrix, row = source.

References
----------
Boisvert, Pozo and Remington (1996). The Matrix Market exchange formats. NISTIR 5935.
"""

from __future__ import annotations

from collections.abc import Iterator

from scenarios.communication.matrix import MOST_RANKS, MOST_RECORDS
from scenarios.communication.numbered_text import NumberedText, a_rank, amount, whole
from scenarios.communication.records import Read, Records
from scenarios.formatting import nearest, short
from scenarios.remark import remark

_FIELDS = ("real", "double", "integer", "pattern")
_SYMMETRIES = ("general", "symmetric")
_CLEAR = "only matrices of amounts are read"


def read_matrix_market(text: NumberedText) -> Read:
    """Read a coordinate or array file, real, integer or pattern, general or symmetric.

    A symmetric file holds one half of a matrix whose other half is the same: a pair then
    exchanged twice the entry. In a pattern each entry counts 1.

    Raises
    ------
    ScenarioError
        The matrix is of another kind or not square, or an entry is not an amount.
    """
    lines = iter(text)
    layout, field, symmetry = _banner(text, next(lines, (0, "")))
    size_line = _size(text, lines, layout)
    if size_line is None:
        text.settle()
        return Read(0, Records().directed(messages=False))
    last, ranks, entries = size_line
    if layout == "array":
        entries = ranks * (ranks + 1) // 2 if symmetry == "symmetric" else ranks * ranks
    records = Records()
    position = _places(ranks, symmetric=symmetry == "symmetric")
    count = 0
    for last, line in lines:
        if not line.strip() or line.startswith("%"):
            continue
        count += 1
        if count > entries:
            text.fault(last, f"is one entry more than the {entries} that the size line gives")
            break
        try:
            if layout == "array":
                row, column = next(position)
                much = amount(line)
            else:
                row, column, much = _entry(line, ranks, pattern=field == "pattern")
            _add(records, row, column, much, symmetric=symmetry == "symmetric")
        except ValueError as error:
            text.fault(last, str(error))
    if count < entries:
        text.fault(last, f"ends after {count} entries of {entries}; copy the file again")
    text.settle()
    no_amounts = remark("ranks-no-amounts", thing=("entry", "counted thing"))
    remarks = (no_amounts,) if field == "pattern" else ()
    directed = records.directed(messages=False)
    return Read(ranks, directed, directions=symmetry == "general", remarks=remarks)


def _banner(text: NumberedText, first: tuple[int, str]) -> tuple[str, str, str]:
    words = first[1].lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        text.fault(1, "does not begin with %%MatrixMarket matrix ...; give a MatrixMarket file")
        text.settle()
    layout, field, symmetry = words[2:]
    for word, known in (
        (layout, ("coordinate", "array")),
        (field, _FIELDS),
        (symmetry, _SYMMETRIES),
    ):
        if word not in known:
            remedy = nearest(word, list(known))
            text.fault(1, f"{short(word)} cannot be read: {_CLEAR}; {remedy}")
    if (layout, field) == ("array", "pattern"):
        text.fault(1, "an array cannot be a pattern, which has no values; correct the first line")
    text.settle()
    return layout, field, symmetry


def _size(
    text: NumberedText, lines: Iterator[tuple[int, str]], layout: str
) -> tuple[int, int, int] | None:
    """The line of the size line, the ranks, and the entries (0 in an array)."""
    for number, line in lines:
        if not line.strip() or line.startswith("%"):
            continue
        try:
            return (number, *_size_line(line, layout))
        except ValueError as error:
            text.fault(number, str(error))
            return None
    text.fault(0, "has no size line; give the whole file")
    return None


def _size_line(line: str, layout: str) -> tuple[int, int]:
    words = line.split()
    wanted = 2 if layout == "array" else 3
    if len(words) != wanted:
        raise ValueError(f"{short(line)} is not a size line; write {wanted} numbers")
    rows, columns = (whole(word, 1, MOST_RANKS, "size") for word in words[:2])
    if rows != columns:
        raise ValueError(f"gives {rows} rows and {columns} columns; give a square matrix")
    return rows, whole(words[2], 0, MOST_RECORDS, "number of entries") if wanted == 3 else 0


def _places(ranks: int, *, symmetric: bool) -> Iterator[tuple[int, int]]:
    """Places of an array's values: by columns, the lower triangle alone if symmetric."""
    for column in range(ranks):
        for row in range(column if symmetric else 0, ranks):
            yield row, column


def _entry(line: str, ranks: int, *, pattern: bool) -> tuple[int, int, float]:
    words = line.split()
    if len(words) != (2 if pattern else 3):
        what = "row and column" if pattern else "row, column and value"
        raise ValueError(f"{short(line)} is not an entry; write {what}")
    row, column = (a_rank(word, 1) for word in words[:2])
    if max(row, column) >= ranks:
        raise ValueError(f"{short(line)} lies outside the {ranks} rows and columns")
    return row, column, 1.0 if pattern else amount(words[2])


def _add(records: Records, row: int, column: int, much: float, *, symmetric: bool) -> None:
    if symmetric and row < column:
        raise ValueError("lies above the diagonal of a symmetric matrix; give the lower half")
    if much:
        records.add(row, column, much)
        if symmetric and row != column:
            records.add(column, row, much)
