r"""Ratios of means: Algorithm 4, and the same over all blocks.

Estimate
    ``r = sum m_k / sum d_k`` with ``m_k = (before_k + after_k) / 2``, over the blocks used.
Bias
    Over all blocks the limit is ``E[IPC_co] / E[IPC_solo]``. Samples lie evenly in time, so a
    phase counts by the time that it takes together. Slow phases of low IPC count too much, and the
    limit is ``int u dx / int u / r dx`` instead of ``int dx / int dx / r``, with the IPC alone
    ``u`` and the speed ``r`` at progress ``x``. Both agree if ``u`` and ``r`` are not correlated.
    Algorithm 4 adds the bias of its filter: it keeps a block of a quiet job if noise raised the
    window alone or lowered both others; docs/evidence/pricing-estimators.md tells how much.
Interval
    The influence of a block is ``(m_k - r d_k) / mean(d)``. It holds no bias.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from planner.pricing.estimate import Estimate, Floats, from_influence, unknown
from planner.pricing.estimators.estimator import Observation
from planner.pricing.filtered import Filter, kept_blocks
from planner.pricing.samples import AFTER, BEFORE, DURING


@dataclass(frozen=True)
class Unfiltered:
    """Mean IPC together over mean IPC alone (equations 7 and 8)."""

    name: str = "unfiltered"

    def estimate(self, seen: Observation) -> Estimate:
        """As :class:`~planner.pricing.estimators.estimator.Estimator`."""
        means = seen.blocks.real.means
        return _ratio(means, len(means), seen.level)


@dataclass(frozen=True)
class Algorithm4:
    """The filtered predictor of the paper."""

    name: str = "algorithm-4"
    settings: Filter = field(default_factory=Filter)

    def estimate(self, seen: Observation) -> Estimate:
        """As :class:`~planner.pricing.estimators.estimator.Estimator`."""
        means = seen.blocks.real.means
        blocks = kept_blocks(means, self.settings.delta)
        if not blocks.any() and self.settings.fallback == "no-discount":
            return unknown(seen.level, len(means))
        return _ratio(means[blocks] if blocks.any() else means, len(means), seen.level)


def _ratio(means: Floats, blocks: int, level: float) -> Estimate:
    if not len(means):
        return unknown(level, blocks)
    together, alone = 0.5 * (means[:, BEFORE] + means[:, AFTER]), means[:, DURING]
    perf = float(together.sum() / alone.sum())
    return from_influence(perf, (together - perf * alone) / alone.mean(), blocks, level)
