r"""How far one block can be off: counters, phases that windows cut, and ratios that vary.

Phases
    The IPC of an application, relative to its mean, is a process with variation ``c`` and
    correlation ``exp(-t / tau)``, where ``tau`` is a mean phase length. A block compares the mean
    over its window alone with that over the windows on both sides, each of length ``W``. With
    ``x = W / tau`` the mean over one window has variance ``c^2 v``, the means over adjacent windows
    have covariance ``c^2 a``, and those with a window in between ``c^2 a exp(-x)``:

        v = 2 (x - 1 + exp(-x)) / x^2          a = (1 - exp(-x))^2 / x^2

    The difference of ``d`` and ``(b + a) / 2`` has the variance
    ``c^2 (v + (v + a exp(-x)) / 2 - 2 a)``.
    It is small for windows much shorter than a phase, and for those much longer.
Counters
    A sample of length ``S`` has relative variance ``floor^2 + white^2 S_0 / S``. The window alone
    counts once, those at its sides half together.
Ratios
    The ratio varies over phases by ``spread``; a window shows the share ``v`` of that variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from planner.errors import InputError
from planner.pricing.overhead import Shutter
from planner.pricing.samples import Floats

REFERENCE_US = 3_200.0
"""Length of the sample at which counter noise is stated."""
_SMALL, _TINY = 1e-4, 1e-8  # below, formulas cancel: Taylor's series, and the limit 1


@dataclass(frozen=True)
class CounterNoise:
    """Relative noise of one sample.

    Attributes
    ----------
    floor
        Part that no longer sample removes.
    white
        Part that falls with the root of the length, at :data:`REFERENCE_US`.
    """

    floor: float = 0.05
    white: float = 0.0

    def variance(self, measure_us: float) -> float:
        """Relative variance of a sample."""
        return self.floor**2 + self.white**2 * REFERENCE_US / measure_us


@dataclass(frozen=True)
class JobClass:
    """Jobs of a site's mix that are alike.

    Attributes
    ----------
    run_s
        Run time [s].
    perf
        Normalised performance.
    phase_us
        Mean length of a phase [us].
    phase_variation
        Variation of the IPC over phases, relative to its mean.
    spread
        Standard deviation of the ratio over phases.
    weight
        Share of the mix, as core-hours or as jobs.
    """

    run_s: float
    perf: float
    phase_us: float
    phase_variation: float = 0.0
    spread: float = 0.0
    weight: float = 1.0

    def __post_init__(self) -> None:
        for name in ("run_s", "perf", "phase_us", "weight"):
            if not getattr(self, name) > 0:
                raise InputError(
                    f"{name} of a class of jobs is {getattr(self, name):g}; give a number above 0"
                )


class JobClasses(NamedTuple):
    """The classes of a mix as arrays, ``(classes,)``; fields as in :class:`JobClass`."""

    run_s: Floats
    perf: Floats
    phase_us: Floats
    phase_variation: Floats
    spread: Floats
    weight: Floats


def classes_of(mix: Sequence[JobClass]) -> JobClasses:
    """Arrays of a mix.

    Raises
    ------
    InputError
        The mix is empty.
    """
    if not mix:
        raise InputError("the site's mix has no class of jobs; give at least one")
    return JobClasses(
        *(np.array([getattr(job, name) for job in mix], float) for name in JobClasses._fields)
    )


def window_share(x: float | Floats) -> Floats:
    """Share of the variance of a process that the mean over a window keeps, ``v``.

    Examples
    --------
    >>> window_share(np.array([1e-9, 1.0])).round(4).tolist()
    [1.0, 0.7358]
    """
    lost = np.where(x > _TINY, x / 3, 0.0)
    far = np.maximum(x, _SMALL)
    return np.where(x < _SMALL, 1.0 - lost, 2 * (far - 1 + np.exp(-far)) / far**2)


def mismatch(x: float | Floats) -> Floats:
    """Variance of a block's difference that phases cause, relative to ``c^2``.

    Examples
    --------
    >>> mismatch(np.array([1.0, 100.0])).round(4).tolist()
    [0.378, 0.0295]
    """
    v = window_share(x)
    a = np.where(x > _TINY, ((1 - np.exp(-x)) / np.maximum(x, _TINY)) ** 2, 1.0)
    result: Floats = np.maximum(0.0, v + 0.5 * (v + a * np.exp(-x)) - 2 * a)
    return result


def block_variance(jobs: JobClass | JobClasses, shutter: Shutter, noise: CounterNoise) -> Floats:
    """Variance of the ratio of one block about the normalised performance of each class."""
    x = shutter.window_us / jobs.phase_us
    counters = 1.5 * noise.variance(shutter.measure_us) / shutter.repeats
    phases = jobs.phase_variation**2 * mismatch(x)
    variance: Floats = jobs.perf**2 * (counters + phases) + jobs.spread**2 * window_share(x)
    return variance
