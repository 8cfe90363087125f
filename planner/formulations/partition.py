r"""Vertices of a graph in parts of given sizes, with the least weight between parts.

Sets and parameters
    v in V             vertices (ranks), numbered from 0
    p in P             parts (nodes), each of exactly ``m_p`` vertices
    {u, v} in E        edges, u < v, of weight ``w_uv``; below 0 where it is better to part the two
Variables
    x_v_p              1 if vertex v lies in part p
    y_u_v_p            1 if both ends of an edge lie in part p: the product x_u_p x_v_p, in [0, 1]
Objective
    *cut*              minimise  sum_uv w_uv (1 - sum_p y_u_v_p)
Constraints
    one_v              sum_p x_v_p = 1                    for every vertex v
    size_p             sum_v x_v_p = m_p                  for every part p
    tail_u_v_p         y_u_v_p <= x_u_p                   where w_uv > 0
    head_u_v_p         y_u_v_p <= x_v_p                   where w_uv > 0
    both_u_v_p         y_u_v_p >= x_u_p + x_v_p - 1       where w_uv < 0
    mates_v_p          sum_u y_u_v_p <= (m_p - 1) x_v_p   where v has more than m_p - 1 edges
    first_v_p          x_v_p <= sum_{u < v} x_u_q         where p follows q among parts alike
    pin_v              x_v_p = 1                          where vertex v is pinned to part p

With ``w_uv = t_inter - t_intra`` the cut is the time of all messages but for a constant. This is
the true objective of section IV-A, which the paper replaces by equation 4. *one* and *size* say
what a balanced partition is. *tail*, *head* and *both* make y the product of both x (McCormick
1976), each only where the objective pulls the other way. *mates* cuts off fractions only: a vertex
has ``m_p - 1`` others in its part. *first* breaks the symmetry. Parts are alike if they have the
same size and no pin. If two alike parts follow each other, the earlier one has the least vertex of
both. Without *first*, each partition into k alike parts would occur k! times.

Weights are counted in a unit, a power of two, that makes the largest about 2^20. HiGHS does not
look for a point that is better by less than 1e-6, CBC by less than 1e-5. In a unit near the largest
weight they called 42,000,004,588 and 75,000,009,308 optimal where 42,000,003,783 and
75,000,009,021 are. Left out: nothing. ``request.starts`` is for heuristics and has no meaning here.

References
----------
Li, de Supinski, Schulz, Nikolopoulos and Cameron (2010): power-aware MPI task aggregation, section
IV-A and equation 4, which says what an edge costs; there Kernighan-Lin partitions, no program does.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from planner.formulations.solved import refuse_large, solve
from solvers.partition.graph import Graph
from solvers.partition.ilp import alike_parts
from solvers.partition.outcome import Partition, outcome
from solvers.partition.request import FREE, Request

if TYPE_CHECKING:
    import pulp

    AssignmentVariables = list[list[pulp.LpVariable]]

_LARGEST = 20
"""Exponent of two of the largest weight in the units of the model."""


def formulate(request: Request) -> tuple[pulp.LpProblem, AssignmentVariables]:
    """Return the model of the module's docstring with ``x[v][p]``.

    The objective counts in :func:`unit_of` the graph.

    Raises
    ------
    PlanError
        The model is too large.
    """
    import pulp

    graph, sizes = request.graph, request.capacities.tolist()
    refuse_large("partition", nonzeros_of(graph, len(sizes)), "use --method portfolio")
    model = pulp.LpProblem("partition", pulp.LpMinimize)
    x = assignment_variables(model, graph.vertices, len(sizes))
    unit = unit_of([graph])
    model += graph.total / unit - weight_within_parts(model, graph, x, sizes, unit)
    for v, row in enumerate(x):
        model += pulp.lpSum(row) == 1, f"one_{v}"
    for p, size in enumerate(sizes):
        model += pulp.lpSum(row[p] for row in x) == size, f"size_{p}"
    sort_by_first(model, x, _alike(request))
    for v, p in enumerate(request.fixed.tolist()):
        if p != FREE:
            model += x[v][p] == 1, f"pin_{v}"
    return model, x


def partition(request: Request, *, solver: str = "cbc", node_limit: int | None = None) -> Partition:
    """Solve the reference formulation and read the partition.

    Parameters
    ----------
    request
        Its time limit holds.
    solver, node_limit
        As in :func:`planner.formulations.solved.solve`.

    Raises
    ------
    PlanError
        The model is too large, or the solver found no partition within its limits.
    """
    model, x = formulate(request)
    solved = solve(
        model,
        solver=solver,
        node_limit=node_limit,
        time_limit_s=request.remaining_s(),
        seed=request.seed,
    )
    part = np.array([[solved.chosen(variable) for variable in row] for row in x]).argmax(axis=1)
    result = outcome(
        request.graph,
        part.astype(np.int32),
        request.capacities,
        bound_of(solved.certificate.bound, unit_of([request.graph])),
        f"reference ({solver})",
    )
    return replace(result, certificate=solved.certificate)


def assignment_variables(
    model: pulp.LpProblem, vertices: int, parts: int, tag: str = ""
) -> AssignmentVariables:
    """Add ``x[v][p]`` for every vertex and part; names are ``x``, the tag, v and p."""
    return [
        [model.add_variable(f"x{tag}_{v}_{p}", cat="Binary") for p in range(parts)]
        for v in range(vertices)
    ]


def weight_within_parts(
    model: pulp.LpProblem,
    graph: Graph,
    x: AssignmentVariables,
    sizes: Sequence[int],
    unit: float,
    tag: str = "",
) -> pulp.LpAffineExpression:
    """Add y with its rows; return the weight within parts, in units."""
    import pulp

    terms, mates = [], defaultdict(list)
    for u, v, weight in graph.edge_list():
        for p in range(len(sizes)):
            end = f"{tag}_{u}_{v}_{p}"
            y = model.add_variable(f"y{end}", lowBound=0, upBound=1)
            terms.append((y, weight / unit))
            mates[u, p].append(y)
            mates[v, p].append(y)
            if weight > 0:
                model += y <= x[u][p], f"tail{end}"
                model += y <= x[v][p], f"head{end}"
            else:
                model += y >= x[u][p] + x[v][p] - 1, f"both{end}"
    for (v, p), others in mates.items():
        if len(others) > sizes[p] - 1:
            model += pulp.lpSum(others) <= (sizes[p] - 1) * x[v][p], f"mates{tag}_{v}_{p}"
    return pulp.LpAffineExpression(terms)


def sort_by_first(
    model: pulp.LpProblem, x: AssignmentVariables, pairs: Iterable[tuple[int, int]], tag: str = ""
) -> None:
    """Require that the first part of each pair has the least vertex of both parts."""
    import pulp

    for q, p in pairs:
        for v in range(len(x)):
            model += x[v][p] <= pulp.lpSum(x[u][q] for u in range(v)), f"first{tag}_{v}_{p}"


def unit_of(graphs: Sequence[Graph]) -> float:
    """Power of two by which weights are divided; 1 without edges."""
    largest = max(float(np.abs(graph.weights).max(initial=0.0)) for graph in graphs)
    return math.ldexp(0.5, math.frexp(largest)[1] - _LARGEST) if largest > 0 else 1.0


def nonzeros_of(graph: Graph, parts: int) -> int:
    """Nonzero coefficients of the model, at most."""
    return parts * (2 * graph.vertices + 6 * graph.edges + graph.vertices**2 // 2)


def bound_of(bound: float | None, unit: float) -> float:
    """Bound of a certificate in the units of the weights."""
    return -math.inf if bound is None else bound * unit


def _alike(request: Request) -> list[tuple[int, int]]:
    """Parts of one size without pins, each with the next one."""
    return [pair for group in alike_parts(request) for pair in pairwise(group)]
