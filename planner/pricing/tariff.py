"""A tariff: what a job pays over its price alone, as a function of its normalised performance.

The factor is linear between knots, so that an estimate that is slightly off changes a price
slightly. Equation 4 is the tariff whose factor is ``perf`` itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.pricing.prices import Usage, by_run_time

Floats = NDArray[np.float64]

KNOTS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
"""Normalised performance at which a tariff has a factor of its own."""


@dataclass(frozen=True, eq=False)
class Tariff:
    """Factors on the price alone.

    Attributes
    ----------
    perf
        Knots, ascending.
    factor
        What a job pays there over ``L C T_solo``.
    """

    perf: Floats
    factor: Floats

    def prices(self, usage: Usage, perf: Floats) -> Floats:
        """Price of each job [SU]; the price alone is estimated as ``L C T_co perf``."""
        factor: Floats = np.interp(perf, self.perf, self.factor)
        return by_run_time(usage) * perf * factor


def hats(perf: Floats, knots: Floats) -> Floats:
    """Weights of the knots in the factor of each job, shape ``(jobs, knots)``; each row adds to 1.

    Raises
    ------
    InputError
        The knots do not ascend.

    Examples
    --------
    >>> hats(np.array([0.85, 2.0]), np.array([0.8, 0.9, 1.0])).round(3).tolist()
    [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    """
    if len(knots) < 2 or (np.diff(knots) <= 0).any():
        raise InputError("the knots of a tariff do not ascend; give at least two, in order")
    within = np.clip(perf, knots[0], knots[-1])
    right = np.clip(np.searchsorted(knots, within, side="right"), 1, len(knots) - 1)
    share = (within - knots[right - 1]) / (knots[right] - knots[right - 1])
    result: Floats = np.zeros((len(perf), len(knots)))
    rows = np.arange(len(perf))
    result[rows, right - 1] = 1 - share
    result[rows, right] += share
    return result
