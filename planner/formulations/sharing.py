r"""One configuration for each of many jobs that run at once under one power bound.

Sets and parameters
    j in J             jobs; weight ``w_j``
    k in K_j           configurations of job j: time ``t_jk`` [s], power ``P_jk`` [W], nodes
                       ``n_jk``
    P, N               usable power bound [W]; nodes of the machine
Variables
    x_j_k              1 if job j runs as configuration k
    T                  time until the last job has ended (makespan only) [s]
Objective
    *weighted time*    minimise  sum_jk w_j t_jk x_j_k
    *makespan*         minimise  T
Constraints
    one_j              sum_k x_j_k = 1                for every job j
    power              sum_jk P_jk x_j_k <= P
    nodes              sum_jk n_jk x_j_k <= N
    end_j              sum_k t_jk x_j_k <= T          for every job j (makespan only)

This is a multiple-choice knapsack with two resources (thesis, section 3.1, for one job; the sum
over jobs is ours). With one job and enough nodes it selects the fastest configuration under the
bound. The guard band is part of P.

A makespan has ties in all jobs but the longest. The least T is found first; then the weighted
time is minimised with ``x_j_k = 0`` wherever ``t_jk > T``, which holds T in all digits. Other ties
are not broken. Left out: nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack, get_args

from planner.configurations.sharing.problem import Goal, SharingPlan, SharingProblem, violations
from planner.errors import InputError
from planner.formulations.choices import solve_exactly
from planner.formulations.solved import SolvedModel, SolveLimits, refuse_large

if TYPE_CHECKING:
    import pulp

    Choices = list[list[pulp.LpVariable]]


def formulate(
    problem: SharingProblem, goal: Goal = "weighted time"
) -> tuple[pulp.LpProblem, Choices]:
    """Return the model of the module's docstring with ``x[j][k]``.

    Raises
    ------
    PlanError
        The model is too large.
    """
    import pulp

    tables = [job.table for job in problem.jobs]
    nonzeros = 4 * sum(len(table.time_s) for table in tables)
    refuse_large("sharing", nonzeros, "use --method lagrangian")
    model = pulp.LpProblem("sharing", pulp.LpMinimize)
    x: Choices = [
        [model.add_variable(f"x_{j}_{k}", cat="Binary") for k in range(len(table.time_s))]
        for j, table in enumerate(tables)
    ]
    pairs = list(zip(tables, x, strict=True))
    time = [pulp.lpDot(table.time_s.tolist(), row) for table, row in pairs]
    if goal == "makespan":
        end = model.add_variable("T", lowBound=0)
        model += end
        for j, of_job in enumerate(time):
            model += of_job <= end, f"end_{j}"
    else:
        model += pulp.lpSum(job.weight * t for job, t in zip(problem.jobs, time, strict=True))
    for j, row in enumerate(x):
        model += pulp.lpSum(row) == 1, f"one_{j}"
    power = pulp.lpSum(pulp.lpDot(table.power_w.tolist(), row) for table, row in pairs)
    model += power <= problem.bound.usable_w, "power"
    nodes = pulp.lpSum(pulp.lpDot(table.nodes.tolist(), row) for table, row in pairs)
    model += nodes <= problem.nodes, "nodes"
    return model, x


def share(
    problem: SharingProblem,
    *,
    goal: Goal = "weighted time",
    solver: str = "cbc",
    **limits: Unpack[SolveLimits],
) -> SharingPlan:
    """Solve the reference formulation and read the plan.

    Raises
    ------
    InputError
        An unknown goal or solver.
    PlanError
        No choice keeps to nodes and power, or the model is too large.
    """
    if goal not in get_args(Goal):
        raise InputError(f"unknown goal {goal!r}; choose one of {', '.join(get_args(Goal))}")
    plan = _solved(problem, goal, formulate(problem, goal), solver, **limits)
    if goal != "makespan":
        return plan
    model, x = formulate(problem)
    for job, row in zip(problem.jobs, x, strict=True):
        for time_s, variable in zip(job.table.time_s.tolist(), row, strict=True):
            if time_s > plan.makespan_s:
                variable.upBound = 0
    within = _solved(problem, goal, (model, x), solver, **limits)
    return replace(within, certificate=plan.certificate, within_deadline=within.certificate)


def _solved(
    problem: SharingProblem,
    goal: Goal,
    formulated: tuple[pulp.LpProblem, Choices],
    solver: str,
    **limits: Unpack[SolveLimits],
) -> SharingPlan:
    model, x = formulated

    def read(solved: SolvedModel) -> SharingPlan:
        chosen = tuple(
            job.table.row(next(k for k, variable in enumerate(row) if solved.chosen(variable)))
            for job, row in zip(problem.jobs, x, strict=True)
        )
        return SharingPlan(problem, goal, f"reference ({solver})", chosen, solved.certificate)

    return solve_exactly(model, read, violations, solver=solver, **limits)
