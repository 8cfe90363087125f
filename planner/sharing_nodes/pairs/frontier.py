"""The greatest gain at each limit of the slowdown: what protecting the slowest job costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.sharing_nodes.pairs.plan import CoLocationPlan
from planner.sharing_nodes.pairs.problem import PairingProblem
from solvers.matching.bottleneck import within
from solvers.matching.solve import match
from solvers.matching.weights import Weights

POINTS, FEWER = 12, 6
"""Limits that are looked at; fewer above 500 jobs."""

_LARGE = 500
_SAME = 0.0005
"""Shares that differ by less look the same in print."""


@dataclass(frozen=True)
class FrontierPoint:
    """The best pairing in which no job slows down more than a limit.

    Attributes
    ----------
    limit
        Largest time together over time alone that is allowed.
    share
        Gain over that without a limit.
    matches
        The jobs of each pair, by their indices.
    """

    limit: float
    gain: float
    pairs: int
    share: float
    matches: tuple[tuple[int, int], ...] = ()


def frontier(problem: PairingProblem, best: CoLocationPlan) -> tuple[FrontierPoint, ...]:
    """Up to twelve limits from the least slowdown of a gaining pair to that of the best plan."""
    if not best.pairs:
        return ()
    gain = problem.useful_gain
    useful = np.unique(problem.slowdown[(gain > 0) & (problem.slowdown <= best.max_slowdown)])
    count = POINTS if problem.jobs <= _LARGE else FEWER
    places = np.unique(np.linspace(0, len(useful) - 1, count).round().astype(np.int64))
    weights = Weights(gain)
    points = []
    for limit in useful[places].tolist():
        matched = match(within(weights, problem.slowdown, limit), engine="built-in")
        value = matched.certificate.objective or 0.0
        matches = tuple((a, b) for a, b in matched.pairs.tolist())
        points.append(FrontierPoint(limit, value, len(matches), value / best.gain, matches))
    return tuple(points)


def rising(points: Sequence[FrontierPoint]) -> list[FrontierPoint]:
    """The limits at which the gain grows, the smallest first."""
    result: list[FrontierPoint] = []
    for point in points:
        if not result or point.share > result[-1].share + _SAME:
            result.append(point)
    return result
