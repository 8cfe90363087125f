r"""The choice of S, P and K for a site: least variance of the price within an overhead budget.

The price is proportional to ``perf^2``, so that its relative error has variance
``4 Var(perf_hat) / perf^2``. A job of run time ``T`` has ``N = T / (n (3 K S + P))`` blocks, and
``Var(perf_hat)`` is the variance of a block over ``N``. A job without any block, with probability
``max(0, 1 - N)``, pays without discount: its relative error is ``perf^-2 - 1``.

Short samples have a bias of their own: reading the counters of all jobs takes a core for part of
each sample together, and the correction for it is off by the share ``doubt``. The relative bias of
``perf_hat`` is ``doubt * (reading / n) / (S + reading)``; its square is added.

For given ``S`` and ``K`` a shorter gap only adds blocks. So the best gap is the one at which
equation 10 meets the budget, in closed form, but at least the shortest gap allowed. What is left
is a small grid of ``S`` and ``K``, which is searched whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from planner.pricing.noise import CounterNoise, JobClass, JobClasses, block_variance, classes_of
from planner.pricing.overhead import Shutter, dilation, gap_for
from planner.pricing.samples import Floats

LENGTHS_US = tuple(200.0 * 2**k for k in range(12))
"""Lengths of a measurement that are tried (section 8.1): 200 to 409,600 us."""
REPEATS = (1, 2, 3, 4, 6, 8)
SHORTEST_GAP_US = 20_000.0
"""Shortest gap: 40 times the cost of one main loop (500 us), so that the loop takes 2.5 %."""
READING_US = 80.0
"""Time to read the counters of two jobs: a main loop of 500 us at most has six readings."""
DOUBT = 0.2
"""Share of the effect of reading that is left after its correction."""
BUDGETS = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05)
"""Overhead budgets of the frontier."""


@dataclass(frozen=True)
class Measuring:
    """What measuring costs and how noisy it is.

    Attributes
    ----------
    noise
        Noise of the counters.
    base_us
        Cost of one shutter besides its window; the paper measures 120 to 200 us.
    reading_us
        Time to read the counters of all jobs.
    doubt
        Share of the effect of reading that is left after its correction.
    shortest_gap_us
        Least gap between two rounds.
    """

    noise: CounterNoise = field(default_factory=CounterNoise)
    base_us: float = 200.0
    reading_us: float = READING_US
    doubt: float = DOUBT
    shortest_gap_us: float = SHORTEST_GAP_US

    def bias(self, shutter: Shutter) -> float:
        """Relative bias of an estimate that reading leaves."""
        share = self.reading_us / shutter.jobs / (shutter.measure_us + self.reading_us)
        return self.doubt * share


@dataclass(frozen=True)
class RatedShutter:
    """One choice of S, P and K, and what it does to the site's mix.

    Attributes
    ----------
    shutter
        The settings of the measuring loop.
    overhead
        By equation 10.
    price_error
        Root mean square of the relative error of the price over the mix.
    """

    shutter: Shutter
    overhead: float
    price_error: float


def mix_error(
    mix: Sequence[JobClass], shutter: Shutter, measuring: Measuring | None = None
) -> float:
    """Root mean square of the relative error of the price over a mix.

    Raises
    ------
    InputError
        The mix is empty.
    """
    return _error(classes_of(mix), shutter, measuring or Measuring())


def best_setting(
    mix: Sequence[JobClass],
    budget: float,
    *,
    jobs: int = 2,
    measuring: Measuring | None = None,
) -> RatedShutter:
    """The setting of least price error whose overhead keeps to the budget.

    Parameters
    ----------
    mix
        Classes of jobs with their run times and phases.
    budget
        Most that equation 10 may give, as 0.01.
    jobs
        Jobs per node.
    measuring
        What measuring costs and how noisy it is.

    Raises
    ------
    InputError
        The budget or a setting is out of its range, or the mix is empty.
    """
    measuring = measuring or Measuring()
    classes = classes_of(mix)
    settings = [
        setting_at(classes, Shutter(length, 0.0, count, jobs, measuring.base_us), budget, measuring)
        for length in LENGTHS_US
        for count in REPEATS
    ]
    selected = [setting for setting in settings if setting.overhead <= budget * (1 + 1e-9)]
    return min(selected or settings, key=lambda setting: (setting.price_error, setting.overhead))


def setting_at(
    classes: JobClasses, shutter: Shutter, budget: float, measuring: Measuring
) -> RatedShutter:
    """The best gap for one ``S`` and ``K``."""
    gap_us = max(measuring.shortest_gap_us, gap_for(budget, shutter))
    chosen = replace(shutter, gap_us=gap_us)
    return RatedShutter(chosen, dilation(chosen), _error(classes, chosen, measuring))


def frontier(
    mix: Sequence[JobClass],
    budgets: Sequence[float] = BUDGETS,
    *,
    jobs: int = 2,
    measuring: Measuring | None = None,
) -> tuple[RatedShutter, ...]:
    """The best setting for each budget, in ascending order of overhead, each once."""
    result = [
        best_setting(mix, budget, jobs=jobs, measuring=measuring) for budget in sorted(budgets)
    ]
    return tuple(dict.fromkeys(result))


def _error(classes: JobClasses, shutter: Shutter, measuring: Measuring) -> float:
    square = _squared_error(classes, shutter, measuring)
    return float(np.sqrt(classes.weight @ square / classes.weight.sum()))


def _squared_error(classes: JobClasses, shutter: Shutter, measuring: Measuring) -> Floats:
    blocks = classes.run_s * shutter.blocks_per_s
    unmeasured = np.maximum(0.0, 1 - blocks)
    variance = block_variance(classes, shutter, measuring.noise) / np.maximum(blocks, 1.0)
    measured = 4 * (variance / classes.perf**2 + measuring.bias(shutter) ** 2)
    result: Floats = (1 - unmeasured) * measured + unmeasured * (classes.perf**-2 - 1) ** 2
    return result
