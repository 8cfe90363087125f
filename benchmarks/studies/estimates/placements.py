"""Mean errors of the bounded-error oracle by its bound, with four placements of its classes.

    python -m benchmarks.studies.estimates.placements LOG...

The paper (Smith, Hammond and Jarvis, UKPEW 2011, section 3) states the bound and that a class is
estimated by its largest run time. Where classes end it does not state:

``from-below``
    The shortest run time t without a class opens the class from t to (1 + e) t, as in ``headroom
    estimate``.
``from-above``
    The longest run time t without a class opens the class from t / (1 + e) to t. It needs as few
    classes.
``grid-maxima``
    Class edges are at (1 + e)^k seconds, independent of the run times: the class of a job does not
    depend on the other jobs of the log. A class includes its lower edge.
``grid-edges``
    The classes are those of ``grid-maxima``. The estimate is the upper edge, rounded *down* to a
    whole second. All run times of the class are whole and below the edge, so none exceeds the
    rounded edge. Rounding up would break the bound for short jobs.
"""

from __future__ import annotations

import argparse
import math
from bisect import bisect_left
from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from planner.scheduling.estimates.binning import (
    BinnedEstimates,
    Classes,
    binned,
    distinct,
    error_ratio,
    estimated,
)
from scenarios.job_logs.job_log import Integers
from scenarios.job_logs.reader import read_job_log

MOST_ERROR_PERCENT = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
"""The bounds in Table 3 of the paper."""

_DIGITS = Context(prec=60)
"""An edge of whole seconds has at most 50 digits on its way, so it is exact."""


def placed(run_s: Integers, most_error: float, placement: str) -> BinnedEstimates:
    """Estimates by classes of one of the ``PLACEMENTS``; arguments of ``binned``."""
    if placement == "from-below":
        return binned(run_s, most_error)
    ratio, times = error_ratio(most_error), distinct(run_s)
    apart = not times or times[-1] * ratio // 1 == times[-1]  # no two within the bound
    classes = Classes(times, times) if apart else _WALKS[placement](times, ratio)
    return estimated(run_s, most_error, classes)


def _from_above(times: list[int], ratio: Fraction) -> Classes:
    last, index = [], len(times)
    while index:
        last.append(times[index - 1])
        shortest = -(-times[index - 1] * ratio.denominator // ratio.numerator)
        index = bisect_left(times, shortest, 0, index)
    last.reverse()
    return Classes(last, last)


def _grid_maxima(times: list[int], ratio: Fraction) -> Classes:
    last = _grid_edges(times, ratio).last
    return Classes(last, last)


def _grid_edges(times: list[int], ratio: Fraction) -> Classes:
    base = _DIGITS.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))
    last, edges, index = [], [], 0
    while index < len(times):
        edge = _edge_above(times[index], base)
        index = bisect_left(times, edge, index)
        last.append(times[index - 1])
        edges.append(int(edge))
    return Classes(last, edges)


def _edge_above(time_s: int, base: Decimal) -> Decimal:
    """The lowest edge of the grid that is above a time."""
    step = math.floor(math.log(time_s) / math.log1p(float(base - 1)))
    while _DIGITS.power(base, step) > time_s:  # the logarithm is rounded
        step -= 1
    while (edge := _DIGITS.power(base, step + 1)) <= time_s:
        step += 1
    return edge


_WALKS = {"from-above": _from_above, "grid-maxima": _grid_maxima, "grid-edges": _grid_edges}
PLACEMENTS = ("from-below", *_WALKS)


class MeanErrors(NamedTuple):
    """Mean errors of one placement, by bound; ``None`` where none ran for a second.

    Attributes
    ----------
    placement
        Where classes end.
    mean_error_percent
        Mean of (estimate - run) / run over the jobs.
    classes
        How many there are.
    """

    placement: str
    mean_error_percent: tuple[float | None, ...]
    classes: tuple[int, ...]


def mean_errors(
    run_s: Integers, most_error_percent: Sequence[float] = MOST_ERROR_PERCENT
) -> list[MeanErrors]:
    """Mean errors of every placement for run times [s], shape ``(jobs,)``."""
    result = []
    for placement in PLACEMENTS:
        each = [placed(run_s, bound / 100, placement) for bound in most_error_percent]
        means = tuple(None if e.mean_error is None else 100 * e.mean_error for e in each)
        result.append(MeanErrors(placement, means, tuple(e.classes for e in each)))
    return result


def closed_form(most_percent: float) -> float:
    """E / ln(1 + e) - 1 in per cent: the mean error of run times log-uniform in their class.

    Examples
    --------
    >>> round(closed_form(10), 2), round(closed_form(100), 2)
    (4.92, 44.27)
    """
    error = most_percent / 100
    return 100 * (error / math.log1p(error) - 1) if error else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="+", metavar="LOG")
    for path in parser.parse_args().logs:
        log = read_job_log(path)
        print(f"\n| mean error (%) of {log.name} | {' | '.join(map(str, MOST_ERROR_PERCENT))} |")
        print("|---" * (1 + len(MOST_ERROR_PERCENT)) + "|")
        for row in mean_errors(log.run_s):
            cells = ("-" if mean is None else f"{mean:.2f}" for mean in row.mean_error_percent)
            print(f"| {row.placement} | {' | '.join(cells)} |")
            print(f"| classes | {' | '.join(map(str, row.classes))} |")


if __name__ == "__main__":
    main()
