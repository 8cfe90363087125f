"""The answers of a simulation's pages: labels with values, under the policy that waits least."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from planner.finding import Fact, Finding, finding
from planner.scheduling.simulation.classes import ClassMeasures, by_processors, by_run_time
from planner.scheduling.simulation.jobs_of_period import period_of, pieces
from planner.scheduling.simulation.offered_work import offered_work

if TYPE_CHECKING:
    from planner.scheduling.simulation.measures import Measures
    from planner.scheduling.simulation.result import SimulationResult

FEWEST_FOR_TENTHS = 100
"""Measured jobs from which a tenth of them says something."""


def p90(measures: Measures) -> Finding:
    """What nine in ten jobs wait at most under a policy."""
    wait = (measures.wait_s.p90 if measures.wait_s else 0.0, "s")
    return finding("note", "p90", wait=wait, policy=(measures.policy, "policy"))


def used(measures: Measures) -> Finding:
    """The utilisation under a policy."""
    return finding("note", "used", share=(measures.utilisation, "share"),
                   policy=(measures.policy, "policy"))  # fmt: skip


def of_waits(result: SimulationResult) -> Iterator[Fact]:
    """How many jobs start at once, and how uneven the waits of the others are."""
    if not result.ranking:
        return
    best, waits = result.measures[result.ranking[0]], result.counted[result.ranking[0]].wait_s
    under = finding("note", "under", policy=(best.policy, "policy"))
    yield Fact("at_once", (int((waits == 0).sum()), len(waits)), "of:job", under)
    if len(waits) >= FEWEST_FOR_TENTHS and waits.any():
        longest = np.sort(waits)[-(len(waits) // 10) :]
        yield Fact("tenth", float(longest.sum() / waits.sum()), "share used", under)
    if best.bounded_slowdown is not None:
        yield Fact("slowdown", best.bounded_slowdown.mean, "ratio", under)


def of_differences(result: SimulationResult) -> Iterator[Fact]:
    """The policy that all others are compared with, if there is one."""
    firsts = {each.first for each in result.every_comparison}
    if len(firsts) == 1:
        yield Fact("compared_with", firsts.pop(), "policy")


def of_load(result: SimulationResult) -> Iterator[Fact]:
    """How much work there is, and how much of the machine it takes."""
    if not result.ranking:
        return
    work = offered_work(result.log, result.simulations[0].schedule)
    if math.isfinite(work.load):
        yield Fact("offered_load", work.load, "share")
    best = result.measures[result.ranking[0]]
    under = finding("note", "under", policy=(best.policy, "policy"))
    yield Fact("core_hours", best.core_hours_done + best.core_hours_killed, "number", under)


def of_who(result: SimulationResult) -> Iterator[Fact]:
    """Which jobs wait longest, and how much of the work is that of one user."""
    if not result.ranking:
        return
    best, counted = result.measures[result.ranking[0]], result.counted[result.ranking[0]]
    for key, classes in (
        ("slow_processors", by_processors(counted)),
        ("slow_run_times", by_run_time(counted)),
    ):
        if (longest := _longest(classes)) is not None:
            note = finding("note", "class-p90", wait=(longest.wait_s.p90, "s"),
                           policy=(best.policy, "policy"))  # fmt: skip
            yield Fact(key, longest.name, "exact", note)
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
    if not result.ranking or next(pieces(result), None) is None:
        return
    first = int(result.simulations[0].schedule.submit_s.min())
    begin, end = period_of(result)
    yield Fact("period", (begin - first, end - first), "interval:s")
