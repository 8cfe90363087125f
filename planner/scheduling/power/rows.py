"""Rows of a comparison of power-aware policies: its tables, and the reduced ones of its figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.question import schedule_of
from planner.scheduling.power.few_jobs import choices_of, single_job
from planner.scheduling.power.ilp.knapsack import KnapsackPolicy
from planner.scheduling.power.ilp.naming import Family, ilp_name
from planner.scheduling.power.ilp.slot_policy import SlotPolicy
from planner.scheduling.power.inputs.build import simulated_candidates
from planner.scheduling.power.policy_texts import policy_texts
from planner.scheduling.power.results.above import above_bound
from planner.scheduling.power.results.comparisons import distances_of, overall
from planner.scheduling.power.results.measures import altruism
from planner.scheduling.power.results.paired import by_key
from planner.scheduling.power.results.tail_rows import tails_by_case, tails_by_policy

if TYPE_CHECKING:
    from planner.scheduling.power.result import ScheduleResult
    from planner.scheduling.power.results.result import PolicyOutcome, PowerSeries
    from scenarios.model.schedule import Schedule, ScheduleApplication

Row = dict[str, Any]
MOST_JOBS = 200_000
"""Jobs that are listed in JSON, over all runs."""
MOST_POLICIES = 8
"""Policies next to each other in a table."""
MOST_DRAWN = 2
"""Policies in the figure of power over time."""
_ALIKE = 0.02
"""A policy whose values differ by no more from those of a line has none of its own in a figure."""
MOST_STEPS = 8
"""Steps of power over time that are drawn, around the largest one."""
_SHARES = tuple(place / 40 for place in range(41))
"""Shares of the jobs at which the figure of ratios has a point."""

_CASE = {"log": "text", "bound_w": "W given", "policy": "policy"}
_TAILS = {
    "p95_turnaround_s": "s", "largest_turnaround_s": "s", "longest_wait_s": "s",
    "mean_bounded_slowdown": "number", "jobs_beyond_request": "share",
}  # fmt: skip
UNITS: dict[str, dict[str, str]] = {
    "policies_overall": {
        "policy": "policy", "ratio": "ratio", "low": "ratio", "high": "ratio", "better": "share",
        "fairness": "number", "power_utilisation": "share", "above": "share",
    },
    "tails": {"policy": "policy", **_TAILS},
    "turnaround": {
        **_CASE, "mean_turnaround_s": "s", "normalised": "ratio", "ratio": "ratio", "low": "ratio",
        "high": "ratio", "difference": "difference",
    },
    "tails_by_case": {**_CASE, **_TAILS},
    "above_bound": {
        "policy": "policy", "runs": "count", "above": "count", "share": "share",
        "violation_s": "s", "share_of_time": "share", "largest_violation_w": "W up",
        "largest_share": "share",
    },
    "users": {**_CASE, "better": "number", "same": "number", "worse": "number"},
    "power": {
        **_CASE, "power_utilisation": "share", "fairness": "number", "energy_j": "J",
        "makespan_s": "s", "bound_violations": "number", "largest_violation_w": "W",
        "violation_s": "s",
    },
    "details": {
        "application": "text", "rows": "count", "time_mean": "share",
        "time_third_quartile": "share", "time_max": "share", "power_within": "share",
        "power_lowest": "share",
    },
    "hindsight": {
        **_CASE, "cases": "count", "proved": "count", "mean_gap": "share", "largest_gap": "share",
    },
    "requests": {
        "log": "text", "rule": "exact", "requests": "count", "read": "count", "share": "share",
    },
    "counts": {
        **_CASE, "rounded": "number", "rejected": "number", "killed": "number",
        "decisions": "number", "fallbacks": "number", "largest_gap": "share",
    },
}  # fmt: skip
"""Tables of schedule.json, and the unit of each of their columns."""


def tables(result: ScheduleResult) -> dict[str, list[Row]]:
    """The tables of schedule.json that have rows."""
    single = single_job(result.outcomes)
    by_case = tails_by_case(result.outcomes)
    several = len(by_case) > len(result.policies) and not single
    counted = any(use.rounded or use.rejected or use.killed or use.decisions for use in result.uses)
    sources: dict[str, Iterable[Any]] = {
        "policies_overall": result.overall,
        "tails": () if single else tails_by_policy(result.outcomes),
        "turnaround_by_policy": (),
        "turnaround": result.rows,
        "tails_by_case": by_case if several else (),
        "above_bound": above_bound(result.outcomes),
        "users": (row for row in result.rows if row.better is not None),
        "power": result.uses,
        "details": result.errors,
        "hindsight": distances_of(result.outcomes),
        "requests": result.requests,
        "counts": result.uses if counted else (),
    }
    every = {
        name: [{key: getattr(row, key) for key in UNITS[name]} for row in source]
        for name, source in sources.items()
    } | {"turnaround_by_policy": by_policy(result)}
    return {name: every[name] for name in sources if every[name]}


def by_policy(result: ScheduleResult) -> list[Row]:
    """Turnaround ratios: a row for each log and bound, a key for each of the first policies."""
    others = [policy for policy in result.policies if policy != result.reference]
    cases: dict[tuple[str, float], Row] = {}
    for row in result.rows:
        empty = {key(policy): None for policy in others[:MOST_POLICIES]}
        case = cases.setdefault(
            (row.log, row.bound_w),
            {"log": row.log, "bound_w": row.bound_w, "reference_s": None, **empty},
        )
        if row.policy == result.reference:
            case["reference_s"] = row.mean_turnaround_s
        elif key(row.policy) in case:
            case[key(row.policy)] = row.ratio
    return [*cases.values()] if len(cases) > 1 and others else []


def key(policy: str) -> str:
    """Name of the values of a policy in a row."""
    return policy.replace(".", "_")


def runs(result: ScheduleResult) -> tuple[list[Row], int]:
    """Every run as plain values, and the number of jobs that they leave out."""
    every = [outcome.to_dict() for outcome in result.outcomes]
    if result.jobs <= MOST_JOBS:
        return every, 0
    plain = [{name: value for name, value in run.items() if name != "jobs"} for run in every]
    return plain, result.jobs


def choices(result: ScheduleResult) -> list[Row]:
    """What each policy chose for each of few listed jobs."""
    return [*choices_of(result.schedule, result.outcomes)]


def rules(result: ScheduleResult) -> list[Row]:
    """What each policy does."""
    return [{"policy": name, "rule": rule} for name, rule in policy_texts(result.policies).items()]


def by_bound(result: ScheduleResult) -> Iterator[Row]:
    """Each policy under each of several bounds, over all logs and seeds."""
    if len(result.bounds_w) < 2:
        return
    for bound_w in result.bounds_w:
        mine = [outcome for outcome in result.outcomes if outcome.bound_w == bound_w]
        for row in overall(mine, result.reference):
            keys = ("ratio", "low", "high", "power_utilisation", "fairness", "above")
            yield {"bound_w": bound_w, "policy": row.policy} | {
                name: getattr(row, name) for name in keys
            }


def representatives(result: ScheduleResult, quantity: str = "ratio") -> tuple[str, ...]:
    """The reference, the best other policy, and others that differ from all of these.

    Parameters
    ----------
    quantity
        Column of :func:`by_bound` that is drawn: the lines of policies that are alike in it cover
        each other in a figure.
    """
    values: dict[str, list[float | None]] = {}
    for row in by_bound(result):
        values.setdefault(row["policy"], []).append(row[quantity])
    if not values:
        values = {row.policy: [getattr(row, quantity)] for row in result.overall}
    drawn = list(dict.fromkeys((result.reference, result.subject)))
    for policy in dict.fromkeys((*(name for name, _ in result.ranking), *result.policies)):
        if policy not in drawn and all(_is_apart(values[policy], values[other]) for other in drawn):
            drawn.append(policy)
    return tuple(policy for policy in result.policies if policy in drawn)


def _is_apart(one: Sequence[float | None], other: Sequence[float | None]) -> bool:
    pairs = zip(one, other, strict=True)
    return any(a is not None and b is not None and abs(a - b) > _ALIKE for a, b in pairs)


def drawn_by_bound(result: ScheduleResult, quantity: str) -> list[Row]:
    """The rows of the policies that are drawn, for one quantity: ratios of all that have a look."""
    every = quantity == "ratio" and len(result.policies) <= MOST_POLICIES
    drawn = result.policies if every else representatives(result, quantity)
    return [row for row in by_bound(result) if row["policy"] in drawn]


def moved(result: ScheduleResult, bounds_w: Sequence[float]) -> tuple[int, int, int]:
    """Job runs under the best policy that end sooner, and later, than under the reference; all."""
    policies = by_key(result.outcomes)
    base = policies[result.reference]
    found = [
        altruism(run.turnaround_s, base[key].turnaround_s)
        for key, run in policies[result.subject].items()
        if key in base and key[1] in bounds_w
    ]
    sooner, later = sum(each.better for each in found), sum(each.worse for each in found)
    return sooner, later, sooner + later + sum(each.same for each in found)


def gains(result: ScheduleResult) -> Iterator[Row]:
    """Turnaround of jobs over that under the reference, sorted, under the lowest bound."""
    policies = by_key(result.outcomes)
    base, drawn = policies[result.reference], representatives(result)
    for policy, mine in policies.items():
        if policy not in drawn:
            continue
        ratios = [
            run.turnaround_s / base[key].turnaround_s
            for key, run in mine.items()
            if key in base and key[1] == result.bounds_w[0] and policy != result.reference
        ]
        known = np.concatenate([*ratios, np.empty(0)])
        known = known[~np.isnan(known)]
        if len(known) > 1:
            for share, ratio in zip(_SHARES, np.quantile(known, _SHARES).tolist(), strict=True):
                yield {"policy": policy, "jobs_share": share, "ratio": ratio}


def watts(result: ScheduleResult) -> Iterator[Row]:
    """Power over time of the first policies, in the log with the highest excess or power.

    Only the time around the highest is left, the same under each policy. The last row of a policy
    is the end.
    """
    drawn = drawn_runs(result)
    if not drawn:
        return
    top = max((power for _, power in drawn), key=lambda power: max(power.true_w))
    steps, middle = len(top.true_w), int(np.argmax(top.true_w))
    begin_s, end_s = top.time_s[0], max(power.time_s[-1] for _, power in drawn)
    if max(len(power.true_w) for _, power in drawn) > MOST_STEPS:
        first = max(0, min(middle - MOST_STEPS // 2, steps - MOST_STEPS))
        begin_s, end_s = top.time_s[first], top.time_s[min(steps, first + MOST_STEPS)]
    for run, power in drawn:
        for time_s, true_w, charged_w in _within(power, begin_s, end_s):
            yield {"policy": run.policy, "time_s": time_s, "true_w": true_w, "charged_w": charged_w}


def _within(
    power: PowerSeries, begin_s: float, end_s: float
) -> Iterator[tuple[float, float | None, float | None]]:
    """Steps of power in a span of time, with no power after the last one, and its end."""
    ends_s = [*power.time_s[1:], math.inf]
    true_w, charged_w = ([*watts, 0.0] for watts in (power.true_w, power.charged_w))
    for time_s, until_s, true, charged in zip(power.time_s, ends_s, true_w, charged_w, strict=True):
        if until_s > begin_s and time_s < end_s:
            yield max(time_s, begin_s), true, charged
    yield end_s, None, None


def drawn_runs(result: ScheduleResult) -> list[tuple[PolicyOutcome, PowerSeries]]:
    """The runs of the figure of power over time."""
    kept = [(run, run.power) for run in result.outcomes if run.power and run.power.true_w]
    if not kept:
        return []
    top, _ = max(kept, key=lambda pair: max(pair[1].true_w))
    case = (top.log, top.bound_w, top.seed)
    there = [pair for pair in kept if (pair[0].log, pair[0].bound_w, pair[0].seed) == case]
    shown = {result.reference, result.subject}
    return ([pair for pair in there if pair[0].policy in shown] or there)[:MOST_DRAWN]


def programs(result: ScheduleResult) -> Iterator[Row]:
    """The integer programs of the policies: when they stop, and how often Adaptive decided."""
    named = [(run, found) for run in result.outcomes if (found := ilp_name(run.policy))]
    families: Mapping[Family, None] = dict.fromkeys(found.family for _, found in named)
    for family in families:
        slots = SlotPolicy()
        budget = slots.budget if family == "slots" else KnapsackPolicy().budget
        mine = [run for run, found in named if found.family == family]
        yield {
            "program": family,
            "gap": budget.gap,
            "node_limit": budget.node_limit,
            "slot_s": slots.slot_s if family == "slots" else None,
            "window": slots.window if family == "slots" else None,
            "decisions": sum(run.decisions for run in mine),
            "fallbacks": sum(run.fallbacks for run in mine),
        }


def applications(result: ScheduleResult) -> list[Row]:
    """The applications that the scenario names, with their configurations."""
    schedule = schedule_of(result.scenario)
    return [_application(schedule, each) for each in schedule.applications]


def _application(schedule: Schedule, application: ScheduleApplication) -> Row:
    listed = application.configurations
    configurations = [(row.nodes, row.cores_per_node, row.package_cap_w) for row in listed]
    if application.problem is not None:
        found = simulated_candidates(schedule, application)
        arrays = (found.nodes, found.cores_per_node, found.package_cap_w)
        configurations = [*zip(*(array.tolist() for array in arrays), strict=True)]
    columns = [*zip(*configurations, strict=True)] or [()] * 3
    nodes, cores, caps = ((min(each), max(each)) if each else None for each in columns)
    simulated = application.problem is not None
    return {
        "application": application.name,
        "kind": application.name if simulated else None,
        "configurations": len(configurations) or None,
        "nodes": nodes,
        "cores_per_node": cores,
        "package_cap_w": caps,
        "priority": application.priority,
    }
