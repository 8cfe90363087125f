r"""The fastest design for one application: which node type, and how many nodes of it.

Sets and parameters
    k in offers        node types: running power ``w_k`` [W], price ``p_k``, time factor ``f_k``
    s in pieces        straight pieces of the run time on older nodes, ``a_s n + b_s`` [s] for n
                       from ``lo_s`` to ``hi_ks`` (what power and money allow of type k alone)
    P, B               power bound [W], budget
Variables
    use_k_s            1 if the application runs on nodes of type k, their count in piece s
    nodes_k_s          how many of them, integer
Objective
    minimise  sum_ks f_k (a_s nodes_k_s + b_s use_k_s)
Constraints
    one_design         sum_ks use_k_s = 1
    least_k_s          nodes_k_s >= lo_s use_k_s
    most_k_s           nodes_k_s <= hi_ks use_k_s
    power              sum_ks w_k nodes_k_s <= P
    money              sum_ks p_k nodes_k_s <= B

Every run time is made of straight pieces, measured, clamped or extrapolated, so the program is
exact for all of them and its size does not grow with the machine. Where a run time rises with the
node count, the best count is below what power and money allow, and the degree of overprovisioning
that is best by time is below n_ovp / n_wc (thesis, 4.4). The two designs of the thesis are this
program with one offer each; :func:`planner.designs.design.thesis_problem` gives both offers, the
high-end type at its peak power and the older one at its idle power. Left out: nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.designs.design import DesignPlan, DesignProblem, choices
from planner.designs.run_time import run_time
from planner.errors import PlanError
from planner.formulations.solved import CertifiedPlan, refuse_large
from planner.formulations.solved import solve as solve_model
from solvers.certify import ProofMode

if TYPE_CHECKING:
    import pulp


def formulate(problem: DesignProblem) -> tuple[pulp.LpProblem, list[pulp.LpVariable]]:
    """Write the best count; return the model with ``use`` and ``nodes``, in turn.

    They are in the order of :func:`planner.designs.design.choices`.

    Raises
    ------
    PlanError
        No node count of any type is both affordable and of known run time, or the model is too
        large for plain algebra.
    """
    import pulp

    offered = choices(problem)
    refuse_large("best design", 9 * len(offered), "use fewer pieces or offers")
    model = pulp.LpProblem("design", pulp.LpMinimize)
    time, power, money, chosen, columns = [], [], [], [], []
    for offer, s, piece in offered:
        suffix = f"{problem.offers.index(offer)}_{s}"
        use = model.add_variable(f"use_{suffix}", cat="Binary")
        nodes = model.add_variable(f"nodes_{suffix}", 0, piece.last, cat="Integer")
        columns += [use, nodes]
        time.append(offer.time_factor * piece.slope * nodes)
        time.append(offer.time_factor * piece.intercept * use)
        power.append(offer.running_w * nodes)
        money.append(offer.price * nodes)
        chosen.append(use)
        model += nodes >= piece.first * use, f"least_{suffix}"
        model += nodes <= piece.last * use, f"most_{suffix}"
    if not columns:
        raise PlanError(
            f"{problem.application}: no affordable node count has a known run time. Raise the "
            "power bound, or measure more node counts"
        )
    model += pulp.lpSum(time)
    model += pulp.lpSum(chosen) == 1, "one_design"
    model += pulp.lpSum(power) <= problem.power_bound_w, "power"
    model += pulp.lpSum(money) <= problem.budget, "money"
    return model, columns


def solve(
    problem: DesignProblem,
    *,
    solver: str = "highs",
    time_limit_s: float | None = None,
    gap: float = 1e-6,
    seed: int = 0,
    proof: ProofMode = "auto",
) -> CertifiedPlan[DesignPlan]:
    """Solve the best count and read the plan.

    Parameters
    ----------
    problem
        As many offers as are to be compared; :func:`planner.designs.design.forced` leaves one.
    solver, time_limit_s, gap, seed, proof
        As in :func:`solvers.solve`.

    Raises
    ------
    InputError
        An unknown solver, or a limit, gap or seed out of its range.
    PlanError
        No design exists, or the solver found none.
    """
    model, columns = formulate(problem)
    model.name = f"design for {problem.application}"
    solved = solve_model(
        model,
        solver=solver,
        time_limit_s=time_limit_s,
        gap=gap,
        seed=seed,
        proof=proof,
        columns=columns,
    )
    pairs = zip(choices(problem), columns[::2], columns[1::2], strict=True)
    offer, nodes = next((c[0], round(solved.value(n))) for c, use, n in pairs if solved.chosen(use))
    time_s = offer.time_factor * run_time(problem.time, nodes, problem.outside).time_s
    plan = DesignPlan(problem.application, solved.certificate.solver, offer.name, nodes, time_s)
    return CertifiedPlan(plan, solved.certificate)
