"""What a little more or less of a resource is worth, as an interval that is certain."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

import solvers
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Outcome
from planner.procurement.problem import UNLIMITED, Problem
from planner.procurement.program import Program
from solvers import Result

STEPS = (-0.05, -0.01, 0.01, 0.05)
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Worth:
    """Effect of one resource, changed by a fraction.

    Attributes
    ----------
    low, high
        The optimal score changes by a fraction between these: from incumbents and bounds of
        both programs. ``None`` where the change leaves no feasible plan.
    certain
        Whether the interval leaves out zero.
    by_dual, by_relaxation
        The change that the linear program's dual predicts: with all integers fixed where they
        are, so of the bought machine alone; and with none being whole, so of another machine.
    """

    resource: str
    change: float
    limit: float
    low: float | None
    high: float | None
    certain: bool
    by_dual: float
    by_relaxation: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def worths(
    optimiser: Optimiser, base: Outcome, resources: tuple[str, ...], steps: tuple[float, ...]
) -> list[Worth]:
    """The worth of each resource at each step, from programs that share their cuts."""
    if base.plan is None or base.bound is None:
        return []
    fixed, free = dual_slopes(base), dual_slopes(base, integers_fixed=False)
    found = []
    for name in resources:
        limit = getattr(optimiser.problem.limits, name)
        if limit == UNLIMITED:
            continue
        for step in steps:
            changed = changed_limit(optimiser.problem, name, limit * (1 + step))
            if name == "racks" and getattr(changed.limits, name) == limit:
                changed = changed_limit(optimiser.problem, name, limit + math.copysign(1, step))
            outcome = optimiser.variant(changed).solve(
                incumbent=base.plan if step > 0 else None, method="what if"
            )
            slopes = (fixed.get(name, 0.0) * limit, free.get(name, 0.0) * limit)
            found.append(_worth(name, step, changed, base, outcome, slopes))
    return found


def changed_limit(problem: Problem, name: str, value: float) -> Problem:
    """The problem with another amount of one resource; racks come whole."""
    return problem.limited(**{name: float(math.floor(value)) if name == "racks" else value})


def _worth(
    name: str,
    step: float,
    changed: Problem,
    base: Outcome,
    outcome: Outcome,
    slopes: tuple[float, float],
) -> Worth:
    limit = getattr(changed.limits, name)
    by_dual, by_relaxation = (math.expm1(slope * step) for slope in slopes)
    if outcome.objective is None or outcome.bound is None or base.objective is None:
        return Worth(
            name, step, limit, None, None,
            certain=True, by_dual=by_dual, by_relaxation=by_relaxation,
        )  # fmt: skip
    low = math.expm1(outcome.objective - (base.bound or base.objective))
    high = math.expm1(outcome.bound - base.objective)
    if step > 0:
        low = max(low, 0.0)  # more of a resource cannot hurt
    else:
        high = min(high, 0.0)
    low, high = min(low, high), max(low, high)  # rounding may cross them
    return Worth(
        name, step, limit, low, high, low > _ROUNDING or high < -_ROUNDING, by_dual, by_relaxation
    )


def dual_slopes(base: Outcome, *, integers_fixed: bool = True) -> dict[str, float]:
    """Change of log S per unit of each resource, from the duals of the last program.

    Either with all integers fixed where the program put them, or with none being whole.
    """
    if base.last is None or base.last[1].x is None:
        return {}
    program, found = base.last
    model, x = found.model, base.last[1].x
    whole, held = np.round(x), model.is_integer & integers_fixed
    fixed = replace(
        model,
        column_lower=np.where(held, whole, model.column_lower),
        column_upper=np.where(held, whole, model.column_upper),
        is_integer=np.zeros(model.columns, dtype=np.bool_),
    )
    linear = solvers.solve(fixed, proof="never")
    return {} if linear.duals is None else _slopes(program, linear)


def _slopes(program: Program, linear: Result) -> dict[str, float]:
    model = linear.model
    duals = linear.duals
    if duals is None:
        return {}
    pull = np.bincount(
        model.column_indices,
        weights=model.coefficients * duals[model.row_of_nonzero],
        minlength=model.columns,
    )
    return {
        name: max(0.0, -float(pull[column])) / program.problem.unit(name)
        for name, column in program.columns.limit.items()
    }
