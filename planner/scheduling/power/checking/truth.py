"""Whether jobs of a power-aware schedule run as long as the truth says; the law written anew."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from planner.scheduling.power.problem import MS, NEVER, Integers, PowerProblem, PowerSchedule
from planner.scheduling.violation import Violation, violation_at_ms

_ROUNDING_MS = 1e-6
"""What floating point may add to a whole number of milliseconds."""


def time_violations(
    schedule: PowerSchedule, problem: PowerProblem, deadline: str | Integers
) -> Iterator[Violation]:
    """Yield jobs that run longer or shorter than their true time, or are ended wrongly."""
    changes = changes_by_job(schedule)
    for job in np.flatnonzero(schedule.start_ms != NEVER).tolist():
        caps = changes.get(job, [])
        error = _wrong_time(schedule, problem, deadline, job, caps)
        if error is not None:
            kind, text, amount = error
            begin, number = int(schedule.start_ms[job]), int(problem.jobs.number[job])
            yield violation_at_ms(begin, number, kind, text, amount)


def changes_by_job(schedule: PowerSchedule) -> dict[int, list[tuple[int, int]]]:
    """Return times and rows of changes of caps, by job."""
    changes: dict[int, list[tuple[int, int]]] = {}
    for job, time, row in schedule.lent.tolist():
        changes.setdefault(job, []).append((time, row))
    return changes


def _wrong_time(
    schedule: PowerSchedule,
    problem: PowerProblem,
    deadline: str | Integers,
    job: int,
    caps: list[tuple[int, int]],
) -> tuple[str, str, int] | None:
    """Return what is wrong with the time of a job: kind, sentence, milliseconds."""
    ran = int(schedule.end_ms[job] - schedule.start_ms[job])
    true = _run_ms(schedule, problem, job, caps)
    slack = len(caps)  # every change of a cap rounds once to whole milliseconds
    limit = _limit_ms(problem, deadline, job, int(schedule.row[job]))
    if schedule.killed[job]:
        if limit is None:
            return "killed", "is killed, although the rules kill no job", 1
        if ran != limit:
            text = f"is killed after {ran / MS:,.3f} s, but its deadline is {limit / MS:,.3f} s"
            return "killed", text, abs(ran - limit)
        if true - slack <= limit:
            text = f"is killed at its deadline, although it takes only {true / MS:,.3f} s"
            return "killed", text, max(limit - true, 1)
        return None
    if limit is not None and ran > limit:
        text = f"runs for {ran / MS:,.3f} s, beyond its deadline of {limit / MS:,.3f} s"
        return "beyond its deadline", text, ran - limit
    if abs(ran - true) > slack:
        text = f"runs for {ran / MS:,.3f} s, but its true run time is {true / MS:,.3f} s"
        return "run time", text, abs(ran - true)
    return None


def _limit_ms(problem: PowerProblem, deadline: str | Integers, job: int, row: int) -> int | None:
    if not isinstance(deadline, str):
        return int(deadline[job])
    requested = int(problem.jobs.requested_ms[job])
    if deadline == "never":
        return None
    if deadline == "request":
        return max(requested, 1)
    scaled = float(problem.details.time_ms[row]) * float(problem.jobs.time_scale[job])
    return max(requested, _up(scaled))


def _run_ms(
    schedule: PowerSchedule, problem: PowerProblem, job: int, caps: list[tuple[int, int]]
) -> int:
    """Return the true run time, work done by row: a share of ``1 / time(row)`` a millisecond."""
    begin = int(schedule.start_ms[job])
    nodes = schedule.node[schedule.node_first[job] : schedule.node_first[job + 1]]
    pieces = [(begin, int(schedule.row[job])), *caps]
    # Not rounded between changes, unlike the engine, whose ends are rounded up at each.
    remaining = 1.0
    for (since, row), (until, _) in pairwise(pieces):
        remaining -= (until - since) / full_ms(problem, job, row, nodes)
    since, row = pieces[-1]
    length = max(remaining, 0.0) * full_ms(problem, job, row, nodes)
    return since - begin + _up(length)


def full_ms(problem: PowerProblem, job: int, row: int, nodes: np.typing.NDArray[np.int64]) -> float:
    """Return the true time of the whole job in one configuration, not rounded [ms]."""
    truth = problem.truth
    if truth.law is None:
        time = float(truth.time_ms[row])
    else:
        law, first = truth.law, int(truth.law.load_first[row])
        ranks = zip(nodes.tolist(), law.load[first : first + len(nodes)].tolist(), strict=True)
        slowest = max(float(law.compute_s[row, node]) * load for node, load in ranks)
        time = (slowest + float(law.messages_s[row])) * 1000
    factor = float(truth.time_factor[job]) if len(truth.time_factor) else 1.0
    return time * float(problem.jobs.time_scale[job]) * factor


def _up(time_ms: float) -> int:
    return max(-int(-(time_ms - _ROUNDING_MS) // 1), 1)
