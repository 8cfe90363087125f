"""Rounds on samples of changes, for what is too much to be combined as a whole."""

from __future__ import annotations

import numpy as np

from solvers.choice.combine import Changes
from solvers.choice.dominance import Filtered
from solvers.choice.relaxed import Base
from solvers.milp import Floats, Indices

_POOL = 2.5


def cheapest_changes(left: Filtered, start: Base, most: int, rng: np.random.Generator) -> Changes:
    """Up to ``most`` items by regret; of those that tie, small changes and random ones in turn."""
    regret = start.regret.copy()
    regret[start.chosen] = np.inf
    others = len(regret) - left.classes
    ceiling = np.inf
    if most < others:
        ceiling = float(np.partition(regret, most)[most])
    near = np.flatnonzero((regret <= ceiling) & (regret < np.inf))
    near = in_turn(near, sizes(left, start, near), rng)
    near = near[np.argsort(regret[near], kind="stable")]
    beyond = np.inf if most >= others else ceiling
    return Changes(near[:most], regret[near[:most]], beyond)


def small_or_random(
    left: Filtered, start: Base, worst: float, rng: np.random.Generator, most: int
) -> Changes:
    """One change for each of up to ``most`` classes, all of a regret of at most ``worst``.

    For items that tie: half are small changes, to end near the budgets, half any.
    """
    near = np.flatnonzero(start.regret <= worst)
    group = np.searchsorted(left.starts, near, side="right") - 1
    other = near != start.chosen[group]
    near, group = near[other], group[other]
    size = sizes(left, start, near)
    half = np.argsort(size * rng.random(len(near)))[: most // 2]
    order = np.r_[half, rng.permutation(len(near))[: 2 * most]]
    kept = order[np.sort(np.unique(group[order], return_index=True)[1])][:most]
    kept = kept[np.argsort(start.regret[near[kept]], kind="stable")]
    return Changes(near[kept], start.regret[near[kept]], np.inf)


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
    taken = wide[np.argsort(keys)[:most]]
    if best is not None:
        taken = np.unique(np.r_[taken, best[best != start.chosen]])
    taken = taken[np.lexsort((taken, start.regret[taken]))]
    return Changes(taken, start.regret[taken], worst)


def sizes(left: Filtered, start: Base, items: Indices) -> Floats:
    """How much a change to each item shifts the totals, in spans of the weights."""
    now = start.chosen[np.searchsorted(left.starts, items, side="right") - 1]
    size = np.zeros(len(items))
    for weights in left.weights:
        size += np.abs(weights[items] - weights[now]) / (np.ptp(weights) or 1.0)
    return size


def in_turn(items: Indices, size: Floats, rng: np.random.Generator) -> Indices:
    """Small changes and random ones in turn."""
    place, small = np.empty(len(items)), np.empty(len(items))
    place[rng.permutation(len(items))] = np.arange(len(items)) + 0.5
    small[np.argsort(size, kind="stable")] = np.arange(len(items))
    return items[np.argsort(np.minimum(place, small), kind="stable")]
