"""From the relaxation to a base: one pick near the budgets, and what each departure costs."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from solvers.choice.dominance import Filtered
from solvers.choice.dual import Dual, pick
from solvers.choice.exact import total, without_rounding
from solvers.choice.vertex import unmix
from solvers.compiled import counted_entry
from solvers.model.milp import Floats, Indices
from solvers.proofs.exact import decimal


@dataclass(frozen=True, eq=False)
class Base:
    """A pick of regret about zero whose totals lie within a few items of the budgets.

    Attributes
    ----------
    chosen
        Per class an index into the items left, shape ``(classes,)``.
    regret
        Per item left what it costs at the multipliers above the least of its class,
        shape ``(items left,)``, rounded down by more than its floating error.
    multipliers
        Per resource left.
    exact_slack
        Budget less total per resource left, in exact decimals; may be negative.
    cost
        Cost of the pick, in exact decimals.
    """

    chosen: Indices
    regret: Floats
    cost: Decimal
    multipliers: Floats
    exact_slack: tuple[Decimal, ...]


def base(remaining: Filtered, dual: Dual, multipliers: Floats, grain: float) -> Base:
    """Round the solution of the relaxation, of which all but a few classes are whole.

    Regrets are rounded down to multiples of ``grain``: what ties up to rounding shall tie.
    """
    picks = np.empty((len(dual.points), remaining.classes), dtype=np.int64)
    for row, point in enumerate(dual.points):
        pick(remaining.starts, remaining.cost, remaining.weights, point, picks[row])
    scale = np.array([1.0 / (w.max() - w.min() or 1.0) for w in remaining.weights])
    chosen = unmix(picks, dual.shares, remaining.weights, scale)
    regret = regrets(remaining.starts, remaining.cost, remaining.weights, multipliers)
    np.floor(regret / grain, out=regret)
    regret *= grain
    return Base(
        chosen,
        regret,
        total(remaining.cost[chosen].tolist()),
        multipliers,
        exact_slack(remaining, chosen),
    )


def rebased(remaining: Filtered, start: Base, chosen: Indices) -> Base:
    """Return the same regrets around another choice."""
    cost = total(remaining.cost[chosen].tolist())
    return Base(chosen, start.regret, cost, start.multipliers, exact_slack(remaining, chosen))


def exact_slack(remaining: Filtered, chosen: Indices) -> tuple[Decimal, ...]:
    """Budget less total per resource left."""
    totals = [total(weights[chosen].tolist()) for weights in remaining.weights]
    with without_rounding():
        return tuple(
            decimal(b) - t for b, t in zip(remaining.budgets.tolist(), totals, strict=True)
        )


@counted_entry
def regrets(starts: Indices, cost: Floats, weights: Floats, y: Floats) -> Floats:
    """Cost at prices ``y`` above the least of the class, per item, rounded down."""
    resources = len(weights)
    out = np.empty(len(cost))
    for j in range(len(starts) - 1):
        least, size = np.inf, 0.0
        for k in range(starts[j], starts[j + 1]):
            value, large = cost[k], abs(cost[k])
            for r in range(resources):
                value += y[r] * weights[r, k]
                large += y[r] * weights[r, k]
            # Lowered by more than the rounding of its terms; the least below is raised likewise. So
            # no regret exceeds the true one, on which bounds rely.
            out[k] = value - 1e-14 * large
            if value < least:
                least, size = value, large
        least += 1e-14 * size
        for k in range(starts[j], starts[j + 1]):
            out[k] = max(0.0, out[k] - least)
    return out
