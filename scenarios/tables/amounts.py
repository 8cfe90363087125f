"""Read a number with its unit as the cell shows it, or report an error that says why not."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from decimal import Decimal

from scenarios.fields import SMALLEST
from scenarios.tables.cell_text import CellError, one_line, quoted
from scenarios.tables.cells import Cell, NumberWithUnit
from scenarios.tables.field import Field
from scenarios.tables.number_grammar import (
    Mark,
    parse_number,
    plain_signs,
    refuse_thousandths,
)
from scenarios.tables.units import WrongCurrencyError, factor

_LEAST_PERCENT = 0.02
_AMOUNT = re.compile(
    r"(?P<before>[^0-9.,+-]*)"
    r"(?P<number>[+-]?[0-9.,](?:[0-9.,'\u2019 ]*[0-9.,])?(?:[eE][+-]?[0-9]{1,3}(?![0-9]))?)"
    r"(?P<after>.*)"
)
_RANGE = re.compile(r"\s*(?:[-\u2010-\u2014~]|to|bis|\.\.+|\u2026)\s*[0-9]", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """How the cells of one target are read: in which unit, mark of decimals and currency.

    Attributes
    ----------
    from_quantity
        Quantity that the heading of a column of discounts states; 0 where it states none.
    """

    target: str
    unit: str
    decimal: Mark
    currency: str
    from_quantity: int = 0


@dataclass(frozen=True)
class Likely:
    """The range of amounts that a thing has; what lies beyond it may be in another unit.

    Attributes
    ----------
    least, most
        The range, in our unit.
    of
        What has such amounts.
    or_zero
        Whether zero is likely too.
    """

    least: float
    most: float
    of: str
    or_zero: bool = False

    def __contains__(self, value: float) -> bool:
        return self.least <= value <= self.most or (self.or_zero and not value)


@dataclass(frozen=True)
class Amount:
    """How the cells of a field that holds a number with a unit are read.

    Attributes
    ----------
    field
        Its name, unit and range.
    likely
        Range beyond which the unit is asked for; ``None`` where every amount is likely.
    """

    field: Field
    likely: Likely | None = None

    def __call__(self, cell: Cell, reading: Reading) -> float | int:
        """Read a cell.

        Raises
        ------
        CellError
            It is not a number, its unit does not fit, or the amount is out of bounds.
        """
        if isinstance(cell, NumberWithUnit) and cell.unit and not self._shows_unit(cell, reading):
            cell = cell.plain
        number, unit = split(cell, reading)
        if isinstance(cell, str) and self._has_no_thousandths(number, unit, reading):
            refuse_thousandths(number, reading.decimal)
        return self.checked(number, unit, reading)

    def _shows_unit(self, cell: NumberWithUnit, reading: Reading) -> bool:
        """Whether the number format shows a unit, and none that contradicts the column's."""
        try:
            shown = factor(cell.unit, self.field.dimension, reading.currency)
        except CellError as error:
            message = f"in the number format, {error}"
            if isinstance(error, WrongCurrencyError):
                raise CellError(message) from None
            if cell.power and not cell.has_plain_unit:
                remedy = "and the format scales the number; correct the format"
                raise CellError(f"{message}, {remedy}") from None
            if reading.unit:
                return False  # the column says what the format does not
            message += f"; or set unit in columns.{reading.target}"
            raise CellError(message) from None
        stated = "" if reading.unit == "1" else reading.unit
        if stated and shown != factor(stated, self.field.dimension, reading.currency):
            message = f"the number format shows {quoted(cell.unit)}, but the column is in"
            raise CellError(f"{message} {quoted(stated)}; correct one of them")
        return True

    def _has_no_thousandths(self, number: Decimal, unit: str, reading: Reading) -> bool:
        if self.field.kind == "whole":
            return number == int(number)
        if self.field.dimension != "money":
            return False
        return factor(unit or reading.unit, self.field.dimension, reading.currency) == 1

    def checked(self, number: Decimal, unit: str, reading: Reading) -> float | int:
        """Convert and check: the cell's own unit goes before the column's.

        Raises
        ------
        CellError
            The unit does not fit, or the amount is out of bounds.
        """
        value = float(number * factor(unit or reading.unit, self.field.dimension, reading.currency))
        least, most = self.field.least, self.field.most
        if not least <= value <= most or 0 < abs(value) < SMALLEST:
            raise CellError(
                f"{reading.target} = {value:g} is outside the range {least:g} to {most:g}; "
                f"correct it{_percent_hint(self.field.dimension, value)}"
            )
        if self.field.kind == "whole" and value != int(value):
            raise CellError(f"{reading.target} = {value:g} is not a whole number; correct it")
        if not unit and reading.unit == "%" and value < _LEAST_PERCENT:
            raise CellError(
                f"{reading.target} = {value:.3%} is too small; if the cell is formatted as a "
                "percentage, write unit = '1'"
            )
        if self.likely is not None and value not in self.likely:
            units = (
                (reading.currency, f"k{reading.currency}")
                if self.field.dimension == "money"
                else ("W", "kW", "MW")
            )
            ours = units[0]
            hints = (
                f"is the column in {other}? write unit = '{other}'"
                for other in units
                if float(number * factor(other, self.field.dimension, reading.currency))
                in self.likely
            )
            remedy = "correct it" if unit else next(hints, "correct it")
            raise CellError(
                f"{reading.target} = {value:g} {ours} is implausible as a {self.likely.of}; "
                f"{remedy}"
            )
        return int(value) if self.field.kind == "whole" else value


def _percent_hint(dimension: str, value: float) -> str:
    return ", or write unit = '%'" if dimension == "fraction" and 1 < value <= 100 else ""


def split(cell: Cell, reading: Reading) -> tuple[Decimal, str]:
    """Split a cell into a number and its unit, which may be empty.

    Raises
    ------
    CellError
        There is no number, or its digits are grouped oddly.
    """
    if isinstance(cell, bool):
        raise CellError(f"{str(cell).lower()} is not a number; write the number")
    if isinstance(cell, NumberWithUnit):
        return cell.shown, cell.unit.replace(" ", "")
    if isinstance(cell, float):
        return Decimal(f"{cell:.15g}"), ""  # as the spreadsheet shows it
    if isinstance(cell, dt.date):
        raise CellError(
            f"{cell} is a date, not a number; format the cell as a number and type it again"
        )
    text = plain_signs(one_line(str(cell)))
    matched = _AMOUNT.fullmatch(text)
    if matched is None:
        raise CellError(f"{quoted(text)} is not a number; write the number and its unit")
    if _RANGE.match(matched["after"]):
        raise CellError(f"{quoted(text)} is a range; write one number (for lead times the longest)")
    unit = (matched["before"] + matched["after"]).replace(" ", "")
    return parse_number(matched["number"], reading.decimal), unit
