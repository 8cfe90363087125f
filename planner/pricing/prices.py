"""Prices in service units (SU): equations 1 to 4, what POPPA can charge, and an unbiased price.

The pricer never sees the run time alone. With the measured run time ``T_co`` and an estimate of
``perf = T_solo / T_co``, equation 4 becomes ``L C T_co perf^2``. An error of 4 % in ``perf`` is an
error of 8.2 % or -7.8 % in the price.

Squaring adds the variance of the estimate: ``E[perf_hat^2] = perf^2 + V``. Noise then makes jobs
pay too much, short jobs most. The unbiased price takes an estimate of ``V`` off again. For a mean
of ``n`` independent values with sample variance ``s^2`` it is
``L C T_co (perf_hat^2 - s^2 / n)``. This equals ``L C T_co`` times the mean product of two
different values, and is unbiased for any distribution of the values.

All functions take arrays of jobs as well as single numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.pricing.estimate import Estimate

Floats = NDArray[np.float64]

POLICIES = ("state-of-practice", "poppa", "oracle", "headroom")
"""Who pays how: by run time, by Algorithm 4, by the hidden run time alone, by our estimate."""


@dataclass(frozen=True, eq=False)
class Usage:
    """What jobs used, as an accounting log has it.

    Attributes
    ----------
    rate
        ``L`` [SU per core and second].
    cores
        Cores of each job, in whole nodes where the site counts so.
    co_s
        Measured run time of each job on the shared node [s].

    Raises
    ------
    InputError
        A rate, core count or run time is not above 0.
    """

    rate: float
    cores: Floats
    co_s: Floats

    def __post_init__(self) -> None:
        check_rate(self.rate)
        for name in ("cores", "co_s"):
            values = np.atleast_1d(getattr(self, name))
            wrong = np.flatnonzero(~(np.isfinite(values) & (values > 0)))
            if len(wrong):
                raise InputError(
                    f"{name} of job {wrong[0] + 1} is {values[wrong[0]]:g}; give a number above 0"
                )


@dataclass(frozen=True)
class JobPrice:
    """What one job pays.

    Attributes
    ----------
    amount_su, low_su, high_su
        Price with its interval [SU].
    undiscounted_su
        Price by run time, without any discount [SU].
    """

    amount_su: float
    low_su: float
    high_su: float
    undiscounted_su: float

    @property
    def discount(self) -> float:
        """Share of the undiscounted price that the user does not pay."""
        return 1 - self.amount_su / self.undiscounted_su


def check_rate(rate: float) -> None:
    """See that a rate is above 0.

    Raises
    ------
    InputError
        It is not.
    """
    if not np.isfinite(rate) or rate <= 0:
        raise InputError(f"the rate is {rate:g} SU per core-second; give a number above 0")


def by_run_time(usage: Usage) -> Floats:
    """Price under the state of practice [SU]: ``L C T`` (equation 1)."""
    return usage.rate * usage.cores * usage.co_s


def oracle(usage: Usage, solo_s: Floats, co_s: Floats | None = None) -> Floats:
    """Price by the hidden run times [SU]: ``L (T_solo / T_co) C T_solo`` (equation 4).

    Only a score may call it: no pricer sees ``solo_s``.

    Parameters
    ----------
    solo_s
        Run time alone [s].
    co_s
        Run time together without measuring [s]; by default the measured one.
    """
    together = usage.co_s if co_s is None else co_s
    price: Floats = usage.rate * usage.cores * solo_s**2 / together
    return price


def by_perf(usage: Usage, perf: Floats) -> Floats:
    """Price by an estimate [SU]: ``L C T_co perf^2``."""
    price: Floats = by_run_time(usage) * perf**2
    return price


def unbiased(usage: Usage, perf: Floats, variance: Floats) -> Floats:
    """Price by an estimate, with the bias of squaring it removed [SU].

    Where the variance is not known (infinite), the price is :func:`by_perf`. It is never negative.
    """
    taken = np.where(np.isfinite(variance), variance, 0.0)
    price: Floats = by_run_time(usage) * np.maximum(perf**2 - taken, 0.0)
    return price


def price_of(
    estimate: Estimate, rate: float, cores: float, co_s: float, *, remove_bias: bool = True
) -> JobPrice:
    """Price of one job with its interval.

    The price rises with ``perf``, so that the ends of the interval of ``perf`` give those of the
    price, at the level of the estimate.
    """
    usage = Usage(rate, np.array([cores]), np.array([co_s]))
    whole = float(by_run_time(usage)[0])
    perf, variance = np.array([estimate.perf]), np.array([estimate.variance])
    amounts = unbiased(usage, perf, variance) if remove_bias else by_perf(usage, perf)
    return JobPrice(float(amounts[0]), whole * estimate.low**2, whole * estimate.high**2, whole)


def undisturbed_s(co_s: Floats, paused_s: Floats, alone_s: Floats, perf: Floats) -> Floats:
    """Run time together without measuring [s].

    Measuring pauses a job, which costs time, and lets it run alone, which saves time: work of
    ``alone_s`` would have taken ``alone_s / perf`` together. A user should not pay for either.

    Parameters
    ----------
    co_s
        Measured run time [s].
    paused_s, alone_s
        Parts of it in which the job was paused, and in which it ran alone [s].
    perf
        Estimated normalised performance.
    """
    result: Floats = co_s - paused_s - alone_s + alone_s / perf
    return result


def price_error(perf_error: float) -> float:
    """Relative error of a price whose ``perf`` has a relative error.

    Examples
    --------
    >>> round(price_error(0.04), 4), round(price_error(-0.04), 4)
    (0.0816, -0.0784)
    """
    return (1 + perf_error) ** 2 - 1
