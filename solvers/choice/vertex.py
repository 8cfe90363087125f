"""From a mixture of picks to one in which at most as many classes as resources are mixed.

The solution of the linear relaxation is a mixture of a few picks, and where items tie many classes
are mixed. Shares are moved within classes along directions that leave all totals as they are,
until some share is zero, as in the proof of Carathéodory's theorem.
"""

from __future__ import annotations

import numpy as np

from solvers.compiled import compiled, counted, counted_entry
from solvers.model.milp import Floats, Indices


@counted_entry
def null_vector(matrix: Floats) -> Floats:
    """A direction ``z`` with ``matrix @ z = 0``, for fewer rows than columns."""
    rows, columns = matrix.shape
    order = np.arange(columns)
    rank = 0
    # With the largest entry as the pivot, a pivot near 0 means that the rest is rounding: the rank
    # is known. The limit is absolute, since the caller scales the entries.
    while rank < rows:
        best_r, best_c, largest = -1, -1, 1e-12
        for r in range(rank, rows):
            for c in range(rank, columns):
                if abs(matrix[r, c]) > largest:
                    best_r, best_c, largest = r, c, abs(matrix[r, c])
        if best_r < 0:
            break
        for c in range(columns):
            matrix[rank, c], matrix[best_r, c] = matrix[best_r, c], matrix[rank, c]
        for r in range(rows):
            matrix[r, rank], matrix[r, best_c] = matrix[r, best_c], matrix[r, rank]
        order[rank], order[best_c] = order[best_c], order[rank]
        for r in range(rank + 1, rows):
            factor = matrix[r, rank] / matrix[rank, rank]
            for c in range(rank, columns):
                matrix[r, c] -= factor * matrix[rank, c]
        rank += 1
    z = np.zeros(columns)
    z[order[rank]] = 1.0
    for r in range(rank - 1, -1, -1):
        value = matrix[r, rank]
        for c in range(r + 1, rank):
            value += matrix[r, c] * z[order[c]]
        z[order[r]] = -value / matrix[r, r]
    return z


@counted
def lever_matrix(
    weights: Floats, scale: Floats, group: Indices, to: Indices, chosen: Indices
) -> Floats:
    """Change of each total by each lever."""
    matrix = np.empty((len(weights), len(to)))
    for q in range(len(to)):
        for r in range(len(weights)):
            matrix[r, q] = (weights[r, to[q]] - weights[r, chosen[group[q]]]) * scale[r]
    return matrix


@counted_entry
def unmix(picks: Indices, shares: Floats, weights: Floats, scale: Floats) -> Indices:
    """Round a mixture: each class takes the item of its largest share in the end.

    Parameters
    ----------
    picks, shares
        Items per pick and class, ``(picks, classes)``, and the share of each pick.
    weights, scale
        Per resource and item, and what makes resources comparable.
    """
    resources, classes = len(weights), picks.shape[1]
    chosen: Indices = picks[0].copy()
    # a lever moves share within a class from its anchor (in `chosen`) to another item
    most = resources + 1
    group, to = np.zeros(most, dtype=np.int64), np.zeros(most, dtype=np.int64)
    share, anchor_share = np.zeros(most), np.ones(classes)
    levers = 0
    for j in range(classes):
        anchor_share[j] = shares[0]
        first = levers
        for p in range(1, len(shares)):
            item = picks[p, j]
            if item == chosen[j]:
                anchor_share[j] += shares[p]
                continue
            same = -1
            for q in range(first, levers):
                if group[q] == j and to[q] == item:
                    same = q
            if same >= 0:
                share[same] += shares[p]
                continue
            group[levers], to[levers], share[levers] = j, item, shares[p]
            levers += 1
            # With more levers than resources a direction changes no total, until a share is 0.
            if levers == most:
                z = null_vector(lever_matrix(weights, scale, group, to, chosen))
                levers = pull(z, group, to, share, anchor_share, chosen, levers)
                first = min(first, levers)
                while first > 0 and group[first - 1] == j:
                    first -= 1
    settle(group, to, share, anchor_share, chosen, levers)
    return chosen


@compiled
def settle(
    group: Indices, to: Indices, share: Floats, anchor_share: Floats, chosen: Indices, levers: int
) -> None:
    """Give the classes that are still mixed the item of their largest share."""
    for q in range(levers):
        if share[q] > anchor_share[group[q]]:
            chosen[group[q]], to[q] = to[q], chosen[group[q]]
            share[q], anchor_share[group[q]] = anchor_share[group[q]], share[q]


@compiled
def pull(
    z: Floats,
    group: Indices,
    to: Indices,
    share: Floats,
    anchor_share: Floats,
    chosen: Indices,
    levers: int,
) -> int:
    """Move along ``z`` until a share is used up; returns how many levers are left."""
    # `z` is not zero, so along it a share falls: of a lever, or of the anchor of a class.
    step, spent, is_anchor = np.inf, -1, False
    for q in range(levers):
        if z[q] < 0.0 and share[q] / -z[q] < step:
            step, spent, is_anchor = share[q] / -z[q], q, False
        drain = 0.0
        for other in range(levers):
            if group[other] == group[q]:
                drain += z[other]
        if drain > 0.0 and anchor_share[group[q]] / drain < step:
            step, spent, is_anchor = anchor_share[group[q]] / drain, q, True
    for q in range(levers):
        share[q] = max(0.0, share[q] + step * z[q])
        anchor_share[group[q]] -= step * z[q]
    for q in range(levers):  # only when all levers of a class have moved it
        anchor_share[group[q]] = max(0.0, anchor_share[group[q]])
    if is_anchor:  # the lever's item becomes the anchor of its class
        chosen[group[spent]] = to[spent]
        anchor_share[group[spent]] = share[spent]
    for q in range(spent, levers - 1):
        group[q], to[q], share[q] = group[q + 1], to[q + 1], share[q + 1]
    return levers - 1
