"""Square linear systems solved in fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

LARGEST_WORK = 300_000
"""Multiplications after which a system that fills up is given back unsolved: about a second."""


def solve_rational(
    rows: Sequence[dict[int, Fraction]], right: Sequence[Fraction]
) -> list[Fraction] | None:
    """Solve a square sparse system exactly by elimination.

    The shortest row is eliminated first, at its rarest column (Markowitz), which keeps the
    bases of planning models almost triangular.

    Returns
    -------
    list of Fraction or None
        ``None`` if the system is singular or fills up beyond :data:`LARGEST_WORK`.
    """
    work = [dict(row) for row in rows]
    values = list(right)
    remaining = set(range(len(rows)))
    uses = Counter(column for row in work for column in row)
    order: list[tuple[int, int]] = []
    effort = 0
    while remaining:
        pivot_row = min(remaining, key=lambda i: (len(work[i]), i))
        if not work[pivot_row] or effort > LARGEST_WORK:
            return None
        column = min(work[pivot_row], key=lambda j: (uses[j], j))
        remaining.discard(pivot_row)
        order.append((pivot_row, column))
        uses.subtract(work[pivot_row].keys())
        for other in remaining:
            if column in work[other]:
                factor = work[other].pop(column) / work[pivot_row][column]
                uses.subtract(work[other].keys())
                _subtract(work[other], work[pivot_row], factor, column)
                uses.update(work[other].keys())
                values[other] -= factor * values[pivot_row]
                effort += len(work[pivot_row])
    solution = [Fraction(0)] * len(rows)
    for row, column in reversed(order):
        rest = sum((a * solution[j] for j, a in work[row].items() if j != column), Fraction(0))
        solution[column] = (values[row] - rest) / work[row][column]
    return solution


def _subtract(
    row: dict[int, Fraction], pivot: dict[int, Fraction], factor: Fraction, eliminated: int
) -> None:
    """Take ``factor`` times the pivot row from another row, whose entry is gone already."""
    for j, a in pivot.items():
        if j != eliminated:
            value = row.get(j, Fraction(0)) - factor * a
            if value:
                row[j] = value
            else:
                row.pop(j, None)
