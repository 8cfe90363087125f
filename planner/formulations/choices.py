"""Choices that keep to their problem in all digits, and whose ties are broken by stated rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar, Unpack

from planner.errors import PlanError
from planner.formulations.solved import SolvedModel, SolveLimits, solve
from solvers import Certificate

if TYPE_CHECKING:
    import pulp

_MOST_EXCLUDED = 100

P = TypeVar("P")


def solve_exactly(
    model: pulp.LpProblem,
    plan_of: Callable[[SolvedModel], P],
    violations: Callable[[P], list[str]],
    *,
    solver: str = "cbc",
    **limits: Unpack[SolveLimits],
) -> P:
    """Solve until the plan keeps to its own problem in all digits.

    Solvers accept rows that are broken by about a millionth. A choice that is feasible only within
    this tolerance is excluded by one more row, ``excluded_i``: not all of its ones at once.

    Parameters
    ----------
    model
        All its integer variables are binary, and its choices have equally many ones. Rows are
        added to it.
    plan_of
        Reads the plan.
    violations
        Lists the violations of a plan, recomputed from its problem.
    solver, limits
        As of :func:`~planner.formulations.solved.solve`.

    Raises
    ------
    PlanError
        There is no plan, or every plan found is feasible only within the tolerance of the solver.
    """
    import pulp

    binaries = [variable for variable in model.variables() if variable.cat == "Integer"]
    broken: list[str] = []
    for excluded in range(_MOST_EXCLUDED):
        solved = solve(model, solver=solver, **limits)
        plan = plan_of(solved)
        broken = violations(plan)
        if not broken:
            return plan
        ones = [variable for variable in binaries if solved.chosen(variable)]
        if not ones:
            break
        model += pulp.lpSum(ones) <= len(ones) - 1, f"excluded_{excluded}"
    raise PlanError(
        f"{model.name}: {solver} satisfies the constraints only within its tolerance "
        f"({'; '.join(broken)}); use the engine"
    )


def choose_one(
    model: pulp.LpProblem,
    x: Sequence[pulp.LpVariable],
    orders: Sequence[Sequence[float]],
    violations: Callable[[int], list[str]],
    *,
    solver: str = "cbc",
    **limits: Unpack[SolveLimits],
) -> tuple[int, Certificate]:
    """Index of the variable that is 1, where exactly one is, by one objective after the other.

    Parameters
    ----------
    model
        Its objective is ``orders[0]``. Rows and bounds of it are changed.
    x
        Binary; a row of the model lets exactly one of them be 1.
    orders
        Costs of each ``x``. Each order decides among those that are alike in all before it; the
        variables of the others are then bounded by 0, which is exact.
    violations
        Lists the violations of the choice with this index, recomputed from its problem.
    solver, limits
        As of :func:`~planner.formulations.solved.solve`.

    Returns
    -------
    tuple
        The index, and the certificate of the first order.

    Raises
    ------
    PlanError
        As :func:`solve_exactly`.
    """
    import pulp

    def read(solved: SolvedModel) -> tuple[int, Certificate]:
        return next(
            k for k, variable in enumerate(x) if solved.chosen(variable)
        ), solved.certificate

    answers: list[tuple[int, Certificate]] = []
    for order in orders:
        model.setObjective(pulp.lpDot(list(order), list(x)))
        answers.append(
            solve_exactly(
                model, read, lambda answer: violations(answer[0]), solver=solver, **limits
            )
        )
        least_cost = order[answers[-1][0]]
        for cost, variable in zip(order, x, strict=True):
            if cost > least_cost:
                variable.upBound = 0
        if sum(variable.upBound != 0 for variable in x) == 1:
            break
    return answers[-1][0], answers[0][1]
