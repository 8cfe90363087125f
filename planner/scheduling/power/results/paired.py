"""Ratios of turnaround that are paired by seed, their intervals, and tests of many at once.

Turnarounds of two policies on the same log, under the same bound and with the same seed share the
jobs, the nodes and the scatter of runs. Their ratios are averaged as logarithms; the interval is
Student's. Where many comparisons are made at once, Holm's step-down procedure keeps the chance of
one false difference at 5 %.

References
----------
Holm, S. (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of
Statistics 6, 65-70.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from planner.scheduling.power.results.result import PolicyOutcome
from solvers.portable import digits, exp, log

CONFIDENCE = 0.95

Key = tuple[str, float, int]
"""Log, bound and seed."""
ByKey = Mapping[Key, PolicyOutcome]
"""Outcomes of one policy."""


@dataclass(frozen=True)
class PairedRatio:
    """Geometric mean of paired ratios.

    Attributes
    ----------
    mean
        Geometric mean.
    low, high
        Its 95 % interval; ``None`` where one seed has no spread.
    chance
        Two-sided p-value of Student's paired test that the mean is 1; ``None`` for one seed.
    """

    mean: float
    low: float | None
    high: float | None
    chance: float | None = None


def ratio_of(values: Sequence[float]) -> PairedRatio | None:
    """Return the geometric mean of ratios with its 95 % interval; ``None`` without values."""
    if not values:
        return None
    logs = log(np.array(values))
    mean = exp(float(logs.mean()))
    if len(logs) < 2:
        return PairedRatio(mean, None, None)
    from scipy.special import stdtr, stdtrit

    error = float(logs.std(ddof=1) / np.sqrt(len(logs)))
    half = digits(stdtrit(len(logs) - 1, (1 + CONFIDENCE) / 2)) * error
    if error:
        chance = digits(2 * stdtr(len(logs) - 1, -abs(logs.mean()) / error))
    else:
        chance = 1.0 if mean == 1 else 0.0
    return PairedRatio(mean, mean * exp(-half), mean * exp(half), chance)


def holm(chances: Sequence[float]) -> list[float]:
    """Adjust p-values of several comparisons, so that each is compared with 5 % on its own.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(chances, kind="stable")
    steps = np.asarray(chances, np.float64)[order] * np.arange(len(chances), 0, -1)
    adjusted = np.empty(len(chances))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(value) for value in adjusted]


def differs_from_one(ratios: Sequence[PairedRatio | None]) -> list[bool]:
    """Say which ratios differ from 1, with at most a 5 % chance of one false difference."""
    chances = [
        (index, ratio.chance) for index, ratio in enumerate(ratios) if ratio and ratio.mean != 1
    ]
    tested = [(index, chance) for index, chance in chances if chance is not None]
    adjusted = holm([chance for _, chance in tested])
    significant = {
        index
        for (index, _), chance in zip(tested, adjusted, strict=True)
        if chance <= 1 - CONFIDENCE
    }
    return [index in significant for index in range(len(ratios))]


def by_key(outcomes: Iterable[PolicyOutcome]) -> dict[str, dict[Key, PolicyOutcome]]:
    """Return outcomes by policy, then by log, bound and seed."""
    by_policy: dict[str, dict[Key, PolicyOutcome]] = {}
    for outcome in outcomes:
        by_policy.setdefault(outcome.policy, {})[outcome.log, outcome.bound_w, outcome.seed] = (
            outcome
        )
    return by_policy


def paired(own_runs: ByKey, reference_runs: ByKey, keys: Iterable[Key]) -> list[float]:
    """Return ratios of the mean turnarounds of two policies, over the jobs that both ran."""
    ratios = []
    for key in keys:
        if key not in own_runs or key not in reference_runs:
            continue
        own, other = own_runs[key].turnaround_s, reference_runs[key].turnaround_s
        both = ~(np.isnan(own) | np.isnan(other))
        if both.any():
            ratios.append(float(own[both].mean() / other[both].mean()))
    return ratios


def paired_by_seed(own_runs: ByKey, reference_runs: ByKey) -> list[float]:
    """Return the ratio of each seed: the geometric mean over its logs and bounds."""
    seeds: dict[int, list[float]] = {}
    for key in own_runs:
        seeds.setdefault(key[2], []).extend(paired(own_runs, reference_runs, [key]))
    return [exp(float(log(np.array(ratios)).mean())) for ratios in seeds.values() if ratios]


def not_worse(policies: Mapping[str, ByKey], best: str) -> tuple[str, ...]:
    """Return policies whose mean turnaround the seeds do not tell from that of the best one.

    The best is found on the same seeds, so every pair of policies counts as a comparison.
    """
    names = [*policies]
    pairs = [(first, other) for index, first in enumerate(names) for other in names[:index]]
    ratios = [ratio_of(paired_by_seed(policies[first], policies[other])) for first, other in pairs]
    comparisons = dict(zip(pairs, zip(ratios, differs_from_one(ratios), strict=True), strict=True))
    rivals = []
    for name in names:
        if name == best:
            continue
        ratio, differs = comparisons[(name, best) if (name, best) in comparisons else (best, name)]
        one_case = ratio is not None and ratio.chance is None and ratio.mean != 1
        if not differs and not one_case:
            rivals.append(name)
    return tuple(rivals)
