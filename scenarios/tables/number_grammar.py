"""How every table writes numbers: grouped thousands, and decimals after a point or a comma."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

from scenarios.tables.cell_text import CellError, quoted

Mark = Literal["point", "comma"]
"""What decimals follow."""

_NUMBERS = {
    name: re.compile(
        rf"[+-]?(?:[0-9]+|[1-9][0-9]{{0,2}}(?:(?P<gap>[{group}'\u2019 ])[0-9]{{3}})"
        rf"(?:(?P=gap)[0-9]{{3}})*)?(?:{point}[0-9]+)?(?:[eE][+-]?[0-9]+)?"
    )
    for name, group, point in (("point", ",", r"\."), ("comma", ".", ","))
}
_GAPS = {"point": re.compile(r"[,'\u2019 ]"), "comma": re.compile(r"[.'\u2019 ]")}
_OTHER: dict[Mark, Mark] = {"point": "comma", "comma": "point"}


_SIGN = re.compile(r"^(?P<sign>[+\-\u2013\u2212]) ?(?P<currency>[^\d.,+\s-]{1,4} ?)?(?=\d)")
_NO_DECIMALS = re.compile(r"(?<=\d)([.,])(?:[-\u2013\u2014]{1,2}|=)(?!.*\d)")


def plain_signs(text: str) -> str:
    """A number with its sign next to it, and without the dash that stands for no decimals.

    Examples
    --------
    >>> plain_signs("\u2013 12'500.\u2013"), plain_signs("+ \u20ac 5.240,00"), plain_signs("5,- kr")
    ("-12'500", '\u20ac +5.240,00', '5 kr')
    >>> plain_signs("1.234,-"), plain_signs("100,- 120,-")
    ('1.234,00', '100,- 120')
    """
    found = _SIGN.match(text)
    if found is not None:
        sign = "+" if found["sign"] == "+" else "-"
        text = f"{(found['currency'] or '').strip()} {sign}{text[found.end() :]}".strip()
    return _NO_DECIMALS.sub(lambda dash: _decimals(text[: dash.start()], dash[1]), text)


def _decimals(number: str, mark: str) -> str:
    """What a dash means: nothing, or zeros where the other mark groups thousands."""
    other = "," if mark == "." else "."
    return f"{mark}00" if other in number else ""


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
        remedy = f"correct it, or write decimal = '{other}' if the decimal mark is a {other}"
    raise CellError(f"{quoted(text)} is not a number with decimal = '{decimal}'; {remedy}")


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
