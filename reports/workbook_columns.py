"""How the numbers of a workbook's columns are written."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

_SHARES = ("share", "fraction", "utilisation", "gap", "discount", "probability", "efficiency")
_PLACES = 4
"""Significant digits that a number shows; the cell holds all of them."""


def number_format(key: str, values: Iterable[Any]) -> str:
    """The format of a column's numbers: thousands separated, four digits, shares in per cent.

    Examples
    --------
    >>> number_format("nodes", [12, 40_000]), number_format("utilisation", [0.4804])
    ('#,##0', '0.0%')
    >>> number_format("time_s", [1.25, 14.0]), number_format("energy_kwh", [123_456.7])
    ('#,##0.00', '#,##0')
    """
    numbers = [abs(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    finite = [number for number in numbers if math.isfinite(number)]
    if key.rsplit("_", 1)[-1] in _SHARES and finite and max(finite) <= 1:
        return "0.0%"
    if all(number == int(number) for number in finite):
        return "#,##0"
    largest = max(finite)
    places = max(0, _PLACES - 1 - math.floor(math.log10(largest))) if largest else 0
    return "#,##0" + ("." + "0" * min(places, 2 + (largest < 1) * 4) if places else "")
