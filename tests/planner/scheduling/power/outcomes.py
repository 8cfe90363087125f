"""Outcomes of policies from turnarounds, for tests of what is compared."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from planner.scheduling.power.results.result import JobOutcome, PolicyOutcome
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.study import ScheduleStudy
from scenarios.catalogue import load


@cache
def _any_outcome() -> PolicyOutcome:
    return schedule("thesis-table-5-2", policies=["traditional"]).outcomes[0]


def outcome(
    policy: str, seed: int, *turnarounds_s: float, bound_w: float = 1.0, log: str = "jobs"
) -> PolicyOutcome:
    """A run with these turnarounds."""
    jobs = tuple(
        JobOutcome(number, "a", 1, 16, 115.0, 0.0, time_s)
        for number, time_s in enumerate(turnarounds_s)
    )
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
