"""Policies compared over seeds: paired ratios of turnaround, with an interval.

Turnarounds of two policies on the same log, under the same bound and with the same seed share the
jobs, the nodes and the scatter of runs. Their ratios are averaged as logarithms; the interval is
Student's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from planner.scheduling.power.results.measures import altruism
from planner.scheduling.power.results.result import PolicyOutcome

CONFIDENCE = 0.95
BASELINE = "traditional"

Key = tuple[str, float, int]
"""Log, bound and seed."""


@dataclass(frozen=True)
class Ratio:
    """Geometric mean of paired ratios; the interval is ``None`` where one seed has no spread."""

    mean: float
    low: float | None
    high: float | None

    @property
    def shows_difference(self) -> bool:
        """Whether 1 lies outside the interval."""
        return self.low is not None and self.high is not None and not self.low <= 1 <= self.high


def ratio_of(values: Sequence[float]) -> Ratio | None:
    """Geometric mean of positive ratios with its 95 % interval; ``None`` without values."""
    if not values:
        return None
    logs = np.log(values)
    mean = float(np.exp(logs.mean()))
    if len(logs) < 2:
        return Ratio(mean, None, None)
    from scipy.stats import t

    half = t.ppf((1 + CONFIDENCE) / 2, len(logs) - 1) * logs.std(ddof=1) / np.sqrt(len(logs))
    return Ratio(mean, float(mean * np.exp(-half)), float(mean * np.exp(half)))


def by_key(outcomes: Iterable[PolicyOutcome]) -> dict[str, dict[Key, PolicyOutcome]]:
    """Outcomes by policy, then by log, bound and seed."""
    found: dict[str, dict[Key, PolicyOutcome]] = {}
    for one in outcomes:
        found.setdefault(one.policy, {})[one.log, one.bound_w, one.seed] = one
    return found


def paired(
    mine: Mapping[Key, PolicyOutcome], theirs: Mapping[Key, PolicyOutcome], keys: Iterable[Key]
) -> list[float]:
    """Ratios of the mean turnarounds of two policies, over the jobs that both ran."""
    ratios = []
    for key in keys:
        if key not in mine or key not in theirs:
            continue
        one, other = mine[key].turnaround_s, theirs[key].turnaround_s
        both = ~(np.isnan(one) | np.isnan(other))
        if both.any():
            ratios.append(float(one[both].mean() / other[both].mean()))
    return ratios


def paired_by_seed(
    mine: Mapping[Key, PolicyOutcome], theirs: Mapping[Key, PolicyOutcome]
) -> list[float]:
    """Ratio of each seed: the geometric mean over its logs and bounds, which share the jobs."""
    seeds: dict[int, list[float]] = {}
    for key in mine:
        seeds.setdefault(key[2], []).extend(paired(mine, theirs, [key]))
    return [float(np.exp(np.log(ratios).mean())) for ratios in seeds.values() if ratios]


@dataclass(frozen=True)
class Overall:
    """A policy over all logs, bounds and seeds.

    Attributes
    ----------
    ratio, low, high
        Mean turnaround over that of the reference policy: geometric mean of the seeds' geometric
        means, and its interval.
    better
        Share of jobs that end sooner than under the reference policy.
    fairness
        Mean of Jain's index.
    above
        Share of the runs in which true power is above the bound.
    """

    policy: str
    runs: int
    ratio: float | None
    low: float | None
    high: float | None
    better: float | None
    fairness: float | None
    power_utilisation: float
    above: float


def overall(outcomes: Sequence[PolicyOutcome], reference: str) -> tuple[Overall, ...]:
    """Each policy over everything, in their order."""
    policies = by_key(outcomes)
    base = policies[reference]
    return tuple(_overall(name, mine, base) for name, mine in policies.items())


def _overall(
    name: str, mine: Mapping[Key, PolicyOutcome], base: Mapping[Key, PolicyOutcome]
) -> Overall:
    ratio = ratio_of(paired_by_seed(mine, base))
    group = [*mine.values()]
    fairness = [one.fairness for one in group if one.fairness is not None]
    better, same, worse = _users(mine, base)
    jobs = (better or 0) + (same or 0) + (worse or 0)
    return Overall(
        name,
        len(group),
        ratio.mean if ratio else None,
        ratio.low if ratio else None,
        ratio.high if ratio else None,
        (better or 0) / jobs if jobs and mine is not base else None,
        float(np.mean(fairness)) if fairness else None,
        _mean(group, "power_utilisation"),
        sum(one.bound_violations > 0 for one in group) / len(group),
    )


@dataclass(frozen=True)
class Distance:
    """A policy next to the optimum in hindsight, on a log under a bound, over the seeds.

    Attributes
    ----------
    cases, proved
        Seeds, and those whose optimum is proved.
    mean_gap, largest_gap
        How far the policy is above the proven limit, as a share of it.
    """

    log: str
    bound_w: float
    policy: str
    cases: int
    proved: int
    mean_gap: float
    largest_gap: float


def distances_of(outcomes: Sequence[PolicyOutcome]) -> tuple[Distance, ...]:
    """Each policy next to the optimum, where one was looked for."""
    rows = []
    for group in _groups([one for one in outcomes if one.gap is not None]):
        gaps = [one.gap for one in group if one.gap is not None]
        proved = sum(one.optimum is not None for one in group)
        first = group[0]
        case = (first.log, first.bound_w, first.policy)
        rows.append(Distance(*case, len(group), proved, float(np.mean(gaps)), max(gaps)))
    return tuple(rows)


@dataclass(frozen=True)
class Row:
    """A policy on a log under a bound, over the seeds.

    Attributes
    ----------
    mean_turnaround_s, lowest_turnaround_s, highest_turnaround_s
        Mean turnaround of the jobs: median, least and largest over the seeds [s].
    normalised
        Mean turnaround over that of Traditional under the largest bound: geometric mean.
    ratio, low, high
        Mean turnaround over that of Traditional under the same bound, and its interval.
    difference
        Whether the interval shows one.
    better, same, worse
        Users who are better off than under Traditional, as well off, and worse off: jobs a log.
    """

    log: str
    bound_w: float
    policy: str
    seeds: int
    mean_turnaround_s: float | None
    lowest_turnaround_s: float | None
    highest_turnaround_s: float | None
    normalised: float | None
    ratio: float | None
    low: float | None
    high: float | None
    difference: str
    better: float | None
    same: float | None
    worse: float | None


@dataclass(frozen=True)
class Use:
    """What a policy makes of nodes and watts on a log under a bound: means over the seeds."""

    log: str
    bound_w: float
    policy: str
    power_utilisation: float
    fairness: float | None
    energy_j: float
    makespan_s: float
    bound_violations: float
    largest_violation_w: float
    violation_s: float
    rounded: float
    rejected: float
    killed: float
    decisions: float
    fallbacks: float
    largest_gap: float | None


def rows_of(outcomes: Sequence[PolicyOutcome]) -> tuple[Row, ...]:
    """One row for each log, bound and policy, in their order."""
    policies = by_key(outcomes)
    base = policies.get(BASELINE, {})
    return tuple(_row(group, base) for group in _groups(outcomes))


def uses_of(outcomes: Sequence[PolicyOutcome]) -> tuple[Use, ...]:
    """What each policy uses, for each log and bound."""
    return tuple(_use(group) for group in _groups(outcomes))


def _groups(outcomes: Sequence[PolicyOutcome]) -> list[list[PolicyOutcome]]:
    found: dict[tuple[str, float, str], list[PolicyOutcome]] = {}
    for one in outcomes:
        found.setdefault((one.log, one.bound_w, one.policy), []).append(one)
    return list(found.values())


def _row(group: Sequence[PolicyOutcome], base: Mapping[Key, PolicyOutcome]) -> Row:
    first = group[0]
    mine = {(one.log, one.bound_w, one.seed): one for one in group}
    means = [one.mean_turnaround_s for one in group if one.mean_turnaround_s is not None]
    ratio = ratio_of(paired(mine, base, mine))
    better, same, worse = _users(mine, base)
    return Row(
        first.log,
        first.bound_w,
        first.policy,
        len(group),
        float(np.median(means)) if means else None,
        min(means, default=None),
        max(means, default=None),
        _normalised(mine, base),
        ratio.mean if ratio else None,
        ratio.low if ratio else None,
        ratio.high if ratio else None,
        _difference(ratio, first.policy),
        better,
        same,
        worse,
    )


def _normalised(
    mine: Mapping[Key, PolicyOutcome], base: Mapping[Key, PolicyOutcome]
) -> float | None:
    """Turnaround over Traditional's under the largest bound (thesis, section 5.6)."""
    largest = max((bound for _, bound, _ in base), default=0.0)
    there = {}
    for log, bound, seed in mine:
        if (log, largest, seed) in base:
            there[log, bound, seed] = base[log, largest, seed]
    ratio = ratio_of(paired(mine, there, mine))
    return ratio.mean if ratio else None


def _difference(ratio: Ratio | None, policy: str) -> str:
    if ratio is None or policy == BASELINE:
        return ""
    if ratio.low is None:
        return "one seed: no interval"
    if not ratio.shows_difference:
        return "none shown"
    return "shorter" if ratio.mean < 1 else "longer"


def _users(
    mine: Mapping[Key, PolicyOutcome], base: Mapping[Key, PolicyOutcome]
) -> tuple[float | None, float | None, float | None]:
    compared = [
        altruism(one.turnaround_s, base[key].turnaround_s)
        for key, one in mine.items()
        if key in base and one is not base[key]
    ]
    if not compared:
        return None, None, None
    better, same, worse = (
        float(np.mean([getattr(one, name) for one in compared]))
        for name in ("better", "same", "worse")
    )
    return better, same, worse


def _use(group: Sequence[PolicyOutcome]) -> Use:
    first = group[0]
    fairness = [one.fairness for one in group if one.fairness is not None]
    gaps = [one.largest_gap for one in group if one.largest_gap is not None]
    return Use(
        first.log,
        first.bound_w,
        first.policy,
        power_utilisation=_mean(group, "power_utilisation"),
        fairness=float(np.mean(fairness)) if fairness else None,
        energy_j=_mean(group, "energy_j"),
        makespan_s=_mean(group, "makespan_s"),
        bound_violations=_mean(group, "bound_violations"),
        largest_violation_w=max(one.largest_violation_w for one in group),
        violation_s=_mean(group, "violation_s"),
        rounded=_mean(group, "rounded"),
        rejected=_mean(group, "rejected"),
        killed=_mean(group, "killed"),
        decisions=_mean(group, "decisions"),
        fallbacks=_mean(group, "fallbacks"),
        largest_gap=max(gaps, default=None),
    )


def _mean(group: Sequence[PolicyOutcome], name: str) -> float:
    return float(np.mean([getattr(one, name) for one in group]))
