"""Lower bounds of nodes that are exact when somebody asks, and estimated at once.

A float tells as well as a fraction that a node is far from closing, or well beyond it. So a bound
is estimated in floating point first. An estimate alone never decides what is proved: a node that
was closed by one is checked exactly before a search is called complete, and is opened again where
the check fails. A wrong estimate costs nodes and never truth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from solvers.model.milp import Floats, Milp
from solvers.proofs.exact import ExactModel

_CANCELLED = 1e-12
"""Share of the terms of a sum, above what their rounding can take from it."""

Exact = Callable[[], Fraction | None]
Sides = tuple[list[int | None], list[int | None]]


@dataclass(eq=False)
class LazyBound:
    """The tightest of a node's own lower bound and those of the nodes above it.

    Attributes
    ----------
    estimate
        Estimate of the node's own bound; minus infinity where nothing is known.
    own
        Works the node's own bound out.
    above
        The bound of the node above; ``None`` at the root, and once the exact bound is known.
    """

    estimate: float = -math.inf
    own: Exact = lambda: None
    above: LazyBound | None = None
    known: bool = False

    def __post_init__(self) -> None:
        if self.above is not None:
            self.estimate = max(self.estimate, self.above.estimate)

    def exact(self) -> Fraction | None:
        """The bound as a fraction; ``None`` is minus infinity."""
        best: Fraction | None = None
        # From the root down: each bound of the chain is worked out once, and then holds the
        # tightest of itself and those above, so later calls stop there. Without recursion, since
        # chains are long.
        for upward in reversed(list(self._upwards())):
            best = tighter(upward.own(), best)
            upward.own, upward.above, upward.known = partial(_given, best), None, True
        return best

    def known_to_reach(self, value: Fraction) -> bool:
        """Whether what was worked out already, here or above, is at least so high."""
        result = (upward.own() for upward in self._upwards() if upward.known)
        return any(bound is not None and bound >= value for bound in result)

    def _upwards(self) -> Iterator[LazyBound]:
        each: LazyBound | None = self
        while each is not None:
            yield each
            each = each.above


def _given(value: Fraction | None) -> Fraction | None:
    return value


def tighter(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    """Return the larger of two lower bounds; ``None`` is minus infinity."""
    if a is None or b is None:
        return b if a is None else a
    return max(a, b)


class Estimator:
    """:meth:`ExactModel.dual_bound` in floating point, over arrays."""

    def __init__(self, model: Milp, exact: ExactModel) -> None:
        self._model, self._exact = model, exact
        self._cost = model.cost if model.sense == "min" else -model.cost
        self._constant = float(exact.constant)
        self._row_lower = floats(exact.row_lower, exact.scale, -math.inf)
        self._row_upper = floats(exact.row_upper, exact.scale, math.inf)

    def sides(self, box: Sides) -> tuple[Floats, Floats]:
        """An exact box as arrays, infinite where a side is absent."""
        scale = self._exact.scale
        return floats(box[0], scale, -math.inf), floats(box[1], scale, math.inf)

    def bound(
        self, multipliers: Floats, lower: Floats, upper: Floats, *, with_cost: bool = True
    ) -> tuple[float, float]:
        """Estimate of a bound over a box, and what rounding may have added or taken.

        Where none can be made, both are infinite.

        Columns without a side are left out, as exact multipliers of the basis price them at zero.
        """
        model = self._model
        if not np.isfinite(multipliers).all():
            return math.inf, math.inf
        side = np.where(multipliers > 0, self._row_lower, self._row_upper)
        known = np.isfinite(side)
        weights, side = np.where(known, multipliers, 0.0), np.where(known, side, 0.0)
        pull = np.bincount(
            model.column_indices,
            weights=model.coefficients * weights[model.row_of_nonzero],
            minlength=model.columns,
        )
        reduced = self._cost - pull if with_cost else -pull
        end = np.where(reduced > 0, lower, upper)
        terms = np.r_[weights * side, reduced * np.where(np.isfinite(end), end, 0.0)]
        total, error = float(terms.sum()), _CANCELLED * float(np.abs(terms).sum())
        if not with_cost:
            return total, error
        if self._exact.lattice is not None:
            step = float(self._exact.lattice)
            # Lowered before it is rounded up: an error must not lift the estimate to the next step.
            total = math.ceil((total - error) / step) * step
        return total + self._constant, error


def floats(side: list[int | None], scale: int, absent: float) -> Floats:
    """Numbers in units of ``1 / scale`` as an array."""
    return np.array([absent if v is None else v / scale for v in side], dtype=np.float64)
