"""Rows that no whole numbers can meet, found without any search."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from solvers.model.milp import Milp
from solvers.proofs.exact import decimal

_ROUNDING = Fraction(1, 10**9)


def impossible_row(model: Milp) -> int | None:
    """First row over integer columns alone between whose sides lies no multiple of its step.

    The step is the greatest common divisor of the coefficients. Branch and bound halves the
    columns' ranges for ever before it sees this, so no engine runs. Engines still decide rows that
    miss a side by rounding alone, such as three times 0.333333333333333.
    """
    for row in _suspects(model):
        entries = slice(int(model.row_starts[row]), int(model.row_starts[row + 1]))
        values = [Fraction(decimal(a)) for a in model.coefficients[entries].tolist()]
        unit = math.lcm(*(value.denominator for value in values))
        step = Fraction(math.gcd(*(int(value * unit) for value in values)), unit)
        low, high = (Fraction(decimal(side[row])) for side in (model.row_lower, model.row_upper))
        # The first multiple from the lower side on: if it lies above the upper side, no multiple
        # lies between the two.
        above = math.ceil(low / step) * step
        missed = min(above - high, low - (above - step))
        if missed > _ROUNDING * max(abs(low), abs(high), step):
            return row
    return None


def _suspects(model: Milp) -> list[int]:
    """Rows narrower than their least coefficient; those of whole numbers with a one always hold."""
    rows, sizes = model.row_of_nonzero, np.abs(model.coefficients)
    least, fixed = np.full(model.rows, np.inf), np.zeros(model.rows, dtype=np.bool_)
    np.minimum.at(least, rows, sizes)
    fixed[rows[~model.is_integer[model.column_indices]]] = True
    whole = np.ones(model.rows, dtype=np.bool_)
    whole[rows[sizes % 1.0 != 0.0]] = False
    finite = np.isfinite(model.row_lower) & np.isfinite(model.row_upper) & np.isfinite(least)
    low, high = np.where(finite, model.row_lower, 0.0), np.where(finite, model.row_upper, 0.0)
    whole &= low % 1.0 == 0.0
    # A row as wide as its step holds a multiple; the step is at most the least coefficient.
    narrow = high - low < least
    suspicious = finite & ~fixed & narrow & ~(whole & (least == 1.0))
    suspects: list[int] = np.flatnonzero(suspicious).tolist()
    return suspects
