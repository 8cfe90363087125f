"""One question on its way: the best plan and the best bound so far."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from planner.procurement.columns import Freed, Goal
from planner.procurement.outcome import FLOOR_TOLERANCE, Outcome
from planner.procurement.plan import Plan
from planner.procurement.program import Program
from solvers import Certificate, Result, Status
from solvers.model.note import Note, note
from solvers.model.result import relative_gap

Extend = Callable[[Program], None]
"""Adds a question's own columns and rows."""

Stopping = Callable[[float | None, float | None], bool]
"""Whether objective and bound say all that is wanted."""


_CROSSING = 1e-5
"""Tolerances may let plan and bound cross by this amount of log S, or of the goal's value."""


@dataclass
class Task:
    """One question on its way: the best plan and the best bound so far."""

    goal: Goal
    floor: float | None
    extend: Extend | None
    most: list[int] | None
    method: str
    best: Plan | None
    slack: float = FLOOR_TOLERANCE
    freed: Mapping[str, Freed] | None = None
    unit: float = 1.0
    stop: Stopping | None = None
    relaxed: Result | None = None
    allocated: bool = False  # every rating is in the program in full, not by cuts
    solves: int = 0  # of mixed-integer programs
    exact: bool = False  # the program is solved as closely as the gap asks
    value: float | None = None
    bound: float | None = None
    proved: float | None = None
    constant: float = 0.0
    rounds: int = 0
    dropped: int = 0  # bounds that a plan was found to beat
    last: tuple[Program, Result] | None = None
    cuts: dict[int, set[int]] = field(default_factory=dict)  # places in the pool, by rating
    tangents: dict[int, set[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.best is not None:
            self.value = self._value(self.best, None)

    def _value(self, plan: Plan, solution: Result | None) -> float:
        """The plan's objective in the goal's unit; the program's own where the caller set it."""
        if self.goal is Goal.COST:
            return plan.total_cost
        if self.goal is Goal.POWER:
            return plan.mean_it_w
        if self.goal is Goal.GIVEN and solution is not None and solution.objective is not None:
            return solution.objective
        return plan.objective

    def stopped(self) -> bool:
        """Whether what is known is all that is wanted."""
        return self.stop is not None and self.stop(self.value, self.bound)

    def stops_at(self, relaxed: Result) -> bool:
        """Whether the bound of a relaxation is all that is wanted."""
        if self.stopped():
            self.relaxed = relaxed
        return self.relaxed is not None

    def read(self, plan: Plan | None, solution: Result) -> None:
        """Take over a candidate and the program's bound."""
        bound = solution.certificate.bound
        larger = self.goal is Goal.SCORE
        if bound is not None:
            bound = (bound - self.constant) * self.unit
            better = min if larger else max
            self.bound = bound if self.bound is None else better(bound, self.bound)
        if plan is None:
            return
        value = self._value(plan, solution)
        if self.value is None or (value > self.value if larger else value < self.value):
            self.best, self.value = plan, value
        self._keep_apart()

    def _keep_apart(self) -> None:
        """A bound that a plan beats is false: within tolerances it is the plan's, else none."""
        if self.value is None or self.bound is None:
            return
        beyond = self.value - self.bound if self.goal is Goal.SCORE else self.bound - self.value
        if beyond > 0:
            scale = 1.0 if self.goal is Goal.SCORE else abs(self.value)
            if beyond <= _CROSSING * scale:
                self.bound = self.value
            else:
                self.bound, self.dropped = None, self.dropped + 1

    def finished(self, certificate: Certificate, requested: float) -> Outcome:
        """The outcome of the last program, which may have ended early."""
        status = certificate.status
        if self.value is not None and self.bound is not None:
            status = Status.OPTIMAL if self.gap() <= requested else Status.FEASIBLE
        elif status is Status.INFEASIBLE:
            self.bound = None
        elif status is not Status.UNBOUNDED:
            status = Status.UNKNOWN
        return self.outcome(status, certificate)

    def outcome(self, status: Status, certificate: Certificate) -> Outcome:
        """What is known, under the certificate of the last program."""
        value, bound = self.value, self.bound
        both_known = value is not None and bound is not None
        certificate = replace(
            certificate,
            status=status,
            objective=value,
            bound=bound,
            gap_absolute=self.distance() if both_known else None,
            gap_relative=self.gap() if both_known else None,
            notes=(*certificate.notes, *self._doubts()),
        )
        return Outcome(
            self.best, status, value, bound, certificate, self.rounds, self.last, self.proved
        )

    def _doubts(self) -> list[Note]:
        """How many bounds turned out false."""
        return [note("bounds-dropped", bounds=(self.dropped, "count"))] if self.dropped else []

    def distance(self) -> float:
        """Distance between value and bound, in the goal's unit."""
        if self.value is None or self.bound is None:
            return math.inf
        return abs(self.bound - self.value)

    def gap(self) -> float:
        """Gap in log S; for every other goal relative to its value."""
        if self.goal is Goal.SCORE or self.value is None or self.bound is None:
            return self.distance()
        return relative_gap(self.value, self.bound)
