"""Units of money in the words of a heading, where no brackets state them."""

from __future__ import annotations

import re
from itertools import pairwise

from scenarios.tables.units import unit_among_words

_PARTS = re.compile(
    r"[$\u20ac\u00a3\u00a5]|[0-9]+|[A-Z\u00c4\u00d6\u00dc]?[a-z\u00df-\u00ff]+"
    r"|[A-Z\u00c4\u00d6\u00dc]+(?![a-z\u00df-\u00ff])"
)
_SCALES = frozenset(
    {"thousand", "thousands", "tausend", "tsd", "million", "millions", "millionen", "mio", "mln"}
    | {"billion", "billions", "milliarden", "mrd"}
)
_BY_A_CURRENCY = frozenset({"000", "1000", "t"})
_PREFIXES = frozenset({"k", "m"})
_CAPITALS = re.compile(r"[A-Z]K[A-Z]{3}")


def parts_of(heading: str) -> list[str]:
    """Return the words of a heading, of those that are joined by their capitals, too.

    Examples
    --------
    >>> parts_of("PriceKEUR"), parts_of("lead_days")
    (['Price', 'KEUR'], ['lead', 'days'])
    """
    return _PARTS.findall(heading)


def scale_among_words(heading: str, currency: str) -> str:
    """Return the word that may scale a price, or an empty text.

    Examples
    --------
    >>> scale_among_words("Preis in Tsd. EUR", "EUR"), scale_among_words("Price, 1000 EUR", "EUR")
    ('Tsd', '1000')
    >>> scale_among_words("Price TEUR", "EUR"), scale_among_words("Price EUR", "EUR")
    ('TEUR', '')
    """
    parts = parts_of(heading)
    for part in parts:
        thousands = part[:1] in {"T", "t"} and _is_currency(part[1:], currency)
        if thousands or part.casefold() in _SCALES:
            return part
    for pair in pairwise(parts):
        for scale, other in (pair, pair[::-1]):
            if scale.casefold() in _BY_A_CURRENCY and _is_currency(other, currency):
                return scale
    return ""


def joined_money(heading: str, currency: str) -> str:
    """Return the unit of money that is joined to other words of a heading, or an empty text.

    Examples
    --------
    >>> joined_money("PriceKEUR", "EUR"), joined_money("price_keur", "EUR")
    ('KEUR', 'KEUR')
    >>> joined_money("PriceGPU", "EUR"), joined_money("PRICEKEUR", "EUR")
    ('', 'KEUR')
    """
    parts = parts_of(heading)
    for first, second in pairwise(parts):
        prefix = first[-1:] if second in {"$", "\u20ac", "\u00a3", "\u00a5"} else first
        if prefix.casefold() in _PREFIXES and _is_currency(second, currency):
            return f"{prefix}{second}".upper()
    whole = " " not in heading.strip()
    last = [part.upper() if whole else part for part in parts[-1:]]
    if last and _CAPITALS.fullmatch(last[0][-5:]):
        last.append(last[0][-4:])
    found = (unit_among_words(each, "money", currency) for each in [*parts, *last])
    return next(filter(None, found), "")


def _is_currency(part: str, currency: str) -> bool:
    upper = part.upper()
    return upper in {"EURO", "EUROS"} or (
        bool(upper) and unit_among_words(upper, "money", currency) == upper
    )
