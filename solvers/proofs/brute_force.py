"""Enumeration of every assignment of the integer columns: slow, simple, independent.

No solver takes part: the continuous part (at most three columns) is solved by trying every
vertex. It is the oracle of the tests and a proof in itself for tiny models.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from solvers.dense import one_thread
from solvers.model.milp import Floats, Indices, Milp, ModelError
from solvers.proofs.exact import ExactModel
from solvers.proofs.rational import solve_rational

LARGEST_ENUMERATION = 1 << 20
LARGEST_CONTINUOUS = 3
_CHUNK = 1 << 15
_SLACK = 1e-7
_SINGULAR = 1e-12  # determinant of a matrix whose rows have 1 as their largest entry


@dataclass(frozen=True)
class Optimum:
    """Exact optimum by enumeration; ``None`` twice if no feasible point exists."""

    objective: Fraction | None
    point: tuple[Fraction, ...] | None


@one_thread()
def brute_force(model: Milp) -> Optimum:
    """Best exactly feasible point of a small model.

    Where all columns are integer this is complete: every assignment within the tolerance is
    confirmed in fractions. With continuous columns, so is every vertex.

    Candidates are screened with numpy under a tolerance and then confirmed in fractions, best
    first; vertices of the continuous part are recomputed exactly.

    Raises
    ------
    ModelError
        An unbounded column, more than 2**20 assignments, or over three continuous columns.
    """
    integer = np.flatnonzero(model.is_integer)
    continuous = np.flatnonzero(~model.is_integer)
    exact = ExactModel(model)
    count = _assignments(model, integer)
    if len(continuous) > LARGEST_CONTINUOUS:
        raise ModelError(f"{len(continuous)} continuous columns; enumeration takes at most 3")
    # The box is finite, so a best continuous part lies at a vertex: as many tight rows or bounds as
    # it has columns.
    vertices = list(_active_sets(model, continuous))
    sign = 1 if model.sense == "min" else -1
    best: tuple[Fraction, tuple[Fraction, ...]] | None = None
    reach = float(np.abs(model.cost) @ _farthest(model)) + abs(model.constant)
    slack = _SLACK * max(1.0, reach)
    for block in _grid(model, integer, count):
        ceiling = np.inf if best is None else float(best[0]) + slack
        for value, assignment, active in _candidates(
            model, block, integer, continuous, vertices, ceiling
        ):
            if best is not None and sign * value > float(best[0]) + slack:
                break
            point = _confirm(model, exact, assignment, integer, continuous, active)
            if point is not None:
                objective = exact.objective(point)
                if best is None or objective < best[0]:
                    best = objective, tuple(point)
    return Optimum(None, None) if best is None else Optimum(sign * best[0], best[1])


def _assignments(model: Milp, integer: Indices) -> int:
    if not (np.isfinite(model.column_lower).all() and np.isfinite(model.column_upper).all()):
        raise ModelError(f"{model.name}: enumeration needs a finite box")
    widths = np.floor(model.column_upper[integer]) - np.ceil(model.column_lower[integer]) + 1
    count = float(np.prod(np.maximum(widths, 0.0)))
    if count > LARGEST_ENUMERATION:
        raise ModelError(f"{model.name}: {count:.3g} assignments; enumeration takes at most 2**20")
    return int(count)


def _grid(model: Milp, integer: Indices, count: int) -> Iterator[Floats]:
    """Blocks of integer assignments, each ``(block, integer columns)``."""
    low = np.ceil(model.column_lower[integer])
    widths = (np.floor(model.column_upper[integer]) - low + 1).astype(np.int64)
    for first in range(0, count, _CHUNK):
        number = np.arange(first, min(first + _CHUNK, count))
        block = np.empty((len(number), len(integer)))
        for index, width in enumerate(widths.tolist()):
            block[:, index] = low[index] + number % width
            number = number // width
        yield block


def _farthest(model: Milp) -> Floats:
    """Largest absolute value that each column can take."""
    return np.maximum(np.abs(model.column_lower), np.abs(model.column_upper))


_Active = tuple[tuple[str, int], ...]


def _active_sets(model: Milp, continuous: Indices) -> Iterator[tuple[_Active, Floats]]:
    """Every choice of as many tight rows or bounds as there are continuous columns.

    Yields the choice and the inverse of its matrix (singular choices are not vertices).
    """
    size = len(continuous)
    matrix = _dense(model)[:, continuous]
    lines: list[tuple[tuple[str, int], Floats]] = [
        ((side, row), matrix[row])
        for row in np.flatnonzero(matrix.any(axis=1)).tolist()
        for side in ("row_lower", "row_upper")
        if np.isfinite(getattr(model, side)[row])
    ]
    lines += [
        ((side, column), np.eye(size)[index])
        for index, column in enumerate(continuous.tolist())
        for side in ("column_lower", "column_upper")
    ]
    for chosen in itertools.combinations(lines, size):
        square = np.array([line for _, line in chosen]).reshape(size, size)
        largest = np.abs(square).max(axis=1, initial=0.0, keepdims=True)
        if size == 0 or (largest.all() and abs(np.linalg.det(square / largest)) > _SINGULAR):
            yield tuple(key for key, _ in chosen), np.linalg.inv(square)


def _dense(model: Milp) -> Floats:
    matrix = np.zeros((model.rows, model.columns))
    matrix[model.row_of_nonzero, model.column_indices] = model.coefficients
    return matrix


def _candidates(
    model: Milp,
    block: Floats,
    integer: Indices,
    continuous: Indices,
    vertices: list[tuple[_Active, Floats]],
    ceiling: float,
) -> Iterator[tuple[float, Floats, _Active]]:
    """Points that hold within a tolerance and are no worse than ``ceiling``, best first."""
    matrix = _dense(model)
    partial = block @ matrix[:, integer].T
    result: list[tuple[float, int, Floats, _Active]] = []
    sign = 1.0 if model.sense == "min" else -1.0
    slack = _SLACK * np.maximum(1.0, np.abs(matrix) @ _farthest(model))  # far above any rounding
    for active, inverse in vertices:
        right = np.empty((len(block), len(active)))
        for position, (side, index) in enumerate(active):
            bound = float(getattr(model, side)[index])
            right[:, position] = bound - partial[:, index] if side.startswith("row") else bound
        values = right @ inverse.T
        activity = partial + values @ matrix[:, continuous].T
        good = (activity >= model.row_lower - slack).all(1)
        good &= (activity <= model.row_upper + slack).all(1)
        good &= (values >= model.column_lower[continuous] - _SLACK).all(1)
        good &= (values <= model.column_upper[continuous] + _SLACK).all(1)
        objective = block @ model.cost[integer] + values @ model.cost[continuous]
        objective = sign * (objective + model.constant)
        selected = np.flatnonzero(good & (objective <= ceiling))
        objective = objective[selected]
        result += [
            (value, len(result) + k, block[i], active)
            for k, (i, value) in enumerate(zip(selected.tolist(), objective.tolist(), strict=True))
        ]
    for value, _, assignment, active in sorted(result, key=lambda item: item[:2]):
        yield sign * value, assignment, active


def _confirm(
    model: Milp,
    exact: ExactModel,
    assignment: Floats,
    integer: Indices,
    continuous: Indices,
    active: _Active,
) -> list[Fraction] | None:
    """Return the candidate in fractions, or ``None`` if it does not hold exactly."""
    point = [Fraction(0)] * model.columns
    for column, value in zip(integer.tolist(), assignment.tolist(), strict=True):
        point[column] = Fraction(int(value))
    position = {column: k for k, column in enumerate(continuous.tolist())}
    system: list[dict[int, Fraction]] = []
    right: list[Fraction] = []
    for side, index in active:
        if side.startswith("column"):
            bound = (exact.lower if side == "column_lower" else exact.upper)[index]
            system.append({position[index]: Fraction(exact.scale)})
            right.append(Fraction(bound or 0))
            continue
        bound = (exact.row_lower if side == "row_lower" else exact.row_upper)[index]
        pairs = exact.rows[index]
        system.append({position[j]: Fraction(a) for j, a in pairs if j in position})
        right.append(Fraction(bound or 0) - sum((a * point[j] for j, a in pairs), Fraction(0)))
    solved = solve_rational(system, right)
    if solved is None:
        return None
    for column, value in zip(continuous.tolist(), solved, strict=True):
        point[column] = value
    return point if exact.is_feasible(point) else None
