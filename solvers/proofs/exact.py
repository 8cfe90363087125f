"""Exact rational arithmetic on a model: points, dual bounds, and infeasibility.

A coefficient means its decimal of 15 significant digits, the most that a double always keeps:
0.1 is one tenth, and 3 * 0.1, which computes to 0.30000000000000004, is three tenths. What was
written in a scenario is so what is proved. Everything is minimised here; a maximisation is
negated on the way in and out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np

from solvers.model.milp import Floats, Milp

_MULTIPLIER_BITS = 60


def decimal(value: float) -> Decimal:
    """Return the decimal of 15 significant digits that a double stands for."""
    return Decimal(f"{value:.15g}")


class ExactModel:
    """A model with every number an integer multiple of ``1 / scale``.

    Attributes
    ----------
    scale
        A power of ten.
    cost, row_lower, row_upper, lower, upper
        Integers in units of ``1 / scale``; ``None`` where a bound is absent. Bounds of integer
        columns and of rows over them are rounded inwards to values that can be reached.
    rows
        Per row its ``(column, coefficient)`` pairs.
    """

    def __init__(self, model: Milp) -> None:
        sign = 1 if model.sense == "min" else -1
        groups = (
            sign * model.cost,
            model.coefficients,
            model.row_lower,
            model.row_upper,
            model.column_lower,
            model.column_upper,
            np.array([sign * model.constant]),
        )
        every = np.unique(np.concatenate(groups))
        decimals = {value: decimal(value) for value in every[np.isfinite(every)].tolist()}
        places = max((-int(d.as_tuple().exponent) for d in decimals.values()), default=0)
        self.scale: int = 10 ** max(0, places)
        numbers = {value: int(Fraction(d) * self.scale) for value, d in decimals.items()}
        scaled = [[numbers.get(v) for v in group.tolist()] for group in groups]
        self.cost: list[int] = [_whole(v) for v in scaled[0]]
        self.row_lower, self.row_upper, self.lower, self.upper = scaled[2:6]
        self.constant = Fraction(_whole(scaled[6][0]), self.scale)
        self.is_integer: list[bool] = model.is_integer.tolist()
        pairs = list(zip(model.column_indices.tolist(), map(_whole, scaled[1]), strict=True))
        starts = model.row_starts.tolist()
        self.rows = [pairs[a:b] for a, b in itertools.pairwise(starts)]
        self._columns: list[list[tuple[int, int]]] = [[] for _ in self.cost]
        for row, entries in enumerate(self.rows):
            for column, coefficient in entries:
                self._columns[column].append((row, coefficient))
        self._round_integer_bounds()
        self._round_row_bounds()
        self.lattice = self._objective_lattice()

    def _round_integer_bounds(self) -> None:
        for column, integer in enumerate(self.is_integer):
            if integer:
                low, high = self.lower[column], self.upper[column]
                self.lower[column] = None if low is None else -(-low // self.scale) * self.scale
                self.upper[column] = None if high is None else high // self.scale * self.scale

    def _round_row_bounds(self) -> None:
        """Over integer columns alone a row takes multiples of its greatest common divisor."""
        for row, pairs in enumerate(self.rows):
            if pairs and all(self.is_integer[column] for column, _ in pairs):
                # Chvatal-Gomory rounding of one row: every integer point gives a multiple of the
                # step, so each side moves inwards to the next multiple.
                step = math.gcd(*(coefficient for _, coefficient in pairs))
                low, high = self.row_lower[row], self.row_upper[row]
                self.row_lower[row] = None if low is None else -(-low // step) * step
                self.row_upper[row] = None if high is None else high // step * step

    def _objective_lattice(self) -> Fraction | None:
        """Step between possible objective values, if only integer columns cost anything."""
        if any(c and not integer for c, integer in zip(self.cost, self.is_integer, strict=True)):
            return None
        step = math.gcd(*self.cost) if self.cost else 0
        return Fraction(step, self.scale) if step else None

    def objective(self, x: Sequence[Fraction]) -> Fraction:
        """Objective of a point, constant included."""
        numerators, denominator = _over_one_denominator(x)
        total = sum(c * v for c, v in zip(self.cost, numerators, strict=True) if c and v)
        return Fraction(total, self.scale * denominator) + self.constant

    def is_feasible(self, x: Sequence[Fraction]) -> bool:
        """Whether every row, bound and integrality holds exactly."""
        numerators, denominator = _over_one_denominator(x)
        for column, value in enumerate(numerators):
            if self.is_integer[column] and value % denominator:
                return False
            low, high = self.lower[column], self.upper[column]
            if not _between(value * self.scale, denominator, low, high):
                return False
        for pairs, low, high in zip(self.rows, self.row_lower, self.row_upper, strict=True):
            activity = sum(a * numerators[j] for j, a in pairs)
            if not _between(activity, denominator, low, high):
                return False
        return True

    def excludes(self, lower: Sequence[int | None], upper: Sequence[int | None]) -> bool:
        """Whether some row alone cannot be met anywhere in a box (units of ``1 / scale``)."""
        for pairs, low, high in zip(self.rows, self.row_lower, self.row_upper, strict=True):
            if low is not None and high is not None and low > high:
                return True
            least = _extreme(pairs, lower, upper)
            if high is not None and least is not None and least > high * self.scale:
                return True
            most = _extreme(pairs, upper, lower)
            if low is not None and most is not None and most < low * self.scale:
                return True
        return False

    def dual_bound(
        self,
        multipliers: Floats,
        lower: Sequence[int | None],
        upper: Sequence[int | None],
        *,
        with_cost: bool = True,
    ) -> Fraction | None:
        """Lower bound on the objective over a box, from any row multipliers.

        For every ``y``, ``c x = y A x + (c - y A) x`` is at least
        ``sum_i min(y_i L_i, y_i U_i) + sum_j min over the box of (c - y A)_j x_j``.
        With ``with_cost=False`` the costs are taken as zero: a positive bound then proves that
        the box holds no feasible point (Farkas). Multipliers are rounded to 60 bits first,
        which costs tightness, never truth.

        Parameters
        ----------
        multipliers
            One per row, shape ``(rows,)``.
        lower, upper
            The box, in units of ``1 / scale``.

        Returns
        -------
        Fraction or None
            ``None`` if the bound is minus infinity.
        """
        largest = float(np.abs(multipliers).max(initial=0.0))
        if not math.isfinite(largest):
            return None
        shift = max(0, _MULTIPLIER_BITS - math.frexp(largest)[1]) if largest else 0
        weights = [round(math.ldexp(y, shift)) if y else 0 for y in multipliers.tolist()]
        return self.weighted_bound(weights, 1 << shift, lower, upper, with_cost=with_cost)

    def weighted_bound(
        self,
        weights: Sequence[int],
        denominator: int,
        lower: Sequence[int | None],
        upper: Sequence[int | None],
        *,
        with_cost: bool = True,
    ) -> Fraction | None:
        """:meth:`dual_bound` for exact multipliers ``weights / denominator``."""
        weights = self._supported(weights)
        if self._unbounded_along(weights, denominator * with_cost, lower, upper):
            return None
        reduced = [c * denominator for c in self.cost] if with_cost else [0] * len(self.cost)
        total = 0
        # Weak duality row by row: for y > 0, y times the row is at least y times its lower side,
        # and for y < 0 at least y times its upper side.
        for weight, pairs, low, high in zip(
            weights, self.rows, self.row_lower, self.row_upper, strict=True
        ):
            side = low if weight > 0 else high
            if not weight or side is None:
                continue
            total += weight * side
            for column, coefficient in pairs:
                reduced[column] -= weight * coefficient
        total *= self.scale
        for column, value in enumerate(reduced):
            if value:
                side = lower[column] if value > 0 else upper[column]
                if side is None:
                    return None
                total += value * side
        bound = Fraction(total, self.scale * self.scale * denominator)
        if not with_cost:
            return bound
        # Every point costs a multiple of this step, so no cost lies between the bound and the next
        # multiple.
        if self.lattice is not None:
            bound = math.ceil(bound / self.lattice) * self.lattice
        return bound + self.constant

    def _supported(self, weights: Sequence[int]) -> list[int]:
        """Weights without those on an absent side of a row: they are worth nothing."""
        sides = zip(weights, self.row_lower, self.row_upper, strict=True)
        return [
            0 if (low if weight > 0 else high) is None else weight for weight, low, high in sides
        ]

    def _unbounded_along(
        self,
        weights: Sequence[int],
        cost_weight: int,
        lower: Sequence[int | None],
        upper: Sequence[int | None],
    ) -> bool:
        """Return whether a column makes a bound minus infinity; checked first, as few are open."""
        for column, pairs in self._columns_open(lower, upper):
            value = self.cost[column] * cost_weight - sum(weights[row] * a for row, a in pairs)
            if value and (lower[column] if value > 0 else upper[column]) is None:
                return True
        return False

    def _columns_open(
        self, lower: Sequence[int | None], upper: Sequence[int | None]
    ) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Columns that a box leaves without a side, with their ``(row, coefficient)`` pairs."""
        for column, sides in enumerate(zip(lower, upper, strict=True)):
            if None in sides:
                yield column, self._columns[column]

    def implied_box(
        self, cutoff: Fraction | None, passes: int = 3
    ) -> tuple[list[int | None], list[int | None]]:
        """Bounds that follow from the rows for columns that lack one.

        With a ``cutoff`` the row "objective <= cutoff" counts too: then the box holds every
        point that is at least as good.
        """
        lower, upper = list(self.lower), list(self.upper)
        rows = list(zip(self.rows, self.row_lower, self.row_upper, strict=True))
        if cutoff is not None:
            pairs = [(j, c) for j, c in enumerate(self.cost) if c]
            # Rounded up, so that the row holds for every point that is as good as the cutoff.
            rows.append((pairs, None, math.ceil((cutoff - self.constant) * self.scale)))
        for _ in range(passes):
            before = lower.count(None) + upper.count(None)
            if not before:
                break
            for pairs, low, high in rows:
                if high is not None:
                    self._tighten(pairs, high, lower, upper)
                if low is not None:
                    self._tighten([(j, -a) for j, a in pairs], -low, lower, upper)
            if lower.count(None) + upper.count(None) == before:
                break
        return lower, upper

    def _tighten(
        self,
        pairs: list[tuple[int, int]],
        high: int,
        lower: list[int | None],
        upper: list[int | None],
    ) -> None:
        """Apply ``sum a_j x_j <= high`` to columns without a bound on that side."""
        sides = [(j, a, lower[j] if a > 0 else upper[j]) for j, a in pairs]
        absent = [j for j, _, side in sides if side is None]
        if len(absent) > 1:
            return
        least = sum(a * side for _, a, side in sides if side is not None)
        for column, a, side in sides:
            if absent and column != absent[0]:
                continue
            # The others take at least this much anywhere in the box, which bounds what is left to
            # this column. With one column without a side only that column can be bounded; with two
            # no sum is finite.
            others = least - (0 if side is None else a * side)
            # a x <= high - others, with x in units of 1/scale: a and high carry one scale each
            room = Fraction(high * self.scale - others, a)
            if a > 0 and upper[column] is None:
                upper[column] = self._outward(column, math.ceil(room), up=True)
            elif a < 0 and lower[column] is None:
                lower[column] = self._outward(column, math.floor(room), up=False)

    def _outward(self, column: int, value: int, *, up: bool) -> int:
        if not self.is_integer[column]:
            return value
        whole = -(-value // self.scale) if up else value // self.scale
        return whole * self.scale


def _extreme(
    pairs: list[tuple[int, int]], positive: Sequence[int | None], negative: Sequence[int | None]
) -> int | None:
    """Sum of coefficients times the side that their sign chooses; ``None`` if infinite."""
    total = 0
    for column, coefficient in pairs:
        side = positive[column] if coefficient > 0 else negative[column]
        if side is None:
            return None
        total += coefficient * side
    return total


def _between(value: int, denominator: int, low: int | None, high: int | None) -> bool:
    """Whether ``value / denominator`` lies between two bounds."""
    return (low is None or value >= low * denominator) and (
        high is None or value <= high * denominator
    )


def _over_one_denominator(x: Sequence[Fraction]) -> tuple[list[int], int]:
    """Write the values over one denominator: whole numbers multiply ten times as fast."""
    denominator = math.lcm(*{value.denominator for value in x})
    return [value.numerator * (denominator // value.denominator) for value in x], denominator


def _whole(value: int | None) -> int:
    if value is None:
        raise ValueError("a number is infinite, but a finite one is needed")
    return value
