"""Every combination of a few cheap changes, in two halves that are then matched.

A *change* moves one class from its base item to another. It has a regret (how much worse it is
at fixed prices, at least 0), a change of cost and a change of weights, all whole numbers here, so
that sums are exact. A *state* is a set of changes of different classes. All states of either half
of the classes whose regrets sum to at most a limit are listed; pairs are then matched, for up to
two resources, by a sweep over the first weight with a tree of least costs over the second
(Horowitz and Sahni, *Computing partitions with applications to the knapsack problem*, J. ACM 21
(1974), 277-292, with regrets as the limit and one resource more).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.choice.compiled import compiled
from solvers.milp import Floats, Indices

Links = NDArray[np.int32]


@compiled
def list_states(
    group_starts: Indices,
    regret: Indices,
    delta_cost: Indices,
    delta_weight: Indices,
    limit: int,
    most: int,
) -> tuple[int, Indices, Links, Links]:
    """All states with regrets of at most ``limit``; ``-1`` states if there are over ``most``.

    Groups are the classes of this half, those whose changes cost most regret first, so that the
    list stays short for long; changes of a group ascend in regret.

    Returns
    -------
    count, sums, parent, change
        ``sums`` has shape ``(2 + resources, at least count)``: regret, cost and weights. A state
        is its parent with one change added; state 0 is empty.
    """
    resources, size = len(delta_weight), min(most, 4096)
    sums = np.zeros((2 + resources, size), dtype=np.int64)
    parent, change = np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32)
    count = 1
    for g in range(len(group_starts) - 1):
        before = count
        for k in range(group_starts[g], group_starts[g + 1]):
            room = limit - regret[k]
            for s in range(before):
                if sums[0, s] <= room:
                    if count == size:
                        if size == most:
                            return -1, sums, parent, change
                        size = min(most, 4 * size)
                        sums, parent, change = grown(sums, parent, change, size)
                    sums[0, count] = sums[0, s] + regret[k]
                    sums[1, count] = sums[1, s] + delta_cost[k]
                    for r in range(resources):
                        sums[2 + r, count] = sums[2 + r, s] + delta_weight[r, k]
                    parent[count], change[count] = s, k
                    count += 1
    return count, sums, parent, change


@compiled
def grown(sums: Indices, parent: Links, change: Links, size: int) -> tuple[Indices, Links, Links]:
    """Longer copies of the arrays of a list."""
    count = len(parent)
    more_sums = np.empty((len(sums), size), dtype=np.int64)
    more_parent, more_change = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    more_sums[:, :count] = sums
    more_parent[:count], more_change[:count] = parent, change
    return more_sums, more_parent, more_change


@compiled
def match(
    first: Indices, first_count: int, second: Indices, second_count: int, room: Indices
) -> tuple[int, int, int]:
    """Cheapest pair, one state of each list, whose weights fit into ``room``.

    Returns
    -------
    cost, state of the first list, state of the second
        ``-1`` for both where none fits.
    """
    heavy_first = np.argsort(first[2, :first_count])[::-1]
    light_second = np.argsort(second[2, :second_count])
    by_second_weight = np.argsort(second[3, :second_count])
    ascending = np.empty(second_count, dtype=np.int64)
    rank = np.empty(second_count, dtype=np.int64)
    for place in range(second_count):
        ascending[place] = second[3, by_second_weight[place]]
        rank[by_second_weight[place]] = place
    tree = np.full(second_count + 1, -1, dtype=np.int64)  # of least costs, by prefix of rank
    best, best_first, best_second, entered = 0, -1, -1, 0
    for a in heavy_first:
        while entered < second_count:
            b = light_second[entered]
            if first[2, a] + second[2, b] > room[0]:
                break
            node = rank[b] + 1
            while node <= second_count:
                if tree[node] < 0 or second[1, b] < second[1, tree[node]]:
                    tree[node] = b
                node += node & -node
            entered += 1
        left = room[1] - first[3, a]
        low, high = 0, second_count
        while low < high:
            middle = (low + high) >> 1
            if ascending[middle] <= left:
                low = middle + 1
            else:
                high = middle
        while low > 0:
            b = tree[low]
            if b >= 0:
                cost = first[1, a] + second[1, b]
                if best_first < 0 or cost < best:
                    best, best_first, best_second = cost, a, b
            low &= low - 1
    return best, best_first, best_second


@compiled
def match_any(
    first: Indices,
    first_count: int,
    second: Indices,
    second_count: int,
    room: Indices,
    cutoff: int,
    prices: Floats,
    regret_unit: float,
) -> tuple[int, int, int]:
    """As :func:`match`, for any number of resources and only below a cost of ``cutoff``.

    A pair costs its regrets, plus its priced slack, less the priced room. Whatever can still gain
    has little of either: the second list is sorted into buckets by the resource that varies most
    at its price, and within them by all priced weights together, so that only a window of each
    bucket near is tried. ``prices`` are per whole unit of weight and in units of cost,
    ``regret_unit`` likewise; windows are widened by more than the floating error.
    """
    resources = len(room)
    spread, widest = -1.0, 0
    for r in range(resources):
        values = second[2 + r, :second_count]
        mean, square = 0.0, 0.0
        for b in range(second_count):
            mean += values[b] / second_count
        for b in range(second_count):
            square += (values[b] - mean) ** 2 / second_count
        if prices[r] * square**0.5 > spread:
            spread, widest = prices[r] * square**0.5, r
    priced_room = 0.0
    for r in range(resources):
        priced_room += prices[r] * room[r]
    care = 1e-9 * (abs(priced_room) + 1.0)
    # the second list, by bucket and by priced weights
    by_key = np.argsort(second[2 + widest, :second_count])
    buckets = max(1, min(128, second_count // 128))
    edges = np.empty(buckets + 1, dtype=np.int64)
    for n in range(buckets + 1):
        edges[n] = n * second_count // buckets
    priced, regret = np.empty(second_count), np.empty(second_count)
    cost, origin = np.empty(second_count, dtype=np.int64), np.empty(second_count, dtype=np.int64)
    weight = np.empty((second_count, resources), dtype=np.int64)
    for n in range(buckets):
        part = by_key[edges[n] : edges[n + 1]]
        paid = np.zeros(len(part))
        for i in range(len(part)):
            for r in range(resources):
                paid[i] += prices[r] * second[2 + r, part[i]]
        inner = np.argsort(paid)
        for i in range(len(part)):
            place, b = edges[n] + i, part[inner[i]]
            priced[place], origin[place] = paid[inner[i]], b
            regret[place], cost[place] = second[0, b] * regret_unit, second[1, b]
            for r in range(resources):
                weight[place, r] = second[2 + r, b]
    best, best_first, best_second = cutoff, -1, -1
    rest = np.empty(resources, dtype=np.int64)
    for a in np.argsort(first[0, :first_count]):
        mine, top = first[0, a] * regret_unit, priced_room
        for r in range(resources):
            rest[r] = room[r] - first[2 + r, a]
            top -= prices[r] * first[2 + r, a]
        gain = best + priced_room - mine + care
        if gain <= 0.0:
            break
        for n in range(buckets):
            light, heavy = edges[n], edges[n + 1] - 1
            if second[2 + widest, by_key[light]] > rest[widest]:
                break
            slack = rest[widest] - second[2 + widest, by_key[heavy]]
            if prices[widest] * slack > gain:
                continue
            low = light + np.searchsorted(priced[light : heavy + 1], top - gain)
            for place in range(low, heavy + 1):
                if priced[place] > top + care:
                    break
                if regret[place] + top - priced[place] > gain:
                    continue
                if first[1, a] + cost[place] >= best:
                    continue
                fits = True
                for r in range(resources):
                    if weight[place, r] > rest[r]:
                        fits = False
                        break
                if fits:
                    best, best_first, best_second = first[1, a] + cost[place], a, origin[place]
                    gain = best + priced_room - mine + care
    return best, best_first, best_second
