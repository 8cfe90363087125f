r"""The Lagrangian dual: the best bound that prices of the resources can give.

For any :math:`y \ge 0`

.. math:: L(y) = \sum_j \min_{k \in K_j} \Bigl(c_{jk} + \sum_r y_r w_{jk}^r\Bigr)
          - \sum_r y_r b_r

is at most the optimum. ``L`` is concave and piecewise linear, and its maximum is the optimum of
the linear relaxation, because each class alone is integral. It is found by cutting planes, in the
form of column generation: a master program over few picks (one item of each class) and one row
per resource, solved by a dense simplex of ``resources + 1`` rows; its multipliers ask for the next
pick. The question is put between the best multipliers so far and the master's, which keeps them
from swinging.

References
----------
Kelley, *The cutting-plane method for solving convex programs*, J. SIAM 8 (1960), 703-712.
Ben-Ameur and Neto, *Acceleration of cutting-plane and column generation algorithms*, Networks 49
(2007), 3-17: the in-out query point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.choice.compiled import compiled
from solvers.choice.dominance import Filtered
from solvers.milp import Floats, Indices

_LARGEST_CAP = 1e12
_ENOUGH = 1e-11


@dataclass(frozen=True, eq=False)
class Dual:
    """Maximum of the Lagrangian function, as far as floating numbers find it.

    Attributes
    ----------
    multipliers
        Per resource left, shape ``(resources left,)``.
    value
        ``L(multipliers)``, without care for rounding: a bound for use is recomputed.
    points, shares
        Multipliers whose picks make up the solution of the linear relaxation, and their shares:
        shapes ``(points, resources left)`` and ``(points,)``.
    queries
        Evaluations of ``L``.
    short
        Whether no mixture of picks meets the budgets at any price that was tried.
    """

    multipliers: Floats
    value: float
    points: Floats
    shares: Floats
    queries: int
    short: bool


def solve_dual(left: Filtered, *, queries: int = 2000) -> Dual:
    """Maximise ``L`` over multipliers up to a cap, which is raised while it binds."""
    spans = np.array([w.max() - w.min() if len(w) else 0.0 for w in left.weights])
    span = float(left.cost.max() - left.cost.min()) or 1.0
    scale = span / np.where(spans > 0, spans, 1.0)  # of multipliers
    cap, asked = 4.0, 0
    while True:
        y, value, points, shares, used, short = cutting_planes(
            left.starts, left.cost, left.weights, left.budgets, scale, cap, span, queries
        )
        asked += used
        if not short or cap >= _LARGEST_CAP:
            return Dual(y, value, points, shares, asked, short)
        cap *= 64.0


@compiled
def pick(
    starts: Indices, cost: Floats, weights: Floats, y: Floats, chosen: Indices
) -> tuple[float, Floats]:
    """Pick the cheapest item of each class at prices ``y``: total cost and total weights."""
    resources = len(weights)
    totals, cost_total = np.zeros(resources), 0.0
    for j in range(len(starts) - 1):
        best, least = starts[j], np.inf
        if resources == 2:
            for k in range(starts[j], starts[j + 1]):
                value = cost[k] + y[0] * weights[0, k] + y[1] * weights[1, k]
                if value < least:
                    best, least = k, value
        else:
            for k in range(starts[j], starts[j + 1]):
                value = cost[k]
                for r in range(resources):
                    value += y[r] * weights[r, k]
                if value < least:
                    best, least = k, value
        chosen[j] = best
        cost_total += cost[best]
        for r in range(resources):
            totals[r] += weights[r, best]
    return cost_total, totals


@compiled
def eliminate(matrix: Floats, right: Floats) -> bool:
    """Solve a small square system in place; false if it is singular."""
    n = len(right)
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > abs(matrix[pivot, k]):
                pivot = i
        if abs(matrix[pivot, k]) < 1e-14:
            return False
        if pivot != k:
            for c in range(k, n):
                matrix[k, c], matrix[pivot, c] = matrix[pivot, c], matrix[k, c]
            right[k], right[pivot] = right[pivot], right[k]
        for i in range(k + 1, n):
            factor = matrix[i, k] / matrix[k, k]
            if factor != 0.0:
                for c in range(k, n):
                    matrix[i, c] -= factor * matrix[k, c]
                right[i] -= factor * right[k]
    for k in range(n - 1, -1, -1):
        for c in range(k + 1, n):
            right[k] -= matrix[k, c] * right[c]
        right[k] /= matrix[k, k]
    return True


@compiled
def simplex(
    columns: Floats, costs: Floats, count: int, basis: Indices, prices: Floats, values: Floats
) -> bool:
    """Primal simplex from a feasible basis: min costs x, columns x = (0, ..., 0, 1), x >= 0."""
    m = columns.shape[1]
    matrix, direction = np.empty((m, m)), np.empty(m)
    inside = np.zeros(len(costs), dtype=np.bool_)
    for i in range(m):
        inside[basis[i]] = True
    for step in range(200 * m):
        for i in range(m):
            prices[i] = costs[basis[i]]
            for r in range(m):
                matrix[i, r] = columns[basis[i], r]
        if not eliminate(matrix, prices):
            return False
        enter, worst = -1, -1e-12
        for k in range(count):
            if inside[k]:
                continue
            reduced = costs[k]
            for r in range(m):
                reduced -= prices[r] * columns[k, r]
            if reduced < worst:
                enter, worst = k, reduced
                if step > 50 * m:  # Bland's rule, lest it cycle
                    break
        for r in range(m):
            values[r] = 1.0 if r == m - 1 else 0.0
            for i in range(m):
                matrix[r, i] = columns[basis[i], r]
        if not eliminate(matrix, values):
            return False
        if enter < 0:
            return True
        for r in range(m):
            direction[r] = columns[enter, r]
            for i in range(m):
                matrix[r, i] = columns[basis[i], r]
        if not eliminate(matrix, direction):
            return False
        leave, least = -1, np.inf
        for i in range(m):
            if direction[i] > 1e-11:
                ratio = max(values[i], 0.0) / direction[i]
                if ratio < least or (ratio == least and basis[i] < basis[leave]):
                    leave, least = i, ratio
        if leave < 0:
            return False
        inside[basis[leave]], inside[enter] = False, True
        basis[leave] = enter
    return True


@compiled
def cutting_planes(
    starts: Indices,
    cost: Floats,
    weights: Floats,
    budgets: Floats,
    scale: Floats,
    cap: float,
    span: float,
    queries: int,
) -> tuple[Floats, float, Floats, Floats, int, bool]:
    """Column generation under multipliers of at most ``cap * scale``."""
    resources = len(weights)
    m, classes = resources + 1, len(starts) - 1
    unit = 1.0
    fixed = 2 * resources
    columns, costs = np.zeros((fixed + queries + 1, m)), np.zeros(fixed + queries + 1)
    asked_at = np.zeros((queries + 1, resources))
    for r in range(resources):
        columns[r, r] = 1.0  # slack
        columns[resources + r, r] = -1.0  # lack, at the price of the cap
        costs[resources + r] = cap
    chosen = np.empty(classes, dtype=np.int64)
    basis, prices, values = np.empty(m, dtype=np.int64), np.zeros(m), np.zeros(m)
    best_y, best, y = np.zeros(resources), -np.inf, np.zeros(resources)
    used, inwards, pulled = 0, 0.0, False
    base = 0.0
    while used < queries:
        total, totals = pick(starts, cost, weights, y, chosen)
        value = total
        if used == 0:
            base = total
            unit = max(abs(total), 1e-6 * span * classes)
        k = fixed + used
        costs[k] = (total - base) / unit
        columns[k, resources] = 1.0
        for r in range(resources):
            value += y[r] * (totals[r] - budgets[r])
            columns[k, r] = (totals[r] - budgets[r]) * scale[r] / unit
            asked_at[used, r] = y[r]
        used += 1
        if value > best:
            best = value
            best_y[:] = y
        if used == 1:
            for r in range(resources):
                basis[r] = resources + r if columns[k, r] > 0 else r
            basis[resources] = k
        else:
            reduced = costs[k]
            for r in range(m):
                reduced -= prices[r] * columns[k, r]
            if reduced > -1e-12:
                if not pulled:
                    break
                inwards = 0.0
            else:
                inwards = min(0.5, inwards + 0.125)
        if not simplex(columns, costs, fixed + used, basis, prices, values):
            break
        master = prices[resources] * unit + base
        if master - best <= _ENOUGH * max(abs(master), abs(best)):
            break
        pulled = inwards > 0.0
        for r in range(resources):
            outer = min(max(-prices[r], 0.0), cap) * scale[r]
            y[r] = inwards * best_y[r] + (1 - inwards) * outer
    kept, short = 0, False
    points, shares = np.empty((m, resources)), np.empty(m)
    for i in range(m):
        if basis[i] >= fixed and values[i] > 0:
            points[kept] = asked_at[basis[i] - fixed]
            shares[kept] = values[i]
            kept += 1
        elif resources <= basis[i] < fixed and values[i] > 1e-12:
            short = True
    return best_y, best, points[:kept].copy(), shares[:kept].copy(), used, short
