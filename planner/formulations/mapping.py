r"""Ranks on the slots of nested units: a quadratic assignment, made linear.

Sets and parameters
    v in V             vertices (ranks), as many as slots
    i = 0, 1, ...      levels of units, outermost first (nodes, sockets, caches, ...)
    p in P_i           units of level i with ``m_p`` slots; the units of level i + 1 within one are
                       its children
    {u, v} in E_i      edges, u < v, of weight ``w_iuv``: what parting both at level i costs more
                       than parting them further in; may be below 0
Variables
    x_i_v_p            1 if vertex v lies in unit p of level i
    y_i_u_v_p          1 if both ends of an edge lie in p: the product x_i_u_p x_i_v_p, in [0, 1]
Objective
    minimise  sum_i sum_uv w_iuv (1 - sum_p y_i_u_v_p)
Constraints
    one_v              sum_p x_0_v_p = 1                  for every vertex v
    nest_i_v_p         x_i_v_p = sum_q x_(i+1)_v_q        over the children q of p
    size_p             sum_v x_i_v_p = m_p                for the units of the innermost level
    tail, head, both, mates
                       as in :mod:`planner.formulations.partition`, at each level
    first_i_v_p        x_i_v_p <= sum_{u < v} x_i_u_q     where p follows q among units alike
    pin_v              x_0_v_p = 1                        where v is pinned to an outermost unit

With ``w_i = w (d_i - d_(i+1))`` a pair costs its weight times the distance of its slots (Koopmans
and Beckmann 1957). The usual program gives each vertex a slot. Slots of an innermost unit cost the
same. So here a vertex gets the unit, and then a slot of it in the order of the numbers. Where
innermost units have one slot each, both are the same program. *first* breaks the symmetry: units
are alike if they lie in one unit, have units of the same sizes within them, and hold no pin.

Left out: nothing. ``problem.starts`` is for heuristics. Section IV-B fills nodes first and then
sockets, each with a cost of its own. That is not a single program but one partition per unit.

References
----------
Li, de Supinski, Schulz, Nikolopoulos and Cameron (2010): power-aware MPI task aggregation, section
IV-B, nodes, then processors, then dies; Adams and Johnson (1994) for programs of this kind.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from planner.formulations.partition import (
    assignment_variables,
    bound_of,
    nonzeros_of,
    partition,
    sort_by_first,
    unit_of,
    weight_within_parts,
)
from planner.formulations.solved import refuse_large, solve
from solvers.mapping.nested import on_slots
from solvers.mapping.outcome import Mapping, outcome
from solvers.mapping.problem import Problem
from solvers.partition.request import FREE

if TYPE_CHECKING:
    import pulp

    from planner.formulations.partition import AssignmentVariables


def formulate(problem: Problem) -> tuple[pulp.LpProblem, list[AssignmentVariables]]:
    """Return the model of the module's docstring with ``x[i][v][p]``.

    The objective counts in :func:`planner.formulations.partition.unit_of` all graphs.

    Raises
    ------
    PlanError
        The model is too large.
    """
    import pulp

    sizes = [problem.sizes(level).tolist() for level in range(problem.levels)]
    levels = list(zip(problem.graphs, sizes, strict=True))
    nonzeros = sum(nonzeros_of(graph, len(size)) for graph, size in levels)
    refuse_large("mapping", nonzeros, "use --method portfolio")
    model = pulp.LpProblem("mapping", pulp.LpMinimize)
    unit = unit_of(problem.graphs)
    x = [
        assignment_variables(model, problem.vertices, len(size), f"_{i}")
        for i, size in enumerate(sizes)
    ]
    model += pulp.lpSum(
        graph.total / unit - weight_within_parts(model, graph, x[i], size, unit, f"_{i}")
        for i, (graph, size) in enumerate(levels)
    )
    for v, row in enumerate(x[0]):
        model += pulp.lpSum(row) == 1, f"one_{v}"
    for i, (outer, inner) in enumerate(pairwise(x)):
        children = _children(problem, i)
        for v, row in enumerate(outer):
            for p, inside in enumerate(row):
                model += (
                    inside == pulp.lpSum(inner[v][q] for q in children[p]),
                    f"nest_{i}_{v}_{p}",
                )
    for p, size in enumerate(sizes[-1]):
        model += pulp.lpSum(row[p] for row in x[-1]) == size, f"size_{p}"
    for i in range(problem.levels):
        sort_by_first(model, x[i], _alike(problem, i), f"_{i}")
    for v, p in enumerate(problem.fixed.tolist()):
        if p != FREE:
            model += x[0][v][p] == 1, f"pin_{v}"
    return model, x


def map_ranks(problem: Problem, *, solver: str = "cbc", node_limit: int | None = None) -> Mapping:
    """Solve the reference formulation and read the mapping.

    The partition into outermost units for itself is a model of its own; with one level it is the
    answer.

    Parameters
    ----------
    problem
        Its time limit holds; with several levels half of it is for the partition.
    solver, node_limit
        As in :func:`planner.formulations.solved.solve`.

    Raises
    ------
    PlanError
        The model is too large, or the solver found no mapping within its limits.
    """
    deep = problem.levels > 1
    model, x = formulate(problem)
    alone = partition(
        problem.request(0, 0.5 if deep else 1.0), solver=solver, node_limit=node_limit
    )
    if not deep:
        mapped = outcome(problem, on_slots(alone.part), alone.bound, alone.method, alone)
        return replace(mapped, certificate=alone.certificate)
    solved = solve(
        model,
        solver=solver,
        node_limit=node_limit,
        time_limit_s=problem.remaining_s(),
        seed=problem.seed,
    )
    unit = np.array([[solved.chosen(variable) for variable in row] for row in x[-1]]).argmax(axis=1)
    bound = bound_of(solved.certificate.bound, unit_of(problem.graphs))
    mapped = outcome(problem, on_slots(unit), bound, f"reference ({solver})", alone)
    return replace(mapped, certificate=solved.certificate)


def _children(problem: Problem, level: int) -> dict[int, list[int]]:
    """Units of the next level within each unit of a level."""
    children: dict[int, list[int]] = defaultdict(list)
    for outer, inner in sorted({*zip(*problem.units[level : level + 2].tolist(), strict=True)}):
        children[outer].append(inner)
    return children


def _alike(problem: Problem, level: int) -> list[tuple[int, int]]:
    """Units of a level that may be exchanged, each with the next one."""
    groups: dict[tuple[int, bytes], list[int]] = defaultdict(list)
    for unit in range(int(problem.units[level][-1]) + 1):
        slots = problem.units[level] == unit
        within = problem.units[level:, slots]
        parent = int(problem.units[level - 1][slots][0]) if level else 0
        if level or unit not in problem.fixed:
            groups[parent, (within - within[:, :1]).tobytes()].append(unit)
    return [pair for group in groups.values() for pair in pairwise(group)]
