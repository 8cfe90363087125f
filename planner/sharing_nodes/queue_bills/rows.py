"""Rows of a day of jobs on shared nodes: rules, prices, users, bills and changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.sharing_nodes.queue_bills.result import OURS, TODAY
from planner.sharing_nodes.queues.replications import REVENUE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.sharing_nodes.queue_bills.result import QueuePriceResult
    from planner.sharing_nodes.queues.replications import MeasureChange

Row = dict[str, Any]

MOST_USERS = 200
"""Users whose bills are listed, those with the largest bills first."""
_COMPARED = ("mean_wait_s", "longest_wait_s", "mean_turnaround_s", "node_hours", "throughput",
             "energy_kwh", "makespan_s")  # fmt: skip
_MOST_POINTS = 40
"""Points of a line of users."""


def parts(result: QueuePriceResult) -> list[Row]:
    """Mean wait and mean run time of each rule, in hours."""
    return [
        {"rule": row["rule"], "part": part, "hours": time_s / 3600}
        for row in result.means
        for part, time_s in (
            ("wait", row["mean_wait_s"]),
            ("run", row["mean_turnaround_s"] - row["mean_wait_s"]),
        )
    ]


def revenue(result: QueuePriceResult, keys: Iterable[str]) -> list[Row]:
    """Prices below whole nodes; without discounts where no job is open to a partner."""
    base = result.comparison.baseline
    billed = float(base.bills[TODAY].price_su[result.comparison.measured].sum())
    first = {"rule": base.rule, "policy": TODAY, "revenue_su": billed, "revenue_ratio": 1.0}
    alone = {each.rule for each in result.comparison.outcomes if not each.measures.shared_jobs}
    unknown = dict.fromkeys(("mean_discount", "mean_error", "bias"))
    prices = [{key: getattr(row, key) for key in keys} for row in result.comparison.prices]
    return [first, *(row | unknown if row["rule"] in alone else row for row in prices)]


def sides(result: QueuePriceResult) -> list[Row]:
    """How many users gain and lose, by rule and price."""
    return [
        {"rule": rule, **vars(policy)}
        for rule, policies in result.comparison.sides.items()
        for policy in policies
    ]


def bills(result: QueuePriceResult) -> list[Row]:
    """Bills and turnarounds of the users with the largest bills."""
    table = result.comparison.users[result.best.rule]
    order = np.argsort(-table.before_su, kind="stable")[:MOST_USERS]
    return [
        {
            "user": result.user(int(table.user[index])),
            "jobs": int(table.jobs[index]),
            "before_su": float(table.before_su[index]),
            **{
                f"{policy.replace(' ', '_').lower()}_su": float(amounts[index])
                for policy, amounts in table.after_su.items()
            },
            "turnaround_before_s": float(table.turnaround_before_s[index]),
            "turnaround_after_s": float(table.turnaround_after_s[index]),
        }
        for index in order
    ]


def bill_ratios(result: QueuePriceResult) -> list[Row]:
    """Bills of users against whole nodes, ascending, by price."""
    if result.payers.noun != "user":
        return []
    table = result.comparison.users[result.best.rule]
    billed = table.before_su > 0
    return [
        {"policy": policy, **row}
        for policy in (TODAY, "POPPA", OURS)
        if policy in table.after_su
        for row in _ascending(table.after_su[policy][billed] / table.before_su[billed])
    ]


def turnaround_ratios(result: QueuePriceResult) -> list[Row]:
    """Mean turnarounds of users against whole nodes, ascending."""
    if result.payers.noun != "user":
        return []
    table = result.comparison.users[result.best.rule]
    return _ascending(table.turnaround_after_s / table.turnaround_before_s)


def _ascending(ratios: NDArray[np.float64]) -> list[Row]:
    """The share of users up to each ratio; of many users at equal distances."""
    ordered, count = np.sort(ratios), len(ratios)
    points = min(count, _MOST_POINTS)
    ranks = [-(-count * point // points) for point in range(1, points + 1)]
    return [{"users": rank / count, "ratio": float(ordered[rank - 1])} for rank in ranks]


def differences(result: QueuePriceResult) -> tuple[MeasureChange, ...]:
    """Changes of every measure over the mappings, by rule."""
    return () if result.replications is None else result.replications.changes


def changes(result: QueuePriceResult) -> list[Row]:
    """Changes under the best rule, of the main measures and of revenue."""

    def less_1(ratio: float | None) -> float | None:
        return None if ratio is None else ratio - 1

    return [
        {
            "quantity": change.quantity,
            "change": less_1(change.ratio),
            "low": less_1(change.low),
            "high": less_1(change.high),
            "lower_in": change.lower_in,
        }
        for change in differences(result)
        if change.rule == result.best.rule
        and (change.quantity in _COMPARED or change.quantity.startswith(REVENUE))
    ]
