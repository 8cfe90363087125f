"""The linear relaxation of sharing, rounded: a heuristic that people use with any solver."""

from __future__ import annotations

import itertools
import math

from planner.configurations.sharing.problem import Goal, SharingPlan, SharingProblem, violations
from planner.errors import PlanError
from planner.formulations.sharing import formulate
from planner.formulations.solved import relaxed, solve

_MOST_COMBINATIONS = 4_096
_ROUNDING = 1e-7  # a share of a configuration below this is rounding of the solver


def rounded(problem: SharingProblem, goal: Goal = "weighted time") -> SharingPlan:
    """Solve the linear relaxation, and take the best of its roundings that keeps to the limits.

    A vertex of the relaxation splits few jobs over several configurations: with two resources at
    most two jobs. Every split job takes each of its configurations in turn.

    Raises
    ------
    PlanError
        The relaxation has no solution, no rounding keeps to nodes and power, or there are over
        4,096 roundings.
    """
    model, x = formulate(problem, goal)
    solved = solve(relaxed(model), solver="highs")
    supports = [
        [k for k, variable in enumerate(row) if solved.value(variable) > _ROUNDING] for row in x
    ]
    roundings = math.prod(len(support) for support in supports)
    if roundings > _MOST_COMBINATIONS:
        raise PlanError(f"the relaxation has {roundings:,} roundings, over {_MOST_COMBINATIONS:,}")
    plans = [
        SharingPlan(problem, goal, "LP rounding", tuple(
            job.table.row(k) for job, k in zip(problem.jobs, choice, strict=True)
        ))
        for choice in itertools.product(*supports)
    ]  # fmt: skip
    sound = [plan for plan in plans if not violations(plan)]
    if not sound:
        raise PlanError("no rounding of the relaxation fits the nodes and the power bound")
    return min(sound, key=lambda plan: plan.value)
