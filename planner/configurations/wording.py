"""Times and powers in words: four digits, whole numbers in full.

The one place that rounds what was measured, for the command line and for the reports alike.
"""

from __future__ import annotations

import math


def seconds(time_s: float) -> str:
    """A time.

    Examples
    --------
    >>> seconds(6.049253), seconds(43210.7), seconds(2.5e-5), seconds(999.97)
    ('6.049 s', '43,211 s', '2.5e-05 s', '1,000 s')
    """
    return f"{_amount(time_s, 4)} s"


def total_seconds(time_s: float) -> str:
    """A time that stands beside others that are nearly the same: six digits.

    Examples
    --------
    >>> total_seconds(6.0492531), total_seconds(1234567.8), total_seconds(12.0)
    ('6.04925 s', '1,234,568 s', '12 s')
    """
    return f"{_amount(time_s, 6)} s"


def seconds_alike(*times_s: float) -> tuple[str, ...]:
    """Times that are compared: equal digits behind the point.

    Examples
    --------
    >>> seconds_alike(6.06, 6.049253), seconds_alike(74.23, 74.0), seconds_alike(12.0, 12.0)
    (('6.060 s', '6.049 s'), ('74.23 s', '74.00 s'), ('12 s', '12 s'))
    """
    texts = [_amount(each, 4) for each in times_s]
    if any("e" in text for text in texts):
        return tuple(f"{text} s" for text in texts)
    most = max(len(text.partition(".")[2]) for text in texts)
    return tuple(f"{each:,.{most}f} s" for each in times_s)


def watts(power_w: float) -> str:
    """A power.

    Examples
    --------
    >>> watts(3418.08), watts(688.932), watts(0.031)
    ('3,418 W', '688.9 W', '0.031 W')
    """
    return f"{_amount(power_w, 4)} W"


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


def _amount(value: float, digits: int) -> str:
    """So many telling digits, but no whole part cut."""
    short = float(f"{value:.{digits}g}")
    return f"{value:,.0f}" if abs(short) >= 10 ** (digits - 1) else f"{short:,.{digits}g}"
