"""Rounds on samples of changes, for what is too much to be combined as a whole."""

from __future__ import annotations

import numpy as np

from solvers.choice.combine import Changes
from solvers.choice.dominance import Filtered
from solvers.choice.relaxed import Base
from solvers.compiled import counted_entry
from solvers.model.milp import Floats, Indices

_POOL = 2.5
_DRAWN = 4  # classes to choose from, per class changed


def cheapest_changes(
    remaining: Filtered, start: Base, most: int, rng: np.random.Generator
) -> Changes:
    """Up to ``most`` items by regret; of those that tie, small changes and random ones in turn."""
    regret = start.regret.copy()
    regret[start.chosen] = np.inf
    others = len(regret) - remaining.classes
    ceiling = np.inf
    if most < others:
        ceiling = float(np.partition(regret, most)[most])
    near = np.flatnonzero((regret <= ceiling) & (regret < np.inf))
    near = in_turn(near, sizes(remaining, start, near), rng)
    near = near[np.argsort(regret[near], kind="stable")]
    beyond = np.inf if most >= others else ceiling
    return Changes(near[:most], regret[near[:most]], beyond)


def balanced(
    remaining: Filtered, start: Base, worst: float, rng: np.random.Generator, most: int
) -> Changes:
    """Changes of up to ``most`` classes, all of a regret of at most ``worst``.

    For items that tie, where only the totals count. Changes are small, and the mean totals of
    their combinations are about the budgets, so that combinations lie thickest there. Fewer
    classes have several changes each. Either half of the classes has up to ``2 ** (most / 2)``
    combinations.
    """
    near = np.flatnonzero(start.regret <= worst)
    group = np.searchsorted(remaining.starts, near, side="right") - 1
    other = near != start.chosen[group]
    near, group = near[other], group[other]
    drawn = rng.random(remaining.classes) * len(np.unique(group)) <= _DRAWN * most
    near, group = near[drawn[group]], group[drawn[group]]
    rank, counts = np.unique(group, return_inverse=True, return_counts=True)[1:]
    classes = min(most, max(1, len(counts)))
    each = int(2.0 ** (most // 2 / ((classes + 1) // 2))) - 1  # for the larger half of the classes
    scale = np.array([1.0 / (np.ptp(weights) or 1.0) for weights in remaining.weights])
    slack = np.array([float(slack) for slack in start.exact_slack])
    shift = (remaining.weights[:, near] - remaining.weights[:, start.chosen[group]]).T * scale
    shift = np.ascontiguousarray(shift / (1.0 + np.minimum(each, counts)[rank, None]))
    noise = rng.exponential(1.0, len(near))
    selected = around_aim(shift, rank, slack * scale, noise, classes * each, each)
    selected = selected[np.argsort(start.regret[near[selected]], kind="stable")]
    return Changes(near[selected], start.regret[near[selected]], np.inf)


@counted_entry
def around_aim(
    shift: Floats, group: Indices, aim: Floats, noise: Floats, most: int, per_group: int
) -> Indices:
    """Up to ``most`` rows of ``shift``, ``per_group`` per group: small, sums near ``aim``.

    Row after row is taken whose own size, times its noise, and distance to what lacks are least.
    """
    rows, resources = shift.shape
    selected = np.empty(min(most, rows), dtype=np.int64)
    times = np.zeros(rows, dtype=np.int64)  # by group; a row that was taken has no group left
    group, lack, count = group.copy(), np.zeros(resources), 0
    # `lack` is the share of the aim that is due after `count` rows, less what these add up to.
    while count < len(selected):
        lack += aim / len(selected)
        best, least = -1, np.inf
        for k in range(rows):
            if group[k] < 0 or times[group[k]] == per_group:
                continue
            value = 0.0
            for r in range(resources):
                value += abs(lack[r] - shift[k, r]) + noise[k] * abs(shift[k, r])
            if value < least:
                best, least = k, value
        if best < 0:
            break
        times[group[best]] += 1
        group[best] = -1
        selected[count] = best
        count += 1
        for r in range(resources):
            lack[r] -= shift[best, r]
    return selected[:count]


def cheap_and_best(
    start: Base,
    pool: Changes,
    best: Indices | None,
    worst: float,
    rng: np.random.Generator,
    most: int,
) -> Changes:
    """About ``most`` cheap changes, cheaper ones more often, and those of the best choice.

    Combinations with regrets above ``worst`` are left out.
    """
    wide = pool.item[: int(_POOL * most)]
    keys = rng.random(len(wide)) * (1.0 + np.arange(len(wide)) / most)
    taken = wide[np.argsort(keys, kind="stable")[:most]]
    if best is not None:
        taken = np.unique(np.r_[taken, best[best != start.chosen]])
    taken = taken[np.lexsort((taken, start.regret[taken]))]
    return Changes(taken, start.regret[taken], worst)


def sizes(remaining: Filtered, start: Base, items: Indices) -> Floats:
    """How much a change to each item shifts the totals, in spans of the weights."""
    now = start.chosen[np.searchsorted(remaining.starts, items, side="right") - 1]
    size = np.zeros(len(items))
    for weights in remaining.weights:
        size += np.abs(weights[items] - weights[now]) / (np.ptp(weights) or 1.0)
    return size


def in_turn(items: Indices, size: Floats, rng: np.random.Generator) -> Indices:
    """Small changes and random ones in turn."""
    position, small = np.empty(len(items)), np.empty(len(items))
    position[rng.permutation(len(items))] = np.arange(len(items)) + 0.5
    small[np.argsort(size, kind="stable")] = np.arange(len(items))
    return items[np.argsort(np.minimum(position, small), kind="stable")]
