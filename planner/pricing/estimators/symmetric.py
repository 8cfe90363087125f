r"""Symmetric filter: blocks that cross phases are left out by a rule that noise cannot bias.

Rule
    A block is kept if ``|b - a| <= width (b + a) / 2``. Under equal, independent noise of ``b`` and
    ``a`` their difference and their sum are uncorrelated, and the window alone has no say. So
    neither side of the ratio is chosen by its noise. Algorithm 4 also demands ``b < d`` and
    ``a < d``: that chooses noise in its own favour.
Width
    ``width`` is a multiple of the typical difference, the median of ``|b - a| / ((b + a) / 2)``
    divided by 0.6745 (normal noise), and at least ``least``.
Estimate
    Mean of the ratios of the kept blocks, divided by ``1 + c^2`` for the noise of the window alone.
    The relative variance ``c^2`` comes from the same blocks: ``2 mean(((b - a) / (b + a))^2)``.
Bias
    Blocks at the borders of phases are left out, and short phases have more of them.
Interval
    As for the mean of per-block ratios, over the kept blocks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.pricing.estimate import Estimate, Floats, from_influence, unknown
from planner.pricing.estimators.block_ratios import ratios
from planner.pricing.estimators.estimator import Observation
from planner.pricing.samples import AFTER, BEFORE

_NORMAL = 0.6745


@dataclass(frozen=True)
class SymmetricFilter:
    """Mean of per-block ratios over blocks whose sides agree.

    Attributes
    ----------
    multiple
        Width in standard deviations of the typical difference.
    least
        Least relative width.
    """

    name: str = "symmetric"
    multiple: float = 3.0
    least: float = 0.05

    def estimate(self, seen: Observation) -> Estimate:
        """As :class:`~planner.pricing.estimators.estimator.Estimator`."""
        means = seen.blocks.real.means
        if not len(means):
            return unknown(seen.level)
        apart = side_difference(means)
        width = max(self.least, self.multiple * float(np.median(np.abs(apart))) / _NORMAL)
        selected = np.abs(apart) <= width
        if not selected.any():
            return unknown(seen.level, len(means))
        noise = 1 + 0.5 * float(np.mean(apart[selected] ** 2))
        each = ratios(means[selected]) / noise
        return from_influence(float(each.mean()), each - each.mean(), len(means), seen.level)


def side_difference(means: Floats) -> Floats:
    """Difference of IPC before and after over their mean; ``means`` has shape ``(blocks, 3)``."""
    before, after = means[:, BEFORE], means[:, AFTER]
    result: Floats = 2 * (before - after) / (before + after)
    return result
