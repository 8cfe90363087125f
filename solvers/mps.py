"""Free-format MPS, written straight from the arrays with every digit kept."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solvers.milp import Milp


def mps_text(model: Milp) -> str:
    """Write the model as free MPS, minimised (a maximisation is negated), names ``C0, R0``."""
    return "\n".join(_lines(model)) + "\n"


def _lines(model: Milp) -> Iterator[str]:
    kinds = [_kind(low, high) for low, high in zip(model.row_lower, model.row_upper, strict=True)]
    yield "NAME MODEL FREE"
    yield "ROWS"
    yield " N OBJ"
    yield from (f" {kind} R{row}" for row, kind in enumerate(kinds))
    yield "COLUMNS"
    yield from _columns(model)
    yield "RHS"
    low, high = model.row_lower.tolist(), model.row_upper.tolist()
    for row, kind in enumerate(kinds):
        if kind != "N":
            yield f" RHS R{row} {(high if kind == 'L' else low)[row]!r}"
    ranged = [r for r, kind in enumerate(kinds) if kind == "L" and low[r] > -np.inf]
    if ranged:
        yield "RANGES"
        yield from (f" RNG R{row} {high[row] - low[row]!r}" for row in ranged)
    yield "BOUNDS"
    yield from _bounds(model)
    yield "ENDATA"


def _kind(low: float, high: float) -> str:
    if low == high:
        return "E"
    if high < np.inf:
        return "L"
    return "G" if low > -np.inf else "N"


def _columns(model: Milp) -> Iterator[str]:
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
        yield f" C{column} OBJ {costs[column]!r}"
        for place in range(starts[column], starts[column + 1]):
            yield f" C{column} R{rows[place]} {values[place]!r}"
    if inside:
        yield " MEND 'MARKER' 'INTEND'"


def _bounds(model: Milp) -> Iterator[str]:
    low, high = model.column_lower.tolist(), model.column_upper.tolist()
    for column in range(model.columns):
        name, a, b = f"C{column}", low[column], high[column]
        if a == -np.inf and b == np.inf:
            yield f" FR BND {name}"
            continue
        yield f" MI BND {name}" if a == -np.inf else f" LO BND {name} {a!r}"
        yield f" PL BND {name}" if b == np.inf else f" UP BND {name} {b!r}"
