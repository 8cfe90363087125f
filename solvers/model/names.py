"""Names of columns or rows by blocks, made only when somebody reads them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import overload


class Names(Sequence[str]):
    """``label`` for a block of one, ``label_0, label_1, ...`` for a longer one.

    Parameters
    ----------
    blocks
        Label and length of each block, in order. Without a label, names are the letter and the
        index in the whole.
    letter
        ``x`` for columns, ``r`` for rows.

    Raises
    ------
    ValueError
        Two names would be the same.

    Examples
    --------
    >>> list(Names([("capital", 1), ("", 1), ("one", 2)], "r"))
    ['capital', 'r1', 'one_0', 'one_1']
    """

    def __init__(self, blocks: Iterable[tuple[str, int]], letter: str) -> None:
        self._blocks = [block for block in blocks if block[1]]
        self._ends = list(accumulate(count for _, count in self._blocks))
        self._letter = letter
        self._refuse_same()

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        """One name, or several."""
        if isinstance(index, slice):
            return [self[position] for position in range(*index.indices(len(self)))]
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(f"there are {len(self)} names, none with the index {index}")
        block = bisect_right(self._ends, position)
        label, count = self._blocks[block]
        if not label:
            return f"{self._letter}{position}"
        return label if count == 1 else f"{label}_{position - self._ends[block] + count}"

    def _refuse_same(self) -> None:
        counts = {label: count for label, count in self._blocks if label}
        if len(counts) < sum(1 for label, _ in self._blocks if label):
            labels = [label for label, _ in self._blocks if label]
            again = next(label for i, label in enumerate(labels) if label in labels[:i])
            raise ValueError(f"two blocks are called {again!r}; give one another label")
        for label in counts:
            digits = label.removeprefix(self._letter)
            position = int(digits) if digits.isdecimal() else len(self)
            if position < len(self) and not self._block_of(position)[0] and self[position] == label:
                raise ValueError(f"{label!r} is a name without a label too; give another label")
        for label, count in counts.items():
            # Names of a longer block end in their own number: only a single name can repeat one.
            block, _, number = label.rpartition("_")
            if count > 1 or block not in counts or not number.isdecimal():
                continue
            if counts[block] > int(number):
                raise ValueError(f"{label!r} is a name of the block {block!r} too")

    def _block_of(self, position: int) -> tuple[str, int]:
        return self._blocks[bisect_right(self._ends, position)]
