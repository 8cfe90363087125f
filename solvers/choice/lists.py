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

import itertools

import numpy as np
from numpy.typing import NDArray

from solvers.compiled import compiled, counted, counted_entry
from solvers.model.milp import Floats, Indices
from solvers.portable import product

Links = NDArray[np.int32]


@counted_entry
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
    # At the head the list has every state of the groups before g within the limit. Only these are
    # extended, so a class changes at most once.
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


@counted
def grown(sums: Indices, parent: Links, change: Links, size: int) -> tuple[Indices, Links, Links]:
    """Longer copies of the arrays of a list."""
    count = len(parent)
    more_sums = np.empty((len(sums), size), dtype=np.int64)
    more_parent, more_change = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    for s in range(count):
        more_parent[s], more_change[s] = parent[s], change[s]
        for row in range(len(sums)):
            more_sums[row, s] = sums[row, s]
    return more_sums, more_parent, more_change


def match(first: Indices, second: Indices, room: Indices) -> tuple[int, int, int]:
    """Cheapest pair, one state of each list, whose two weights fit into ``room``.

    Returns
    -------
    cost, state of the first list, state of the second
        ``-1`` for both where none fits.
    """
    by_weight = np.argsort(second[3], kind="stable")
    rank = np.empty_like(by_weight)
    rank[by_weight] = np.arange(len(rank))
    needles = np.argsort(first[3], kind="stable")[::-1]  # ascending ones are found in cache
    places = np.empty(len(needles), dtype=np.int64)
    room_left = room[1] - first[3, needles]
    places[needles] = np.searchsorted(second[3, by_weight], room_left, side="right")
    heavy_first = np.argsort(first[2], kind="stable")[::-1].copy()
    light_second = np.argsort(second[2], kind="stable")
    return sweep_pairs(first, second, int(room[0]), heavy_first, light_second, rank, places)


@counted_entry
def sweep_pairs(
    first: Indices,
    second: Indices,
    room: int,
    heavy_first: Indices,
    light_second: Indices,
    rank: Indices,
    places: Indices,
) -> tuple[int, int, int]:
    """Enter the second list by first weight; ask for the least cost by second weight."""
    count, entered = len(rank), 0
    # A tree of Fenwick (1994) can hold minima here, since states enter it and never leave.
    tree = np.full(count + 1, -1, dtype=np.int64)  # of least costs, by prefix of rank
    best, best_first, best_second = 0, -1, -1
    # The first list runs from heavy to light, so a state of the second list that fits in the first
    # weight once fits from then on. The tree has the cheapest such state for each range of ranks by
    # the second weight; those that fit `a` in it too are the first `places[a]`.
    for a in heavy_first:
        while entered < count:
            b = light_second[entered]
            if first[2, a] + second[2, b] > room:
                break
            node = rank[b] + 1
            while node <= count:
                if tree[node] < 0 or second[1, b] < second[1, tree[node]]:
                    tree[node] = b
                node += node & -node
            entered += 1
        node = places[a]
        while node > 0:
            b = tree[node]
            if b >= 0 and (best_first < 0 or first[1, a] + second[1, b] < best):
                best, best_first, best_second = first[1, a] + second[1, b], a, b
            node &= node - 1
    return best, best_first, best_second


def match_any(
    first: Indices,
    second: Indices,
    room: Indices,
    cutoff: int,
    prices: Floats,
    regret_unit: float,
) -> tuple[int, int, int]:
    """Match as :func:`match` does, for any number of resources and only below ``cutoff`` in cost.

    A pair costs its regrets, plus its priced slack, less the priced room. A pair that can still
    gain has little of either. Buckets split the second list by the resource that varies most at
    its price. All priced weights together give the order within a bucket, so only a window of each
    bucket near is tried. ``prices`` are per whole unit of weight and in units of cost;
    ``regret_unit`` likewise. Windows are widened by more than the floating error.
    """
    paid = product(prices, second[2:])
    key = int(np.argmax(prices * second[2:].std(axis=1)))
    order = np.argsort(second[2 + key], kind="stable")
    edges = np.linspace(0, len(order), max(1, min(128, len(order) // 128)) + 1).astype(np.int64)
    for low, high in itertools.pairwise(edges.tolist()):
        part = order[low:high]
        order[low:high] = part[np.argsort(paid[part], kind="stable")]
    keys = second[2 + key, order]
    ranges = np.array(
        [np.minimum.reduceat(keys, edges[:-1]), np.maximum.reduceat(keys, edges[:-1])]
    )
    priced_room = float(product(prices, room))
    care = 1e-9 * (abs(priced_room) + float(np.abs(paid).max()) + 1.0)
    best, a, position = search_windows(
        np.ascontiguousarray(first.T),
        np.argsort(first[0], kind="stable"),
        np.ascontiguousarray(second[:, order].T),
        paid[order],
        edges,
        ranges,
        key,
        room,
        cutoff,
        prices,
        priced_room,
        regret_unit,
        care,
    )
    return best, a, int(order[position]) if position >= 0 else -1


@counted_entry
def search_windows(  # noqa: PLR0917 - numba passes neither objects nor names
    first: Indices,
    turn: Indices,
    second: Indices,
    priced: Floats,
    edges: Indices,
    ranges: Indices,
    key: int,
    room: Indices,
    cutoff: int,
    prices: Floats,
    priced_room: float,
    regret_unit: float,
    care: float,
) -> tuple[int, int, int]:
    """Try, for each state of the first list, the windows that can hold a better partner."""
    best, best_first, best_second = cutoff, -1, -1
    rest = np.empty(len(room), dtype=np.int64)
    # A pair costs its regrets plus its priced slack less the priced room. To beat `best` its second
    # regret and slack together must stay below `gain`, which falls as regrets of `turn` rise.
    for a in turn:
        mine, top = first[a, 0] * regret_unit, priced_room
        for r in range(len(room)):
            rest[r] = room[r] - first[a, 2 + r]
            top -= prices[r] * first[a, 2 + r]
        gain = best + priced_room - mine + care
        if gain <= 0.0:
            break
        for n in range(len(edges) - 1):
            # Buckets ascend by the key: from here on even their lightest state is too heavy.
            if ranges[0, n] > rest[key]:
                break
            # Even the heaviest state of this bucket leaves more slack than a cheaper pair can have.
            if prices[key] * (rest[key] - ranges[1, n]) > gain:
                continue
            # Priced weights ascend within a bucket, so slacks from 0 to `gain` make up one window.
            for index in range(lower(priced, edges[n], edges[n + 1], top - gain), edges[n + 1]):
                if priced[index] > top + care:
                    break
                if second[index, 0] * regret_unit + top - priced[index] > gain:
                    continue
                cost = first[a, 1] + second[index, 1]
                if cost < best and within(second[index], rest):
                    best, best_first, best_second = cost, a, index
                    gain = best + priced_room - mine + care
    return best, best_first, best_second


@compiled
def lower(ascending: Floats, low: int, high: int, value: float) -> int:
    """First place from ``low`` up to ``high`` that holds at least ``value``."""
    while low < high:
        middle = (low + high) >> 1
        if ascending[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def within(state: Indices, rest: Indices) -> bool:
    """Whether the weights of a state are within what is left."""
    for r in range(len(rest)):  # noqa: SIM110 - compiled
        if state[2 + r] > rest[r]:
            return False
    return True
