"""Functions of time drawn with few points, without losing a peak."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.simulation.steps import Steps

BINS = 450
"""About as many as a figure is wide in dots; a band over them has four times as many vertices."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BinnedSeries:
    """Least, largest and mean value of a step function between edges, all exact.

    Attributes
    ----------
    edges_s
        Ascending, shape ``(bins + 1,)`` [s].
    low, high, mean
        Over each bin, shape ``(bins,)``; the mean is over time.
    """

    edges_s: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    mean: Floats


def binned(steps: Steps, start_s: int, end_s: int, bins: int = BINS) -> BinnedSeries:
    """Bins of equal width; where it steps seldom, one bin for each step, which loses nothing."""
    end_s = max(end_s, start_s + 1)
    inside = steps.time_s[(steps.time_s > start_s) & (steps.time_s < end_s)]
    if len(inside) < bins:
        edges = np.concatenate([[start_s], inside, [end_s]]).astype(np.int64)
    else:
        edges = np.unique(np.linspace(start_s, end_s, bins + 1).astype(np.int64))
    times = np.unique(np.concatenate([edges, inside]))
    values = steps.at(times[:-1])
    area = np.concatenate([[0.0], np.cumsum(values * np.diff(times).astype(float))])
    index = np.searchsorted(times, edges)
    return BinnedSeries(
        edges_s=edges,
        low=np.minimum.reduceat(values, index[:-1]),
        high=np.maximum.reduceat(values, index[:-1]),
        mean=np.diff(area[index]) / np.diff(edges),
    )


def tail(values: NDArray[np.float64], points: int = 600) -> tuple[Floats, Floats]:
    """Return the share of values that exceed each value; at most ``points`` points, each exact.

    Examples
    --------
    >>> import numpy as np
    >>> [each.tolist() for each in tail(np.array([0.0, 0.0, 3.0, 8.0]))]
    [[0.0, 3.0, 8.0], [0.5, 0.25, 0.0]]
    """
    x, counts = np.unique(values, return_counts=True)
    larger = (len(values) - np.cumsum(counts)) / max(1, len(values))
    if len(x) > points:
        by_value = np.searchsorted(x, np.geomspace(max(x[0], 1.0), x[-1], points // 2))
        by_share = np.searchsorted(-larger, -np.geomspace(1, 1 / len(values), points // 3))
        selected = np.unique(np.concatenate([[0, len(x) - 1], by_value, by_share]))
        selected = selected[selected < len(x)]
        x, larger = x[selected], larger[selected]
    return x, larger
