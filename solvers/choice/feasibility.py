"""Reasons why nothing fits that need no search."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from solvers.choice.dominance import Filtered, class_extremes
from solvers.choice.exact import lagrangian_bound, total, without_rounding
from solvers.choice.outcome import Evidence
from solvers.choice.problem import Choice
from solvers.model.milp import Floats
from solvers.model.note import Note, note
from solvers.proofs.exact import decimal


def show_infeasible(evidence: Evidence, remaining: Filtered) -> bool:
    """Whether one budget alone is below its least total, or a class has no item that fits."""
    problem = evidence.problem
    lightest, _ = class_extremes(problem.starts, problem.table, problem.weights)
    for resource in np.flatnonzero(np.isfinite(problem.budgets)).tolist():
        budget = float(problem.budgets[resource])
        least = lightest[:, resource].copy()
        if float(least.sum()) < budget * (1 - 1e-9):
            continue
        exact = total(least.tolist())
        with without_rounding():
            lacking = exact - decimal(budget)
        if lacking > 0:
            lacks = note(
                "over-budget",
                resource=(problem.resource_name(resource), "id"),
                least=(float(exact), "number"),
                budget=(budget, "number"),
                excess=(float(lacking), "number"),
            )
            return _infeasible(evidence, lacks)
    for group in np.flatnonzero(np.diff(remaining.starts) == 0)[:1].tolist():
        return _infeasible(evidence, note("class-unfit", number=(group, "id")))
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
    return _infeasible(evidence, _clash(problem, prices, excess))


def _clash(problem: Choice, prices: Floats, excess: Decimal) -> Note:
    """Which budgets clash: of every choice the priced sum of these resources is too large."""
    priced = [(problem.resource_name(r), p) for r, p in enumerate(prices.tolist()) if p]
    return note(
        "budgets-clash",
        resources=(tuple(name for name, _ in priced), "id"),
        prices=(tuple(price for _, price in priced), "number"),
        excess=(float(excess), "number"),
    )


def _infeasible(evidence: Evidence, reason: Note) -> bool:
    evidence.infeasible = evidence.exact_bound = True
    evidence.notes.append(reason)
    return True
