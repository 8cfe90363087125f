"""The unit that the heading of a column states, in brackets or in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from scenarios.model.quote_discounts import discount_start
from scenarios.model.quote_fields import BY_NAME
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import CellError, is_blank, quoted
from scenarios.tables.cells import Cell
from scenarios.tables.columns import unit_at_end
from scenarios.tables.field import Field
from scenarios.tables.heading_words import other_quantity, unsure_unit
from scenarios.tables.headings import split_unit
from scenarios.tables.money_words import joined_money, parts_of, scale_among_words
from scenarios.tables.units import WrongCurrencyError, factor, unit_among_words

_ONLY_NUMBERS = re.compile(r"[0-9\s.,;:/'\u2019+-]*")

_RATE = re.compile(r"([KMGT])(i?)B(?:ytes?)?[_/ ]?(?:per[_ ])?s$", re.IGNORECASE)
_NO_WEEKS = re.compile(r"days?|months?|years?|tagen?|tage|monaten?|monate|jahren?", re.IGNORECASE)


def with_heading_unit(
    reading: Reading, heading: str, fields: Mapping[str, Field] = BY_NAME
) -> Reading:
    """Take the unit in the heading's brackets, unless the mapping has given one.

    A heading of discounts may state the quantity from which its percentages hold.
    """
    if reading.target == "discounts":
        start = reading.from_quantity or discount_start(heading, reading.decimal)
        return replace(reading, unit="%", from_quantity=start) if start else reading
    bracket = split_unit(heading)[1]
    return with_unit(reading, bracket, "in the heading", fields, heading) if bracket else reading


def with_unit(
    reading: Reading, unit: str, where: str, fields: Mapping[str, Field], shown: str = ""
) -> Reading:
    """Take a unit that is stated for a whole column, unless the mapping has given one.

    Parameters
    ----------
    reading
        How the cells are read so far.
    unit
        What is stated.
    where
        Where, as errors say it.
    fields
        The fields of the table, by name.
    shown
        The whole text there; by default the unit.

    Raises
    ------
    CellError
        It is another unit than the mapping's, or none of the field.
    """
    kind = fields[reading.target].dimension
    if not kind or reading.unit == "1":
        return reading
    try:
        stated = factor(unit, kind, reading.currency)
    except CellError as error:
        if reading.unit and not isinstance(error, WrongCurrencyError):
            return reading  # the mapping says what the heading does not
        message = f"{where}, {error}; or set unit in columns.{reading.target}"
        raise CellError(message) from None
    if reading.unit and stated != factor(reading.unit, kind, reading.currency):
        message = f"contradicts unit = {reading.unit!r}; delete unit or correct the heading"
        raise CellError(f"{quoted(shown or unit)} {message}")
    return reading if reading.unit else replace(reading, unit=unit)


def money_in_brackets(heading: str, currency: str) -> str:
    """The unit of money in the brackets of a heading; empty if something else is in them.

    Raises
    ------
    WrongCurrencyError
        It is another currency.
    """
    bracket = split_unit(heading)[1]
    try:
        factor(bracket, "money", currency)
    except WrongCurrencyError:
        raise
    except CellError:
        return ""
    return bracket


def check_unit(reading: Reading, fields: Mapping[str, Field]) -> None:
    """Check the unit that the mapping gives.

    Raises
    ------
    CellError
        The field has no unit, or another one.
    """
    kind = fields[reading.target].dimension
    if not kind:
        raise CellError(f"{reading.target} has no unit; delete the key unit")
    factor(reading.unit, kind, reading.currency)


def lacks_unit(cell: Cell) -> bool:
    """Whether a cell is a number alone."""
    if isinstance(cell, str):
        return _ONLY_NUMBERS.fullmatch(cell) is not None and not is_blank(cell)
    return isinstance(cell, float)


def refuse_bare_unit(reading: Reading, heading: str, fields: Mapping[str, Field] = BY_NAME) -> None:
    """Ask for the unit where only the heading's words name one, and it is not ours."""
    if reading.unit:
        return
    kind = fields[reading.target].dimension
    remedy = f"or set unit in columns.{reading.target}"
    unit = unit_among_words(heading, kind, reading.currency)
    unit = unit or (_unit_joined(heading, kind, reading.currency) if kind else "")
    other = "" if unit else other_quantity(heading, kind)
    scale = scale_among_words(heading, reading.currency) if kind == "money" else ""
    if other:
        message = f"in the heading, {quoted(other)} names no {kind}"
        raise CellError(
            f"{message}; set unit in columns.{reading.target}, or choose another column"
        )
    if scale:
        message = f"in the heading, {quoted(scale)} may scale the price; write its unit in brackets"
        raise CellError(f"{message}, as in [k{reading.currency}], {remedy}")
    try:
        value = factor(unit, kind, reading.currency)
    except CellError as error:
        raise CellError(f"in the heading, {error}; {remedy}") from None
    if value != 1:
        message = f"in the heading, {quoted(unit)} is not in brackets; put it in brackets"
        raise CellError(f"{message}, {remedy}")


def _unit_joined(heading: str, dimension: str, currency: str) -> str:
    """Return the unit at the end of joined words, as in ``memory_tb`` or ``PriceKEUR``."""
    if dimension == "money":
        return joined_money(heading, currency)
    parts = parts_of(heading)
    if dimension == "time" and parts and _NO_WEEKS.fullmatch(parts[-1]):
        return parts[-1]
    if dimension == "bandwidth" and (rate := _RATE.search(heading)):
        return f"{rate[1].upper()}{rate[2].lower()}B/s"
    at_end = unsure_unit(heading) or unit_at_end(heading)
    return at_end or unit_among_words(" ".join(parts), dimension, currency)
