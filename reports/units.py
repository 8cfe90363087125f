"""Amounts as a board reads them: megawatts, millions, gigawatt-hours, tonnes, per cent."""

from __future__ import annotations

import math

from planner.formatting import Rounding, money, power, racks
from planner.procurement.problem import POWER_RESOURCES as POWERS
from planner.procurement.rules import RESOURCE_WORDS as RESOURCES
from reports.numbers import fixed

__all__ = ["POWERS", "RESOURCES", "amount", "carbon", "energy"]


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


def amount(resource: str, value: float, currency: str, rounding: Rounding = "nearest") -> str:
    """Return an amount of a resource in its own unit.

    Examples
    --------
    >>> amount("racks", 60.0, "USD"), amount("operating", 9e6, "USD")
    ('60 rack places', '9.00 M USD a year')
    >>> amount("it_power_w", 1_234_567.0, "USD", "up")
    '1.235 MW'
    """
    if math.isinf(value):
        return "unlimited"
    if resource == "racks":
        return racks(value, rounding)
    if resource in ("capital", "operating"):
        return money(value, currency, rounding) + (" a year" if resource == "operating" else "")
    return power(value, rounding)
