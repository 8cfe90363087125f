"""Totals and Lagrangian bounds in exact decimals.

Numbers mean their decimals of 15 significant digits, as in :mod:`solvers.proofs.exact`; sums and
products of decimals are decimals, formed here without rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from decimal import Context, Decimal, Inexact, localcontext

import numpy as np

from solvers.choice.problem import Choice
from solvers.model.milp import Floats, Indices
from solvers.portable import product
from solvers.proofs.exact import decimal

MARGIN = 1.5e-14
"""Relative error of a float next to its decimal (5e-15) and of a sum of a dozen products."""

_DIGITS = 12
_MOST_TIES = 4


@contextmanager
def without_rounding() -> Iterator[None]:
    """Decimal arithmetic that never rounds."""
    with localcontext(Context(prec=2000, Emin=-9999, Emax=9999, traps=[Inexact])):
        yield


def total(numbers: Iterable[float]) -> Decimal:
    """Exact sum of the decimals."""
    with without_rounding():
        return sum(map(decimal, numbers), Decimal(0))


def short_multipliers(multipliers: Floats) -> Floats:
    """Multipliers of few digits, none negative: their products stay short."""
    return np.array([float(f"{max(0.0, y):.{_DIGITS}g}") for y in multipliers.tolist()])


def over_budget(problem: Choice, chosen: Indices) -> Decimal:
    """Largest exact excess over a budget, at most 0 if feasible."""
    worst = Decimal("-Infinity")
    weights = problem.weights_of(chosen)
    for resource in np.flatnonzero(np.isfinite(problem.budgets)).tolist():
        used = total(weights[:, resource].tolist())
        with without_rounding():
            worst = max(worst, used - decimal(problem.budgets[resource]))
    return worst


def lagrangian_bound(
    problem: Choice, multipliers: Floats, budgets: Floats, *, with_cost: bool = True
) -> Decimal:
    """Exact ``L(multipliers)`` over all items of the problem, as a minimisation.

    Floats find the items that may be cheapest in their class; only these are added exactly.
    Where over four of a class tie, its least is rounded down instead, by about 1e-14 of its terms.
    ``with_cost=False`` leaves the costs out: a positive value then shows that nothing fits.
    """
    y = [(r, decimal(v)) for r, v in enumerate(multipliers.tolist()) if v > 0.0]
    sign = Decimal(1 if problem.sense == "min" else -1)
    candidates, group, lowered = _near_least(problem, multipliers, with_cost=with_cost)
    with without_rounding():
        values = [Decimal(0)] * len(candidates)
        if with_cost:
            values = [sign * decimal(c) for c in problem.costs_of(candidates).tolist()]
        weights = problem.weights_of(candidates)
        for resource, price in y:
            pairs = zip(values, weights[:, resource].tolist(), strict=True)
            values = [v + price * decimal(w) for v, w in pairs]
        least: dict[int, Decimal] = {}
        for index, value in zip(group.tolist(), values, strict=True):
            if index not in least or value < least[index]:
                least[index] = value
        spent = sum((price * decimal(budgets[r]) for r, price in y), Decimal(0))
        rest = sum(map(Decimal, lowered.tolist()), Decimal(0))
        return sum(least.values(), Decimal(0)) + rest - spent


def _near_least(
    problem: Choice, multipliers: Floats, *, with_cost: bool
) -> tuple[Indices, Indices, Floats]:
    """Items that may be cheapest in their class at these prices, and their classes.

    Where many of a class tie, its least float is given instead, lowered by more than its error.
    """
    items, groups, lowered = [], [], []
    for first, last in problem.chunks():
        value, size = priced(problem, multipliers, first, last, with_cost=with_cost)
        starts = problem.starts[first:last] - problem.starts[first]
        sizes = np.diff(problem.starts[first : last + 1])
        high = np.minimum.reduceat(value + MARGIN * size, starts)
        low = value - MARGIN * size
        near = np.flatnonzero(low <= np.repeat(high, sizes))
        group = np.searchsorted(starts, near, side="right") - 1
        crowded = np.bincount(group, minlength=len(starts)) > _MOST_TIES
        lowered.append(np.minimum.reduceat(low, starts)[crowded])
        few = ~crowded[group]
        items.append(near[few] + problem.starts[first])
        groups.append(group[few] + first)
    return np.concatenate(items), np.concatenate(groups), np.concatenate(lowered)


def priced(
    problem: Choice, multipliers: Floats, first: int, last: int, *, with_cost: bool = True
) -> tuple[Floats, Floats]:
    """Cost at prices of the items of some classes, and the size of its terms."""
    paid = product(problem.weights_between(first, last), multipliers)
    if not with_cost:
        return paid, paid
    cost = problem.costs_between(first, last)
    if problem.sense == "max":
        cost = -cost
    return cost + paid, np.abs(cost) + paid


def verified_bound(problem: Choice, multipliers: Floats, budgets: Floats) -> Decimal:
    """``L(multipliers)`` in floats, lowered by more than their error; as a minimisation."""
    sums, sizes = list[float](), list[float]()
    for first, last in problem.chunks():
        value, terms = priced(problem, multipliers, first, last)
        starts = problem.starts[first:last] - problem.starts[first]
        least: Floats = np.minimum.reduceat(value - MARGIN * terms, starts)
        sums.append(math.fsum(least.tolist()))
        sizes.append(float(np.abs(least).sum()))
    used = multipliers > 0
    spent = math.fsum((multipliers[used] * budgets[used]).tolist())
    size = math.fsum(sizes) + float(np.abs(multipliers[used] * budgets[used]).sum())
    return Decimal(math.fsum(sums) - spent - MARGIN * size)
