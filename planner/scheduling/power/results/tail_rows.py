"""Long turnarounds and waits of each policy, over all its runs or for each log and bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.scheduling.power.results.paired import by_case, by_key
from planner.scheduling.power.results.result import PolicyOutcome


@dataclass(frozen=True)
class TailRow:
    """A policy over several runs.

    Attributes
    ----------
    log, bound_w
        ``None`` over all of them.
    p95_turnaround_s
        Mean of the runs' 95th percentiles [s].
    largest_turnaround_s, longest_wait_s
        Largest of all runs [s].
    mean_bounded_slowdown
        Mean of the runs' means.
    jobs_beyond_request
        Jobs that ran longer than requested, as a share of those that ran.
    """

    log: str | None
    bound_w: float | None
    policy: str
    p95_turnaround_s: float | None
    largest_turnaround_s: float | None
    longest_wait_s: float | None
    mean_bounded_slowdown: float | None
    jobs_beyond_request: float | None


def tails_by_policy(outcomes: Sequence[PolicyOutcome]) -> tuple[TailRow, ...]:
    """Return a row for each policy, in their order."""
    return tuple(_row([*runs.values()], None, None) for runs in by_key(outcomes).values())


def tails_by_case(outcomes: Sequence[PolicyOutcome]) -> tuple[TailRow, ...]:
    """Return a row for each log, bound and policy, in their order."""
    return tuple(_row(group, group[0].log, group[0].bound_w) for group in by_case(outcomes))


def _row(group: Sequence[PolicyOutcome], log: str | None, bound_w: float | None) -> TailRow:
    ran = sum(job.start_s is not None for outcome in group for job in outcome.jobs)
    beyond = sum(outcome.tails.jobs_beyond_request for outcome in group)
    return TailRow(
        log,
        bound_w,
        group[0].policy,
        _mean(group, "p95_turnaround_s"),
        max(_known(group, "largest_turnaround_s"), default=None),
        max(_known(group, "longest_wait_s"), default=None),
        _mean(group, "mean_bounded_slowdown"),
        beyond / ran if ran else None,
    )


def _known(group: Sequence[PolicyOutcome], name: str) -> list[float]:
    values = (getattr(outcome.tails, name) for outcome in group)
    return [value for value in values if value is not None]


def _mean(group: Sequence[PolicyOutcome], name: str) -> float | None:
    values = _known(group, name)
    return float(np.mean(values)) if values else None
