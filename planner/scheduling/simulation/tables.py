"""The tables of a simulation: which columns people see, and what the workbook has besides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.scheduling.simulation import rows
from planner.scheduling.simulation.jobs_of_period import pieces
from planner.scheduling.simulation.maui_settings import priority_rows, target_rows
from planner.table import Column, Table, columns

if TYPE_CHECKING:
    from planner.scheduling.simulation.result import SimulationResult

MOST_REJECTED = 1_000
"""Rejected jobs in the table; the data has them all."""
_WAITS = {
    "mean_wait_s": "s", "median_wait_s": "s", "p95_wait_s": "s", "p99_wait_s": "s",
    "max_wait_s": "s", "mean_bounded_slowdown": "ratio", "utilisation": "share",
}  # fmt: skip
_USE = {
    "policy": "policy", "utilisation": "share", "makespan_s": "s", "throughput_per_h": "number",
    "core_hours_done": "number", "core_hours_killed": "number", "mean_jobs_waiting": "number",
    "max_jobs_waiting": "count",
}  # fmt: skip
_CLASS = {"policy": "policy", "class": "exact", "jobs": "count", "mean_wait_s": "s",
          "median_wait_s": "s", "p90_wait_s": "s", "mean_bounded_slowdown": "ratio"}  # fmt: skip
_LOOK = {
    "policy": "policy", "job": "id", "time_s": "id", "reason": "exact", "free": "count",
    "wanted": "count", "ahead": "count", "head": "id", "reserved_s": "id", "extra": "count",
    "expected_end_s": "id", "sentence": "remark",
}  # fmt: skip


def tables_of(result: SimulationResult) -> tuple[Table, ...]:
    """All tables that have rows."""
    every = (
        _policies(result),
        _of("partitions", [part.to_dict() for part in result.by_partition],
            {"policy": "policy", "partition": "text", "processors": "processor", "jobs": "count",
             **_WAITS}),
        _of("comparisons", list(rows.comparisons(result)),
            {"first": "policy", "second": "policy", "quantity": "quantity"}),
        _of("differences", list(rows.differences(result)), {
            "second": "policy", "first": "policy", "wait_s": "s", "wait_interval": "interval:s",
            "slowdown": "number", "slowdown_interval": "interval:number", "chance": "chance"}),
        _of("use of the machine",
            [{key: row[key] for key in _USE} for row in rows.policies(result) if row["jobs"]],
            _USE),
        _of("by processors", list(rows.by_class(result, "by processors")), _CLASS),
        _of("by run time", list(rows.by_class(result, "by run time")), _CLASS),
        _of("users", list(rows.users(result)),
            {"policy": "policy", "user": "text", "jobs": "count", "mean_wait_s": "s",
             "mean_bounded_slowdown": "ratio", "core_hours": "number",
             "share_of_core_hours": "share"}),
        _rules(result),
        _of("jobs of the log", [{"what": what, "jobs": n} for what, n in result.log.counts.items()],
            {"what": "remark", "jobs": "count"}),
        _rejected(result),
        _of("explanations", list(rows.looks(result)), _LOOK),
        _of("explained", list(rows.explained(result)),
            {"policy": "policy", "from_s": "id", "to_s": "id", "looks": "count",
             "reason": "remark"}),
        _of("unavailable", list(rows.unavailable(result)),
            {"begin_s": "id", "end_s": "id", "processors": "processor", "announced": "flag"}),
        *_maui(result),
        *_drawn(result),
        *((Table("violations", _VIOLATION, at="/violations"),) if result.violations else ()),
    )  # fmt: skip
    return tuple(table for table in every if table.rows or table.at)


_VIOLATION = (Column("time_s", "id"), Column("job", "id"), Column("kind", "exact"),
              Column("what", "remark"), Column("by", "count"))  # fmt: skip


def _of(name: str, found: list[rows.Row], shown: dict[str, str], **units: str) -> Table:
    """A table with all keys of its rows; people see those with a unit here."""
    return Table(name, columns(found, shown, **units), tuple(found))


def _policies(result: SimulationResult) -> Table:
    """The measures of each policy: the decision."""
    shown = {"policy": "policy", **_WAITS}
    if rows.is_molded(result):
        shown = {"policy": "policy", "mean_turnaround_s": "s", **_WAITS}
    if any(measures.jobs_killed for measures in result.rows):
        shown["jobs_killed"] = "count"
    return _of("policies", list(rows.policies(result)), shown)


def _rules(result: SimulationResult) -> Table:
    return _of("rules", list(rows.rules(result)),
               {"policy": "policy", "rule": "remark", "estimates": "estimates"})  # fmt: skip


def _rejected(result: SimulationResult) -> Table:
    rejected = result.simulations[0].schedule.rejected
    found: list[rows.Row] = [{"job": job, "reason": reason} for job, reason in rejected.items()]
    shown = (Column("job", "id"), Column("reason", "remark"))
    return Table("rejected", shown, tuple(found[:MOST_REJECTED]), total=len(found))


def _maui(result: SimulationResult) -> Iterator[Table]:
    if result.maui is not None:
        yield _of(
            "weights of the priority",
            list(priority_rows(result.maui)),
            {"weight": "point", "points": "number", "names": "count", "source": "remark"},
        )
        yield _of("target shares", list(target_rows(result.maui)),
                  {"party": "party", "name": "text", "target": "share"})  # fmt: skip


def _drawn(result: SimulationResult) -> Iterator[Table]:
    """What only figures show."""
    share: dict[str, str] = {"policy": "policy", "share": "share given"}
    yield _of("largest waits", list(rows.largest_waits(result)),
              {**share, "wait_s": "s", "bounded_slowdown": "ratio"})  # fmt: skip
    yield _of("waits of users", list(rows.waits_of_users(result)), {**share, "mean_wait_s": "s"})
    names = [(policy, result.measures[policy].policy) for policy in rows.drawn(result)]
    periods = (
        Column("begin_s", "s"), Column("end_s", "s"),
        *(Column(f"queue_{policy}", "count", label=name) for policy, name in names),
        *(Column(f"use_{policy}", "share", label=name) for policy, name in names),
    )  # fmt: skip
    yield Table("over time", periods, tuple(rows.over_time(result)))
    yield _of("jobs of the period", list(pieces(result)) if result.ranking else [],
              {"policy": "policy", "job": "id", "begin_s": "s", "end_s": "s", "first": "count",
               "processors": "count", "overtook": "flag"})  # fmt: skip
