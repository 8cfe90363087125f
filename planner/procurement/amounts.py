"""Amounts as people read them: W, kW or MW, money with or without millions, per cent.

What is called sure must stay true when it is read back: an upper end is rounded up, a lower end
down, and a repair up, so that whoever follows it has enough.
"""

from __future__ import annotations

import math
from typing import Literal

from planner.decimals import decimal

Rounding = Literal["nearest", "up", "down"]
_DIGITS = 4
"""Significant digits of an amount that is rounded up or down."""

_WHOLE = 1e-6
"""What a solver may be off a whole number."""

_MAGNITUDES = (("MW", 1e6), ("kW", 1e3), ("W", 1.0))


def rounded(value: float, places: int, rounding: Rounding = "nearest") -> str:
    """A number with so many decimals, thousands separated, on the side that is asked for.

    Examples
    --------
    >>> rounded(2.164, 1, "down"), rounded(23.008, 1, "up"), rounded(-2.164, 1, "down")
    ('2.1', '23.1', '−2.2')
    >>> rounded(0.3, 1, "up"), rounded(-0.04, 1)
    ('0.3', '0.0')
    """  # noqa: RUF002 - a minus sign
    if rounding == "nearest" or not math.isfinite(value):
        text = f"{value:,.{places}f}"
    else:
        exact = decimal(value) * 10**places
        whole = math.ceil(exact) if rounding == "up" else math.floor(exact)
        text = f"{whole / 10**places:,.{places}f}"
    if text.startswith("-") and not any(digit in "123456789" for digit in text):
        text = text[1:]
    return text.replace("-", "−")  # noqa: RUF001


def _telling(value: float) -> int:
    """Decimals that show a number in the digits of a bound."""
    return max(0, _DIGITS - 1 - math.floor(math.log10(abs(value)))) if value else 0


def _short(value: float, rounding: Rounding) -> str:
    """A bound in few digits, without zeros at its end."""
    text = rounded(value, _telling(value), rounding)
    return text.rstrip("0").rstrip(".") if "." in text else text


def money(
    amount: float, currency: str, rounding: Rounding = "nearest", *, like: float = 0.0
) -> str:
    """Money, in millions where there are any.

    With ``like``, in the unit and decimals of a larger amount, where both share a column or a sum.

    Examples
    --------
    >>> money(59_999_226.2, "USD"), money(54_800.0, "EUR"), money(12.0, "EUR")
    ('60.0 M USD', '54,800 EUR', '12 EUR')
    >>> money(1_234_567.0, "EUR", "up"), money(123_456.2, "EUR", "down")
    ('1.235 M EUR', '123,456 EUR')
    >>> money(4_800_000.0, "USD", like=6e7)
    '4.80 M USD'
    """
    size = max(abs(amount), abs(like))
    if size < 1e6:
        text = _short(amount, rounding) if rounding != "nearest" else _plain(amount)
        return f"{text} {currency}"
    if rounding != "nearest":
        return f"{_short(amount / 1e6, rounding)} M {currency}"
    places = 2 if like or size < 1e7 else 1
    return f"{rounded(amount / 1e6, places)} M {currency}"


def apart(amount: float, other: float, currency: str) -> tuple[str, str]:
    """Two amounts of money that are compared, in equal decimals, and in enough to differ.

    Examples
    --------
    >>> apart(9_920_229.0, 9e6, "USD"), apart(9_000_100.0, 9e6, "USD")
    (('9.92 M USD', '9.00 M USD'), ('9,000,100 USD', '9,000,000 USD'))
    """
    largest = max(abs(amount), abs(other))
    pair = money(amount, currency, like=largest), money(other, currency, like=largest)
    if pair[0] != pair[1] or amount == other:
        return pair
    places = 0 if abs(amount - other) >= 1 else 2
    return f"{rounded(amount, places)} {currency}", f"{rounded(other, places)} {currency}"


def power(watts: float, rounding: Rounding = "nearest", *, like: float = 0.0) -> str:
    """Power in MW, kW or W; in the unit of a larger one ``like`` it, where both share a column.

    Examples
    --------
    >>> power(1_874_782.6), power(187_478.0), power(7_000.0), power(522.0), power(1.25)
    ('1.875 MW', '187 kW', '7.0 kW', '522 W', '1.25 W')
    >>> power(187_478.0, like=2e6), power(187_478.0, "up"), power(12_300.0, "up")
    ('0.187 MW', '187.5 kW', '12.3 kW')
    """
    unit, size = power_unit([watts, like])
    value = watts / size
    if rounding != "nearest":
        return f"{_short(value, rounding)} {unit}"
    if unit == "W":
        return f"{_plain(value)} {unit}"
    largest = max(abs(watts), abs(like)) / size
    places = (3 if largest < 10 else 2) if unit == "MW" else (0 if largest >= 100 else 1)
    return f"{rounded(value, places)} {unit}"


def power_unit(watts: list[float]) -> tuple[str, float]:
    """The unit that suits the largest of several powers, and its watts."""
    largest = max((abs(w) for w in watts if math.isfinite(w)), default=0.0)
    return next(pair for pair in _MAGNITUDES if largest >= pair[1] or pair[0] == "W")


def racks(places: float, rounding: Rounding = "nearest") -> str:
    """Rack places, which come whole.

    Examples
    --------
    >>> racks(1.0), racks(2.0000001, "up"), racks(2.2, "up")
    ('1 rack place', '2 rack places', '3 rack places')
    """
    count = round(places)
    if rounding != "nearest":
        count = math.ceil(places - _WHOLE) if rounding == "up" else math.floor(places + _WHOLE)
    return f"{count:,} rack place{'' if count == 1 else 's'}"


def _plain(value: float) -> str:
    """Whole where that tells enough, else in four digits."""
    if value == int(value) or abs(value) >= 100:
        return rounded(value, 0)
    return _short(value, "nearest")


def percent(
    fraction: float,
    rounding: Rounding = "nearest",
    *,
    signed: bool = False,
    places: int | None = None,
) -> str:
    """A fraction as per cent, with two telling digits; rounded to a side, never to nothing.

    Examples
    --------
    >>> percent(0.4163), percent(0.00626), percent(-0.0221, signed=True), percent(0.00008)
    ('42 %', '0.6 %', '−2.2 %', '0.008 %')
    >>> percent(0.02164, "down"), percent(0.23008, "up", places=1), percent(4e-7, "up")
    ('2.1 %', '23.1 %', '0.00004 %')
    """  # noqa: RUF002 - a minus sign
    value = 100 * fraction
    if abs(value) < 0.0005 and rounding == "nearest":
        value = 0.0
    size = abs(value)
    if places is None:
        places = 0 if size >= 9.95 or size == 0 else 1 if size >= 0.095 else 2
        if 0 < size < 0.0095:
            places = max(3, math.ceil(-math.log10(size)))
    sign = "+" if signed and value > 0 else ""
    return f"{sign}{rounded(value, places, rounding)} %"
