"""The interface of power-aware policies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from planner.scheduling.power.problem import Integers, PowerProblem, PowerSchedule


@dataclass(frozen=True)
class SchedulerDecision:
    """One decision of an ILP scheduler.

    Attributes
    ----------
    time_ms, queue
        When, and how many jobs waited.
    status
        ``optimal``, ``feasible`` (budget reached), or ``fallback`` (the greedy policy decided).
    gap
        Relative, between the decision's objective and its proven limit; ``None`` where unknown.
    seconds
        Time to decide, for ``run.json`` and times.csv only.
    solver
        Solver, or empty for the greedy fallback.
    slot_error
        Where the program rounds times up to slots: what that adds to the planned run times
        together, as a share of them; else ``None``.
    """

    time_ms: int
    queue: int
    status: str
    gap: float | None
    seconds: float
    solver: str
    slot_error: float | None = None


@dataclass(frozen=True, eq=False)
class PowerRun:
    """A schedule, and what it took to make it.

    Attributes
    ----------
    schedule
        The schedule.
    seconds
        The policy's own time [s].
    decisions
        Every decision of an ILP scheduler; empty for others.
    deadlines_ms
        After how much time each job is ended [ms]; ``NEVER`` for a job that does not run, shape
        ``(jobs,)``. ``None`` where the policy does not say it job by job.
    waiting
        Jobs that would wait for ever, from 0 on; only a part of a log may have some.
    """

    schedule: PowerSchedule
    seconds: float = 0.0
    decisions: tuple[SchedulerDecision, ...] = field(default=())
    deadlines_ms: Integers | None = None
    waiting: tuple[int, ...] = ()


class PowerPolicy(Protocol):
    """Decides which job starts when and in which configuration, without looking ahead."""

    @property
    def name(self) -> str:
        """On the command line and in tables."""
        ...

    def schedule(self, problem: PowerProblem) -> PowerRun:
        """Run the log.

        Raises
        ------
        PlanError
            The policy cannot do what the problem requires.
        """
        ...
