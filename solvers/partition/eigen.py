r"""Eigenvalues and vectors of symmetric matrices, with the same bits on every processor.

LAPACK's last bits depend on the processor, and where eigenvalues meet, as they do on every ascent
towards the best bound, its vectors depend on these bits altogether. Here all loops are compiled in
one order, without contraction, and run along rows.

Householder reflections reduce the matrix to three diagonals; implicit QL steps reduce these to one
and turn the vectors, which are rows of an array on the way.

References
----------
Martin, Reinsch and Wilkinson, "Householder's tridiagonalization of a symmetric matrix", and
Dubrulle, Martin and Wilkinson, "The implicit QL algorithm", Handbook for Automatic Computation II
(1971), contributions II/2 and II/4.
"""

from __future__ import annotations

import math

import numpy as np

from solvers.compiled import compiled, compiled_entry, counted_entry
from solvers.model.milp import Floats

_MOST_STEPS = 60
"""QL takes about two steps for an eigenvalue."""


def eigenvalues(matrix: Floats) -> Floats:
    """Eigenvalues of a symmetric matrix, ascending."""
    return np.sort(_solved(matrix, vectors=False)[0])


def eigenvectors(matrix: Floats) -> tuple[Floats, Floats]:
    """Eigenvalues of a symmetric matrix, ascending, and their vectors as columns."""
    values, rows = _solved(matrix, vectors=True)
    order = np.argsort(values, kind="stable")
    return values[order], np.ascontiguousarray(rows[order].T)


def _solved(matrix: Floats, *, vectors: bool) -> tuple[Floats, Floats]:
    exponent = math.frexp(float(np.abs(matrix).max(initial=0.0)))[1]  # no square is 0 or infinite
    diagonal, codiagonal, rows = _three_diagonals(np.ldexp(matrix, -exponent), vectors)
    if not _turn(diagonal, codiagonal, rows):
        raise ArithmeticError("the eigenvalues of a matrix do not converge")
    return np.ldexp(diagonal, exponent), rows


@counted_entry
def _three_diagonals(a: Floats, vectors: bool) -> tuple[Floats, Floats, Floats]:  # noqa: FBT001 - numba
    """Diagonal, what lies next to it, and rows ``q`` with ``q a q^T`` of three diagonals.

    Before step ``k`` the rows and columns before ``k`` have three diagonals already; ``a`` from
    there on is the rest, changed by reflections ``I - 2 v v^T`` in place.
    """
    n = len(a)
    diagonal, codiagonal = np.zeros(n), np.zeros(n)
    q = np.zeros((n, n)) if vectors else np.zeros((0, 0))
    for i in range(len(q)):
        q[i, i] = 1.0
    v, w = np.zeros(n), np.zeros(n)
    for k in range(n - 1):
        codiagonal[k] = _reflection(a, v, k)
        if not np.isnan(codiagonal[k]):  # else nothing is left to reflect
            _reflect_both(a, v, w, k)
            _reflect_rows(q, v, w, k)
        else:
            codiagonal[k] = a[k, k + 1]
    for i in range(n):
        diagonal[i] = a[i, i]
    return diagonal, codiagonal, q


@compiled
def _reflection(a: Floats, v: Floats, k: int) -> float:
    """Unit vector whose reflection leaves one entry of row ``k``; that entry, or NaN."""
    n = len(a)
    # In units of the largest entry no square overflows or vanishes, however small the row.
    largest = rest = 0.0
    for i in range(k + 1, n):
        largest = max(largest, abs(a[k, i]))
    for i in range(k + 2, n):
        rest = max(rest, abs(a[k, i]))
    if rest == 0.0:
        return np.nan
    square = 0.0
    for i in range(k + 1, n):
        v[i] = a[k, i] / largest
        square += v[i] * v[i]
    length = math.sqrt(square)
    if v[k + 1] > 0.0:  # opposite signs: nothing cancels below
        length = -length
    norm = math.sqrt(2.0 * (square - length * v[k + 1]))
    v[k + 1] -= length
    for i in range(k + 1, n):
        v[i] /= norm
    return length * largest


@compiled
def _reflect_both(a: Floats, v: Floats, w: Floats, k: int) -> None:
    """Reflect the rest of a matrix from both sides: less ``v w^T + w v^T``."""
    # With p = 2 A v and w = p less (v p) v, the matrix loses v w^T and w v^T. It is symmetric, so
    # its rows serve as columns and every loop runs along memory.
    n = len(a)
    for j in range(k + 1, n):
        w[j] = 0.0
    for i in range(k + 1, n):
        for j in range(k + 1, n):
            w[j] += 2.0 * v[i] * a[i, j]
    along = 0.0
    for i in range(k + 1, n):
        along += v[i] * w[i]
    for i in range(k + 1, n):
        w[i] -= along * v[i]
    for i in range(k + 1, n):
        for j in range(k + 1, n):
            a[i, j] -= v[i] * w[j] + w[i] * v[j]


@compiled
def _reflect_rows(q: Floats, v: Floats, w: Floats, k: int) -> None:
    """Reflect rows, none where no vectors are wanted."""
    n = len(q)
    for j in range(n):
        w[j] = 0.0
    for i in range(k + 1, n):
        for j in range(n):
            w[j] += 2.0 * v[i] * q[i, j]
    for i in range(k + 1, n):
        for j in range(n):
            q[i, j] -= v[i] * w[j]


@compiled_entry
def _turn(d: Floats, e: Floats, q: Floats) -> bool:
    """Turn three diagonals into one, and the rows ``q`` with them; whether it converged.

    After step ``low`` all of ``e`` before it is nought but for rounding.
    """
    n = len(d)
    size = 0.0
    for i in range(n):
        size = max(size, abs(d[i]) + abs(e[i]))
    # Negligible against the whole matrix, not against its place. So eigenvalues are right to a
    # share of the norm, and bounds are lowered by a share of it.
    least = 2.220446049250313e-16 * size
    for low in range(n):
        for step in range(_MOST_STEPS + 1):
            high = low
            while high < n - 1 and abs(e[high]) > least:
                high += 1
            if high == low:
                break
            if step == _MOST_STEPS:
                return False
            g = (d[low + 1] - d[low]) / (2.0 * e[low])  # Wilkinson's shift
            r = math.sqrt(g * g + 1.0)
            g = d[high] - d[low] + e[low] / (g + (r if g >= 0.0 else -r))
            s, c, p = 1.0, 1.0, 0.0
            early = False
            # Each rotation of rows i and i + 1 moves the entry off the diagonals up by one place.
            for i in range(high - 1, low - 1, -1):
                f, b = s * e[i], c * e[i]
                r = math.sqrt(f * f + g * g)
                e[i + 1] = r
                if r == 0.0:  # the matrix falls apart here
                    d[i + 1] -= p
                    e[high] = 0.0
                    early = True
                    break
                s, c = f / r, g / r
                g = d[i + 1] - p
                r = (d[i] - g) * s + 2.0 * c * b
                p = s * r
                d[i + 1] = g + p
                g = c * r - b
                for j in range(q.shape[1]):
                    upper = q[i + 1, j]
                    q[i + 1, j] = s * q[i, j] + c * upper
                    q[i, j] = c * q[i, j] - s * upper
            if early:
                continue
            d[low] -= p
            e[low] = g
            e[high] = 0.0
    return True


@counted_entry
def gram(rows: Floats) -> Floats:
    """``rows^T rows``, added up row by row."""
    count, n = rows.shape
    result = np.zeros((n, n))
    for i in range(n):
        for k in range(count):
            for j in range(n):
                result[i, j] += rows[k, i] * rows[k, j]
    return result
