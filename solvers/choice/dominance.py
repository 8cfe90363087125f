"""Items that no optimum needs: too heavy to fit, or beaten by another of their class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solvers.choice.lattice import lattice
from solvers.choice.problem import Choice
from solvers.compiled import compiled, compiled_entry, counted_entry
from solvers.model.milp import Flags, Floats, Indices

_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Filtered:
    """What is left of a problem, always to be minimised.

    Attributes
    ----------
    starts
        Shape ``(classes + 1,)``; a class may be empty here: then nothing fits.
    cost
        Shape ``(items left,)``, negated where the problem maximises.
    weights
        Shape ``(resources left, items left)``: each resource contiguous.
    budgets
        Rounded down to a total that can be reached, shape ``(resources left,)``.
    item
        Index of each item in the problem, ``(items left,)``.
    resource
        Index of each resource in the problem; those that can bind.
    """

    starts: Indices
    cost: Floats
    weights: Floats
    budgets: Floats
    item: Indices
    resource: Indices

    @property
    def classes(self) -> int:
        """Number of classes."""
        return len(self.starts) - 1

    def reachable(self, problem: Choice) -> Floats:
        """Budgets of all resources, those left rounded down, shape ``(resources,)``."""
        budgets = problem.budgets.copy()
        budgets[self.resource] = self.budgets
        return budgets


def filtered(problem: Choice) -> Filtered:
    """Drop resources that cannot bind, items that cannot fit and items that are dominated.

    An item is dominated when another of its class costs no more and weighs no more in every
    resource that can bind; of equals the first is kept. Up to two resources this is a sort and a
    sweep, O(n log n) for a class of n but for shifts within the staircase; beyond two it is
    pairwise, O(n²).

    References
    ----------
    Kellerer, Pferschy and Pisinger, *Knapsack Problems*, section 11.2.1, for one resource.
    """
    least, most = class_extremes(problem.starts, problem.table, problem.weights)
    slack = problem.budgets - least.sum(axis=0)
    binding = np.flatnonzero(most.sum(axis=0) > problem.budgets * (1 - _ROUNDING))
    room = _ROUNDING * (np.abs(problem.budgets) + np.abs(slack))
    # An item above its limit does not fit even with the lightest items of all other classes. Limits
    # are widened by rounding: an item that may fit stays.
    limits = np.ascontiguousarray((least + slack + room)[:, binding])
    weights = problem.weights
    if len(binding) < weights.shape[1]:
        weights = np.ascontiguousarray(weights[:, binding])
    factor = (1.0 if problem.sense == "min" else -1.0) * problem.factor
    rows = problem.table, problem.cost, factor, weights
    keep = np.zeros(problem.items, dtype=np.bool_)
    if len(binding) <= 2:
        sweep(problem.starts, *rows, limits, keep)
    else:
        compare_pairs(problem.starts, *rows, limits, keep)
    starts, cost, packed, item = compress(problem.starts, *rows, keep)
    budgets = problem.budgets[binding].copy()
    for row, numbers in enumerate(packed):
        if (reachable := lattice(starts, numbers)) is not None:
            budgets[row] = reachable.floor(float(budgets[row]))
    return Filtered(starts, cost, packed, budgets, item, binding)


@counted_entry
def class_extremes(starts: Indices, table: Indices, weights: Floats) -> tuple[Floats, Floats]:
    """Least and largest weight per class and resource, each ``(classes, resources)``."""
    classes, resources = len(starts) - 1, weights.shape[1]
    least, most = np.empty((classes, resources)), np.empty((classes, resources))
    for j in range(classes):
        for r in range(resources):
            low = high = weights[table[j], r]
            for k in range(table[j] + 1, table[j] + starts[j + 1] - starts[j]):
                value = weights[k, r]
                low, high = min(low, value), max(high, value)
            least[j, r], most[j, r] = low, high
    return least, most


@counted_entry
def sweep(
    starts: Indices,
    table: Indices,
    cost: Floats,
    factor: Floats,
    weights: Floats,
    limits: Floats,
    keep: Flags,
) -> None:
    """Mark the items that are kept, for no, one or two resources; ``factor`` has the sense."""
    longest = 0
    for j in range(len(starts) - 1):
        longest = max(longest, starts[j + 1] - starts[j])
    c, u, v = np.empty(longest), np.zeros(longest), np.zeros(longest)
    who = np.empty(longest, dtype=np.int64)
    spare = np.empty(longest, dtype=np.int64)
    stair_v, stair_c = np.empty(longest + 1), np.empty(longest + 1)
    for j in range(len(starts) - 1):
        n, shift = 0, table[j] - starts[j]  # from items to rows
        for k in range(starts[j], starts[j + 1]):
            fits = True
            for r in range(weights.shape[1]):
                fits = fits and weights[k + shift, r] <= limits[j, r]
            if fits:
                c[n], who[n] = factor[j] * cost[k + shift], k
                if weights.shape[1] > 0:
                    u[n] = weights[k + shift, 0]
                if weights.shape[1] > 1:
                    v[n] = weights[k + shift, 1]
                n += 1
        n = drop_below_pivots(c, u, v, who, n)
        # This sort is not stable: `settle_ties` brings items of equal first weight into one order.
        order = np.argsort(u[:n])
        settle_ties(order, spare, u, v, c, who)
        # Items come by ascending first weight, so one is dominated if and only if an earlier one
        # costs no more and weighs no more in the second. The staircase keeps the earlier ones that
        # can still dominate: second weights ascend along it and costs fall.
        stairs = 0
        for index in order:
            before = stairs
            stairs = climb(stair_v, stair_c, stairs, v[index], c[index])
            if stairs < 0:
                stairs = before
            else:
                keep[who[index]] = True


@compiled
def climb(stair_v: Floats, stair_c: Floats, stairs: int, v: float, c: float) -> int:
    """Add a step to a staircase (least cost by second weight): new length, -1 if it is below."""
    # One step of finding maxima of vectors (Kung, Luccio and Preparata, J. ACM 22, 1975), with an
    # array in place of their tree.
    low, high = 0, stairs  # steps before `low` weigh at most v
    while low < high:
        middle = (low + high) >> 1
        if stair_v[middle] <= v:
            low = middle + 1
        else:
            high = middle
    if low > 0 and stair_c[low - 1] <= c:
        return -1
    # Steps that weigh and cost at least as much can dominate nothing more than the new one can.
    first = low - 1 if low > 0 and stair_v[low - 1] == v else low
    last = first
    while last < stairs and stair_c[last] >= c:
        last += 1
    shift = 1 - (last - first)
    if shift == 1:
        for s in range(stairs - 1, first - 1, -1):
            stair_v[s + 1], stair_c[s + 1] = stair_v[s], stair_c[s]
    elif shift < 0:
        for s in range(last, stairs):
            stair_v[s + shift], stair_c[s + shift] = stair_v[s], stair_c[s]
    stair_v[first], stair_c[first] = v, c
    return stairs + shift


@compiled
def drop_below_pivots(c: Floats, u: Floats, v: Floats, who: Indices, n: int) -> int:
    """Compact a class to what a few of its best all-round items do not dominate."""
    if n < 24:
        return n
    span_c, span_u, span_v = span_of(c, n), span_of(u, n), span_of(v, n)
    # the three directions even, then one or two of them counting six times as much
    for pivot in range(7):
        d = (6.0 if pivot in (1, 4, 6) else 1.0) / span_c
        a = (6.0 if pivot in (2, 4, 5) else 1.0) / span_u
        b = (6.0 if pivot in (3, 5, 6) else 1.0) / span_v
        best, least = 0, np.inf
        for k in range(n):
            value = d * c[k] + a * u[k] + b * v[k]
            if value < least:
                best, least = k, value
        # What a pivot dominates needs no comparison with the rest. The pivot itself stays, or an
        # equal item of smaller index, which is the one that is kept.
        best_c, best_u, best_v, best_who = c[best], u[best], v[best], who[best]
        m = 0
        for k in range(n):
            c[m], u[m], v[m], who[m] = c[k], u[k], v[k], who[k]
            beaten = best_c <= c[k] and best_u <= u[k] and best_v <= v[k]
            equal = best_c == c[k] and best_u == u[k] and best_v == v[k]
            if not beaten or (equal and who[k] <= best_who):
                m += 1
        n = m
    return n


@compiled
def span_of(numbers: Floats, n: int) -> float:
    """Largest less least of the first ``n``, never zero."""
    low = high = float(numbers[0])
    for k in range(1, n):
        low, high = min(low, float(numbers[k])), max(high, float(numbers[k]))
    return max(high - low, 1e-300)


@compiled
def comes_before(a: int, b: int, v: Floats, c: Floats, who: Indices) -> bool:
    """Order by second weight, cost and index."""
    if v[a] != v[b]:
        return bool(v[a] < v[b])
    if c[a] != c[b]:
        return bool(c[a] < c[b])
    return bool(who[a] < who[b])


@compiled
def settle_ties(
    order: Indices, spare: Indices, u: Floats, v: Floats, c: Floats, who: Indices
) -> None:
    """Sort runs of equal first weight: short ones by insertion, long ones by merging."""
    # Runs are long where weights take few values, and as long as the class where no resource binds.
    first = 0
    while first < len(order):
        beyond = first + 1
        while beyond < len(order) and u[order[beyond]] == u[order[first]]:
            beyond += 1
        for low in range(first, beyond, 16):
            for i in range(low + 1, min(low + 16, beyond)):
                now, k = order[i], i
                while k > low and comes_before(now, order[k - 1], v, c, who):
                    order[k] = order[k - 1]
                    k -= 1
                order[k] = now
        width = 16
        while width < beyond - first:
            for low in range(first, beyond, 2 * width):
                a, b = low, min(low + width, beyond)
                middle, high = b, min(low + 2 * width, beyond)
                for k in range(low, high):
                    from_a = a < middle
                    if from_a and b < high:
                        from_a = not comes_before(order[b], order[a], v, c, who)
                    spare[k] = order[a] if from_a else order[b]
                    a, b = (a + 1, b) if from_a else (a, b + 1)
            for k in range(first, beyond):
                order[k] = spare[k]
            width *= 2
        first = beyond


@compiled_entry
def compare_pairs(
    starts: Indices,
    table: Indices,
    cost: Floats,
    factor: Floats,
    weights: Floats,
    limits: Floats,
    keep: Flags,
) -> None:
    """Mark the items that are kept, for any number of resources; ``factor`` has the sense."""
    resources = weights.shape[1]
    for j in range(len(starts) - 1):
        shift = table[j] - starts[j]  # from items to rows
        for k in range(starts[j], starts[j + 1]):
            fits = True
            for r in range(resources):
                fits = fits and weights[k + shift, r] <= limits[j, r]
            keep[k] = fits
        for k in range(starts[j], starts[j + 1]):
            if not keep[k]:
                continue
            mine = factor[j] * cost[k + shift]
            for other in range(starts[j], starts[j + 1]):
                # A dropped item need not be compared with: what dominates it dominates k too, and
                # one that does not fit is heavier than k somewhere.
                price = factor[j] * cost[other + shift]
                if other == k or price > mine or not keep[other]:
                    continue
                beaten, equal = True, price == mine
                for r in range(resources):
                    if weights[other + shift, r] > weights[k + shift, r]:
                        beaten = False
                        break
                    equal = equal and weights[other + shift, r] == weights[k + shift, r]
                if beaten and not (equal and other > k):
                    keep[k] = False
                    break


@counted_entry
def compress(
    starts: Indices, table: Indices, cost: Floats, factor: Floats, weights: Floats, keep: Flags
) -> tuple[Indices, Floats, Floats, Indices]:
    """Copy what is kept."""
    classes, resources = len(starts) - 1, weights.shape[1]
    total = 0
    for k in range(len(keep)):
        total += keep[k]
    new_starts = np.zeros(classes + 1, dtype=np.int64)
    new_cost, new_weights = np.empty(total), np.empty((resources, total))
    item: NDArray[np.int64] = np.empty(total, dtype=np.int64)
    n = 0
    for j in range(classes):
        shift = table[j] - starts[j]  # from items to rows
        for k in range(starts[j], starts[j + 1]):
            if keep[k]:
                new_cost[n], item[n] = factor[j] * cost[k + shift], k
                for r in range(resources):
                    new_weights[r, n] = weights[k + shift, r]
                n += 1
        new_starts[j + 1] = n
    return new_starts, new_cost, new_weights, item
