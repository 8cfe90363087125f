"""The compiled scanner of tables: the cells of a block of lines as codes of distinct texts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.compiled import compiled, compiled_entry

Bytes = NDArray[np.uint8]
Codes = NDArray[np.int32]
Longs = NDArray[np.int64]

_LF = 10
_OFFSET, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)  # of the hash FNV-1a


@compiled_entry
def scan_cells(
    data: Bytes,
    delimiter: int,
    slots: Codes,
    line_ends: Longs,
    widths: Codes,
    codes: Codes,
    begins: Longs,
    ends: Longs,
    buckets: Codes,
    distinct: Longs,
) -> None:
    """Number the distinct texts of each column as they occur.

    Parameters
    ----------
    data
        Whole lines; the last byte is a line feed.
    delimiter
        The byte between cells.
    slots
        For each column its row in ``codes``; below 0 where its cells are not wanted.
    line_ends, widths
        Written, of shape (lines,): the place of the line's end, and how many cells it has.
    codes
        Written, of shape (wanted columns, lines). What a shorter line has not keeps its value.
    begins, ends
        Written, of shape (wanted columns, lines): where the text of each code is.
    buckets
        Filled with -1, of shape (wanted columns, a power of two above twice the lines).
    distinct
        Counted, of shape (wanted columns,): texts.
    """
    line = 0
    column = 0
    begin = 0
    hashed = _OFFSET
    for i in range(len(data)):
        byte = data[i]
        if byte != delimiter and byte != _LF:  # noqa: PLR1714 - compiled
            hashed = (hashed ^ np.uint64(byte)) * _PRIME
            continue
        if column < len(slots) and slots[column] >= 0:
            slot = slots[column]
            codes[slot, line] = _code(data, begin, i, hashed, slot, begins, ends, buckets, distinct)
        column += 1
        begin = i + 1
        hashed = _OFFSET
        if byte == _LF:
            line_ends[line] = i
            widths[line] = column
            line += 1
            column = 0


@compiled
def _code(
    data: Bytes,
    begin: int,
    end: int,
    hashed: Any,
    slot: int,
    begins: Longs,
    ends: Longs,
    buckets: Codes,
    distinct: Longs,
) -> Any:
    """The number of a text in its column; a new one gets the next."""
    mask = np.uint64(buckets.shape[1] - 1)
    place = (hashed ^ (hashed >> np.uint64(32))) & mask
    while True:
        code = buckets[slot, place]
        if code < 0:
            code = distinct[slot]
            buckets[slot, place] = code
            begins[slot, code] = begin
            ends[slot, code] = end
            distinct[slot] += 1
            return code
        length = end - begin
        if ends[slot, code] - begins[slot, code] == length:
            same = 0
            while same < length and data[begins[slot, code] + same] == data[begin + same]:
                same += 1
            if same == length:
                return code
        place = (place + np.uint64(1)) & mask
