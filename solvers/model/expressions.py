"""Models written as algebra over whole blocks: ``m.add("capital", prices @ bought <= budget)``.

A thin layer over :class:`~solvers.model.milp.MilpBuilder`. An expression holds the triplets of
many rows at once, so a block of any size costs a few array operations. Each block has the name
that the docstring of its program gives it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from solvers.model.milp import Floats, Indices, Milp, MilpBuilder, ModelError, Sense


@dataclass(frozen=True, eq=False)
class Expression:
    """Linear expressions, one for each row of a block.

    Attributes
    ----------
    rows, columns, values
        Triplets, each of shape ``(nonzeros,)``; rows count from 0.
    constant
        What is added to each row, shape ``(rows,)``.
    """

    rows: Indices
    columns: Indices
    values: Floats
    constant: Floats

    __array_ufunc__ = None  # so that ``array @ expression`` and ``array * expression`` come here

    def __len__(self) -> int:
        return len(self.constant)

    def __add__(self, other: Expression | ArrayLike) -> Expression:
        """Row by row; numbers are added to the constants."""
        if not isinstance(other, Expression):
            constant = self.constant + self._by_row(other)
            return Expression(self.rows, self.columns, self.values, constant)
        if len(other) != len(self):
            raise ModelError(f"expressions of {len(self)} and {len(other)} rows are added")
        return Expression(
            np.concatenate((self.rows, other.rows)),
            np.concatenate((self.columns, other.columns)),
            np.concatenate((self.values, other.values)),
            self.constant + other.constant,
        )

    __radd__ = __add__

    def __mul__(self, factor: ArrayLike) -> Expression:
        """Each row times a number of its own, or all times one."""
        by_row = self._by_row(factor)
        constant = self.constant * by_row if self.constant.any() else self.constant
        return Expression(self.rows, self.columns, self.values * by_row[self.rows], constant)

    __rmul__ = __mul__

    def __neg__(self) -> Expression:
        return self * -1.0

    def __sub__(self, other: Expression | ArrayLike) -> Expression:
        negated = -other if isinstance(other, Expression) else -np.asarray(other, dtype=np.float64)
        return self + negated

    def __rsub__(self, other: ArrayLike) -> Expression:
        return -self + other

    def __rmatmul__(self, weights: ArrayLike) -> Expression:
        """One row: the weighted sum of all rows."""
        return (self * weights).sum()

    def __getitem__(self, picked: ArrayLike) -> Expression:
        """Some of the rows of a block of columns, by index or mask."""
        if len(self.rows) != len(self) or self.constant.any():
            raise ModelError("only a block of columns can be indexed")
        columns, values = (
            np.atleast_1d(a[np.asarray(picked)]) for a in (self.columns, self.values)
        )
        count = len(columns)
        return Expression(np.arange(count), columns, values, np.zeros(count))

    def sum(self) -> Expression:
        """One row: the sum of all rows."""
        zeros = np.zeros(len(self.rows), dtype=np.int64)
        return Expression(zeros, self.columns, self.values, self.constant.sum(keepdims=True))

    def sum_by(self, group: ArrayLike, groups: int) -> Expression:
        """A row for each group: the sum of its rows; ``group`` of each row, from 0."""
        position = np.asarray(group, dtype=np.int64)
        constant = np.zeros(groups)
        np.add.at(constant, position, self.constant)
        return Expression(position[self.rows], self.columns, self.values, constant)

    def __le__(self, other: Expression | ArrayLike) -> Constraint:
        left, right = self._apart(other)
        return Constraint(left, np.full(len(self), -np.inf), right)

    def __ge__(self, other: Expression | ArrayLike) -> Constraint:
        left, right = self._apart(other)
        return Constraint(left, right, np.full(len(self), np.inf))

    def equals(self, other: Expression | ArrayLike) -> Constraint:
        """Both sides the same."""
        left, right = self._apart(other)
        return Constraint(left, right, right)

    def _apart(self, other: Expression | ArrayLike) -> tuple[Expression, Floats]:
        """Columns on the left, numbers on the right."""
        both = self - other
        return both, -both.constant

    def _by_row(self, numbers: ArrayLike) -> Floats:
        """A number for each row."""
        given = np.asarray(numbers, dtype=np.float64)
        if given.ndim and given.shape != self.constant.shape:
            raise ModelError(f"numbers of shape {given.shape} do not fit {len(self)} rows")
        return np.broadcast_to(given, self.constant.shape)


@dataclass(frozen=True, eq=False)
class Constraint:
    """Rows of an expression between two sides, each of shape ``(rows,)``."""

    left: Expression
    lower: Floats
    upper: Floats


class AlgebraicModel:
    """Variables and constraints by name, handed over as arrays.

    Examples
    --------
    >>> m = AlgebraicModel("max")
    >>> nodes = m.variables("nodes", 2, cost=[3.0, 2.0], upper=10, integer=True)
    >>> _ = m.add("capital", np.array([2.0, 1.0]) @ nodes <= 7)
    >>> m.model().row_name(0), m.model().column_name(1)
    ('capital', 'nodes_1')
    """

    def __init__(self, sense: Sense = "min", *, name: str = "model", constant: float = 0.0) -> None:
        self.build = MilpBuilder(sense, name=name, constant=constant)

    def variables(self, label: str, count: int, **attributes: Any) -> Expression:
        """Add columns; ``attributes`` are those of :meth:`MilpBuilder.add_columns`."""
        columns = self.build.add_columns(count, label=label, **attributes)
        return Expression(np.arange(count), columns, np.ones(count), np.zeros(count))

    def add(self, label: str, constraint: Constraint) -> Indices:
        """Add a block of rows; their indices."""
        left = constraint.left
        return self.build.add_rows(
            left.rows, left.columns, left.values,
            lower=constraint.lower, upper=constraint.upper, label=label,
        )  # fmt: skip

    def model(self) -> Milp:
        """Everything that was added."""
        return self.build.model()
