"""Bound the optimum of a small log from both sides, with a schedule that reaches the upper bound.

Lower bounds come from node-seconds and watt-seconds (always), the time-indexed program rounded down
to slots, and CP-SAT. Schedules come from a list schedule (always), the time-indexed program rounded
up to slots, and CP-SAT. The best of each kind counts. The schedule is checked before it is
returned.

CP-SAT plans in whole seconds. If the log has other times, it runs twice: times rounded down give
the bound, times rounded up give the schedule. An optimum is claimed only for whole seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, get_args

from planner.errors import InputError, PlanError
from planner.scheduling.power.offline import cpsat, energy, slots
from planner.scheduling.power.offline.problem import Hindsight
from planner.scheduling.power.offline.schedule import (
    Goal,
    HindsightSchedule,
    listed,
    moved_left,
    of_ends_ms,
    violations,
)
from planner.scheduling.power.problem import MS

Method = Literal["slots", "cpsat"]

_SLOTS = 40
"""Slots of the list schedule's makespan, where no slot length is given."""
_TIE_MS = 1e-6
_NODES = 2_000


@dataclass(frozen=True, eq=False)
class CertifiedInterval:
    """A certified interval of the optimum.

    Attributes
    ----------
    goal
        ``makespan``: from the first submission to the last end. ``turnaround``: the mean.
    lower_ms, upper_ms
        No schedule is better than the lower, and ``schedule`` reaches the upper [ms].
    schedule
        Starts in ms and options of the problem.
    optimal
        Whether both meet, on a log in whole seconds.
    bounds_ms, found_ms
        By method: its bound, and the value of its schedule [ms].
    """

    goal: Goal
    lower_ms: float
    upper_ms: float
    schedule: HindsightSchedule
    optimal: bool
    bounds_ms: dict[str, float]
    found_ms: dict[str, float]

    @property
    def gap(self) -> float:
        """Width as a share of the upper value."""
        return (self.upper_ms - self.lower_ms) / self.upper_ms if self.upper_ms else 0.0


@dataclass(frozen=True)
class Effort:
    """How far each method goes.

    Attributes
    ----------
    methods
        Beyond the bounds from energy and the list schedule; ``cpsat`` needs OR-Tools.
    time_limit_s
        Wall seconds of each program; without it each ends by its work, and the result repeats.
    slot_s
        Length of a slot [s]; by default a 40th of the list schedule's makespan, in whole seconds.
    workers
        Threads of CP-SAT.

    Raises
    ------
    InputError
        An unknown method, or a limit that is not above 0.
    """

    methods: tuple[Method, ...] = ("slots", "cpsat")
    time_limit_s: float | None = None
    slot_s: float | None = None
    workers: int = 1

    def __post_init__(self) -> None:
        for method in self.methods:
            if method not in get_args(Method):
                names = ", ".join(get_args(Method))
                raise InputError(f"unknown method {method!r}; choose among {names}")
        for name in ("time_limit_s", "slot_s", "workers"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise InputError(f"{name} = {value}; give a finite number above 0")


def optimum(problem: Hindsight, goal: Goal, effort: Effort | None = None) -> CertifiedInterval:
    """Bound the optimum from both sides.

    Parameters
    ----------
    problem
        In milliseconds, as :func:`~planner.scheduling.power.offline.problem.hindsight` gives it.

    Raises
    ------
    InputError
        The goal is unknown, or CP-SAT is requested and not installed.
    PlanError
        A solver's process failed.
    """
    if goal not in get_args(Goal):
        raise InputError(f"unknown goal {goal!r}; choose one of {', '.join(get_args(Goal))}")
    search = _Search(problem, goal, effort or Effort())
    search.offer("list", listed(problem))
    search.by_energy()
    if "slots" in search.effort.methods:
        search.by_slots()
    if "cpsat" in search.effort.methods:
        search.by_cpsat()
    return search.interval()


@dataclass(eq=False)
class _Search:
    """The best bound and the best schedule so far."""

    problem: Hindsight
    goal: Goal
    effort: Effort
    best: HindsightSchedule | None = None
    bounds_ms: dict[str, float] = field(default_factory=dict)
    found_ms: dict[str, float] = field(default_factory=dict)

    def offer(self, method: str, schedule: HindsightSchedule) -> None:
        errors = violations(self.problem, schedule)
        if errors:
            raise PlanError(f"the schedule by {method} is not one: {'; '.join(errors)}")
        value = schedule.value_ms(self.problem, self.goal)
        if value < min(self.found_ms.values(), default=math.inf):
            self.best = schedule
        self.found_ms[method] = value

    @property
    def incumbent(self) -> HindsightSchedule:
        if self.best is None:
            raise PlanError("no schedule was found")
        return self.best

    def by_energy(self) -> None:
        if self.goal == "makespan":
            limit_s = self.effort.time_limit_s
            bound = energy.least_makespan_ms(self.problem, time_limit_s=limit_s)
        else:
            bound = energy.least_turnaround_ms(self.problem)
        self.bounds_ms["energy"] = bound

    def by_slots(self) -> None:
        makespan = self.incumbent.value_ms(self.problem, "makespan")
        length_s = self.effort.slot_s or max(1, math.ceil(makespan / _SLOTS / MS))
        slot = max(1, round(length_s * MS))
        limit_s = self.effort.time_limit_s
        # Long enough for the best schedule so far; the program also allows starts behind it.
        horizon = int(self.incumbent.ends(self.problem).max()) // slot + 1
        bound = slots.least_ms(
            self.problem, self.goal, slot, horizon, time_limit_s=limit_s, node_limit=_NODES
        )
        if bound is not None:
            self.bounds_ms["slots"] = bound
        schedule = slots.schedule(
            self.problem, self.goal, slot, time_limit_s=limit_s, node_limit=_NODES
        )
        if schedule is not None:
            self.offer("slots", schedule)

    def by_cpsat(self) -> None:
        # Rounded down the log is relaxed; rounded up its schedules are schedules of the log.
        down = self.problem.in_units(MS, up=False)
        answer = self._run_cpsat(down, exact=self.problem.in_whole_seconds)
        if answer.bound is not None:
            self.bounds_ms["cpsat"] = self._bound_ms(answer.bound)
        if not self.problem.in_whole_seconds:
            answer = self._run_cpsat(self.problem.in_units(MS, up=True), exact=False)
        if answer.schedule is not None:
            starts = (answer.schedule.start * MS).tolist()
            self.offer("cpsat", moved_left(self.problem, starts, answer.schedule.option.tolist()))

    def _run_cpsat(self, rounded: Hindsight, *, exact: bool) -> cpsat.CpSatAnswer:
        """Run CP-SAT on the rounded problem, with a hint that is feasible there."""
        hint = self.incumbent
        # `moved_left` reads only the order of the starts, so their unit does not matter.
        starts = hint.start // MS if exact else hint.start
        first = moved_left(rounded, starts.tolist(), hint.option.tolist())
        effort = self.effort
        return cpsat.solve(
            rounded, self.goal, first, time_limit_s=effort.time_limit_s, workers=effort.workers
        )

    def _bound_ms(self, bound: float) -> float:
        """Return the goal for a last end or a sum of ends, in whole seconds."""
        # In whole seconds a bound above k proves k + 1; the slack is the solver's rounding.
        return of_ends_ms(self.problem, math.ceil(bound - 1e-6) * MS, self.goal)

    def interval(self) -> CertifiedInterval:
        upper = self.incumbent.value_ms(self.problem, self.goal)
        # A bound above a schedule that exists is the tolerance of a solver.
        lower = min(max(self.bounds_ms.values()), upper)
        # Only in whole seconds does CP-SAT solve the log itself.
        met = self.problem.in_whole_seconds and upper - lower <= _TIE_MS * max(upper, 1.0)
        return CertifiedInterval(
            self.goal,
            upper if met else lower,
            upper,
            self.incumbent,
            met,
            self.bounds_ms,
            self.found_ms,
        )
