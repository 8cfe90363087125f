"""What the words of a heading may say about its quantity and unit, without being sure."""

from __future__ import annotations

import re

_UNSURE = re.compile(
    r"(?<=[A-Za-z])(?:k(?:wh?|Wh?|J|Hz|B)|[mu\u00b5\u03bc](?:wh?|Wh?|J))$"
    r"|(?<=[A-Z])[KMGT](?:Wh?|J|Hz|B)$|(?<=time)(?:[mun\u00b5\u03bc]s|min)$"
)
"""``PeakW`` is in watts, ``TotalkW`` is not; ``timems`` may be in either."""

_SURE = re.compile(r"(?:[cg]pu|peak|ram|mem|system|sum|(?:max|min)imum)(?:wh?|j)$", re.IGNORECASE)
"""Ends of headings whose letter before the unit is that of a word, as in ``DramW``."""

_QUANTITIES: dict[str, tuple[str, ...]] = {
    "power": ("power", "watt", "leistung"),
    "energy": ("energy", "joule", "energie"),
    "run time": ("time", "duration", "elapsed", "seconds", "zeit", "dauer"),
}
"""Words of a heading that name what it measures, without a unit."""


def unsure_unit(heading: str) -> str:
    """Return what may be the unit at the end of a heading, or a letter of its word and a unit.

    Examples
    --------
    >>> unsure_unit("PackagePowermW"), unsure_unit("DramW"), unsure_unit("PowerW")
    ('mW', '', '')
    """
    found = None if _SURE.search(heading) else _UNSURE.search(heading)
    return found[0] if found else ""


def other_quantity(heading: str, dimension: str) -> str:
    """Return the word of a heading that names another quantity than a dimension, or an empty text.

    Examples
    --------
    >>> other_quantity("PACKAGE_ENERGY", "power"), other_quantity("power of energy meter", "power")
    ('energy', '')
    """
    joined = re.sub(r"[\W_]+", "", heading).lower()
    if dimension not in _QUANTITIES or any(word in joined for word in _QUANTITIES[dimension]):
        return ""
    others = (word for words in _QUANTITIES.values() for word in words if word in joined)
    return next(others, "")
