"""When jobs of a schedule are in which phase; the walk through their work written anew."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from planner.scheduling.power.checking.truth import changes_by_job, full_ms
from planner.scheduling.power.problem import NEVER, PowerProblem, PowerSchedule

_NO_WORK = 1e-9
"""Share of a job's work that floating point makes of none."""


class PhasePart(NamedTuple):
    """A job in one row and one phase, from one time to another [ms]."""

    job: int
    row: int
    intensity: float
    begin_ms: int
    end_ms: int


def phase_parts(schedule: PowerSchedule, problem: PowerProblem) -> Iterator[PhasePart]:
    """Yield parts of all runs, by job and time; ends of phases are rounded up to whole ms."""
    changes = changes_by_job(schedule)
    for job, start in enumerate(schedule.start_ms.tolist()):
        if start != NEVER:
            caps = [(start, int(schedule.row[job])), *changes.get(job, [])]
            yield from _parts(schedule, problem, job, caps)


def _parts(
    schedule: PowerSchedule, problem: PowerProblem, job: int, caps: list[tuple[int, int]]
) -> Iterator[PhasePart]:
    nodes = schedule.node[schedule.node_first[job] : schedule.node_first[job + 1]]
    phases = _phases(problem, job)
    phase_share = phases[0][0]
    # `phase_share` is the work left of the first phase, as a share of the job's: a change of the
    # cap changes only the speed at which it is done.
    for (since, row), (until, _) in pairwise([*caps, (int(schedule.end_ms[job]), NEVER)]):
        full, now = full_ms(problem, job, row, nodes), float(since)
        while len(phases) > 1 and now + phase_share * full < until:
            end = now + phase_share * full
            yield PhasePart(job, row, phases[0][1], math.ceil(now), math.ceil(end))
            phases, now = phases[1:], end
            phase_share = phases[0][0]
        phase_share = max(phase_share - (until - now) / full, 0.0)
        yield PhasePart(job, row, phases[0][1], math.ceil(now), until)


def _phases(problem: PowerProblem, job: int) -> list[tuple[float, float]]:
    """Share of the work, and power over that of the row, of a job's phases with any work."""
    truth = problem.truth
    if not len(truth.phase_first):
        return [(1.0, 1.0)]
    own = truth.phase_of if len(truth.phase_of) else problem.jobs.application
    first, last = truth.phase_first[own[job] : own[job] + 2].tolist()
    rows = zip(truth.phase_share[first:last], truth.phase_intensity[first:last], strict=True)
    return [(float(w), float(i)) for w, i in rows if w > _NO_WORK] or [(1.0, 1.0)]
