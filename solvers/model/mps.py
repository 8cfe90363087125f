"""Free-format MPS and LP, written straight from the arrays with every digit kept."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from solvers.model.milp import Floats, Indices, Milp

NEGATED = "* The model maximises; OBJ is the negative of its objective, to be minimised."


def mps_text(model: Milp, columns: Sequence[str] = (), rows: Sequence[str] = ()) -> str:
    """Write the model as free MPS, minimised.

    A maximisation is negated, and a comment in the first line says so. A row whose sides differ by
    a number that gives them back with rounding only, or whose sides cross, becomes two; the second
    one is called ``NAME.2`` and comes behind all others.

    Parameters
    ----------
    columns, rows
        Their names; by default ``C0, C1, ...`` and ``R0, R1, ...``.
    """
    columns = columns or [f"C{column}" for column in range(model.columns)]
    rows = rows or [f"R{row}" for row in range(model.rows)]
    return "\n".join(_lines(model, columns, rows)) + "\n"


def _lines(model: Milp, columns: Sequence[str], rows: Sequence[str]) -> Iterator[str]:
    low, high = model.row_lower.tolist(), model.row_upper.tolist()
    kinds = [_kind(a, b) for a, b in zip(low, high, strict=True)]
    ranged = [r for r, kind in enumerate(kinds) if kind == "L" and low[r] > -np.inf]
    # Readers take the absolute value of a range, and the right-hand side less it.
    halved = [r for r in ranged if high[r] - abs(high[r] - low[r]) != low[r]]
    second = _second_names([rows[r] for r in halved], rows)
    if model.sense == "max":
        yield NEGATED
    # The word FREE on this card announces free format to the reader of CBC.
    yield "NAME MODEL FREE"
    yield "ROWS"
    yield " N OBJ"
    yield from (f" {kind} {row}" for row, kind in zip(rows, kinds, strict=True))
    yield from (f" G {name}" for name in second.values())
    yield "COLUMNS"
    yield from _columns(model, columns, rows, second)
    yield "RHS"
    for row, kind in enumerate(kinds):
        if kind != "N":
            yield f" RHS {rows[row]} {(high if kind == 'L' else low)[row]!r}"
    yield from (f" RHS {second[rows[r]]} {low[r]!r}" for r in halved)
    if len(halved) < len(ranged):
        yield "RANGES"
        whole = [r for r in ranged if rows[r] not in second]
        yield from (f" RNG {rows[r]} {high[r] - low[r]!r}" for r in whole)
    yield "BOUNDS"
    yield from _bounds(model, columns)
    yield "ENDATA"


def _second_names(halved: Sequence[str], rows: Sequence[str]) -> dict[str, str]:
    """Names of second rows, that no other row has."""
    taken, second = {*rows}, {}
    for name in halved:
        number = next(n for n in itertools.count(2) if f"{name}.{n}" not in taken)
        second[name] = f"{name}.{number}"
        taken.add(second[name])
    return second


def _kind(low: float, high: float) -> str:
    if low == high:
        return "E"
    if high < np.inf:
        return "L"
    return "G" if low > -np.inf else "N"


def _columns(
    model: Milp, names: Sequence[str], row_names: Sequence[str], second: Mapping[str, str]
) -> Iterator[str]:
    order = np.lexsort((model.row_of_nonzero, model.column_indices))
    rows = model.row_of_nonzero[order].tolist()
    values = model.coefficients[order].tolist()
    starts = np.searchsorted(model.column_indices[order], np.arange(model.columns + 1)).tolist()
    sign = 1.0 if model.sense == "min" else -1.0
    costs = (sign * model.cost + 0.0).tolist()
    inside = False
    for column, integer in enumerate(model.is_integer.tolist()):
        if integer != inside:
            yield f" M{column} 'MARKER' '{'INTORG' if integer else 'INTEND'}'"
            inside = integer
        # Also where the cost is 0: a column without entries exists by this line alone.
        yield f" {names[column]} OBJ {costs[column]!r}"
        for index in range(starts[column], starts[column + 1]):
            row = row_names[rows[index]]
            yield f" {names[column]} {row} {values[index]!r}"
            if row in second:
                yield f" {names[column]} {second[row]} {values[index]!r}"
    if inside:
        yield " MEND 'MARKER' 'INTEND'"


def _bounds(model: Milp, names: Sequence[str]) -> Iterator[str]:
    low, high = model.column_lower.tolist(), model.column_upper.tolist()
    for column in range(model.columns):
        name, a, b = names[column], low[column], high[column]
        if a == -np.inf and b == np.inf:
            yield f" FR BND {name}"
            continue
        # Both sides are always written. Without, readers differ: on the lower bound under a
        # negative UP, and on the upper bound of integer columns between markers.
        yield f" MI BND {name}" if a == -np.inf else f" LO BND {name} {a!r}"
        yield f" PL BND {name}" if b == np.inf else f" UP BND {name} {b!r}"


def lp_text(model: Milp, columns: Sequence[str], rows: Sequence[str]) -> str:
    """Write the model in the LP format, in its own sense.

    Only what every reader knows is written: no ranges (a row with two sides becomes two rows, the
    second one called ``NAME.2``), no constant, and the long names of sections.
    """
    return "\n".join(_lp_lines(model, columns, rows)) + "\n"


def _lp_lines(model: Milp, columns: Sequence[str], rows: Sequence[str]) -> Iterator[str]:
    yield "Minimize" if model.sense == "min" else "Maximize"
    yield from _wrapped("OBJ:", _terms(np.arange(model.columns), model.cost, columns))
    yield "Subject To"
    ends = model.row_starts.tolist()
    low, high = model.row_lower.tolist(), model.row_upper.tolist()
    two_sided = [
        name for name, a, b in zip(rows, low, high, strict=True) if -np.inf < a != b < np.inf
    ]
    second = _second_names(two_sided, rows)
    for row, name in enumerate(rows):
        part = slice(ends[row], ends[row + 1])
        terms = _terms(model.column_indices[part], model.coefficients[part], columns)
        sides = [("=", low[row])] if low[row] == high[row] else []
        if not sides:
            sides = [(sign, side) for sign, side in (("<=", high[row]), (">=", low[row]))
                     if abs(side) < np.inf]  # fmt: skip
        for number, (sign, side) in enumerate(sides):
            label = f"{second[name]}:" if number else f"{name}:"
            yield from _wrapped(label, [*terms, f"{sign} {side!r}"])
    yield "Bounds"
    yield from _lp_bounds(model, columns)
    whole = [columns[column] for column in np.flatnonzero(model.is_integer).tolist()]
    if whole:
        yield "Generals"
        yield from _wrapped("", whole)
    yield "End"


def _terms(indices: Indices, values: Floats, names: Sequence[str]) -> list[str]:
    """Signed products; a row without any gets one of zero, which the format needs."""
    pairs = [(names[j], a) for j, a in zip(indices.tolist(), values.tolist(), strict=True) if a]
    return [f"{'-' if a < 0 else '+'} {abs(a)!r} {name}" for name, a in pairs] or [f"0 {names[0]}"]


def _wrapped(label: str, words: Sequence[str], most: int = 8) -> Iterator[str]:
    """Some words on a line: readers have buffers."""
    for first in range(0, len(words), most):
        begin = label if not first else ""
        yield " ".join(["", *([begin] if begin else []), *words[first : first + most]])


def _lp_bounds(model: Milp, names: Sequence[str]) -> Iterator[str]:
    sides = zip(names, model.column_lower.tolist(), model.column_upper.tolist(), strict=True)
    for name, low, high in sides:
        if low == -np.inf and high == np.inf:
            yield f" {name} free"
        elif low == high:
            yield f" {name} = {low!r}"
        else:
            begin = "-inf" if low == -np.inf else f"{low!r}"
            yield f" {begin} <= {name}" + ("" if high == np.inf else f" <= {high!r}")
