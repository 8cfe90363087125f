"""Every pass of a small random log, and what its programs are worth by enumeration."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from planner.scheduling.power.events.event_driven import Choice, Kill, PowerEventDriven
from planner.scheduling.power.events.moment import PowerJob, PowerMoment
from planner.scheduling.power.ilp.adaptive import Adaptive
from tests.planner.scheduling.power.random_problems import random_problem

MOST_COMBINATIONS = 50_000


@dataclass
class _Watch(PowerEventDriven):
    kill: Kill = "never"
    node_order: Sequence[int] | None = None
    seen: list[PowerMoment] = field(default_factory=list)
    greedy: Adaptive = field(default_factory=Adaptive)

    def __deepcopy__(self, memo: object) -> _Watch:
        return self

    def decide(self, now: PowerMoment) -> list[Choice]:
        self.seen.append(now)
        return self.greedy.decide(now)


@functools.cache
def passes(limit: int) -> tuple[PowerMoment, ...]:
    """Passes of random logs that are small enough to be enumerated."""
    taken = list[PowerMoment]()
    for seed in itertools.count(1000):
        watch = _Watch()
        watch.schedule(random_problem(seed, most_jobs=6))
        taken += [now for now in watch.seen if _combinations(now) <= MOST_COMBINATIONS][:3]
        if len(taken) >= limit:
            return tuple(taken[:limit])
    raise AssertionError


def allowed(now: PowerMoment, job: PowerJob, *, fair_share: bool) -> list[int]:
    """Rows of a job that the whole cluster can run, within its share where that is required."""
    details, part = now.details, now.details.rows(job.application)
    rows = [
        row
        for row in range(part.start, part.stop)
        if details.nodes[row] <= now.nodes and details.charge_mw[row] <= now.bound_mw
    ]
    if not fair_share:
        return rows
    within = [row for row in rows if details.charge_mw[row] <= job.fair_share_mw]
    cheapest_mw = min(int(details.charge_mw[row]) for row in rows)
    return within or [row for row in rows if details.charge_mw[row] == cheapest_mw]


def value_of_choices(now: PowerMoment, choices: Iterable[Choice], ageing: float) -> float:
    """Weighted power-aware speedup of all that start, as the docstring of the policy has it."""
    total = 0.0
    for job, row in choices:
        details = now.details
        rows = allowed(now, job, fair_share=False)
        fastest_ms = min(
            rows, key=lambda r: (details.charge_mw[r], details.nodes[r], details.time_ms[r])
        )
        base, wait = now.expected_ms(job, fastest_ms), now.time_ms - job.submit_ms
        total += base / now.expected_ms(job, row) * (1 + wait / base) ** ageing
    return total


def enumerated(now: PowerMoment, *, fair_share: bool, ageing: float) -> float:
    """The largest value of what could start."""
    return max(
        value_of_choices(now, choices, ageing) for choices in _startable(now, fair_share=fair_share)
    )


def _startable(now: PowerMoment, *, fair_share: bool) -> Iterator[list[Choice]]:
    options = [[None, *allowed(now, job, fair_share=fair_share)] for job in now.waiting]
    for rows in itertools.product(*options):
        choices = [
            Choice(job, row) for job, row in zip(now.waiting, rows, strict=True) if row is not None
        ]
        if fits(now, choices):
            yield choices


def fits(now: PowerMoment, choices: Iterable[Choice]) -> bool:
    """Whether all of them fit into free nodes and free watts."""
    details, rows = now.details, [row for _, row in choices]
    return bool(
        sum(int(details.nodes[row]) for row in rows) <= now.free_nodes
        and sum(int(details.charge_mw[row]) for row in rows) <= now.free_mw
    )


def _combinations(now: PowerMoment) -> int:
    number = 1
    for job in now.waiting:
        number *= 1 + len(allowed(now, job, fair_share=False))
    return number
