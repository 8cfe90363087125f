"""A figure of several seeds, with its spread."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SeedSpread:
    """Mean, median, standard deviation, least and most over seeds.

    The deviation is that of single seeds, not of the mean; ``None`` of a single one.
    """

    seeds: int
    mean: float
    median: float
    deviation: float | None
    least: float
    most: float

    @property
    def above_zero(self) -> bool:
        """Whether every seed is."""
        return self.least > 0


def spread(values: Sequence[float]) -> SeedSpread | None:
    """Over values that are known; ``None`` if none is."""
    defined = np.array([value for value in values if not math.isnan(value)], float)
    if not len(defined):
        return None
    deviation = float(defined.std(ddof=1)) if len(defined) > 1 else None
    return SeedSpread(
        len(defined),
        float(defined.mean()),
        float(np.median(defined)),
        deviation,
        float(defined.min()),
        float(defined.max()),
    )
