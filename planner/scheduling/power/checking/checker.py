"""An independent checker of power-aware schedules: nodes, watts and true times are recomputed.

No code is shared with any engine that makes schedules.
"""

from __future__ import annotations

from typing import Literal

from planner.errors import InputError
from planner.scheduling.power.checking.jobs import (
    acceptance_violations,
    fair_share_violations,
    job_violations,
    lending_violations,
    node_list_violations,
)
from planner.scheduling.power.checking.requests import Latest, request_violations
from planner.scheduling.power.checking.room import (
    consumption_violations,
    node_violations,
    watt_violations,
)
from planner.scheduling.power.checking.truth import time_violations
from planner.scheduling.power.problem import Integers, PowerProblem, PowerSchedule
from planner.scheduling.violation import Violation, by_time

Deadline = Literal["never", "request", "configuration"]
"""When a job is ended: never; at its requested time (Traditional); or at the longer of that and the
expected time of its configuration (Naive and Adaptive)."""


def violations(
    schedule: PowerSchedule,
    problem: PowerProblem,
    *,
    fair_share: bool = False,
    deadline: Deadline | Integers = "never",
    may_reject: bool = False,
    lends_undrawn: bool = False,
    latest: Latest | None = None,
) -> list[Violation]:
    """Return everything that is wrong with a schedule, in order of time.

    Always: a job runs if and only if the cluster can run it; its row belongs to its application,
    and it has as many nodes as the row, each of them once; no start before the submission; at no
    time is a node in use by two, or are the watts charged above the bound, what is in use when the
    log begins included; a change of the package cap keeps nodes and cores; a job ends after its
    true run time or at its deadline. Rules that rest on rows and nodes are checked if nothing is
    wrong with these.

    Parameters
    ----------
    schedule
        From anywhere.
    problem
        What was to be scheduled.
    fair_share
        Whether the policy promises that no job starts with a charge above its fair share, except
        those without a configuration within it: they get the one of least charge, and are marked
        as rounded.
    deadline
        When jobs are ended; an array has the time after its start for each job [ms].
    may_reject
        Whether the policy may reject jobs that the cluster can run.
    lends_undrawn
        Whether the policy may lend what running jobs are charged but do not draw in their present
        phase. Then that is within the bound, and charges need not be.
    latest
        What the policy promises of the expected run time of a job; ``None`` for nothing.

    Raises
    ------
    InputError
        The schedule is of another number of jobs.

    References
    ----------
    Patki (2015), sections 5.1 and 5.2.
    """
    _refuse_other_lengths(schedule, problem)
    result = [
        *job_violations(schedule, problem),
        *acceptance_violations(schedule, problem, may_reject=may_reject),
    ]
    if not result:
        result += node_list_violations(schedule, problem)
        result += lending_violations(schedule, problem)
    if not result:
        watts = consumption_violations if lends_undrawn else watt_violations
        result += node_violations(schedule, problem)
        result += watts(schedule, problem)
        result += time_violations(schedule, problem, deadline)
        if latest is not None:
            result += request_violations(schedule, problem, latest)
        if fair_share:
            result += fair_share_violations(schedule, problem)
    return sorted(result, key=by_time)


def _refuse_other_lengths(schedule: PowerSchedule, problem: PowerProblem) -> None:
    jobs = len(problem.jobs)
    lengths = {
        name: len(getattr(schedule, name))
        for name in ("start_ms", "end_ms", "row", "rounded", "killed")
    }
    lengths["node_first"] = len(schedule.node_first) - 1
    for name, length in lengths.items():
        if length != jobs:
            raise InputError(
                f"{name} of the schedule is for {length:,} jobs, where the log has {jobs:,}; "
                "give the schedule of this log"
            )
