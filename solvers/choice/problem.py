"""One item of each class under several budgets: the problem as arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from solvers.model.milp import Floats, Indices, ModelError, Sense

_CHUNK = 1 << 20


@dataclass(frozen=True, eq=False)
class Choice:
    r"""Multiple-choice knapsack with several budgets.

    Sets: classes :math:`j` (rows of ``starts``), items :math:`k \in K_j`, resources :math:`r`.
    Variables :math:`x_{jk} \in \{0, 1\}`.

    .. math:: \min \sum_{jk} c_{jk} x_{jk} \quad\text{subject to}\quad
       \sum_{k \in K_j} x_{jk} = 1, \qquad \sum_{jk} w_{jk}^r x_{jk} \le b_r

    Arrays that already have the right type are not copied, since a large problem fills memory
    once. The caller must not change them.

    Attributes
    ----------
    starts
        Items ``starts[j]`` up to ``starts[j + 1]`` are those of class ``j``; ``(classes + 1,)``.
    cost
        To be minimised or, with ``sense="max"``, values to be maximised; shape ``(items,)``.
    weights
        Use of each resource by each item, at least 0, shape ``(items, resources)``.
    budgets
        Shape ``(resources,)``; infinite where there is none.
    resources
        Names for messages; empty: ``resource 0``, ``resource 1``, ...

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

    def __post_init__(self) -> None:
        kinds = {"starts": np.int64, "cost": np.float64, "weights": np.float64}
        for field, kind in {**kinds, "budgets": np.float64}.items():
            array = np.ascontiguousarray(getattr(self, field), dtype=kind)[:]
            array.setflags(write=False)
            object.__setattr__(self, field, array)
        _check_shapes(self)
        _check_numbers(self)

    @classmethod
    def from_tables(
        cls,
        tables: Sequence[tuple[Any, Any]],
        budgets: ArrayLike,
        *,
        sense: Sense = "min",
        name: str = "choice",
        resources: tuple[str, ...] = (),
    ) -> Choice:
        """Build from one ``(costs, weights)`` pair per class.

        Examples
        --------
        >>> small = Choice.from_tables([([3, 1], [[0], [2]]), ([5, 2], [[1], [4]])], [3])
        >>> small.classes, small.items
        (2, 4)
        """
        costs = [np.asarray(cost, dtype=np.float64).ravel() for cost, _ in tables]
        count = np.asarray(budgets).size
        weights = [np.asarray(w, dtype=np.float64).reshape(-1, count) for _, w in tables]
        for index, (cost, weight) in enumerate(zip(costs, weights, strict=True)):
            if len(cost) != len(weight):
                raise ModelError(f"class {index}: {len(cost)} costs but {len(weight)} weights")
        return cls(
            np.r_[0, np.cumsum([len(cost) for cost in costs], dtype=np.int64)],
            np.concatenate(costs) if costs else np.empty(0),
            np.concatenate(weights) if weights else np.empty((0, count)),
            np.atleast_1d(np.asarray(budgets, dtype=np.float64)),
            sense,
            name,
            resources,
        )

    @property
    def classes(self) -> int:
        """Number of classes."""
        return len(self.starts) - 1

    @property
    def items(self) -> int:
        """Number of items of all classes."""
        return len(self.cost)

    def resource_name(self, resource: int) -> str:
        """Name of one resource."""
        return self.resources[resource] if self.resources else f"resource {resource}"

    def place(self, item: int) -> str:
        """Class and item within it, for messages."""
        group = int(np.searchsorted(self.starts, item, side="right")) - 1
        return f"item {item - int(self.starts[group])} of class {group}"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the mathematics (names excluded)."""
        state = hashlib.sha256(f"choice {self.sense} {self.classes}".encode())
        for array in (self.starts, self.cost, self.weights, self.budgets):
            state.update(array.data if array.size else b"")
        return state.hexdigest()


def _check_shapes(problem: Choice) -> None:
    if problem.sense not in ("min", "max"):
        raise ModelError(f"sense is {problem.sense!r}; use 'min' or 'max'")
    starts, items = problem.starts, problem.cost.size
    if problem.cost.ndim != 1 or problem.budgets.ndim != 1:
        raise ModelError("cost and budgets must have one dimension")
    if problem.weights.shape != (items, problem.budgets.size):
        raise ModelError(
            f"weights have shape {problem.weights.shape}, not {(items, problem.budgets.size)}"
        )
    if starts.ndim != 1 or not len(starts) or starts[0] != 0 or starts[-1] != items:
        raise ModelError(f"starts must begin with 0 and end with the number of items, {items}")
    for group in np.flatnonzero(np.diff(starts) <= 0)[:1].tolist():
        raise ModelError(f"class {group} has no items; leave it out or give it one")
    if problem.resources and len(problem.resources) != problem.budgets.size:
        raise ModelError(
            f"{len(problem.resources)} names were given for {problem.budgets.size} resources"
        )


def _check_numbers(problem: Choice) -> None:
    for resource in np.flatnonzero(np.isnan(problem.budgets) | (problem.budgets == -np.inf))[:1]:
        raise ModelError(f"the budget of {problem.resource_name(int(resource))} is not a number")
    for first in range(0, problem.items, _CHUNK):
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


def _first(bad: ArrayLike) -> int | None:
    bad = np.asarray(bad)
    return int(bad.argmax()) if bad.any() else None
