"""The bounded-error oracle: classes of run times, each estimated by its own largest one.

The class of a job follows from its *actual* run time, so this is an oracle that rounds, whose error
is known not to pass a bound. It predicts nothing.

References
----------
Smith, Hammond and Jarvis, "The effect of an application performance modelling tool", UKPEW 2011,
section 3. The paper states the bound and that a class is estimated by its largest run time; where
one class ends and the next begins it does not state; ours have the fewest classes of any cover.
``benchmarks.studies.estimates.placements`` tries three more placements.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from scenarios.job_logs.job_log import LATEST_S, Integers

LARGEST_ERROR = 10.0
"""Beyond an estimate of eleven times the run time nobody speaks of a bound."""

ZERO_RUN_ESTIMATE_S = 1
"""Estimate of a job that ran for less than a second: no relative error is defined there."""


@dataclass(frozen=True, eq=False)
class BinnedEstimates:
    """Run times and the oracle's estimates of them; arrays of shape ``(jobs,)``.

    Attributes
    ----------
    run_s
        Actual run times [s].
    estimate_s
        Estimates [s], never below the run time.
    classes
        How many that hold a job, the one of run times of 0 s included.
    zero_runs
        Jobs with a run time of 0 s: a class of their own, estimated by 1 s, and part of no error.
    most_error
        The bound: (estimate - run) / run is never above it.
    """

    run_s: Integers
    estimate_s: Integers
    classes: int
    zero_runs: int
    most_error: float

    @cached_property
    def error(self) -> NDArray[np.float64]:
        """(estimate - run) / run of the jobs with a run time above 0 s, in their order."""
        ran = self.run_s > 0
        run = self.run_s[ran]
        errors: NDArray[np.float64] = (self.estimate_s[ran] - run) / run
        return errors

    @property
    def mean_error(self) -> float | None:
        """Mean over the jobs, as a fraction; ``None`` where none ran for a second."""
        return float(self.error.mean()) if len(self.error) else None

    @property
    def largest_error(self) -> float | None:
        """Largest of a job, as a fraction; ``None`` where none ran for a second."""
        return float(self.error.max()) if len(self.error) else None


def binned(run_s: Integers, most_error: float) -> BinnedEstimates:
    """Sort run times into classes, and estimate each job by the top of its class.

    The shortest run time t without a class opens the class from t to (1 + e) t, and the largest run
    time in it is the estimate. No other cover has fewer classes.

    Parameters
    ----------
    run_s
        Actual run times [s], whole numbers of at least 0, shape ``(jobs,)``. Another unit works
        too, if the numbers are whole.
    most_error
        Largest error of an estimate, as a fraction of the actual *run time*: from 0, for exact
        estimates, to 10. The value is read as the decimal that prints it: with 0.1, a run of 10 s
        can have an estimate of 11 s.

    Raises
    ------
    InputError
        A run time is negative, too large for a log or not whole; the bound is negative, too large
        or not a number.

    References
    ----------
    Smith, Hammond and Jarvis 2011, section 3. The paper does not say what the bound is relative to.
    We infer the actual run time: relative to the estimate, 100 % would not limit anything.

    Examples
    --------
    >>> import numpy as np
    >>> found = binned(np.array([10, 11, 12, 20]), 0.1)
    >>> found.estimate_s.tolist(), found.classes
    ([11, 11, 12, 20], 3)
    """
    ratio = error_ratio(most_error)
    _check(run_s)
    return estimated(run_s, most_error, _from_below(distinct(run_s), ratio))


def estimated(run_s: Integers, most_error: float, classes: Classes) -> BinnedEstimates:
    """Each job's estimate by classes of the run times above 0 s."""
    zero_runs = int(np.count_nonzero(run_s == 0))
    if zero_runs:
        classes = Classes([0, *classes.last], [ZERO_RUN_ESTIMATE_S, *classes.estimate])
    return BinnedEstimates(
        run_s=run_s,
        estimate_s=_estimates(run_s, classes),
        classes=len(classes.last),
        zero_runs=zero_runs,
        most_error=float(most_error),
    )


class Classes(NamedTuple):
    """The largest run time in each class, ascending, and its estimate."""

    last: list[int]
    estimate: list[int]


_TABLE_S = 1 << 20
"""Logs with no longer runs, some 12 days, are looked up in a table: twenty times the speed."""


def distinct(run_s: Integers) -> list[int]:
    """The run times above 0 s, ascending, each once."""
    if run_s.max(initial=0) >= _TABLE_S:
        return [time for time in np.unique(run_s).tolist() if time]
    seen = np.zeros(_TABLE_S, np.bool_)
    seen[run_s] = True
    seen[0] = False
    return [*np.flatnonzero(seen).tolist()]


def _estimates(run_s: Integers, classes: Classes) -> Integers:
    """Each job's estimate."""
    last, estimate = (np.array(column, np.int64) for column in classes)
    if not len(last) or last[-1] >= _TABLE_S:
        return estimate[np.searchsorted(last, run_s)]
    # At each second the estimate of the first class that reaches it.
    table = np.repeat(estimate, np.diff(last, prepend=-1))
    estimates: Integers = table[run_s]
    return estimates


def _from_below(times: list[int], ratio: Fraction) -> Classes:
    """The shortest time without a class opens one."""
    last, index = [], 0
    # The shortest open time must be in some class, and none reaches further up: so no cover has
    # fewer classes. In integers, as 0.1 of 10 s must be 1 s exactly.
    while index < len(times):
        longest = times[index] * ratio.numerator // ratio.denominator
        index = bisect_right(times, longest, index)
        last.append(times[index - 1])
    return Classes(last, last)


def error_ratio(most_error: float) -> Fraction:
    """1 + e, where e is the decimal that prints the float.

    Raises
    ------
    InputError
        The error is out of range.
    """
    if not 0 <= most_error <= LARGEST_ERROR:  # nor NaN
        raise InputError(
            f"a maximum error of {most_error} is out of range; give a fraction of the run time "
            f"from 0 (exact) to {LARGEST_ERROR:g}"
        )
    return 1 + Fraction(f"{most_error:.15g}")


def _check(run_s: Integers) -> None:
    if run_s.dtype.kind not in "iu":
        raise InputError(f"run times of type {run_s.dtype} are not whole seconds; round them up")
    wrong = np.flatnonzero((run_s < 0) | (run_s >= LATEST_S))
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            f"run_s[{row}] = {run_s[row]} is not a valid run time; give 0 s or more, below "
            f"{LATEST_S:,} s"
        )
