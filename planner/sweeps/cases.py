"""Every combination of some values, by number, in shards of fixed size."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner.errors import InputError
from scenarios.reading.replaced import numpy_free

MOST_CASES = 10_000_000
MOST_IN_SHARD = 1000
_USUAL_SHARDS = 200
_EXACT = 2**53  # every whole number up to it is a float


@dataclass(frozen=True)
class Cases:
    """Combinations of values, counted from 0; the first key path varies slowest.

    A shard is a range of at most 1,000 cases. It is answered by one process and written as one
    file. Its size depends on the number of cases alone.

    Attributes
    ----------
    lists
        Values by key path.
    """

    lists: Mapping[str, Sequence[Any]]

    @property
    def count(self) -> int:
        """Number of cases."""
        return math.prod(map(len, self.lists.values()))

    @property
    def shard_cases(self) -> int:
        """Cases of a shard: few where there are few cases, which may take long."""
        return min(MOST_IN_SHARD, math.ceil(self.count / _USUAL_SHARDS))

    @property
    def shards(self) -> int:
        """Number of shards."""
        return math.ceil(self.count / self.shard_cases)

    def of_shard(self, shard: int) -> range:
        """Return the numbers of the cases of a shard."""
        first = shard * self.shard_cases
        return range(first, min(first + self.shard_cases, self.count))

    def chosen(self, case: int) -> dict[str, Any]:
        """Return the values of a case by key path."""
        chosen = {}
        for path in reversed(list(self.lists)):
            case, place = divmod(case, len(self.lists[path]))
            chosen[path] = self.lists[path][place]
        return {path: chosen[path] for path in self.lists}

    def mixed(self) -> frozenset[str]:
        """Return the paths with whole numbers among others.

        They are stored as floats: every shard then has the same kind of column.
        """
        return frozenset(path for path, listed in self.lists.items() if _is_mixed(listed))

    def column(self, path: str) -> Iterator[Any]:
        """Return the value at a key path for each case."""
        place = list(self.lists).index(path)
        return (values[place] for values in itertools.product(*self.lists.values()))


def cases_of(values: Mapping[str, Iterable[Any]]) -> Cases:
    """Return every combination of values by key path.

    Raises
    ------
    InputError
        A path has no list of values, or there are too many combinations.
    """
    cases = Cases({path: _listed(path, listed) for path, listed in values.items()})
    if cases.count > MOST_CASES:
        lengths = " x ".join(f"{len(listed):,}" for listed in cases.lists.values())
        raise InputError(
            f"{', '.join(cases.lists)}: {lengths} values give {cases.count:,} cases; at most "
            f"{MOST_CASES:,} are allowed, so give fewer values"
        )
    return cases


def _listed(path: str, values: Iterable[Any]) -> Sequence[Any]:
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InputError(f"{path}: {values!r} is not a list of values; write it in square brackets")
    if getattr(values, "ndim", 1) != 1:
        raise InputError(
            f"{path}: an array of {getattr(values, 'ndim', 0)} dimensions is not a list of values; "
            "give an array of 1 dimension"
        )
    listed = [numpy_free(value) for value in values]
    if not listed:
        raise InputError(f"{path}: the list of values is empty; give at least one value")
    return listed


def _is_mixed(listed: Sequence[Any]) -> bool:
    whole = [value for value in listed if type(value) is int]
    return {type(value) for value in listed} == {int, float} and max(map(abs, whole)) <= _EXACT
