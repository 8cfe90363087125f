"""A linear program in units of its columns' own ranges, for numbers far apart.

A column that can reach 1e-10 at most, next to one that reaches 1e3, lies within the tolerances of
every solver: its point is then called false, or no dual values come back. In units of the largest
value that bounds and rows allow each column, all columns are about as large as 1.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solvers import certify
from solvers.model.milp import Floats, Milp
from solvers.model.result import Result

_ROUNDS = 4
"""Passes over the rows: an implied bound may follow from another one."""


def solve_equilibrated(model: Milp) -> Result:
    """Solve a linear program cold, in units of its columns' ranges.

    Parameters
    ----------
    model
        Without integer columns.

    Returns
    -------
    Result
        Point, objective and duals in the units of ``model``; never *proved*.
    """
    unit = column_units(model)
    changed = model.changed(
        cost=model.cost * unit,
        coefficients=model.coefficients * unit[model.column_indices],
        column_lower=model.column_lower / unit,
        column_upper=model.column_upper / unit,
    )
    result = certify.solve(changed, proof="never")
    x = None if result.x is None else result.x * unit
    return replace(result, x=x, model=model)


def column_units(model: Milp) -> Floats:
    """Return powers of two near the largest value of each column; 1 where none is known.

    A column that can only be zero takes the smallest of them, so that it makes no row large.
    """
    largest = np.maximum(np.abs(model.column_lower), np.abs(_implied_upper(model)))
    known = (largest > 0) & np.isfinite(largest)
    exponent = np.frexp(np.where(known, largest, 1.0))[1] - 1
    exponent[largest == 0] = exponent.min(initial=0)
    return np.asarray(np.ldexp(1.0, exponent.astype(np.int32)), dtype=np.float64)


def _implied_upper(model: Milp) -> Floats:
    """Return upper bounds that follow from bounds and from the rows' upper sides."""
    row, column, value = model.row_of_nonzero, model.column_indices, model.coefficients
    lower, upper = model.column_lower, model.column_upper.copy()
    rising = value > 0
    for _ in range(_ROUNDS):
        with np.errstate(invalid="ignore", over="ignore"):
            least = value * np.where(rising, lower[column], upper[column])
            others = np.bincount(row, weights=least, minlength=model.rows)[row] - least
            # Infinite less infinite is NaN: then the row implies nothing for this column.
            reached = (model.row_upper[row] - others) / value
        reached = np.where(rising & ~np.isnan(reached), reached, np.inf)
        np.minimum.at(upper, column, np.maximum(reached, lower[column]))
    return upper
