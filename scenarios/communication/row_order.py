"""Whether a matrix begins with its last row, as numalize and CommDetective write it.

Such a file is square too, and nothing in it says so: read from the first row on, ranks seem to
send to themselves, and every other pair is a wrong one.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from scenarios.communication.matrix import Directed, Floats, Integers
from scenarios.communication.records import Read
from scenarios.faults import Fault, ScenarioError

RowOrder = Literal["forward", "reversed"]
ROW_ORDERS: tuple[RowOrder, ...] = ("forward", "reversed")

_REMEDY = (
    "use --row-order reversed (row_order='reversed'), or --row-order forward if rank 0 is the "
    "first row"
)
_SMALLEST_DENSE = 3  # of two ranks, a row that is reversed has one entry only


def in_row_order(read: Read, order: RowOrder | None, shown: str) -> Read:
    """Return the records of a matrix whose first row is that of rank 0.

    Parameters
    ----------
    read
        The matrix as if its first row were that of rank 0.
    order
        ``forward``: it is. ``reversed``: the first row is that of the last rank. ``None``: it is,
        unless the matrix says otherwise.
    shown
        What to call the file in messages.

    Raises
    ------
    ScenarioError
        Nobody said the order, and the matrix is plausible only from its last row up.
    """
    if order == "reversed":
        return read._replace(records=_reversed(read.records, read.ranks))
    if order == "forward" or not _diagonals_are_swapped(read):
        return read
    as_read, upside_down = (
        _is_symmetric(read.records),
        _is_symmetric(_reversed(read.records, read.ranks)),
    )
    amounts = "a full diagonal" if _diagonal_is_full(read) else "entries on its diagonal"
    if upside_down and as_read:
        warning = (
            f"the matrix has {amounts}, and none when read from the last row up; if the first row "
            "is that of the last rank, use --row-order reversed"
        )
        return read._replace(warnings=(*read.warnings, warning))
    if upside_down:
        message = (
            f"not symmetric, with {amounts}, but symmetric with an empty one when read from the "
            f"last row up; {_REMEDY}"
        )
    elif _has_all_others(read):
        message = (
            f"zero only from the last row's first column up to the right, with {amounts}, as a "
            f"matrix that begins with the last rank; {_REMEDY}"
        )
    else:
        return read
    raise ScenarioError([Fault(shown, 0, "", message)])


def _reversed(records: Directed, ranks: int) -> Directed:
    return records._replace(source=ranks - 1 - records.source)


def _diagonals_are_swapped(read: Read) -> bool:
    """Whether a rank sends to itself, and none does when read from the last row up."""
    source, target = read.records.source, read.records.target
    return bool((source == target).any() and not (source + target == read.ranks - 1).any())


def _diagonal_is_full(read: Read) -> bool:
    """Whether all ranks send to themselves; one in the middle is on both diagonals."""
    own = np.unique(read.records.source[read.records.source == read.records.target])
    return len(own) == read.ranks - read.ranks % 2


def _has_all_others(read: Read) -> bool:
    """Whether every entry is there but for those that the diagonal has from the last row up."""
    keys = np.unique(read.records.source * read.ranks + read.records.target)
    return read.ranks >= _SMALLEST_DENSE and len(keys) == read.ranks * (read.ranks - 1)


def _is_symmetric(records: Directed) -> bool:
    there = _sums(records.source, records.target, records.bytes)
    back = _sums(records.target, records.source, records.bytes)
    return all(map(np.array_equal, there, back))


def _sums(row: Integers, column: Integers, much: Floats) -> tuple[Integers, Floats]:
    """Entries of a matrix in order: their places, and the sum of the records of each."""
    width = int(max(row.max(), column.max())) + 1
    keys, inverse = np.unique(row * width + column, return_inverse=True)
    return keys.astype(np.int64), np.bincount(inverse, weights=much).astype(np.float64)
