"""Sharing heuristics that users write: asked like the rules of thumb, and checked like them."""

from __future__ import annotations

from typing import Protocol

from planner.configurations.sharing.problem import Goal, Plan, Problem, violations
from planner.errors import InputError
from planner.parts import PartKind, calling, locate, name_of


class SharingHeuristic(Protocol):
    """Chooses a configuration for every job."""

    def __call__(self, problem: Problem, goal: Goal) -> Plan:
        """Return a plan of the problem.

        Raises
        ------
        PlanError
            It finds none; says why.
        """
        ...


HEURISTIC: PartKind[SharingHeuristic] = PartKind("sharing heuristic", SharingHeuristic)


def plan_by(heuristic: SharingHeuristic, problem: Problem, goal: Goal) -> Plan:
    """The plan of a user's own heuristic, without any certificate.

    Raises
    ------
    InputError
        Its code fails, or its plan breaks the bound, the nodes or a job's table.
    PlanError
        It finds none.
    """
    name = name_of(heuristic)
    with calling(heuristic):
        found = heuristic(problem, goal)
        if not isinstance(found, Plan):
            raise InputError(f"{name} returns {type(found).__name__}; return a Plan of sharing")
        chosen = tuple(found.configurations)
        plan = Plan(problem, goal, name, chosen)
        wrong = violations(plan)
    if wrong:
        raise InputError(
            f"{locate(heuristic)}: the plan by {name} is wrong: {'; '.join(wrong)}; correct the "
            "heuristic"
        )
    return plan
