"""Turnarounds of two policies, paired by seed.

Turnarounds of two policies on the same log, under the same bound and with the same seed share the
jobs, the nodes and the scatter of runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from planner.replications.ratios import differs_from_one, ratio_of
from planner.scheduling.power.results.result import PolicyOutcome
from solvers.portable import exp, log

Key = tuple[str, float, int]
"""Log, bound and seed."""
ByKey = Mapping[Key, PolicyOutcome]
"""Outcomes of one policy."""
_ROUNDING = 1e-12
"""Relative difference of two means that sums in another order have; a test would find it."""


def by_key(outcomes: Iterable[PolicyOutcome]) -> dict[str, dict[Key, PolicyOutcome]]:
    """Return outcomes by policy, then by log, bound and seed."""
    by_policy: dict[str, dict[Key, PolicyOutcome]] = {}
    for outcome in outcomes:
        by_policy.setdefault(outcome.policy, {})[outcome.log, outcome.bound_w, outcome.seed] = (
            outcome
        )
    return by_policy


def by_case(outcomes: Iterable[PolicyOutcome]) -> list[list[PolicyOutcome]]:
    """Return the seeds of each log, bound and policy together."""
    groups: dict[tuple[str, float, str], list[PolicyOutcome]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.log, outcome.bound_w, outcome.policy), []).append(outcome)
    return list(groups.values())


def paired(own_runs: ByKey, reference_runs: ByKey, keys: Iterable[Key]) -> list[float]:
    """Return ratios of the mean turnarounds of two policies, over the jobs that both ran."""
    ratios = []
    for key in keys:
        if key not in own_runs or key not in reference_runs:
            continue
        own, other = own_runs[key].turnaround_s, reference_runs[key].turnaround_s
        both = ~(np.isnan(own) | np.isnan(other))
        if both.any():
            ratio = float(own[both].mean() / other[both].mean())
            ratios.append(1.0 if abs(ratio - 1) < _ROUNDING else ratio)
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
