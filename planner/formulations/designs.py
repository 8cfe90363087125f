r"""The two designs of the thesis: few high-end nodes, or many older ones for the same money.

Parameters (thesis, Table 4.6)
    P_sys              power bound [W]
    P_max, P_min       peak power of a high-end node, idle power of an older one [W]
    r_c                price of a high-end node over that of an older one; or whole racks of ``N``
                       nodes: price of an empty rack ``e``, of the nodes ``p_high``, ``p_old``
Variables (all integer but c_wc of a given r_c)
    n_wc               high-end nodes of the worst-case design
    n_lim              older nodes that the power keeps alive
    c_wc               older nodes that the money of the worst-case design buys
    n_ovp              older nodes of the overprovisioned design
    racks_high, racks_old   racks of both (only where r_c is not given)
Objective
    maximise  n_wc + n_lim + c_wc + n_ovp       (none of them is less where another is more)
Constraints
    peak               P_max n_wc <= P_sys                                   (4.1)
    idle               P_min n_lim <= P_sys                                  (4.2)
    cost               c_wc = r_c n_wc                                       (4.3)
    affordable         n_ovp <= c_wc                                         (4.4)
    alive              n_ovp <= n_lim                                        (4.4)
    and for racks, in place of *cost*
    whole_high         n_wc <= N racks_high
    least_high         N racks_high <= n_wc + N - 1
    whole_old          c_wc <= N racks_old
    money              p_old c_wc + e racks_old <= p_high n_wc + e racks_high

The run times t_ovp = t(n_ovp) (4.5) and t_wc = t(n_wc) f (4.6) and the speed-up
s_ovp = t_wc / t_ovp (4.7) follow; f is 1 - r_p or 1/(1 + r_p). The degree of overprovisioning is
n_ovp / n_wc.

Left out: machines of more than a million nodes, which the engine refuses too. A power bound that is
nearer to a whole number of nodes than a solver can tell is refused by name.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Unpack

from planner.decimals import decimal
from planner.designs.overprovisioning import (
    LARGEST_MACHINE,
    DesignCase,
    DesignComparison,
    NodeCounts,
    timed,
)
from planner.designs.racks import RackPrices
from planner.errors import PlanError
from planner.formulations.solved import CertifiedPlan, SolveLimits, solve

if TYPE_CHECKING:
    import pulp

    Variables = dict[str, pulp.LpVariable]


def formulate(case: DesignCase) -> tuple[pulp.LpProblem, Variables]:
    """Write the node counts of both designs; return the model with its variables by name.

    Raises
    ------
    PlanError
        Neither a cost ratio nor rack prices are given.
    """
    import pulp

    model = pulp.LpProblem("node_counts", pulp.LpMaximize)
    n_wc, n_lim, n_ovp = (
        model.add_variable(name, 0, LARGEST_MACHINE, cat="Integer")
        for name in ("n_wc", "n_lim", "n_ovp")
    )
    whole = "Continuous" if case.cost_ratio is not None else "Integer"
    c_wc = model.add_variable("c_wc", lowBound=0, cat=whole)
    model += n_wc + n_lim + c_wc + n_ovp
    model += case.high_end_peak_w * n_wc <= case.power_bound_w, "peak"
    model += case.older_idle_w * n_lim <= case.power_bound_w, "idle"
    if case.cost_ratio is not None:
        model += c_wc == case.cost_ratio * n_wc, "cost"
    elif case.racks is not None:
        _add_racks(model, case.racks, n_wc, c_wc)
    else:
        raise PlanError("give a cost ratio or rack prices")
    model += n_ovp <= c_wc, "affordable"
    model += n_ovp <= n_lim, "alive"
    return model, {variable.name: variable for variable in (n_wc, n_lim, c_wc, n_ovp)}


def _add_racks(
    model: pulp.LpProblem, prices: RackPrices, n_wc: pulp.LpVariable, c_wc: pulp.LpVariable
) -> None:
    size, empty = prices.nodes_per_rack, float(prices.empty_rack)
    high, old = (
        model.add_variable(name, lowBound=0, cat="Integer") for name in ("racks_high", "racks_old")
    )
    model += n_wc <= size * high, "whole_high"
    model += size * high <= n_wc + size - 1, "least_high"
    model += c_wc <= size * old, "whole_old"
    spent = float(prices.older) * c_wc + empty * old
    model += spent <= float(prices.high_end) * n_wc + empty * high, "money"


def node_counts(
    case: DesignCase, *, solver: str = "cbc", **limits: Unpack[SolveLimits]
) -> CertifiedPlan[NodeCounts]:
    """Equations 4.1 to 4.4 as a program.

    Raises
    ------
    PlanError
        A design has no node, or the solver keeps to the bound only within its tolerance.
    """
    model, variables = formulate(case)
    solved = solve(model, solver=solver, **limits)
    n_wc, n_lim, n_ovp = (round(solved.value(variables[n])) for n in ("n_wc", "n_lim", "n_ovp"))
    if 0 in (n_wc, n_lim, n_ovp):
        raise PlanError(
            f"power and money allow {n_wc} high-end nodes and {n_ovp} older ones (idle power "
            f"alone allows {n_lim}). Raise the bound or choose smaller nodes"
        )
    if LARGEST_MACHINE in (n_wc, n_lim):
        raise PlanError(
            f"power.bound_w = {case.power_bound_w:g} allows {LARGEST_MACHINE:,} nodes or more; "
            "check the units"
        )
    if case.cost_ratio is None:
        cost = Fraction(round(solved.value(variables["c_wc"])))
    else:
        cost = n_wc * decimal(case.cost_ratio)
    bound = decimal(case.power_bound_w)
    exact = (
        n_wc * decimal(case.high_end_peak_w) <= bound
        and n_lim * decimal(case.older_idle_w) <= bound
        and n_ovp <= n_lim
        and n_ovp <= cost
    )
    if not exact:
        raise PlanError(
            f"{case.power_bound_w!r} W is too close to a whole number of nodes for {solver} to "
            "separate; use the engine"
        )
    return CertifiedPlan(NodeCounts(n_wc, n_lim, cost, n_ovp, cost / n_wc), solved.certificate)


def compare(
    case: DesignCase, *, solver: str = "cbc", **limits: Unpack[SolveLimits]
) -> CertifiedPlan[DesignComparison]:
    """Equations 4.1 to 4.7 for one application, its node counts by a program.

    Raises
    ------
    PlanError
        No design exists, or a run time is needed where it was not measured.
    """
    counts = node_counts(case, solver=solver, **limits)
    return CertifiedPlan(timed(case, counts.plan), counts.certificate)
