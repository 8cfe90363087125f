r"""Break-even of overprovisioning: the fewest older nodes that beat the worst-case design.

Sets and parameters
    s in pieces        straight pieces of the run time on older nodes, ``a_s n + b_s`` [s] for n
                       from ``lo_s`` to ``hi_s``
    t_wc               run time on the worst-case design (4.6) [s], on n_wc high-end nodes
    P_sys, P_min       power bound, idle power of an older node [W] (*affordable* only)
Variables
    use_s              1 if the number of nodes lies in piece s
    nodes_s            how many of them, integer
Objective
    minimise  sum_s nodes_s
Constraints
    one                sum_s use_s = 1
    least_s            nodes_s >= lo_s use_s
    most_s             nodes_s <= hi_s use_s
    faster             sum_s (a_s nodes_s + b_s use_s) <= t_wc
    idle               P_min sum_s nodes_s <= P_sys               (*affordable* only)
    least_ratio        sum_s nodes_s >= n_wc                      (*affordable* only: r_c >= 1)

Both results are those of :class:`planner.designs.break_even.BreakEven`. ``nodes`` ignores the cost
and the power of the nodes. ``cost_ratio`` is the least r_c at which the worst-case design's money
buys them: the objective over n_wc. Overprovisioning pays where it is faster (s_ovp > 1, 4.7): an
equal run time does not pay. A count that is not faster in all digits is cut off by a row of its
own, ``beyond_i``, and the program is solved again.

Left out: the ranges of r_c and of the power bound in which overprovisioning pays; the break-even
in r_p, which has a closed form; mixes of applications.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Unpack

from planner.designs.overprovisioning import DesignCase
from planner.designs.run_time import Piece, pieces, run_time
from planner.errors import InfeasibleError, PlanError
from planner.formulations.designs import node_counts
from planner.formulations.solved import SolveLimits, refuse_large, solve

if TYPE_CHECKING:
    import pulp

    Columns = list[tuple[Piece, pulp.LpVariable, pulp.LpVariable]]

_RANGE = 100
_MOST_CUTS = 100


def formulate(
    case: DesignCase, worst_case_nodes: int, *, affordable: bool = False
) -> tuple[pulp.LpProblem, Columns]:
    """Return the model of the module's docstring with each piece's ``use``, ``nodes``.

    Counts go up to a hundred times the largest that was measured.

    Raises
    ------
    PlanError
        The run time of the worst-case design is not known, or the model is too large.
    """
    import pulp

    segments = pieces(case.time, case.outside, _RANGE * case.time.measured_nodes[1])
    refuse_large("break-even", 9 * len(segments), "use the engine")
    model = pulp.LpProblem("break_even", pulp.LpMinimize)
    columns: Columns = [
        (
            piece,
            model.add_variable(f"use_{s}", cat="Binary"),
            model.add_variable(f"nodes_{s}", 0, piece.last, cat="Integer"),
        )
        for s, piece in enumerate(segments)
    ]
    total = pulp.lpSum(nodes for _, _, nodes in columns)
    model += total
    model += pulp.lpSum(use for _, use, _ in columns) == 1, "one"
    for s, (piece, use, nodes) in enumerate(columns):
        model += nodes >= piece.first * use, f"least_{s}"
        model += nodes <= piece.last * use, f"most_{s}"
    time = pulp.lpSum(piece.slope * nodes + piece.intercept * use for piece, use, nodes in columns)
    model += time <= float(_to_beat(case, worst_case_nodes)), "faster"
    if affordable:
        model += case.older_idle_w * total <= case.power_bound_w, "idle"
        model += total >= worst_case_nodes, "least_ratio"
    return model, columns


def fewest_nodes(
    case: DesignCase,
    *,
    affordable: bool = False,
    solver: str = "cbc",
    **limits: Unpack[SolveLimits],
) -> int | None:
    """The fewest older nodes that beat the worst-case design; ``None`` if no number does.

    Raises
    ------
    InputError
        An unknown solver, or a limit out of its range.
    PlanError
        There is no worst-case design, or its run time is not known.
    """
    worst_case = node_counts(case, solver=solver, **limits).plan.worst_case
    return _fewest(case, worst_case, affordable=affordable, solver=solver, **limits)


def cost_ratio(
    case: DesignCase, *, solver: str = "cbc", **limits: Unpack[SolveLimits]
) -> float | None:
    """The least cost ratio at which overprovisioning pays; ``None`` if none does.

    Raises
    ------
    InputError, PlanError
        As :func:`fewest_nodes`.
    """
    worst_case = node_counts(case, solver=solver, **limits).plan.worst_case
    nodes = _fewest(case, worst_case, affordable=True, solver=solver, **limits)
    return None if nodes is None else nodes / worst_case


def _fewest(
    case: DesignCase,
    worst_case: int,
    *,
    affordable: bool,
    solver: str,
    **limits: Unpack[SolveLimits],
) -> int | None:
    model, columns = formulate(case, worst_case, affordable=affordable)
    to_beat = _to_beat(case, worst_case)
    for cut in range(_MOST_CUTS):
        try:
            solved = solve(model, solver=solver, **limits)
        except InfeasibleError:
            return None
        piece, use, nodes = next(column for column in columns if solved.chosen(column[1]))
        count = round(solved.value(nodes))
        if run_time(case.time, count, case.outside).exact_s < to_beat:
            return count
        first = count + 1 if piece.slope < 0 else piece.last + 1
        model += nodes >= first * use, f"beyond_{cut}"
    raise PlanError(
        f"break-even: {case.application} is too close to the worst-case design for {solver} to "
        "separate; use the engine"
    )


def _to_beat(case: DesignCase, worst_case_nodes: int) -> Fraction:
    """t_wc, equation 4.6."""
    return run_time(case.time, worst_case_nodes, case.outside).exact_s * case.exact_time_factor
