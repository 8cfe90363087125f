"""What stands in the columns of a workbook, and how their numbers are written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from planner.formatting import order_of_ten, unmarked
from planner.table import Column
from reports.texts import Texts

_UNITS = ("s", "W")
"""Units in the heading, as cells hold plain numbers."""

_SHARES = ("share", "fraction", "utilisation", "gap", "discount", "probability", "efficiency")
_DIGITS = 4
"""Significant digits that a number shows; the cell holds all of them."""
_SMALLEST = 1e-5
"""Smaller numbers are written with an exponent."""


def heading_with_unit(texts: Texts, column: Column) -> str:
    """The heading of a column, with the unit of its numbers."""
    heading = texts.heading(column)
    return f"{heading} [{column.unit}]" if column.unit in _UNITS else heading


def plain(texts: Texts, column: Column, value: Any) -> Any:
    """What a cell holds: words of vocabularies stay those that the data has."""
    if isinstance(value, list | tuple | dict):
        return texts.value(value, column.unit)
    return unmarked(value) if isinstance(value, str) else value


def number_formats(key: str, values: Sequence[Any]) -> list[str]:
    """Return the format of each number of a column: one for all, unless it hides the small ones.

    Examples
    --------
    >>> number_formats("time_s", [1.25, 14.0])
    ['#,##0.00', '#,##0.00']
    >>> number_formats("value", [1.15, 2_100_000, "text", 0.03])
    ['#,##0.00', '#,##0', '#,##0', '#,##0.00']
    """
    column = number_format(key, values)
    if all(_shows(column, number) for number in _numbers(values)):
        return [column] * len(values)
    return [number_format(key, [value]) for value in values]


def number_format(key: str, values: Iterable[Any]) -> str:
    """Return one format for a column: thousands separated, four digits, shares in per cent.

    Examples
    --------
    >>> number_format("nodes", [12, 40_000]), number_format("utilisation", [0.4804])
    ('#,##0', '0.0%')
    >>> number_format("time_s", [1.25, 14.0]), number_format("energy_kwh", [123_456.7])
    ('#,##0.00', '#,##0')
    >>> number_format("gap", [4.9e-5]), number_format("value", [2e-9])
    ('0.0000%', '0.00E+00')
    """
    numbers = _numbers(values)
    largest = max(numbers, default=0.0)
    if key.rsplit("_", 1)[-1] in _SHARES and numbers and largest <= 1:
        return "0." + "0" * max(1, 1 - _magnitude(100 * largest)) + "%"
    if all(number == int(number) for number in numbers):
        return "#,##0"
    if largest < _SMALLEST:
        return "0.00E+00"
    places = max(0, _DIGITS - 1 - _magnitude(largest))
    if largest >= 1:
        places = min(places, 2)
    places = min(places, _places_of(numbers))
    return "#,##0" + ("." + "0" * places if places else "")


def _numbers(values: Iterable[Any]) -> list[float]:
    """Return the sizes of the finite numbers among the values of a column."""
    return [
        abs(value)
        for value in values
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    ]


def _magnitude(number: float) -> int:
    """Return the power of ten of a number; 0 for zero."""
    return order_of_ten(number) if number else 0


def _shows(written: str, number: float) -> bool:
    """Whether a format shows at least two digits of a number, or all of it."""
    if "E" in written or not number:
        return True
    places = len(written.partition(".")[2].rstrip("%")) + 2 * written.endswith("%")
    return abs(number - round(number, places)) <= 0.05 * number


def _places_of(values: Iterable[float], most_places: int = 6) -> int:
    """Return the fewest decimals that show every number exactly, at most ``most_places``.

    Examples
    --------
    >>> _places_of([24300.5, 407.0]), _places_of([1700.0]), _places_of([21896.000000000004])
    (1, 0, 0)
    """
    exponents = [Decimal(f"{value:.15g}").normalize().as_tuple().exponent for value in values]
    return min(most_places, max([0, *(-digits for digits in exponents if isinstance(digits, int))]))
