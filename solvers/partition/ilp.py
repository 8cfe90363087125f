r"""Least cut by integer programming.

**Equal parts of** :math:`m`: a binary :math:`z_{uv}` for each pair says that both lie in the same
part. Parts have no names here, so none can be permuted.

.. math:: \min \sum_{uv} w_{uv} (1 - z_{uv}) \quad\text{subject to}\quad
   \sum_{u \ne v} z_{uv} = m - 1 \;\;\forall v, \qquad
   z_{uv} + z_{vt} - z_{ut} \le 1 \;\;\forall u, v, t .

Vertices pinned to the same part have :math:`z = 1`, to different parts :math:`z = 0`. In the
program :math:`z` is called *together*, the rows *mates* and *triangle*.

**Parts of several sizes**: a binary :math:`x_{vp}` places each vertex, :math:`y_{ep} \in [0, 1]`
says that edge :math:`e` lies inside part :math:`p`.

.. math:: \min \sum_e w_e \Bigl(1 - \sum_p y_{ep}\Bigr) \quad\text{subject to}\quad
   \sum_p x_{vp} = 1, \quad \sum_v x_{vp} = c_p, \quad
   y_{ep} \le x_{up}, x_{vp} \;(w_e > 0), \quad y_{ep} \ge x_{up} + x_{vp} - 1 \;(w_e < 0) .

Parts of one size without pins are alike and sorted by their least vertex: the :math:`i`-th of them
(from 0) holds no vertex below :math:`i`. The rows are called *one*, *size*, *tail* and *head*
(:math:`w_e > 0`), *both* (:math:`w_e < 0`).

References
----------
Groetschel and Wakabayashi, Math. Programming 45 (1989), for the triangle inequalities.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from solvers import certify
from solvers.model.milp import Floats, Indices, Milp, MilpBuilder
from solvers.partition.bounds import rounded_up
from solvers.partition.graph import Parts
from solvers.partition.kl import KernighanLin
from solvers.partition.outcome import Partition, outcome
from solvers.partition.request import FREE, Request, Unsuited, refuse

MOST = 64
"""Vertices: 125,000 triangle inequalities."""

MOST_BY_WORK = 40
"""Vertices where no time limit is set: one relaxation of more takes minutes."""

_NODES, _WORK = 500, 1_000_000  # nodes, and nodes times triangle inequalities
_MOST_COLUMNS = 20_000
_GAP = 5e-9
_ERROR = 1e-6  # feasibility tolerance of the solver, as a share of all absolute weights


@dataclass(frozen=True)
class Ilp:
    """Exact where time allows: integer program from the start that Kernighan-Lin finds.

    The answer is never worse than that start. The bound is the solver's, or the quick one where
    that is higher. Without a time limit the search takes at most 500 branch-and-bound nodes, and
    fewer of larger programs.
    """

    name: str = "ilp"
    solver: str = "highs"

    def suits(self, request: Request) -> Unsuited | None:
        """Some tens of vertices."""
        vertices, edges = request.graph.vertices, request.graph.edges
        if vertices > MOST:
            text = f"{vertices} vertices; the integer program takes at most {MOST}"
            return Unsuited("ranks", text, MOST)
        if vertices > MOST_BY_WORK and request.time_limit_s is None:
            text = f"above {MOST_BY_WORK} vertices the integer program needs a time limit"
            return Unsuited("untimed", text, MOST_BY_WORK)
        if not request.equal and request.parts * edges > _MOST_COLUMNS:
            text = f"{edges} edges times {request.parts} unequal parts are too many"
            return Unsuited("unequal", text, _MOST_COLUMNS // request.parts)
        return None

    def partition(self, request: Request) -> Partition:
        """Return the best partition found, with the bound of the search."""
        refuse(self.suits(request))
        first = KernighanLin().partition(request)
        return replace(self.improved(request, first), method=self.name)

    def improved(self, request: Request, first: Partition) -> Partition:
        """Begin with a partition that is there; keep it, and its method, if none is better."""
        quick = first.bound
        if first.cut <= quick or request.late():
            return first
        # In this unit the largest weight lies between 1 and 2, and a power of two rounds nothing.
        unit = math.ldexp(0.5, math.frexp(float(np.abs(request.graph.weights).max()))[1])
        model, columns = (_equal if request.equal else _unequal)(request, unit)
        start = _point(request, model, columns, _sorted_alike(request, first.part))
        unlimited = request.time_limit_s is None
        answer = certify.solve(
            model,
            solver=self.solver,
            time_limit_s=request.remaining_s(),
            node_limit=max(1, min(_NODES, _WORK // model.rows)) if unlimited else None,
            seed=request.seed,
            start=start,
            gap=_GAP,
            proof="never",
        )
        bound = answer.certificate.bound
        if bound is not None and math.isfinite(bound):
            quick = max(quick, rounded_up(request.graph, bound * unit, _ERROR * request.graph.size))
        best = outcome(request.graph, first.part, request.capacities, quick, first.method)
        if answer.x is not None:
            part = _read(request, columns, answer.x)
            result = outcome(request.graph, part, request.capacities, quick, self.name)
            best = result if result.cut < best.cut else best
        if request.graph.step:
            return best
        # A cut is its exact value rounded to the nearest float, which may be the next one up.
        return replace(best, bound=min(best.bound, float(np.nextafter(best.cut, -np.inf))))


def _equal(request: Request, unit: float) -> tuple[Milp, Indices]:
    """Program over pairs; its columns as a symmetric matrix, -1 on the diagonal."""
    graph, fixed, count = request.graph, request.fixed, request.graph.vertices
    build = MilpBuilder("min", name="equal parts", constant=graph.total / unit)
    u, v = np.triu_indices(count, 1)
    pinned = (fixed[u] != FREE) & (fixed[v] != FREE)
    together = fixed[u] == fixed[v]
    z = build.add_columns(
        len(u),
        cost=-graph.dense()[u, v] / unit,
        lower=(pinned & together).astype(float),
        upper=(~pinned | together).astype(float),
        integer=True,
        label="together",
    )
    columns = np.full((count, count), -1, dtype=np.int64)
    columns[u, v] = columns[v, u] = z
    others = float(request.capacities[0] - 1)
    build.add_rows(
        np.r_[u, v],
        np.r_[z, z],
        np.ones(2 * len(z)),
        lower=np.full(count, others),
        upper=np.full(count, others),
        label="mates",
    )
    # With parts of one vertex, or one part of all, the rows `mates` alone fix every column.
    if 1 < request.capacities[0] < count:
        triples = np.array(list(combinations(range(count), 3)))
        first, second, third = (
            columns[triples[:, i], triples[:, j]] for i, j in ((0, 1), (1, 2), (0, 2))
        )
        for i, (one, two, odd) in enumerate(
            (
                (first, second, third),
                (first, third, second),
                (second, third, first),
            )
        ):
            _at_most(build, f"triangle_{i}", [(1.0, one), (1.0, two), (-1.0, odd)], 1.0)
    return build.model(), columns


def _unequal(request: Request, unit: float) -> tuple[Milp, Indices]:
    """Program over places; columns of ``x`` as a matrix of vertices and parts."""
    graph, count, parts = request.graph, request.graph.vertices, request.parts
    build = MilpBuilder("min", name="parts of several sizes", constant=graph.total / unit)
    lower, upper = np.zeros((count, parts)), np.ones((count, parts))
    for vertex in np.flatnonzero(request.fixed != FREE).tolist():
        lower[vertex, request.fixed[vertex]] = 1.0
    # Any partition can name its alike parts in the order of their least vertices: none is lost.
    for alike in alike_parts(request):
        for index, part in enumerate(alike):
            upper[:index, part] = 0.0
    x = build.add_columns(
        count * parts, lower=lower.ravel(), upper=upper.ravel(), integer=True, label="x"
    )
    columns = x.reshape(count, parts)
    ones = np.ones(count * parts)
    each = np.ones(count)
    build.add_rows(np.repeat(np.arange(count), parts), x, ones, lower=each, upper=each, label="one")
    sizes = request.capacities.astype(float)
    build.add_rows(
        np.tile(np.arange(parts), count), x, ones, lower=sizes, upper=sizes, label="size"
    )
    u, v, weights = request.graph.once()
    y = build.add_columns(
        len(u) * parts, cost=np.repeat(-weights / unit, parts), upper=1.0, label="y"
    ).reshape(len(u), parts)
    for name, ends in (("tail", u), ("head", v)):
        good = weights > 0.0
        _at_most(build, name, [(1.0, y[good]), (-1.0, columns[ends[good]])], 0.0)
    bad = weights < 0.0
    _at_most(build, "both", [(-1.0, y[bad]), (1.0, columns[u[bad]]), (1.0, columns[v[bad]])], 1.0)
    return build.model(), columns


def _at_most(
    build: MilpBuilder, label: str, terms: list[tuple[float, Indices]], most: float
) -> None:
    """Add one row per place of equally shaped arrays of columns."""
    count = terms[0][1].size
    if count:
        build.add_rows(
            np.tile(np.arange(count), len(terms)),
            np.concatenate([columns.ravel() for _, columns in terms]),
            np.repeat([factor for factor, _ in terms], count),
            upper=np.full(count, most),
            label=label,
        )


def alike_parts(request: Request) -> list[list[int]]:
    """Parts without pins, by size."""
    held = set(request.fixed.tolist())
    groups: dict[int, list[int]] = {}
    for part, size in enumerate(request.capacities.tolist()):
        if part not in held:
            groups.setdefault(size, []).append(part)
    return list(groups.values())


def _sorted_alike(request: Request, part: Parts) -> Parts:
    """The same partition with parts that are alike sorted by their least vertex."""
    name = np.arange(request.parts, dtype=np.int32)
    for alike in alike_parts(request):
        by_least = sorted(alike, key=lambda p: int((part == p).argmax()))
        name[by_least] = alike
    renamed: Parts = name[part]
    return renamed


def _point(request: Request, model: Milp, columns: Indices, part: Parts) -> Floats:
    """Point of the program that stands for a partition."""
    point = np.zeros(model.columns)
    if request.equal:
        u, v = np.triu_indices(request.graph.vertices, 1)
        point[columns[u, v]] = part[u] == part[v]
        return point
    count = request.graph.vertices
    point[columns[np.arange(count), part]] = 1.0
    low, high, _ = request.graph.once()
    inside = np.flatnonzero(part[low] == part[high])
    point[columns.size + inside * request.parts + part[low[inside]]] = 1.0
    return point


def _read(request: Request, columns: Indices, x: Floats) -> Parts:
    """Partition that a point stands for."""
    if not request.equal:
        placed: Parts = x[columns].argmax(axis=1).astype(np.int32)
        return placed
    together = np.where(columns < 0, 1.0, x[columns]) > 0.5
    part: Parts = request.fixed.copy()
    for vertex in np.flatnonzero(part != FREE).tolist():
        part[together[vertex]] = part[vertex]
    unused_parts = iter(sorted(set(range(request.parts)) - set(part.tolist())))
    for vertex in range(len(part)):
        if part[vertex] == FREE:
            part[together[vertex]] = next(unused_parts)
    return part
