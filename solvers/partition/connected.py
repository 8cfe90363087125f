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

from solvers.compiled import compiled, compiled_entry
from solvers.model.milp import Flags, Indices
from solvers.partition.graph import Parts

NONE = -(2**62)
"""Value where there is no set."""


@compiled_entry
def priced(
    starts: Indices,
    neighbours: Parts,
    weights: Indices,
    prices: Indices,
    charges: Indices,
    limit: int,
) -> tuple[int, Indices, Parts]:
    """Price all sets: the weight inside, less prices of the vertices and the charge of the size.

    Parameters
    ----------
    weights
        One for each entry, shape ``(2 * edges,)``.
    prices
        One for each vertex, shape ``(vertices,)``.
    charges
        One for each size from 1 to the largest, shape ``(sizes,)``.
    limit
        Sets after which it ends.

    Returns
    -------
    tuple
        Sets that were priced, ``limit + 1`` where it ended early; the largest value of a set by
        lowest vertex and size, shape ``(vertices, sizes)``; its members, shape
        ``(vertices, sizes, sizes)``.
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
    sets = 0
    # With `size` members, `queue[following[size]:ends[size]]` are still to be tried as the next
    # one, and `pull` of a vertex is its weight to the members, less its price.
    for root in range(count):
        queue[0], queued[root] = root, True
        following[0], ends[0], size = 0, 1, 0
        while size >= 0:
            if size == most - 1:
                # The last member changes nothing for others: no more than its pull is needed.
                sets += ends[size] - following[size]
                top = best[root, size] + charges[size] - values[size]
                for place in range(following[size], ends[size]):
                    if pull[queue[place]] > top:
                        top = pull[queue[place]]
                        best[root, size] = values[size] + top - charges[size]
                        members[root, size, :size] = chosen[:size]
                        members[root, size, size] = queue[place]
                following[size] = ends[size]
            if following[size] == ends[size]:
                if sets > limit:
                    return limit + 1, best, members
                size -= 1
                if size >= 0:
                    _add(-1, starts, neighbours, weights, chosen[size], pull)
                    for place in range(ends[size], ends[size + 1]):
                        queued[queue[place]] = False
                continue
            vertex = queue[following[size]]
            following[size] += 1
            chosen[size] = vertex
            value = values[size] + pull[vertex]
            sets += 1
            if value - charges[size] > best[root, size]:
                best[root, size] = value - charges[size]
                members[root, size, : size + 1] = chosen[: size + 1]
            _add(1, starts, neighbours, weights, vertex, pull)
            row = neighbours[starts[vertex] : starts[vertex + 1]]
            size += 1
            following[size], values[size] = following[size - 1], value
            ends[size] = _queue_new(row, root, queue, queued, ends[size - 1])
        queued[root] = False
    return sets, best, members


@compiled
def _add(
    sign: int, starts: Indices, neighbours: Parts, weights: Indices, vertex: int, pull: Indices
) -> None:
    """Add the weights of a vertex to its neighbours, or take them away."""
    for entry in range(starts[vertex], starts[vertex + 1]):
        pull[neighbours[entry]] += sign * weights[entry]


@compiled
def _queue_new(row: Parts, root: int, queue: Parts, queued: Flags, end: int) -> int:
    """Queue the new ones of a row above the lowest vertex; returns the new end of the queue."""
    for other in row:
        if other > root and not queued[other]:
            queue[end], queued[other] = other, True
            end += 1
    return end
