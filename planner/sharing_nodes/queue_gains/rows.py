"""Rows of a log with shared nodes: rules by load, floors, pairs, users, and all changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.sharing_nodes.queue_gains.result import FAIR, FIRST_FIT, SEARCH
from planner.sharing_nodes.queues.comparison import ORACLE
from planner.sharing_nodes.queues.meetings import meetings_of
from planner.sharing_nodes.queues.replications import PAYS_MORE, REVENUE

if TYPE_CHECKING:
    from planner.sharing_nodes.queue_gains.load import LoadResult
    from planner.sharing_nodes.queue_gains.result import QueueResult
    from planner.sharing_nodes.queues.replications import MeasureChange

Row = dict[str, Any]
FAIR_REVENUE = f"{REVENUE}{FAIR}"
DRAWN = ("mean_wait_s", "mean_turnaround_s", "mean_bounded_slowdown", "throughput", "energy_kwh",
         FAIR_REVENUE)  # fmt: skip
"""Measures of the figure."""
_COMPARED = ("rule", "quantity", "before", "after", "ratio", "low", "high", "lower_in")


def _rules(result: QueueResult) -> Iterator[tuple[LoadResult, str, Row]]:
    for load in result.results:
        for rule in load.rules:
            yield load, rule, {"load": load.load, "rule": rule}


def waits(result: QueueResult) -> Iterator[Row]:
    """Waits and other ratios of each rule at each load."""
    for load, rule, row in _rules(result):
        wait = load.change(rule, "mean_wait_s")
        yield row | {
            "wait_before_s": wait.before,
            "wait_after_s": wait.after,
            "wait_ratio": wait.ratio,
            "wait_low": wait.low,
            "wait_high": wait.high,
            "turnaround_ratio": load.change(rule, "mean_turnaround_s").ratio,
            "slowdown_ratio": load.change(rule, "mean_bounded_slowdown").ratio,
            "throughput": load.change(rule, "throughput").after,
            "energy_ratio": load.change(rule, "energy_kwh").ratio,
            "revenue_ratio": load.change(rule, FAIR_REVENUE).ratio,
        }


def floors(result: QueueResult) -> Iterator[Row]:
    """Jobs open to a partner, and those of them below the floor, summed over the mappings."""
    for load, rule, row in _rules(result):
        shared, broken, longest = (
            load.change(rule, name) for name in ("shared_jobs", "floors_broken", "longest_wait_s")
        )
        promises = rule != FIRST_FIT
        slowest = load.replications.slowest.get(rule, float("inf"))
        yield row | {
            "jobs": result.summed(load, rule, "jobs"),
            "shared_jobs": result.summed(load, rule, "shared_jobs"),
            "partnered_jobs": result.summed(load, rule, "partnered_jobs"),
            "below_floor": load.replications.below.get(rule),
            "slowest": slowest if slowest < float("inf") else None,
            "floors_broken": result.summed(load, rule, "floors_broken") if promises else None,
            "broken_share": broken.after / max(shared.after, 1e-9) if promises else None,
            "longest_before_s": longest.before,
            "longest_after_s": longest.after,
            "late_starts": load.replications.late_starts[rule],
        }


def pairs(result: QueueResult) -> Iterator[Row]:
    """Pairs of applications by the time for which they share nodes."""
    first = result.first.replications.first
    run = next(one for one in first.outcomes if one.rule == SEARCH).schedule
    met, names = meetings_of(run), result.law.predicted.applications
    applications = first.problem.jobs.application
    ends = np.sort(np.stack([applications[met.job], applications[met.other]]), axis=0)
    codes, which = np.unique(ends[0] * len(names) + ends[1], return_inverse=True)
    spent = np.bincount(which, met.end_ms - met.begin_ms, minlength=len(codes))
    relative = result.law.relative(result.law.predicted)
    for index in np.argsort(-spent, kind="stable"):
        a, b = divmod(int(codes[index]), len(names))
        speeds = float(relative[a, b]), float(relative[b, a])
        yield {
            "a": names[a],
            "b": names[b],
            "speed_a": speeds[0],
            "speed_b": speeds[1],
            "work": sum(speeds) / result.law.halves_per_node,
            "share": float(spent[index] / spent.sum()),
        }


def users(result: QueueResult) -> Iterator[Row]:
    """Users who gain or lose compared with whole nodes, as means over the mappings."""
    for load, rule, row in _rules(result):
        yield row | {
            "sooner": load.change(rule, "users_sooner").after,
            "later": load.change(rule, "users_later").after,
            "pays_more_practice": load.change(rule, f"{PAYS_MORE}state of practice").after,
            "pays_more_fair": load.change(rule, f"{PAYS_MORE}{FAIR}").after,
            "pays_more_oracle": load.change(rule, f"{PAYS_MORE}{ORACLE}").after,
        }


def differences(result: QueueResult) -> Iterator[Row]:
    """Every measure of every rule."""
    for load in result.results:
        for change in load.replications.changes:
            yield {"load": load.load} | {key: getattr(change, key) for key in _COMPARED}


def of_search(result: QueueResult, *, times: bool) -> list[MeasureChange]:
    """Measures of partner search at the first load: times, or all others."""
    return [
        change for change in result.first.replications.changes
        if change.rule == SEARCH and change.quantity != "jobs"
        and change.quantity.endswith("_s") == times
        and (change.ratio is not None or change.before)
    ]  # fmt: skip


def drawn_rules(result: QueueResult) -> list[Row]:
    """The change of the mean wait under each rule, at the first load, where it is known."""
    changes = [result.first.change(rule, "mean_wait_s") for rule in result.first.rules]
    return [{"rule": change.rule} | _drawn(change) for change in changes if change.ratio]


def drawn_measures(result: QueueResult) -> list[Row]:
    """Changes of some measures under partner search, at the first load, where they are known."""
    changes = [result.first.change(SEARCH, quantity) for quantity in DRAWN]
    return [{"quantity": each.quantity} | _drawn(each) for each in changes if each.ratio]


def _drawn(change: MeasureChange) -> Row:
    ends = {"change": change.ratio, "change_low": change.low, "change_high": change.high}
    return {key: None if value is None else value - 1 for key, value in ends.items()}
