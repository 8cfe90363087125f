r"""Spin correction: instructions of waiting ranks are taken off before IPCs are compared.

Model
    In a window a job waits for the share ``w`` of its cycles and polls meanwhile with the IPC
    ``q``. Its measured IPC is ``useful + q w``; only the useful part is progress. For equal
    progress the useful instructions are equal, so that ``T_solo / T_co`` is the useful IPC together
    over the useful IPC alone, waiting times included. Polling hides a slowdown where waiting grows
    with it, and distorts the ratio everywhere.
Estimate
    ``r_k = (m_k - q w_co) / (d_k - q w_solo)`` per block, then the mean over blocks, divided by
    ``1 + c^2``. Both IPCs are corrected by the shares ``w_co`` and ``w_solo``, means of sampled
    shares over all windows together and alone: the sample of one window is too noisy to divide by.
Denominator
    Noise, and phases that the windows cut, raise the mean of a ratio by ``1 + c^2``. In a placebo
    block all windows are alike, and the mean of ``x / y`` over its four ordered pairs of
    neighbouring windows has the same expectation. First-order noise cancels within each pair of
    ``x / y`` and ``y / x``, so that few placebo blocks suffice. Without placebo blocks the pair of
    sides of the real blocks takes their place; they lie further apart.
Interval
    Influences of the real blocks, and the spread of the denominator's correction. The sampled
    shares add ``q^2 (Var(w_co) + r^2 Var(w_solo)) / mean(useful)^2``; the stated error of the
    polling IPC adds ``(q e (w_co - r w_solo) / mean(useful))^2``, which no number of blocks
    removes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.pricing.estimate import (
    FEWEST,
    Estimate,
    Floats,
    from_influence,
    long_run_variance,
    unknown,
)
from planner.pricing.estimators.block_ratios import ratios
from planner.pricing.estimators.estimator import Observation
from planner.pricing.samples import AFTER, BEFORE, DURING, Blocks

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
    """Mean of per-block ratios of useful IPC, without the bias of noise in denominators.

    Without a polling IPC, or without sampled waiting shares, nothing is taken off.
    """

    name: str = "spin"

    def estimate(self, seen: Observation) -> Estimate:
        """As :class:`~planner.pricing.estimators.estimator.Estimator`."""
        blocks = seen.blocks
        real = blocks.real.means
        if not len(real):
            return unknown(seen.level)
        shares, polling = waiting_shares(blocks), seen.polling
        ipc = 0.0 if polling is None or shares is None else polling.ipc
        together, alone = (shares.together, shares.alone) if shares else (0.0, 0.0)
        useful = _useful(real, ipc, (together, alone, together))
        each = ratios(useful)
        factor, further = _denominator(blocks, useful, ipc * together)
        perf = float(each.mean()) * factor
        level = float(useful[:, DURING].mean())
        systematic = 0.0
        if shares is not None and polling is not None:
            sampled = np.hypot(shares.together_error, perf * shares.alone_error)
            off = polling.ipc_error * (shares.together - perf * shares.alone)
            systematic = ipc * float(np.hypot(sampled, off)) / level
        return from_influence(
            perf,
            (each - each.mean()) * factor,
            len(real),
            seen.level,
            systematic=systematic,
            further=further * perf**2,
        )


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


def _denominator(blocks: Blocks, useful: Floats, spun: float) -> tuple[float, float]:
    """What removes the bias of noise in denominators, and its relative variance."""
    placebo = blocks.placebo.means
    if len(placebo) >= FEWEST:
        pairs = neighbour_ratios(_useful(placebo, 1.0, (spun, spun, spun)))
    else:
        pairs = _both_ways(useful[:, BEFORE], useful[:, AFTER])
    mean = float(pairs.mean())
    spread = long_run_variance(pairs) / len(pairs) / mean**2 if len(pairs) >= FEWEST else 0.0
    return 1 / mean, spread


def neighbour_ratios(means: Floats) -> Floats:
    """Mean ratio over the ordered pairs of neighbouring windows of each block."""
    middle = means[:, DURING]
    both = _both_ways(means[:, BEFORE], middle) + _both_ways(means[:, AFTER], middle)
    found: Floats = 0.5 * both
    return found


def _both_ways(first: Floats, second: Floats) -> Floats:
    found: Floats = 0.5 * (first / second + second / first)
    return found


def _error(values: Floats) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
