"""Triples of vertices of which a choice of sets in shares holds two or three more than once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from solvers.model.milp import Floats

Members = tuple[int, ...]

_BROKEN = 0.02  # above one set, from which a triple is worth a row
_PER_VERTEX = 3  # new triples with one vertex


def broken_triples(
    known: Iterable[Members], chosen: Floats, triples: Sequence[Members]
) -> list[Members]:
    """Triples with two or three vertices in more than one chosen set, the most broken first.

    Parameters
    ----------
    known, chosen
        Sets with ascending vertices, and the share of each that is chosen, shape ``(sets,)``.
    triples
        Those known already.
    """
    used = [(set_, share) for set_, share in zip(known, chosen.tolist(), strict=True) if share > 0]
    count = 1 + max(set_[-1] for set_, _ in used)
    pairs = np.zeros((count, count))
    with_vertex: list[list[tuple[Members, float]]] = [[] for _ in range(count)]
    for set_, share in used:
        pairs[np.ix_(set_, set_)] += share
        for vertex in set_:
            with_vertex[vertex].append((set_, share))
    ranked = []
    for low, sets in enumerate(with_vertex):
        whole = np.zeros((count, count))
        for set_, share in sets:
            whole[np.ix_(set_, set_)] += share
        # A set with all three counts in each of the three pairs, and once is enough.
        held = pairs[low][:, None] + pairs[low] + pairs - 2 * whole
        over = np.triu(held[low + 1 :, low + 1 :], 1)
        for row, column in np.argwhere(over > 1 + _BROKEN).tolist():
            triple = (low, low + 1 + row, low + 1 + column)
            ranked.append((-float(over[row, column]), triple))
    times = np.zeros(count, dtype=np.int64)
    broken: list[Members] = []
    for _, triple in sorted(ranked):
        if triple not in triples and times[[*triple]].max() < _PER_VERTEX:
            times[[*triple]] += 1
            broken.append(triple)
    return broken
