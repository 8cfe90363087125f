r"""Running sums per job, from which estimates follow exactly.

Sums of IPC together ``m``, of IPC alone ``d``, of their squares and product, and of per-block
ratios are enough for the ratios of means and for the mean of ratios, with their intervals under
independent blocks. The estimator in groups of one level needs the blocks themselves.

For a ratio of means ``r = sum m / sum d`` the variance is
``(sum m^2 - 2 r sum m d + r^2 sum d^2) / (n - 1) / n / mean(d)^2``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from planner.pricing.estimate import FEWEST, LEVEL, check_level

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PairSums:
    """Sums over blocks of IPC together ``m`` and alone ``d``; each array ``(jobs,)``."""

    blocks: Floats
    co: Floats
    solo: Floats
    co_co: Floats
    solo_solo: Floats
    co_solo: Floats


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of jobs, one row each.

    Attributes
    ----------
    every, kept
        Over all blocks, and over those that Algorithm 4 keeps.
    ratio, ratio_ratio
        Sum of per-block ratios and of their squares, shape ``(jobs,)``.
    """

    every: PairSums
    kept: PairSums
    ratio: Floats
    ratio_ratio: Floats


@dataclass(frozen=True, eq=False)
class Estimates:
    """Estimates of many jobs; arrays ``(jobs,)`` as in :class:`~planner.pricing.estimate.Estimate`.

    Without blocks the estimate is 1 (no discount) with the interval from 0 to 1.
    """

    perf: Floats
    low: Floats
    high: Floats
    variance: Floats


def unfiltered_of(sums: Sums, level: float = LEVEL) -> Estimates:
    """Ratio of means over all blocks (equations 7 and 8)."""
    return _ratio(sums.every, level)


def algorithm4_of(sums: Sums, level: float = LEVEL) -> Estimates:
    """Algorithm 4; where no block was kept, the ratio over all blocks."""
    selected, every = _ratio(sums.kept, level), _ratio(sums.every, level)
    has = sums.kept.blocks > 0
    return Estimates(
        *(
            np.where(has, getattr(selected, field.name), getattr(every, field.name))
            for field in fields(Estimates)
        )
    )


def block_ratios_of(sums: Sums, level: float = LEVEL) -> Estimates:
    """Mean of per-block ratios."""
    count = np.maximum(sums.every.blocks, 1)
    perf = np.where(sums.every.blocks > 0, sums.ratio / count, 1.0)
    square = (sums.ratio_ratio / count - perf**2) * count / np.maximum(count - 1, 1)
    return _with_interval(perf, np.maximum(square, 0) / count, sums.every.blocks, level)


def _ratio(pair: PairSums, level: float) -> Estimates:
    count = np.maximum(pair.blocks, 1)
    below = np.where(pair.blocks > 0, pair.solo, 1.0)
    perf = np.where(pair.blocks > 0, pair.co / below, 1.0)
    squares = pair.co_co - 2 * perf * pair.co_solo + perf**2 * pair.solo_solo
    spread = np.maximum(squares, 0) / np.maximum(count - 1, 1)
    variance = spread / count / (below / count) ** 2
    return _with_interval(perf, variance, pair.blocks, level)


def _with_interval(perf: Floats, variance: Floats, blocks: Floats, level: float) -> Estimates:
    from scipy.special import stdtrit

    check_level(level)
    sure = blocks >= FEWEST
    half = stdtrit(np.maximum(blocks - 1, 1), 0.5 + level / 2) * np.sqrt(variance)
    return Estimates(
        perf,
        np.where(sure, np.maximum(perf - half, 0), 0.0),
        np.where(sure, perf + half, np.maximum(perf, 1.0)),
        np.where(sure, variance, np.inf),
    )
