"""Reasons why nothing fits that need no search."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from solvers.choice.dominance import Filtered
from solvers.choice.exact import lagrangian_bound, total, without_rounding
from solvers.choice.outcome import Evidence
from solvers.choice.problem import Choice
from solvers.model.milp import Floats
from solvers.proofs.exact import decimal


def show_infeasible(evidence: Evidence, remaining: Filtered) -> bool:
    """Whether one budget alone is below its least total, or a class has no item that fits."""
    problem = evidence.problem
    for resource in np.flatnonzero(np.isfinite(problem.budgets)).tolist():
        budget = float(problem.budgets[resource])
        least = np.zeros(0)
        if problem.classes:
            least = np.minimum.reduceat(problem.weights[:, resource], problem.starts[:-1])
        if float(least.sum()) < budget * (1 - 1e-9):
            continue
        exact = total(least.tolist())
        with without_rounding():
            lacking = exact - decimal(budget)
        if lacking > 0:
            name = problem.resource_name(resource)
            note = (
                f"{name}: the lightest items need {float(exact):.15g}, "
                f"{float(lacking):.6g} over the budget of {budget:.15g}"
            )
            return _infeasible(evidence, note)
    for group in np.flatnonzero(np.diff(remaining.starts) == 0)[:1].tolist():
        note = f"class {group}: none of its items fits together with the lightest of the others"
        return _infeasible(evidence, note)
    return False


def show_clash(evidence: Evidence, multipliers: Floats) -> bool:
    """Whether the priced weights of the cheapest picks exceed the priced budgets."""
    problem = evidence.problem
    largest = float(multipliers.max(initial=0.0))
    if largest <= 0.0:
        return False
    prices = multipliers / largest
    # Farkas: a choice that fits has priced weights of at most the priced budgets. If even the least
    # priced weights are above, no choice fits.
    excess = lagrangian_bound(problem, prices, problem.budgets, with_cost=False)
    if excess <= 0:
        return False
    return _infeasible(evidence, clash_note(problem, prices, excess))


def clash_note(problem: Choice, prices: Floats, excess: Decimal) -> str:
    """Say which budgets clash."""
    parts = [f"{p:.4g} x {problem.resource_name(r)}" for r, p in enumerate(prices.tolist()) if p]
    return (
        f"the budgets clash: every choice has {' + '.join(parts)} at least {float(excess):.6g} over"
    )


def _infeasible(evidence: Evidence, note: str) -> bool:
    evidence.infeasible = evidence.exact_bound = True
    evidence.notes.append(note)
    return True
