r"""The choice of S, P and K for a site: least variance of the price within an overhead budget.

The price is proportional to ``perf^2``, so that its relative error has variance
``4 Var(perf_hat) / perf^2``. A job of run time ``T`` has ``N = T / (n (3 K S + P))`` blocks, and
``Var(perf_hat)`` is the variance of a block over ``N``. A job without any block, with probability
``max(0, 1 - N)``, pays without discount: its relative error is ``perf^-2 - 1``.

For given ``S`` and ``K`` a shorter gap only adds blocks. So the best gap is the one at which
equation 10 meets the budget, in closed form, but at least the shortest gap allowed. What is left
is a small grid of ``S`` and ``K``, which is searched whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.errors import InputError
from planner.pricing.noise import CounterNoise, JobClass, block_variance
from planner.pricing.overhead import Shutter, dilation, gap_for

LENGTHS_US = tuple(200.0 * 2**k for k in range(12))
"""Lengths of a measurement that are tried (section 8.1): 200 to 409,600 us."""
REPEATS = (1, 2, 3, 4, 6, 8)
SHORTEST_GAP_US = 20_000.0
"""Shortest gap: 40 times the cost of one main loop (500 us), so that the loop takes 2.5 %."""
BUDGETS = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05)
"""Overhead budgets of the frontier."""


@dataclass(frozen=True)
class Setting:
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


def mix_error(mix: Sequence[JobClass], shutter: Shutter, noise: CounterNoise) -> float:
    """Root mean square of the relative error of the price over a mix.

    Raises
    ------
    InputError
        The mix is empty.
    """
    if not mix:
        raise InputError("the site's mix has no class of jobs; give at least one")
    weight = np.array([job.weight for job in mix])
    square = np.array([_squared_error(job, shutter, noise) for job in mix])
    return float(np.sqrt(weight @ square / weight.sum()))


def best_setting(
    mix: Sequence[JobClass],
    budget: float,
    *,
    jobs: int = 2,
    base_us: float = 200.0,
    noise: CounterNoise | None = None,
    lengths_us: Sequence[float] = LENGTHS_US,
    repeats: Sequence[int] = REPEATS,
    shortest_gap_us: float = SHORTEST_GAP_US,
) -> Setting:
    """The setting of least price error whose overhead keeps to the budget.

    Parameters
    ----------
    mix
        Classes of jobs with their run times and phases.
    budget
        Most that equation 10 may give, as 0.01.
    jobs
        Jobs per node.
    base_us
        Cost of one shutter besides its measurements; the paper measures 120 to 200 us.
    noise
        Of the counters.

    Raises
    ------
    InputError
        The budget or a setting is out of its range.
    """
    settings = [
        setting_at(mix, Shutter(length, 0.0, count, jobs, base_us), budget, noise, shortest_gap_us)
        for length in lengths_us
        for count in repeats
    ]
    return min(settings, key=lambda each: (each.price_error, each.overhead))


def setting_at(
    mix: Sequence[JobClass],
    shutter: Shutter,
    budget: float,
    noise: CounterNoise | None = None,
    shortest_gap_us: float = SHORTEST_GAP_US,
) -> Setting:
    """The best gap for one ``S`` and ``K``."""
    gap_us = max(shortest_gap_us, gap_for(budget, shutter))
    chosen = replace(shutter, gap_us=gap_us)
    return Setting(chosen, dilation(chosen), mix_error(mix, chosen, noise or CounterNoise()))


def frontier(
    mix: Sequence[JobClass],
    budgets: Sequence[float] = BUDGETS,
    *,
    jobs: int = 2,
    base_us: float = 200.0,
    noise: CounterNoise | None = None,
) -> tuple[Setting, ...]:
    """The best setting for each budget, in ascending order of overhead."""
    found = [
        best_setting(mix, budget, jobs=jobs, base_us=base_us, noise=noise)
        for budget in sorted(budgets)
    ]
    return tuple(dict.fromkeys(found))


def _squared_error(job: JobClass, shutter: Shutter, noise: CounterNoise) -> float:
    blocks = job.run_s * shutter.blocks_per_s
    unmeasured = max(0.0, 1 - blocks)
    measured = 4 * block_variance(job, shutter, noise) / (job.perf**2 * max(blocks, 1.0))
    return (1 - unmeasured) * measured + unmeasured * (job.perf**-2 - 1) ** 2
