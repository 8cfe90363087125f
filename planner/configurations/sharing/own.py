"""Sharing heuristics that users write; they are called and checked like the rules of thumb."""

from __future__ import annotations

from typing import Protocol

from planner.configurations.sharing.problem import Goal, SharingPlan, SharingProblem, violations
from planner.errors import InputError
from planner.parts import PartKind, calling, locate, name_of
from planner.sealed import sealed


class SharingHeuristic(Protocol):
    """Chooses a configuration for every job."""

    def __call__(self, problem: SharingProblem, goal: Goal) -> SharingPlan:
        """Return a plan of the problem.

        Raises
        ------
        PlanError
            It finds none; says why.
        """
        ...


HEURISTIC: PartKind[SharingHeuristic] = PartKind("sharing heuristic", SharingHeuristic)


def plan_by(heuristic: SharingHeuristic, problem: SharingProblem, goal: Goal) -> SharingPlan:
    """Plan by a user's own heuristic, without any certificate.

    Raises
    ------
    InputError
        Its code fails, or its plan breaks the bound, the nodes or a job's table.
    PlanError
        It finds none.
    """
    name = name_of(heuristic)
    with calling(heuristic):
        returned = heuristic(sealed(problem), goal)
        if not isinstance(returned, SharingPlan):
            raise InputError(f"{name} returns {type(returned).__name__}; return a SharingPlan")
        chosen = sealed(tuple(returned.configurations))
        plan = SharingPlan(problem, goal, name, chosen)
        broken = violations(plan)
    if broken:
        raise InputError(
            f"{locate(heuristic)}: the plan by {name} is wrong: {'; '.join(broken)}. Correct the "
            "heuristic"
        )
    return plan
