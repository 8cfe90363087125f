"""Schedules in hindsight: begun by a rule, moved to the left, checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.offline.problem import Hindsight

Integers = NDArray[np.int64]
Goal = Literal["makespan", "turnaround"]


@dataclass(frozen=True, eq=False)
class HindsightSchedule:
    """Start and option of each job, shape ``(jobs,)``; starts in units of the problem."""

    start: Integers
    option: Integers

    def ends(self, problem: Hindsight) -> Integers:
        """End of each job, in units of the problem."""
        return self.start + problem.time[self.option]

    def value_ms(self, problem: Hindsight, goal: Goal) -> float:
        """Return the time from the first submission to the last end, or mean turnaround [ms]."""
        ends = self.ends(problem)
        value = ends.max() if goal == "makespan" else ends.sum()
        return of_ends_ms(problem, float(value), goal)


def of_ends_ms(problem: Hindsight, ends: float, goal: Goal) -> float:
    """The goal for the last end or the sum of ends, which are in units of the problem [ms]."""
    if goal == "makespan":
        return (ends - float(problem.submit.min())) * problem.unit_ms
    return (ends - float(problem.submit.sum())) * problem.unit_ms / len(problem)


def violations(problem: Hindsight, schedule: HindsightSchedule) -> list[str]:
    """List the errors of a schedule: too early, another's option, too much at one instant."""
    errors = []
    uses = [(0, end, nodes, charge) for end, nodes, charge in problem.occupied]
    pairs = zip(schedule.start.tolist(), schedule.option.tolist(), strict=True)
    for job, (start, option) in enumerate(pairs):
        if start < problem.submit[job]:
            errors.append(f"job {job} starts at {start}, before its submission")
        if option not in problem.options(job):
            errors.append(f"job {job} runs as option {option}, which is another job's")
            continue
        used = int(problem.used_nodes[option]), int(problem.charge_mw[option])
        uses.append((start, start + int(problem.time[option]), *used))
    # Use rises only at starts, so a limit that is broken is broken at one of them.
    for instant in sorted({use[0] for use in uses}):
        there = [use for use in uses if use[0] <= instant < use[1]]
        nodes, charge = sum(use[2] for use in there), sum(use[3] for use in there)
        if nodes > problem.nodes:
            errors.append(f"at {instant} jobs use {nodes} nodes of {problem.nodes}")
        if charge > problem.bound_mw:
            errors.append(f"at {instant} jobs use {charge} mW of {problem.bound_mw} mW")
    return errors


class _Timeline:
    """Nodes and watts in use, as intervals; it finds where an option fits first."""

    def __init__(self, problem: Hindsight) -> None:
        self.problem = problem
        self.uses = [(min(0, end), end, nodes, mw) for end, nodes, mw in problem.occupied]

    def earliest(self, option: int, not_before: int) -> int:
        """Return the first start at which an option fits for all of its time."""
        # Room grows only at ends, so the first fit is at one of them or at `not_before`. Behind all
        # ends every option fits.
        candidates = sorted({not_before, *(use[1] for use in self.uses if use[1] > not_before)})
        return next(start for start in candidates if self._fits(option, start))

    def _fits(self, option: int, start: int) -> bool:
        problem = self.problem
        end = start + int(problem.time[option])
        # Use rises only at starts: the own start and those within the run are enough.
        over = [use for use in self.uses if use[0] < end and use[1] > start]
        return all(
            self._free(over, instant, option)
            for instant in {start, *(use[0] for use in over if use[0] > start)}
        )

    def _free(self, uses: list[tuple[int, int, int, int]], instant: int, option: int) -> bool:
        problem = self.problem
        there = [use for use in uses if use[0] <= instant < use[1]]
        nodes = int(problem.used_nodes[option]) + sum(use[2] for use in there)
        charge = int(problem.charge_mw[option]) + sum(use[3] for use in there)
        return nodes <= problem.nodes and charge <= problem.bound_mw

    def take(self, option: int, start: int) -> None:
        """Use nodes and watts from a start on."""
        problem = self.problem
        used = int(problem.used_nodes[option]), int(problem.charge_mw[option])
        self.uses.append((start, start + int(problem.time[option]), *used))


def listed(problem: Hindsight) -> HindsightSchedule:
    """Schedule jobs in order of submission, each with the option that ends first."""
    timeline = _Timeline(problem)
    chosen = []
    for job in range(len(problem)):
        ends = (
            (
                (start := timeline.earliest(o, int(problem.submit[job]))) + int(problem.time[o]),
                start,
                o,
            )
            for o in problem.options(job)
        )
        _, start, option = min(ends)
        timeline.take(option, start)
        chosen.append((start, option))
    return _schedule(chosen)


def moved_left(
    problem: Hindsight, starts: Iterable[int], options: Iterable[int]
) -> HindsightSchedule:
    """The same options in the same order of starts, each job as early as those before it allow.

    No job ends later than in the schedule that is given, if that one is feasible.
    """
    before = list(zip(starts, options, strict=True))
    timeline = _Timeline(problem)
    chosen = dict[int, tuple[int, int]]()
    # By induction: all jobs placed so far end no later than given, so the given start still fits.
    for job in sorted(range(len(before)), key=lambda job: (before[job][0], job)):
        option = before[job][1]
        start = timeline.earliest(option, int(problem.submit[job]))
        timeline.take(option, start)
        chosen[job] = start, option
    return _schedule([chosen[job] for job in range(len(before))])


def _schedule(chosen: list[tuple[int, int]]) -> HindsightSchedule:
    start, option = (np.array(column, np.int64) for column in zip(*chosen, strict=True))
    return HindsightSchedule(start, option)
