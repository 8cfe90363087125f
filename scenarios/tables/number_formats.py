"""Find the unit, currency or per cent that a spreadsheet's number format adds to a number."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

PERCENTAGES = {"9": "0%", "10": "0.00%"}
"""The formats with a sign that every workbook has without listing them."""

_LONGEST = 1000
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|\[\$(?P<currency>[^\]-]*)[^\]]*\]'
    r"|\[[^\]]*\]|[_*].|(?P<plain>.)",
    re.DOTALL,
)


@cache
def shown_unit(code: str) -> tuple[str, int]:
    r"""Return the text that a format adds to a positive number, and the power of ten it applies.

    Examples
    --------
    >>> shown_unit('#,##0.0 "kW";[Red]-0'), shown_unit("0.00%"), shown_unit('0.0,"k"\\ [$€-407]')
    (('kW', 0), ('%', 2), ('k €', -3))
    >>> shown_unit('#,##0.00_);(0)'), shown_unit("General"), shown_unit('0" - "')
    (('', 0), ('', 0), ('', 0))
    """
    unit = places = ""
    for token in _TOKEN.finditer(code[:_LONGEST]):
        plain = token["plain"] or ""
        if plain == ";":
            break
        literal = plain if _is_sign(plain) else ""
        unit += token["quoted"] or token["escaped"] or token["currency"] or literal
        places += plain if plain in "0#?.,%" else ""
    if not any(each.isalpha() or _is_sign(each) for each in unit):
        return "", 0
    thousands = re.search(r"[0#?](,+)(?:[.%]|$)", places)
    return unit.strip()[:40], 2 * places.count("%") - 3 * len(thousands[1] if thousands else "")


def _is_sign(character: str) -> bool:
    return character == "%" or (bool(character) and unicodedata.category(character) == "Sc")
