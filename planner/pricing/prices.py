"""What jobs used, what they pay by run time, and the run time that is charged.

The pricer never sees the run time alone. With the measured run time ``T_co`` and an estimate of
``perf = T_solo / T_co``, equation 4 becomes ``L C T_co perf^2``
(:func:`planner.pricing.scoring.relative_prices`, :mod:`planner.pricing.accounts.policies`).
Functions take arrays of jobs as well as single numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError

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
        if not np.isfinite(self.rate) or self.rate <= 0:
            raise InputError(f"the rate is {self.rate:g} SU per core-second; give a number above 0")
        for name in ("cores", "co_s"):
            values = np.atleast_1d(getattr(self, name))
            wrong = np.flatnonzero(~(np.isfinite(values) & (values > 0)))
            if len(wrong):
                raise InputError(
                    f"{name} of job {wrong[0] + 1} is {values[wrong[0]]:g}; give a number above 0"
                )


def by_run_time(usage: Usage) -> Floats:
    """Price under the state of practice [SU]: ``L C T`` (equation 1)."""
    return usage.rate * usage.cores * usage.co_s


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
