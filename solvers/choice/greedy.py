"""The heuristic in use: from the lightest items, the best saving per unit of what is scarce."""

from __future__ import annotations

import heapq

import numpy as np

from solvers.choice.dominance import Filtered
from solvers.compiled import compiled, counted, counted_entry
from solvers.model.milp import Floats, Indices


def greedy(remaining: Filtered) -> Indices | None:
    """Begin with the lightest item of each class and take the best change while any fits.

    The saving of a change is divided by its weights, each as a share of the slack at the
    beginning (Toyoda, *A simplified algorithm for obtaining approximate solutions to zero-one
    programming problems*, Management Science 21 (1975), 1417-1427, with the penalty held fixed).

    Returns
    -------
    Indices among the items left, shape ``(classes,)``, or ``None`` if no start was found.
    """
    budgets = np.maximum(remaining.budgets, 1e-300)
    chosen = lightest(remaining.starts, remaining.weights, budgets)
    if not repair(remaining.starts, remaining.weights, remaining.budgets, remaining.cost, chosen):
        return None
    improve(remaining.starts, remaining.cost, remaining.weights, remaining.budgets, chosen)
    return chosen


@counted_entry
def lightest(starts: Indices, weights: Floats, budgets: Floats) -> Indices:
    """Item of each class with the least sum of weights as shares of the budgets."""
    chosen = np.empty(len(starts) - 1, dtype=np.int64)
    for j in range(len(chosen)):
        least = np.inf
        for k in range(starts[j], starts[j + 1]):
            share = 0.0
            for r in range(len(budgets)):
                share += weights[r, k] / budgets[r]
            if share < least:
                chosen[j], least = k, share
    return chosen


@counted
def slacks(weights: Floats, budgets: Floats, chosen: Indices) -> Floats:
    """Budgets less totals."""
    slack = budgets.copy()
    for r in range(len(slack)):
        for k in chosen:
            slack[r] -= weights[r, k]
    return slack


@counted_entry
def repair(
    starts: Indices, weights: Floats, budgets: Floats, price: Floats, chosen: Indices
) -> bool:
    """Change items, least price per relief first, until all budgets hold; false if stuck."""
    resources = len(weights)
    slack = slacks(weights, budgets, chosen)
    # Each change lowers the excess, but perhaps by little: the number of changes is limited.
    for _ in range(20 * len(chosen) + 1):
        over = 0.0
        for r in range(resources):
            over += max(0.0, -slack[r]) / max(abs(budgets[r]), 1e-300)
        if over == 0.0:
            return True
        best_class, best_item, best = -1, -1, np.inf
        for j in range(len(chosen)):
            now = chosen[j]
            for k in range(starts[j], starts[j + 1]):
                after = 0.0
                for r in range(resources):
                    lack = weights[r, k] - weights[r, now] - slack[r]
                    after += max(0.0, lack) / max(abs(budgets[r]), 1e-300)
                if over - after > 1e-15:
                    ratio = max(price[k] - price[now], 1e-9) / (over - after)
                    if ratio < best:
                        best_class, best_item, best = j, k, ratio
        if best_class < 0:
            return False
        for r in range(resources):
            slack[r] += weights[r, chosen[best_class]] - weights[r, best_item]
        chosen[best_class] = best_item
    return False


@compiled
def best_change(
    first: int,
    beyond: int,
    now: int,
    cost: Floats,
    weights: Floats,
    slack: Floats,
    scarce: Floats,
) -> tuple[float, int]:
    """Best saving per scarce share among the items that fit, and the item (-1 if none)."""
    best, item = 0.0, -1
    for k in range(first, beyond):
        if cost[k] >= cost[now]:
            continue
        # Above 0, so that a change that needs nothing scarce can be divided by it.
        share, fits = 1e-12, True
        for r in range(len(slack)):
            more = weights[r, k] - weights[r, now]
            fits = fits and more <= slack[r]
            share += max(0.0, more) * scarce[r]
        if fits and (cost[now] - cost[k]) / share > best:
            best, item = (cost[now] - cost[k]) / share, k
    return best, item


@counted_entry
def improve(
    starts: Indices, cost: Floats, weights: Floats, budgets: Floats, chosen: Indices
) -> None:
    """Take the best change that fits, again and again."""
    slack = slacks(weights, budgets, chosen)
    scarce = 1.0 / np.maximum(slack, 1e-9 * np.maximum(np.abs(budgets), 1e-300))
    # This entry gives numba the type of the list. All gains are above 0, so it comes out last.
    queue = [(0.0, -1, -1)]
    for j in range(len(chosen)):
        gain, item = best_change(starts[j], starts[j + 1], chosen[j], cost, weights, slack, scarce)
        if item >= 0:
            queue.append((-gain, j, item))
    heapq.heapify(queue)
    # Each class has one entry at most. `scarce` is fixed and only its own entry changes a class, so
    # a gain is never out of date; whether it fits may be.
    while queue:
        _, j, item = heapq.heappop(queue)
        if j < 0:
            continue
        fits = True
        for r in range(len(slack)):
            fits = fits and weights[r, item] - weights[r, chosen[j]] <= slack[r]
        if fits:
            for r in range(len(slack)):
                slack[r] -= weights[r, item] - weights[r, chosen[j]]
            chosen[j] = item
        gain, item = best_change(starts[j], starts[j + 1], chosen[j], cost, weights, slack, scarce)
        if item >= 0:
            heapq.heappush(queue, (-gain, j, item))
