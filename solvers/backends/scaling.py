"""Powers of two that bring small objectives and small rows to the size of solvers' tolerances.

HiGHS and CBC stop at absolute tolerances: a millionth of the objective's unit, a ten-millionth of
a row's. A model in other units is the same model, but its answer would be rounding. So a small
objective is multiplied by a power of two before a solver sees it, a small row likewise, and what
the solver says is divided again; powers of two round nothing. Models of ordinary size are handed
over as they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from solvers.backends.protocol import Claim
from solvers.model.milp import Floats, Milp

_Exponents = NDArray[np.int32]


_TARGET = 10  # a rescaled objective is about 2^10 in the solver's unit
_LARGEST_COST = 40  # exponent of two up to which costs may grow
_LARGEST_COEFFICIENT = 30
_SMALL_COST = 2.0**-10
_SMALL_ROW = 2.0**-7
_ROUNDED_SIDE = 1e-11  # of the largest coefficient: what rounding, or guarding against it, leaves
_MOST_EXPONENT = 900
_ENOUGH = 0.5  # an objective of this size leaves the tolerance about as small as it is said to be
_STEPS = 2.0**9  # the same for an objective of zero, which only the least cost can leave


@dataclass(frozen=True, eq=False)
class Scaled:
    """A model in the units that a solver is given.

    Attributes
    ----------
    model
        What the solver sees; the original itself where nothing is small.
    cost_exponent
        The objective was multiplied by two to this power.
    row_exponents
        Each row likewise, shape ``(rows,)``; ``None`` where no row is small.
    """

    model: Milp
    cost_exponent: int
    row_exponents: _Exponents | None

    def multipliers(self, seen: Floats, *, with_cost: bool = True) -> Floats:
        """Row duals (without cost: a Farkas ray) in the units of the original."""
        rows = 0 if self.row_exponents is None else self.row_exponents
        if seen.shape != (self.model.rows,):
            return seen
        return cast("Floats", np.ldexp(seen, rows - (self.cost_exponent if with_cost else 0)))

    def original(self, claim: Claim) -> Claim:
        """What a solver said, in the units of the original."""
        if not self.cost_exponent and self.row_exponents is None:
            return claim
        bound, duals = claim.bound, claim.duals
        return replace(
            claim,
            bound=None if bound is None else math.ldexp(bound, -self.cost_exponent),
            duals=None if duals is None else self.multipliers(duals),
        )


def scaled(
    model: Milp,
    cost_exponent: int | None = None,
    *,
    rows_below: float = _SMALL_ROW,
    sides: bool = True,
) -> Scaled:
    """Multiply a small objective and small rows.

    Parameters
    ----------
    cost_exponent
        Exponent of the objective; by default what brings its largest coefficient to 1 where that is
        small.
    rows_below
        Rows whose size (:func:`row_sizes`) is less are multiplied.
    sides
        Whether a small side makes a row small; not where sides are differences that rounding left.
    """
    exponent = _first_exponent(model) if cost_exponent is None else cost_exponent
    rows = _row_exponents(model, row_sizes(model, sides=sides), rows_below)
    if exponent:
        model = model.changed(
            cost=np.ldexp(model.cost, exponent),
            constant=math.ldexp(model.constant, exponent),
        )
    if rows is not None:
        model = model.changed(
            coefficients=np.ldexp(model.coefficients, rows[model.row_of_nonzero]),
            row_lower=np.ldexp(model.row_lower, rows),
            row_upper=np.ldexp(model.row_upper, rows),
        )
    return Scaled(model, exponent, rows)


def finer_exponent(model: Milp, exponent: int, objective: float, noise: float) -> int:
    """Exponent under which a solver can tell this objective from its neighbours.

    It is the given one where that suffices. An objective that is zero but for ``noise`` is judged
    by the least cost that a column has.
    """
    if tells(model, exponent, objective, noise):
        return exponent
    wanted = _TARGET - (math.frexp(_size(model, objective, noise))[1] - 1)
    largest = float(np.abs(model.cost).max(initial=0.0))
    # The float below is measured: 2^k counts as k, not k + 1, and costs reach 2^40 itself.
    room = _LARGEST_COST - math.frexp(math.nextafter(largest, 0.0))[1] if largest else wanted
    return max(exponent, min(wanted, room, _MOST_EXPONENT))


def tells(model: Milp, exponent: int, objective: float, noise: float) -> bool:
    """Whether a solver's tolerance is small against this objective."""
    size = _size(model, objective, noise)
    return not size or math.ldexp(size, exponent) >= _ENOUGH


def _size(model: Milp, objective: float, noise: float) -> float:
    return abs(objective) if abs(objective) > noise else _STEPS * least_cost(model)


def least_cost(model: Milp) -> float:
    """Smallest absolute cost that is not zero; 0 where no column costs anything."""
    costs = np.abs(model.cost[model.cost != 0.0])
    return float(costs.min()) if len(costs) else 0.0


def row_sizes(model: Milp, *, sides: bool = True) -> Floats:
    """Return the size of the values that a row distinguishes, at most 1, shape ``(rows,)``.

    It is the smaller of the largest coefficient and a thousand times the smallest side, but at
    least a millionth of the largest coefficient. A side below 1e-11 of the largest coefficient is
    rounding and counts as zero: to enlarge it would enlarge the coefficients for nothing.
    """
    every = model.largest_of_row
    largest = np.minimum(1.0, every)
    size = largest
    for given in (model.row_lower, model.row_upper) if sides else ():
        known = np.isfinite(given) & (np.abs(given) > _ROUNDED_SIDE * every)
        size = np.minimum(size, np.where(known, 1e3 * np.abs(given), np.inf))
    return cast("Floats", np.maximum(size, 1e-6 * largest))


def _first_exponent(model: Milp) -> int:
    """Zero, unless all costs are small."""
    largest = max(float(np.abs(model.cost).max(initial=0.0)), abs(model.constant))
    if not largest or largest >= _SMALL_COST:
        return 0
    return min(1 - math.frexp(largest)[1], _MOST_EXPONENT)


def _row_exponents(model: Milp, sizes: Floats, below: float) -> _Exponents | None:
    small = sizes < below
    if not small.any():
        return None
    wanted = 1 - np.frexp(sizes)[1]
    room = _LARGEST_COEFFICIENT - np.frexp(np.nextafter(model.largest_of_row, 0.0))[1]
    exponents = np.where(small, np.clip(np.minimum(wanted, room), 0, _MOST_EXPONENT), 0)
    return exponents.astype(np.int32) if exponents.any() else None
