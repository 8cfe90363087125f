"""Every number of a simulation as plain rows: sheets, tables of pages, figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.scheduling.simulation.classes import by_processors, by_run_time
from planner.scheduling.simulation.job_measures import bounded_slowdown
from planner.scheduling.simulation.steps import Steps, jobs_waiting, processors_in_use

if TYPE_CHECKING:
    from planner.replications.batch_means import MeanInterval
    from planner.scheduling.simulation.result import SimulationResult
    from planner.scheduling.simulation.schedule import Integers

Row = dict[str, Any]
MOST_DRAWN = 4
"""Policies in a figure of several: the first, and the best ones."""
_UNITS = (("p90_wait_h", 3600.0), ("p90_wait_min", 60.0), ("p90_wait_plain_s", 1.0))
"""Keys of waits in one unit, which suits the longest of them."""
PERIODS = 120
"""Equal periods of a figure over time."""
SHARES = (*(step / 20 for step in range(20)), 0.97, 0.99, 1.0)
"""Percentiles of the waits of jobs, or of users, that are drawn."""
MOST_REASONS = 12
"""Reasons in turn of a job's wait, on a page."""


def listed(result: SimulationResult) -> list[int]:
    """Indices of the policies in a sentence that holds few of them."""
    few = result.ranking
    if len(few) > MOST_DRAWN:
        few = (*{0, *result.ranking[: MOST_DRAWN - 1]},)
    return sorted(few)


def is_clear(difference: MeanInterval) -> bool:
    """Whether a difference is more than chance, and its interval wide enough to tell."""
    return difference.tells_apart and not difference.warning


def policies(result: SimulationResult) -> Iterator[Row]:
    """The measures of each policy, and of the schedule in the log."""
    for measures in result.rows:
        yield measures.to_dict()


def slowdowns(result: SimulationResult) -> Iterator[Row]:
    """Bounded slowdowns of each policy, and of the schedule in the log."""
    for measures in result.rows:
        if (slowed := measures.bounded_slowdown) is not None:
            parts = {"max" if part == "largest" else part: value
                     for part, value in asdict(slowed).items()}  # fmt: skip
            row = {f"{part}_bounded_slowdown": value for part, value in parts.items()}
            yield {"policy": measures.policy, **row}


def comparisons(result: SimulationResult) -> Iterator[Row]:
    """Each difference of two policies with its interval, one quantity a row."""
    for each in result.every_comparison:
        for quantity, interval in each.differences.items():
            yield (
                {"first": each.first, "second": each.second, "quantity": quantity}
                | asdict(interval)
                | {"low": interval.low, "high": interval.high}
            )


def differences(result: SimulationResult) -> Iterator[Row]:
    """Each pair of policies in one row: how the second differs from the first."""
    name = result.quantity
    for each in result.every_comparison:
        time, slowed = each.differences[name], each.differences["bounded_slowdown"]
        yield {
            "pair": f"{each.second} less {each.first}", "second": each.second, "first": each.first,
            f"{name}_s": time.mean, f"{name}_interval": (time.low, time.high),
            "slowdown": slowed.mean, "slowdown_interval": (slowed.low, slowed.high),
            f"{name}_low_s": time.low, f"{name}_high_s": time.high, "chance": _chance(time),
        }  # fmt: skip


def _chance(difference: MeanInterval) -> str:
    """Whether a difference is more than chance, as far as its interval can tell."""
    if not difference.tells_apart:
        return "chance"
    return "narrow" if difference.warning else "apart"


def unit_of_classes(result: SimulationResult, name: str) -> tuple[str, float]:
    """Key of the waits of classes that a figure shows, and its unit in seconds."""
    most_s = max((row["p90_wait_s"] for row in _classes(result, name)), default=0.0)
    return next(((key, size) for key, size in _UNITS if most_s > 2 * size), _UNITS[-1])


def by_class(result: SimulationResult, name: str) -> Iterator[Row]:
    """The measures of each class of jobs: by processors, or by run time."""
    key, size = unit_of_classes(result, name)
    for row in _classes(result, name):
        yield row | {key: row["p90_wait_s"] / size}


def _classes(result: SimulationResult, name: str) -> Iterator[Row]:
    classify = by_processors if name == "by processors" else by_run_time
    record = () if result.recorded is None else (result.recorded.counted,)
    for measures, schedule in zip(result.rows, (*result.counted, *record), strict=True):
        for job_class in classify(schedule):
            yield {"policy": measures.policy} | job_class.to_dict()


def users(result: SimulationResult) -> Iterator[Row]:
    """The measures of each user."""
    names = result.log.names.get("user", ())
    for measures in result.rows:
        each = measures.users
        columns = (each.user, each.jobs, each.mean_wait_s, each.mean_bounded_slowdown,
                   each.core_hours, each.share)  # fmt: skip
        lists = (column.tolist() for column in columns)
        for code, jobs, wait, slowed, hours, part in zip(*lists, strict=True):
            yield {
                "policy": measures.policy, "user": names[code] if code < len(names) else code,
                "jobs": jobs, "mean_wait_s": wait, "mean_bounded_slowdown": slowed,
                "core_hours": hours, "share_of_core_hours": part,
            }  # fmt: skip


def largest_waits(result: SimulationResult) -> Iterator[Row]:
    """Percentiles of the waits and of the bounded slowdowns of the jobs."""
    for policy in listed(result):
        counted = result.counted[policy]
        percents = 100 * np.array(SHARES)
        pairs = zip(
            SHARES, np.percentile(counted.wait_s, percents).tolist(),
            np.percentile(bounded_slowdown(counted), percents).tolist(), strict=True,
        )  # fmt: skip
        for share, wait, slowed in pairs:
            yield {"policy": result.measures[policy].policy, "share": share, "wait_s": wait,
                   "bounded_slowdown": slowed}  # fmt: skip


def waits_of_users(result: SimulationResult) -> Iterator[Row]:
    """Percentiles of the mean waits of the users; empty with one user."""
    for policy in listed(result):
        waits = result.measures[policy].users.mean_wait_s
        if len(waits) > 1:
            found = np.percentile(waits, 100 * np.array(SHARES)).tolist()
            for share, wait in zip(SHARES, found, strict=True):
                name = result.measures[policy].policy
                yield {"policy": name, "share": share, "mean_wait_s": wait}


def over_time(result: SimulationResult) -> list[Row]:
    """Longest queue and mean share of the processors in use, by policy, in equal periods.

    They reach from the first submission to the last end, and are fewer where the log is short.
    """
    chosen = listed(result)
    schedules = [result.simulations[policy].schedule for policy in chosen]
    if not schedules:
        return []
    first = int(schedules[0].submit_s.min())
    last = max(int(schedule.end_s.max()) for schedule in schedules)
    edges = np.unique(np.linspace(first, last, PERIODS + 1).astype(np.int64))
    ends = (edges - first).tolist()
    rows: list[Row] = [{"begin_s": begin, "end_s": end} for begin, end in pairwise(ends)]
    for policy, schedule in zip(chosen, schedules, strict=True):
        queue, _ = _in_periods(jobs_waiting(schedule), edges)
        _, used = _in_periods(processors_in_use(schedule), edges)
        for row, most, mean in zip(rows, queue, used, strict=True):
            row[f"queue_{policy}"] = most
            row[f"use_{policy}"] = mean / schedule.machine_processors
    return rows


def _in_periods(steps: Steps, edges: Integers) -> tuple[list[int], list[float]]:
    """The largest value and the mean over time of each period."""
    inside = steps.time_s[(steps.time_s > edges[0]) & (steps.time_s < edges[-1])]
    times = np.unique(np.concatenate([edges, inside]))
    values = steps.at(times[:-1])
    area = np.concatenate([[0.0], np.cumsum(values * np.diff(times).astype(float))])
    index = np.searchsorted(times, edges)
    if len(index) < 2:
        return [], []
    most = np.maximum.reduceat(values, index[:-1])
    return most.tolist(), (np.diff(area[index]) / np.diff(edges)).tolist()


def explained(result: SimulationResult) -> Iterator[Row]:
    """Why the chosen job waited: one row for each reason in turn, and one for its start."""
    for simulation, why in zip(result.simulations, result.explanations, strict=False):
        policy = {"policy": simulation.schedule.policy}
        for period in why.periods[:MOST_REASONS]:
            first = asdict(period.first) | {"to_s": period.last.time_s, "looks": period.looks}
            yield policy | first
        if why.periods[MOST_REASONS:]:
            yield policy | {"reason": "further"}
        yield policy | asdict(why.started) | {"reason": f"start {why.started.reason}"}


def looks(result: SimulationResult) -> Iterator[Row]:
    """Every check of the chosen job."""
    for simulation, why in zip(result.simulations, result.explanations, strict=False):
        for look in why.looks:
            yield {"policy": simulation.schedule.policy, "job": why.job} | asdict(look)


def rules(result: SimulationResult) -> Iterator[Row]:
    """What each policy does, and what it plans with."""
    for measures, rule in zip(result.measures, result.rules, strict=False):
        yield {"policy": measures.policy, "rule": rule, "estimates": measures.estimates}
