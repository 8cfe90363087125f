"""The assignment of greatest weight with its dual values, in whole numbers.

References
----------
Jonker and Volgenant, Computing 38 (1987): shortest augmenting paths. Their reductions of the
beginning are replaced by one greedy pass.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.compiled import compiled, counted_entry
from solvers.matching.weights import Whole

_FREE = -1


@counted_entry
def assignment(weight: Whole) -> tuple[Whole, Whole, Whole]:
    """Assign a column to every row, none to itself, for the greatest sum of weights.

    Parameters
    ----------
    weight
        Even whole numbers, shape ``(size, size)``; the diagonal is not read. ``size >= 2``.

    Returns
    -------
    column, row_price, column_price
        ``row_price[i] + column_price[j] >= weight[i, j]`` for ``i != j``, equal where assigned; all
        prices are even.
    """
    size = len(weight)
    column_price = np.zeros(size, dtype=np.int64)
    row_price = np.zeros(size, dtype=np.int64)
    column = np.empty(size, dtype=np.int64)
    row = np.empty(size, dtype=np.int64)
    column[:] = _FREE
    row[:] = _FREE
    # Row maxima as prices make every slack at least 0; prices of columns then take up the rest.
    for i in range(size):
        best = -1
        for j in range(size):
            if j != i and (best < 0 or weight[i, j] > weight[i, best]):
                best = j
        row_price[i] = weight[i, best]
    for j in range(size):  # prices of columns fall as far as they can
        least = np.int64(1) << 62
        at = -1
        for i in range(size):
            if i != j and row_price[i] - weight[i, j] < least:
                least = row_price[i] - weight[i, j]
                at = i
        column_price[j] = -least
        if column[at] == _FREE:
            column[at] = j
            row[j] = at
    # From here on every slack is at least 0, and 0 where a column is assigned. Weights are even,
    # hence also all prices, which are sums and differences of weights.
    slack = np.empty(size, dtype=np.int64)
    before = np.empty(size, dtype=np.int64)
    done = np.empty(size, dtype=np.bool_)
    for i in range(size):
        if column[i] == _FREE:
            _augment(weight, i, column, row, row_price, column_price, slack, before, done)
    return column, row_price, column_price


@compiled
def _augment(
    weight: Whole, start: int, column: Whole, row: Whole, row_price: Whole, column_price: Whole,
    slack: Whole, before: Whole, done: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Grow a tree of shortest paths from a free row to a free column; change prices and swap."""
    size = len(weight)
    far = np.int64(1) << 62
    slack[:] = far
    before[:] = _FREE
    done[:] = False
    i, reached = start, np.int64(0)
    end = _FREE
    # Dijkstra's algorithm with slacks as lengths: `slack` is the shortest way known to each column
    # and final where it is done; `reached` is the way to row i.
    while end == _FREE:
        least, at = far, -1
        for j in range(size):
            if not done[j]:
                if j != i:
                    through = reached + row_price[i] + column_price[j] - weight[i, j]
                    if through < slack[j]:
                        slack[j] = through
                        before[j] = i
                # Among columns equally near a free one comes first, since the path ends there.
                if slack[j] < least or (slack[j] == least and row[j] == _FREE):
                    least, at = slack[j], j
        reached = least
        done[at] = True
        if row[at] == _FREE:
            end = at
        else:
            i = row[at]
    # Each price moves by how much nearer its column is than the end. So no slack falls below 0, and
    # all along the path are 0. The end itself has no row yet, and its price stays.
    row_price[start] -= reached
    for j in range(size):
        if done[j] and j != end:
            column_price[j] += reached - slack[j]
            row_price[row[j]] -= reached - slack[j]
    j = end
    while True:
        i = before[j]
        row[j] = i
        column[i], j = j, column[i]
        if i == start:
            return
