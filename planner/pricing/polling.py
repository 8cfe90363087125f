r"""The polling IPC of an application, estimated from its own samples.

Model
    A window in which a job waits for the share ``w`` of its cycles has the IPC
    ``(1 - w) u + w q``, with the computing IPC ``u`` and the polling IPC ``q``. Waiting differs
    from one occurrence of a phase to the next, so that windows alone lie along one line per phase:
    all lines meet at ``(1, q)``. The IPC of a phase ``u_g``, its share of the windows, its noise
    and the common ``q`` are the most likely ones of a mixture of lines (expectation and
    maximisation). The number of lines, up to :data:`MOST_LINES`, has the least Bayesian information
    criterion.
Errors in the share
    The sampled share is noisy, which flattens the lines. The sampler states its standard error
    ``s``. Each sampled share is replaced by its expectation given the sample,
    ``mean + lambda (sample - mean)`` with ``lambda = 1 - s^2 / Var(sample)`` (regression
    calibration; Carroll et al., 2006, Measurement Error in Nonlinear Models, chapter 4).
Several applications
    Applications that link one MPI library poll alike. The estimates of all applications of a site
    are drawn to their mean, by the variance between applications that is left beyond their
    errors, at least :data:`LEAST_SPREAD`. One whose samples show nothing gets the mean.
Standard error
    By the jackknife over groups of windows that follow each other, with the number of lines fixed.
    Slow changes within a run then do not make the error look smaller than it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.pricing.estimators.estimator import Polling
from planner.pricing.estimators.shrinkage import between_runs
from planner.pricing.lines import LEAST_NOISE, Lines, improved
from planner.pricing.samples import DURING, Blocks, Floats

Bools = NDArray[np.bool_]

MOST_LINES = 4
FOLDS = 8
"""Groups of windows of the jackknife."""
MOST_WINDOWS = 4_000
"""Windows that are used; of more, evenly spaced ones."""
LEAST_SPREAD = 0.1
"""Least standard deviation of the polling IPC between applications, relative to its mean: that of a
few applications is often estimated as 0, although their MPI libraries differ."""
_STEPS = 60
_STEPS_LEFT_OUT = 10
_ENOUGH = 1e-6
_LEAST_RELIABILITY = 0.05
"""Share of the sampled variance that must be true for a slope to mean anything."""
_FEWEST = 20
_MOST_IPC = 4.0  # that the processor can retire


def estimate_polling(runs: Sequence[Blocks], sampler_error: float) -> Polling | None:
    """Polling IPC of the runs of an application; None where the samples do not show it.

    Parameters
    ----------
    runs
        Blocks of each run, with sampled waiting shares.
    sampler_error
        Standard error of one sampled share, as the sampler states it.

    Raises
    ------
    InputError
        The sampler's error is below 0.
    """
    if sampler_error < 0:
        raise InputError(f"the sampler's error is {sampler_error:g}; give 0 or more")
    parts = [_windows_alone(run) for run in runs]
    windows = np.concatenate(parts) if parts else np.empty((0, 2))
    windows = windows[:: max(1, -(-len(windows) // MOST_WINDOWS))]
    if len(windows) < _FEWEST * FOLDS:
        return None
    ipc, share = windows[:, 0], _calibrated(windows[:, 1], sampler_error)
    if share is None:
        return None
    best = min(
        (_fit(ipc, share, count) for count in range(1, MOST_LINES + 1)), key=_criterion(len(ipc))
    )
    fold = np.arange(len(ipc)) * FOLDS // len(ipc)
    others = np.array([_without(ipc, share, fold == k, best) for k in range(FOLDS)])
    error = float(np.sqrt((FOLDS - 1) / FOLDS * ((others - others.mean()) ** 2).sum()))
    result = float(np.clip(best.common[0], 0.0, _MOST_IPC))
    return Polling(result, error / result if result > 0 else 0.0)


def pooled(found: Sequence[Polling | None]) -> list[Polling | None]:
    """Estimates of several applications, each drawn to the mean of all."""
    known = [each for each in found if each is not None and each.ipc_error > 0]
    if len(known) < 2:
        return list(found)
    ipc = np.array([each.ipc for each in known])
    variance = (ipc * np.array([each.ipc_error for each in known])) ** 2
    between = max(between_runs(ipc, variance), (LEAST_SPREAD * float(ipc.mean())) ** 2)
    weight = 1 / (variance + between)
    mean, spread = float(weight @ ipc / weight.sum()), float(1 / weight.sum())
    drawn: list[Polling | None] = []
    for each in found:
        own = (each.ipc * each.ipc_error) ** 2 if each is not None else np.inf
        share = between / (between + own) if own > 0 else 1.0
        level = mean + share * (each.ipc - mean) if each is not None else mean
        error = between if each is None else share * own
        drawn.append(Polling(level, float(np.sqrt(error + (1 - share) ** 2 * spread)) / level))
    return drawn


def _windows_alone(run: Blocks) -> Floats:
    """IPC and sampled share of the windows alone, shape ``(windows, 2)``."""
    real = run.real
    pairs = np.column_stack([real.means[:, DURING], real.waiting[:, DURING]])
    selected: Floats = pairs[np.isfinite(pairs).all(axis=1)]
    return selected


def _calibrated(share: Floats, sampler_error: float) -> Floats | None:
    variance = float(share.var(ddof=1))
    if variance <= 0 or variance - sampler_error**2 < _LEAST_RELIABILITY * variance:
        return None
    reliability = 1 - sampler_error**2 / variance
    result: Floats = share.mean() + reliability * (share - share.mean())
    return result


def _fit(ipc: Floats, share: Floats, count: int) -> Lines:
    """Lines through equal groups of sorted IPC, improved until the likelihood stays."""
    level: Floats = np.quantile(ipc, (np.arange(count) + 0.5) / count)
    noise: Floats = np.full(count, max(float(ipc.std()) / count, LEAST_NOISE))
    even: Floats = np.full(count, 1 / count)
    start = Lines(level, noise, even, np.array([ipc.mean(), -np.inf]))
    return improved(ipc, share, start, _STEPS, _ENOUGH * len(ipc))


def _without(ipc: Floats, share: Floats, left_out: Bools, lines: Lines) -> float:
    """Polling IPC without some windows, from the lines of all."""
    ipc, share = ipc[~left_out], share[~left_out]
    return float(improved(ipc, share, lines, _STEPS_LEFT_OUT, _ENOUGH * len(ipc)).common[0])


def _criterion(windows: int) -> Callable[[Lines], float]:
    """Bayesian information criterion: each line has a level, a noise and a share."""
    return lambda lines: -2 * lines.common[1] + 3 * len(lines.ipc) * float(np.log(windows))
