"""The one counter, and its border, that best separates pairs that gain from those that lose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.colocation.tangram.metrics import Floats
from planner.colocation.tangram.pair_runs import FEATURES, PairRuns

_DIGITS = (1, 2, 3, 4)


@dataclass(frozen=True)
class Border:
    """A rule in hindsight: pairs on one side of a border share.

    Attributes
    ----------
    feature
        Number of the counter in :data:`~planner.colocation.tangram.pair_runs.FEATURES`.
    value
        Sum of both jobs' counters at the border.
    above
        Whether pairs above it share; else those below it.
    right, of
        Co-runs that the rule decides right, and all co-runs.
    """

    feature: int
    value: float
    above: bool
    right: int
    of: int

    @property
    def name(self) -> str:
        """The counter, as people read it."""
        return FEATURES[self.feature]


def best_border(runs: PairRuns) -> Border | None:
    """Return the border with most right decisions; ``None`` if no counter differs."""
    found = [
        Border(feature, _short(low, high), above, right, len(runs))
        for feature in range(len(FEATURES))
        for above in (True, False)
        for right, low, high in [_best(runs.features[:, feature], runs.gains, above=above)]
        if high > low
    ]
    return max(found, key=lambda one: one.right, default=None)


def _best(values: Floats, gains: NDArray[np.bool_], *, above: bool) -> tuple[int, float, float]:
    """Return the most right decisions, and the neighbours between which the border lies."""
    order = np.argsort(values, kind="stable")
    ordered, share = values[order], gains[order] == above
    right = np.cumsum(~share)[:-1] + share.sum() - np.cumsum(share)[:-1]
    right = np.where(ordered[1:] > ordered[:-1], right, -1)
    if not len(right):
        return 0, 0.0, 0.0
    at = int(np.argmax(right))
    return int(right[at]), float(ordered[at]), float(ordered[at + 1])


def _short(low: float, high: float) -> float:
    """Return a value between two others in as few digits as there is room for."""
    middle = (low + high) / 2
    short = (float(f"{middle:.{digits}g}") for digits in _DIGITS)
    return next((value for value in short if low < value < high), middle)
