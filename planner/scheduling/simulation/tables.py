"""The tables of a simulation: which columns people see, and what the workbook has besides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.scheduling.simulation import answers, rows
from planner.scheduling.simulation.jobs_of_period import pieces, shows
from planner.scheduling.simulation.maui_settings import maui_tables
from planner.table import Column, Table, filled, table, wide

if TYPE_CHECKING:
    from planner.scheduling.simulation.result import SimulationResult

MOST_REJECTED = 1_000
"""Rejected jobs in the table; the data has them all."""
_WAITS = ("mean_wait_s", "median_wait_s", "p95_wait_s", "p99_wait_s", "max_wait_s")
_USE = {
    "policy": "policy", "utilisation": "share", "makespan_s": "s", "throughput_per_h": "number",
    "core_hours_done": "number", "core_hours_killed": "number", "mean_jobs_waiting": "number",
    "max_jobs_waiting": "count",
}  # fmt: skip
_SLOWED = {
    "mean_bounded_slowdown": "mean", "median_bounded_slowdown": "median_wait_s",
    "p90_bounded_slowdown": "p90_wait_s", "p95_bounded_slowdown": "p95_wait_s",
    "p99_bounded_slowdown": "p99_wait_s", "max_bounded_slowdown": "largest_slowdown",
}  # fmt: skip
"""Headings of the slowdowns."""
_CLASS = {"policy": "policy", "class": "exact", "jobs": "count", "mean_wait_s": "s",
          "median_wait_s": "s", "p90_wait_s": "s", "mean_bounded_slowdown": "ratio"}  # fmt: skip
_LOOK = {
    "policy": "policy", "job": "id", "time_s": "id", "reason": "waited", "free": "count",
    "wanted": "count", "ahead": "count", "head": "id", "reserved_s": "id", "extra": "count",
    "expected_end_s": "id",
}  # fmt: skip


def tables_of(result: SimulationResult) -> tuple[Table, ...]:
    """All tables that have rows."""
    return filled(_tables(result))


def _tables(result: SimulationResult) -> Iterator[Table]:
    policy, rejected = {"policy": "policy"}, result.simulations[0].schedule.rejected
    unit = answers.unit(result)
    turnaround = {"mean_turnaround_s": unit} if result.molded else {}
    waits = {**dict.fromkeys(_WAITS, unit), "mean_bounded_slowdown": "ratio",
             "utilisation": "share"}  # fmt: skip
    killed = {"jobs_killed": "count"} if any(row.jobs_killed for row in result.rows) else {}
    yield wide("policies", rows.policies(result),
               policy | turnaround | waits | killed)  # fmt: skip
    yield wide("partitions", [part.to_dict() for part in result.by_partition],
               {"policy": "policy", "partition": "text", "processors": "processor", "jobs": "count",
                **waits})  # fmt: skip
    yield wide("comparisons", rows.comparisons(result),
               {"first": "policy", "second": "policy", "quantity": "quantity"})  # fmt: skip
    several = len({each.first for each in result.every_comparison}) > 1
    first = {"first": "policy"} if several else {}
    name = result.quantity
    yield wide("differences", rows.differences(result), {
               "second": "policy", **first, f"{name}_s": unit,
               f"{name}_interval": f"interval:{unit}",
               "slowdown": "number", "slowdown_interval": "interval:number",
               "chance": "chance"}, first="policy")  # fmt: skip
    yield table("slowdowns", {"policy": "policy", **dict.fromkeys(_SLOWED, "ratio")},
                rows.slowdowns(result), labels=_SLOWED)  # fmt: skip
    used = [row for row in result.rows if row.jobs]
    idle = {"core_hours_killed"} if not any(row.core_hours_killed for row in used) else set()
    alike = len(used) > 1 and len({row.core_hours_done for row in used}) == 1
    yield table("use of the machine", _USE, used,
                hidden=idle | ({"core_hours_done"} if alike else set()))  # fmt: skip
    for name in ("by processors", "by run time"):
        yield wide(name, rows.by_class(result, name), _CLASS)
    yield table("users", {"policy": "policy", "user": "text", "jobs": "count", "mean_wait_s": "s",
                "mean_bounded_slowdown": "ratio", "core_hours": "number",
                "share_of_core_hours": "share"}, rows.users(result))  # fmt: skip
    yield table("rules", {"policy": "policy", "rule": "quotation", "estimates": "estimates"},
                rows.rules(result),
                hidden=() if len({row.estimates for row in result.measures}) > 1 else ("estimates",)
                )  # fmt: skip
    counted = [{"what": what, "jobs": jobs} for what, jobs in result.log.counts.items()]
    if len({row["jobs"] for row in counted}) == 1:  # all that was read is kept, unchanged
        counted = []
    yield table("jobs of the log", {"what": "message", "jobs": "count"}, counted,
                labels={"what": "part_of_log"})  # fmt: skip
    found = [{"job": job, "reason": reason} for job, reason in rejected.items()]
    yield table("rejected", {"job": "id", "reason": "message"}, found[:MOST_REJECTED],
                total=len(found))  # fmt: skip
    yield wide("explanations", rows.looks(result), _LOOK)
    yield table("explained", {"policy": "policy", "time_s": Column("time_s", "id", label="from_s"),
                "to_s": "id", "looks": "count",
                "reason": "waited", "free": "count", "wanted": "count", "head": "id",
                "reserved_s": "id", "expected_end_s": "id", "freed_by": "id"},
                rows.explained(result))  # fmt: skip
    yield table("unavailable", {"begin_s": "id", "end_s": "id", "processors": "processor",
                "announced": "flag"}, result.settings.unavailable)  # fmt: skip
    if result.maui is not None:
        yield from maui_tables(result.maui)
    yield from _drawn(result)
    if result.violations:
        yield table("violations", {"time_s": "id", "job": "id", "kind": "exact", "what": "message",
                    "by": "count"}, at="/violations")  # fmt: skip


def _drawn(result: SimulationResult) -> Iterator[Table]:
    """What only figures show."""
    share = {"policy": "policy", "share": "share given"}
    yield table("largest waits", {**share, "wait_s": "s", "bounded_slowdown": "ratio"},
                rows.largest_waits(result))  # fmt: skip
    yield table("waits of users", {**share, "mean_wait_s": "s"}, rows.waits_of_users(result))
    names = {str(policy): result.measures[policy].policy for policy in rows.listed(result)}
    queues = dict.fromkeys((f"queue_{policy}" for policy in names), "count")
    uses = dict.fromkeys((f"use_{policy}" for policy in names), "share")
    yield table("over time", {"begin_s": "s", "end_s": "s", **queues, **uses},
                rows.over_time(result),
                labels={key: names[key.partition("_")[2]] for key in queues | uses})  # fmt: skip
    yield table("jobs of the period", {"policy": "policy", "job": "id", "begin_s": "s",
                "end_s": "s", "first": "count", "processors": "count", "overtook": "flag"},
                pieces(result) if shows(result) else ())  # fmt: skip
