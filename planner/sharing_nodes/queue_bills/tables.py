"""Columns of the tables of a day with shared nodes, and names of rules and prices."""

from __future__ import annotations

from typing import Any

from planner.formatting import duration, durations, percent, telling
from planner.sharing_nodes.queues.replications import PAYS_MORE, REVENUE, MeasureChange
from planner.worded_table import Column

RULES = {
    "share, spread": "shared, may start alone",
    "share, wait": "shared, starts in pairs",
}
"""Rules as people read them."""

POLICIES = {"state of practice": "by run time"}
"""Prices as people read them."""


def rule_text(name: str) -> str:
    """A rule of sharing as people read it."""
    return RULES.get(name, name)


def _policy(name: str) -> str:
    return POLICIES.get(name, name)


_MEASURES = {
    "mean_bounded_slowdown": "mean bounded slowdown",
    "mean_turnaround_s": "mean turnaround",
    "mean_wait_s": "mean wait",
    "longest_wait_s": "longest wait",
    "makespan_s": "makespan",
    "throughput": "work per node-hour",
    "energy_kwh": "energy (kWh)",
    "node_hours": "node-hours",
    "shared_jobs": "jobs open to a partner",
    "partnered_jobs": "jobs with a partner",
    "floors_broken": "jobs slower than predicted",
    "users_sooner": "users done sooner",
    "users_later": "users done later",
}


def _measure(name: str) -> str:
    if name.startswith(REVENUE):
        return f"revenue (SU), {_policy(name.removeprefix(REVENUE))}"
    if name.startswith(PAYS_MORE):
        return f"users who pay more, {_policy(name.removeprefix(PAYS_MORE))}"
    return _MEASURES.get(name, name)


def _turnaround(row: dict[str, Any], *, after: bool) -> str:
    return durations(row["turnaround_before_s"], row["turnaround_after_s"])[after]


def _share(value: float) -> str:
    return percent(value, places=1)


def _number(change: MeasureChange, value: float) -> str:
    if change.quantity.endswith("_s"):
        return durations(value, change.before, change.after)[0]
    return _share(value) if change.quantity == "throughput" else telling(value)


RULES_COLUMNS = (
    Column("rule", "rule", rule_text, width=2),
    Column("measures.jobs", "jobs", number=True),
    Column("measures.shared_jobs", "jobs open to a partner", number=True),
    Column("measures.partnered_jobs", "jobs with a partner", number=True),
    Column("measures.mean_wait_s", "mean wait", duration, number=True),
    Column("measures.mean_turnaround_s", "mean turnaround", duration, number=True, width=1.2),
    Column("measures.node_hours", "node-hours", telling, number=True),
    Column("measures.throughput", "work per node-hour", _share, number=True, width=1.2),
    Column("measures.energy_kwh", "energy (kWh)", telling, number=True),
    Column("measures.makespan_s", "makespan", duration, number=True, width=1.2),
)
PRICES_COLUMNS = (
    Column("rule", "rule", rule_text, width=2),
    Column("policy", "price", _policy, width=1.3),
    Column("revenue_su", "revenue (SU)", telling, number=True),
    Column("revenue_ratio", "relative to whole nodes", _share, number=True, width=1.2),
    Column("mean_discount", "mean discount", _share, number=True),
    Column("largest_discount", "largest discount", _share, number=True),
    Column("mean_error", "mean price error", _share, number=True),
    Column("largest_error", "largest price error", _share, number=True, width=1.2),
    Column("bias", "mean overcharge", _share, number=True, width=1.4),
)
SIDES_COLUMNS = (
    Column("rule", "rule", rule_text, width=2),
    Column("policy", "price", _policy, width=1.3),
    Column("pays_less", "users who pay less", number=True),
    Column("pays_same", "pay the same", number=True),
    Column("pays_more", "pay more", number=True),
    Column("largest_rise", "largest increase of a bill", _share, number=True),
    Column("sooner", "done sooner", number=True),
    Column("later", "done later", number=True),
    Column("pays_more_and_later", "pay more and done later", number=True, width=1.2),
)
BILLS_COLUMNS = (
    Column("user", "user"),
    Column("jobs", "jobs", number=True),
    Column("before_su", "bill, whole nodes", telling, number=True, width=1.2),
    Column("state_of_practice_su", "bill, by run time", telling, number=True),
    Column("poppa_su", "bill, POPPA", telling, number=True),
    Column("headroom_su", "bill, Headroom", telling, number=True, width=1.3),
    Column("oracle_su", "bill, oracle", telling, number=True),
    Column(
        "turnaround_before_s",
        "turnaround, whole nodes",
        number=True,
        width=1.4,
        row_text=lambda row: _turnaround(row, after=False),
    ),
    Column(
        "turnaround_after_s",
        "turnaround, shared",
        number=True,
        width=1.4,
        row_text=lambda row: _turnaround(row, after=True),
    ),
)
CHANGES_COLUMNS = (
    Column("rule", "rule", rule_text, width=2),
    Column("quantity", "measure", _measure, width=2.2),
    Column("before", "whole nodes", number=True, row_text=lambda one: _number(one, one.before)),
    Column("after", "shared", number=True, row_text=lambda one: _number(one, one.after)),
    Column("ratio", "ratio", lambda value: f"{value:.3f}", number=True),
    Column("low", "95 % interval, from", lambda value: f"{value:.3f}", number=True),
    Column("high", "to", lambda value: f"{value:.3f}", number=True),
    Column("lower_in", "mappings in which it falls", number=True),
)
