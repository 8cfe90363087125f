"""Months of jobs on a site that shares nodes: a tariff is fitted to one and tried on the next.

A month is drawn from a matrix of normalised performance (application x partner) and from estimates
of a trial. Users have favourite applications and run more or fewer jobs; run times and cores
vary by orders of magnitude, so that a few large jobs make much of the revenue. The tariff sees
estimates only. Amounts are those of simulated jobs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.pricing.neutrality import NeutralTariff, neutral_tariff, problem_of
from planner.pricing.prices import Usage, by_run_time
from planner.pricing.samples import Floats

Integers = NDArray[np.int64]

JOBS = 5_000
USERS = 80
LEAST_SHARE = 0.6
"""Least that a user pays under the tariff, as a share of the price of running alone."""


@dataclass(frozen=True, eq=False)
class Month:
    """Jobs of a month.

    Attributes
    ----------
    usage
        Rate, cores and run time together of each job.
    perf
        Estimated normalised performance.
    solo_s
        Hidden run time alone [s], for scoring.
    user
        User of each job.
    """

    usage: Usage
    perf: Floats
    solo_s: Floats
    user: Integers

    @property
    def alone_su(self) -> Floats:
        """Price alone, by hidden run times [SU]."""
        result: Floats = self.usage.rate * self.usage.cores * self.solo_s
        return result


@dataclass(frozen=True, eq=False)
class NextMonth:
    """A tariff of one month on the next.

    Attributes
    ----------
    tariff
        With the certificate of the first month.
    fitted_ratio, next_ratio
        Revenue over that of the same jobs alone, in both months; by hidden run times.
    unadjusted_ratio
        The same of the next month under equation 4 without a tariff.
    run_time_ratio
        The same of the next month if all pay by run time.
    """

    tariff: NeutralTariff
    fitted_ratio: float
    next_ratio: float
    unadjusted_ratio: float
    run_time_ratio: float


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


def draw_month(
    rng: np.random.Generator,
    hidden: Floats,
    estimated: Floats,
    *,
    favourites: Floats | None = None,
    jobs: int = JOBS,
    rate: float = 1 / 3600,
) -> Month:
    """Jobs of a month.

    Parameters
    ----------
    hidden
        Normalised performance, shape ``(applications, partners)``.
    estimated
        Estimates of it in several runs, shape ``(runs, applications, partners)``; each job has that
        of a random run.
    favourites
        Chance of each application for each user, shape ``(users, applications)``; the same in both
        months. By default drawn.
    """
    runs, count, partners = estimated.shape
    if hidden.shape != (count, partners):
        raise InputError(f"hidden times have shape {hidden.shape}, estimates {estimated.shape}")
    taste = draw_favourites(rng, count) if favourites is None else favourites
    activity = np.arange(1, len(taste) + 1) ** -0.8
    user = rng.choice(len(taste), jobs, p=activity / activity.sum())
    total = np.cumsum(taste[user], axis=1)
    application = (rng.random(jobs)[:, None] * total[:, -1:] > total).sum(axis=1)
    partner = rng.integers(0, partners, jobs)
    run = rng.integers(0, runs, jobs)
    solo = np.clip(rng.lognormal(np.log(1_800), 1.5, jobs), 30, 172_800)
    cores: Floats = 16.0 * 2.0 ** rng.integers(0, 7, jobs).astype(np.float64)
    perf = hidden[application, partner]
    return Month(
        Usage(rate, cores, (solo / perf).astype(np.float64)),
        estimated[run, application, partner],
        solo,
        user,
    )


def draw_favourites(rng: np.random.Generator, applications: int) -> Floats:
    """How often each user runs each application: most run one or two of them."""
    return rng.dirichlet(np.full(applications, 0.3), USERS)


def next_month(
    first: Month, second: Month, *, least: float = 0.0, most: float = float("inf")
) -> NextMonth:
    """Fit a neutral tariff to one month and price the next with it.

    Parameters
    ----------
    least, most
        What a user pays, as a share of the user's price alone; floors hold in the first month.
    """
    result = neutral_tariff(problem_of(first.usage, first.perf, first.user, least=least, most=most))
    ratios = [
        float(result.tariff.prices(each.usage, each.perf).sum() / each.alone_su.sum())
        for each in (first, second)
    ]
    by_time = by_run_time(second.usage)
    alone = second.alone_su.sum()
    return NextMonth(
        result,
        ratios[0],
        ratios[1],
        float((by_time * second.perf**2).sum() / alone),
        float(by_time.sum() / alone),
    )


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
