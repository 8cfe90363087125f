"""Ratios that are paired by seed, their intervals, and tests of many at once.

Ratios are averaged as logarithms; the interval is Student's. Where many comparisons are made at
once, Holm's step-down procedure keeps the chance of one false difference at 5 %.

References
----------
Holm, S. (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of
Statistics 6, 65-70.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.replications.student import t_quantile
from solvers.portable import digits, exp, log

CONFIDENCE = 0.95


@dataclass(frozen=True)
class PairedRatio:
    """Geometric mean of paired ratios.

    Attributes
    ----------
    mean
        Geometric mean.
    low, high
        Its 95 % interval; ``None`` where one seed has no spread.
    chance
        Two-sided p-value of Student's paired test that the mean is 1; ``None`` for one seed.
    """

    mean: float
    low: float | None
    high: float | None
    chance: float | None = None


def ratio_of(values: Sequence[float]) -> PairedRatio | None:
    """Return the geometric mean of ratios with its 95 % interval; ``None`` without values."""
    if not values:
        return None
    logs = log(np.array(values))
    mean = exp(float(logs.mean()))
    if len(logs) < 2:
        return PairedRatio(mean, None, None)
    from scipy.special import stdtr

    error = float(logs.std(ddof=1) / np.sqrt(len(logs)))
    half = digits(t_quantile(CONFIDENCE, len(logs) - 1)) * error
    if error:
        chance = digits(2 * stdtr(len(logs) - 1, -abs(logs.mean()) / error))
    else:
        chance = 1.0 if mean == 1 else 0.0
    return PairedRatio(mean, mean * exp(-half), mean * exp(half), chance)


def holm(chances: Sequence[float]) -> list[float]:
    """Adjust p-values of several comparisons, so that each is compared with 5 % on its own.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(chances, kind="stable")
    steps = np.asarray(chances, np.float64)[order] * np.arange(len(chances), 0, -1)
    adjusted = np.empty(len(chances))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(value) for value in adjusted]


def differs_from_one(ratios: Sequence[PairedRatio | None]) -> list[bool]:
    """Say which ratios differ from 1, with at most a 5 % chance of one false difference."""
    chances = [
        (index, ratio.chance) for index, ratio in enumerate(ratios) if ratio and ratio.mean != 1
    ]
    tested = [(index, chance) for index, chance in chances if chance is not None]
    adjusted = holm([chance for _, chance in tested])
    significant = {
        index
        for (index, _), chance in zip(tested, adjusted, strict=True)
        if chance <= 1 - CONFIDENCE
    }
    return [index in significant for index in range(len(ratios))]
