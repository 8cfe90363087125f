"""An estimate of normalised performance with its interval.

Every estimator of this package is a smooth function of means over blocks. Its error is then, to
first order, the mean of one number per block, the block's *influence*. The variance of the
estimate is the variance of that mean. Neighbouring blocks can lie in one phase of an application,
so that their influences are correlated: covariances at short lags are added (Newey and West, 1987,
with Bartlett weights and ``n^(1/3)`` lags).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.replications.student import t_quantile

Floats = NDArray[np.float64]

LEVEL = 0.95
"""Confidence of an interval."""
FEWEST = 3
"""Blocks below which a sample says nothing of its own spread."""


@dataclass(frozen=True)
class Estimate:
    """Normalised performance of a job, ``T_solo / T_co``.

    Attributes
    ----------
    perf
        The estimate.
    low, high
        Its interval.
    variance
        Squared standard error of ``perf``; infinite where it is not known.
    blocks, kept
        Blocks given, and those that the estimator used.
    level
        Confidence of the interval.
    systematic
        Standard error, part of ``variance``, that all runs of an application share.
    """

    perf: float
    low: float
    high: float
    variance: float
    blocks: int
    kept: int
    level: float = LEVEL
    systematic: float = 0.0

    @property
    def degradation(self) -> float:
        """``D = 1 - perf`` (equation 5)."""
        return 1 - self.perf

    def covers(self, perf: float) -> bool:
        """Whether the interval holds a value."""
        return self.low <= perf <= self.high


def unknown(level: float = LEVEL, blocks: int = 0) -> Estimate:
    """What is estimated without usable blocks: no discount, and an interval of all that can be."""
    return Estimate(1.0, 0.0, 1.0, math.inf, blocks, 0, level)


def from_influence(
    perf: float,
    influence: Floats,
    blocks: int,
    level: float = LEVEL,
    *,
    systematic: float = 0.0,
    further: float = 0.0,
) -> Estimate:
    """Estimate with an interval from the influences of its blocks.

    Parameters
    ----------
    perf
        The estimate.
    influence
        One number per block that was used, with mean 0.
    blocks
        Blocks that were given.
    level
        Confidence of the interval.
    systematic
        Standard error that no number of blocks removes, such as that of the polling IPC.
    further
        Further variance of independent samples, such as placebo blocks.
    """
    check_level(level)
    count = len(influence)
    if count < FEWEST:
        return Estimate(perf, 0.0, max(1.0, perf), math.inf, blocks, count, level)
    sampling = long_run_variance(influence) / count + further
    variance = sampling + systematic**2
    freedom = count - 1
    if systematic:  # Welch and Satterthwaite: the systematic part has many degrees of freedom
        freedom = int(min(10_000, freedom * (variance / sampling) ** 2)) if sampling else 10_000
    half = t_quantile(level, freedom) * math.sqrt(variance)
    low = max(0.0, perf - half)
    return Estimate(perf, low, perf + half, variance, blocks, count, level, systematic)


def long_run_variance(influence: Floats) -> float:
    """Variance of a mean times its count, with covariances at short lags.

    Covariances that lower it are ignored: the intervals then only become wider.
    """
    count = len(influence)
    centred = influence - influence.mean()
    plain = float(centred @ centred) / (count - 1)
    lags = int(count ** (1 / 3)) if count >= 8 else 0
    total = plain
    for lag in range(1, lags + 1):
        covariance = float(centred[lag:] @ centred[:-lag]) / count
        total += 2 * (1 - lag / (lags + 1)) * covariance
    return max(plain, total)


def check_level(level: float) -> None:
    """See that a confidence lies between 0 and 1.

    Raises
    ------
    InputError
        It does not.
    """
    if not 0 < level < 1:
        raise InputError(f"the level of the intervals is {level:g}; give a share, such as 0.95")
