"""Square linear systems solved in fractions."""

from __future__ import annotations

import math
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
    bases of planning models almost triangular. Rows are kept as whole numbers without a common
    divisor, which costs a fraction of what sums of fractions cost.

    Returns
    -------
    list of Fraction or None
        ``None`` if the system is singular or fills up beyond :data:`LARGEST_WORK`.
    """
    work, values = _whole(rows, right)
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
                uses.subtract(work[other].keys())
                right_sides = values[other], values[pivot_row]
                values[other] = _eliminate(work[other], work[pivot_row], right_sides, column)
                uses.update(work[other].keys())
                effort += len(work[pivot_row])
    return _substituted(work, values, order)


def _whole(
    rows: Sequence[dict[int, Fraction]], right: Sequence[Fraction]
) -> tuple[list[dict[int, int]], list[int]]:
    """Rows and right-hand sides, each row over one denominator."""
    work, values = [], []
    for row, value in zip(rows, right, strict=True):
        common = math.lcm(value.denominator, *(a.denominator for a in row.values()))
        work.append({j: a.numerator * (common // a.denominator) for j, a in row.items()})
        values.append(value.numerator * (common // value.denominator))
    return work, values


def _eliminate(
    row: dict[int, int], pivot: dict[int, int], right_sides: tuple[int, int], column: int
) -> int:
    """Take as much of the pivot row from another that a column goes; its new right-hand side."""
    entry, by = row.pop(column), pivot[column]
    # Cross-multiplied so that entries stay whole, without common divisors so that they stay short.
    common = math.gcd(entry, by)
    entry, by = entry // common, by // common
    for j in row:
        row[j] *= by
    for j, a in pivot.items():
        if j != column:
            value = row.get(j, 0) - entry * a
            if value:
                row[j] = value
            else:
                row.pop(j, None)
    value = right_sides[0] * by - right_sides[1] * entry
    common = math.gcd(value, *row.values())
    if common > 1:
        for j in row:
            row[j] //= common
        value //= common
    return value


def _substituted(
    work: list[dict[int, int]], values: list[int], order: list[tuple[int, int]]
) -> list[Fraction]:
    """Solve from the last pivot back to the first."""
    solution = [Fraction(0)] * len(order)
    for row, column in reversed(order):
        known = [(a, solution[j]) for j, a in work[row].items() if j != column and solution[j]]
        common = math.lcm(*(value.denominator for _, value in known))
        rest = sum(a * value.numerator * (common // value.denominator) for a, value in known)
        solution[column] = Fraction(values[row] * common - rest, common * work[row][column])
    return solution
