"""The one counter, and its border, that best separates pairs that gain from those that lose."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.sharing_nodes.tangram.gates import Admitted, Lesson
from planner.sharing_nodes.tangram.metrics import Floats
from planner.sharing_nodes.tangram.pair_runs import FEATURES, PairRuns
from planner.sharing_nodes.tangram.splits import Rows, Split

COUNTERS = ("cpu_intensity", "memory_intensity", "io_intensity")
"""Names of the counters in tables, in the order of the features."""
IO = 2
"""Number of the counter of I/O intensity."""
_DIGITS = (1, 2, 3, 4)


@dataclass(frozen=True)
class Border:
    """A rule in hindsight: pairs on one side of a border share.

    Attributes
    ----------
    feature
        Number of the counter in :data:`~planner.sharing_nodes.tangram.pair_runs.FEATURES`.
    value
        Sum of both jobs' counters at the border.
    above
        Whether pairs above it share; else those below it.
    right, of
        Co-runs that the rule decides right, and all co-runs.
    low, high
        Sums of the known co-runs between which the border is: any border there decides alike.
    """

    feature: int
    value: float
    above: bool
    right: int
    of: int
    low: float
    high: float

    @property
    def counter(self) -> str:
        """Name of the counter."""
        return COUNTERS[self.feature]

    @property
    def side(self) -> str:
        """On which side of the border pairs share."""
        return "above" if self.above else "below"

    def admitted(self, features: Floats) -> Admitted:
        """Whether each pair shares, by sums of both jobs' counters."""
        values = features[:, self.feature]
        return np.asarray(values > self.value if self.above else values < self.value)


def best_border(runs: PairRuns, rows: Rows | None = None) -> Border | None:
    """Return the border with most right decisions; ``None`` if no counter differs.

    Parameters
    ----------
    runs
        All co-runs.
    rows
        Those that are known; by default all.
    """
    return max(_borders(runs, rows), key=lambda one: one.right, default=None)


def most_right(runs: PairRuns, features: Collection[int]) -> int:
    """Return how many co-runs the best border of some counters decides right, in hindsight."""
    return max((one.right for one in _borders(runs) if one.feature in features), default=0)


def _borders(runs: PairRuns, rows: Rows | None = None) -> list[Border]:
    """The best border of each counter and side."""
    known = np.arange(len(runs)) if rows is None else rows
    features, gains = runs.features[known], runs.gains[known]
    return [
        Border(feature, _short(low, high), above, right, len(known), low, high)
        for feature in range(len(FEATURES))
        for above in (True, False)
        for right, low, high in [_best(features[:, feature], gains, above=above)]
        if high > low
    ]


def hindsight(runs: PairRuns, rows: Rows | None = None) -> Border | None:
    """Return the best border; ``None``, too, if all known co-runs gain or all lose."""
    gains = runs.gains if rows is None else runs.gains[rows]
    return best_border(runs, rows) if gains.any() and not gains.all() else None


def learned_border(lesson: Lesson) -> Admitted:
    """Decide by the best border of the known co-runs: the simplest gate that learns."""
    constant, border = lesson.one_label(), best_border(lesson.runs, lesson.train)
    if constant is not None:
        return constant
    if border is None:
        return np.zeros(len(lesson.test), dtype=bool)
    return border.admitted(lesson.runs.features[lesson.test])


def learned_rules(campaigns: Sequence[PairRuns], split: Split) -> tuple[dict[str, Any], ...]:
    """Counters and sides that the folds of a test learned, the most frequent first.

    ``folds`` are those that learned it, and all folds of all campaigns. A fold has no rule if its
    known co-runs all gain, or all lose. ``least`` and ``most`` are its thresholds.
    """
    borders = [
        hindsight(runs, fold.train)
        for seed, runs in enumerate(campaigns)
        for fold in split.folds(runs, seed)
    ]
    values: dict[tuple[str, str], list[float]] = {}
    for border in filter(None, borders):
        values.setdefault((border.counter, border.side), []).append(border.value)
    return tuple(
        {"counter": counter, "side": side, "folds": (len(found), len(borders)),
         "least": min(found), "most": max(found)}
        for (counter, side), found in sorted(values.items(), key=lambda one: (-len(one[1]), one[0]))
    )  # fmt: skip


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
