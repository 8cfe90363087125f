"""Multilevel recursive halving.

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

from solvers.milp import Indices
from solvers.partition.graph import Parts
from solvers.partition.moves import Level, contracted, grown, matched, settle, within
from solvers.partition.request import FREE, Request

_COARSEST = 60
_SEEDS = 8
_PATIENCE = 100


def halved(request: Request, rng: np.random.Generator) -> Parts:
    """Halve until every part stands alone."""
    graph = request.graph
    whole = Level(
        graph.starts,
        graph.neighbours,
        graph.weights,
        np.ones(graph.vertices, dtype=np.int64),
        np.full(graph.vertices, FREE, dtype=np.int32),
    )
    place = np.full(graph.vertices, -1, dtype=np.int32)
    before = np.r_[0, np.cumsum(request.capacities)]
    part = np.zeros(graph.vertices, dtype=np.int32)
    open_lists = [(0, request.parts, np.arange(graph.vertices))]
    while open_lists:
        low, high, vertices = open_lists.pop()
        if high - low == 1:
            part[vertices] = low
            continue
        middle = (low + high) // 2
        pins = request.fixed[vertices]
        pin = np.where(pins == FREE, FREE, pins >= middle).astype(np.int32)
        target = int(before[high] - before[middle])
        side = halve(within(whole, vertices, place, pin), target, rng)
        open_lists += [(middle, high, vertices[side == 1]), (low, middle, vertices[side == 0])]
    return part


def halve(level: Level, target: int, rng: np.random.Generator) -> Parts:
    """Put vertices of the total size ``target`` on side 1 and the others on side 0."""
    levels, joins = [level], list[Parts]()
    while len(levels[-1].sizes) > _COARSEST:
        finest = levels[-1]
        most = max(2, 2 * len(level.sizes) // _COARSEST)
        coarse = matched(finest, rng.permutation(len(finest.sizes)), most)
        if coarse.max() + 1 > 0.95 * len(coarse):
            break
        joins.append(coarse)
        levels.append(contracted(finest, coarse))
    coarsest = levels[-1]
    count = len(coarsest.sizes)
    seeds = rng.permutation(count)[:_SEEDS].astype(np.int32)
    side = grown(coarsest, seeds, target, _tolerance(coarsest.sizes), _PATIENCE)
    for finer, coarse in zip(levels[-2::-1], joins[::-1], strict=True):
        side = side[coarse]
        settle(finer, side, target, _tolerance(finer.sizes), _PATIENCE)
    return side


def _tolerance(sizes: Indices) -> int:
    """What the sides may be out of balance: nothing once all vertices stand alone."""
    return int(sizes.max()) - 1
