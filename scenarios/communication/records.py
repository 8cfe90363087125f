"""Directed records as they are read, compact until they are added up."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scenarios.communication.matrix import MOST_RECORDS, Directed, Integers, Sizes
from scenarios.faults import Fault, printable
from scenarios.formatting import clipped
from scenarios.remark import Remark, remark_at


class Read(NamedTuple):
    """What a form's reader found.

    Attributes
    ----------
    ranks
        How many the file speaks of.
    records
        Everything between ranks and from ranks to themselves.
    directions
        Whether source and target mean sender and receiver.
    remarks
        What was read and may not have been meant.
    """

    ranks: int
    records: Directed
    directions: bool = True
    remarks: tuple[Remark, ...] = ()


def named(names: Sequence[object], of: str) -> tuple[Remark, ...]:
    """What is remarked on names, in order of the ranks; nothing where they are the numbers."""
    if all(str(name) == str(rank) for rank, name in enumerate(names)):
        return ()
    first, last = (clipped(printable(str(name))) for name in (names[0], names[-1]))
    place, highest = Fault(of, 0, "", ""), (len(names) - 1, "id")
    ends = {"first": (first, "text"), "last": (last, "text")}
    return (remark_at(place, "ranks-named", highest=highest, **ends),)


class Records:
    """Growing arrays of directed records.

    Attributes
    ----------
    highest
        Rank that occurs; -1 while none does.
    lowest
        Rank that occurs; ``None`` while none does.
    """

    def __init__(self) -> None:
        self.highest = -1
        self.lowest: int | None = None
        self._source = array("q")
        self._target = array("q")
        self._bytes = array("d")
        self._messages = array("d")
        self._size_record = array("q")
        self._size_bin = array("q")
        self._size_count = array("q")

    def __len__(self) -> int:
        return len(self._source)

    def add(
        self,
        source: int,
        target: int,
        much: float,
        messages: float = 0.0,
        counts: Sequence[int] = (),
    ) -> None:
        """Append one record; ``counts`` is its histogram of sizes.

        Raises
        ------
        ValueError
            One more than can be held.
        """
        if len(self) == MOST_RECORDS:
            raise ValueError(
                f"is beyond the limit of {MOST_RECORDS:,} records; add up records first"
            )
        for each, count in enumerate(counts):
            if count:
                self._size_record.append(len(self))
                self._size_bin.append(each)
                self._size_count.append(count)
        self.highest = max(self.highest, source, target)
        least = min(source, target)
        if self.lowest is None or least < self.lowest:
            self.lowest = least
        self._source.append(source)
        self._target.append(target)
        self._bytes.append(much)
        self._messages.append(messages)

    def directed(self, *, messages: bool, sizes: bool = False) -> Directed:
        """The records as arrays, with messages and sizes where these are known."""
        return Directed(
            _integers(self._source),
            _integers(self._target),
            np.array(self._bytes, dtype=np.float64),
            np.array(self._messages, dtype=np.float64) if messages else None,
            Sizes(
                _integers(self._size_record),
                _integers(self._size_bin),
                _integers(self._size_count),
            )
            if sizes
            else None,
        )


def _integers(values: array[int]) -> Integers:
    return np.array(values, dtype=np.int64)
