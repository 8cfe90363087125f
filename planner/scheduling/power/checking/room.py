"""Whether a power-aware schedule stays within nodes and watts at every instant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.checking.phases import phase_parts
from planner.scheduling.power.problem import MS, NEVER, PowerProblem, PowerSchedule
from planner.scheduling.violation import Violation, violation_at_ms

Integers = NDArray[np.int64]

_BEFORE = -1
"""Stands for what was in use when the log began, in place of a job."""


class _Uses(NamedTuple):
    """Intervals ``[begin, end)`` in which a job holds an amount; arrays of one shape."""

    begin: Integers
    end: Integers
    amount: Integers
    job: Integers


def node_violations(schedule: PowerSchedule, problem: PowerProblem) -> Iterator[Violation]:
    """Yield nodes that two neighbours in time use at once, at the start of the later one."""
    uses = _node_uses(schedule, problem)
    order = np.lexsort((uses.begin, uses.amount))
    node, begin, end, job = (
        values[order] for values in (uses.amount, uses.begin, uses.end, uses.job)
    )
    # Sorted by node and beginning: if any two uses of a node overlap, so do two neighbours.
    clash = (np.diff(node) == 0) & (begin[1:] < end[:-1])
    for entry in np.flatnonzero(clash).tolist():
        later, earlier = int(job[entry + 1]), int(job[entry])
        if later == _BEFORE:
            later, earlier = earlier, later
        overlap_ms = int(end[entry] - begin[entry + 1])
        holder = _name(problem, earlier)
        text = f"is on node {node[entry]}, which {holder} uses for {overlap_ms / MS:,.3f} s more"
        yield violation_at_ms(int(begin[entry + 1]), _number(problem, later), "node", text, 1)


def _node_uses(schedule: PowerSchedule, problem: PowerProblem) -> _Uses:
    count = np.diff(schedule.node_first)
    job = np.repeat(np.arange(len(count)), count)
    earliest = _earliest(schedule, problem)
    occupied = [(earliest, use.end_ms, use.nodes) for use in problem.occupied]
    width = np.array([nodes for _, _, nodes in occupied], np.int64)
    total = int(width.sum())
    return _Uses(
        np.concatenate([np.full(total, earliest), schedule.start_ms[job]]),
        np.concatenate([np.repeat([end for _, end, _ in occupied], width), schedule.end_ms[job]]),
        np.concatenate([np.arange(total), schedule.node]),
        np.concatenate([np.full(total, _BEFORE), job]),
    )


def watt_violations(schedule: PowerSchedule, problem: PowerProblem) -> Iterator[Violation]:
    """Yield times at which more watts are charged than jobs may use together, each named once."""
    words = "are charged"
    return _above(_watt_uses(schedule, problem), problem, "watts", words, shortest_ms=1)


def consumption_violations(schedule: PowerSchedule, problem: PowerProblem) -> Iterator[Violation]:
    """Yield times at which charges, reduced to the draw of the present phases, exceed the bound.

    Those of at most 2 ms are left out: a change of phase is measured in whole milliseconds.
    """
    uses = _consumption_uses(schedule, problem)
    return _above(uses, problem, "drawn watts", "of the charged power are drawn", shortest_ms=3)


def _above(
    uses: _Uses, problem: PowerProblem, kind: str, words: str, *, shortest_ms: int
) -> Iterator[Violation]:
    uses = _Uses(*(values[uses.end > uses.begin] for values in uses))
    times = np.unique(np.concatenate([uses.begin, uses.end]))
    # Whole milliwatts: sums are exact, so the bound needs no tolerance.
    steps = np.zeros(len(times) + 1, np.int64)
    np.add.at(steps, np.searchsorted(times, uses.begin), uses.amount)
    np.add.at(steps, np.searchsorted(times, uses.end), -uses.amount)
    used = np.cumsum(steps)
    above_bound = used > problem.jobs_mw
    begins = np.flatnonzero(above_bound & ~np.concatenate([[False], above_bound[:-1]]))
    ends = np.flatnonzero(above_bound & ~np.concatenate([above_bound[1:], [False]]))
    for first, last in zip(begins.tolist(), ends.tolist(), strict=True):
        peak_mw, since, until = int(used[first : last + 1].max()), times[first], times[last + 1]
        if until - since < shortest_ms:
            continue
        job = int(uses.job[uses.begin == since].max(initial=_BEFORE))
        text = (
            f"until {until / MS:,.3f} s up to {peak_mw / MS:,.3f} W {words}, but all jobs "
            f"together may use {problem.jobs_mw / MS:,.3f} W"
        )
        excess_mw = peak_mw - problem.jobs_mw
        yield violation_at_ms(int(since), _number(problem, job), kind, text, excess_mw)


def _consumption_uses(schedule: PowerSchedule, problem: PowerProblem) -> _Uses:
    """Return charges by job and phase, times the phase's power over the row's, at most 1."""
    earliest = _earliest(schedule, problem)
    uses = [(earliest, use.end_ms, use.charge_mw, _BEFORE) for use in problem.occupied]
    for part in phase_parts(schedule, problem):
        charge = int(problem.details.charge_mw[part.row])
        amount = round(charge * min(part.intensity, 1.0))
        uses.append((part.begin_ms, part.end_ms, amount, part.job))
    columns = np.array(uses, np.int64).reshape(-1, 4).T
    return _Uses(*columns)


def _watt_uses(schedule: PowerSchedule, problem: PowerProblem) -> _Uses:
    """Return charges by job: from its start or a change of its cap to the next or its end."""
    ran = np.flatnonzero(schedule.start_ms != NEVER)
    lent = schedule.lent.reshape(-1, 3)
    job = np.concatenate([ran, lent[:, 0]])
    begin = np.concatenate([schedule.start_ms[ran], lent[:, 1]])
    row = np.concatenate([schedule.row[ran], lent[:, 2]])
    # At one instant the start comes first, then changes as listed: the last one holds.
    turn = np.concatenate([np.full(len(ran), -1), np.arange(len(lent))])
    order = np.lexsort((turn, begin, job))
    job, begin, row = job[order], begin[order], row[order]
    end = schedule.end_ms[job]
    follows = np.flatnonzero(np.diff(job) == 0)
    end[follows] = begin[follows + 1]
    occupied = problem.occupied
    return _Uses(
        np.concatenate([np.full(len(occupied), _earliest(schedule, problem)), begin]),
        np.concatenate([np.array([use.end_ms for use in occupied], np.int64), end]),
        np.concatenate(
            [
                np.array([use.charge_mw for use in occupied], np.int64),
                problem.details.charge_mw[row],
            ]
        ),
        np.concatenate([np.full(len(occupied), _BEFORE), job]),
    )


def _earliest(schedule: PowerSchedule, problem: PowerProblem) -> int:
    """Return a time before everything that happens [ms]."""
    starts = schedule.start_ms[schedule.start_ms != NEVER]
    ends = [use.end_ms for use in problem.occupied]
    times: list[int] = [*starts.tolist(), *ends, 0]
    return min(times) - 1


def _number(problem: PowerProblem, job: int) -> int:
    return -1 if job == _BEFORE else int(problem.jobs.number[job])


def _name(problem: PowerProblem, job: int) -> str:
    if job == _BEFORE:
        return "what was in use when the log began"
    return f"job {problem.jobs.number[job]}"
