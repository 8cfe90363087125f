"""The *verified* level: rows, bounds and objective recomputed with numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.backends.scaling import row_sizes
from solvers.model.milp import Floats, Milp

FEASIBILITY_TOLERANCE = 1e-6
INTEGRALITY_TOLERANCE = 1e-5
_FORGIVEN_SIZE = 1e3
_ROUNDING = 2.0**-48


@dataclass(frozen=True, eq=False)
class Point:
    """A candidate after its integers were rounded."""

    x: Floats
    objective: float
    violation: float  # absolute, scaled by the size of the row's own terms

    @property
    def feasible(self) -> bool:
        """Whether no row or bound is violated by more than the tolerance."""
        return self.violation <= FEASIBILITY_TOLERANCE


def round_integers(model: Milp, x: Floats) -> Floats | None:
    """Round integers to the nearest; return ``None`` if one is not an integer at all."""
    if not np.isfinite(x).all():
        return None
    rounded = np.where(model.is_integer, np.round(x), x) + 0.0
    close = np.abs(rounded - x) <= INTEGRALITY_TOLERANCE * np.maximum(1.0, np.abs(x))
    return rounded if bool(close.all()) else None


def check_point(model: Milp, x: Floats) -> Point:
    """Recompute objective and largest violation of a point.

    The violation of a row is divided by the larger of two numbers: the row's size
    (:func:`~solvers.backends.scaling.row_sizes`, at most 1) and a thousandth of its largest
    ``|term|``. That of a bound is divided by ``max(1, |value| / 1000)``. A millionth is then
    forgiven: in a row of small coefficients a millionth of a column's unit, in a row with a small
    side a thousandth of that side. It is also a thousand-millionth of the numbers involved, about
    what solvers can hold on badly scaled rows.
    """
    activity = model.row_activity(x)
    terms = np.abs(model.coefficients * x[model.column_indices])
    scale = row_sizes(model)
    np.maximum.at(scale, model.row_of_nonzero, terms / _FORGIVEN_SIZE)
    over = np.maximum(model.row_lower - activity, activity - model.row_upper) / scale
    outside = np.maximum(model.column_lower - x, x - model.column_upper)
    outside /= np.maximum(1.0, np.abs(x) / _FORGIVEN_SIZE)
    violation = max(0.0, float(over.max(initial=0.0)), float(outside.max(initial=0.0)))
    return Point(x, model.objective(x), violation)


def noise(model: Milp, x: Floats) -> float:
    """Return what the rounding of its terms can do to the objective of a point."""
    return _ROUNDING * (float(np.abs(model.cost * x).sum()) + abs(model.constant))


def clipped(model: Milp, x: Floats) -> Floats:
    """Move the point into its box (solvers overstep bounds by their tolerance)."""
    return np.clip(x, model.column_lower, model.column_upper)
