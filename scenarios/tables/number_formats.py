"""Find the unit, currency or scale that a spreadsheet's number format gives to a number."""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

PERCENTAGES = {"9": "0%", "10": "0.00%"}
"""The formats with a sign that every workbook has without listing them."""

_LONGEST = 1000
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|\[\$(?P<currency>[^\]-]*)[^\]]*\]'
    r"|\[(?P<comparison><=|>=|<>|<|>|=)(?P<limit>-?[0-9]{1,15}(?:\.[0-9]{1,15})?)\]"
    r"|\[[^\]]*\]|[_*].|(?P<plain>.)",
    re.DOTALL,
)


_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}


class _Section(NamedTuple):
    """What one part of a format does: its condition, the unit, and the power of ten."""

    comparison: str = ""
    limit: float = 0.0
    unit: str = ""
    power: int = 0

    def takes(self, value: float) -> bool:
        return _COMPARE[self.comparison](value, self.limit)


def shown_unit(code: str, value: float = 1.0) -> tuple[str, int]:
    r"""Return the text that a format adds to a number, and the power of ten that it applies.

    Each comma behind the last digit shows thousandths of the number, whether or not a text says
    so. The section of the format counts that applies to the number.

    Examples
    --------
    >>> shown_unit('#,##0.0 "kW";[Red]-0'), shown_unit("0.00%"), shown_unit('0.0,"k"\\ [$€-407]')
    (('kW', 0), ('%', 2), ('k €', -3))
    >>> shown_unit('#,##0.00_);(0)'), shown_unit("General"), shown_unit('0" - "')
    (('', 0), ('', 0), ('', 0))
    >>> shown_unit("#,##0.0,"), shown_unit("0;-0,", -5.0), shown_unit('[>=1000]0.0,"k";0', 2500.0)
    (('', -3), ('', -3), ('k', -3))
    """
    sections = _sections(code)
    index = _applying(sections, value)
    return sections[index].unit, sections[index].power


def _applying(sections: Sequence[_Section], value: float) -> int:
    """Index of the section that shows a number: by its conditions, else by its sign."""
    last = len(sections) - 1
    for index, section in enumerate(sections[:2]):
        if section.comparison:
            applies = section.takes(value)
        elif index == last:
            applies = True
        elif index == 0:
            applies = value > 0 or (last == 1 and not value and not sections[1].comparison)
        else:
            applies = value < 0
        if applies:
            return index
    return last


@cache
def _sections(code: str) -> tuple[_Section, ...]:
    """The sections of a format for numbers: at most three, without that for texts."""
    sections: list[list[re.Match[str]]] = [[]]
    for token in _TOKEN.finditer(code[:_LONGEST]):
        if token["plain"] == ";":
            sections.append([])
        else:
            sections[-1].append(token)
    of_numbers = [each for each in sections if not any(token["plain"] == "@" for token in each)]
    return tuple(map(_section, of_numbers[:3])) or (_Section(),)


def _section(tokens: Sequence[re.Match[str]]) -> _Section:
    unit = places = comparison = ""
    limit = 0.0
    for token in tokens:
        plain = token["plain"] or ""
        literal = plain if _is_sign(plain) else ""
        unit += token["quoted"] or token["escaped"] or token["currency"] or literal
        places += plain if plain in "0#?.,%" else ""
        if token["comparison"]:
            comparison, limit = token["comparison"], float(token["limit"])
    if not any(each.isalpha() or _is_sign(each) for each in unit):
        unit = ""
    thousands = sum(map(len, re.findall(r"[0#?](,+)(?=[.%]|$)", places)))
    return _Section(comparison, limit, unit.strip()[:40], 2 * places.count("%") - 3 * thousands)


def _is_sign(character: str) -> bool:
    return character == "%" or (bool(character) and unicodedata.category(character) == "Sc")
