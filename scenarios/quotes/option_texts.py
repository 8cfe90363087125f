"""Options that a cell lists as texts, such as ``+ 3,800.00 for 1,536 GB``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

from scenarios.model.quote_fields import PART_PRICE, read_cell, short_name
from scenarios.package_bill import written
from scenarios.quotes.layout import Spot
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import CellError, one_line, quoted
from scenarios.tables.cells import Cell

_MONEY = r"(?:US\$|[$€£¥]|[A-Z]{3})"
_ADDED = re.compile(
    rf"\+ ?({_MONEY}? ?[0-9][0-9.,'\u2019 ]*(?:[kM]?{_MONEY})?)(?![A-Za-z0-9]|[.,'\u2019][0-9])"
)
_WORDS = "for|för|für|fuer|pour|per|para|por|voor|za"
_AROUND = re.compile(rf"^(?:[^\W\d_]+\.? ){{1,2}}(?=\d)|^(?:{_WORDS})\b|(?:{_WORDS})$")
"""Words between the price and a size, as "kr for"; those of a list elsewhere."""

_JOINED = re.compile(r"(?<=\d)[.,'\u2019 ](?=\d{3}(?!\d))|(?<=\d) (?=[A-Za-z]+$)")
"""Signs in a grouped number, and the blank in front of its unit."""

_WITH_UNIT = re.compile(r"[0-9][0-9.,'\u2019 ]*[A-Za-z/]+(?= |$)")
_TARGETS = ("memory_gb", "bandwidth_gb_s")


def options_in(spot: Spot, quote: dict[str, Any], unit: str) -> Iterator[dict[str, Any]]:
    """The alternatives of a node type that a cell lists, separated by semicolons or lines.

    Parameters
    ----------
    spot
        The cell.
    quote
        What is stated of the node type itself, with the price before support and conversions.
    unit
        Unit of the price where neither an option nor the heading of the options states one.

    Raises
    ------
    CellError
        A text is not an option.
    """
    for part in re.split(r"[;\n]", spot.text if not isinstance(spot.cell, str) else spot.cell):
        text = one_line(part)
        if any(each.isalnum() for each in text):
            price, what = _parsed(text, replace(spot.reading, unit=spot.reading.unit or unit))
            yield quote | _stated(what, spot) | renamed(quote, what, price)


def adds_an_amount(cell: Cell) -> bool:
    """Whether the cell of a price also says what it adds, as ``+ 38 000,00 för 1 536 GB``."""
    text = one_line(cell) if isinstance(cell, str) else ""
    return bool(
        _ADDED.search(text) and _WITH_UNIT.search(_AROUND.sub("", _ADDED.sub("", text).strip()))
    )


def renamed(quote: dict[str, Any], what: str, price: Decimal) -> dict[str, Any]:
    """Name, label and price of an alternative: the option behind the name, its price added.

    Raises
    ------
    CellError
        The option has no letter or digit.
    """
    suffix = short_name(_JOINED.sub("", what))[:30].rstrip("-")
    if not suffix:
        raise CellError(f"{quoted(what)} has no letter or digit; give a name with one")
    name = f"{quote['name'][: 63 - len(suffix)].rstrip('-')}-{suffix}"
    label = f"{quote.get('label', quote['name'])}, {what}"[:120].rstrip()
    return {"name": name, "label": label, "price": quote["price"] + price}


def row_option(spot: Spot, quote: dict[str, Any], unit: str, *, priced: bool) -> dict[str, Any]:
    """The alternative that a row of its own states; a text as ``Option: 1 TB`` gives the name.

    Parameters
    ----------
    spot, quote, unit
        As in :func:`options_in`; the quote has what the row states.
    priced
        Whether the row states the price; otherwise its text does, as in ``1 TB, + 3,800.00``.

    Raises
    ------
    CellError
        The text is not an option.
    """
    what = spot.text.partition(":")[2].strip() or spot.text
    if priced:
        return quote | renamed(quote, what, Decimal(0))
    price, what = _parsed(what, replace(spot.reading, unit=unit))
    return quote | _stated(what, spot) | renamed(quote, what, price)


def _parsed(text: str, reading: Reading) -> tuple[Decimal, str]:
    """The added price of an option, and what is added."""
    found = _ADDED.findall(text)
    if len(found) != 1:
        message = f"{quoted(text)} is not an option; write it as in + 3,800.00 for 1,536 GB"
        raise CellError(message)
    amount = PART_PRICE(found[0].strip(), replace(reading, target="price"))
    what = _ADDED.sub(" ", text).strip(" :=()-\u2013,")
    what = _AROUND.sub("", what).strip(" :=()-\u2013,")
    return written(amount), what


def _stated(what: str, spot: Spot) -> dict[str, Any]:
    """The field that an option replaces, where it is an amount with the field's unit.

    Raises
    ------
    CellError
        The option replaces no known field.
    """
    if what.casefold() in {"air", "liquid"}:
        return {"cooling": what.casefold()}
    for target in _TARGETS:
        try:
            if amount := _WITH_UNIT.match(what):
                return {target: read_cell(amount[0], replace(spot.reading, target=target, unit=""))}
        except CellError:
            continue
    message = f"in the option, {quoted(what)} names neither memory, bandwidth nor cooling"
    raise CellError(f"{message}; write it as in + 3,800.00 for 1,536 GB, or use options.rows")
