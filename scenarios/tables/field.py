"""Fields: what the columns of a table may hold, with names, units, ranges and defaults."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from scenarios.fields import LARGEST, SMALLEST
from scenarios.formatting import nearest, text_error
from scenarios.tables.cell_text import CellError, quoted
from scenarios.tables.decimal_marks import FileMark, number_and_unit
from scenarios.tables.inert import as_named
from scenarios.tables.units import dimension_of, factor

Kind = Literal["number", "whole", "text", "choice", "special"]
"""What a cell holds; the reader itself reads a ``special`` one."""

Value = float | int | str | None

_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True)
class Field:
    """One column that a reader of tables knows.

    Attributes
    ----------
    name
        Its heading as Headroom writes it; ends with the unit where it has one.
    meaning
        A phrase of what it holds.
    kind
        What its cells hold.
    aliases
        Groups of other names, each a text with blanks between names: those of an earlier group go
        before those of a later one. Capitals, blanks and signs do not count.
    unit
        Unit of its values; empty where it has none. Cells may have any unit of the same dimension.
    least, most
        Range of its values in that unit; for texts, of their lengths.
    above
        Whether values must be above ``least``, by ``SMALLEST`` at least.
    required
        Whether the column must be there.
    blank
        What a blank cell means, in words; empty where each row needs a value.
    choices
        All values of a ``choice``; words that may replace a number.
    quantity
        What it measures where it has no unit of its own: ``money``, in the scenario's currency, or
        a ``fraction``.
    """

    name: str
    meaning: str
    kind: Kind = "number"
    aliases: tuple[str, ...] = ()
    unit: str = ""
    least: float = 0.0
    most: float = LARGEST
    above: bool = False
    required: bool = True
    blank: str = ""
    choices: tuple[str, ...] = ()
    quantity: str = ""

    @property
    def dimension(self) -> str:
        """What it measures, as :func:`scenarios.tables.units.factor` knows it."""
        return self.quantity or dimension_of(self.unit)

    @property
    def base(self) -> str:
        """The name without its unit, as in ``time`` of ``time_s``."""
        return self.name.removesuffix(f"_{self.unit.lower()}") if self.unit else self.name

    def read(self, text: str, mark: FileMark = "point", unit: str = "") -> Value:
        """Give what a cell holds; ``None`` where it is blank and may be.

        Parameters
        ----------
        text
            The cell without blanks around it.
        mark
            What decimals of the table follow.
        unit
            That of the column, where its heading states one; a unit in the cell goes before it.

        Raises
        ------
        CellError
            The cell holds something else, or a value out of range; the message has the remedy.
        """
        if mark != "comma" and unit in ("", self.unit) and self.kind in ("number", "whole"):
            value = self._plain(text)
            if value is not None:
                return value
        if not text and self.blank:
            return None
        if self.kind == "text":
            return self._text(as_named(text))
        if not text:
            raise CellError("is blank; fill it in, or delete the row")
        if text.lower() in self.choices:
            return text.lower()
        if self.kind == "choice":
            remedy = nearest(text.lower(), [*self.choices])
            raise CellError(f"{quoted(text)} is unknown; {remedy}")
        return self.checked(self.amount(text, mark, unit), text)

    def _plain(self, text: str) -> float | int | None:
        """A number within the range as most are written; what is not so is looked at closely."""
        try:
            value = float(text)
        except ValueError:
            return None
        if not self.least < value <= self.most or 0 < value < SMALLEST:
            return None
        if "_" in text or not text.isascii():
            return None
        if self.kind == "number":
            return value
        return int(value) if value.is_integer() else None

    def _text(self, text: str) -> str:
        if trouble := text_error(text, int(self.most), int(self.least)):
            raise CellError(trouble)
        return text

    def amount(self, text: str, mark: FileMark = "point", unit: str = "") -> float:
        """Return the number in a cell in the field's unit, without a check of its range.

        Raises
        ------
        CellError
            The cell holds no number, a number that may be two, or another unit.
        """
        ours = unit in ("", self.unit)
        if ours and _PLAIN.fullmatch(text) and (mark != "comma" or "." not in text):
            return float(text)
        number, own = number_and_unit(text, mark)
        return self.in_unit(number, own, unit, text)

    def in_unit(self, number: Decimal, own: str, unit: str, shown: str) -> float:
        """Convert a number to the field's unit from its own one, or else from the column's.

        Raises
        ------
        CellError
            The unit does not fit; ``shown`` is what the message calls the cell.
        """
        if own and not self.dimension:
            raise CellError(f"{quoted(shown)} is not a plain number; write only the number")
        try:
            return float(number * scale(self, own or unit))
        except CellError as error:
            raise CellError(f"{quoted(shown)}: {error}") from None

    def checked(self, value: float, shown: str) -> float | int:
        """Give a value of the field, or refuse it.

        Raises
        ------
        CellError
            It is out of range, or not whole where it must be.
        """
        too_small = value < self.least + SMALLEST if self.above else value < self.least
        if not math.isfinite(value) or too_small or value > self.most:
            raise CellError(f"{quoted(shown)} is not {self.range_text()}; correct it")
        if self.kind == "whole" and value != int(value):
            raise CellError(f"{quoted(shown)} is not a whole number; correct it")
        return int(value) if self.kind == "whole" else value

    def range_text(self) -> str:
        """The range of its values in words, with their unit.

        Examples
        --------
        >>> Field("time_s", "Run time", unit="s", above=True, most=1e6).range_text()
        'above 0 and at most 1e+06 s'
        """
        unit = f" {self.unit}" if self.unit else ""
        joined = "above {} and at most {}" if self.above else "from {} to {}"
        digits = ",.0f" if self.kind == "whole" else "g"
        return joined.format(f"{self.least:{digits}}", f"{self.most:{digits}}{unit}")


@lru_cache(256)
def scale(field: Field, unit: str) -> Decimal:
    """How many of a field's own units one of another unit is; 1 without another one.

    Raises
    ------
    CellError
        The unit is none of the field's dimension.
    """
    if not unit or not field.dimension:
        return Decimal(1)
    return factor(unit, field.dimension, "") / factor(field.unit, field.dimension, "")


def field_names(fields: Sequence[Field]) -> str:
    """The headings of a table of these fields, as a person writes them."""
    return ",".join(field.name for field in fields)
