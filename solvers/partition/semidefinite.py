r"""A stronger lower bound for equal parts, worth its time once a good partition is known.

Let :math:`Z_{uv} = 1` where both vertices lie in the same part of :math:`m`, else 0. Then
:math:`\text{cut} = \tfrac12 \langle L, Z \rangle`, and :math:`Z` has ones on its diagonal, no
negative entry, :math:`Z e = m e`, and eigenvalues 0 and :math:`m`, the latter :math:`k` times.
The eigenvalues and the rows are kept as they are; the diagonal gets multipliers :math:`u`, the
entries get multipliers :math:`S \ge 0` (zero on the diagonal). With
:math:`A = L + \operatorname{diag} u - S` and :math:`V` orthonormal and orthogonal to :math:`e`

.. math:: \text{cut} \ge \tfrac12 \Bigl(\tfrac1k e^T A e - \sum_v u_v
   + m \sum_{i=1}^{k-1} \lambda_i(V^T A V)\Bigr)

for every :math:`u` and every :math:`S \ge 0`. Its maximum is a semidefinite relaxation; here it is
climbed by deflected subgradients from :math:`u = 0, S = 0`, back to the best point with half the
step after five steps without gain. Weights may have any sign.

References
----------
Karisch and Rendl, Fields Institute Communications 18 (1998), for the relaxation, there solved by
interior points; Camerini, Fratta and Maffioli, Math. Programming Study 3 (1975), for the deflected
direction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solvers.model.milp import Floats
from solvers.partition.bounds import lifted, norm, projected, rounded_up
from solvers.partition.eigen import eigenvectors, gram
from solvers.partition.request import Request

_STEPS = ((64, 400), (128, 250), (256, 120), (512, 40))
_PATIENCE = 5
_OLD = 0.7
_SAFETY = 64 * np.finfo(np.float64).eps


@dataclass(frozen=True)
class _Point:
    """Multipliers of the diagonal and of the entries."""

    shift: Floats
    entries: Floats


def by_entries(request: Request, target: float) -> float:
    """Climb towards the cut of a known partition; minus infinity where it is not worth trying.

    Every point on the way gives a valid bound, for any ``target``.
    """
    count = request.graph.vertices
    steps = next((steps for most, steps in _STEPS if count <= most), 0)
    if not request.equal or not 1 < request.parts < count or not steps:
        return -math.inf
    weights = request.graph.dense()
    laplacian = np.diag(weights.sum(axis=1)) - weights
    point = best_point = _Point(np.zeros(count), np.zeros((count, count)))
    slope: _Point | None = None
    best, certain, factor, fails = -math.inf, -math.inf, 0.5, 0
    for _ in range(steps):
        bound, error, uphill = _bound(request, laplacian, point)
        certain = max(certain, bound - error)
        if rounded_up(request.graph, certain) >= target or request.late():
            break
        if best == -math.inf or bound > best + 1e-4 * abs(target - best):
            best, best_point, fails = bound, point, 0
        else:
            fails += 1
        if fails == _PATIENCE:
            point, slope, factor, fails = best_point, None, factor / 2, 0
            continue
        slope = uphill if slope is None else _mixed(slope, uphill)
        length = float((slope.shift**2).sum() + (slope.entries**2).sum())
        if length <= 1e-14:
            break
        # Polyak's step (1969), with the cut of the known partition in place of the unknown maximum.
        step = factor * (target - best) / length
        point = _Point(
            point.shift + step * slope.shift,
            np.maximum(0.0, point.entries + step * slope.entries),
        )
    return rounded_up(request.graph, certain)


def _bound(request: Request, laplacian: Floats, point: _Point) -> tuple[float, float, _Point]:
    """Bound at a point, more than its rounding error, and a direction upwards."""
    parts, size = request.parts, int(request.capacities[0])
    matrix = laplacian + np.diag(point.shift) - point.entries
    values, vectors = eigenvectors(projected(matrix))
    spread = lifted(vectors[:, : parts - 1])
    # The best Z for these multipliers, hence a supergradient of the bound, a minimum over Z.
    together = 1.0 / parts + size * gram(np.ascontiguousarray(spread.T))
    terms = float(matrix.sum()) / parts - float(point.shift.sum())
    bound = (terms + size * float(values[: parts - 1].sum())) / 2
    entries = -together / 2
    # A multiplier at 0 cannot fall: that part of the direction would lead out of the domain.
    entries[(point.entries <= 0.0) & (entries < 0.0)] = 0.0
    np.fill_diagonal(entries, 0.0)
    size_of_all = norm(matrix) + float(np.abs(point.shift).sum())
    error = _SAFETY * size_of_all * len(matrix) ** 2 / 2
    return bound, error, _Point((np.diag(together) - 1.0) / 2, entries)


def _mixed(old: _Point, new: _Point) -> _Point:
    return _Point(
        _OLD * old.shift + (1 - _OLD) * new.shift, _OLD * old.entries + (1 - _OLD) * new.entries
    )
