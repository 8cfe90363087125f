"""Every connected set of a graph up to a size, once, priced in whole numbers: compiled.

A set grows from its lowest vertex. A queue holds the vertices next to it; each further member comes
from behind the last one in the queue, and its own new neighbours above the lowest vertex join the
end. A vertex that was passed over stays queued and cannot return, so no set comes twice.

References
----------
Wernicke, IEEE/ACM Trans. Comput. Biol. Bioinform. 3 (2006), ESU; the queue is that of Redelmeier,
Discrete Mathematics 36 (1981).
"""

from __future__ import annotations

import numpy as np

from solvers.compiled import compiled, counted_entry
from solvers.model.milp import Flags, Indices
from solvers.partition.graph import Parts

NONE = -(2**62)
"""Value where there is no set."""


def least_sets(starts: Indices, neighbours: Parts, largest: int, limit: int) -> int:
    """Count the sets of up to a size; above the limit, any number that they reach.

    Sets of few members come first. Any of the queued vertices may join one of them. So a few steps
    show that a dense graph exceeds the limit.
    """
    subsets = _subsets(len(starts) - 1, largest, limit + 1)
    sets = 0
    for depth in range(1, max(2, largest)):
        sets = _counted(starts, neighbours, subsets, depth, limit)
        if sets > limit:
            break
    return sets


def _subsets(count: int, largest: int, most: int) -> Indices:
    """Subsets with at most 0, 1, ... of 0, 1, ... things, none above ``most``."""
    subsets = np.ones((count, largest + 1), dtype=np.int64)
    for things in range(1, count):
        subsets[things, 1:] = subsets[things - 1, 1:] + subsets[things - 1, :-1]
        np.minimum(subsets, most, out=subsets)
    return subsets


@counted_entry
def _counted(starts: Indices, neighbours: Parts, subsets: Indices, depth: int, limit: int) -> int:
    """Count sets of up to ``depth`` members, and those that add queued vertices alone to them.

    Where ``depth`` is one less than the largest size, these are all sets. It ends above the limit.
    """
    count, room = len(starts) - 1, subsets.shape[1] - 1 - depth
    queue = np.zeros(count, dtype=np.int32)
    queued = np.zeros(count, dtype=np.bool_)
    following = np.zeros(depth + 1, dtype=np.int64)
    ends = np.zeros(depth + 1, dtype=np.int64)
    sets = 0
    # The queue is that of `priced`. A set of `depth` members is not entered: it is counted with
    # every subset of what waits in its queue, but not with what would join the queue later.
    for root in range(count):
        queue[0], queued[root] = root, True
        following[0], ends[0], size = 0, 1, 0
        while size >= 0:
            if following[size] == ends[size]:
                size -= 1
                if size >= 0:
                    for place in range(ends[size], ends[size + 1]):
                        queued[queue[place]] = False
                continue
            vertex = queue[following[size]]
            following[size] += 1
            row = neighbours[starts[vertex] : starts[vertex + 1]]
            if size + 1 == depth:
                waiting = ends[size] - following[size]
                for other in row:
                    waiting += other > root and not queued[other]
                sets += int(subsets[waiting, room])
                if sets > limit:
                    return sets
                continue
            sets += 1
            size += 1
            following[size] = following[size - 1]
            ends[size] = _queue_new(row, root, queue, queued, ends[size - 1])
        queued[root] = False
    return sets


def by_vertex(triples: Parts, count: int) -> tuple[Indices, Parts]:
    """Triples of each vertex: ``ties[entered[v] : entered[v + 1]]`` of the two arrays."""
    order = np.argsort(triples.ravel(), kind="stable")
    entered = np.searchsorted(triples.ravel()[order], np.arange(count + 1))
    return entered, (order // 3).astype(np.int32)


@counted_entry
def priced(
    starts: Indices,
    neighbours: Parts,
    weights: Indices,
    prices: Indices,
    charges: Indices,
    triples: Parts,
    fees: Indices,
    entered: Indices,
    ties: Parts,
) -> tuple[Indices, Parts]:
    """Price all sets: the weight inside, less prices, the charge of the size and all fees.

    Parameters
    ----------
    weights
        One for each entry, shape ``(2 * edges,)``.
    prices
        One for each vertex, shape ``(vertices,)``.
    charges
        One for each size from 1 to the largest, shape ``(sizes,)``.
    triples, fees
        Vertices of each triple, shape ``(triples, 3)``, and what sets with two or three of them
        pay, shape ``(triples,)``.
    entered, ties
        Those of :func:`by_vertex`.

    Returns
    -------
    tuple
        The largest value of a set by lowest vertex and size, shape ``(vertices, sizes)``; its
        members, shape ``(vertices, sizes, sizes)``.
    """
    count, most = len(prices), len(charges)
    best = np.full((count, most), NONE)
    members = np.zeros((count, most, most), dtype=np.int32)
    queue = np.zeros(count, dtype=np.int32)
    queued = np.zeros(count, dtype=np.bool_)
    pull = -prices
    chosen = np.zeros(most, dtype=np.int32)
    following = np.zeros(most + 1, dtype=np.int64)
    ends = np.zeros(most + 1, dtype=np.int64)
    values = np.zeros(most + 1, dtype=np.int64)
    held = np.zeros(len(fees), dtype=np.int64)
    # With `size` members, `queue[following[size]:ends[size]]` are still to be tried as the next
    # one, and `pull` of a vertex is its weight to the members, less its price and the fees of
    # triples of which it would be the second.
    for root in range(count):
        queue[0], queued[root] = root, True
        following[0], ends[0], size = 0, 1, 0
        while size >= 0:
            if size == most - 1:
                # The last member changes nothing for others: no more than its pull is needed.
                top = best[root, size] + charges[size] - values[size]
                for place in range(following[size], ends[size]):
                    if pull[queue[place]] > top:
                        top = pull[queue[place]]
                        best[root, size] = values[size] + top - charges[size]
                        members[root, size, :size] = chosen[:size]
                        members[root, size, size] = queue[place]
                following[size] = ends[size]
            if following[size] == ends[size]:
                size -= 1
                if size >= 0:
                    _add(-1, starts, neighbours, weights, chosen[size], pull)
                    _tie(-1, entered, ties, chosen[size], triples, fees, held, pull)
                    for place in range(ends[size], ends[size + 1]):
                        queued[queue[place]] = False
                continue
            vertex = queue[following[size]]
            following[size] += 1
            chosen[size] = vertex
            value = values[size] + pull[vertex]
            if value - charges[size] > best[root, size]:
                best[root, size] = value - charges[size]
                members[root, size, : size + 1] = chosen[: size + 1]
            _add(1, starts, neighbours, weights, vertex, pull)
            _tie(1, entered, ties, vertex, triples, fees, held, pull)
            row = neighbours[starts[vertex] : starts[vertex + 1]]
            size += 1
            following[size], values[size] = following[size - 1], value
            ends[size] = _queue_new(row, root, queue, queued, ends[size - 1])
        queued[root] = False
    return best, members


@compiled
def _add(
    sign: int, starts: Indices, neighbours: Parts, weights: Indices, vertex: int, pull: Indices
) -> None:
    """Add the weights of a vertex to its neighbours, or take them away."""
    for entry in range(starts[vertex], starts[vertex + 1]):
        pull[neighbours[entry]] += sign * weights[entry]


@compiled
def _tie(
    sign: int,
    entered: Indices,
    ties: Parts,
    vertex: int,
    triples: Parts,
    fees: Indices,
    held: Indices,
    pull: Indices,
) -> None:
    """Enter a vertex into its triples, or take it out."""
    for place in range(entered[vertex], entered[vertex + 1]):
        triple = ties[place]
        others = held[triple] - (sign < 0)
        held[triple] += sign
        # The first member makes the fee due for a second; from then on it has been paid.
        if others < 2:
            fee = sign * fees[triple] * (2 * others - 1)
            for corner in range(3):
                pull[triples[triple, corner]] += fee


@compiled
def _queue_new(row: Parts, root: int, queue: Parts, queued: Flags, end: int) -> int:
    """Queue the new ones of a row above the lowest vertex; returns the new end of the queue."""
    for other in row:
        if other > root and not queued[other]:
            queue[end], queued[other] = other, True
            end += 1
    return end
