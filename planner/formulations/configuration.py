r"""The fastest configuration of one job under a power bound.

Sets and parameters
    k in K             configurations, each nodes x cores per node and a package cap: run time
                       ``t_k`` [s], power that counts against the bound ``P_k`` [W]
    P                  usable power bound [W]: the bound less its guard band
Variables
    x_k                1 if the job runs as configuration k
Objective
    minimise  sum_k t_k x_k
Constraints
    one                sum_k x_k = 1
    power              sum_k P_k x_k <= P

This is ``min t(n, c, p)`` subject to ``Pw(n, c, p) <= P_bound`` (thesis, section 3.1). Ties in time
are broken by least power, then fewest nodes, then fewest cores per node, then the lowest cap. The
program is solved again for power among the tied configurations. It is solved once more for the
position in the table, which is sorted by nodes, cores and cap.

The power of a predicted configuration counts with its guard on top. Ties in time are broken by
least power without the guard. Left out: nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from planner.configurations.selection import Bound, violations
from planner.configurations.table import Configuration, ConfigurationTable
from planner.formulations.choices import choose_one
from planner.formulations.solved import CertifiedPlan, SolveLimits, refuse_large

if TYPE_CHECKING:
    import pulp


def formulate(
    table: ConfigurationTable, bound: Bound
) -> tuple[pulp.LpProblem, list[pulp.LpVariable]]:
    """Return the model of the module's docstring with ``x[k]``.

    Raises
    ------
    PlanError
        The model is too large.
    """
    import pulp

    refuse_large("configuration", 3 * len(table), "use --method engine")
    model = pulp.LpProblem("configuration", pulp.LpMinimize)
    x = [model.add_variable(f"x_{k}", cat="Binary") for k in range(len(table))]
    model += pulp.lpDot(table.time_s.tolist(), x)
    model += pulp.lpSum(x) == 1, "one"
    model += pulp.lpDot(table.charged_w.tolist(), x) <= bound.usable_w, "power"
    return model, x


def best(
    table: ConfigurationTable, bound: Bound, *, solver: str = "cbc", **limits: Unpack[SolveLimits]
) -> CertifiedPlan[Configuration]:
    """The fastest configuration within the bound.

    Raises
    ------
    PlanError
        No configuration keeps to the bound, or the model is too large.
    """
    model, x = formulate(table, bound)
    orders = (table.time_s.tolist(), table.power_w.tolist(), range(len(table)))
    chosen, certificate = choose_one(
        model,
        x,
        orders,
        lambda k: violations(table, bound, table.row(k)),
        solver=solver,
        **limits,
    )
    return CertifiedPlan(table.row(chosen), certificate)
