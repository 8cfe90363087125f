r"""Mean of per-block ratios.

Identity
    At progress ``x`` a job runs at the share ``r`` of its speed alone, and its useful IPC together
    is ``r`` times that alone. So ``T_solo / T_co = int dx / int dx / r`` is the mean of ``r`` over
    the time together, hence of ``IPC_co / IPC_solo`` at one progress. Rounds lie evenly in that
    time. The mean of per-block ratios is then free of the phase bias of the ratio of means, as far
    as the three windows of a block lie in one phase.
Estimate
    ``r = mean of m_k / d_k`` with ``m_k = (before_k + after_k) / 2``.
Bias
    Noise of the window alone with variation ``c`` raises the mean by the factor ``1 + c^2``, about
    0.25 % at 5 % noise. Phases as long as a window act as noise and raise it more.
Interval
    The influence of a block is its ratio less the mean.
"""

from __future__ import annotations

from dataclasses import dataclass

from planner.pricing.estimate import Estimate, Floats, from_influence, unknown
from planner.pricing.estimators.estimator import Observation
from planner.pricing.samples import AFTER, BEFORE, DURING


@dataclass(frozen=True)
class BlockRatios:
    """Mean of per-block ratios."""

    name: str = "block-ratios"

    def estimate(self, seen: Observation) -> Estimate:
        """As :class:`~planner.pricing.estimators.estimator.Estimator`."""
        means = seen.blocks.real.means
        if not len(means):
            return unknown(seen.level)
        each = ratios(means)
        return from_influence(float(each.mean()), each - each.mean(), len(each), seen.level)


def ratios(means: Floats) -> Floats:
    """IPC together over IPC alone of each block; ``means`` has shape ``(blocks, 3)``."""
    result: Floats = 0.5 * (means[:, BEFORE] + means[:, AFTER]) / means[:, DURING]
    return result
