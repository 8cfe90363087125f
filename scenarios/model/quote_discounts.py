"""Quantity discounts as vendors write them."""

from __future__ import annotations

import re
from decimal import Decimal

from scenarios.fields import SMALLEST
from scenarios.tables.amounts import Amount, Reading
from scenarios.tables.cell_text import CellError, one_line, quoted
from scenarios.tables.cells import Cell, NumberWithUnit
from scenarios.tables.field import Field
from scenarios.tables.number_grammar import Mark, parse_number, refuse_thousandths

MOST_DISCOUNTS = 20
_START = r"[0-9][0-9.,'\u2019 ]*?"
_FROM = r"(?:from|ab|starting at|à partir de|a partir de|dès|desde|da|od|vanaf|>=|≥)"
_UNIT = r"(?:nodes?|Knoten|servers?|Stück|Stueck|Stk\.?|pcs\.?|pieces|units?|St\.|nœuds|nodos)"
_DISCOUNTS = (
    re.compile(rf"{_FROM}? ?({_START}) ?{_UNIT}? ?: ?([0-9.,]+) ?%", re.IGNORECASE),
    re.compile(rf"{_FROM}? ?({_START}) ?{_UNIT} ([0-9.,]+) ?%", re.IGNORECASE),
    re.compile(rf"{_FROM} ?([0-9][0-9.,'\u2019]*) ([0-9.,]+) ?%", re.IGNORECASE),
    re.compile(rf"(?P<share>[0-9.,]+) ?% ?{_FROM} ?({_START}) ?{_UNIT}?", re.IGNORECASE),
)
"""Ways to write a discount, with the quantity as the first group but where the share is."""

_QUANTITY = re.compile(rf"(?<!\w){_FROM} ?([0-9][0-9.,'\u2019 ]*)", re.IGNORECASE)
_SHARE = Amount(Field("discounts", "", most=1 - SMALLEST, quantity="fraction"))


def read_discounts(cell: Cell, reading: Reading) -> list[dict[str, float | int]]:
    """Discounts that a cell lists, or the percentage in a column whose heading has the quantity.

    Raises
    ------
    CellError
        It lists none, or not in ascending order.
    """
    if reading.from_quantity:
        share = _SHARE(cell, reading)
        return [{"from_quantity": reading.from_quantity, "fraction": share}] if share else []
    if isinstance(cell, NumberWithUnit):
        cell = cell.plain
    discounts: list[dict[str, float | int]] = []
    for part in re.split(r"[;\n]", str(cell)):
        text = one_line(part)
        if not text:
            continue
        start, percent = _discount(text, reading.decimal)
        refuse_thousandths(start, reading.decimal)
        if start != int(start) or not 1 <= start <= 10**9 or not 0 <= percent < 100:
            raise CellError(
                f"{quoted(text)} is out of range; give a whole number and a percentage below 100 %"
            )
        if discounts and start <= discounts[-1]["from_quantity"]:
            raise CellError(
                f"{quoted(text)} is not in ascending order; list each quantity once, the smallest "
                "first"
            )
        discounts.append({"from_quantity": int(start), "fraction": float(percent / 100)})
    if len(discounts) > MOST_DISCOUNTS:
        raise CellError(f"has {len(discounts)} discounts; give at most {MOST_DISCOUNTS}")
    return discounts


def _discount(text: str, decimal: Mark) -> tuple[Decimal, Decimal]:
    """Quantity and percentage of a discount, as in ``ab 200 Stueck 6 %`` or ``5% >= 100``."""
    for pattern in _DISCOUNTS:
        if matched := pattern.fullmatch(text):
            first, second = matched[1].strip(), matched[2].strip()
            if "share" in matched.groupdict():
                first, second = second, first
            return parse_number(first, decimal), parse_number(second, decimal)
    raise CellError(f"{quoted(text)} is not a discount; write it as in 500: 8 %; 1000: 12 %")


def discount_start(heading: str, decimal: Mark) -> int:
    """Quantity from which the percentages under a heading hold; 0 if it states none.

    Raises
    ------
    CellError
        The quantity is not clear.

    Examples
    --------
    >>> discount_start("Rabatt ab 200 Stück [%]", "comma"), discount_start("Rabatte", "comma")
    (200, 0)
    """
    matched = _QUANTITY.search(heading) if "%" in heading else None
    if matched is None:
        return 0
    start = parse_number(matched[1].strip(" .,"), decimal)
    refuse_thousandths(start, decimal)
    return int(start) if start == int(start) and 1 <= start <= 10**9 else 0
