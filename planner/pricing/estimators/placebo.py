r"""Placebo shutters: rounds without a pause show what the filter makes of noise alone.

Idea
    A placebo round runs the same code, but no job is paused. Its true ratio is 1. The filter's
    result on placebo blocks is its bias on quiet jobs. That bias falls to 0 as the true ratio
    falls, so that dividing by it would overcorrect disturbed jobs.
Estimate
    Let ``A(B)`` be Algorithm 4 over blocks ``B``, and ``B(r)`` the placebo blocks with their middle
    windows divided by ``r``: blocks of a job with true ratio ``r`` and the noise of this run. The
    estimate is the ``r`` for which ``A(B(r))`` equals ``A`` of the real blocks. This is indirect
    inference with the placebo rounds as the model. ``A(B(r))`` is monotone in ``r`` up to steps,
    which a bisection passes over.
Bias
    Noise that is larger alone than together, and the phase bias of ratios of means.
Interval
    The influence of a real block on ``A``, and of a placebo block on ``A(B(r))``, divided by the
    slope of ``A(B(r))``, taken over +- 5 % of ``r``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from planner.pricing.estimate import FEWEST, Estimate, Floats, from_influence, long_run_variance
from planner.pricing.estimators.estimator import Observation
from planner.pricing.estimators.ratio_of_means import Algorithm4
from planner.pricing.filtered import Filter, filtered_prediction, kept_blocks
from planner.pricing.samples import AFTER, BEFORE, DURING

_STEPS = 40
_LOWEST, _HIGHEST = 0.05, 1.25
_SLOPE = 0.05
_LEAST_SLOPE = 0.2


@dataclass(frozen=True)
class PlaceboCorrected:
    """Algorithm 4 with the bias of its filter removed by placebo rounds.

    Without placebo rounds it is Algorithm 4.
    """

    name: str = "placebo"
    settings: Filter = field(default_factory=Filter)

    def estimate(self, seen: Observation) -> Estimate:
        """As :class:`~planner.pricing.estimators.estimator.Estimator`."""
        real, placebo = seen.blocks.real.means, seen.blocks.placebo.means
        plain = Algorithm4(settings=self.settings)
        if len(placebo) < FEWEST or not len(real):
            return plain.estimate(seen)
        measured = filtered_prediction(real, self.settings)
        perf = self._inverse(placebo, measured)
        up, down = (1 + _SLOPE) * perf, (1 - _SLOPE) * perf
        rise = self._of_placebo(placebo, up) - self._of_placebo(placebo, down)
        slope = max(rise / (up - down), _LEAST_SLOPE)
        selected, influence = self._influence(real)
        _, other = self._influence(_scaled(placebo, perf))
        further = long_run_variance(other) / len(other) if len(other) >= FEWEST else 0.0
        result = from_influence(
            perf, influence / slope, len(real), seen.level, further=further / slope**2
        )
        return Estimate(
            result.perf, result.low, result.high, result.variance, len(real), selected, seen.level
        )

    def _inverse(self, placebo: Floats, measured: float) -> float:
        low, high = _LOWEST, _HIGHEST
        for _ in range(_STEPS):
            middle = 0.5 * (low + high)
            if self._of_placebo(placebo, middle) < measured:
                low = middle
            else:
                high = middle
        return 0.5 * (low + high)

    def _of_placebo(self, placebo: Floats, perf: float) -> float:
        return filtered_prediction(_scaled(placebo, perf), self.settings)

    def _influence(self, means: Floats) -> tuple[int, Floats]:
        blocks = kept_blocks(means, self.settings.delta)
        used = means[blocks] if blocks.any() else means
        together, alone = 0.5 * (used[:, BEFORE] + used[:, AFTER]), used[:, DURING]
        perf = together.sum() / alone.sum()
        return len(used), (together - perf * alone) / alone.mean()


def _scaled(placebo: Floats, perf: float) -> Floats:
    scaled = placebo.copy()
    scaled[:, DURING] /= perf
    return scaled
