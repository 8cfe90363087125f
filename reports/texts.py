"""Values, findings and tables of a study as texts: its units and its catalogue make them."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from planner.figure import Figure
from planner.finding import Fact, Finding, Value, in_cell
from planner.formatting import (
    DASH,
    FIXED,
    GERMAN,
    SCALES,
    UNITS,
    amount,
    capitalised,
    clipped,
    durations,
    in_fixed_unit,
    order_of_ten,
    percent,
    prices,
    rounded,
    scale,
    sums,
    unmarked,
)
from planner.study import Study
from planner.table import Column
from reports.messages import Catalogue, catalogue

_LONGEST = 90
"""Letters of what a user wrote, within a sentence."""
_LONGEST_CELL = 500
_LONGEST_PLACE = 300
_LONGEST_WHOLE = 4_000
_SEVERAL = ("interval", "inside", "of")
"""Forms of several values; the unit of each is behind a colon. ``inside`` rounds ends inward."""
_QUOTED = {
    "text": _LONGEST, "place": _LONGEST_PLACE, "quotation": _LONGEST_CELL,
    "message": _LONGEST_CELL, "whole": _LONGEST_WHOLE,
}  # fmt: skip
"""Letters of names, of places in files, of what an input says, of errors and checkers, of whole
sources."""
_LISTED = 8
_MOST_DIGITS = 4
"""They suffice for amounts next to others that differ by less."""
_MOST_PLACES = 6
"""Decimals of an amount next to others."""
_LEAST_PLACES = 3
"""Decimals of ratios that are compared with a limit."""
_RATIOS = ("ratio", "number", "factor")
_APART = 1e5
"""Amounts whose ratio is larger have units of their own."""
_SHORT_S = 100.0
"""Times below this have digits enough to compare the shortest of a column."""
_ISOLATED = "\u2068{}\u2069"
_RIGHT_TO_LEFT = ("R", "AL", "RLE", "RLO", "RLI", "AN")
_GAP = re.compile(r"\{(\w+)(?:=(\w+))?\}")
"""``{names=values}`` lists each name with its value."""
_MULTIPLE = 9
"""Change from which both ends of an interval are multiples."""
_VERBATIM = ("id", "date", "exact", "command")
_PHRASES = ("method",)
"""Vocabularies of phrases, of which several with commas read like one."""
_MONEY = ("money ", "price ")
"""Units that end with a currency."""


class Texts:
    """How a study reads in its language."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.catalogue: Catalogue = catalogue(study.texts or study.command, study.language)
        self._language = study.language
        self._words: Mapping[str, Mapping[str, str]] = self.catalogue.sections.get("words", {})
        self._nouns: Mapping[str, Sequence[str]] = self.catalogue.sections.get("nouns", {})

    def label(self, name: str) -> str:
        """A fixed string."""
        return self.catalogue.text("labels", name)

    def finding(self, finding: Finding) -> str:
        """A finding as its template says it; without a template its kind and its values."""
        template = self.catalogue.get("findings", finding.kind)
        texts = {
            name: self.value(value, finding.units.get(name, "text"))
            for name, value in finding.values.items()
        }
        if template is None:
            values = ", ".join(f"{name} {text}" for name, text in texts.items())
            return self.label("unknown_kind").format(kind=finding.kind, values=values or DASH)
        text = _GAP.sub(
            lambda gap: self._pairs(finding, gap[1], gap[2]) if gap[2] else texts.get(gap[1], DASH),
            template,
        )
        first = _GAP.match(template)
        if first and self._is_word(finding.values.get(first[1]), finding.units.get(first[1], "")):
            return capitalised(text)
        return text

    def _pairs(self, finding: Finding, names: str, values: str) -> str:
        """Each of several names with its value."""
        units = finding.units
        numbers = self.column(Column("", units[values]), _each(finding.values[values]))
        every = [[self.value(each, units[names]) for each in _each(finding.values[names])], numbers]
        between = "; " if any(", " in name for name in every[0]) else ", "
        return between.join(" ".join(pair) for pair in zip(*every, strict=True))

    def _opens_with_name(self, value: Any) -> bool:
        """Whether the text of a finding begins with what a user wrote."""
        first = next(iter(findings(value)), None)
        gap = first and _GAP.match(self.catalogue.get("findings", first.kind) or "")
        return bool(first and gap and first.units.get(gap[1]) == "text")

    def _is_word(self, value: Any, unit: str) -> bool:
        """Whether a value, or the first of several, is in a vocabulary; names of users are not."""
        first = next(iter(value), None) if isinstance(value, tuple | list) else value
        return str(first).lower() in self._words.get(unit, {})

    def note(self, figure: Figure) -> str:
        """What explains a figure; one with enlarged parts may have a text of its own."""
        enlarged = self.catalogue.get("notes", f"{figure.name}_panels") if figure.panels else None
        return enlarged or self.catalogue.get("notes", figure.name) or ""

    def is_known(self, finding: Finding) -> bool:
        """Whether the catalogue has a template for a finding."""
        return self.catalogue.get("findings", finding.kind) is not None

    def fact(self, fact: Fact) -> str:
        """The value of a fact."""
        return self.value(fact.value, fact.unit)

    def value(
        self,
        value: Value | Sequence[Any] | Mapping[str, Any],
        unit: str,
        limit: float | None = None,
    ) -> str:
        """A value by its unit."""
        if value is None:
            return DASH
        if unit == "finding":
            return "; ".join(self.finding(each) for each in findings(value)) or DASH
        if isinstance(value, tuple | list):
            return self._several(value, unit)
        if unit in self._words:
            return self._word(str(value), unit)
        if isinstance(value, bool | str):
            return _verbatim(str(value), unit)
        if unit in self._nouns:
            return f"{self.value(value, 'count')}\xa0{self._nouns[unit][value != 1]}"
        if _is_physical(unit) and isinstance(value, int | float):
            text = amount(value, unit, limit=limit, language=self._language)
            return self._money(_with_minus(text))
        return str(value)

    def _word(self, value: str, unit: str) -> str:
        """A word of a vocabulary; the ``*`` at the end of one is what a user wrote."""
        words = self._words[unit]
        for key in words:
            if key.endswith("*") and value.startswith(key[:-1]):
                rest = value.removeprefix(key[:-1])
                return words[key].replace("*", quoted(rest, _LONGEST_CELL))
        return words.get(value.lower()) or quoted(value, _LONGEST_CELL)

    def _money(self, text: str) -> str:
        """An amount of money, with the language's word for a million."""
        return text.replace("\xa0M\xa0", f"\xa0{self.label('million')}\xa0")

    def _several(self, values: Sequence[Any], unit: str) -> str:
        """An interval, a part of a whole, or a list."""
        form, _, of = unit.partition(":")
        if form == "interval":
            low, high = values
            return self._interval(low, high, of)
        if form == "inside":
            low, high = values
            return self._inside(low, high, of)
        if form == "of":
            part, whole = values
            parts = {"part": self.value(part, "count"), "whole": self.value(whole, of)}
            return self.label("of").format(**parts)
        return self._listed(values, unit)

    def _inside(self, low: float, high: float | None, unit: str) -> str:
        """Both ends rounded inward; outward where both are between two neighbouring numbers."""
        number = self.value(low, f"{unit} up")
        if high is None:
            return self.label("interval_open").format(low=number)
        last, below = self.value(high, f"{unit} down"), self.value(low, f"{unit} down")
        if last == below and self.value(high, f"{unit} up") == number:
            number, last = below, number
        return number if number == last else self.label("interval").format(low=number, high=last)

    def _interval(self, low: Any, high: Any, unit: str) -> str:
        """Both ends, with the unit once."""
        if low is None:
            return DASH
        if high is None:
            side = f"{unit} down" if unit == "certain change" else unit
            return self.label("interval_open").format(low=self.value(low, side))
        if low == high:
            return self.value(low, unit)
        if unit.startswith("money "):
            number, last = self.value(low, f"{unit} down"), self.value(high, f"{unit} up")
            if number.partition("\xa0")[2] == last.partition("\xa0")[2]:
                number = number.partition("\xa0")[0]
            return self.label("interval").format(low=number, high=last)
        if unit.startswith(_MONEY):
            ends = self.column(Column("", unit), [low, high])
            return self.label("interval").format(low=ends[0].partition("\xa0")[0], high=ends[1])
        sides = {"certain change": (f"{unit} down", f"{unit} up")}
        first, second = sides.get(unit, ("count" if unit in self._nouns else unit, unit))
        if unit.endswith("change") and low < 1 <= high:  # alone, one would be a multiple
            form = "percent" if high < _MULTIPLE else "multiple"
            first, second = f"{first} {form}", f"{second} {form}"
        number, last = self.value(low, first), self.value(high, second)
        if number == last or not (_tells([number], [1.0]) or _tells([last], [1.0])):
            return number
        return self.label("interval").format(low=number, high=last)

    def _listed(self, values: Sequence[Any], unit: str) -> str:
        """Values after one another, and how many more there are."""
        single = "count" if unit in self._nouns else unit
        parts = [self.value(value, single) for value in values[:_LISTED]]
        apart = unit in _PHRASES or any(", " in part for part in parts)
        text = ("; " if apart else ", ").join(parts)
        more = len(values) - _LISTED
        if more > 0:
            text = f"{text} {self.label('and_more').format(more=self.value(more, 'count'))}"
        return text or DASH

    def left_out(self, shown: int, kept: int, every: int, book: str) -> str:
        """How many rows of a table are shown, and where those are that the study has."""
        counts = (("shown", shown), ("kept", kept), ("all", every))
        numbers = {name: self.value(number, "count") for name, number in counts}
        label = "rows_shown" if kept == every else "rows_kept"
        return self.label(label).format(book=book, **numbers)

    def heading(self, column: Column) -> str:
        """The heading of a column."""
        if column.quoted:
            return self.with_unit(quoted(column.label), column.unit)
        label = column.label or column.key
        for words in self._words.values():  # a measure that the user chose
            if column.label and label in words:
                return capitalised(words[label])
        return self.with_unit(self.catalogue.text("columns", label), column.unit)

    def with_unit(self, label: str, unit: str) -> str:
        """A label with the counted noun of its values, unless it is this noun itself."""
        nouns = self._nouns.get(unit)
        if not label or nouns is None or label.casefold() in map(str.casefold, nouns):
            return label
        return f"{label} ({nouns[-1]})"

    def words(self, unit: str) -> Mapping[str, str]:
        """The words of a vocabulary, in order."""
        return self._words[unit]

    def nouns(self, unit: str) -> Sequence[str]:
        """A counted noun: one thing, and several."""
        return self._nouns[unit]

    def is_noun(self, unit: str) -> bool:
        """Whether a unit is a counted noun."""
        return unit in self._nouns

    def knows(self, unit: str) -> bool:
        """Whether values of a unit are shown as such."""
        known = (*_QUOTED, *_VERBATIM, "key", "finding")
        form, _, of = unit.partition(":")
        if of:
            return form in _SEVERAL and self.knows(of)
        named = unit in self._nouns or unit in self._words
        return named or unit in known or _is_physical(unit)

    def is_number(self, column: Column) -> bool:
        """Whether a column is set to the right."""
        return _is_physical(column.unit) or column.unit in self._nouns

    def column(
        self, column: Column, values: Sequence[Any], units: Sequence[str | None] = (),
        limits: Sequence[float | None] = (),
    ) -> list[str]:  # fmt: skip
        """The values of a column: numbers in one unit, with equal decimals where that tells.

        Parameters
        ----------
        units, limits
            Unit and limit of each value, where these differ.
        """
        if units:
            limits = limits or [column.limit] * len(values)
            return self._mixed(values, [unit or column.unit for unit in units], limits)
        unit = "count" if column.unit in self._nouns else column.unit
        numbers = [value for value in values if _is_number(value)]
        told = column.limit is None or unit in _RATIOS
        if told and numbers and len(numbers) == _known(values):
            alike = _alike(unit, numbers, column.limit)
            if alike is not None:
                localised = iter(self._money(self.localised(text)) for text in alike)
                return [next(localised) if _is_number(value) else DASH for value in values]
        if unit == "text":
            return [
                quoted(each, _LONGEST_CELL) if isinstance(each, str) else self.value(each, unit)
                for each in values
            ]
        if unit == "finding":
            return [
                self.value(value, unit) if self._opens_with_name(value)
                else capitalised(self.value(value, unit))
                for value in values
            ]  # fmt: skip
        return [
            capitalised(text) if self._is_word(value, unit) else text
            for value, text in ((each, self.value(each, unit, column.limit)) for each in values)
        ]

    def _mixed(
        self, values: Sequence[Any], units: Sequence[str], limits: Sequence[float | None]
    ) -> list[str]:
        """Values of several units: ratios with equal decimals, times in the unit of their limit."""
        rows = list(zip(values, units, limits, strict=True))
        texts = [
            self.localised(durations(value, limit)[0]) if unit == "s" and value and limit
            else self.value(value, unit, limit)
            for value, unit, limit in rows
        ]  # fmt: skip
        for unit in {*units} & {*_RATIOS}:
            at = [i for i, (value, of, _) in enumerate(rows) if of == unit and _is_number(value)]
            numbers = [amount(values[i], unit, limit=limits[i]).partition("\xa0") for i in at]
            places = max((len(number.partition(".")[2]) for number, _, _ in numbers), default=0)
            for i, (_, gap, sign) in zip(at, numbers, strict=True):
                texts[i] = self.localised(f"{rounded(values[i], places)}{gap and ' '}{sign}")
        return texts

    def localised(self, text: str) -> str:
        """A number that has its unit behind a space, as the language writes it."""
        number, _, behind = _with_minus(text).partition(" ")
        if self._language == "de":
            number = number.translate(GERMAN)
        return "\xa0".join((number, *behind.split()))


def _each(value: Value) -> tuple[Value, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def findings(held: Any) -> list[Finding]:
    """The findings that a cell holds: one, or several."""
    every = held if isinstance(held, list | tuple) else [] if held is None else [held]
    return [in_cell(each) for each in every]


def sentences(study: Study, found: Iterable[Finding]) -> tuple[str, ...]:
    """Findings in the words of a study, without what only a page needs."""
    texts = Texts(study)
    return tuple(unmarked(texts.finding(each)) for each in found)


def quoted(text: str, longest: int = _LONGEST) -> str:
    """What a user wrote: clipped, on one line, and isolated where it is written to the left."""
    short = clipped(" ".join(text.split()), longest)
    if any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in short):
        return _ISOLATED.format(short)
    return short


def _with_minus(number: str) -> str:
    signed = f"\u2212{number[1:]}" if number.startswith("-") else number
    return re.sub("(?<=[0-9]e)-", "\u2212", signed)


def _verbatim(text: str, unit: str) -> str:
    if unit == "key":
        return re.sub("_(s|w)$", r" (\1)", text).replace(".", ", ").replace("_", " ")
    return quoted(text, _QUOTED[unit]) if unit in _QUOTED else text


def _is_physical(unit: str) -> bool:
    return unit in UNITS or unit.startswith(_MONEY)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _known(values: Sequence[Any]) -> int:
    return sum(value is not None for value in values)


def _alike(unit: str, numbers: Sequence[float], limit: float | None = None) -> list[str] | None:
    """Numbers of a column with equal decimals; ``None`` where each is written by itself.

    Ratios have decimals enough to tell on which side of a limit they are.

    Examples
    --------
    >>> _alike("share", [0.409, 0.4153]), _alike("share", [0.409, 0.0001])
    (['40.9 %', '41.5 %'], None)
    >>> _alike("s", [187.8, 0.0]), _alike("ratio", [17.5, 18.08]), _alike("W", [1e6, 0.1])
    (['3.13 min', '0.00 min'], ['17.50', '18.08'], None)
    >>> _alike("ratio", [0.9995, 1.221], 1.0), _alike("ratio", [0.5, 1.0], 1.0)
    (['0.9995', '1.2210'], ['0.500', '1.000'])
    """
    if unit == "share" and max(map(abs, numbers)) < 10:
        texts = [percent(number, places=1) for number in numbers]
        return texts if _tells(texts, numbers) else None
    if unit.endswith(" up"):
        return None
    if unit.startswith(_MONEY):
        name, _, currency = unit.partition(" ")
        return sums(numbers, currency) if name == "money" else list(prices(numbers, currency))
    if unit in FIXED:
        texts = in_fixed_unit(unit, numbers)
        return texts if _tells(texts, numbers) else None
    if unit in SCALES:
        known = [abs(number) for number in numbers if number]
        apart = bool(known) and max(known) > _APART * min(known)
        return None if apart else _in_one_unit(unit, numbers)
    if unit == "s" and any(numbers):
        smallest = min((abs(number) for number in numbers if number), default=1.0)
        places = min(4, max(0, 2 - order_of_ten(smallest))) if max(numbers) < _SHORT_S else 0
        texts = list(durations(*numbers, least_places=places))
        return texts if _tells(texts, numbers) else None
    if unit in _RATIOS:
        largest = max(abs(number) for number in numbers)
        places = 0 if largest >= 1000 else 1 if largest >= 100 else 2
        if limit is not None:
            places = max(places, _LEAST_PLACES, *(_apart(number, limit) for number in numbers))
        texts = [rounded(number, places) for number in numbers]
        smallest = min((abs(number) for number in numbers if number), default=1.0)
        return texts if places >= -order_of_ten(smallest) else None
    return None


def _apart(number: float, limit: float) -> int:
    """Decimals that show on which side of a limit a number is."""
    for places in range(_MOST_PLACES):
        shown = round(number, places)
        if (shown < limit, shown > limit) == (number < limit, number > limit):
            return places
    return _MOST_PLACES


def _in_one_unit(unit: str, numbers: Sequence[float]) -> list[str]:
    """Amounts in one unit, with decimals enough to show the least and to tell all apart.

    Examples
    --------
    >>> _in_one_unit("B", [0.0, 8e8]), _in_one_unit("B", [329384160.0, 1.2e9])
    (['0.0 MB', '800.0 MB'], ['0.329 GB', '1.200 GB'])
    """
    known = [abs(number) for number in numbers if number]
    name, size = scale(unit, max(known, default=0.0), min(known, default=math.inf))
    whole = size == 1 and all(number == int(number) for number in numbers)
    fine = name == "MW" or unit in ("B", "J")  # as a value alone is written
    digits = _MOST_DIGITS if fine else _MOST_DIGITS - 1
    places = 0 if whole or not known else max(0, digits - 1 - order_of_ten(max(known) / size))
    if known and not whole:
        places = max(places, min(_MOST_PLACES, 1 - order_of_ten(min(known) / size)))
    most = max(places, _MOST_DIGITS - 1 - order_of_ten(max(known, default=1.0) / size))
    while True:
        texts = [rounded(number / size, places) for number in numbers]
        if whole or places >= most or len({*texts}) == len({*numbers}):
            return [f"{text} {name}" for text in texts]
        places += 1


def _tells(texts: Sequence[str], numbers: Sequence[float]) -> bool:
    """Whether no number but 0 is written as nothing."""
    return all(
        not number or any(digit in "123456789" for digit in text)
        for text, number in zip(texts, numbers, strict=True)
    )
