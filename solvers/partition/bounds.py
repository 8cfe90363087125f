r"""Lower bounds on the cut, for every answer.

**By neighbours.** A vertex in a part of :math:`c` has :math:`c - 1` companions among the
:math:`n - 1` others. What it keeps is at most the sum of its :math:`c - 1` largest weights. Absent
edges weigh 0, so with few other vertices a negative weight can be forced. The rest of its weight
is cut, and each edge is counted at both ends:

.. math:: \text{cut} \ge \tfrac12 \sum_v \Bigl(\sum_u w_{uv} - \text{top}_{c-1}(v)\Bigr).

With parts of several sizes the positive weights of the largest and the forced negative ones of the
smallest are taken.

It holds for weights of both signs.

**By eigenvalues.** With :math:`X` the 0/1 matrix of vertices and parts,
:math:`\text{cut} = \tfrac12 \operatorname{tr} X^T (L + \operatorname{diag} u) X` for every
:math:`u` that adds up to 0. The columns of :math:`X` are orthogonal with squared lengths
:math:`m_p`. So the cut is at least :math:`\tfrac12 \sum_p m_p \lambda_p(L + \operatorname{diag} u)`
with sizes descending and eigenvalues ascending. For :math:`k` equal parts of :math:`m` the part of
:math:`X` along the vector of ones is known and drops out:

.. math:: \text{cut} \ge \tfrac{m}{2} \sum_{i=1}^{k-1} \lambda_i(V^T (L + \operatorname{diag} u) V),

where the columns of :math:`V` span what is orthogonal to the ones. It is concave in :math:`u`, and
a few subgradient steps raise it; every step gives a valid bound. Signs of weights do not matter.

**By blocks**, for graphs too large for dense eigenvalues. In any partition, a part holds at most
as many vertices of a block as the largest part has. Edges between blocks cost at least their
negative weights. So the bounds by eigenvalues of disjoint blocks add up. Each has as many sizes
equal to the largest as its vertices fill: the sum over sizes descending and eigenvalues ascending
is least there.

All are lowered by more than their rounding error. Where all weights are integers, so are all cuts,
and the bound is rounded up to a multiple of their greatest common divisor.

References
----------
Donath and Hoffman, IBM J. Res. Dev. 17 (1973), theorem 1; Rendl and Wolkowicz, Ann. Oper. Res. 58
(1995), for the projection. With equal parts the linear term of the latter is constant.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from solvers.model.milp import Floats
from solvers.partition.eigen import eigenvalues, eigenvectors
from solvers.partition.graph import Graph, inner
from solvers.partition.halving import halved
from solvers.partition.request import Request

_DENSE = 600
_STEPS = ((40, 100), (100, 60), (200, 25), (_DENSE, 0))
_BLOCK = 400
# Seconds per cubed vertex: eigenvalues with their vectors, and eigenvalues alone.
_VECTORS_S, _VALUES_S = 8e-9, 3e-9
_SAFETY = 64 * np.finfo(np.float64).eps


@lru_cache(maxsize=4)
def lower_bound(request: Request) -> float:
    """Return the best of the quick bounds; pins are not used, so it holds with them too.

    With a time limit eigenvalues are left out where they would take longer than the time left.
    """
    if request.parts == 1:
        return 0.0
    bound = by_neighbours(request)
    small = request.graph.vertices <= _DENSE
    seconds = bound_seconds(request.graph.vertices)
    if request.graph.edges and request.allows(seconds):
        bound = max(bound, by_eigenvalues(request) if small else by_blocks(request))
    return rounded_up(request.graph, bound)


def bound_seconds(count: int) -> float:
    """About what the eigenvalues take; of many steps a fifth must fit in."""
    if count > _DENSE:
        return _VALUES_S * _BLOCK**2 * count
    steps = next(steps for most, steps in _STEPS if count <= most)
    return _VECTORS_S * count**3 * (1 + steps / 5)


def rounded_up(graph: Graph, bound: float, error: float = 0.0) -> float:
    """Raise a bound to the next value that a cut can have, if it is sound to within ``error``."""
    if not graph.step or not math.isfinite(bound):
        return bound
    return max(bound, math.ceil((bound - error) / graph.step) * graph.step + 0.0)


def by_neighbours(request: Request) -> float:
    """Return half of the weight that the vertices lose in every partition."""
    graph = request.graph
    largest = int(request.capacities.max()) - 1
    least = int(request.capacities.min()) - 1
    order = np.lexsort((-graph.weights, graph.tails))
    weights = graph.weights[order]
    rank = np.arange(len(weights)) - graph.starts[graph.tails]
    selected = np.where((rank < largest) & (weights > 0.0), weights, 0.0)
    # A vertex whose absent and positive edges are too few for the smallest part must keep others.
    degree = np.diff(graph.starts)
    absent = (graph.vertices - 1 - degree)[graph.tails]
    forced = (weights < 0.0) & (rank + absent < least)
    selected = selected + np.where(forced, weights, 0.0)
    lost = float((graph.weights - selected).sum()) / 2
    return lost - _SAFETY * graph.size * (2 + len(weights)).bit_length()


def by_eigenvalues(request: Request) -> float:
    """Return the bound from the least eigenvalues of the Laplacian, shifted along its diagonal."""
    weights = request.graph.dense()
    laplacian = np.diag(weights.sum(axis=1)) - weights
    if not request.equal:
        # The largest size meets the least eigenvalue: of all orders this one has the least sum.
        values = eigenvalues(laplacian)[: request.parts]
        sizes = np.sort(request.capacities)[::-1]
        return float((sizes * values).sum()) / 2 - _error(laplacian, request)
    steps = next(steps for most, steps in _STEPS if request.graph.vertices <= most)
    return _shifted(laplacian, request, steps)


def by_blocks(request: Request) -> float:
    """Return the sum of bounds by eigenvalues over blocks that hold together."""
    graph, count = request.graph, request.graph.vertices
    blocks = -(-count // _BLOCK)
    sizes = np.diff(np.arange(blocks + 1) * count // blocks)
    block = halved(Request(graph, sizes), np.random.default_rng(0))
    between = block[graph.tails] != block[graph.neighbours]
    bound = float(np.minimum(graph.weights[between], 0.0).sum()) / 2
    bound -= _SAFETY * graph.size
    for index in range(blocks):
        part = inner(graph, np.flatnonzero(block == index))
        bound += _with_largest(part, int(request.capacities.max()))
    return bound


def _with_largest(graph: Graph, largest: int) -> float:
    """Bound on what parts of at most a size cut."""
    weights = graph.dense()
    laplacian = np.diag(weights.sum(axis=1)) - weights
    values = eigenvalues(laplacian)
    full, rest = divmod(graph.vertices, largest)
    sizes = np.zeros(graph.vertices)
    sizes[:full] = largest
    if rest:
        sizes[full] = rest
    error = _SAFETY * norm(laplacian) * graph.vertices**2 / 2
    return float((sizes * values).sum()) / 2 - error


def _shifted(laplacian: Floats, request: Request, steps: int) -> float:
    """Subgradient ascent over the shift; each step's bound is valid."""
    count, size = len(laplacian), int(request.capacities[0])
    shift, best = np.zeros(count), -math.inf
    scale = float(np.abs(laplacian).max())
    for step in range(steps + 1):
        shifted = laplacian + np.diag(shift - shift.mean())
        values, vectors = eigenvectors(projected(shifted))
        bound = size / 2 * float(values[: request.parts - 1].sum())
        best = max(best, bound - _error(shifted, request))
        share = (lifted(vectors[:, : request.parts - 1]) ** 2).sum(axis=1)
        slope = share - share.mean()
        length = math.sqrt((slope**2).sum())
        if length <= 1e-9:
            break
        if request.late():
            break
        # Steps shrink by their number alone, as no target is known; every shift is valid.
        shift = shift + slope / length * scale * 0.5 / (1 + 0.3 * step)
    return best


def projected(matrix: Floats) -> Floats:
    """``V^T matrix V``, the columns of ``V`` orthonormal and orthogonal to the ones."""
    return _lowered(_lowered(matrix).T)


def lifted(vectors: Floats) -> Floats:
    """``V vectors`` for columns ``vectors`` of one row less.

    ``V`` has a first row of ``-1 / sqrt(n)``; below, ``-1 / (n + sqrt(n))`` is added to the unit
    matrix. So sums of columns are all that is needed.
    """
    first, below = _reflection(len(vectors) + 1)
    total = vectors.sum(axis=0)
    return np.vstack([first * total, vectors + below * total])


def _lowered(rows: Floats) -> Floats:
    """``V^T rows``."""
    first, below = _reflection(len(rows))
    result: Floats = rows[1:] + (first * rows[0] + below * rows[1:].sum(axis=0))
    return result


def _reflection(count: int) -> tuple[float, float]:
    root = math.sqrt(count)
    return -1.0 / root, -1.0 / (count + root)


def norm(matrix: Floats) -> float:
    """Frobenius norm."""
    return math.sqrt((matrix**2).sum())


def _error(matrix: Floats, request: Request) -> float:
    """More than the rounding error of the eigenvalues, times the sizes of the parts."""
    return _SAFETY * norm(matrix) * len(matrix) * float(request.capacities.sum()) / 2
