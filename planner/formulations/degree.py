r"""How many nodes to buy for a power bound: the degree of overprovisioning, by three readings.

Sets and parameters
    k in K             configurations of an application: nodes ``n_k``, run time ``t_k`` [s],
                       power ``P_k`` [W]
    m in M             node counts with a configuration within the bound; ``T_m`` is the least
                       run time among those [s]
    P                  usable power bound [W]
    g                  least share of run time that a node added must save
    F                  cost of the machine without its nodes, in prices of one node
    n_wc               nodes that fit by rating (worst-case provisioning)
Variables
    x_k                1 if the machine has n_k nodes and runs configuration k
Objective
    *fastest*          minimise  sum_k t_k x_k; of equal times the fewest nodes
    *money*            minimise  sum_k (F + n_k) t_k x_k; of equal values the fewest nodes
    *marginal*         minimise  sum_k n_k x_k
Constraints
    one                sum_k x_k = 1
    power              sum_k P_k x_k <= P
    reached_m          sum_(k: n_k >= m) (t_k - T_m) x_k <= 0              (marginal only)
    flat_m             sum_(k: n_k < m) ((1 - g (m - n_k)) t_k - T_m) x_k <= 0   (marginal only)

The degree is the number of nodes over n_wc (thesis, section 4.2). *marginal* is the knee by time:
the machine is as fast as any smaller one (reached), and no larger one saves g of the run time per
node added (flat); a larger one that saves exactly g per node does pay. *money* is the knee by
time x money; what a machine costs is F and its nodes.

Left out: the mix of applications, whose times are geometric means; and the run times of the cost
model, for which :mod:`planner.formulations.best_design` finds the best number of nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Unpack

import numpy as np

from planner.configurations.degree import LEAST_GAIN_PER_NODE, Degree
from planner.configurations.selection import Bound, violations
from planner.configurations.table import ConfigurationTable
from planner.decimals import decimal
from planner.errors import InputError, PlanError
from planner.formulations.choices import choose_one
from planner.formulations.solved import SolveLimits, refuse_large

if TYPE_CHECKING:
    import pulp

Reading = Literal["fastest", "marginal", "money"]


def formulate(
    table: ConfigurationTable,
    bound: Bound,
    reading: Reading = "marginal",
    *,
    least_gain: float = LEAST_GAIN_PER_NODE,
    fixed_cost_nodes: float = 0.0,
) -> tuple[pulp.LpProblem, list[pulp.LpVariable]]:
    """Return the model of the module's docstring with ``x[k]``.

    Raises
    ------
    PlanError
        The model is too large.
    """
    import pulp

    least_s = _least_times(table, bound)
    refuse_large("degree", (3 + len(least_s)) * len(table), "use the engine")
    model = pulp.LpProblem("degree", pulp.LpMinimize)
    x = [model.add_variable(f"x_{k}", cat="Binary") for k in range(len(table))]
    rows = list(zip(table.nodes.tolist(), table.time_s.tolist(), x, strict=True))
    if reading == "fastest":
        model += pulp.lpSum(t * x_k for _, t, x_k in rows)
    elif reading == "money":
        model += pulp.lpSum((fixed_cost_nodes + n) * t * x_k for n, t, x_k in rows)
    else:
        model += pulp.lpSum(n * x_k for n, _, x_k in rows)
        for m, best in least_s.items():
            reached = [(t - best) * x_k for n, t, x_k in rows if n >= m]
            flat = [((1 - least_gain * (m - n)) * t - best) * x_k for n, t, x_k in rows if n < m]
            model += pulp.lpSum(reached) <= 0, f"reached_{m}"
            if flat:
                model += pulp.lpSum(flat) <= 0, f"flat_{m}"
    model += pulp.lpSum(x) == 1, "one"
    model += pulp.lpDot(table.charged_w.tolist(), x) <= bound.usable_w, "power"
    return model, x


def degree(
    table: ConfigurationTable,
    bound: Bound,
    worst_case_nodes: int,
    *,
    least_gain: float = LEAST_GAIN_PER_NODE,
    fixed_cost_nodes: float | None = None,
    solver: str = "cbc",
    **limits: Unpack[SolveLimits],
) -> Degree:
    """Read the number of nodes off the programs, as the engine reads it off the curve.

    Raises
    ------
    InputError
        A fixed cost below 0.
    PlanError
        No configuration keeps to the bound, or the model is too large.
    """
    if fixed_cost_nodes is not None and not 0 <= fixed_cost_nodes < np.inf:
        raise InputError(f"the fixed cost is {fixed_cost_nodes:g} nodes; give 0 or more")
    least_s = _least_times(table, bound)
    if not least_s:
        raise PlanError(f"degree: no configuration of {table.application} fits the bound; raise it")
    nodes, times = table.nodes.tolist(), table.time_s.tolist()
    fixed = fixed_cost_nodes or 0.0
    orders = {
        "fastest": [times, nodes],
        "marginal": [nodes],
        "money": [[(fixed + n) * t for n, t in zip(nodes, times, strict=True)], nodes],
    }

    def nodes_of(reading: Reading) -> int:
        def problems_of(k: int) -> list[str]:
            problems = violations(table, bound, table.row(k))
            if reading == "marginal":
                problems += _pays(nodes[k], times[k], least_s, least_gain)
            return problems

        model, x = formulate(table, bound, reading, least_gain=least_gain, fixed_cost_nodes=fixed)
        chosen, _ = choose_one(model, x, orders[reading], problems_of, solver=solver, **limits)
        return int(nodes[chosen])

    return Degree(
        table.application,
        bound.bound_w,
        worst_case_nodes,
        nodes_of("fastest"),
        nodes_of("marginal"),
        None if fixed_cost_nodes is None else nodes_of("money"),
        least_gain,
        max(least_s),
    )


def _least_times(table: ConfigurationTable, bound: Bound) -> dict[int, float]:
    """``T_m``, by node count, ascending."""
    inside = bound.holds(table.charged_w)
    counts = np.unique(table.nodes[inside]).tolist()
    return {int(m): float(table.time_s[inside & (table.nodes == m)].min()) for m in counts}


def _pays(nodes: int, time_s: float, least_s: dict[int, float], least_gain: float) -> list[str]:
    """List the reasons why this machine is not the knee, in exact decimals."""
    time, gain = decimal(time_s), decimal(least_gain)
    problems = []
    for m, best in least_s.items():
        saved = (time - decimal(best)) / time
        if saved > 0 and saved >= gain * max(0, m - nodes):
            problems.append(f"{m} nodes take {best:g} s, not {time_s:g} s as {nodes}")
    return problems
