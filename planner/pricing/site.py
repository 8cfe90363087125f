"""What a site decides besides S, P and K: adaptive rounds, and a tariff that keeps its revenue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.pricing.adaptive import AdaptiveRule, measured_rounds, weighted_estimate
from planner.pricing.month import NextMonth, draw_favourites, draw_month, next_month
from planner.pricing.noise import CounterNoise, JobClass, block_variance
from planner.pricing.overhead import Shutter, dilation
from planner.pricing.samples import Floats

LONGEST_RUN_S = 14_400.0
"""Longest run whose rounds are simulated one by one."""
LEAST_SHARE = 0.6
"""Least that a user pays under the tariff, as a share of the price of running alone."""


@dataclass(frozen=True)
class AdaptiveRow:
    """Rounds of jobs of one class with a fixed gap, and with one that grows with the job's age.

    Attributes
    ----------
    run_s, phase_us
        Run time and phase length of the class.
    fixed, adaptive
        Rounds in which the job runs alone.
    overhead_fixed, overhead_adaptive
        Overhead by equation 10, scaled by the rounds that are measured.
    half_width
        Half-width of the 95 % interval of the price with adaptive rounds, relative to the price.
    """

    run_s: float
    phase_us: float
    fixed: int
    adaptive: int
    overhead_fixed: float
    overhead_adaptive: float
    half_width: float


@dataclass(frozen=True)
class TariffRow:
    """A tariff that is fitted to one month and tried on the next, simulated.

    Attributes
    ----------
    price
        What is charged.
    first_month, next_month
        Revenue over that of the same jobs alone.
    """

    price: str
    first_month: float | None
    next_month: float


def adaptive_rows(
    mix: Sequence[JobClass], shutter: Shutter, noise: CounterNoise, seed: int = 0
) -> tuple[AdaptiveRow, ...]:
    """Adaptive rounds of each class of a mix, on stationary blocks."""
    rng = np.random.default_rng(seed)
    rows = []
    for job in mix:
        kind = replace(job, run_s=min(job.run_s, LONGEST_RUN_S))
        rounds = int(kind.run_s * shutter.blocks_per_s)
        if rounds < 2:
            continue
        spread = float(np.sqrt(block_variance(kind, shutter, noise)))
        ratios: Floats = rng.normal(kind.perf, spread, rounds)
        time_us: Floats = np.arange(rounds, dtype=np.float64) * shutter.jobs * shutter.round_us
        chosen = measured_rounds(AdaptiveRule(least_gap_us=shutter.gap_us), ratios, time_us)
        estimate = weighted_estimate(ratios[chosen], time_us[chosen], kind.run_s * 1e6)
        share = len(chosen) / rounds
        rows.append(
            AdaptiveRow(
                kind.run_s,
                kind.phase_us,
                rounds,
                len(chosen),
                dilation(shutter),
                dilation(shutter) * share,
                (estimate.high - estimate.low) / estimate.perf,
            )
        )
    return tuple(rows)


def tariff_of_months(
    hidden: Floats, estimated: Floats, rate_su_per_core_hour: float, seed: int = 0
) -> tuple[NextMonth, tuple[TariffRow, ...]]:
    """Fit a tariff with a floor per user to a simulated month, and price the next month with it.

    Parameters
    ----------
    hidden
        Normalised performance, shape ``(applications, partners)``: what jobs run like.
    estimated
        Estimates in several runs, shape ``(runs, applications, partners)``: what prices see.
    """
    rng = np.random.default_rng((seed, 20))
    taste = draw_favourites(rng, len(hidden))
    rate = rate_su_per_core_hour / 3600
    first, second = (
        draw_month(rng, hidden, estimated, favourites=taste, rate=rate) for _ in range(2)
    )
    months = next_month(first, second, least=LEAST_SHARE)
    return months, (
        TariffRow("prices by run time, as today", None, months.run_time_ratio),
        TariffRow("prices by Headroom's estimates, no tariff", None, months.unadjusted_ratio),
        TariffRow("tariff fitted to the first month", months.fitted_ratio, months.next_ratio),
    )
