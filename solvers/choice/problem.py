"""One item of each class under several budgets: the problem as arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solvers.model.milp import Floats, Indices, ModelError, Sense

_CHUNK = 1 << 20


@dataclass(frozen=True, eq=False)
class Choice:
    r"""Multiple-choice knapsack with several budgets.

    Sets: classes :math:`j` (rows of ``starts``), items :math:`k \in K_j`, resources :math:`r`.
    Variables :math:`x_{jk} \in \{0, 1\}`.

    .. math:: \min \sum_{jk} c_{jk} x_{jk} \quad\text{subject to}\quad
       \sum_{k \in K_j} x_{jk} = 1, \qquad \sum_{jk} w_{jk}^r x_{jk} \le b_r

    Classes may share a table of items, each with its costs multiplied by a factor of its own:
    memory holds tables, not items. Arrays that already have the right type are not copied. The
    caller must not change them.

    Attributes
    ----------
    starts
        Items ``starts[j]`` up to ``starts[j + 1]`` are those of class ``j``; ``(classes + 1,)``.
    cost
        To be minimised or, with ``sense="max"``, values to be maximised; shape ``(rows,)``, the
        tables one below the other.
    weights
        Use of each resource, at least 0, shape ``(rows, resources)``.
    budgets
        Shape ``(resources,)``; infinite where there is none.
    resources
        Names for messages; empty: ``resource 0``, ``resource 1``, ...
    table
        Row of ``cost`` and ``weights`` with the first item of each class, ``(classes,)``. Empty:
        each class has a table of its own, so that rows are items.
    factor
        Costs of a class are those of its table times this, ``(classes,)``; empty: 1.

    Raises
    ------
    ModelError
        Shapes that do not match, an empty class, a number that is not finite, a negative weight.

    References
    ----------
    Kellerer, Pferschy and Pisinger, *Knapsack Problems*, Springer 2004, chapter 11.
    """

    starts: Indices
    cost: Floats
    weights: Floats
    budgets: Floats
    sense: Sense = "min"
    name: str = "choice"
    resources: tuple[str, ...] = ()
    table: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    factor: Floats = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        for name in ("starts", "cost", "weights", "budgets", "table", "factor"):
            kind = np.int64 if name in ("starts", "table") else np.float64
            self._hold(name, np.ascontiguousarray(getattr(self, name), dtype=kind)[:])
        _check_shapes(self)
        if not self.table.size:
            self._hold("table", self.starts[:-1])
        if not self.factor.size:
            self._hold("factor", np.ones(self.classes))
        _check_numbers(self)

    def _hold(self, name: str, array: NDArray[Any]) -> None:
        array.setflags(write=False)
        object.__setattr__(self, name, array)

    @classmethod
    def from_tables(
        cls,
        tables: Sequence[tuple[Any, Any]],
        budgets: ArrayLike,
        *,
        table: ArrayLike | None = None,
        factor: ArrayLike = (),
        sense: Sense = "min",
        name: str = "choice",
        resources: tuple[str, ...] = (),
    ) -> Choice:
        """Build from tables, ``(costs, weights)`` pairs.

        ``table`` has the index of the table of each class, by default one class for each table.

        Examples
        --------
        >>> tables = [([3, 1], [[0], [2]]), ([5, 2], [[1], [4]])]
        >>> small = Choice.from_tables(tables, [3])
        >>> small.classes, small.items
        (2, 4)
        >>> large = Choice.from_tables(tables, [9], table=[0, 1, 1], factor=[1, 1, 5])
        >>> large.classes, large.items, large.costs_of(large.starts[:-1])
        (3, 6, array([ 3.,  5., 25.]))
        """
        costs = [np.asarray(cost, dtype=np.float64).ravel() for cost, _ in tables]
        count = np.asarray(budgets).size
        weights = [np.asarray(w, dtype=np.float64).reshape(-1, count) for _, w in tables]
        for index, (cost, weight) in enumerate(zip(costs, weights, strict=True)):
            if len(cost) != len(weight):
                kind = "class" if table is None else "table"
                raise ModelError(f"{kind} {index}: {len(cost)} costs but {len(weight)} weights")
        sizes = np.array([len(cost) for cost in costs], dtype=np.int64)
        first = np.r_[0, np.cumsum(sizes)][:-1]
        which = np.arange(len(tables)) if table is None else np.asarray(table, dtype=np.int64)
        for group in np.flatnonzero((which < 0) | (which >= len(tables)))[:1].tolist():
            raise ModelError(
                f"class {group} has table {which[group]}; tables are counted from 0, and there are "
                f"{len(tables)}"
            )
        return cls(
            np.r_[0, np.cumsum(sizes[which])],
            np.concatenate(costs) if costs else np.empty(0),
            np.concatenate(weights) if weights else np.empty((0, count)),
            np.atleast_1d(np.asarray(budgets, dtype=np.float64)),
            sense,
            name,
            resources,
            first[which],
            np.asarray(factor, dtype=np.float64),
        )

    @property
    def classes(self) -> int:
        """Number of classes."""
        return len(self.starts) - 1

    @property
    def items(self) -> int:
        """Number of items of all classes."""
        return int(self.starts[-1])

    @cached_property
    def plain(self) -> bool:
        """Whether rows are items: no table is shared, no cost multiplied."""
        return np.array_equal(self.table, self.starts[:-1]) and bool((self.factor == 1.0).all())

    def resource_name(self, resource: int) -> str:
        """Name of one resource."""
        return self.resources[resource] if self.resources else f"resource {resource}"

    def place(self, row: int) -> str:
        """Item of the first class that has a row, for messages."""
        sizes = np.diff(self.starts)
        for group in np.flatnonzero((self.table <= row) & (row < self.table + sizes))[:1].tolist():
            return f"item {row - int(self.table[group])} of class {group}"
        return f"row {row} (of no class)"

    def rows_of(self, items: Indices) -> Indices:
        """Rows of ``cost`` and ``weights`` of some items."""
        groups = np.searchsorted(self.starts, items, side="right") - 1
        return np.asarray(self.table[groups] + items - self.starts[groups])

    def costs_of(self, items: Indices) -> Floats:
        """Costs of some items."""
        groups = np.searchsorted(self.starts, items, side="right") - 1
        return np.asarray(self.factor[groups] * self.cost[self.rows_of(items)])

    def weights_of(self, items: Indices) -> Floats:
        """Weights of some items, shape ``(items, resources)``."""
        return self.weights[self.rows_of(items)]

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Ranges of classes with about a million items each."""
        first = 0
        while first < self.classes:
            target = self.starts[first] + _CHUNK
            last = int(np.searchsorted(self.starts, target, side="right")) - 1
            last = min(max(last, first + 1), self.classes)
            yield first, last
            first = last

    def costs_between(self, first: int, last: int) -> Floats:
        """Costs of the items of the classes ``first`` up to ``last``."""
        costs = self.cost[self._rows_between(first, last)]
        if self.plain:
            return costs
        return costs * np.repeat(self.factor[first:last], np.diff(self.starts[first : last + 1]))

    def weights_between(self, first: int, last: int) -> Floats:
        """Weights of these items, shape ``(items, resources)``."""
        return self.weights[self._rows_between(first, last)]

    def _rows_between(self, first: int, last: int) -> slice | Indices:
        begin, end = int(self.starts[first]), int(self.starts[last])
        if self.plain:
            return slice(begin, end)
        shifts = self.table[first:last] - self.starts[first:last]
        return np.arange(begin, end) + np.repeat(shifts, np.diff(self.starts[first : last + 1]))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the mathematics (names excluded); shared tables make no difference."""
        state = hashlib.sha256(f"choice {self.sense} {self.classes}".encode())
        state.update(self.starts.tobytes())
        for numbers in (self.costs_between, self.weights_between):
            for first, last in self.chunks():
                state.update(numbers(first, last).tobytes())
        state.update(self.budgets.tobytes())
        return state.hexdigest()


def _check_shapes(problem: Choice) -> None:
    if problem.sense not in ("min", "max"):
        raise ModelError(f"sense is {problem.sense!r}; use 'min' or 'max'")
    starts, rows = problem.starts, problem.cost.size
    if problem.cost.ndim != 1 or problem.budgets.ndim != 1:
        raise ModelError("cost and budgets must have one dimension")
    if problem.weights.shape != (rows, problem.budgets.size):
        raise ModelError(
            f"weights have shape {problem.weights.shape}, not {(rows, problem.budgets.size)}"
        )
    if starts.ndim != 1 or not len(starts) or starts[0] != 0:
        raise ModelError("starts must begin with 0 and have one dimension")
    if not problem.table.size and starts[-1] != rows:
        raise ModelError(f"starts must end with the number of items, {rows}")
    for group in np.flatnonzero(np.diff(starts) <= 0)[:1].tolist():
        raise ModelError(f"class {group} has no items; leave it out or give it one")
    _check_tables(problem)
    if problem.resources and len(problem.resources) != problem.budgets.size:
        raise ModelError(
            f"{len(problem.resources)} names were given for {problem.budgets.size} resources"
        )


def _check_tables(problem: Choice) -> None:
    classes, rows = problem.classes, problem.cost.size
    for name, array in (("table", problem.table), ("factor", problem.factor)):
        if array.size and array.shape != (classes,):
            raise ModelError(f"{name} has shape {array.shape}, not {(classes,)}")
    if problem.table.size:
        beyond = problem.table + np.diff(problem.starts)
        for group in np.flatnonzero((problem.table < 0) | (beyond > rows))[:1].tolist():
            raise ModelError(
                f"class {group} has the rows {problem.table[group]} to {beyond[group] - 1}; rows "
                f"of cost are counted from 0, and there are {rows}"
            )


def _check_numbers(problem: Choice) -> None:
    for resource in np.flatnonzero(np.isnan(problem.budgets) | (problem.budgets == -np.inf))[:1]:
        raise ModelError(f"the budget of {problem.resource_name(int(resource))} is not a number")
    for first in range(0, problem.cost.size, _CHUNK):
        part = slice(first, first + _CHUNK)
        if (item := _first(~np.isfinite(problem.cost[part]))) is not None:
            position = problem.place(first + item)
            raise ModelError(f"{position} costs {problem.cost[first + item]}; give a finite number")
        weights = problem.weights[part]
        if weights.size and not (weights.min() >= 0.0 and weights.max() < np.inf):
            item = _first(~((weights >= 0.0) & (weights < np.inf)).all(axis=1)) or 0
            resource = _first(~((weights[item] >= 0.0) & (weights[item] < np.inf))) or 0
            raise ModelError(
                f"{problem.place(first + item)} weighs {weights[item, resource]} in "
                f"{problem.resource_name(resource)}; a weight is finite and at least 0"
            )
    largest = np.abs(problem.cost).max(initial=0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        fits = np.isfinite(problem.factor * largest)
    for group in np.flatnonzero(~fits)[:1].tolist():
        raise ModelError(
            f"the costs of class {group} are multiplied by {problem.factor[group]}; give a finite "
            "number, with finite products"
        )


def _first(bad: ArrayLike) -> int | None:
    bad = np.asarray(bad)
    return int(bad.argmax()) if bad.any() else None
