"""True and charged power of a schedule over time, with changes of package caps and phases.

The run of a job is divided into pieces at its changes. In a piece, row and phase are constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.outcome import Placed, true_powers_mw, true_times_ms
from planner.scheduling.power.problem import PowerProblem, PowerSchedule
from planner.scheduling.power.truth import PHASE_SLACK_MS

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Pieces(NamedTuple):
    """Pieces of runs; arrays of shape ``(pieces,)``, by job and then by time.

    Attributes
    ----------
    job, row
        The job, and the row of its configuration.
    begin_ms, end_ms
        Begin and end [ms]; no piece is empty.
    true_mw, charge_mw
        True power and charge [mW].
    """

    job: Integers
    row: Integers
    begin_ms: Integers
    end_ms: Integers
    true_mw: Integers
    charge_mw: Integers


@dataclass(frozen=True, eq=False)
class PowerSteps:
    """Power over time, constant between steps.

    Attributes
    ----------
    time_ms
        Where a step begins, and where the last one ends [ms]; ascending, shape ``(steps + 1,)``.
    true_mw, charge_mw
        True power and charge from one time to the next [mW]; shape ``(steps,)``.
    """

    time_ms: Integers
    true_mw: Integers
    charge_mw: Integers


def power_steps(problem: PowerProblem, pieces: Pieces) -> PowerSteps:
    """Power of all jobs, and of what was in use when the log began, which draws its charge.

    From the first submission or start to the last end of a job; without idle power.
    """
    jobs = problem.jobs
    if not len(pieces.job):
        none = np.empty(0, np.int64)
        return PowerSteps(np.zeros(1, np.int64), none, none)
    begin = min(int(pieces.begin_ms.min()), int(jobs.submit_ms.min()))
    end = int(pieces.end_ms.max())
    occupied = [use for use in problem.occupied if use.end_ms > begin]
    until = np.array([min(use.end_ms, end) for use in occupied], np.int64)
    charge = np.array([use.charge_mw for use in occupied], np.int64)
    start = np.concatenate([np.full(len(occupied), begin), pieces.begin_ms])
    stop = np.concatenate([until, pieces.end_ms])
    time, index = np.unique(np.concatenate([[begin], start, stop]), return_inverse=True)
    index = index.reshape(-1)[1:]
    sums = [
        _sum(index, np.concatenate([charge, mw]), len(time))
        for mw in (pieces.true_mw, pieces.charge_mw)
    ]
    return PowerSteps(time, sums[0], sums[1])


def _sum(index: Integers, mw: Integers, times: int) -> Integers:
    """Return the sum of intervals, of which ``index`` holds all beginnings and then all ends."""
    change = np.zeros(times, np.int64)
    np.add.at(change, index, np.concatenate([mw, -mw]))
    total: Integers = np.cumsum(change)[:-1]
    return total


def pieces_of(schedule: PowerSchedule, problem: PowerProblem) -> Pieces:
    """Return pieces of all runs, killed ones up to their end.

    A job does ``1 / t(row)`` of its work a millisecond; phases are shares of its work.
    """
    job, begin, row = _by_cap(schedule)
    end = schedule.end_ms[job]
    changes = np.flatnonzero(job[1:] == job[:-1])
    end[changes] = begin[changes + 1]
    full = _full(schedule, job, row)
    split = _split(problem, full, begin, end)
    keep = split.end > split.begin
    source, begin, end = split.source[keep], split.begin[keep], split.end[keep]
    power = true_powers_mw(problem, full)[source] * split.intensity[keep]
    true_mw = np.rint(power).astype(np.int64)
    charge = problem.details.charge_mw[row[source]]
    return Pieces(job[source], row[source], begin, end, true_mw, charge)


def _by_cap(schedule: PowerSchedule) -> tuple[Integers, Integers, Integers]:
    """Return job, beginning and row of the time to the next change of the package cap."""
    ran = np.flatnonzero(schedule.runs)
    lent = schedule.lent.reshape(-1, 3)
    job = np.concatenate([ran, lent[:, 0]])
    begin = np.concatenate([schedule.start_ms[ran], lent[:, 1]])
    row = np.concatenate([schedule.row[ran], lent[:, 2]])
    order = np.lexsort((np.arange(len(job)), begin, job))
    return job[order], begin[order], row[order]


def _full(schedule: PowerSchedule, job: Integers, row: Integers) -> Placed:
    """Return jobs that run from beginning to end in one row, on the nodes that they have."""
    count = np.diff(schedule.node_first)[job]
    first = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    rank = np.arange(first[-1]) - np.repeat(first[:-1], count)
    node = schedule.node[np.repeat(schedule.node_first[job], count) + rank]
    return Placed(job, row, first, node)


class _Split(NamedTuple):
    """Parts in one phase: index into what was split, beginning, end and intensity."""

    source: Integers
    begin: Integers
    end: Integers
    intensity: Floats


def _split(problem: PowerProblem, full: Placed, begin: Integers, end: Integers) -> _Split:
    """Split at ends of phases.

    What has done ``w0`` of its job's work at its beginning reaches work ``w`` at ``begin + (w - w0)
    t(row)``, rounded up to whole milliseconds.
    """
    phases = _phases(problem)
    length = true_times_ms(problem, full)
    done = _done(full.job, (end - begin) / length)
    sequence = problem.truth.sequence_of(problem.jobs.application)[full.job]
    count = np.diff(phases.first)[sequence]
    source = np.repeat(np.arange(len(begin)), count)
    turn = np.arange(len(source)) - np.repeat(np.cumsum(count) - count, count)
    phase = phases.first[sequence][source] + turn
    # The slack is that of the loop (`next_phase`): both change phase at the same millisecond.
    since, until = (
        np.ceil(begin[source] + (work[phase] - done[source]) * length[source] - PHASE_SLACK_MS)
        for work in (phases.begin, phases.end)
    )
    until[turn == count[source] - 1] = np.inf  # the last phase lasts to the end
    since, until = (np.clip(time, begin[source], end[source]) for time in (since, until))
    intensity = phases.intensity[phase]
    return _Split(source, since.astype(np.int64), until.astype(np.int64), intensity)


def _done(job: Integers, work: Floats) -> Floats:
    """Work that a job has done before, by the sum of what it did; jobs follow each other."""
    before = np.cumsum(work) - work
    done: Floats = before - before[np.searchsorted(job, job)]
    return done


class _Phases(NamedTuple):
    """Sequences of phases, at least one of each; work at which they begin and end."""

    first: Integers
    begin: Floats
    end: Floats
    intensity: Floats


def _phases(problem: PowerProblem) -> _Phases:
    """Return phases of the truth; a sequence without any has one of intensity 1."""
    truth, applications = problem.truth, len(problem.details.applications)
    first = truth.phase_first if len(truth.phase_first) else np.zeros(applications + 1, np.int64)
    none = np.flatnonzero(np.diff(first) == 0)
    share = np.insert(truth.phase_share, first[none], 1.0)
    intensity = np.insert(truth.phase_intensity, first[none], 1.0)
    count = np.maximum(np.diff(first), 1)
    first = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    begin, end = _edges(first, share)
    return _Phases(first, begin, end, intensity)


def _edges(first: Integers, share: Floats) -> tuple[Floats, Floats]:
    """Return the work of its job at which every phase begins and ends."""
    total = np.concatenate([[0.0], np.cumsum(share)])
    base = np.repeat(total[first[:-1]], np.diff(first))
    return total[:-1] - base, total[1:] - base
