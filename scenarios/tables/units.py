"""What units mean in ours: watts, decimal gigabytes, GB/s, weeks, seconds, kg, and money."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from scenarios.tables.cell_text import CellError, quoted

_UNITS: dict[str, dict[str, str]] = {
    "power": {"W": "1", "watt": "1", "watts": "1", "kW": "1000", "MW": "1e6"},
    "memory": {"GB": "1", "TB": "1000", "GiB": "1.073741824", "TiB": "1099.511627776"}
    | dict.fromkeys(("GByte", "GBytes", "gigabyte", "gigabytes"), "1")
    | dict.fromkeys(("TByte", "TBytes", "terabyte", "terabytes"), "1000"),
    "bandwidth": {"GB/s": "1", "TB/s": "1000", "GByte/s": "1", "GBytes/s": "1"},
    "time": dict.fromkeys(("weeks", "Wochen", "week", "Woche", "wk", "wks", "Wo"), "1"),
    "fraction": {"%": "0.01"},
    "run time": {"s": "1", "ms": "0.001", "min": "60", "h": "3600", "us": "1e-6"}
    | dict.fromkeys(("sec", "secs", "second", "seconds"), "1")
    | dict.fromkeys(("mins", "minute", "minutes"), "60")
    | dict.fromkeys(("hr", "hrs", "hour", "hours"), "3600")
    | dict.fromkeys(("msec", "millisecond", "milliseconds"), "0.001")
    | {"ns": "1e-9"}
    | dict.fromkeys(("µs", "μs", "usec", "microsecond", "microseconds"), "1e-6"),
    "data": {"B": "1", "kB": "1e3", "MB": "1e6", "GB": "1e9", "KiB": "1024", "MiB": "1048576"}
    | {"GiB": "1073741824", "byte": "1", "bytes": "1"}
    | {"kByte": "1e3", "MByte": "1e6", "GByte": "1e9"},
    "frequency": {"GHz": "1", "MHz": "0.001", "kHz": "1e-6", "Hz": "1e-9"},
    "energy": {"J": "1", "kJ": "1e3", "MJ": "1e6", "GJ": "1e9", "Wh": "3600", "kWh": "3.6e6"}
    | {"MWh": "3.6e9", "joule": "1", "joules": "1"},
    "carbon": {"kg": "1", "t": "1000", "kgCO2e": "1", "tCO2e": "1000"},
}
_SYMBOLS = {
    "$": ("USD", "CAD", "AUD", "NZD", "SGD"),
    "US$": ("USD",),
    "€": ("EUR",),
    "£": ("GBP",),
    "¥": ("JPY", "CNY"),
    "₺": ("TRY",),
    "TL": ("TRY",),
    "zł": ("PLN",),
    "Kč": ("CZK",),
    "Ft": ("HUF",),
    "Fr.": ("CHF",),
    "kr": ("SEK", "NOK", "DKK", "ISK"),
    "kr.": ("SEK", "NOK", "DKK", "ISK"),
}
_CODE = r"US\$|[$€£¥₺]|TL|zł|Kč|Ft|Fr\.|kr\.?|[A-Z]{3}"
_MONEY = re.compile(rf"(?P<k1>[kKM]?)(?P<c1>{_CODE})|(?P<c2>{_CODE})(?P<k2>[kKM])|(?P<k3>[kKM])")


class WrongCurrencyError(CellError):
    """A price in another currency, which no mapping explains away."""


def factor(unit: str, dimension: str, currency: str) -> Decimal:
    """How many of ours one of a unit is; an absent unit is ours.

    ``dimension`` is one of power, memory, bandwidth, time, run time, fraction, data, frequency,
    energy, carbon, money, or empty for what has no unit.

    Raises
    ------
    CellError
        The unit is none of that dimension.
    WrongCurrencyError
        The price is in another currency than the scenario's.

    Examples
    --------
    >>> factor("kW", "power", ""), factor("k EUR", "money", "EUR")
    (Decimal('1000'), Decimal('1000'))
    """
    unit = unit.replace(" ", "")
    if dimension == "money":
        return _money_factor(unit, currency)
    if not unit or (unit == "1" and dimension == "fraction"):
        return Decimal(1)
    known = _UNITS.get(dimension, {})
    for spelling, value in known.items():
        if unit == spelling or (unit.lower() == spelling.lower() and not _other_meaning(unit)):
            return Decimal(value)
    if dimension == "time" and re.match("month|mon|day|year|tag|jahr", unit, re.IGNORECASE):
        raise CellError(f"{quoted(unit)} cannot be converted to weeks; write the number of weeks")
    if not known:
        raise CellError(f"{quoted(unit)} is written next to the number; write only the number")
    symbols = [each for each in known if "byte" not in each.lower()][:5]
    raise CellError(f"{quoted(unit)} is not a unit of {dimension}; use {', '.join(symbols)}")


@cache
def dimension_of(unit: str) -> str:
    """Which dimension one of our units has; empty without a unit.

    Examples
    --------
    >>> dimension_of("kW"), dimension_of("us"), dimension_of("")
    ('power', 'run time', '')
    """
    return next((name for name, units in _UNITS.items() if unit in units), "")


def _other_meaning(unit: str) -> bool:
    """Whether a spelling other than the known one means something else."""
    milli = unit.lower() in {"mw", "mj"} or unit == "mWh"
    return milli or re.match("[GT]i?b", unit) is not None


_NOT_ALONE = frozenset({"t", "b", "1", "min", "second", "hour", "week", "wo"})
"""Last words of headings that often mean something else, as in ``wall_t`` and ``power_min``."""

_WITH_PREFIX = re.compile(
    r"(?:[num\u00b5\u03bckgt]?(?:w|j|wh|hz)|[kmgtp]i?b|[num\u00b5\u03bc]?s|joules?|kilojoules?|"
    r"(?:kilo|mega)?watt ?hours?|(?:kilo|mega)?watts?|(?:kilo|mega|giga|tera)?bytes?)"
)


def named_unit(word: str) -> bool:
    """Whether the last word of a heading can only be a unit, in any dimension.

    Examples
    --------
    >>> [named_unit(word) for word in ("J", "kwh", "uj", "Gb", "min", "total")]
    [True, True, True, True, False, False]
    """
    folded = word.casefold()
    if folded in _NOT_ALONE:
        return False
    known = any(folded == each.casefold() for units in _UNITS.values() for each in units)
    return known or _WITH_PREFIX.fullmatch(folded) is not None


def _money_factor(unit: str, currency: str) -> Decimal:
    matched = _MONEY.fullmatch("kkr" if unit.casefold() == "tkr" else unit)
    if unit and matched is None:
        raise CellError(f"{quoted(unit)} is not a unit of money; use {currency} or k{currency}")
    if matched is None:
        return Decimal(1)
    code = matched["c1"] or matched["c2"] or currency
    if currency not in _SYMBOLS.get(code, (code,)):
        raise WrongCurrencyError(
            f"the price is in {code}, not in {currency}; give the currency of the sheet with its "
            "rate: currency, rate and rate_date"
        )
    thousands = matched["k1"] or matched["k2"] or matched["k3"]
    return Decimal({None: 1, "": 1, "M": 1_000_000}.get(thousands, 1000))


def unit_among_words(text: str, dimension: str, currency: str) -> str:
    """Return the first word that can only be a unit of the dimension, or an empty text.

    Examples
    --------
    >>> unit_among_words("Preis in kEUR", "money", "EUR"), unit_among_words("Peak/kW", "power", "")
    ('kEUR', 'kW')
    >>> unit_among_words("CPU price", "money", "EUR"), unit_among_words("in k EUR", "money", "EUR")
    ('', 'k EUR')
    """
    thousands = r"(?:\b[kKM] )?" if dimension == "money" else ""
    words = re.findall(rf"{thousands}[^\s,;:/]+(?:/s\b)?", text)
    return next((word for word in words if _is_surely(word, dimension, currency)), "")


def _is_surely(word: str, dimension: str, currency: str) -> bool:
    if dimension != "money":
        return word in _UNITS.get(dimension, {})
    matched = _MONEY.fullmatch(word.replace(" ", ""))
    code = matched and (matched["c1"] or matched["c2"])
    codes = {currency, "CHF", *_SYMBOLS}.union(*_SYMBOLS.values())
    return code in codes
