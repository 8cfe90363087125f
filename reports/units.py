"""Amounts as a board reads them: megawatts, millions, gigawatt-hours, tonnes, per cent."""

from __future__ import annotations

import math

from planner.procurement.infeasible import RESOURCE_WORDS as RESOURCES
from planner.procurement.problem import POWER_RESOURCES as POWERS
from reports.numbers import fixed, shown

__all__ = [
    "POWERS", "RESOURCES", "amount", "carbon", "energy", "gap_words", "given", "money", "percent",
    "power",
]  # fmt: skip


def money(amount: float, currency: str) -> str:
    """Money, in millions where there are any.

    Examples
    --------
    >>> money(59_999_226.2, "USD"), money(54_800.0, "EUR")
    ('60.0 M USD', '54,800 EUR')
    """
    if abs(amount) < 1e6:
        return f"{shown(amount) if abs(amount) < 100 else fixed(amount, 0)} {currency}"
    return f"{fixed(amount / 1e6, 1 if abs(amount) >= 1e7 else 2)} M {currency}"


def power(watts: float) -> str:
    """Power in MW, kW or W.

    Examples
    --------
    >>> power(1_874_782.6), power(187_478.0), power(7_000.0), power(522.0)
    ('1.875 MW', '187 kW', '7.0 kW', '522 W')
    """
    if abs(watts) >= 1e6:
        return f"{fixed(watts / 1e6, 3 if abs(watts) < 1e7 else 2)} MW"
    if abs(watts) >= 1e3:
        return f"{fixed(watts / 1e3, 0 if abs(watts) >= 1e5 else 1)} kW"
    return f"{fixed(watts, 0)} W"


def energy(kwh: float) -> str:
    """Energy in GWh, MWh or kWh.

    Examples
    --------
    >>> energy(18_045_521.0), energy(900.0)
    ('18.05 GWh', '900 kWh')
    """
    for unit, size in (("GWh", 1e6), ("MWh", 1e3)):
        if abs(kwh) >= size:
            return f"{fixed(kwh / size, 2)} {unit}"
    return f"{fixed(kwh, 0)} kWh"


def carbon(tonnes: float) -> str:
    """Carbon in tonnes of CO2 equivalent."""
    return f"{fixed(tonnes, 0 if abs(tonnes) >= 10 else 2)} t CO2e"


def percent(fraction: float, *, signed: bool = False, places: int | None = None) -> str:
    """A fraction as per cent, with two telling digits.

    Examples
    --------
    >>> percent(0.4163), percent(0.00626), percent(-0.0221, signed=True), percent(0.00008)
    ('42 %', '0.6 %', '−2.2 %', '0.008 %')
    """  # noqa: RUF002 - a minus sign
    value = 100 * fraction
    if abs(value) < 0.0005:
        value = 0.0
    if places is None:
        size = abs(value)
        places = 0 if size >= 9.95 or size == 0 else 1 if size >= 0.095 else 2
        if 0 < size < 0.0095:
            places = 3
    sign = "+" if signed and value > 0 else ""
    return f"{sign}{fixed(value, places)} %"


def gap_words(gap: float) -> str:
    """How far objective and bound are apart, never as nothing.

    Examples
    --------
    >>> gap_words(8e-5), gap_words(1e-9)
    ('0.008 %', 'below 0.001 %')
    """
    return percent(gap) if gap >= 5e-6 else "below 0.001 %"


def given(fraction: float, *, signed: bool = False) -> str:
    """A fraction that was given, with the digits that it has.

    Examples
    --------
    >>> given(0.05), given(-0.01, signed=True), given(0.125)
    ('5 %', '−1 %', '12.5 %')
    """  # noqa: RUF002 - a minus sign
    sign = "+" if signed and fraction > 0 else ""
    return f"{sign}{100 * fraction:.6g} %".replace("-", "−")  # noqa: RUF001


def amount(resource: str, value: float, currency: str) -> str:
    """An amount of a resource in its own unit.

    Examples
    --------
    >>> amount("racks", 60.0, "USD"), amount("operating", 9e6, "USD")
    ('60 rack places', '9.00 M USD a year')
    """
    if math.isinf(value):
        return "unlimited"
    if resource == "racks":
        return f"{value:,.0f} rack place{'' if round(value) == 1 else 's'}"
    if resource in ("capital", "operating"):
        return money(value, currency) + (" a year" if resource == "operating" else "")
    return power(value)
