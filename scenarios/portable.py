"""Arithmetic with the same bits on every processor.

The twin of ``solvers.portable``, which says why: neither package may import the other.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any, TypeVar, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
_Number = TypeVar("_Number", float, Floats)

_ROOT_HALF = 0.7071067811865476
_LN2 = 0.6931471805599453
_LN2_HIGH = float.fromhex("0x1.62e42fee00000p-1")  # 32 zeros at its end: k times it is exact
_LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
_ATANH = [2.0 / n for n in range(23, 2, -2)]  # s^2 <= 0.0295: what is left out is below 2^-60
_EXP = [1.0 / math.factorial(n) for n in range(14, 1, -1)]  # |r| <= 0.3466: below 2^-58
_LARGEST = 709.782712893384  # exp of more is infinite
_SMALLEST = -745.2
_MOST_FACTORS = 64
_FEW = 4  # columns that are added one after the other: rows as short are slow to add up
_LOG_NEAR = 0.25
_EXP_NEAR = 0.3


def product(one: ArrayLike, other: ArrayLike) -> Floats:
    """``one @ other`` for vectors and matrices, added up in a fixed order.

    Meant for what is short in the direction that is added up, or small.

    Examples
    --------
    >>> product([[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0]).tolist()
    [17.0, 39.0]
    >>> float(product([1.0, 2.0], [5.0, 6.0]))
    17.0
    """
    left, right = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if right.ndim == 1 and (left.ndim == 1 or len(right) > _FEW):
        return cast("Floats", np.ascontiguousarray(left * right).sum(axis=-1))
    result = np.zeros((*left.shape[:-1], *right.shape[1:]))
    for k, row in enumerate(right):
        result += np.multiply.outer(left[..., k], row)
    return result


@overload
def log(x: float) -> float: ...
@overload
def log(x: NDArray[Any]) -> Floats: ...
def log(x: float | NDArray[Any]) -> float | Floats:
    """Natural logarithm, for numbers and arrays; minus infinity of 0.

    Examples
    --------
    >>> log(1.0), round(log(10.0), 12)
    (0.0, 2.302585092994)
    """
    if isinstance(x, np.ndarray):
        mantissa, exponent = np.frexp(x)
        small = mantissa < _ROOT_HALF
        mantissa, exponent = np.where(small, 2 * mantissa, mantissa), exponent - small
        usual = (x > 0) & (x < np.inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            result = _log(np.where(usual, mantissa, 1.0), exponent.astype(np.float64))
        special = np.where(x == 0, -np.inf, np.where(x == np.inf, np.inf, np.nan))
        return cast("Floats", np.where(usual, result, special))
    if not 0 < x < math.inf:
        return -math.inf if x == 0 else math.inf if x == math.inf else math.nan
    part, power = math.frexp(x)
    return _log(2 * part, power - 1.0) if part < _ROOT_HALF else _log(part, float(power))


@overload
def exp(x: float) -> float: ...
@overload
def exp(x: NDArray[Any]) -> Floats: ...
def exp(x: float | NDArray[Any]) -> float | Floats:
    """Exponential function, for numbers and arrays.

    Examples
    --------
    >>> exp(0.0), round(exp(1.0), 12)
    (1.0, 2.718281828459)
    """
    if isinstance(x, np.ndarray):
        inside = np.clip(np.where(np.isnan(x), 0.0, x), _SMALLEST, _LARGEST)
        twos = np.rint(inside / _LN2)
        raised = np.ldexp(1.0 + _expm1(_rest(inside, twos)), twos.astype(np.int32))
        result = np.where(x > _LARGEST, np.inf, np.where(x < _SMALLEST, 0.0, raised))
        return cast("Floats", np.where(np.isnan(x), np.nan, result))
    if math.isnan(x):
        return math.nan
    if x > _LARGEST or x < _SMALLEST:
        return math.inf if x > 0 else 0.0
    power = round(x / _LN2)
    return math.ldexp(1.0 + _expm1(_rest(x, float(power))), power)


def log1p(x: float) -> float:
    """``log(1 + x)``, exact for small ``x``, too."""
    near = 1.0 + x
    if abs(x) > _LOG_NEAR:
        return log(near)
    return x if near == 1.0 else log(near) * (x / (near - 1.0))  # Kahan: the roundings cancel


def expm1(x: float) -> float:
    """``exp(x) - 1``, exact for small ``x``, too."""
    return _expm1(x) if abs(x) < _EXP_NEAR else exp(x) - 1.0


@overload
def power(x: float, exponent: float) -> float: ...
@overload
def power(x: NDArray[Any], exponent: float) -> Floats: ...
def power(x: float | NDArray[Any], exponent: float) -> float | Floats:
    """``x ** exponent`` for ``x >= 0``: products for whole exponents, else by logarithms.

    Examples
    --------
    >>> power(3.0, 2), power(4.0, 0.5), round(power(10.0, 0.3), 12)
    (9.0, 2.0, 1.995262314969)
    """
    if float(exponent).is_integer() and abs(exponent) <= _MOST_FACTORS:
        whole = _whole_power(cast("Floats", x), abs(round(exponent)))  # or a number: the same
        return whole if exponent >= 0 else 1.0 / whole
    if exponent == 0.5:
        return np.sqrt(x) if isinstance(x, np.ndarray) else math.sqrt(x)
    return exp(exponent * log(x))


def _log(mantissa: _Number, exponent: _Number) -> _Number:
    """Logarithm of ``mantissa 2^exponent``, the mantissa within a factor of sqrt(2) of 1.

    With ``f = mantissa - 1`` and ``s = f / (2 + f)`` it is ``2 atanh(s)``, arranged as in fdlibm:
    the large part ``f`` is exact.
    """
    f = mantissa - 1.0
    s = f / (2.0 + f)
    square, half = s * s, 0.5 * f * f
    rest = square * _polynomial(_ATANH, square)
    return exponent * _LN2_HIGH - ((half - (s * (half + rest) + exponent * _LN2_LOW)) - f)


def _expm1(rest: _Number) -> _Number:
    """``exp - 1`` of a number of at most 0.35, by Taylor's series."""
    return rest + rest * rest * _polynomial(_EXP, rest)


def _rest(x: _Number, twos: _Number) -> _Number:
    """What is left of an exponent without its powers of two."""
    return (x - twos * _LN2_HIGH) - twos * _LN2_LOW


def _polynomial(coefficients: list[float], x: _Number) -> _Number:
    """Horner's rule, the highest power first."""
    result = coefficients[0] + 0.0 * x
    for coefficient in coefficients[1:]:
        result = result * x + coefficient
    return result


def _whole_power(x: _Number, exponent: int) -> _Number:
    result, square = 1.0 + 0.0 * x, x
    while exponent:
        if exponent & 1:
            result = result * square
        exponent >>= 1
        if exponent:
            square = square * square
    return result


def order_of_ten(value: float) -> int:
    """``floor(log10(abs(value)))`` of the decimal that a number is written as.

    Examples
    --------
    >>> order_of_ten(1000.0), order_of_ten(999.9999999999999), order_of_ten(1e-7)
    (3, 2, -7)
    """
    return Decimal(repr(float(value))).adjusted()


def ten_to_the(exponent: int) -> float:
    """The float next to a power of ten; ``10.0 ** -3`` is another one on some processors.

    Examples
    --------
    >>> ten_to_the(-3), ten_to_the(2)
    (0.001, 100.0)
    """
    return float(f"1e{exponent}")


def digits(value: float, count: int = 9) -> float:
    """Fewer digits of what a library has worked out, so that its last bits do not tell.

    Examples
    --------
    >>> digits(2 / 3), digits(0.1 + 0.2)
    (0.666666667, 0.3)
    """
    return float(f"{value:.{count}g}")
