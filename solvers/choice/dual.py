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

from solvers.choice.dominance import Filtered
from solvers.compiled import compiled, counted, counted_entry
from solvers.model.milp import Floats, Indices

_LARGEST_CAP = 1e12
_ENOUGH = 1e-11
_QUERIES = 2_000


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
    short
        Whether no mixture of picks meets the budgets at any price that was tried.
    """

    multipliers: Floats
    value: float
    points: Floats
    shares: Floats
    short: bool


def solve_dual(remaining: Filtered) -> Dual:
    """Maximise ``L`` over multipliers up to a cap, which is raised while it binds."""
    spans = np.array([w.max() - w.min() if len(w) else 0.0 for w in remaining.weights])
    span = float(remaining.cost.max() - remaining.cost.min()) or 1.0
    scale = span / np.where(spans > 0, spans, 1.0)  # of multipliers
    cap = 4.0
    while True:
        y, value, asked_at, basis, shares = cutting_planes(
            remaining.starts,
            remaining.cost,
            remaining.weights,
            remaining.budgets,
            scale,
            cap,
            span,
            _QUERIES,
        )
        resources = len(y)
        lacking = (basis >= resources) & (basis < 2 * resources)
        short = bool((shares[lacking] > 1e-12).any())
        mixed = (basis >= 2 * resources) & (shares > 0)
        points, shares = asked_at[basis[mixed] - 2 * resources], shares[mixed]
        if not mixed.any():  # the master failed on its numbers
            points, shares = y[None, :], np.ones(1)
        if not short or cap >= _LARGEST_CAP:
            return Dual(y, value, points, shares, short)
        cap *= 64.0


@counted_entry
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


@counted
def basis_matrix(columns: Floats, basis: Indices) -> Floats:
    """Columns of the basis side by side."""
    m = len(basis)
    matrix = np.empty((m, m))
    for i in range(m):
        for r in range(m):
            matrix[r, i] = columns[basis[i], r]
    return matrix


@compiled
def entering(
    columns: Floats, costs: Floats, count: int, basis: Indices, prices: Floats, most: int
) -> int:
    """Column of the least reduced cost among the first ``most`` negative ones; -1 if none is."""
    enter, worst, seen = -1, -1e-12, 0
    for k in range(count):
        reduced = costs[k]
        for r in range(len(prices)):
            reduced -= prices[r] * columns[k, r]
        if reduced < worst:
            inside = False
            for i in range(len(basis)):
                inside = inside or basis[i] == k
            if not inside:
                enter, worst = k, reduced
                seen += 1
                if seen == most:
                    break
    return enter


@counted
def simplex(
    columns: Floats, costs: Floats, count: int, basis: Indices, prices: Floats, values: Floats
) -> bool:
    """Primal simplex from a feasible basis: min costs x, columns x = (0, ..., 0, 1), x >= 0."""
    m = columns.shape[1]
    # At the head the basis is feasible. Prices and values are solved for from the columns in each
    # step, so their errors do not add up.
    for step in range(200 * m):
        for i in range(m):
            prices[i] = costs[basis[i]]
            values[i] = 1.0 if i == m - 1 else 0.0
        matrix = basis_matrix(columns, basis)
        if not eliminate(matrix.T.copy(), prices) or not eliminate(matrix, values):
            return False
        most = 1 if step > 50 * m else count + 1  # Bland's rule, lest it cycle
        enter = entering(columns, costs, count, basis, prices, most)
        if enter < 0:
            return True
        direction = columns[enter].copy()
        if not eliminate(basis_matrix(columns, basis), direction):
            return False
        leave, least = -1, np.inf
        for i in range(m):
            if direction[i] > 1e-11:
                # Values may be just below 0 by rounding. Ties go to the least column: Bland (1977).
                ratio = max(values[i], 0.0) / direction[i]
                if ratio < least or (ratio == least and basis[i] < basis[leave]):
                    leave, least = i, ratio
        if leave < 0:
            return False
        basis[leave] = enter
    return True


@compiled
def reduced_cost(column: Floats, cost: float, prices: Floats) -> float:
    """Cost less the priced entries."""
    for r in range(len(prices)):
        cost -= prices[r] * column[r]
    return cost


@counted_entry
def cutting_planes(  # noqa: C901 - one loop, and numba passes no objects
    starts: Indices,
    cost: Floats,
    weights: Floats,
    budgets: Floats,
    scale: Floats,
    cap: float,
    span: float,
    queries: int,
) -> tuple[Floats, float, Floats, Indices, Floats]:
    """Column generation under multipliers of at most ``cap * scale``.

    Returns
    -------
    multipliers, value, asked_at, basis, basis_values, queries
        The basis counts slacks first, then lacks, then the picks at ``asked_at``.
    """
    resources, classes = len(weights), len(starts) - 1
    m, fixed = resources + 1, 2 * resources
    columns, costs = np.zeros((fixed + queries, m)), np.zeros(fixed + queries)
    asked_at = np.zeros((queries, resources))
    for r in range(resources):
        columns[r, r] = 1.0  # slack
        columns[resources + r, r] = -1.0  # lack, at the price of the cap
        costs[resources + r] = cap
    chosen = np.empty(classes, dtype=np.int64)
    basis, prices, values = np.empty(m, dtype=np.int64), np.zeros(m), np.zeros(m)
    best_y, best, y = np.zeros(resources), -np.inf, np.zeros(resources)
    inwards, pulled, base, unit, used = 0.0, False, 0.0, 1.0, 0
    # At the head the master has one column for each pick so far: its cost over that of the first
    # pick, its weights over the budgets, and 1 for the sum of the shares. `best` is the largest L
    # so far, at `best_y`. The master knows only some picks and L is the least over all, so from the
    # first solution on the master's value is at least L at all multipliers under the cap. The loop
    # may stop where the two meet.
    while used < queries:
        total, totals = pick(starts, cost, weights, y, chosen)
        value = total
        if used == 0:
            base, unit = total, max(abs(total), 1e-6 * span * classes)
        k = fixed + used
        costs[k], columns[k, resources] = (total - base) / unit, 1.0
        for r in range(resources):
            value += y[r] * (totals[r] - budgets[r])
            columns[k, r] = (totals[r] - budgets[r]) * scale[r] / unit
            asked_at[used, r] = y[r]
        used += 1
        if value > best:
            best = value
            for r in range(resources):
                best_y[r] = y[r]
        if used == 1:
            # With the whole share on the first pick a row above its budget needs its lack, every
            # other one its slack: that basis is feasible.
            for r in range(resources):
                basis[r] = resources + r if columns[k, r] > 0 else r
            basis[resources] = k
        # A pick with a negative reduced cost cuts the master, and the next query lies further
        # inwards. A pick without one adds nothing at the master's own prices. These are the next
        # query if this one was pulled inwards; else no pick can cut them, and the master is
        # optimal.
        elif reduced_cost(columns[k], costs[k], prices) <= -1e-12:
            inwards = min(0.5, inwards + 0.125)
        elif pulled:
            inwards = 0.0
        else:
            break
        if not simplex(columns, costs, fixed + used, basis, prices, values):
            break
        master = prices[resources] * unit + base
        if master - best <= _ENOUGH * max(abs(master), abs(best)):
            break
        pulled = inwards > 0.0
        for r in range(resources):
            outer = min(max(-prices[r], 0.0), cap) * scale[r]
            y[r] = inwards * best_y[r] + (1.0 - inwards) * outer
    return best_y, best, asked_at, basis, values
