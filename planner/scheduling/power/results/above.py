"""Runs, time and size of what true power exceeds the bound by, for each policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.scheduling.power.results.paired import by_key
from planner.scheduling.power.results.result import PolicyOutcome


@dataclass(frozen=True)
class AboveBound:
    """How often, how long and by how much true power is above the bound under a policy.

    Attributes
    ----------
    runs, above
        All runs, and those in which true power is above the bound at any time.
    share
        ``above`` as a share of the runs.
    violation_s
        Time above in all runs together [s].
    share_of_time
        The same as a share of their makespans.
    largest_violation_w
        Largest excess of all runs [W].
    largest_share
        Largest excess of a run, as a share of its bound.
    """

    policy: str
    runs: int
    above: int
    share: float
    violation_s: float
    share_of_time: float
    largest_violation_w: float
    largest_share: float


def above_bound(outcomes: Sequence[PolicyOutcome]) -> tuple[AboveBound, ...]:
    """Return a row for each policy, in their order; none if no run is above the bound.

    A policy that picks configurations by an optimum picks those whose power is predicted too low:
    more runs above the bound are the price of shorter turnarounds, so both belong together.
    """
    if not any(outcome.bound_violations for outcome in outcomes):
        return ()
    return tuple(_row(policy, [*runs.values()]) for policy, runs in by_key(outcomes).items())


def _row(policy: str, group: Sequence[PolicyOutcome]) -> AboveBound:
    above = sum(outcome.bound_violations > 0 for outcome in group)
    above_s = sum(outcome.violation_s for outcome in group)
    span_s = sum(outcome.makespan_s for outcome in group)
    return AboveBound(
        policy,
        len(group),
        above,
        above / len(group),
        above_s,
        above_s / span_s if span_s else 0.0,
        max(outcome.largest_violation_w for outcome in group),
        max(outcome.largest_violation_w / outcome.bound_w for outcome in group),
    )
