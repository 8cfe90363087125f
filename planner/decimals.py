"""Exact arithmetic where a floor decides: 18 x 1.7 must be 30.6, not 30.599999999999998."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache


@lru_cache(maxsize=1 << 14)
def decimal(value: float) -> Fraction:
    """Return the decimal of 15 significant digits that a float stands for, exactly.

    Examples
    --------
    >>> decimal(0.1) * 3 == decimal(0.3)
    True
    """
    return Fraction(f"{value:.15g}")
