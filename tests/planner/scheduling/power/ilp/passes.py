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


def allowed(
    now: PowerMoment, job: PowerJob, *, fair_share: bool, threshold: float | None = None
) -> list[int]:
    """Rows of a job that the whole cluster can run, within its share where that is required.

    With a threshold those that end in time, or else the fastest of them.
    """
    details, part = now.details, now.details.rows(job.application)
    rows = [
        row
        for row in range(part.start, part.stop)
        if details.nodes[row] <= now.nodes and details.charge_mw[row] <= now.bound_mw
    ]
    if fair_share:
        cheapest_mw = min(int(details.charge_mw[row]) for row in rows)
        within = [row for row in rows if details.charge_mw[row] <= job.fair_share_mw]
        rows = within or [row for row in rows if details.charge_mw[row] == cheapest_mw]
    if threshold is None:
        return rows
    latest_ms = (1 + threshold) * job.requested_ms + 1e-6
    in_time = [row for row in rows if now.expected_ms(job, row) <= latest_ms]
    fastest_ms = min(int(details.time_ms[row]) for row in rows)
    return in_time or [row for row in rows if details.time_ms[row] == fastest_ms]


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


def enumerated(
    now: PowerMoment,
    *,
    fair_share: bool,
    ageing: float,
    threshold: float | None = 0.0,
    reserved: bool = False,
) -> float:
    """The largest value of what could start, and keeps the reservation where there is one."""
    rows = [allowed(now, job, fair_share=fair_share, threshold=threshold) for job in now.waiting]
    return max(
        value_of_choices(now, choices, ageing)
        for choices in _startable(now, rows)
        if not reserved or keeps_reservation(now, choices, rows[0])
    )


def _startable(now: PowerMoment, rows: list[list[int]]) -> Iterator[list[Choice]]:
    for chosen in itertools.product(*([None, *of_job] for of_job in rows)):
        choices = [
            Choice(job, row)
            for job, row in zip(now.waiting, chosen, strict=True)
            if row is not None
        ]
        if fits(now, choices):
            yield choices


def keeps_reservation(now: PowerMoment, choices: list[Choice], rows: list[int]) -> bool:
    """Whether the first waiting job ends, or still can end, as early as before others started.

    By trial: the others are put among what runs, and the earliest end is found once more. A
    configuration that could start now has to start.
    """
    head, ends = now.waiting[0], now.ends()
    before = earliest(now, head, rows, ends)
    for job, row in choices:
        if job is head:
            return now.time_ms + now.expected_ms(job, row) <= before[0]
    if before[1] == now.time_ms:
        return False
    others = [
        (
            now.time_ms + now.expected_ms(job, row),
            int(now.details.nodes[row]),
            int(now.details.charge_mw[row]),
        )
        for job, row in choices
    ]
    _, start_ms, row = before
    used = [end for end in [*ends, *others] if end[0] > start_ms]
    nodes = now.nodes - sum(end[1] for end in used)
    charge = now.bound_mw - sum(end[2] for end in used)
    return bool(now.details.nodes[row] <= nodes and now.details.charge_mw[row] <= charge)


def earliest(
    now: PowerMoment, job: PowerJob, rows: list[int], ends: list[tuple[int, int, int]]
) -> tuple[int, int, int]:
    """Expected end, start and row of a job that ends first, if everything ends as expected."""
    options = []
    for row in rows:
        for start_ms in sorted({now.time_ms, *(end[0] for end in ends)}):
            used = [end for end in ends if end[0] > start_ms]
            nodes = now.nodes - sum(end[1] for end in used)
            charge = now.bound_mw - sum(end[2] for end in used)
            if now.details.nodes[row] <= nodes and now.details.charge_mw[row] <= charge:
                end_ms = start_ms + now.expected_ms(job, row)
                options.append((end_ms, start_ms, now.details.charge_mw[row],
                                now.details.nodes[row], row))  # fmt: skip
                break
    end_ms, start_ms, _, _, row = min(options)
    return end_ms, start_ms, row


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
