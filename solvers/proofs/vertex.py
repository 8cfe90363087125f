"""Exact vertices and exact multipliers of a basis that HiGHS suggests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from solvers.backends.highs import Basis, Relaxation
from solvers.model.milp import Floats, Milp
from solvers.proofs.exact import ExactModel
from solvers.proofs.rational import solve_rational


def exact_point(exact: ExactModel, model: Milp, x: Floats) -> list[Fraction] | None:
    """Round the integers; solve for the continuous columns exactly on a basis.

    The point need not be feasible: :meth:`ExactModel.is_feasible` decides.
    """
    if not np.isfinite(x).all():
        return None
    rounded = np.where(model.is_integer, np.round(x), 0.0)
    point = [Fraction(int(value)) for value in rounded.tolist()]
    if model.is_integer.all():
        return point
    selected = ~model.is_integer
    relaxation = Relaxation(_without_integers(model, rounded))
    answer = relaxation.solve(model.column_lower[selected], model.column_upper[selected])
    if answer.x is None:
        return None
    return vertex(exact, model, point, answer.x, relaxation)


def vertex(
    exact: ExactModel,
    model: Milp,
    point: list[Fraction],
    x: Floats,
    relaxation: Relaxation,
) -> list[Fraction] | None:
    """Replace the continuous columns of ``point`` by the exact solution of their basis.

    Parameters
    ----------
    exact, model
        The model, twice.
    point
        Its integer columns are kept.
    x
        What the relaxation gave the continuous columns, in their order.
    relaxation
        Solved, over the continuous columns alone.
    """
    values = _basic_values(exact, model, point, x, relaxation)
    if values is None:
        return None
    result = list(point)
    for column, value in zip(np.flatnonzero(~model.is_integer).tolist(), values, strict=True):
        result[column] = value
    return result


def _without_integers(model: Milp, fixed: Floats) -> Milp:
    """Return the linear program that is left when the integer columns are fixed."""
    integers = ~model.is_integer
    shift = model.row_activity(fixed)
    keep = integers[model.column_indices]
    new_index = np.cumsum(integers) - 1
    counts = np.bincount(model.row_of_nonzero[keep], minlength=model.rows)
    return Milp(
        cost=model.cost[integers],
        row_starts=np.r_[0, np.cumsum(counts)],
        column_indices=new_index[model.column_indices[keep]],
        coefficients=model.coefficients[keep],
        row_lower=model.row_lower - shift,
        row_upper=model.row_upper - shift,
        column_lower=model.column_lower[integers],
        column_upper=model.column_upper[integers],
        is_integer=np.zeros(int(integers.sum()), dtype=np.bool_),
        sense=model.sense,
    )


def _basic_values(
    exact: ExactModel,
    model: Milp,
    integers: Sequence[Fraction],
    x: Floats,
    relaxation: Relaxation,
) -> list[Fraction] | None:
    """Solve the basis of the continuous columns exactly, in their order."""
    columns_basic, rows_basic = relaxation.basis()
    every = np.flatnonzero(~model.is_integer).tolist()
    rank_position = {every[k]: position for position, k in enumerate(np.flatnonzero(columns_basic))}
    tight = np.flatnonzero(~rows_basic).tolist()
    # A basis has as many members as rows, so basic columns are as many as rows not basic.
    if len(rank_position) != len(tight):
        return None
    known = [0] * model.columns  # in units of 1 / scale
    floats = np.zeros(model.columns)
    floats[every] = x
    for column in np.flatnonzero(model.is_integer).tolist():
        known[column] = int(integers[column]) * exact.scale
        floats[column] = float(integers[column])
    for column in every:
        if column not in rank_position:
            low, high = exact.lower[column], exact.upper[column]
            # A wrong guess costs the point, never the truth: feasibility is checked exactly.
            known[column] = _nearer(low, high, float(floats[column]), exact.scale)
    activity = model.row_activity(floats).tolist()
    system: list[dict[int, Fraction]] = []
    right: list[Fraction] = []
    for row in tight:
        pairs = exact.rows[row]
        side = _nearer(exact.row_lower[row], exact.row_upper[row], activity[row], exact.scale)
        rest = sum(a * known[j] for j, a in pairs if j not in rank_position and known[j])
        system.append({rank_position[j]: Fraction(a) for j, a in pairs if j in rank_position})
        right.append(Fraction(side) - Fraction(rest, exact.scale))
    solved = solve_rational(system, right)
    if solved is None:
        return None
    fractions = {value: Fraction(value, exact.scale) for value in set(known)}
    return [solved[rank_position[j]] if j in rank_position else fractions[known[j]] for j in every]


def _nearer(low: int | None, high: int | None, value: float, scale: int) -> int:
    """Return the bound that a nonbasic column or row rests on (0 if it is free)."""
    if low is None:
        return 0 if high is None else high
    if high is None:
        return low
    return low if abs(value - low / scale) <= abs(value - high / scale) else high


def basis_multipliers(exact: ExactModel, basis: Basis) -> tuple[list[int], int] | None:
    """Row multipliers under which every basic column prices out exactly at zero.

    Parameters
    ----------
    basis
        Which columns and which rows are basic: :meth:`Relaxation.basis`.

    Returns
    -------
    tuple of list of int and int, or None
        Numerators, one per row, and their common denominator.
    """
    columns_basic, rows_basic = basis
    basic = np.flatnonzero(columns_basic).tolist()
    tight = np.flatnonzero(~rows_basic).tolist()
    if len(basic) != len(tight):
        return None
    position = {column: k for k, column in enumerate(basic)}
    # One equation for each basic column: its reduced cost is 0. Rows that are not tight weigh 0.
    system: list[dict[int, Fraction]] = [{} for _ in basic]
    for k, row in enumerate(tight):
        for column, coefficient in exact.rows[row]:
            if column in position:
                system[position[column]][k] = Fraction(coefficient)
    multipliers = solve_rational(system, [Fraction(exact.cost[j]) for j in basic])
    if multipliers is None:
        return None
    denominator = math.lcm(*(value.denominator for value in multipliers))
    weights = [0] * len(exact.rows)
    for k, row in enumerate(tight):
        weights[row] = int(multipliers[k] * denominator)
    return weights, denominator
