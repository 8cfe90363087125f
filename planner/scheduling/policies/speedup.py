"""How much faster a job would run on more processors than on one: assumed, no log says so.

A log has one run time for each job, on the processors that it requested. What it would take on
others is a model's word, and the models' parameters here are ASSUMED, not fitted to any job.

References
----------
Amdahl (1967). Validity of the single processor approach to achieving large scale computing
capabilities. AFIPS 30.
Downey (1997). A model for speedup of parallel programs. UCB/CSD-97-933, University of California,
Berkeley.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.plain_numbers import plain_float
from planner.scheduling.policies.problem import Integers
from scenarios.formatting import short

Floats = NDArray[np.float64]

SERIAL_FRACTION = 0.05
"""Default serial fraction of :class:`Amdahl`; ASSUMED."""

SIGMA = 1.0
"""Variance of parallelism of :class:`Downey`; ASSUMED, in the middle of the 0 to 2 that Downey met
in programs."""

_NOISE = 2.0**-44
"""Relative tolerance for a time that is rounded up.

It is larger than floating-point error, and smaller than the share of a second in any valid time.
"""

_FORMS = "amdahl:FRACTION, downey:PARALLELISM:SIGMA or downey:FACTORp:SIGMA"


class Speedup(Protocol):
    """A model of speedup."""

    @property
    def name(self) -> str:
        """As on the command line."""
        ...

    def speedup(self, processors: Integers, requested: Integers) -> Floats:
        """Return the run time on one processor over that on ``processors``, for each job.

        ``requested`` are the processors that the jobs requested. The speedup is 1 on one processor.
        With more processors it never falls, and it never grows faster than their number.
        """
        ...


@dataclass(frozen=True)
class Amdahl:
    """S(n) = n / (1 + f (n - 1)).

    Attributes
    ----------
    serial_fraction
        f: share of the run time on one processor that does not get shorter, 0 to 1.

    Raises
    ------
    InputError
        A share outside 0 to 1.
    """

    serial_fraction: float = SERIAL_FRACTION

    def __post_init__(self) -> None:
        if not 0 <= self.serial_fraction <= 1:
            message = f"a serial fraction of {self.serial_fraction:g} lies outside 0 to 1"
            raise InputError(f"{message}; give a share of the run time on one processor")

    @property
    def name(self) -> str:
        """As on the command line."""
        return f"amdahl:{self.serial_fraction:.15g}"

    def speedup(self, processors: Integers, requested: Integers) -> Floats:
        """Return the speedup on ``processors``; the request does not matter."""
        del requested
        speedup: Floats = processors / (1 + self.serial_fraction * (processors - 1))
        return speedup


@dataclass(frozen=True)
class Downey:
    """Speedup by the mean and the variance of a program's parallelism over its run.

    With average parallelism A and variance of parallelism sigma (a coefficient, 0 for a program
    that always uses A processors), for sigma <= 1::

        S(n) = A n / (A + sigma (n - 1) / 2)                        1 <= n <= A
        S(n) = A n / (sigma (A - 1/2) + n (1 - sigma/2))            A <= n <= 2 A - 1
        S(n) = A                                                    n >= 2 A - 1

    and for sigma >= 1::

        S(n) = n A (sigma + 1) / (sigma (n + A - 1) + A)            1 <= n <= A + A sigma - sigma
        S(n) = A                                                    n >= A + A sigma - sigma

    Attributes
    ----------
    parallelism
        A, at least 1; if ``relative``, A divided by the processors that the job requested. By
        default a job requests its average parallelism: ASSUMED. An A below 1 counts as 1.
    sigma
        Variance of parallelism, at least 0.
    relative
        Whether A is relative to the requested processors.

    Raises
    ------
    InputError
        The parallelism or the variance is out of range.

    References
    ----------
    Downey (1997). A model for speedup of parallel programs. UCB/CSD-97-933: the models of
    low and of high variance. The report samples A; here A follows the request.
    """

    parallelism: float = 1.0
    sigma: float = SIGMA
    relative: bool = True

    def __post_init__(self) -> None:
        lowest = 0.0 if self.relative else 1.0
        if not (lowest <= self.parallelism < math.inf and self.parallelism > 0):
            allowed = "above 0 times the request" if self.relative else "of at least 1"
            message = f"an average parallelism of {self.parallelism:g} cannot be"
            raise InputError(f"{message}; give one {allowed}")
        if not 0 <= self.sigma < math.inf:
            message = f"a variance of parallelism of {self.sigma:g} cannot be"
            raise InputError(f"{message}; give 0 or more, such as 1")

    @property
    def name(self) -> str:
        """As on the command line."""
        factor = "" if self.relative and self.parallelism == 1 else f"{self.parallelism:.15g}"
        return f"downey:{factor}{'p' if self.relative else ''}:{self.sigma:.15g}"

    def speedup(self, processors: Integers, requested: Integers) -> Floats:
        """Return the speedup on ``processors``, by the average parallelism of each job."""
        n, s = np.asarray(processors, float), self.sigma
        a = np.full(len(n), self.parallelism)
        if self.relative:
            a = np.maximum(1.0, self.parallelism * requested)
        # Both models agree at sigma = 1, and the pieces of each meet: the speedup has no jumps.
        if s >= 1:
            rising = n * a * (s + 1) / (s * (n + a - 1) + a)
            return np.where(n >= a + a * s - s, a, rising)
        below = a * n / (a + s * (n - 1) / 2)
        above = a * n / (s * (a - 0.5) + n * (1 - s / 2))
        return np.where(n <= a, below, np.where(n < 2 * a - 1, above, a))


def scaled(time_s: Integers, processors: Integers, requested: Integers, model: Speedup) -> Integers:
    """Times on other processors than requested: t S(requested) / S(processors), rounded up [s].

    The order of two times of a job stays: what was at most an estimate is at most the scaled
    estimate, since each step, multiplication and rounding up, never falls. On the processors asked
    for a time is itself, and 0 s stays 0 s.

    Parameters
    ----------
    time_s
        Times on the requested processors [s], shape ``(jobs,)``.
    processors, requested
        Processors that the jobs get and that they requested, shape ``(jobs,)``.
    model
        Speedup over processors.

    Returns
    -------
    numpy.ndarray
        Seconds, of the shape of ``time_s``.
    """
    # One function gives both speedups, so on the request itself the ratio is exactly 1.
    ratio = model.speedup(requested, requested) / model.speedup(processors, requested)
    scaled_s: Integers = np.ceil(time_s * ratio * (1 - _NOISE)).astype(np.int64)
    return scaled_s


def speedup_of(text: str) -> Speedup:
    """Return the model of a text such as ``amdahl:0.05``, ``downey:32:1`` or ``downey:2p:0.5``.

    A parallelism that ends in ``p`` is relative to the processors that each job requested.

    Returns
    -------
    Speedup
        The model, for ``scaled`` and ``Moldable``.

    Raises
    ------
    InputError
        The text is not a model, or its parameters are out of range.
    """
    kind, *values = text.strip().split(":")
    try:
        if kind == "amdahl" and len(values) == 1:
            return Amdahl(plain_float(values[0]))
        if kind == "downey" and len(values) == 2:
            factor, sigma = values[0], plain_float(values[1])
            if factor.endswith("p"):
                return Downey(plain_float(factor[:-1] or "1"), sigma)
            return Downey(plain_float(factor), sigma, relative=False)
    except ValueError:
        pass
    raise InputError(f"{short(text)} is not a speedup model; give {_FORMS}")
