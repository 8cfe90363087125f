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
    ratio of means is free of that, but not of phases. So blocks are sorted by the level
    ``log b + log a + log d`` and cut into groups of about :data:`SIZE` blocks. The estimate is the
    ratio of means within each group, averaged over blocks. With equal relative noise the
    level is uncorrelated with ``(log b + log a) / 2 - log d``: the groups are not chosen by the
    noise of the ratio.
Interval
    The influence of a block is ``(m - r_g d) / mean_g(d) + r_g - r``. The sampled shares add
    ``q^2 (Var(w_co) + r^2 Var(w_solo)) / mean(useful)^2``; the stated error ``e`` of the
    polling IPC adds ``(q e (w_co - r w_solo) / mean(useful))^2``, which no number of blocks
    removes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.pricing.estimate import Estimate, Floats, from_influence, unknown
from planner.pricing.estimators.estimator import Observation
from planner.pricing.samples import AFTER, BEFORE, DURING, Blocks

SIZE = 20
"""Blocks of a group: the noise of its mean is small, and a phase holds several groups."""
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
        perf, influence = grouped_ratio(useful, self.size)
        level = float(useful[:, DURING].mean())
        systematic = 0.0
        if shares is not None and polling is not None:
            sampled = np.hypot(shares.together_error, perf * shares.alone_error)
            off = polling.ipc_error * (shares.together - perf * shares.alone)
            systematic = ipc * float(np.hypot(sampled, off)) / level
        return from_influence(perf, influence, len(real), seen.level, systematic=systematic)


def grouped_ratio(means: Floats, size: int = SIZE) -> tuple[float, Floats]:
    """Ratio of means within groups of one level, and the influence of each block in its order.

    Parameters
    ----------
    means
        IPC before, during and after, above 0, shape ``(blocks, 3)``.
    size
        Blocks of a group.
    """
    together, alone = 0.5 * (means[:, BEFORE] + means[:, AFTER]), means[:, DURING]
    order = np.argsort(np.log(means).sum(axis=1), kind="stable")
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
