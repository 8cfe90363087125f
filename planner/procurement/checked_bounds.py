"""Whether a value keeps to its bound, and the words where it does not: for the checker alone."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from planner.decimals import decimal

ROUNDING = Fraction(1, 10**12)
"""Relative, for stated sums that should equal exact ones, and for bounds that were multiplied."""


_LONG_S = 7200.0
"""Longer times are written in hours."""


def moved(bound: float, tolerance: Fraction) -> Fraction | float:
    """The decimal behind a bound, loosened; infinities and NaN stay what they are."""
    if not math.isfinite(bound):
        return bound
    exact = decimal(bound)
    return exact + tolerance * max(abs(exact), Fraction(1))


def shown(value: float, digits: int, unit: str) -> str:
    """A number with its unit, in ``digits`` significant digits with thousands separators.

    A fraction is shown in per cent.
    """
    scale = 100 if unit == "%" else 1
    text = f"{scale * value:.{digits}g}"
    if math.isfinite(value) and abs(scale * value) >= 1:
        number = float(text)
        text = f"{number:,.0f}" if number == int(number) else f"{number:,.{max(12, digits)}g}"
    return f"{text} {unit}".rstrip()


def apart(value: float | Fraction, bound: float, unit: str) -> tuple[str, str]:
    """Value and bound in three and twelve digits, in more where these do not tell them apart."""
    near = float(value)
    if unit == "s" and max(near, bound) > _LONG_S:
        near, bound, value, unit = near / 3600, bound / 3600, Fraction(value) / 3600, "h"
    for digits, maximum in ((3 if abs(near) < 1000 else 6, 12), (6, 12), (12, 12), (17, 17)):
        pair = shown(near, digits, unit), shown(bound, maximum, unit)
        if pair[0] != pair[1]:
            return pair
    less = abs(float(Fraction(value) - decimal(bound))) if math.isfinite(near) else 0.0
    return pair[0], f"{pair[1]} (by {less:.2g})"


def above(
    subject: str,
    value: float | Fraction,
    bound: float,
    tolerance: Fraction = Fraction(0),
    unit: str = "",
) -> Iterator[str]:
    """That a value is above its bound, where it is."""
    if not value <= moved(bound, tolerance):
        text, limit = apart(value, bound, unit)
        yield f"{subject}: {text} (allowed: at most {limit})"


def below(
    subject: str,
    value: float | Fraction,
    bound: float,
    tolerance: Fraction = Fraction(0),
    unit: str = "",
) -> Iterator[str]:
    """That a value is below its bound, where it is."""
    if not value >= moved(bound, -tolerance):
        text, limit = apart(value, bound, unit)
        yield f"{subject}: {text} (required: at least {limit})"


def differs(
    subject: str,
    stated: float,
    true: float | Fraction,
    tolerance: Fraction = ROUNDING,
    least: float = 1e-3,
) -> Iterator[str]:
    """Whether a stated value is another; relative to the true one, or to ``least`` if larger."""
    slack = float(tolerance) * max(least, abs(float(true))) if math.isfinite(true) else 0.0
    if stated != true and not abs(stated - float(true)) <= slack:
        yield f"{subject} is stated as {stated:.12g} but comes to {float(true):.12g}"
