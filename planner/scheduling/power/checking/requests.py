"""The promise that no job is started in a configuration that takes longer than requested."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from planner.scheduling.power.problem import MS, NEVER, PowerProblem, PowerSchedule
from planner.scheduling.violation import Violation, violation_at_ms

_SLACK_MS = 1e-6


@dataclass(frozen=True)
class Latest:
    """What a policy promises of the expected run time of a job.

    Attributes
    ----------
    threshold
        Share of the requested time that it may be longer.
    fair_share
        Whether the job can have only configurations within its fair share of the bound, or those
        of least charge.
    """

    threshold: float
    fair_share: bool = True


def request_violations(
    schedule: PowerSchedule, problem: PowerProblem, latest: Latest
) -> Iterator[Violation]:
    """Yield jobs that are expected to run too long in the configuration that they got.

    That is allowed if none of the configurations that the job can have ends in time; then it has to
    be as fast as the fastest of them.
    """
    jobs, details = problem.jobs, problem.details
    times = [int(time_ms) for time_ms in details.time_ms]
    for job, row in enumerate(schedule.row.tolist()):
        if row == NEVER:
            continue
        allowed_ms = (1 + latest.threshold) * int(jobs.requested_ms[job]) + _SLACK_MS
        expected = {other: _expected_ms(problem, job, times[other])
                    for other in _choosable(problem, job, latest.fair_share)}  # fmt: skip
        fastest_ms = min((times[other] for other in expected), default=times[row])
        too_late = _expected_ms(problem, job, times[row]) > allowed_ms
        if too_late and (
            min(expected.values(), default=0) <= allowed_ms or times[row] > fastest_ms
        ):
            late_ms = _expected_ms(problem, job, times[row]) - math.floor(allowed_ms)
            text = (
                f"is expected to run {late_ms / MS:,.3f} s longer than allowed, although a faster "
                "configuration was possible"
            )
            begin, number = int(schedule.start_ms[job]), int(jobs.number[job])
            yield violation_at_ms(begin, number, "beyond its request", text, late_ms)


def _choosable(problem: PowerProblem, job: int, fair_share: bool) -> list[int]:  # noqa: FBT001
    """Return the rows that a job can have on the empty cluster."""
    details, application = problem.details, int(problem.jobs.application[job])
    rows = [
        row
        for row in range(int(details.first[application]), int(details.first[application + 1]))
        if details.nodes[row] <= problem.nodes and details.charge_mw[row] <= problem.jobs_mw
    ]
    if not fair_share:
        return rows
    weight, nodes = float(problem.jobs.weight[job]), int(problem.jobs.nodes[job])
    share_mw = min(weight * nodes * problem.jobs_mw / problem.nodes + 1e-6, problem.jobs_mw)
    least_mw = min((int(details.charge_mw[row]) for row in rows), default=0)
    return [row for row in rows if details.charge_mw[row] <= max(math.floor(share_mw), least_mw)]


def _expected_ms(problem: PowerProblem, job: int, time_ms: int) -> int:
    return max(math.ceil(time_ms * float(problem.jobs.time_scale[job]) - _SLACK_MS), 1)
