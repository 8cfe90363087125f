"""The answers of a simulation's pages: labels with values, under the best policy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from planner.finding import Fact, Finding, Scalar, Severity, finding
from planner.formatting import amount, unit_of_times
from planner.scheduling.simulation import rows
from planner.scheduling.simulation.classes import ClassMeasures, by_processors, by_run_time
from planner.scheduling.simulation.jobs_of_period import (
    overtook,
    period_of,
    running,
    shown,
    shows,
)
from planner.scheduling.simulation.offered_work import offered_work

if TYPE_CHECKING:
    from planner.scheduling.simulation.result import SimulationResult

FEWEST_FOR_TENTHS = 100
"""Measured jobs from which a tenth of them says something."""


def by_policy(
    result: SimulationResult, severity: Severity, kind: str, unit: str,
    value: Callable[[int], Scalar],
) -> Iterator[Finding]:  # fmt: skip
    """A value of each policy that sentences list, in the order of the policies."""
    if listed := rows.listed(result):
        names = tuple(result.measures[index].policy for index in listed)
        values = tuple(value(index) for index in listed)
        yield finding(severity, kind, values=(values, unit), policies=(names, "policy"))


def unit(result: SimulationResult) -> str:
    """The unit of waits and turnarounds, throughout the report."""
    return unit_of_times(*(result.means[index] for index in result.ranking))


def p90(result: SimulationResult) -> Iterator[Finding]:
    """What nine in ten jobs wait at most."""

    def wait_s(index: int) -> float:
        spread = result.measures[index].wait_s
        return 0.0 if spread is None else spread.p90

    return by_policy(result, "note", "p90", unit(result), wait_s)


def at_once(result: SimulationResult, severity: Severity) -> Iterator[Finding]:
    """Share of the measured jobs that do not wait."""
    return by_policy(
        result, severity, "at-once", "share used",
        lambda index: float((result.counted[index].wait_s == 0).mean()),
    )  # fmt: skip


def least_longest(result: SimulationResult) -> Iterator[Finding]:
    """The policy whose longest wait is the least, if that prints shorter than the best one's."""
    if len(result.ranking) < 2 or result.quantity != "wait":
        return
    longest = {
        each.policy: each.wait_s.largest
        for index in result.ranking
        if (each := result.measures[index]).wait_s is not None
    }
    best, least = next(iter(longest)), min(longest, key=lambda policy: longest[policy])
    if amount(longest[least], "s") != amount(longest[best], "s"):
        yield finding(
            "alternative", "least-longest", policy=(least, "policy"), best=(best, "policy"),
            wait=(longest[least], "s"), longer=(longest[best], "s"),
        )  # fmt: skip


def jain(result: SimulationResult) -> Iterator[Finding]:
    """How evenly the users wait."""
    best = result.measures[result.ranking[0]] if result.ranking else None
    if best is not None and best.jain_wait is not None and len(best.users) > 1:
        yield finding("note", "jain", index=(best.jain_wait, "ratio"),
                      policy=(best.policy, "policy"))  # fmt: skip


def longest_queue(result: SimulationResult, severity: Severity) -> Iterator[Finding]:
    """The most jobs that wait at a time."""
    return by_policy(
        result, severity, "longest-queue", "count",
        lambda index: result.measures[index].max_jobs_waiting,
    )  # fmt: skip


def overtaking(result: SimulationResult) -> Iterator[Finding]:
    """How many jobs start before one that was submitted earlier."""
    return by_policy(
        result, "reason", "overtook", "count",
        lambda index: int(overtook(result.simulations[index].schedule).sum()),
    )  # fmt: skip


def overtaking_in_period(result: SimulationResult) -> Iterator[Finding]:
    """How many jobs that run in the drawn period, under the drawn policies, overtook another."""
    begin, end = period_of(result)
    schedules = [result.simulations[index].schedule for index in shown(result)]
    values = tuple(int((overtook(each) & running(each, begin, end)).sum()) for each in schedules)
    names = tuple(each.policy for each in schedules)
    yield finding("note", "overtook-in-period", values=(values, "count"),
                  policies=(names, "policy"))  # fmt: skip


def of_load(result: SimulationResult) -> Iterator[Fact]:
    """How much work there is for the machine."""
    if result.ranking:
        work = offered_work(result.log, result.simulations[0].schedule)
        if math.isfinite(work.load):
            yield Fact("offered_load", work.load, "share")


def slowest(result: SimulationResult) -> Iterator[Finding]:
    """Which jobs wait longest, by processors and by run time."""
    if not result.ranking:
        return
    best, counted = result.measures[result.ranking[0]], result.counted[result.ranking[0]]
    for quality, classes in (
        ("processors", by_processors(counted)),
        ("run time", by_run_time(counted)),
    ):
        if (longest := _longest(classes)) is not None:
            yield finding(
                "note", "slow", policy=(best.policy, "policy"), quality=(quality, "quality"),
                jobs=(longest.name, "exact"), wait=(longest.wait_s.p90, unit(result)),
            )  # fmt: skip


def of_who(result: SimulationResult) -> Iterator[Fact]:
    """How uneven waits are, and how much of the work is that of one user."""
    if not result.ranking:
        return
    best, waits = result.measures[result.ranking[0]], result.counted[result.ranking[0]].wait_s
    if len(waits) >= FEWEST_FOR_TENTHS and waits.any():
        longest = np.sort(waits)[-(len(waits) // 10) :]
        under = finding("note", "under", policy=(best.policy, "policy"))
        yield Fact("tenth", float(longest.sum() / waits.sum()), "share used", under)
    if len(best.users) > 1:
        yield Fact("users", len(best.users), "count")
        if share := best.largest_core_hour_share:
            yield Fact("largest_user", share, "share")


def _longest(classes: tuple[ClassMeasures, ...]) -> ClassMeasures | None:
    """The class whose 90th percentile of the wait is above that of all others, if one is."""
    ordered = sorted(classes, key=lambda each: -each.wait_s.p90)
    if len(ordered) < 2 or ordered[0].wait_s.p90 == ordered[1].wait_s.p90:
        return None
    return ordered[0]


def of_period(result: SimulationResult) -> Iterator[Fact]:
    """The period that is drawn, if there is something to draw."""
    if not shows(result):
        return
    first = int(result.simulations[0].schedule.submit_s.min())
    begin, end = period_of(result)
    yield Fact("period", (begin - first, end - first), "interval:s")
