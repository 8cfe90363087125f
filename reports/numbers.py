"""Numbers as people read them."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from planner.formatting import DASH, Rounding, order_of_ten, rounded


def shown(value: float | None, digits: int = 4, unit: str = "") -> str:
    """Return a number with that many significant digits, thousands separated, unit behind.

    Whole parts are never cut: 1142275968 stays whole. ``None`` shows as a dash.

    Examples
    --------
    >>> shown(7000.0, unit="W"), shown(38.70314), shown(1142275968.0)
    ('7,000 W', '38.70', '1,142,275,968')
    """
    if value is None:
        return DASH
    if value == int(value) and abs(value) < 1e15:
        text = f"{int(value):,}"
    else:
        whole = order_of_ten(value) + 1
        text = f"{value:,.{max(0, digits - whole)}f}" if whole > -digits else f"{value:.3g}"
    return f"{text.replace('-', '−')} {unit}".strip()  # noqa: RUF001 - a minus sign


def typed(value: float | None, unit: str = "") -> str:
    """Return a given number with the digits that it was given with, thousands separated.

    Examples
    --------
    >>> typed(0.27), typed(7000.0, "W"), typed(38.70)
    ('0.27', '7,000 W', '38.7')
    """
    if value is None:
        return DASH
    whole, point, rest = f"{value:.15g}".partition(".")
    text = whole if "e" in whole else f"{int(whole):,}" if whole not in ("-0", "0") else whole
    return f"{text}{point}{rest} {unit}".strip().replace("-", "−")  # noqa: RUF001


def places_of(values: Iterable[float], most_places: int = 6) -> int:
    """Return the fewest decimals that show every number exactly, at most ``most_places``.

    Examples
    --------
    >>> places_of([24300.5, 407.0]), places_of([1700.0]), places_of([21896.000000000004])
    (1, 0, 0)
    """
    exponents = [Decimal(f"{value:.15g}").normalize().as_tuple().exponent for value in values]
    return min(most_places, max([0, *(-digits for digits in exponents if isinstance(digits, int))]))


def fixed(value: float | None, places: int, rounding: Rounding = "nearest") -> str:
    """Return a number with that many decimals, on the side asked for; ``None`` shows as a dash."""
    return DASH if value is None else rounded(value, places, rounding)
