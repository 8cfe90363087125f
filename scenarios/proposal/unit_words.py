"""Units and currencies in headings, notes and cells, in spellings that the readers take."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from scenarios.proposal.words import has_word, plain, words_of
from scenarios.tables.cell_text import CellError
from scenarios.tables.headings import split_unit
from scenarios.tables.units import factor

_DIMENSIONS = ("power", "memory", "bandwidth", "time", "fraction", "frequency", "carbon")
_SIGNS = {"€": "EUR", "£": "GBP", "$": "USD", "US$": "USD", "Kč": "CZK", "Ft": "HUF", "zł": "PLN",
          "₺": "TRY", "TL": "TRY"}  # fmt: skip
_CODES = ("EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "JPY", "CAD", "AUD",
          "HUF", "RON", "BGN", "RSD", "ISK", "UAH", "TRY", "ILS", "AED", "SAR", "INR", "CNY", "KRW",
          "SGD", "NZD", "BRL", "MXN", "ZAR")  # fmt: skip
_MONEY = re.compile(
    rf"(?<![A-Za-z])(?P<scale>Tsd\.? ?|[Tt][iy]s\.? ?|Mio\.? ?|[kKTM] ?)?"
    rf"(?P<code>US\$|[€£$₺]|Kč|Ft|zł|TL|{'|'.join(_CODES)}|Euro?s?)(?P<behind>[kKM])?(?![A-Za-z])",
)
_RATE = re.compile(r"\d+(?:[.,]\d+)? %")
_SCALES = {"k": "k", "t": "k", "tsd": "k", "tis": "k", "tys": "k", "m": "M", "mio": "M"}


@dataclass(frozen=True)
class Unit:
    """A unit: its dimension, the spelling that the readers take, and where it was found."""

    dimension: str = ""
    name: str = ""
    place: str = ""

    @property
    def currency(self) -> str:
        """Code of the currency of a unit of money; empty for another unit."""
        return self.name.lstrip("kM") if self.dimension == "money" else ""


NO_UNIT = Unit()
BELOW = "row of units"
"""Place of a unit in a row of units, in a spelling that the readers take."""


def unit_named(text: str, place: str) -> Unit:
    """The unit that a text is, as ``kW`` or ``€ HT``; without a name where it is none.

    Examples
    --------
    >>> unit_named("k€", "heading").name, unit_named("semaines", "").name, unit_named("h", "").name
    ('kEUR', 'weeks', '')
    """
    spelled = " ".join(text.split()).strip("[]() *\u00b9\u00b2\u00b3")
    if not spelled:
        return Unit()
    if spelled.casefold() == "tkr":  # of Sweden, Norway or Denmark
        return Unit("money", "k", place)
    spellings = _spellings()
    spelled = spellings.get(spelled) or spellings.get(spelled.casefold().rstrip("."), spelled)
    for dimension in _DIMENSIONS:
        try:
            factor(spelled, dimension, "")
        except CellError:
            continue
        return Unit(dimension, spelled.replace(" ", ""), place)
    return money_in(spelled, place)


@cache
def _spellings() -> dict[str, str]:
    """Units by spellings that the readers do not take."""
    return {each: unit for unit, listed in words_of("units").items() for each in listed}


def money_in(text: str, place: str) -> Unit:
    """The unit of money in a text; without a name where there is none."""
    found = _MONEY.search(text)
    if found is None:
        return Unit()
    code = _SIGNS.get(found["code"], found["code"])
    code = "EUR" if code.startswith("Eur") else code
    scale = (found["scale"] or found["behind"] or "").strip(" .").lower()
    return Unit("money", f"{_SCALES.get(scale, '')}{code}", place)


def unit_in(heading: str) -> tuple[str, Unit]:
    """A heading without its unit, and the unit: in brackets, or among its words.

    Examples
    --------
    >>> unit_in("Peak [kW]"), unit_in("RAM GB")[1].name, unit_in("Preis in T€")[1].name
    (('Peak', Unit(dimension='power', name='kW', place='brackets')), 'GB', 'kEUR')
    """
    bare, bracket = split_unit(heading)
    if bracket:
        unit = unit_named(bracket, "brackets")
        if unit.name:
            return bare, unit
    parts = re.split(r"[\s,;:()\[\]]+|/(?!s\b)", _RATE.sub(" ", heading))
    for part in reversed([each for each in parts if each]):
        if part.casefold() not in {"t", "mo", "wo"} and (unit := unit_named(part, "words")).name:
            return heading, unit
    return heading, money_in(heading, "words")


def currencies_of(text: str) -> tuple[str, ...]:
    """Currencies that a note names."""
    codes = {money_in(each[0], "").currency for each in _MONEY.finditer(text)}
    bare = plain(text)
    codes |= {code for code, words in words_of("money").items() if has_word(bare, words)}
    return tuple(sorted(codes - {""}))


def reads_unit(unit: str, dimension: str, currency: str) -> bool:
    """Whether the readers take a spelling of a unit."""
    try:
        factor(unit, dimension, currency)
    except CellError:
        return False
    return True
