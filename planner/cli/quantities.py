"""Quantities on the command line: ``60kW``, ``5%``, ``2h``; a bare number has the option's unit."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

import click

from planner.formatting import words
from planner.plain_numbers import plain_float

_QUANTITY = re.compile(
    r"\s*([+-]?[0-9][0-9_.,]*(?:[eE][+-]?[0-9]+)?)\s*([^\W\d_/%µμ][^\s]*|%|[µμ]s)?\s*"
)
_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?(\s*[^\W\d_][^\s,]*|\s*%)?")
_UNITS: dict[str, dict[str, float]] = {
    "power": {"W": 1.0, "kW": 1e3, "MW": 1e6},
    "time": {
        "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0,
        "d": 86_400.0,
    },
    "memory": {"MB": 1e6, "GB": 1e9, "TB": 1e12, "MiB": 2.0**20, "GiB": 2.0**30, "TiB": 2.0**40},
    "data": {
        "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30,
    },
}  # fmt: skip
"""Units by dimension, in SI units; capitals tell mW from MW, so they count."""

_EXAMPLES = {"W": "60kW", "s": "2h", "us": "3.2ms", "GB": "512GiB", "B": "4MiB"}


class Quantity(click.ParamType[float]):
    """A number with a unit, given in the option's own unit to the command.

    Parameters
    ----------
    dimension
        ``power``, ``time``, ``memory`` or ``data``.
    unit
        The unit of a bare number, and of the value.
    least, most
        Its range in that unit.
    above
        Whether the value must be above ``least``.
    """

    def __init__(
        self, dimension: str, unit: str, least: float, most: float, *, above: bool = False
    ) -> None:
        self.dimension, self.unit = dimension, unit
        self.least, self.most, self.above = least, most, above
        self.name = dimension

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002
        """What the help shows as its value."""
        return self.dimension.upper()

    def hint(self) -> str:
        """How it may be written."""
        return f"in {self.unit}, or with a unit as in {_EXAMPLES[self.unit]}"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the value in the option's unit."""
        number = float(value) if not isinstance(value, str) else self._read(value, param, ctx)
        too_small = number <= self.least if self.above else number < self.least
        if too_small or number > self.most:
            low = f"above {self.least:g}" if self.above else f"at least {self.least:g}"
            self.fail(f"{value} must be {low} and at most {self.most:g} {self.unit}", param, ctx)
        return number

    def _read(self, text: str, param: click.Parameter | None, ctx: click.Context | None) -> float:
        digits, unit = taken_apart(text)
        units = _UNITS[self.dimension]
        if digits is None:
            self.fail(f"{text!r} is not a number; write it {self.hint()}", param, ctx)
        if unit and unit not in units:
            listed = ", ".join(units)
            self.fail(
                f"{text!r}: {unit!r} is not a unit of {self.dimension}; use {listed}", param, ctx
            )
        if not unit:
            return digits
        return digits * (units[unit] / units[self.unit])


def two_readings(number: float) -> str:
    """Return the error for a bare number that may be a share or per cent.

    Examples
    --------
    >>> two_readings(0.2)
    '0.2 may be 0.2 % or 20 %; write 0.2% or 20%'
    """
    per_cent = f"{100 * number:.12g}"
    return f"{number:g} may be {number:g} % or {per_cent} %; write {number:g}% or {per_cent}%"


class Share(click.ParamType[float]):
    """A share: ``5%`` or ``0.05``.

    Parameters
    ----------
    least, most
        Its range as parts of 1.
    above, below
        Whether it must be above ``least``, and below ``most``.
    percent
        Whether the value is given to the command in per cent. Then a bare number from 1 on is in
        per cent too, as in earlier versions.
    """

    name = "share"

    def __init__(
        self,
        least: float = 0.0,
        most: float = 1.0,
        *,
        above: bool = False,
        below: bool = False,
        percent: bool = False,
    ) -> None:
        self.least, self.most, self.above, self.below = least, most, above, below
        self.percent = percent

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002
        """What the help shows as its value."""
        return "SHARE"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the share."""
        if not isinstance(value, str):
            return float(value)
        number, unit = taken_apart(value)
        if number is None or unit not in ("", "%"):
            self.fail(f"{value!r} is not a share; write 5% or 0.05", param, ctx)
        if unit:
            share = number / 100
        elif self.percent and number == 1:
            self.fail(two_readings(number), param, ctx)
        else:
            share = number / 100 if self.percent and number > 1 else number
        low = share <= self.least if self.above else share < self.least
        high = share >= self.most if self.below else share > self.most
        if low or high:
            ends = f"{100 * self.least:g}% to {100 * self.most:g}%"
            self.fail(f"{value} is not in the range from {ends}", param, ctx)
        return float(f"{share * 100:.12g}") if self.percent else share

    def spelled(self, value: float) -> str:
        """Return the text that is read as a value of the command.

        Examples
        --------
        >>> Share(percent=True).spelled(0.5), Share().spelled(0.05)
        ('0.5%', '0.05')
        """
        return f"{value:.12g}%" if self.percent else str(value)


class Factor(click.ParamType[float]):
    """A number that may also be given in per cent: ``1.5`` or ``150%``.

    Parameters
    ----------
    least, most
        Its range; by default every number.
    above
        Whether it must be above ``least``.
    """

    name = "number"

    def __init__(
        self, least: float = -math.inf, most: float = math.inf, *, above: bool = False
    ) -> None:
        self.least, self.most, self.above = least, most, above

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the number."""
        if not isinstance(value, str):
            return float(value)
        number, unit = taken_apart(value)
        if number is None or unit not in ("", "%"):
            self.fail(f"{value!r} is not a number; write it in digits, as 1.5 or 150%", param, ctx)
        factor = number / 100 if unit else number
        too_small = factor <= self.least if self.above else factor < self.least
        if too_small or factor > self.most:
            low = f"above {self.least:g}" if self.above else f"at least {self.least:g}"
            percent = f"; for {value} per cent write {value}%" if not unit and number > 1 else ""
            self.fail(f"{value} must be {low} and at most {self.most:g}{percent}", param, ctx)
        return factor


def taken_apart(text: str) -> tuple[float | None, str]:
    """A text as its number and its unit; ``None`` where it has no number.

    Examples
    --------
    >>> taken_apart("60kW"), taken_apart("1e4"), taken_apart("5 %"), taken_apart("many")
    ((60.0, 'kW'), (10000.0, ''), (5.0, '%'), (None, ''))
    """
    found = _QUANTITY.fullmatch(text)
    if found is None:
        return None, ""
    try:
        return plain_float(found[1].replace(",", "")) if _grouped(found[1]) else plain_float(
            found[1]
        ), found[2] or ""
    except ValueError:
        return None, ""


def refuse_thousands(texts: Iterable[str]) -> None:
    """Refuse a text of a list whose commas may separate thousands or values, such as ``6,500W``.

    Raises
    ------
    click.BadParameter
        There is such a text.

    Examples
    --------
    >>> refuse_thousands(["6500,7000", "6,8", "600W,700W"])
    """
    for text in texts:
        if _THOUSANDS.fullmatch(text):
            whole = text.replace(",", "")
            raise click.BadParameter(
                f"{text!r} may be {whole} or the values {words(text.split(','))}; write {whole}, "
                "or repeat the option for each value"
            )


def _grouped(digits: str) -> bool:
    """Whether commas separate thousands, as in ``1,234.5``."""
    return re.fullmatch(r"[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?", digits) is not None
