"""Numbers with units in cells: what is read is what the cell shows, or a fault that says why."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from scenarios.fields import LARGEST, SMALLEST
from scenarios.tables.cell_text import CellError, one_line, quoted
from scenarios.tables.cells import Cell, NumberWithUnit
from scenarios.tables.units import WrongCurrencyError, factor

Mark = Literal["point", "comma"]
"""What decimals follow."""

_LEAST_PERCENT = 0.02
_AMOUNT = re.compile(
    r"(?P<before>[^0-9.,+-]*)"
    r"(?P<number>[+-]?[0-9.,](?:[0-9.,'\u2019 ]*[0-9.,])?(?:[eE][+-]?[0-9]{1,3}(?![0-9]))?)"
    r"(?P<after>.*)"
)
_RANGE = re.compile(r"\s*(?:[-\u2010-\u2014~]|to|bis|\.\.+|\u2026)\s*[0-9]", re.IGNORECASE)
_NUMBERS = {
    name: re.compile(
        rf"[+-]?(?:[0-9]+|[1-9][0-9]{{0,2}}(?:(?P<gap>[{group}'\u2019 ])[0-9]{{3}})"
        rf"(?:(?P=gap)[0-9]{{3}})*)?(?:{point}[0-9]+)?(?:[eE][+-]?[0-9]+)?"
    )
    for name, group, point in (("point", ",", r"\."), ("comma", ".", ","))
}
_GAPS = {"point": re.compile(r"[,'\u2019 ]"), "comma": re.compile(r"[.'\u2019 ]")}
_OTHER: dict[Mark, Mark] = {"point": "comma", "comma": "point"}


@dataclass(frozen=True)
class Reading:
    """How the cells of one target are read: in which unit, mark of decimals and currency."""

    target: str
    unit: str
    decimal: Mark
    currency: str


@dataclass(frozen=True)
class Amount:
    """A number with its unit, within bounds.

    Attributes
    ----------
    dimension
        Of its units; empty where it has none.
    least, most
        Bounds in our unit.
    whole
        Whether it is a whole number.
    likely
        Bounds in our unit beyond which the unit is asked for.
    likely_of
        What has such amounts.
    or_zero
        Whether zero is likely too.
    """

    dimension: str = ""
    least: float = 0.0
    most: float = LARGEST
    whole: bool = False
    likely: tuple[float, float] | None = None
    likely_of: str = ""
    or_zero: bool = False

    def __call__(self, cell: Cell, reading: Reading) -> float | int:
        """Read a cell.

        Raises
        ------
        CellError
            It is no number, its unit does not fit, or the amount is out of bounds.
        """
        if isinstance(cell, NumberWithUnit) and not self._shows_unit(cell, reading):
            cell = cell.stored
        number, unit = split(cell, reading)
        if isinstance(cell, str) and self._has_no_thousandths(number, unit, reading):
            refuse_thousandths(number, reading.decimal)
        return self.checked(number, unit, reading)

    def _shows_unit(self, cell: NumberWithUnit, reading: Reading) -> bool:
        """Whether the number format shows a unit, and none that contradicts the column's."""
        try:
            shown = factor(cell.unit, self.dimension, reading.currency)
        except CellError as error:
            message = f"in the number format, {error}"
            if isinstance(error, WrongCurrencyError):
                raise CellError(message) from None
            if reading.unit:
                return False  # the column says what the format does not
            message += f"; or say unit = in columns.{reading.target}"
            raise CellError(message) from None
        stated = "" if reading.unit == "1" else reading.unit
        if stated and shown != factor(stated, self.dimension, reading.currency):
            message = f"the number format shows {quoted(cell.unit)}, the column is in"
            raise CellError(f"{message} {quoted(stated)}; correct one of them")
        return True

    def _has_no_thousandths(self, number: Decimal, unit: str, reading: Reading) -> bool:
        if self.whole:
            return number == int(number)
        if self.dimension != "money":
            return False
        return factor(unit or reading.unit, self.dimension, reading.currency) == 1

    def checked(self, number: Decimal, unit: str, reading: Reading) -> float | int:
        """Convert and check: the cell's own unit goes before the column's.

        Raises
        ------
        CellError
            The unit does not fit, or the amount is out of bounds.
        """
        value = float(number * factor(unit or reading.unit, self.dimension, reading.currency))
        if not self.least <= value <= self.most or 0 < abs(value) < SMALLEST:
            raise CellError(
                f"{reading.target} = {value:g} is outside of {self.least:g} to {self.most:g}; "
                f"correct it{_percent_hint(self.dimension, value)}"
            )
        if self.whole and value != int(value):
            raise CellError(f"{reading.target} = {value:g} is no whole number; correct it")
        if not unit and reading.unit == "%" and value < _LEAST_PERCENT:
            raise CellError(
                f"{reading.target} = {value:.3%} is too little; if the cell is formatted as a "
                "percentage, write unit = '1'"
            )
        if not self._is_likely(value):
            remedy = "correct it" if unit else self._unit_hint(number, reading)
            ours = self._units(reading.currency)[0]
            raise CellError(f"{reading.target} = {value:g} {ours} is no {self.likely_of}; {remedy}")
        return int(value) if self.whole else value

    def _is_likely(self, value: float) -> bool:
        if self.likely is None or (self.or_zero and not value):
            return True
        return self.likely[0] <= value <= self.likely[1]

    def _units(self, currency: str) -> tuple[str, ...]:
        return (currency, f"k{currency}") if self.dimension == "money" else ("W", "kW", "MW")

    def _unit_hint(self, number: Decimal, reading: Reading) -> str:
        """Which unit of the column would explain the number."""
        for unit in self._units(reading.currency):
            if self._is_likely(float(number * factor(unit, self.dimension, reading.currency))):
                return f"is the column in {unit}? write unit = '{unit}'"
        return "correct it"


def _percent_hint(dimension: str, value: float) -> str:
    return ", or write unit = '%'" if dimension == "fraction" and 1 < value <= 100 else ""


def split(cell: Cell, reading: Reading) -> tuple[Decimal, str]:
    """Take a cell apart into a number and the unit beside it, which may be empty.

    Raises
    ------
    CellError
        There is no number, or its digits are grouped oddly.
    """
    if isinstance(cell, bool):
        raise CellError(f"{str(cell).lower()} is no number; write the number")
    if isinstance(cell, NumberWithUnit):
        return Decimal(f"{cell.stored:.15g}").scaleb(cell.power), cell.unit.replace(" ", "")
    if isinstance(cell, float):
        return Decimal(f"{cell:.15g}"), ""  # as the spreadsheet shows it
    if isinstance(cell, dt.date):
        raise CellError(
            f"{cell} is a date and no number; format the cell as a number and retype it"
        )
    text = one_line(str(cell))
    matched = _AMOUNT.fullmatch(text)
    if matched is None:
        raise CellError(f"{quoted(text)} is no number; write the number and its unit")
    if _RANGE.match(matched["after"]):
        raise CellError(f"{quoted(text)} is a range; write one number, of lead times the longest")
    unit = (matched["before"] + matched["after"]).replace(" ", "")
    return parse_number(matched["number"], reading.decimal), unit


def parse_number(text: str, decimal: Mark) -> Decimal:
    """Read a number whose thousands may be grouped, with the decimals that it is written with.

    Raises
    ------
    CellError
        It is none with this mark of decimals.

    Examples
    --------
    >>> parse_number("1.234,50", "comma")
    Decimal('1234.50')
    """
    if text[-1:] not in ".," and _NUMBERS[decimal].fullmatch(text):
        return Decimal(_GAPS[decimal].sub("", text).replace(",", "."))
    other = _OTHER[decimal]
    remedy = "correct it"
    if _NUMBERS[other].fullmatch(text):
        remedy = f"correct it, or write decimal = '{other}' if its decimals follow a {other}"
    raise CellError(f"{quoted(text)} is no number with decimal = '{decimal}'; {remedy}")


def refuse_thousandths(number: Decimal, decimal: Mark) -> None:
    """Refuse ``18.200`` where nobody writes thousandths: it may be a grouped 18200.

    Raises
    ------
    CellError
        It has three decimals, and behind one to three digits.
    """
    if _places(number) != 3 or not 1 <= abs(number) < 1000:
        return
    low, high = f"{number.normalize():f}", f"{number.scaleb(3):f}"
    exact = f"{low}0" if _places(number.normalize()) == 3 else low
    message = f"{number} may be {low} or {high}; write {high}, or {exact}"
    raise CellError(message if decimal == "point" else message.replace(".", ","))


def _places(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0
