"""What a job that waits may start as, what is reserved for the first one, and what is broken.

Parts of :mod:`planner.formulations.start_now`, in plain loops.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypedDict

from planner.scheduling.power.events.moment import Choice, PowerJob, PowerMoment
from planner.scheduling.power.problem import MS, SLACK_MS


class Offer(TypedDict):
    """Which configurations a job may have."""

    fair_share: bool
    threshold: float | None


@dataclass(frozen=True)
class Reserved:
    """A configuration of the first waiting job, when it starts and ends, and what is free then."""

    start_ms: int
    end_ms: int
    row: int
    free_nodes: int
    free_mw: int


def configurations(
    now: PowerMoment, job: PowerJob, *, fair_share: bool = True, threshold: float | None = None
) -> list[int]:
    """Return the rows of the job details table that are ``K_j``."""
    details, part = now.details, now.details.rows(job.application)
    rows = [
        k
        for k in range(part.start, part.stop)
        if details.nodes[k] <= now.nodes and details.charge_mw[k] <= now.bound_mw
    ]
    if fair_share:
        least_mw = min((details.charge_mw[k] for k in rows), default=0)
        share = max(least_mw, job.fair_share_mw)
        rows = [k for k in rows if details.charge_mw[k] <= share]
    if threshold is None or not rows:
        return rows
    latest = (1 + threshold) * job.requested_ms + SLACK_MS
    order = details.time_ms, details.charge_mw, details.nodes
    fastest = min(rows, key=lambda row: tuple(of[row] for of in order))
    return [k for k in rows if now.expected_ms(job, k) <= latest] or [fastest]


def reservation(now: PowerMoment, rows: list[int]) -> Reserved:
    """Return the configuration of the first waiting job that ends first."""
    details, ends, job = now.details, now.ends(), now.waiting[0]
    options = []
    for instant in sorted({now.time_ms, *(end for end, _, _ in ends)}):
        nodes = now.free_nodes + sum(count for end, count, _ in ends if end <= instant)
        charge = now.free_mw + sum(watts for end, _, watts in ends if end <= instant)
        options += [
            (instant + now.expected_ms(job, k), instant, details.charge_mw[k], details.nodes[k], k,
             nodes, charge)
            for k in rows
            if details.nodes[k] <= nodes and details.charge_mw[k] <= charge
        ]  # fmt: skip
    end, start, _, _, row, nodes, charge = min(options)
    return Reserved(start, end, row, nodes, charge)


def end_ms(now: PowerMoment, job: PowerJob, row: int) -> int:
    """Return when a job ends that starts now, as expected [ms]."""
    return now.time_ms + now.expected_ms(job, row)


def violations(
    now: PowerMoment, choices: tuple[Choice, ...], head: Reserved | None = None
) -> list[str]:
    """List the resources of which jobs that start now use more than is free, or is reserved."""
    problems = _beyond(now, choices, now.free_nodes, now.free_mw, "need", "free")
    if head is None:
        return problems
    for choice in choices:
        if choice.job.id == now.waiting[0].id:
            delayed = end_ms(now, *choice) > head.end_ms
            return [*problems, "the first waiting job ends late"] if delayed else problems
    if head.start_ms == now.time_ms:
        return [*problems, "the first waiting job has to start"]
    late = [choice for choice in choices if end_ms(now, *choice) > head.start_ms]
    late.append(Choice(now.waiting[0], head.row))
    then = f"free at {head.start_ms / MS:,.3f} s"
    return problems + _beyond(now, late, head.free_nodes, head.free_mw, "will need", then)


def _beyond(
    now: PowerMoment, choices: Iterable[Choice], nodes: int, charge_mw: int, verb: str, when: str
) -> list[str]:
    details, rows = now.details, [row for _, row in choices]
    used_nodes = sum(int(details.nodes[row]) for row in rows)
    used_mw = sum(int(details.charge_mw[row]) for row in rows)
    problems = []
    if used_nodes > nodes:
        problems.append(f"the jobs {verb} {used_nodes} nodes, and {nodes} are {when}")
    if used_mw > charge_mw:
        draw = verb.replace("need", "draw")
        problems.append(
            f"the jobs {draw} {used_mw / MS:,.6g} W, and {charge_mw / MS:,.6g} W are {when}"
        )
    return problems
