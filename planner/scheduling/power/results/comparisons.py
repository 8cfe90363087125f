"""Policies compared over seeds: turnaround against a reference policy, users, nodes and watts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.replications.ratios import PairedRatio, differs_from_one, ratio_of
from planner.scheduling.power.results.measures import altruism
from planner.scheduling.power.results.paired import ByKey, by_case, by_key, paired, paired_by_seed
from planner.scheduling.power.results.result import PolicyOutcome

BASELINE = "traditional"


def reference_of(policies: Sequence[str]) -> str:
    """Return the policy that the others are compared with: Traditional, or else the first one."""
    return BASELINE if BASELINE in policies else policies[0]


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
    """Return each policy over everything, in their order."""
    policies = by_key(outcomes)
    base = policies[reference]
    return tuple(_overall(name, own_runs, base) for name, own_runs in policies.items())


def _overall(name: str, own_runs: ByKey, base: ByKey) -> Overall:
    ratio = ratio_of(paired_by_seed(own_runs, base))
    group = [*own_runs.values()]
    fairness = [outcome.fairness for outcome in group if outcome.fairness is not None]
    better, same, worse = _users(own_runs, base)
    jobs = (better or 0) + (same or 0) + (worse or 0)
    return Overall(
        name,
        len(group),
        ratio.mean if ratio else None,
        ratio.low if ratio else None,
        ratio.high if ratio else None,
        (better or 0) / jobs if jobs and own_runs is not base else None,
        float(np.mean(fairness)) if fairness else None,
        _mean(group, "power_utilisation"),
        sum(outcome.bound_violations > 0 for outcome in group) / len(group),
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
    """Return each policy next to the optimum, where one was looked for."""
    rows = []
    for group in by_case([outcome for outcome in outcomes if outcome.gap is not None]):
        gaps = [outcome.gap for outcome in group if outcome.gap is not None]
        proved = sum(outcome.optimum is not None for outcome in group)
        first = group[0]
        case = (first.log, first.bound_w, first.policy)
        rows.append(Distance(*case, len(group), proved, float(np.mean(gaps)), max(gaps)))
    return tuple(rows)


@dataclass(frozen=True)
class ComparisonRow:
    """A policy on a log under a bound, over the seeds.

    Attributes
    ----------
    mean_turnaround_s, lowest_turnaround_s, highest_turnaround_s
        Mean turnaround of the jobs: median, least and largest over the seeds [s].
    normalised, normalised_low, normalised_high
        Mean turnaround over that of the reference policy under the largest bound: geometric mean,
        and its interval.
    ratio, low, high
        Mean turnaround over that of the reference policy under the same bound, and its interval.
    difference
        Whether one is shown, by Holm's procedure over all rows.
    better, same, worse
        Users who are better off than under the reference policy, as well off, and worse off: jobs
        a log.
    """

    log: str
    bound_w: float
    policy: str
    seeds: int
    mean_turnaround_s: float | None
    lowest_turnaround_s: float | None
    highest_turnaround_s: float | None
    normalised: float | None
    normalised_low: float | None
    normalised_high: float | None
    ratio: float | None
    low: float | None
    high: float | None
    difference: str
    better: float | None
    same: float | None
    worse: float | None


@dataclass(frozen=True)
class Use:
    """Use of nodes and watts by a policy on a log under a bound: means over the seeds."""

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


def rows_of(
    outcomes: Sequence[PolicyOutcome], reference: str = BASELINE
) -> tuple[ComparisonRow, ...]:
    """Return one row for each log, bound and policy, in their order."""
    base = by_key(outcomes)[reference]
    made = [_row(group, base) for group in by_case(outcomes)]
    # The reference's own ratio is 1 by definition, so it is no comparison in Holm's procedure.
    differs = differs_from_one([None if row.policy == reference else ratio for row, ratio in made])
    return tuple(
        replace(row, difference=_difference(ratio, row, reference, differs=differs[index]))
        for index, (row, ratio) in enumerate(made)
    )


def uses_of(outcomes: Sequence[PolicyOutcome]) -> tuple[Use, ...]:
    """Return what each policy uses, for each log and bound."""
    return tuple(_use(group) for group in by_case(outcomes))


def _row(group: Sequence[PolicyOutcome], base: ByKey) -> tuple[ComparisonRow, PairedRatio | None]:
    """Return a row without its difference, and its ratio."""
    first = group[0]
    own_runs = {(outcome.log, outcome.bound_w, outcome.seed): outcome for outcome in group}
    means = [
        outcome.mean_turnaround_s for outcome in group if outcome.mean_turnaround_s is not None
    ]
    ratio = ratio_of(paired(own_runs, base, own_runs))
    normalised = _normalised(own_runs, base)
    better, same, worse = _users(own_runs, base)
    row = ComparisonRow(
        first.log,
        first.bound_w,
        first.policy,
        len(group),
        float(np.median(means)) if means else None,
        min(means, default=None),
        max(means, default=None),
        normalised.mean if normalised else None,
        normalised.low if normalised else None,
        normalised.high if normalised else None,
        ratio.mean if ratio else None,
        ratio.low if ratio else None,
        ratio.high if ratio else None,
        "",
        better,
        same,
        worse,
    )
    return row, ratio


def _normalised(own_runs: ByKey, base: ByKey) -> PairedRatio | None:
    """Turnaround over the reference policy's under the largest bound (thesis, section 5.6)."""
    largest = max((bound for _, bound, _ in base), default=0.0)
    there = {}
    for log, bound, seed in own_runs:
        if (log, largest, seed) in base:
            there[log, bound, seed] = base[log, largest, seed]
    return ratio_of(paired(own_runs, there, own_runs))


def _difference(
    ratio: PairedRatio | None, row: ComparisonRow, reference: str, *, differs: bool
) -> str:
    if ratio is None or row.policy == reference:
        return ""
    if ratio.chance is None:
        return "one seed: no test"
    if not differs:
        return "none shown"
    return "shorter" if ratio.mean < 1 else "longer"


def _users(own_runs: ByKey, base: ByKey) -> tuple[float | None, float | None, float | None]:
    compared = [
        altruism(outcome.turnaround_s, base[key].turnaround_s)
        for key, outcome in own_runs.items()
        if key in base and outcome is not base[key]
    ]
    if not compared:
        return None, None, None
    better, same, worse = (
        float(np.mean([getattr(outcome, name) for outcome in compared]))
        for name in ("better", "same", "worse")
    )
    return better, same, worse


def _use(group: Sequence[PolicyOutcome]) -> Use:
    first = group[0]
    fairness = [outcome.fairness for outcome in group if outcome.fairness is not None]
    gaps = [outcome.largest_gap for outcome in group if outcome.largest_gap is not None]
    return Use(
        first.log,
        first.bound_w,
        first.policy,
        power_utilisation=_mean(group, "power_utilisation"),
        fairness=float(np.mean(fairness)) if fairness else None,
        energy_j=_mean(group, "energy_j"),
        makespan_s=_mean(group, "makespan_s"),
        bound_violations=_mean(group, "bound_violations"),
        largest_violation_w=max(outcome.largest_violation_w for outcome in group),
        violation_s=_mean(group, "violation_s"),
        rounded=_mean(group, "rounded"),
        rejected=_mean(group, "rejected"),
        killed=_mean(group, "killed"),
        decisions=_mean(group, "decisions"),
        fallbacks=_mean(group, "fallbacks"),
        largest_gap=max(gaps, default=None),
    )


def _mean(group: Sequence[PolicyOutcome], name: str) -> float:
    return float(np.mean([getattr(outcome, name) for outcome in group]))
