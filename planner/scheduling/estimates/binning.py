"""The bounded-error oracle: classes of run times, each estimated by its own largest one.

The class of a job follows from its *actual* run time, so this is an oracle that rounds, whose error
is known not to pass a bound. It predicts nothing.

References
----------
Smith, Hammond and Jarvis, "The effect of an application performance modelling tool", UKPEW 2011,
section 3. The paper states the bound and that a class is estimated by its largest run time; where
one class ends and the next begins it does not state, hence four placements.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cached_property
from math import floor, log, log1p
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from scenarios.formatting import nearest
from scenarios.job_logs.job_log import LATEST_S, Integers

Placement = Literal["from-below", "from-above", "grid-maxima", "grid-edges"]

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
    placement
        Where the classes end.
    """

    run_s: Integers
    estimate_s: Integers
    classes: int
    zero_runs: int
    most_error: float
    placement: Placement

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


def binned(
    run_s: Integers, most_error: float, placement: Placement = "from-below"
) -> BinnedEstimates:
    """Sort run times into classes, and estimate each job by the top of its class.

    Parameters
    ----------
    run_s
        Actual run times [s], whole numbers of at least 0, shape ``(jobs,)``. Another unit works
        too, if the numbers are whole.
    most_error
        Largest error of an estimate, as a fraction of the actual *run time*: from 0, for exact
        estimates, to 10. The value is read as the decimal that prints it: with 0.1, a run of 10 s
        can have an estimate of 11 s.
    placement
        Where the classes end:

        ``from-below``
            The shortest run time t without a class opens the class from t to (1 + e) t. No other
            cover has fewer classes.
        ``from-above``
            The longest run time t without a class opens the class from t / (1 + e) to t. It needs
            as few classes.
        ``grid-maxima``
            Class edges are at (1 + e)^k seconds, independent of the run times: the class of a job
            does not depend on the other jobs of the log. A class includes its lower edge.
        ``grid-edges``
            The classes are those of ``grid-maxima``. The estimate is the upper edge, rounded
            *down* to a whole second. All run times of the class are whole and below the edge, so
            none exceeds the rounded edge. Rounding up would break the bound for short jobs.

        In all placements except ``grid-edges``, the estimate is the largest run time in the class.

    Raises
    ------
    InputError
        A run time is negative, too large for a log or not whole; the bound is negative, too large
        or not a number; the placement is unknown.

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
    ratio = _ratio(most_error)
    if placement not in _WALKS:
        raise InputError(f"placement {placement!r} is unknown; {nearest(placement, [*_WALKS])}")
    _check(run_s)
    times = _distinct(run_s)
    zero = times[:1] == [0]
    times = times[zero:]
    apart = not times or ratio.up(times[-1]) == times[-1]  # no two within the bound
    classes = Classes(times, times) if apart else _WALKS[placement](times, ratio)
    if zero:
        classes = Classes([0, *classes.last], [ZERO_RUN_ESTIMATE_S, *classes.estimate])
    return BinnedEstimates(
        run_s=run_s,
        estimate_s=_estimates(run_s, classes),
        classes=len(classes.last),
        zero_runs=int(np.count_nonzero(run_s == 0)) if zero else 0,
        most_error=float(most_error),
        placement=placement,
    )


class Classes(NamedTuple):
    """The largest run time in each class, ascending, and its estimate."""

    last: list[int]
    estimate: list[int]


class ErrorRatio(NamedTuple):
    """1 + e as a fraction, for whole seconds, and as a decimal, for the edges of a grid."""

    above: int
    below: int
    decimal: Decimal

    def up(self, time_s: int) -> int:
        """The longest whole time within the bound of a time."""
        return time_s * self.above // self.below

    def down(self, time_s: int) -> int:
        """The shortest whole time of which another is within the bound."""
        return -(-time_s * self.below // self.above)


_TABLE_S = 1 << 20
"""Logs with no longer runs, some 12 days, are looked up in a table: twenty times the speed."""


def _distinct(run_s: Integers) -> list[int]:
    """The run times, ascending, each once."""
    if run_s.max(initial=0) >= _TABLE_S:
        return [*np.unique(run_s).tolist()]
    seen = np.zeros(_TABLE_S, np.bool_)
    seen[run_s] = True
    return [*np.flatnonzero(seen).tolist()]


def _estimates(run_s: Integers, classes: Classes) -> Integers:
    """Each job's estimate."""
    last, estimate = (np.array(column, np.int64) for column in classes)
    if not len(last) or last[-1] >= _TABLE_S:
        return estimate[np.searchsorted(last, run_s)]
    table = np.repeat(estimate, np.diff(last, prepend=-1))
    estimates: Integers = table[run_s]
    return estimates


def _from_below(times: list[int], ratio: ErrorRatio) -> Classes:
    last, index = [], 0
    while index < len(times):
        index = bisect_right(times, ratio.up(times[index]), index)
        last.append(times[index - 1])
    return Classes(last, last)


def _from_above(times: list[int], ratio: ErrorRatio) -> Classes:
    last, index = [], len(times)
    while index:
        last.append(times[index - 1])
        index = bisect_left(times, ratio.down(times[index - 1]), 0, index)
    last.reverse()
    return Classes(last, last)


def _grid_maxima(times: list[int], ratio: ErrorRatio) -> Classes:
    last = _grid_edges(times, ratio).last
    return Classes(last, last)


def _grid_edges(times: list[int], ratio: ErrorRatio) -> Classes:
    last, edges, index = [], [], 0
    while index < len(times):
        edge = _edge_above(times[index], ratio)
        index = bisect_left(times, edge, index)
        last.append(times[index - 1])
        edges.append(int(edge))
    return Classes(last, edges)


_DIGITS = Context(prec=60)
"""An edge of whole seconds has at most 50 digits on its way, so it is exact."""


def _edge_above(time_s: int, ratio: ErrorRatio) -> Decimal:
    """The lowest edge of the grid that is above a time."""
    step = floor(log(time_s) / log1p(float(ratio.decimal - 1)))
    while _edge(step, ratio) > time_s:  # the logarithm is rounded
        step -= 1
    while (edge := _edge(step + 1, ratio)) <= time_s:
        step += 1
    return edge


def _edge(step: int, ratio: ErrorRatio) -> Decimal:
    return _DIGITS.power(ratio.decimal, step)


_WALKS: Mapping[str, Callable[[list[int], ErrorRatio], Classes]] = MappingProxyType(
    {
        "from-below": _from_below,
        "from-above": _from_above,
        "grid-maxima": _grid_maxima,
        "grid-edges": _grid_edges,
    }
)
PLACEMENTS: tuple[Placement, ...] = ("from-below", "from-above", "grid-maxima", "grid-edges")


def _ratio(most_error: float) -> ErrorRatio:
    if not 0 <= most_error <= LARGEST_ERROR:  # nor NaN
        raise InputError(
            f"a maximum error of {most_error} is out of range; give a fraction of the run time "
            f"from 0 (exact) to {LARGEST_ERROR:g}"
        )
    ratio = _DIGITS.add(Decimal(1), Decimal(f"{most_error:.15g}"))
    return ErrorRatio(*ratio.as_integer_ratio(), ratio)


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
