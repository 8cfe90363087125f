"""Outcomes of policies from turnarounds, for tests of what is compared."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from planner.scheduling.power.results.jobs import JobOutcome
from planner.scheduling.power.results.result import PolicyOutcome
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.study import ScheduleStudy
from scenarios.catalogue import load


@cache
def _any_outcome() -> PolicyOutcome:
    return schedule("thesis-table-5-2", policies=["traditional"]).outcomes[0]


def job_outcome(number: int, turnaround_s: float | None) -> JobOutcome:
    """A job that starts at once on the node that it requests; ``None`` for a rejected one."""
    ran = turnaround_s is not None
    return JobOutcome(
        number,
        "a",
        nodes=1 if ran else None,
        cores_per_node=16 if ran else None,
        package_cap_w=115.0 if ran else None,
        start_s=0.0 if ran else None,
        turnaround_s=turnaround_s,
        submit_s=0.0,
        end_s=turnaround_s,
        requested_nodes=1,
        requested_s=60.0,
        fair_share_w=100.0,
        uncapped_run_s=10.0,
        charged_w=100.0 if ran else None,
        drawn_w=100.0 if ran else None,
        energy_j=100.0 * turnaround_s if turnaround_s is not None else None,
    )


def outcome(
    policy: str, seed: int, *turnarounds_s: float, bound_w: float = 1.0, log: str = "jobs"
) -> PolicyOutcome:
    """A run with these turnarounds."""
    jobs = tuple(job_outcome(number, time_s) for number, time_s in enumerate(turnarounds_s))
    return replace(
        _any_outcome(),
        policy=policy,
        seed=seed,
        bound_w=bound_w,
        log=log,
        jobs=jobs,
        mean_turnaround_s=float(np.mean(turnarounds_s)),
    )


def study_of(*outcomes: PolicyOutcome, scenario: str = "thesis-table-5-2") -> ScheduleStudy:
    """A study of these runs; what its scenario says does not matter but for chance."""
    return ScheduleStudy(load(scenario), outcomes)
