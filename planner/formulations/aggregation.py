r"""The aggregation pattern of a program: how many of its ranks share a node, a socket and a die.

Sets and parameters
    c in C             feasible patterns with their predictions: slowdown ``s_c`` over the
                       reference pattern, energy ``E_c`` of the run [J], ranks on a node ``r_c``,
                       sockets used ``o_c``, dies used of each ``d_c``
    c0                 the reference pattern: one rank on a node
    S                  tolerated slowdown
Variables
    x_c                1 if the program runs under pattern c
Objective
    *joules*           minimise  sum_c E_c x_c
    *rank*             minimise  sum_c (-r_c D^2 + o_c D + d_c) x_c, D above every o_c and d_c
Constraints
    one                sum_c x_c = 1
    tolerable          sum_(c != c0) (s_c - S) x_c <= 0

Equation 5 of Li and others (2010) gives ``s_c``. Section VI takes the tolerable pattern of the
fewest nodes, then of the fewest sockets, then of the fewest dies. The weights of *rank* put this
order into one objective, because more ranks on a node mean fewer nodes. Among patterns of equal
joules, the first by *rank* is taken. The reference pattern is always tolerable.

Left out: nothing of the choice. The predictions are parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Unpack, get_args

from planner.aggregation.patterns import REFERENCE
from planner.aggregation.selection import THRESHOLD, Candidate, violations
from planner.errors import InputError
from planner.formulations.choices import choose_one
from planner.formulations.solved import CertifiedPlan, SolveLimits, refuse_large

if TYPE_CHECKING:
    import pulp

Objective = Literal["joules", "rank"]


def formulate(
    candidates: Sequence[Candidate], threshold: float = THRESHOLD, objective: Objective = "joules"
) -> tuple[pulp.LpProblem, list[pulp.LpVariable]]:
    """Return the model of the module's docstring with ``x[c]``.

    Raises
    ------
    InputError
        Energy is not known, or an unknown objective.
    PlanError
        The model is too large.
    """
    import pulp

    refuse_large("aggregation", 3 * len(candidates), "use --method engine")
    model = pulp.LpProblem("aggregation", pulp.LpMinimize)
    x = [model.add_variable(f"x_{c}", cat="Binary") for c in range(len(candidates))]
    model += pulp.lpDot(_costs(candidates, objective), x)
    model += pulp.lpSum(x) == 1, "one"
    slow = [0.0 if c.pattern.id == REFERENCE else c.slowdown - threshold for c in candidates]
    model += pulp.lpDot(slow, x) <= 0, "tolerable"
    return model, x


def choose(
    candidates: Sequence[Candidate],
    threshold: float = THRESHOLD,
    objective: Objective = "joules",
    *,
    solver: str = "cbc",
    **limits: Unpack[SolveLimits],
) -> CertifiedPlan[Candidate]:
    """The pattern that the engine's ``by_joules`` or ``by_rank`` takes.

    Raises
    ------
    InputError
        Energy is not known, or an unknown objective or solver.
    PlanError
        No pattern is tolerable, since the reference is missing; or the model is too large.
    """
    model, x = formulate(candidates, threshold, objective)
    orders = [_costs(candidates, objective)]
    if objective == "joules":
        orders.append(_costs(candidates, "rank"))
    chosen, certificate = choose_one(
        model,
        x,
        orders,
        lambda c: violations(candidates, candidates[c], threshold),
        solver=solver,
        **limits,
    )
    return CertifiedPlan(candidates[chosen], certificate)


def rank_base(candidates: Sequence[Candidate]) -> int:
    """D of the module's docstring: a number above every count of sockets and dies."""
    used = [candidate.pattern.layout for candidate in candidates]
    return 1 + max((max(u.processors, u.dies) for u in used), default=0)


def _costs(candidates: Sequence[Candidate], objective: Objective) -> list[float]:
    if objective not in get_args(Objective):
        raise InputError(
            f"unknown objective {objective!r}; choose one of {', '.join(get_args(Objective))}"
        )
    if objective == "rank":
        used = [candidate.pattern.layout for candidate in candidates]
        base = rank_base(candidates)
        return [float(-u.tasks * base**2 + u.processors * base + u.dies) for u in used]
    if any(candidate.energy_j is None for candidate in candidates):
        raise InputError(
            "energy is unknown without measured power; use --objective rank, or measure power"
        )
    return [candidate.energy_j or 0.0 for candidate in candidates]
