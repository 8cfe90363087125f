"""The budget of one decision, its greedy fallback and the record of all decisions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal

from planner.errors import InputError
from planner.scheduling.power.events.moment import Choice, PowerMoment
from planner.scheduling.power.ilp.adaptive import Adaptive
from planner.scheduling.power.ilp.candidates import CandidateConfigurations
from planner.scheduling.power.ilp.naming import SolverName
from planner.scheduling.power.policy import SchedulerDecision


@dataclass(frozen=True)
class DecisionBudget:
    """How far one decision may go.

    Attributes
    ----------
    gap
        Relative to the objective, at which a decision is good enough.
    node_limit
        Branch-and-bound nodes of a solver: repeatable.
    time_limit_s
        Wall seconds instead, by default none: with a limit the same input may give another
        schedule.

    Raises
    ------
    InputError
        A gap or limit that is negative or not a number.
    """

    gap: float = 1e-3
    node_limit: int = 1_000
    time_limit_s: float | None = None

    def __post_init__(self) -> None:
        for name in ("gap", "node_limit", "time_limit_s"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < math.inf:
                raise InputError(
                    f"{name} = {value} of a decision's budget; give a finite number of at least 0"
                )

    @property
    def nodes(self) -> int | None:
        """Nodes of a solver; no limit where the wall time is limited."""
        return self.node_limit if self.time_limit_s is None else None


@dataclass(frozen=True, eq=False)
class ProgramAnswer:
    """The choices that a program decided on, with their certificate.

    Attributes
    ----------
    choices
        Jobs that start now; ``None`` if the budget was reached before the gap.
    gap
        Relative, between objective and proven limit; ``None`` where unknown.
    slot_error
        Where times are rounded up to slots: what rounding adds to the planned run times together,
        as a share of them.
    """

    choices: tuple[Choice, ...] | None
    gap: float | None
    slot_error: float | None = None


@dataclass(eq=False)
class BudgetedDecisions:
    """Makes decisions by a program, by Adaptive where its budget is reached, and records them.

    Attributes
    ----------
    record
        Every decision, in order.
    """

    record: list[SchedulerDecision] = field(default_factory=list)
    _greedy: Adaptive = field(default_factory=Adaptive)
    _known: CandidateConfigurations | None = None

    def make(
        self,
        now: PowerMoment,
        by_program: Callable[[PowerMoment, CandidateConfigurations], ProgramAnswer],
        solver: SolverName,
    ) -> list[Choice]:
        """Decide, and record how.

        The greedy policy also decides where a program within its gap would leave all of an empty
        cluster to jobs that wait: no event would ever come.
        """
        began = perf_counter()
        self._known = self._known or CandidateConfigurations.at(now)
        answer = by_program(now, self._known)
        choices = answer.choices
        stuck = choices is not None and not choices and not now.ends()
        status: Literal["optimal", "fallback"] = "optimal"
        made_by = SOLVER_NAMES[solver]
        if choices is None or stuck:
            status, choices, made_by = "fallback", tuple(self._greedy.decide(now)), ""
        seconds = perf_counter() - began
        self.record.append(
            SchedulerDecision(
                now.time_ms,
                len(now.waiting),
                status,
                answer.gap,
                seconds,
                made_by,
                answer.slot_error,
            )
        )
        return list(choices)


SOLVER_NAMES: dict[SolverName, str] = {"engine": "engine", "highs": "HiGHS", "cbc": "CBC"}
"""Solvers of a decision and their names in tables."""


def check_threshold(threshold: float | None) -> None:
    """Refuse a threshold that is not a whole percentage, of which the name would be another one.

    Raises
    ------
    InputError
        It is negative, above 9,999 %, or no whole percentage.
    """
    if threshold is None:
        return
    percent = 100 * threshold
    if not 0 <= percent <= 9_999 or abs(percent - round(percent)) > 1e-9:
        raise InputError(
            f"threshold = {threshold:g} is not a whole percentage of the requested time from 0 to "
            "9,999 %; give 0.2 for 20 %, or None for any run time"
        )


def check_solver(solver: str, names: tuple[SolverName, ...]) -> None:
    """Refuse an unknown solver.

    Raises
    ------
    InputError
        It is not among those known.
    """
    if solver not in names:
        raise InputError(f"unknown solver {solver!r}; choose one of {', '.join(names)}")
