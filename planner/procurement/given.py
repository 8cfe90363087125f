"""The best that a given machine can do: its work is chosen, its nodes are not."""

from __future__ import annotations

import math
from collections.abc import Sequence

from planner.procurement.heuristics import fits
from planner.procurement.optimise import Optimiser
from planner.procurement.plan import Plan, meets_mandates
from planner.procurement.program import Program
from planner.procurement.reach import Reach, reach

_SPENT = 1e-9
"""Share of the operating budget: a smaller remainder is rounding."""


def at_best(optimiser: Optimiser, plan: Plan) -> Plan:
    """The same machine, with the operating budget shared out at best where it is used up."""
    problem, nodes = optimiser.problem, list(plan.nodes)
    if plan.operating < problem.limits.operating * (1 - _SPENT):
        return plan
    if not fits(problem, optimiser.layout, nodes):
        return plan

    def fix(program: Program) -> None:
        for k, (column, count) in enumerate(zip(program.columns.nodes, nodes, strict=True)):
            program.row(f"given_{k}", [(int(column), 1.0)], lower=float(count), upper=float(count))

    best = optimiser.solve(extend=fix, method=plan.method).plan
    return plan if best is None or best.objective < plan.objective else best


def works(optimiser: Optimiser, plan: Plan) -> bool:
    """Whether a plan does some of all work and all that is mandatory."""
    return plan.objective > -math.inf and meets_mandates(optimiser.problem, plan)


def at_its_best(
    optimiser: Optimiser, nodes: Sequence[int], method: str
) -> tuple[Plan, Reach | None]:
    """The best plan of a machine; where it misses work, the one that misses fewest requirements.

    Raises
    ------
    PlanError
        A quantity is not on offer.
    """
    plan = at_best(optimiser, optimiser.evaluate(nodes, method))
    if works(optimiser, plan):
        return plan, None
    return reach(optimiser.problem, optimiser.layout, nodes, method)
