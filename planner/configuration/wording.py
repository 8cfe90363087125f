"""Times and powers in words: four digits, whole numbers in full."""

from __future__ import annotations

import math


def seconds(time_s: float) -> str:
    """A time.

    Examples
    --------
    >>> seconds(6.049253), seconds(43210.7), seconds(2.5e-5)
    ('6.049 s', '43,211 s', '2.5e-05 s')
    """
    return f"{_amount(time_s)} s"


def watts(power_w: float) -> str:
    """A power.

    Examples
    --------
    >>> watts(3418.08), watts(688.932), watts(0.031)
    ('3,418 W', '688.9 W', '0.031 W')
    """
    return f"{_amount(power_w)} W"


def enough(power_w: float, guard: float) -> float:
    """The least bound of four digits that allows a power, beside a guard band [W].

    Examples
    --------
    >>> enough(688.932, 0.0), enough(3418.08, 0.03), enough(0.031, 0.0)
    (689.0, 3524.0, 0.031)
    """
    least = power_w / (1 - guard)
    step = 10.0 ** (math.floor(math.log10(least)) - 3)
    return float(f"{math.ceil(least / step * (1 - 1e-12)) * step:.4g}")


def plural(count: int, word: str) -> str:
    """A count with its word.

    Examples
    --------
    >>> plural(1, "node"), plural(12, "node")
    ('1 node', '12 nodes')
    """
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _amount(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
