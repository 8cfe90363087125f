"""Scores of a trial against hidden run times: errors, prices, coverage and fairness.

The error of an estimate is that of the run time that it predicts: ``perf / perf_hat - 1`` is above
0 where degradation is over-predicted, as in figure 16 of the paper. The error of a price is its
distance from equation 4 with hidden run times, relative to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from planner.errors import InputError
from planner.parallel import in_processes
from planner.pricing.fairness import Fairness, fairness
from planner.pricing.prices import POLICIES, undisturbed_s
from planner.pricing.samples import Floats
from planner.pricing.trial import Trial, TrialSettings, node_settings
from scenarios.simulated.shared_node.applications import NULL, SharedApplication
from scenarios.simulated.shared_node.truth import truth

POPPA = "algorithm-4"


@dataclass(frozen=True, eq=False)
class HiddenTimes:
    """Run times that no estimator sees.

    Attributes
    ----------
    solo_s
        Alone, shape ``(applications,)`` [s].
    co_s
        Together without measuring, shape ``(applications, partners)``; the last partner is the busy
        loop [s].
    """

    solo_s: Floats
    co_s: Floats

    @property
    def perf(self) -> Floats:
        """Normalised performance, shape ``(applications, partners)``."""
        result: Floats = self.solo_s[:, None] / self.co_s
        return result


class _Pair(NamedTuple):
    first: int
    second: int
    applications: tuple[SharedApplication, SharedApplication]
    settings: TrialSettings
    seed: int


def hidden_times(
    applications: Sequence[SharedApplication],
    settings: TrialSettings | None = None,
    *,
    seed: int = 0,
    workers: int = 1,
) -> HiddenTimes:
    """Run all pairs of a trial without measuring them.

    The times are scaled to one run time alone per application. Work differs between seeds by far
    less than estimates do, so that one seed serves all.
    """
    settings = settings or TrialSettings()
    count = len(applications)
    everybody = (*applications, NULL)
    pairs = [*combinations_with_replacement(range(count), 2), *((a, count) for a in range(count))]
    tasks = [_Pair(a, b, (everybody[a], everybody[b]), settings, seed) for a, b in pairs]
    perf, solo = np.ones((count, count + 1)), np.zeros(count)
    for first, second, result, alone in in_processes(_hidden_pair, tasks, workers):
        perf[first, second] = result[0]
        if second < count and second != first:
            perf[second, first] = result[1]
        if second == count:
            solo[first] = alone[0] / 1e6
    return HiddenTimes(solo, solo[:, None] / perf)


def _hidden_pair(pair: _Pair) -> tuple[int, int, list[float], list[float]]:
    result = truth(
        pair.applications, node_settings(pair.settings), pair.settings.law, seed=pair.seed
    )
    return pair.first, pair.second, result.performance.tolist(), result.solo_us.tolist()


@dataclass(frozen=True, eq=False)
class EstimatorScore:
    """One estimator under one error of the polling IPC.

    Attributes
    ----------
    estimator, polling_error
        Which.
    mean_absolute_error, largest_error, bias
        Over all pairs, of the mean over seeds for ``bias`` and ``largest_error``.
    spread
        Standard deviation of the mean absolute error over the seeds.
    phantom_discount
        Mean discount of jobs next to the busy loop.
    price_error, price_bias
        Mean absolute and mean error of the price.
    coverage, price_coverage
        Share of intervals that hold the hidden.
    half_width
        Mean half-width of the intervals of the estimate.
    by_application
        Mean absolute error of each, shape ``(applications,)``.
    errors
        Mean error of each cell over seeds, shape ``(applications, applications)``.
    """

    estimator: str
    polling_error: float
    mean_absolute_error: float
    largest_error: float
    bias: float
    spread: float
    phantom_discount: float
    price_error: float
    price_bias: float
    coverage: float
    price_coverage: float
    half_width: float
    by_application: Floats
    errors: Floats


def score(trial: Trial, hidden: HiddenTimes) -> tuple[EstimatorScore, ...]:
    """Score every method of a trial.

    Raises
    ------
    InputError
        The truth is that of other applications.
    """
    expected = (len(trial.applications), len(trial.applications) + 1)
    if hidden.co_s.shape != expected:
        raise InputError(f"hidden run times have shape {hidden.co_s.shape}, the trial {expected}")
    return tuple(
        _score(trial, hidden, number, name, error)
        for number, (name, error) in enumerate(trial.methods)
    )


def relative_prices(trial: Trial, hidden: HiddenTimes, method: int) -> Floats:
    """Price over that by equation 4, shape ``(seeds, applications, partners)``.

    Algorithm 4 is priced as POPPA prices: measured run time, squared estimate. All others pay the
    unbiased price of the run time without what measuring cost and saved.
    """
    perf, variance = trial.perf[:, method], trial.variance[:, method]
    fair = hidden.solo_s[:, None] ** 2 / hidden.co_s
    if trial.methods[method][0] == POPPA:
        priced: Floats = trial.run_s * perf**2 / fair
        return priced
    taken = np.where(np.isfinite(variance), variance, 0.0)
    time = undisturbed_s(trial.run_s, trial.paused_s, trial.alone_s, perf)
    unbiased: Floats = time * np.maximum(perf**2 - taken, 0.0) / fair
    return unbiased


def policies(trial: Trial, hidden: HiddenTimes, method: int) -> dict[str, Fairness]:
    """Fairness of the four policies over all pairs and seeds; ours by one method.

    Every job has one core and the rate 1: amounts are core-seconds. The phantom discount is that
    of jobs next to the busy loop, which are in no other number.
    """
    shape = (len(trial.seeds), *hidden.co_s.shape)
    fair = np.broadcast_to(hidden.solo_s[:, None] ** 2 / hidden.co_s, shape)
    alone = np.broadcast_to(hidden.solo_s[:, None], shape)
    amounts = {
        "state-of-practice": trial.run_s,
        "poppa": relative_prices(trial, hidden, trial.method(POPPA)) * fair,
        "oracle": fair,
        "headroom": relative_prices(trial, hidden, method) * fair,
    }
    count = len(trial.applications)
    return {
        name: replace(
            fairness(*(values[:, :, :count].ravel() for values in (prices, alone, fair))),
            phantom_discount=float(1 - (prices / alone)[:, :, count].mean()),
        )
        for name, prices in ((policy, amounts[policy]) for policy in POLICIES)
    }


def _score(
    trial: Trial, hidden: HiddenTimes, method: int, name: str, polling_error: float
) -> EstimatorScore:
    count = len(trial.applications)
    perf = trial.perf[:, method]
    every = hidden.perf[None] / perf - 1
    error = every[:, :, :count]
    mean = error.mean(axis=0)
    relative = relative_prices(trial, hidden, method)
    low, high = trial.low[:, method], trial.high[:, method]
    return EstimatorScore(
        estimator=name,
        polling_error=polling_error,
        mean_absolute_error=float(np.abs(error).mean()),
        largest_error=float(mean.ravel()[np.abs(mean).argmax()]),
        bias=float(error.mean()),
        spread=float(np.abs(error).mean(axis=(1, 2)).std(ddof=1)) if len(error) > 1 else 0.0,
        phantom_discount=float(1 - (relative * hidden.perf)[:, :, count].mean()),
        price_error=float(np.abs(relative - 1)[:, :, :count].mean()),
        price_bias=float((relative - 1)[:, :, :count].mean()),
        coverage=float(((low <= hidden.perf) & (hidden.perf <= high))[:, :, :count].mean()),
        price_coverage=_price_coverage(trial, hidden, low, high),
        half_width=float((0.5 * (high - low))[:, :, :count].mean()),
        by_application=np.abs(error).mean(axis=(0, 2)),
        errors=mean,
    )


def _price_coverage(trial: Trial, hidden: HiddenTimes, low: Floats, high: Floats) -> float:
    """Share of intervals of the price that hold equation 4."""
    fair = hidden.solo_s[:, None] ** 2 / hidden.co_s
    ends = [
        undisturbed_s(trial.run_s, trial.paused_s, trial.alone_s, np.maximum(end, 0.05)) * end**2
        for end in (low, high)
    ]
    held = (ends[0] <= fair) & (fair <= ends[1])
    return float(held[:, :, : len(trial.applications)].mean())
