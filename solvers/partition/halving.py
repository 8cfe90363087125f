"""Multilevel recursive halving, compiled.

The parts are split in two lists, the vertices in two sides of the size that the lists have, and so
on. A halving joins vertices along heavy edges until few are left, grows a side there from several
seeds, and refines by moves while it undoes the joins; at the end sides have their exact size.

References
----------
Karypis and Kumar, SIAM J. Sci. Comput. 20 (1998), for heavy-edge matching and the halving of
halves; here exact sizes come from the moves of the last level.
"""

from __future__ import annotations

import numpy as np

from solvers.compiled import compiled, counted, counted_entry
from solvers.model.milp import Floats, Indices
from solvers.partition.draws import Stream, permutation, stream
from solvers.partition.graph import Parts
from solvers.partition.moves import Level, contracted, cut_between, grown, matched, settle, within
from solvers.partition.request import FREE, Request

_COARSEST = 30
_SEEDS = 2
_PATIENCE = 20


def halved(request: Request, rng: np.random.Generator, tries: int = 1) -> Parts:
    """Halve until all parts are separate, each time by the best of ``tries`` halvings."""
    before = np.r_[0, np.cumsum(request.capacities)].astype(np.int64)
    whole = request.flat(request.fixed.copy())
    return _halved(*whole, before, tries, stream(rng))


@counted_entry
def _halve(level: Level, target: int, tries: int, draws: Stream) -> Parts:
    """Best of some halvings; sizes are exact in all, for no vertex of ``level`` is several."""
    best, least = level.pin, np.inf
    most = max(2, 2 * len(level.sizes) // _COARSEST)
    for _ in range(tries):
        levels, joins = [level], [level.pin]
        while len(levels[-1].sizes) > _COARSEST:
            finest = levels[-1]
            count = len(finest.sizes)
            coarse = matched(finest, permutation(draws, count), most)
            # Stars, and graphs without positive edges, hardly shrink: more levels do not help.
            if coarse.max() + 1 > 0.95 * count:
                break
            joins.append(coarse)
            levels.append(contracted(finest, coarse))
        coarsest = levels[-1]
        seeds = permutation(draws, len(coarsest.sizes))[:_SEEDS]
        side = grown(coarsest, seeds, target, _tolerance(coarsest.sizes), _PATIENCE)
        for index in range(len(levels) - 1, 0, -1):
            finer, coarse = levels[index - 1], joins[index]
            wider = np.empty(len(coarse), dtype=np.int32)
            for vertex in range(len(coarse)):
                wider[vertex] = side[coarse[vertex]]
            side = wider
            # Sizes are 1 at the finest level, so the tolerance is 0 there and the side exact.
            settle(finer, side, target, _tolerance(finer.sizes), _PATIENCE)
        weight = cut_between(level, side)
        if weight < least:
            best, least = side, weight
    return best


@counted
def _tolerance(sizes: Indices) -> int:
    """Return how far the sides may be out of balance: 0 if every vertex has size 1."""
    return int(sizes.max()) - 1


@counted_entry
def _halved(
    starts: Indices,
    neighbours: Parts,
    weights: Floats,
    sizes: Indices,
    fixed: Parts,
    before: Indices,
    tries: int,
    draws: Stream,
) -> Parts:
    """Halve lists of parts; those of ``low`` up to ``high`` own a stretch of ``vertices``.

    Arrays one by one, for numba is slow to take a tuple in.
    """
    whole = Level(starts, neighbours, weights, sizes, fixed)
    parts, count = len(before) - 1, len(whole.sizes)
    part = np.zeros(count, dtype=np.int32)
    position = np.full(count, -1, dtype=np.int32)
    vertices, spare = np.arange(count), np.empty(count, dtype=np.int64)
    open_lists = np.empty((parts + 1, 2), dtype=np.int64)
    open_lists[0, 0], open_lists[0, 1] = 0, parts
    remaining = 1
    # The open lists are disjoint ranges of parts. A list of the parts a up to b owns the vertices
    # at places before[a] up to before[b]: every halving that led to it has exact sizes.
    while remaining > 0:
        remaining -= 1
        low, high = open_lists[remaining, 0], open_lists[remaining, 1]
        own = vertices[before[low] : before[high]]
        if high - low == 1:
            for vertex in own:
                part[vertex] = low
            continue
        middle = (low + high) // 2
        pin = np.empty(len(own), dtype=np.int32)
        for i in range(len(own)):
            pinned = whole.pin[own[i]]
            pin[i] = FREE if pinned == FREE else np.int32(pinned >= middle)
        level = within(whole, own, position, pin)
        side = _halve(level, before[high] - before[middle], tries, draws)
        _separate(own, side, spare)
        open_lists[remaining, 0], open_lists[remaining, 1] = middle, high
        open_lists[remaining + 1, 0], open_lists[remaining + 1, 1] = low, middle
        remaining += 2
    return part


@compiled
def _separate(own: Indices, side: Parts, spare: Indices) -> None:
    """Bring side 0 to the front, each side in its order."""
    # `zeros` never overtakes i, so no vertex is overwritten before it is read.
    zeros, ones = 0, 0
    for i in range(len(own)):
        if side[i] == 0:
            own[zeros] = own[i]
            zeros += 1
        else:
            spare[ones] = own[i]
            ones += 1
    for i in range(ones):
        own[zeros + i] = spare[i]
