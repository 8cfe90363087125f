"""Measured pairs of jobs that shared a node: how fast each ran compared with running alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scenarios.pairs.needs import MemoryKind, Need
from scenarios.remark import Remark

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairTable:
    """Relative speeds of measured pairs, one entry per measurement.

    Attributes
    ----------
    name, sha256
        The file, as the user named it, and its hash.
    names
        Applications, in the order in which the file names them.
    first, second
        Index of both applications of each measurement, ``first <= second``, shape
        ``(measurements,)``.
    speed_first, speed_second
        Time alone over time together of each, above 0, shape ``(measurements,)``.
    incomplete
        Pairs of names of which half is missing: they count as not measured.
    remarks
        What was read and may not have been meant.
    needs
        Memory of a job on its node, by kind of memory and application, where the table gives it.
    """

    name: str
    sha256: str
    names: tuple[str, ...]
    first: Indices
    second: Indices
    speed_first: Floats
    speed_second: Floats
    incomplete: tuple[tuple[str, str], ...] = ()
    remarks: tuple[Remark, ...] = ()
    needs: Mapping[MemoryKind, Mapping[str, Need]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def pair_of(self) -> Indices:
        """A number for each pair, equal for repeated measurements, ``(measurements,)``."""
        pair: Indices = self.first * len(self.names) + self.second
        return pair

    @cached_property
    def pairs(self) -> int:
        """How many different pairs were measured."""
        return len(np.unique(self.pair_of))

    @cached_property
    def faster(self) -> int:
        """Measurements in which a job ran faster together than alone."""
        return int(np.count_nonzero((self.speed_first > 1) | (self.speed_second > 1)))

    @cached_property
    def seen_once(self) -> tuple[str, ...]:
        """Applications that occur in one measured pair only."""
        kinds = np.unique(self.pair_of)
        first, second = np.divmod(kinds, max(len(self.names), 1))
        both = np.concatenate([first, second[first != second]])
        counts = np.bincount(both, minlength=len(self.names))
        return tuple(self.names[index] for index in np.flatnonzero(counts == 1).tolist())
