"""Confidence intervals of means over one long simulated run, by batch means.

References
----------
Law and Kelton, "Simulation modeling and analysis", 3rd ed., 2000, sections 9.5.3 and 10.2;
Schmeiser, "Batch size effects in the analysis of simulation output", Operations Research 30(3),
1982 (10 to 30 batches are enough); Law and Carson, "A sequential procedure for determining the
length of a steady-state simulation", Operations Research 27(5), 1979 (batches are made longer until
their lag-1 autocorrelation is small).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from planner.errors import InputError
from planner.formatting import plural
from planner.replications.student import t_quantile

BATCHES = 20
CHOICES = (20, 16, 12, 10, 8, 6, 5)
"""Numbers of batches that are tried, until neighbours are no more alike than ``SMALL``."""
SMALL, LARGE = 0.1, 0.5
"""Limits of the lag-1 autocorrelation of batch means.

Up to ``SMALL``, a number of batches is accepted. Above ``LARGE`` over the most batches, no number
is good enough. Test: 1,500 autoregressive series of 2,000 values, correlated over 1, 20, 100, 200
and 400 values. The 95 % intervals over 20 batches cover 95, 93, 78, 62 and 45 % of the means.
Intervals by these limits cover 95, 94, 90, 85 and 75 %, and 1, 3, 39, 72 and 86 % of them have a
warning.
"""
ENOUGH = 10
"""Batches that a longer log should have."""
_LONGEST = 100
CONFIDENCE = 0.95
_ONE_SIDED_NORMAL_95 = 1.6449


@dataclass(frozen=True)
class MeanInterval:
    """A mean and its confidence interval.

    Attributes
    ----------
    mean
        Mean of all values.
    half_width
        Half width of the interval around the mean: Student's t with ``batches - 1`` degrees of
        freedom times the standard error of the batch means.
    confidence
        Confidence level of the interval.
    batches, least_batch
        How many, and values in the shortest.
    lag_1
        Autocorrelation of neighbouring batch means; ``None`` where all are equal.
    warning
        Why the interval is too narrow, in words; empty if nothing says so.
    jobs_needed
        How long a log would do, in measured jobs; ``None`` if this one does, or if more than 100
        times as long is not enough.
    """

    mean: float
    half_width: float
    confidence: float
    batches: int
    least_batch: int
    lag_1: float | None
    warning: str
    jobs_needed: int | None = None

    @property
    def low(self) -> float:
        """Lower end."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """Upper end."""
        return self.mean + self.half_width

    @property
    def tells_apart(self) -> bool:
        """Whether 0 lies outside: a difference that is more than chance."""
        return self.low > 0 or self.high < 0


def batch_means(
    values: ArrayLike, batches: int | None = None, confidence: float = CONFIDENCE
) -> MeanInterval:
    """Return the mean of a series, with its confidence interval.

    The series is cut into batches whose lengths differ by at most one value. There are 20 batches,
    or fewer if neighbouring batch means would be correlated.

    Parameters
    ----------
    values
        Values in the order of the series.
    batches
        A fixed number of batches; by default the number is chosen.
    confidence
        Confidence level of the interval.

    Raises
    ------
    InputError
        There are fewer than two batches or fewer than two values a batch, the confidence is outside
        (0, 1), or a value is not finite.
    """
    x = np.asarray(values, float)
    batch_count = BATCHES if batches is None else batches
    if batch_count < 2:
        raise InputError(f"batches = {batches} give no interval; give at least 2")
    if not 0 < confidence < 1:
        raise InputError(
            f"confidence = {confidence:g} is not between 0 and 1; give 0.95, for example"
        )
    if len(x) < 2 * batch_count:
        message = f"{plural(len(x), 'job')} cannot fill {batch_count} batches of at least 2"
        raise InputError(f"{message}; give fewer batches or measure more jobs")
    if not np.isfinite(x).all():
        raise InputError("a value is not finite; use the bounded slowdown instead of the slowdown")
    if batches is not None:
        interval = _over(x, batches, confidence)
        return replace(interval, warning=_of_given(interval))
    tried = (_over(x, count, confidence) for count in CHOICES)
    chosen = next((interval for interval in tried if (interval.lag_1 or 0.0) <= SMALL), None)
    finest = _over(x, BATCHES, confidence).lag_1 or 0.0
    if chosen is not None and finest <= LARGE:
        return chosen
    chosen = chosen or _over(x, CHOICES[-1], confidence)
    longer = _times_as_long(finest)
    needed = None if longer is None else longer * len(x)
    return replace(chosen, warning=_too_narrow(chosen, finest, needed), jobs_needed=needed)


def over_replications(values: ArrayLike, confidence: float = CONFIDENCE) -> MeanInterval:
    """The mean of independent values, one for each simulated log, with its interval.

    Raises
    ------
    InputError
        Fewer than two values.
    """
    x = np.asarray(values, float)
    if len(x) < 2:
        raise InputError(f"an interval takes at least 2 logs, not {len(x)}; add more")
    return replace(_over(x, len(x), confidence), lag_1=None)


def _over(x: NDArray[np.float64], batches: int, confidence: float) -> MeanInterval:
    """Return the interval over a given number of batches."""
    parts = np.array_split(x, batches)
    means = np.array([part.mean() for part in parts])
    quantile = t_quantile(confidence, batches - 1)
    return MeanInterval(
        mean=float(x.mean()),
        half_width=quantile * float(means.std(ddof=1)) / math.sqrt(batches),
        confidence=confidence,
        batches=batches,
        least_batch=len(parts[-1]),
        lag_1=_lag_1(means),
        warning="",
    )


def _times_as_long(lag_1: float) -> int | None:
    """Return how many times as long a log has ``ENOUGH`` batches that are not alike.

    ``lag_1`` is that of 20 batches; the means of batches are taken as an autoregressive series.

    Examples
    --------
    >>> [_times_as_long(lag) for lag in (0.2, 0.66, 0.9, 0.99)]
    [2, 7, 29, None]
    """
    for merged in range(2, 2 * _LONGEST + 1):
        power = lag_1**merged
        alike = lag_1 * (1 - power) ** 2 / (merged * (1 - lag_1**2) - 2 * lag_1 * (1 - power))
        if alike <= SMALL:
            return max(2, math.ceil(merged * ENOUGH / BATCHES))
    return None


def _lag_1(means: NDArray[np.float64]) -> float | None:
    away = means - means.mean()
    total = float(away @ away)
    return float(away[:-1] @ away[1:]) / total if total > 0 else None


def _of_given(interval: MeanInterval) -> str:
    """Return what is wrong with a number of batches that somebody gave."""
    lag_1, batches = interval.lag_1, interval.batches
    if lag_1 is None or lag_1 <= _ONE_SIDED_NORMAL_95 / math.sqrt(batches):
        return ""
    return (
        f"the confidence interval is too narrow: neighbouring batches are correlated (lag-1 "
        f"autocorrelation {lag_1:.2f} over {batches} batches); leave the number of batches to "
        "the program"
    )


def _too_narrow(chosen: MeanInterval, finest: float, needed: int | None) -> str:
    """Return which batches are correlated, and how long a log would do.

    ``finest`` is the lag-1 autocorrelation of the most batches. Above ``LARGE`` it condemns also
    fewer batches that look uncorrelated.
    """
    start = "the confidence interval is too narrow."
    if finest > LARGE:
        reason = (
            f"The means of {BATCHES} batches of consecutive jobs have a lag-1 autocorrelation of "
            f"{finest:.2f} (limit {LARGE:g})"
        )
    else:
        reason = (
            f"Even the means of {chosen.batches} long batches of consecutive jobs have a lag-1 "
            f"autocorrelation of {chosen.lag_1 or 0.0:.2f} (limit {SMALL:g})"
        )
    return f"{start} {reason}. {longer_log((needed,))}"


def longer_log(needed: Iterable[int | None]) -> str:
    """Return which log would do for several quantities, by the jobs that each of them needs.

    Examples
    --------
    >>> longer_log((6000, 16_000)), longer_log((6000, None))
    ('Use a log with about 16,000 measured jobs', 'Even a log 100 times as long would not suffice')
    """
    every = tuple(needed)
    most = max((jobs for jobs in every if jobs is not None), default=0)
    if None in every:
        return f"Even a log {_LONGEST} times as long would not suffice"
    return f"Use a log with about {most:,} measured jobs"
