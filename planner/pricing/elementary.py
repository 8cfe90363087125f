"""Exponential function and logarithm for compiled loops, alike on every processor.

The last bits of the C library's depend on the processor. These have the formulas, and the bits, of
:mod:`solvers.portable`, without branches: loops over arrays use the vector units.
"""

from __future__ import annotations

import math

import numpy as np

from solvers.compiled import compiled_entry

_ROOT_HALF, _LN2 = 0.7071067811865476, 0.6931471805599453
_LN2_HIGH = float.fromhex("0x1.62e42fee00000p-1")
_LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
_ATANH = tuple(2.0 / n for n in range(23, 2, -2))
_EXP = tuple(1.0 / math.factorial(n) for n in range(14, 1, -1))
_HALVES = np.ldexp(1.0, -np.arange(1_076))
_SMALLEST = -745.2


@compiled_entry
def exp_to_1(x: float) -> float:
    """``exp(x)`` for ``x <= 0``; 0 already below -744.8."""
    inside = max(x, _SMALLEST)
    twos = np.rint(inside / _LN2)
    rest = (inside - twos * _LN2_HIGH) - twos * _LN2_LOW
    series = _EXP[0]
    for coefficient in _EXP[1:]:
        series = series * rest + coefficient
    result: float = (1.0 + (rest + rest * rest * series)) * _HALVES[np.uint64(-twos)]
    return result


@compiled_entry
def log_above_0(x: float) -> float:
    """``log(x)`` for a finite ``x > 0``."""
    mantissa, exponent = math.frexp(x)
    if mantissa < _ROOT_HALF:
        mantissa, exponent = 2.0 * mantissa, exponent - 1
    f = mantissa - 1.0
    s = f / (2.0 + f)
    square, half = s * s, 0.5 * f * f
    series = _ATANH[0]
    for coefficient in _ATANH[1:]:
        series = series * square + coefficient
    low = s * (half + square * series) + exponent * _LN2_LOW
    return exponent * _LN2_HIGH - ((half - low) - f)
