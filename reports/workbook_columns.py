"""Headings and cells of the columns of a workbook, and the formats of their numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from planner.formatting import order_of_ten, unmarked
from planner.table import Column
from reports.texts import Texts

_RATIOS = ("share", "change", "certain")
"""Units that are written in per cent."""
_PHYSICAL = {"us": "µs", "B": "bytes", **{unit: unit for unit in (
    "s", "W", "J", "kWh", "t", "GB", "GHz",
)}}  # fmt: skip
"""Units in the heading, as cells hold plain numbers."""
_DIGITS = 4
"""Significant digits that a number shows; the cell holds all of them."""
_SMALLEST = 1e-5
"""Smaller numbers are written with an exponent."""
_MOST_PLACES = 4
"""Decimals of per cent."""


def unit_in_words(unit: str) -> str:
    """The unit of plain numbers: a physical one, or a currency; empty for others.

    Examples
    --------
    >>> [unit_in_words(unit) for unit in ("s given", "W up", "money EUR", "share", "count")]
    ['s', 'W', 'EUR', '', '']
    """
    base, _, of = unit.partition(" ")
    return of.partition(" ")[0] if base in ("money", "price") else _PHYSICAL.get(base, "")


def heading_with_unit(texts: Texts, column: Column) -> str:
    """The heading of a column, with the unit of its numbers."""
    heading, unit = texts.heading(column), unit_in_words(column.unit)
    return f"{heading} [{unit}]" if unit and not column.unit_at else heading


def plain(texts: Texts, column: Column, row: Mapping[str, Any]) -> Any:
    """What a cell holds: words of vocabularies stay those that the data has."""
    value = row.get(column.key)
    if isinstance(value, list | tuple | dict):
        return texts.value(value, row.get(column.unit_at) or column.unit)
    return unmarked(value) if isinstance(value, str) else value


def number_formats(unit: str, values: Sequence[Any]) -> list[str]:
    """Return the format of each number of a column: one for all, unless it hides the small ones.

    Examples
    --------
    >>> number_formats("s", [1.25, 14.0])
    ['#,##0.00', '#,##0.00']
    >>> number_formats("number", [1.15, 2_100_000, "text", 0.03])
    ['#,##0.00', '#,##0', '#,##0', '#,##0.00']
    >>> number_formats("share", [0.4804, 1.0]), number_formats("share used", [0.99996])
    (['0.0%', '0.0%'], ['0.000%'])
    """
    if unit.partition(" ")[0] in _RATIOS:
        return [_per_cent(values)] * len(values)
    column = number_format(values)
    if all(_shows(column, number) for number in _numbers(values)):
        return [column] * len(values)
    return [number_format([value]) for value in values]


def _per_cent(values: Sequence[Any]) -> str:
    """Per cent with decimals that show what is not nothing and not all."""
    places = 1
    for number in _numbers(values):
        while places < _MOST_PLACES and _misleads(number, places):
            places += 1
    return f"0.{'0' * places}%"


def _misleads(number: float, places: int) -> bool:
    shown = round(100 * number, places)
    return (shown == 0) != (number == 0) or (shown == 100) != (number == 1)


def number_format(values: Iterable[Any]) -> str:
    """Return one format for a column: thousands separated, four digits.

    Examples
    --------
    >>> number_format([12, 40_000]), number_format([1.25, 14.0]), number_format([123_456.7])
    ('#,##0', '#,##0.00', '#,##0')
    >>> number_format([2e-9])
    '0.00E+00'
    """
    numbers = _numbers(values)
    largest = max(numbers, default=0.0)
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
