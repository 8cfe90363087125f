"""One policy on one log, under one bound, with one seed: what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.inputs.logs import (
    NO_USER,
    READ,
    ROUNDED_DOWN,
    ROUNDED_UP,
    TOO_LARGE,
    UNMEASURED,
)
from planner.scheduling.power.offline.optimum import CertifiedInterval
from planner.scheduling.power.policy import PowerRun
from planner.scheduling.power.problem import MS, PowerProblem
from planner.scheduling.power.results.jobs import JobOutcome, jobs_of
from planner.scheduling.power.results.measures import measures
from planner.scheduling.power.results.power_steps import PowerSteps
from planner.scheduling.power.results.tails import Tails, tails_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

REQUEST_RULES = (
    ("requests_rounded_up", ROUNDED_UP),
    ("requests_rounded_down", ROUNDED_DOWN),
    ("requests_too_large", TOO_LARGE),
    ("requests_unmeasured", UNMEASURED),
)
"""Names in a run, and the rule in words."""


@dataclass(frozen=True)
class PowerSeries:
    """Watts over time, constant between steps.

    Attributes
    ----------
    time_s
        Where a step begins, and where the last one ends [s]; one more than the watts.
    true_w, charged_w
        True power of the running jobs, and what they are charged [W].
    """

    time_s: tuple[float, ...]
    true_w: tuple[float, ...]
    charged_w: tuple[float, ...]


@dataclass(frozen=True)
class PolicyOutcome:
    """A policy on a log under a bound with a seed.

    Attributes
    ----------
    jobs
        Every job of the log, in order of submission.
    mean_turnaround_s
        Over the jobs that ran; ``None`` if none did.
    makespan_s
        From the first submission to the last end [s].
    mean_power_w, power_utilisation
        Mean true power of the running jobs [W], and its share of what they may be charged.
    fairness
        Jain's index of requested time over turnaround.
    energy_j, idle_energy_j
        True energy of all jobs, and of idle nodes [J].
    bound_violations, largest_violation_w, violation_s
        Periods in which true power is above the bound: their number, largest excess and total time.
    rounded, rejected, killed
        Numbers of jobs.
    decisions, fallbacks, largest_gap
        For ILP schedulers: programs, decisions of the greedy fallback, largest gap of a decision.
    decision_seconds
        The policy's own time [s]; it differs from run to run.
    optimum, bound
        Best value of any schedule in hindsight, and a proven limit, of the mean turnaround or the
        makespan [s]; ``None`` where unknown.
    gap
        Difference between the policy's value and the limit, as a share of the limit.
    requests_read, requests_rounded_up, requests_rounded_down, requests_too_large, \
    requests_unmeasured
        Jobs of the log as read, and jobs whose requested node count has no configuration. Requests
        are rounded to a larger or to the largest node count, or the job is left out of ``jobs``
        before any policy sees it.
    power
        Power over time [W]; stored only for one seed and bound of a log.
    peak_charged_share
        Largest charge of all running jobs together, as a share of what they may be charged.
    """

    policy: str
    bound_w: float
    log: str
    seed: int
    jobs: tuple[JobOutcome, ...]
    mean_turnaround_s: float | None
    makespan_s: float
    mean_power_w: float
    power_utilisation: float
    fairness: float | None
    energy_j: float
    idle_energy_j: float
    bound_violations: int
    largest_violation_w: float
    violation_s: float
    rounded: int
    rejected: int
    killed: int
    decisions: int
    fallbacks: int
    largest_gap: float | None
    decision_seconds: float
    optimum: float | None = None
    bound: float | None = None
    gap: float | None = None
    requests_read: int = 0
    requests_rounded_up: int = 0
    requests_rounded_down: int = 0
    requests_too_large: int = 0
    requests_unmeasured: int = 0
    power: PowerSeries | None = None
    peak_charged_share: float = 0.0

    @cached_property
    def turnaround_s(self) -> Floats:
        """Turnaround of each job [s], NaN for rejected ones; shape ``(jobs,)``."""
        times = [job.turnaround_s for job in self.jobs]
        return np.array([np.nan if time is None else time for time in times])

    @cached_property
    def tails(self) -> Tails:
        """Long turnarounds and waits, slowdown, and jobs beyond their request."""
        return tails_of(self.jobs)

    def to_dict(self, *, seconds: bool = False) -> dict[str, Any]:
        """Return plain values without watts over time; the time to decide only on request."""
        left_out = {"jobs", "power"} if seconds else {"jobs", "power", "decision_seconds"}
        names = (name for name in self.__dataclass_fields__ if name not in left_out)
        plain = {name: getattr(self, name) for name in names}
        return plain | vars(self.tails) | {"jobs": [vars(job) for job in self.jobs]}


def compared(outcome: PolicyOutcome, interval: CertifiedInterval) -> PolicyOutcome:
    """Return the same outcome next to the optimum of its log in hindsight."""
    turnaround = interval.goal == "turnaround"
    value = outcome.mean_turnaround_s if turnaround else outcome.makespan_s
    lower, upper = interval.lower_ms / MS, interval.upper_ms / MS
    # A limit of 0 has no share above it.
    gap = None if value is None or lower <= 0 else value / lower - 1
    return replace(outcome, optimum=upper if interval.optimal else None, bound=lower, gap=gap)


def with_requests(outcome: PolicyOutcome, counts: Mapping[str, int]) -> PolicyOutcome:
    """Return the same outcome with what happened to the requests of its log, in words."""
    ruled: dict[str, Any] = {name: counts[rule] for name, rule in REQUEST_RULES}
    return replace(outcome, requests_read=counts[READ], **ruled)


def with_users(outcome: PolicyOutcome, user: Integers) -> PolicyOutcome:
    """Return the same outcome with the user of each job, where the log has users.

    Parameters
    ----------
    user
        Shape ``(jobs,)``, or empty.
    """
    if not len(user):
        return outcome
    numbers = [None if number == NO_USER else number for number in user.tolist()]
    jobs = (replace(job, user=of) for job, of in zip(outcome.jobs, numbers, strict=True))
    return replace(outcome, jobs=tuple(jobs))


def outcome_of(
    run: PowerRun, problem: PowerProblem, policy: str, log: str, seed: int, *, power: bool = False
) -> PolicyOutcome:
    """Measure a run on the hidden truth; with ``power``, keep watts over time."""
    result = measures(run.schedule, problem)
    gaps = [decision.gap for decision in run.decisions if decision.gap is not None]
    return PolicyOutcome(
        policy=policy,
        bound_w=problem.bound_mw / MS,
        log=log,
        seed=seed,
        jobs=jobs_of(run.schedule, problem, result),
        mean_turnaround_s=_number_or_none(result.mean_turnaround_s),
        makespan_s=result.makespan_s,
        mean_power_w=result.mean_power_w,
        power_utilisation=result.power_utilisation,
        fairness=_number_or_none(result.fairness),
        energy_j=result.total_energy_j,
        idle_energy_j=result.idle_energy_j,
        bound_violations=result.above_by_power.count,
        largest_violation_w=result.above_by_power.largest_w,
        violation_s=result.above_by_power.duration_s,
        rounded=result.rounded,
        rejected=result.rejected,
        killed=result.killed,
        decisions=len(run.decisions),
        fallbacks=sum(decision.status == "fallback" for decision in run.decisions),
        largest_gap=max(gaps, default=None),
        decision_seconds=run.seconds,
        power=_series(result.steps) if power else None,
        peak_charged_share=int(result.steps.charge_mw.max(initial=0)) / problem.jobs_mw,
    )


def _series(steps: PowerSteps) -> PowerSeries:
    columns = (steps.time_ms, steps.true_mw, steps.charge_mw)
    return PowerSeries(*(tuple((column / MS).tolist()) for column in columns))


def _number_or_none(value: float) -> float | None:
    return None if np.isnan(value) else value
