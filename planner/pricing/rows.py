"""Rows of a study of prices: policies, estimators, applications, settings of the measurement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from planner.pricing.overhead import Shutter, dilation, sleep_fraction
from planner.pricing.shutters import LENGTHS_US

if TYPE_CHECKING:
    from planner.pricing.result import PriceResult
    from planner.pricing.shutters import RatedShutter

Row = dict[str, Any]
MOST_DRAWN = 16
"""Applications in the maps; of more, those that lose most."""
PLACES = 5
"""Decimals of the overhead of a setting, as people read it."""
_ERROR_PLACES = 4
"""Decimals of the random error of prices."""
_NEAR = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
"""Lengths of a measurement in a figure, as multiples of the one in use."""


def prices(result: PriceResult) -> list[Row]:
    """Discounts, revenue and fairness of each pricing policy; below 0 jobs pay more than alone."""
    return [
        {
            "policy": name,
            "mean_discount": one.mean_discount,
            "min_discount": one.least_discount,
            "p95_discount": one.p95_discount,
            "max_discount": one.largest_discount,
            "revenue": one.revenue_ratio,
            "jain": one.jain,
            "mean_envy": one.mean_envy,
            "envious": one.envious,
            "phantom_discount": None if np.isnan(one.phantom_discount) else one.phantom_discount,
            "price_error": one.price_error,
        }
        for name, one in result.fairness.items()
    ]


def paid(result: PriceResult) -> list[Row]:
    """What jobs pay under each policy, relative to running alone."""
    return [
        {
            "policy": name,
            "mean_price": 1 - one.mean_discount,
            "lowest_price": 1 - one.largest_discount,
            "p05_price": 1 - one.p95_discount,
            "highest_price": 1 - one.least_discount,
            "price_error": one.price_error,
        }
        for name, one in result.fairness.items()
    ]


def applications(result: PriceResult) -> list[Row]:
    """What each application loses to its partners, and how well that is estimated."""
    lost, names = result.degradation, result.applications
    errors = result.poppa_score.by_application, result.our_score.by_application
    return [
        {
            "application": name,
            "mean_degradation": float(lost[row].mean()),
            "largest_degradation": float(lost[row].max()),
            "worst_partner": names[int(lost[row].argmax())],
            "poppa_error": float(errors[0][row]),
            "our_error": float(errors[1][row]),
        }
        for row, name in enumerate(names)
    ]


def cells(result: PriceResult) -> list[Row]:
    """What applications lose to each other, and the errors of both estimators."""
    losses = result.degradation.max(axis=1)
    drawn = sorted(np.argsort(-losses, kind="stable")[:MOST_DRAWN].tolist())
    names = result.applications
    return [
        {
            "application": names[row],
            "partner": names[column],
            "lost": float(result.degradation[row, column]),
            "poppa": float(result.poppa_score.errors[row, column]),
            "headroom": float(result.our_score.errors[row, column]),
        }
        for row in drawn
        for column in drawn
    ]


def earned(result: PriceResult) -> list[Row]:
    """Revenue relative to running alone: over all pairs, and in a month that no tariff saw."""
    over_pairs = {name: one.revenue_ratio for name, one in result.fairness.items()}
    month = result.month
    return [
        {"price": "prices by run time, as today", "pairs": over_pairs["state-of-practice"],
         "month": month.run_time_ratio},
        {"price": "poppa", "pairs": over_pairs["poppa"], "month": None},
        {"price": "oracle", "pairs": over_pairs["oracle"], "month": None},
        {"price": "prices by headroom's estimates, no tariff", "pairs": over_pairs["headroom"],
         "month": month.unadjusted_ratio},
        {"price": "tariff fitted to the first month", "pairs": None, "month": month.next_ratio},
    ]  # fmt: skip


def settings(result: PriceResult) -> list[Row]:
    """The setting in use, the best one within the accepted overhead, and those at others."""
    best = [_rated("best", rated) for rated in result.frontier]
    return [_rated("in use", result.in_use), _rated("accepted", result.chosen), *best]


def _rated(which: str, rated: RatedShutter) -> Row:
    shutter = rated.shutter
    return {
        "setting": which,
        "overhead": round(rated.overhead, PLACES),
        "price_error": round(rated.price_error, _ERROR_PLACES),
        "measure_us": shutter.measure_us,
        "gap_us": shutter.gap_us,
        "repeats": shutter.repeats,
        "marked": which != "best",
    }


def overhead_near(result: PriceResult) -> list[Row]:
    """Equation 10 from a quarter to four times the length in use, for 2, 3 and 4 jobs."""
    given = result.shutter
    return [
        {"jobs": jobs, "measure_ms": length / 1000, "dilation": dilation(shutter)}
        for jobs in (2, 3, 4)
        for length in (given.measure_us * share for share in _NEAR)
        for shutter in [Shutter(length, given.gap_us, given.repeats, jobs, 0.0, given.literal)]
    ]


def overhead_by_length(result: PriceResult) -> list[Row]:
    """Equations 9 and 10 over lengths of a measurement, for 2, 3 and 4 jobs."""
    given = result.shutter
    return [
        {
            "jobs": jobs,
            "measure_us": length,
            "sleep_fraction": sleep_fraction(shutter),
            "dilation": dilation(shutter),
        }
        for jobs in (2, 3, 4)
        for length in LENGTHS_US
        for shutter in [Shutter(length, given.gap_us, given.repeats, jobs, 0.0, given.literal)]
    ]
