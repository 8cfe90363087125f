"""Whether a matrix begins with its last row, as numalize and CommDetective write it.

Such a file is square too, and nothing in it says so: read from the first row on, every pair of
ranks is a wrong one. Three things tell: programs rarely send to the own rank, most pairs exchange
both ways, and partners are at few distances. Symmetry alone does not tell: what goes one way at
equal distances, as in a pipeline or a sweep, is symmetric from the last row up.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from scenarios.communication.matrix import Directed, Floats, Integers
from scenarios.communication.records import Read
from scenarios.faults import Fault, ScenarioError
from scenarios.remark import Remark, remark_at

RowOrder = Literal["forward", "reversed"]
ROW_ORDERS: tuple[RowOrder, ...] = ("forward", "reversed")

_REMEDY = (
    "use --row-order reversed (row_order='reversed'), or --row-order forward if rank 0 is the "
    "first row"
)
_UP = "when read from the last row up"
_SMALLEST_DENSE = 3  # of two ranks, a row that is reversed has one entry only
_TELLING = 6
"""Entries or distances from which on their pattern is hardly a coincidence."""

_PATTERN, _EXACT = 1, 2
_KINDS = ("not symmetric", "symmetric but for the amounts", "symmetric")


class _Reading(NamedTuple):
    """What speaks for one of the two orders of the rows.

    Attributes
    ----------
    own
        Whether a rank sends to itself.
    symmetry
        0 without one; 1 if all pairs exchange both ways; 2 if equal amounts, too.
    distances
        Different distances of ranks that exchange data.
    """

    own: bool
    symmetry: int
    distances: int


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
        Nobody said the order, and the matrix is plausible only from its last row up. Where it is
        only more plausible so, it is read as it is, with a remark.
    """
    upside_down = _reversed(read.records, read.ranks)
    if order == "reversed":
        return read._replace(records=upside_down)
    if order == "forward" or not len(upside_down.source):
        return read
    if _has_own(upside_down) and not _far_fewer(_distances(upside_down), _distances(read.records)):
        return read  # most dense ones, whose symmetry would take long
    first, other = _seen(read.records), _seen(upside_down)
    reason = _refusal(read, first, other)
    if reason:
        raise ScenarioError([Fault(shown, 0, "", f"{reason}; {_REMEDY}")])
    if not _is_doubtful(read, first, other):
        return read
    return read._replace(remarks=(*read.remarks, _difference(shown, first, other)))


def _refusal(read: Read, first: _Reading, other: _Reading) -> str:
    """Why the matrix is plausible only from the last row up; empty if it may be as it is."""
    more_symmetric = other.symmetry > first.symmetry
    kind = _KINDS[other.symmetry]
    if other.own:
        return ""
    if more_symmetric and first.own and not _far_fewer(first.distances, other.distances):
        return f"not symmetric, with {_diagonal(read)}, but {kind} with an empty one {_UP}"
    if more_symmetric and _fewer(other.distances, first.distances) and _is_telling(read):
        return f"not symmetric, but {kind} and with partners at fewer distances {_UP}"
    both_exact = first.symmetry == other.symmetry == _EXACT
    if first.own and _has_all_others(read) and not both_exact:
        return (
            f"zero only from the last row's first column up to the right, with {_diagonal(read)}, "
            "as a matrix that begins with the last rank"
        )
    return ""


def _is_doubtful(read: Read, first: _Reading, other: _Reading) -> bool:
    """Whether the matrix is more plausible from the last row up, or as plausible but for it."""
    if _far_fewer(other.distances, first.distances):
        return True
    if first.own and other.symmetry > first.symmetry:
        return True
    if other.symmetry > first.symmetry:
        return _is_telling(read) and not _fewer(first.distances, other.distances)
    if other.symmetry < first.symmetry:
        return first.own and _fewer(other.distances, first.distances)
    if first.own and first.symmetry == _EXACT:
        return not _far_fewer(first.distances, other.distances)
    if first.own:
        return not _fewer(first.distances, other.distances)
    return first.symmetry > 0 and _fewer(other.distances, first.distances)


def _difference(shown: str, first: _Reading, other: _Reading) -> Remark:
    """What speaks for the last row up."""
    place = Fault(shown, 0, "", "")
    if first.own and not other.own:
        return remark_at(place, "ranks-row-order", what=("diagonal", "reversed"))
    if other.symmetry > first.symmetry:
        what = "amounts" if other.symmetry == _EXACT else "pairs"
        return remark_at(place, "ranks-row-order", what=(what, "reversed"))
    both = {"distances": (first.distances, "count"), "reversed": (other.distances, "count")}
    return remark_at(place, "ranks-distances", **both)


def _fewer(distances: int, others: int) -> bool:
    """Whether one reading is clearly more regular."""
    return 4 * distances < 3 * others


def _far_fewer(distances: int, others: int) -> bool:
    return 2 * distances <= others and others >= _TELLING


def _is_telling(read: Read) -> bool:
    return len(read.records.source) >= _TELLING


def _reversed(records: Directed, ranks: int) -> Directed:
    return records._replace(source=ranks - 1 - records.source)


def _seen(records: Directed) -> _Reading:
    return _Reading(_has_own(records), _symmetry(records), _distances(records))


def _has_own(records: Directed) -> bool:
    return bool((records.source == records.target).any())


def _distances(records: Directed) -> int:
    """Different distances of ranks that exchange data, without those of ranks to themselves."""
    return int(np.count_nonzero(np.bincount(np.abs(records.source - records.target))[1:]))


def _diagonal(read: Read) -> str:
    return "a full diagonal" if _diagonal_is_full(read) else "entries on its diagonal"


def _diagonal_is_full(read: Read) -> bool:
    """Whether all ranks send to themselves; one in the middle is on both diagonals."""
    own = np.unique(read.records.source[read.records.source == read.records.target])
    return len(own) == read.ranks - read.ranks % 2


def _has_all_others(read: Read) -> bool:
    """Whether every entry is there but for those that the diagonal has from the last row up."""
    keys = np.unique(read.records.source * read.ranks + read.records.target)
    return read.ranks >= _SMALLEST_DENSE and len(keys) == read.ranks * (read.ranks - 1)


def _symmetry(records: Directed) -> int:
    places, amounts = _sums(records.source, records.target, records.bytes)
    back, returned = _sums(records.target, records.source, records.bytes)
    if not np.array_equal(places, back):
        return 0
    return _EXACT if np.array_equal(amounts, returned) else _PATTERN


def _sums(row: Integers, column: Integers, much: Floats) -> tuple[Integers, Floats]:
    """Entries of a matrix in order: their places, and the sum of the records of each."""
    width = int(max(row.max(), column.max())) + 1
    keys, inverse = np.unique(row * width + column, return_inverse=True)
    return keys.astype(np.int64), np.bincount(inverse, weights=much).astype(np.float64)
