"""The common currency of the solver layer: one frozen, sparse mixed-integer linear program."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solvers.model.names import Names
from solvers.portable import product

Sense = Literal["min", "max"]
Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


class ModelError(ValueError):
    """A model that is not a mixed-integer linear program: the message names the place."""


@dataclass(frozen=True, eq=False)
class Milp:
    """Optimise ``cost @ x + constant`` over ``row_lower <= A x <= row_upper`` and a box.

    Rows are stored compressed (CSR) with column indices ascending, no duplicates and no
    explicit zeros, so that equal models have equal arrays. All arrays are read-only.

    Attributes
    ----------
    cost
        Objective coefficients, shape ``(columns,)``.
    row_starts, column_indices, coefficients
        CSR arrays of ``A``, shapes ``(rows + 1,)``, ``(nonzeros,)``, ``(nonzeros,)``.
    row_lower, row_upper
        Shape ``(rows,)``; ``-inf`` and ``inf`` where a side is absent.
    column_lower, column_upper
        Shape ``(columns,)``; infinite where a side is absent.
    is_integer
        Shape ``(columns,)``.
    sense
        ``"min"`` or ``"max"``.
    constant
        Added to the objective.
    column_names, row_names
        Either empty (then ``x0, x1, ...`` and ``r0, r1, ...``) or one name each.

    Raises
    ------
    ModelError
        Shapes that do not match, NaN anywhere, an infinite coefficient, an index out of range.
        Crossed bounds are allowed: such a model is infeasible, not wrong.
    """

    cost: Floats
    row_starts: Indices
    column_indices: Indices
    coefficients: Floats
    row_lower: Floats
    row_upper: Floats
    column_lower: Floats
    column_upper: Floats
    is_integer: Flags
    sense: Sense = "min"
    constant: float = 0.0
    column_names: Sequence[str] = ()
    row_names: Sequence[str] = ()
    name: str = "model"

    def __post_init__(self) -> None:
        for field in _ARRAYS:
            self._freeze(field, getattr(self, field))
        _check(self)

    def _freeze(self, field: str, values: ArrayLike) -> None:
        array = np.array(values, dtype=_ARRAYS[field])
        if array.dtype == np.float64:
            array += 0.0  # -0.0 and 0.0 are the same number and must hash alike
        array.setflags(write=False)
        object.__setattr__(self, field, array)

    def changed(self, *, constant: float | None = None, **arrays: ArrayLike) -> Milp:
        """The same model with some arrays replaced; it shares all others, and their checks.

        Raises
        ------
        ModelError
            As for a new model.
        """
        other = object.__new__(Milp)
        selected = {each.name: getattr(self, each.name) for each in fields(self)}
        other.__dict__.update(selected)
        if constant is not None:
            other.__dict__["constant"] = constant
        for field, values in arrays.items():
            other._freeze(field, values)
        if _LAYOUT.isdisjoint(arrays):
            other.__dict__["row_of_nonzero"] = self.row_of_nonzero
            other.__dict__["largest_of_row"] = self.largest_of_row
            _check_lengths(other)
            _check_numbers(other)
        else:
            _check(other)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """What is given, without what is worked out from it: less to send to a solver."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def columns(self) -> int:
        """Number of columns (variables)."""
        return len(self.cost)

    @property
    def rows(self) -> int:
        """Number of rows (constraints)."""
        return len(self.row_lower)

    @property
    def nonzeros(self) -> int:
        """Number of nonzero coefficients."""
        return len(self.coefficients)

    @cached_property
    def row_of_nonzero(self) -> Indices:
        """Row index of each nonzero, shape ``(nonzeros,)``."""
        return np.repeat(np.arange(self.rows), np.diff(self.row_starts))

    @cached_property
    def largest_of_row(self) -> Floats:
        """Largest absolute coefficient of each row, shape ``(rows,)``; 1 where it has none."""
        largest = np.zeros(self.rows)
        np.maximum.at(largest, self.row_of_nonzero, np.abs(self.coefficients))
        result = np.where(largest > 0.0, largest, 1.0)
        result.setflags(write=False)
        return result

    def column_name(self, column: int) -> str:
        """Name of one column."""
        return self.column_names[column] if self.column_names else f"x{column}"

    def row_name(self, row: int) -> str:
        """Name of one row."""
        return self.row_names[row] if self.row_names else f"r{row}"

    def row_activity(self, x: Floats) -> Floats:
        """Return ``A x``, shape ``(rows,)``."""
        products = self.coefficients * x[self.column_indices]
        sums = np.bincount(self.row_of_nonzero, weights=products, minlength=self.rows)
        return sums.astype(np.float64)

    def objective(self, x: Floats) -> float:
        """``cost @ x + constant``."""
        return float(product(self.cost, x)) + self.constant

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the mathematics (names excluded): the model's identity in certificates."""
        state = hashlib.sha256(
            f"{self.sense} {self.constant + 0.0!r} {self.rows} {self.columns}".encode()
        )
        for field, kind in _ARRAYS.items():
            state.update(np.ascontiguousarray(getattr(self, field), dtype=kind).tobytes())
        return state.hexdigest()


_ARRAYS: dict[str, type[np.generic]] = {
    "cost": np.float64,
    "row_starts": np.int64,
    "column_indices": np.int64,
    "coefficients": np.float64,
    "row_lower": np.float64,
    "row_upper": np.float64,
    "column_lower": np.float64,
    "column_upper": np.float64,
    "is_integer": np.bool_,
}
_LAYOUT = {"row_starts", "column_indices", "coefficients"}


def _check(model: Milp) -> None:
    if model.sense not in ("min", "max"):
        raise ModelError(f"sense is {model.sense!r}; use 'min' or 'max'")
    _check_lengths(model)
    _check_layout(model)
    _check_numbers(model)


def _check_lengths(model: Milp) -> None:
    columns, rows = len(model.cost), len(model.row_lower)
    lengths = {
        "cost": columns,
        "row_lower": rows,
        "row_upper": rows,
        "row_starts": rows + 1,
        "column_indices": len(model.coefficients),
        "coefficients": len(model.column_indices),
        "column_lower": columns,
        "column_upper": columns,
        "is_integer": columns,
    }
    for field, length in lengths.items():
        if getattr(model, field).shape != (length,):
            raise ModelError(f"{field} has shape {getattr(model, field).shape}, not ({length},)")
    for names, length in ((model.column_names, columns), (model.row_names, rows)):
        if names and len(names) != length:
            raise ModelError(f"{len(names)} names were given for {length} columns or rows")
        if not isinstance(names, Names) and len(set(names)) < len(names):
            raise ModelError(f"{model.name}: two columns or two rows share a name")


def _check_layout(model: Milp) -> None:
    indices = model.column_indices
    if len(indices) and not (indices.min() >= 0 and indices.max() < model.columns):
        raise ModelError(f"a column index lies outside 0..{model.columns - 1}")
    if model.row_starts[0] != 0 or model.row_starts[-1] != len(model.coefficients):
        raise ModelError("row_starts must begin with 0 and end with the number of nonzeros")
    if (np.diff(model.row_starts) < 0).any():
        raise ModelError("row_starts must ascend")
    inside_a_row = np.diff(model.row_of_nonzero) == 0
    if (np.diff(indices)[inside_a_row] <= 0).any():
        raise ModelError("column indices must ascend within each row; MilpBuilder sorts them")
    if (model.coefficients == 0.0).any():
        raise ModelError("a stored coefficient is zero; MilpBuilder drops such entries")


def _check_numbers(model: Milp) -> None:
    if not np.isfinite(model.constant):
        raise ModelError("the objective's constant is not finite")
    if not np.isfinite(model.cost).all():
        column = model.column_name(_first_bad(model.cost))
        raise ModelError(f"cost of column {column} is not finite")
    if not np.isfinite(model.coefficients).all():
        row = int(model.row_of_nonzero[_first_bad(model.coefficients)])
        raise ModelError(f"a coefficient of row {model.row_name(row)} is not finite")
    for field, absent in (("lower", -np.inf), ("upper", np.inf)):
        for side, name in (("row", model.row_name), ("column", model.column_name)):
            bounds: Floats = getattr(model, f"{side}_{field}")
            for index in np.flatnonzero(np.isnan(bounds) | (bounds == -absent))[:1].tolist():
                raise ModelError(f"{side} {name(index)} has {bounds[index]} as its {field} bound")


def _first_bad(array: Floats) -> int:
    return int((~np.isfinite(array)).argmax())


class MilpBuilder:
    """Assembles a :class:`Milp` from blocks of arrays: the fast route for large models.

    Examples
    --------
    >>> build = MilpBuilder("max")
    >>> nodes = build.add_columns(2, cost=[3.0, 2.0], upper=10, integer=True)
    >>> _ = build.add_rows([0, 0], nodes, [2.0, 1.0], upper=[7.0])
    >>> build.model().nonzeros
    2
    """

    def __init__(self, sense: Sense = "min", *, name: str = "model", constant: float = 0.0) -> None:
        self._sense: Sense = sense
        self._name = name
        self._constant = constant
        self._columns: list[tuple[Floats, Floats, Floats, Flags]] = []
        self._rows: list[tuple[Indices, Indices, Floats, Floats, Floats]] = []
        self._single_columns: list[tuple[float, float, float, bool]] = []
        self._single_rows = _SingleRows()
        self._column_names: list[str] = []
        self._row_names: list[str] = []
        self._labels: dict[str, list[tuple[int, str, int]]] = {"x": [], "r": []}
        self._column_count = 0
        self._row_count = 0

    @property
    def columns(self) -> int:
        """Number of columns so far."""
        return self._column_count

    def add_column(
        self,
        *,
        cost: float = 0.0,
        lower: float = 0.0,
        upper: float = np.inf,
        integer: bool = False,
        label: str = "",
    ) -> int:
        """Add one column, called ``label``; its index. Much cheaper than a block of one."""
        self._single_columns.append((cost, lower, upper, integer))
        self._label("x", self._column_count, label, 1)
        self._column_count += 1
        return self._column_count - 1

    def add_row(
        self,
        columns: Sequence[int],
        values: Sequence[float],
        *,
        lower: float = -np.inf,
        upper: float = np.inf,
        label: str = "",
    ) -> int:
        """Add one row, called ``label``; its index. Much cheaper than a block of one."""
        self._single_rows.add(columns, values, lower, upper)
        self._label("r", self._row_count, label, 1)
        self._row_count += 1
        return self._row_count - 1

    def _gather_columns(self) -> None:
        """Turn the columns that were added one by one into a block, in their place."""
        if self._single_columns:
            *sides, integer = zip(*self._single_columns, strict=True)
            cost, lower, upper = (np.array(side, dtype=np.float64) for side in sides)
            self._columns.append((cost, lower, upper, np.array(integer, dtype=np.bool_)))
            self._single_columns = []

    def _gather_rows(self) -> None:
        """Turn the rows that were added one by one into a block, in their place."""
        if self._single_rows.lengths:
            self._rows.append(self._single_rows.block(self._row_count))
            self._single_rows = _SingleRows()

    def add_columns(
        self,
        count: int,
        *,
        cost: ArrayLike = 0.0,
        lower: ArrayLike = 0.0,
        upper: ArrayLike = np.inf,
        integer: ArrayLike = False,
        names: Sequence[str] = (),
        label: str = "",
    ) -> Indices:
        """Add ``count`` columns; scalars are broadcast. Returns their indices, ``(count,)``.

        With a ``label`` they are called ``label_0, label_1, ...``; a single one ``label``.
        """
        self._gather_columns()
        first, self._column_count = self._column_count, self._column_count + count
        numbers = [_filled(values, count, np.float64) for values in (cost, lower, upper)]
        flags = _filled(integer, count, np.bool_)
        self._columns.append((numbers[0], numbers[1], numbers[2], flags))
        self._column_names.extend(names)
        self._label("x", first, label, count)
        return np.arange(first, self._column_count)

    def add_rows(
        self,
        rows: ArrayLike,
        columns: ArrayLike,
        values: ArrayLike,
        *,
        lower: ArrayLike = -np.inf,
        upper: ArrayLike = np.inf,
        names: Sequence[str] = (),
        label: str = "",
    ) -> Indices:
        """Add a block of rows given as triplets.

        Parameters
        ----------
        rows, columns, values
            Triplets, each of shape ``(nonzeros,)``; ``rows`` count from 0 within the block,
            ``columns`` are indices that :meth:`add_columns` returned. Repeated places add up.
        lower, upper
            Bounds; the longer of the two (or the largest row) says how many rows there are.
        names, label
            A name for each row; or ``label_0, label_1, ...``, and ``label`` for a single one.
        """
        self._gather_rows()
        local, where = np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64)
        if local.shape != where.shape or local.min(initial=0) < 0:
            raise ModelError(
                f"rows and columns of a block must be as long as each other and not negative;"
                f" their shapes are {local.shape} and {where.shape}"
            )
        low, high = (np.atleast_1d(np.asarray(b, dtype=np.float64)) for b in (lower, upper))
        count = max(len(low), len(high), int(local.max(initial=-1)) + 1)
        block = (
            local + self._row_count,
            where,
            np.broadcast_to(np.asarray(values, dtype=np.float64), local.shape),
            np.broadcast_to(low, (count,)),
            np.broadcast_to(high, (count,)),
        )
        self._rows.append(block)
        self._row_names.extend(names)
        first, self._row_count = self._row_count, self._row_count + count
        self._label("r", first, label, count)
        return np.arange(first, self._row_count)

    def _label(self, letter: str, first: int, label: str, count: int) -> None:
        if label:
            self._labels[letter].append((first, label, count))

    def _names(self, letter: str, given: Sequence[str], count: int) -> Sequence[str]:
        """Names by labels where there are any; what has no label is called by its index."""
        if not self._labels[letter]:
            return tuple(given)
        if given:
            raise ModelError(f"{self._name}: names and labels are mixed; give one of them")
        blocks, end = list[tuple[str, int]](), 0
        for first, label, length in self._labels[letter]:
            if first > end:
                blocks.append(("", first - end))
            blocks.append((label, length))
            end = first + length
        try:
            return Names([*blocks, ("", count - end)], letter)
        except ValueError as error:
            raise ModelError(f"{self._name}: {error}") from None

    def model(self) -> Milp:
        """Everything that was added, as one canonical model."""
        self._gather_columns()
        self._gather_rows()
        cost, lower, upper, integer = (_joined(self._columns, part) for part in range(4))
        rows, columns, values, row_lower, row_upper = (
            _joined(self._rows, part) for part in range(5)
        )
        starts, indices, coefficients = _compress(
            rows.astype(np.int64), columns.astype(np.int64), values, self._row_count
        )
        return Milp(
            cost=cost,
            row_starts=starts,
            column_indices=indices,
            coefficients=coefficients,
            row_lower=row_lower,
            row_upper=row_upper,
            column_lower=lower,
            column_upper=upper,
            is_integer=integer.astype(np.bool_),
            sense=self._sense,
            constant=self._constant,
            column_names=self._names("x", self._column_names, self._column_count),
            row_names=self._names("r", self._row_names, self._row_count),
            name=self._name,
        )


class _SingleRows:
    """Rows that are added one by one, in lists until there is a block of them."""

    def __init__(self) -> None:
        self.lengths: list[int] = []
        self._columns: list[int] = []
        self._values: list[float] = []
        self._lower: list[float] = []
        self._upper: list[float] = []

    def add(
        self, columns: Sequence[int], values: Sequence[float], lower: float, upper: float
    ) -> None:
        if len(columns) != len(values):
            raise ModelError(f"a row has {len(columns)} columns and {len(values)} values")
        self.lengths.append(len(columns))
        self._columns.extend(columns)
        self._values.extend(values)
        self._lower.append(lower)
        self._upper.append(upper)

    def block(self, end: int) -> tuple[Indices, Indices, Floats, Floats, Floats]:
        """All of them as triplets and sides; ``end`` is the index after the last row's."""
        rows = np.arange(end - len(self.lengths), end)
        return (
            np.repeat(rows, self.lengths),
            np.array(self._columns, dtype=np.int64),
            np.array(self._values, dtype=np.float64),
            np.array(self._lower, dtype=np.float64),
            np.array(self._upper, dtype=np.float64),
        )


def _filled(values: ArrayLike, count: int, kind: type[np.generic]) -> NDArray[Any]:
    """``count`` values; a scalar is repeated."""
    result = np.asarray(values, dtype=kind)
    return (
        np.full(count, result, dtype=kind) if result.ndim == 0 else np.broadcast_to(result, count)
    )


def _joined(blocks: Sequence[tuple[NDArray[Any], ...]], part: int) -> NDArray[Any]:
    return np.concatenate([block[part] for block in blocks]) if blocks else np.empty(0)


def _compress(
    rows: Indices, columns: Indices, values: Floats, row_count: int
) -> tuple[Indices, Indices, Floats]:
    """Triplets to canonical CSR: sorted, repeated places added up, zeros dropped."""
    # A stable sort: entries of one place add up in the order in which they were given.
    order = np.lexsort((columns, rows))
    rows, columns, values = rows[order], columns[order], values[order]
    if len(rows):
        first = np.r_[True, (np.diff(rows) != 0) | (np.diff(columns) != 0)]
        if not first.all():
            values = np.add.reduceat(values, np.flatnonzero(first))
            rows, columns = rows[first], columns[first]
        selected = values != 0.0
        rows, columns, values = rows[selected], columns[selected], values[selected]
    starts = np.zeros(row_count + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=row_count), out=starts[1:])
    return starts, columns, values
