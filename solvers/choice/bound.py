"""The bound recomputed from multipliers over all items, rounded towards safety."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np

from solvers.choice.exact import MARGIN, priced
from solvers.choice.problem import Choice
from solvers.model.milp import Floats


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
