r"""Which jobs share a node in pairs: a matching of greatest weight.

Sets and parameters
    j in J             jobs
    {a, b} in E        measured pairs of jobs, a < b, with the gain ``g_ab``: the relative speeds of
                       both together, less 1
Variables
    x_a_b              1 if jobs a and b share a node
Objective
    maximise  sum_ab g_ab x_a_b
Constraints
    one_j              sum of x_a_b over the pairs that hold j <= 1        for every job j

A job without a pair runs alone and gains nothing. Pairs with a gain of 0 or less are left out: no
best choice needs them. With three jobs that all gain together, the linear relaxation takes half of
each pair. It lacks the rows of odd sets of Edmonds (1965), which the engine's proof uses. Ties are
not broken.

Left out: nothing of pairs. Groups of three and more are in :mod:`solvers.matching.groups`.

References
----------
Edmonds, J. Res. NBS 69B (1965).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from planner.errors import PlanError
from planner.formulations.solved import CertifiedPlan, SolveLimits, refuse_large, solve
from planner.sharing_nodes.pairs.plan import CoLocationPlan, plan_of, violations
from planner.sharing_nodes.pairs.problem import PairingProblem

if TYPE_CHECKING:
    import pulp

    Pairs = dict[tuple[int, int], pulp.LpVariable]


def formulate(problem: PairingProblem) -> tuple[pulp.LpProblem, Pairs]:
    """Return the model of the module's docstring with ``x[a, b]``.

    Raises
    ------
    PlanError
        The model is too large.
    """
    import pulp

    gain = np.triu(problem.useful_gain, 1)
    pairs = np.argwhere(gain > 0).tolist()
    refuse_large("pairing", 2 * len(pairs), "use headroom colocate")
    model = pulp.LpProblem("pairing", pulp.LpMaximize)
    x: Pairs = {(a, b): model.add_variable(f"x_{a}_{b}", cat="Binary") for a, b in pairs}
    model += pulp.lpSum(gain[pair].item() * variable for pair, variable in x.items())
    for job in range(problem.jobs):
        mine = [variable for pair, variable in x.items() if job in pair]
        if mine:
            model += pulp.lpSum(mine) <= 1, f"one_{job}"
    return model, x


def pair(
    problem: PairingProblem, *, solver: str = "cbc", **limits: Unpack[SolveLimits]
) -> CertifiedPlan[CoLocationPlan]:
    """Solve the reference formulation and read the pairs.

    Raises
    ------
    PlanError
        The model is too large, or the solver found nothing within its limits.
    """
    model, x = formulate(problem)
    solved = solve(model, solver=solver, **limits)
    chosen = (group for group, variable in x.items() if solved.chosen(variable))
    plan = plan_of(problem, f"reference ({solver})", chosen)
    broken = violations(problem, plan)
    if broken:
        raise PlanError(f"pairing: {solver} breaks constraints ({'; '.join(broken)})")
    return CertifiedPlan(plan, solved.certificate)
