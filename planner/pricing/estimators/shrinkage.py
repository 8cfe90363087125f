r"""Shrinkage over the repeated runs of a job: earlier runs steady a noisy estimate.

Model
    Runs ``k`` of one application with the same co-runners have true ratios ``r_k`` with mean
    ``mu`` and variance ``tau^2``; the estimate of a run is ``r_k`` plus noise of variance ``v_k``.
Estimate
    ``tau^2`` is the estimate of DerSimonian and Laird (1986), 0 where the runs differ by no more
    than their noise. ``mu`` is the mean with weights ``1 / (v_k + tau^2)``. The current run's
    estimate is ``mu + B (r_hat - mu)`` with ``B = tau^2 / (tau^2 + v)``: the posterior mean.
Interval
    Variance ``B v + (1 - B)^2 Var(mu)``, normal. The current run is one of the runs of ``mu``; this
    is conservative. Errors that all runs share, such as that of the polling IPC, do not shrink:
    ``v`` is without them, and their square is added to the result.
Bias
    Towards the runs' mean: a job that runs unlike its earlier runs is drawn to them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from planner.pricing.estimate import Estimate, Floats
from planner.pricing.estimators.estimator import Observation, SpeedEstimator
from planner.pricing.estimators.spin import SpinCorrected
from planner.replications.student import t_quantile

_MANY = 10_000


@dataclass(frozen=True)
class Shrinkage:
    """Another estimator, steadied by the job's earlier runs.

    Attributes
    ----------
    of
        The estimator of single runs.
    """

    name: str = "shrinkage"
    of: SpeedEstimator = field(default_factory=SpinCorrected)

    def estimate(self, seen: Observation) -> Estimate:
        """As :class:`~planner.pricing.estimators.estimator.SpeedEstimator`."""
        return shrunk(self.of.estimate(seen), seen.earlier)


def shrunk(current: Estimate, earlier: Sequence[Estimate]) -> Estimate:
    """The current run's estimate, drawn to the mean of all runs."""
    runs = [run for run in (current, *earlier) if math.isfinite(run.variance)]
    if len(runs) < 2:
        return current
    perf = np.array([run.perf for run in runs])
    variance = np.array([_sampling(run) for run in runs])
    between = between_runs(perf, variance)
    weight = 1 / (variance + between)
    mean, spread = float(weight @ perf / weight.sum()), float(1 / weight.sum())
    shared = max(run.systematic for run in runs)
    if not math.isfinite(current.variance):
        return _normal(current, mean, spread + between, shared)
    own = _sampling(current)
    share = between / (between + own)
    result = mean + share * (current.perf - mean)
    return _normal(current, result, share * own + (1 - share) ** 2 * spread, shared)


def _sampling(run: Estimate) -> float:
    """Variance of a run without what all runs share."""
    return max(run.variance - run.systematic**2, 1e-12)


def between_runs(perf: Floats, variance: Floats) -> float:
    """Variance of the true ratios between runs (DerSimonian and Laird), at least 0."""
    weight = 1 / variance
    mean = weight @ perf / weight.sum()
    excess = float(weight @ (perf - mean) ** 2) - (len(perf) - 1)
    return max(0.0, excess / float(weight.sum() - (weight**2).sum() / weight.sum()))


def _normal(current: Estimate, perf: float, sampling: float, shared: float) -> Estimate:
    variance = sampling + shared**2
    half = t_quantile(current.level, _MANY) * math.sqrt(variance)
    return Estimate(
        perf,
        max(0.0, perf - half),
        perf + half,
        variance,
        current.blocks,
        current.kept,
        current.level,
        shared,
    )
