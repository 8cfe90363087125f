"""What measuring costs: the share of time a job is paused, and how much longer it runs.

A round of the measuring loop measures all jobs, pauses all jobs but one, measures again, and then
lets them run for a gap. Jobs take turns at running alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from planner.errors import InputError


@dataclass(frozen=True)
class Shutter:
    """Settings of the measuring loop.

    Attributes
    ----------
    measure_us
        Length of one measurement, ``S`` in the paper [us].
    gap_us
        Time between two rounds, ``P`` in the paper [us].
    repeats
        Measurements in a row, ``K`` in the paper. The paper gives no number; 1 is the least.
    jobs
        Jobs that share the node, ``n``.
    base_us
        Cost of one shutter besides its measurements [us]: reading counters and signals.
    literal
        Whether jobs are measured one after the other before and after a shutter, as Algorithm 3
        is printed, instead of all in one window.

    Raises
    ------
    InputError
        A setting is out of its range.
    """

    measure_us: float = 3_200.0
    gap_us: float = 200_000.0
    repeats: int = 1
    jobs: int = 2
    base_us: float = 0.0
    literal: bool = False

    def __post_init__(self) -> None:
        for name, least in (("measure_us", 0.0), ("gap_us", 0.0), ("base_us", 0.0)):
            value = getattr(self, name)
            if not math.isfinite(value) or value < least or (name == "measure_us" and value == 0):
                above = "above 0" if name == "measure_us" else "0 or more"
                raise InputError(f"{name} is {value:g}; give microseconds, {above}")
        for name, fewest in (("repeats", 1), ("jobs", 2)):
            if getattr(self, name) < fewest:
                raise InputError(f"{name} is {getattr(self, name)}; give at least {fewest}")

    @property
    def window_us(self) -> float:
        """Length of one window: ``K * S`` [us]."""
        return self.repeats * self.measure_us

    @property
    def paused_us(self) -> float:
        """Time of one shutter: its window and its base cost [us] (section 5.2)."""
        return self.window_us + self.base_us

    @property
    def round_us(self) -> float:
        """Length of one round: ``3 K S + P``, or ``(2n + 1) K S + P`` for the literal loop [us]."""
        windows = 2 * self.jobs + 1 if self.literal else 3
        return windows * self.window_us + self.base_us + self.gap_us

    @property
    def blocks_per_s(self) -> float:
        """How many measurements alone a job gets in a second."""
        return 1e6 / (self.jobs * self.round_us)


def sleep_fraction(shutter: Shutter) -> float:
    """Share of time for which a job is paused, ``Z``.

    References
    ----------
    POPPA, equation 9: ``(n - 1) S / (n (3 S + P))``, with ``K S`` and the base cost for ``S``.

    Examples
    --------
    >>> round(sleep_fraction(Shutter()), 6)
    0.007634
    """
    return (shutter.jobs - 1) * shutter.paused_us / (shutter.jobs * shutter.round_us)


def dilation(shutter: Shutter) -> float:
    """How much longer a job runs for being paused: ``T / T_i - 1 = Z / (1 - Z)``.

    It is an upper bound: what a job gains while it runs alone is left out.

    References
    ----------
    POPPA, equation 10.

    Examples
    --------
    >>> round(dilation(Shutter()), 6)
    0.007692
    """
    share = sleep_fraction(shutter)
    return share / (1 - share)


def dilation_limit(jobs: int) -> float:
    """Overhead that the parallel window approaches as ``S`` grows: ``(n - 1) / (2 n + 1)``.

    Examples
    --------
    >>> dilation_limit(2), round(dilation_limit(4), 4)
    (0.2, 0.3333)
    """
    return (jobs - 1) / (2 * jobs + 1)


def gap_for(budget: float, shutter: Shutter) -> float:
    """Least gap at which the overhead keeps to a budget [us]; 0 where any gap does.

    It solves equation 10 for ``P``.

    Raises
    ------
    InputError
        The budget is not above 0.
    """
    if not 0 < budget < math.inf:
        raise InputError(f"the overhead budget is {budget:g}; give a share above 0, such as 0.01")
    share = budget / (1 + budget)
    whole = (shutter.jobs - 1) * shutter.paused_us / (shutter.jobs * share)
    return max(0.0, whole - (shutter.round_us - shutter.gap_us))
