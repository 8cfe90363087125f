r"""Spin correction: instructions of waiting ranks are taken off before IPCs are compared.

Model
    In a window a job waits for the share ``w`` of its cycles and polls meanwhile with the IPC
    ``q``. Its measured IPC is ``useful + q w``; only the useful part is progress. For equal
    progress the useful instructions are equal, so that ``T_solo / T_co`` is the useful IPC together
    over the useful IPC alone, waiting times included. A job that is slowed down waits more for its
    slowest rank: polling hides part of the slowdown.
Shares
    Both sides are corrected by mean shares: ``w_co`` over all windows together, ``w_solo`` over all
    windows alone. The sample of a single window is too noisy to divide by.
Reading
    While the measuring program reads counters it takes a core, and a job whose rank it delays makes
    no progress. Windows together hold one reading of all jobs; a window alone does not suffer, as
    cores are idle then. The useful IPC together is divided by 1 less the share of a window that one
    reading takes from a job.
Grouped ratios
    The mean of per-block ratios is free of the phase bias, but noise in denominators raises it. The
    ratio of means is free of that, but not of phases. So blocks are sorted by a level and cut into
    groups of about :data:`SIZE` blocks; the estimate is the ratio of means within each group,
    averaged over blocks. The level ``log b + log a + v log d`` must not depend on the noise of
    the ratio ``(log b + log a) / 2 - log d``. With half the mean squared differences ``g1`` of
    neighbouring windows and ``g2`` of the two sides, both of logarithms, their covariance vanishes
    for ``v = 2 - g2 / g1``: 1 for independent noise, 0 for a slow drift. Placebo blocks show both.
Short phases
    Where phases are shorter than a window, groups are groups of noise, and windows tend to hold
    whole phases: the ratio of means is then right. The correlation ``rho`` of the logarithms
    before and after says which it is: the grouped ratio gets the weight ``h = 1 - (1 - rho)^2``,
    the ratio of means the rest. Phases about as long as a window bias both. The distance between
    both, times the root of ``(1 - h)^2 + 1/4``, is added as a standard error.
Interval
    The influence of a block on a grouped ratio is ``(m - r_g d) / mean_g(d) + r_g - r``. The
    sampled shares add ``q^2 (Var(w_co) + r^2 Var(w_solo)) / mean(useful)^2``; the stated error
    ``e`` of the polling IPC adds ``(q e (w_co - r w_solo) / mean(useful))^2``, which no number of
    blocks removes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.pricing.estimate import Estimate, Floats, from_influence, unknown
from planner.pricing.estimators.estimator import Observation
from planner.pricing.samples import AFTER, BEFORE, DURING, Blocks

SIZE = 20
"""Blocks of a group: the noise of its mean is small, and a phase holds several groups."""
_FEWEST_PLACEBO = 20
_DOUBT = 0.5
_LEAST_USEFUL = 0.1
"""Share of a window's IPC that is taken as useful at least."""


@dataclass(frozen=True)
class Shares:
    """Sampled waiting shares of a job, together and alone, with their standard errors."""

    together: float
    alone: float
    together_error: float
    alone_error: float


@dataclass(frozen=True)
class SpinCorrected:
    """Ratios of useful IPC within groups of blocks of one level.

    Without a polling IPC, or without sampled waiting shares, nothing is taken off.
    """

    name: str = "spin"
    size: int = SIZE

    def estimate(self, seen: Observation) -> Estimate:
        """As :class:`~planner.pricing.estimators.estimator.Estimator`."""
        real = seen.blocks.real.means
        if not len(real):
            return unknown(seen.level)
        shares, polling = waiting_shares(seen.blocks), seen.polling
        ipc = 0.0 if polling is None or shares is None else polling.ipc
        together, alone = (shares.together, shares.alone) if shares else (0.0, 0.0)
        useful = _useful(real, ipc, (together, alone, together))
        useful[:, [BEFORE, AFTER]] /= 1 - seen.reading_share
        placebo = _useful(seen.blocks.placebo.means, ipc, (together, together, together))
        perf, influence, doubt = blended_ratio(useful, placebo, self.size)
        level = float(useful[:, DURING].mean())
        systematic = doubt
        if shares is not None and polling is not None:
            sampled = np.hypot(shares.together_error, perf * shares.alone_error)
            off = polling.ipc_error * (shares.together - perf * shares.alone)
            systematic = float(np.hypot(doubt, ipc * float(np.hypot(sampled, off)) / level))
        return from_influence(perf, influence, len(real), seen.level, systematic=systematic)


def blended_ratio(means: Floats, placebo: Floats, size: int = SIZE) -> tuple[float, Floats, float]:
    """Grouped ratio and ratio of means, by how long phases last.

    Returns the estimate, the influence of each block, and the standard error from short phases.

    Parameters
    ----------
    means, placebo
        Useful IPC of real and of placebo blocks, above 0, shape ``(blocks, 3)``.
    size
        Blocks of a group.
    """
    log = np.log(means)
    slow = 1 - (1 - persistence(log)) ** 2
    weight = middle_weight(np.log(placebo) if len(placebo) >= _FEWEST_PLACEBO else log)
    grouped, first = grouped_ratio(means, size, weight)
    plain, second = grouped_ratio(means, max(size, len(means)))
    perf = slow * grouped + (1 - slow) * plain
    influence: Floats = slow * first + (1 - slow) * second
    return perf, influence, float(np.hypot(1 - slow, _DOUBT)) * abs(grouped - plain)


def persistence(log: Floats) -> float:
    """Correlation of the windows before and after, from 0 to 1; 1 where nothing varies."""
    before, after = log[:, BEFORE] - log[:, BEFORE].mean(), log[:, AFTER] - log[:, AFTER].mean()
    scale = float(np.sqrt((before @ before) * (after @ after)))
    return float(np.clip(before @ after / scale, 0.0, 1.0)) if scale > 0 else 1.0


def middle_weight(log: Floats) -> float:
    """Weight of the middle window in the level, ``2 - g2 / g1``, from 0 to 2."""
    near = 0.25 * (np.var(log[:, BEFORE] - log[:, DURING]) + np.var(log[:, AFTER] - log[:, DURING]))
    far = 0.5 * np.var(log[:, BEFORE] - log[:, AFTER])
    return float(np.clip(2 - far / near, 0.0, 2.0)) if near > 0 else 1.0


def grouped_ratio(means: Floats, size: int = SIZE, weight: float = 1.0) -> tuple[float, Floats]:
    """Ratio of means within groups of one level, and the influence of each block in its order.

    Parameters
    ----------
    means
        IPC before, during and after, above 0, shape ``(blocks, 3)``.
    size
        Blocks of a group.
    weight
        Weight of the middle window in the level.
    """
    together, alone = 0.5 * (means[:, BEFORE] + means[:, AFTER]), means[:, DURING]
    level = np.log(means[:, BEFORE] * means[:, AFTER]) + weight * np.log(alone)
    order = np.argsort(level, kind="stable")
    group = np.empty(len(means), dtype=np.int64)
    count = max(1, len(means) // size)
    group[order] = np.arange(len(means)) * count // len(means)
    number = np.bincount(group)
    below = np.bincount(group, alone)
    ratio = np.bincount(group, together) / below
    perf = float(number @ ratio / len(means))
    influence: Floats = (together - ratio[group] * alone) / (below / number)[group]
    influence += ratio[group] - perf
    return perf, influence


def waiting_shares(blocks: Blocks) -> Shares | None:
    """Mean waiting shares over all windows together and alone; None where none were sampled."""
    waiting, real = blocks.waiting, ~blocks.is_placebo
    alone = waiting[real, DURING]
    together = np.concatenate(
        [waiting[:, BEFORE], waiting[:, AFTER], waiting[blocks.is_placebo, DURING]]
    )
    alone, together = alone[np.isfinite(alone)], together[np.isfinite(together)]
    if not len(alone) or not len(together):
        return None
    return Shares(float(together.mean()), float(alone.mean()), _error(together), _error(alone))


def _useful(means: Floats, ipc: float, shares: tuple[float, float, float]) -> Floats:
    """Useful IPC of the windows; at least a small part of what was measured."""
    useful: Floats = np.maximum(means - ipc * np.array(shares), _LEAST_USEFUL * means)
    return useful


def _error(values: Floats) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
