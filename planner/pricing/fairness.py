"""How fair prices are: Jain's index, discounts, envy, phantom discounts, and price errors.

The yardstick is equation 4 with the hidden run times. A job's *relative price* is what it pays
over what equation 4 charges. It is also what the job pays per core-second of work alone, over the
speed that it got. So a job envies another exactly where its relative price is higher: for its
money the other got more speed. Prices by equation 4 leave no envy and have index 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError

Floats = NDArray[np.float64]

QUIET = 0.995
"""Normalised performance from which a job counts as not disturbed."""
TOLERANCE = 0.02
"""Difference of relative prices that a user would not notice."""


@dataclass(frozen=True)
class Fairness:
    """One pricing policy over a mix of jobs.

    Attributes
    ----------
    revenue_su
        Sum of the prices [SU].
    revenue_ratio
        Revenue over that of the same jobs alone.
    mean_discount, least_discount, largest_discount, p95_discount
        Discounts on the price of running alone, ``L C T_solo``; negative where a job pays more.
    jain
        Jain's index of the relative prices: 1 if all are equal, ``1/n`` if one job pays all.
    mean_envy, largest_envy
        Relative price of a job less the least of all jobs.
    envious
        Share of jobs whose envy is above :data:`TOLERANCE`.
    phantom_discount
        Mean discount of jobs that no other job disturbs; NaN where there are none.
    price_error
        Mean absolute difference of the relative price from 1.
    """

    revenue_su: float
    revenue_ratio: float
    mean_discount: float
    least_discount: float
    largest_discount: float
    p95_discount: float
    jain: float
    mean_envy: float
    largest_envy: float
    envious: float
    phantom_discount: float
    price_error: float


def fairness(prices: Floats, alone: Floats, fair: Floats) -> Fairness:
    """Measure a policy.

    Parameters
    ----------
    prices
        What each job or user pays [SU].
    alone
        Price of running alone, ``L C T_solo`` [SU].
    fair
        Price by equation 4 with the hidden run times [SU].

    Raises
    ------
    InputError
        There are no jobs, or a yardstick is not above 0.
    """
    if not len(prices):
        raise InputError("no prices are given; give at least one job")
    if (alone <= 0).any() or (fair <= 0).any():
        raise InputError(
            "a job has a price of 0 or less, alone or by equation 4; leave such jobs out"
        )
    relative = prices / fair
    discount = 1 - prices / alone
    envy = relative - relative.min()
    quiet = fair / alone >= QUIET
    return Fairness(
        revenue_su=float(prices.sum()),
        revenue_ratio=float(prices.sum() / alone.sum()),
        mean_discount=float(discount.mean()),
        least_discount=float(discount.min()),
        largest_discount=float(discount.max()),
        p95_discount=float(np.quantile(discount, 0.95)),
        jain=jain_index(relative),
        mean_envy=float(envy.mean()),
        largest_envy=float(envy.max()),
        envious=float((envy > TOLERANCE).mean()),
        phantom_discount=float(discount[quiet].mean()) if quiet.any() else float("nan"),
        price_error=float(np.abs(relative - 1).mean()),
    )


def jain_index(shares: Floats) -> float:
    """``(sum x)^2 / (n sum x^2)`` (Jain, Chiu and Hawe, 1984).

    Examples
    --------
    >>> jain_index(np.array([1.0, 1.0])), jain_index(np.array([1.0, 0.0]))
    (1.0, 0.5)
    """
    return float(shares.sum() ** 2 / (len(shares) * (shares**2).sum()))
