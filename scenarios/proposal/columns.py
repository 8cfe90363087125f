"""The columns of a table: what their cells hold, and which of our fields each may be."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from scenarios.model.quote_fields import BY_NAME, REQUIRED
from scenarios.proposal.figures import figure_in
from scenarios.proposal.grid import held
from scenarios.proposal.unit_words import NO_UNIT, Unit, unit_in, unit_named
from scenarios.proposal.words import has_digit, has_word, meanings, plain, words_of
from scenarios.tables.cell_text import LONGEST_LABEL, one_line, shown
from scenarios.tables.cells import Cell, NumberWithUnit, Unreadable

TEXTS = {"name", "vendor", "part_number", "cooling", "discounts", "options", "component",
         "label", "kind", "valid_until", "package_caps_w"}  # fmt: skip
WEAK = {"component", "label", "kind", "line_total", "options", "support_percent", "vendor"}
"""Targets that make no table by themselves."""
_DIMENSIONS = {
    "line_total": "money",
    "support_per_year": "money",
    "support_percent": "fraction",
    "clock_ghz": "frequency",
}
_NUMBER = re.compile(
    r"(?:ca\.?|~|[€$£]|US\$|[A-Z]{3} )?\s*[+-]?\d[\d.,'\u2019 ]*"
    r"\s*(?P<unit>(?:[^\d\s-][^\d]{0,13})?)"
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{4}"
                   r"|\d{1,2}\D{1,9}[^\W\d]{3,}\D*\d{4}"
                   r"|[^\W\d]{3,} \d{1,2}\w*, ?\d{4}")  # fmt: skip
PARTED = re.compile(r"[,;:(+\u2013\u2014]| - ")
"""What parts a text from its details."""
_LEAST_SHARE = 0.5
_KNOWN = 100.0


@dataclass(frozen=True, eq=False)
class Column:
    """A column below its heading.

    Attributes
    ----------
    place
        Index in the grid.
    heading
        What the heading shows; of two rows, both.
    cells
        What is below it.
    below
        Unit in a row of units below the heading.
    letter
        What the mapping calls it, where the heading cannot: it is blank or another one's too.
    lowest
        What the last row of headings shows; by default the heading.
    """

    place: int
    heading: str
    cells: tuple[Cell, ...] = field(repr=False)
    below: Unit = NO_UNIT
    letter: str = ""
    lowest: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)

    @property
    def own(self) -> str:
        """The heading as a mapping gives it: that of the last row of headings."""
        return self.lowest or self.heading

    @property
    def named(self) -> dict[str, Any]:
        """How a mapping names it."""
        return {"column": self.letter} if self.letter else {"heading": self.own}

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What the filled cells show."""
        return tuple(filter(None, map(shown, self.cells)))

    @cached_property
    def titles(self) -> dict[str, str]:
        """Shorter names by what the texts show: first lines, or what is in front of details.

        There are none where they do not tell the texts apart.
        """
        raw = [each.text if isinstance(each, Unreadable) else each for each in self.cells]
        found = {
            one_line(text): one_line(text.strip().split("\n")[0])
            for text in raw if isinstance(text, str) and "\n" in text.strip()
        }  # fmt: skip
        heads = {text: PARTED.split(found.get(text, text))[0].strip() for text in self.texts}
        long = {text: heads[text] for text in heads if len(found.get(text, text)) > LONGEST_LABEL}
        for shorter in (heads if long else {}, long, {}):
            names: dict[str, str] = {**shorter, **found, **self.aliases}
            if len({names.get(text, text) for text in self.texts}) == len({*self.texts}):
                return names
        return dict(self.aliases)

    @cached_property
    def unit(self) -> Unit:
        """Its unit: of the row of units, the heading, or most cells."""
        if self.below.name:
            return self.below
        in_heading = unit_in(self.heading)[1]
        if in_heading.name:
            return in_heading
        named = Counter(unit for cell in self.cells if (unit := _cell_unit(cell)).name)
        if not named:
            return Unit()
        unit, count = named.most_common(1)[0]
        return unit if count >= _LEAST_SHARE * len(self.texts) else Unit()

    @cached_property
    def numbers(self) -> float:
        """Share of the filled cells that hold a number, perhaps with a unit."""
        return self._share(is_number)

    @cached_property
    def dates(self) -> float:
        """Share of the filled cells that hold a date."""
        return self._share(lambda cell: isinstance(cell, dt.date) or _DATE.search(shown(cell)))

    @cached_property
    def words(self) -> float:
        """Share of the filled cells that hold text without being a number."""
        return self._share(lambda cell: isinstance(cell, str | Unreadable) and not is_number(cell))

    @cached_property
    def distinct(self) -> float:
        """Share of the filled cells that differ from all others."""
        return len(set(self.texts)) / len(self.texts) if self.texts else 0.0

    def states(self, target: str) -> bool:
        """Whether most cells state a field among other things."""
        found = [bool(figure_in(target, text, self.heading)) for text in self.texts]
        return sum(found) > _LEAST_SHARE * len(found)

    def _share(self, holds: Callable[[Cell], object]) -> float:
        filled = [cell for cell in self.cells if shown(cell)]
        return sum(bool(holds(cell)) for cell in filled) / len(filled) if filled else 0.0

    def claims(self) -> list[tuple[float, str]]:
        """Targets that it may be, with the score of each."""
        found: dict[str, float] = {}
        for meaning in meanings(unit_in(self.heading)[0]):
            bonus = self._fits(meaning.target, meaning.dimension)
            if bonus is not None:
                score = meaning.score + bonus
                found[meaning.target] = max(score, found.get(meaning.target, 0.0))
        return sorted(((score, target) for target, score in found.items()), reverse=True)

    def _fits(self, target: str, dimension: str) -> float | None:
        """How much the cells and their unit speak for a target; ``None`` where they forbid it."""
        own = BY_NAME[target].dimension if target in BY_NAME else ""
        own = _DIMENSIONS.get(target, own)
        unit = self.unit.dimension
        if dimension and unit != dimension:
            return None
        if target in TEXTS:
            return self._fits_text(target)
        if unit and unit != own:
            return None
        if not self.texts:
            return -1.0 if target in REQUIRED else None
        if self.numbers < _LEAST_SHARE:
            return 0.3 if self.states(target) else None
        return (1.0 if unit else 0.0) + self.numbers / 2

    def _fits_text(self, target: str) -> float | None:
        if not self.texts:
            return None
        if target in {"name", "part_number"}:
            short = sum(map(len, self.texts)) / len(self.texts) < 40
            least = self.words >= _LEAST_SHARE or target == "part_number"
            return self.distinct + (0.3 if short else -0.5) if least else None
        if target == "valid_until":
            return 1.0 if self.dates >= _LEAST_SHARE else None
        if target == "cooling":
            kinds = [kind_of_cooling(text) for text in self.texts]
            return 1.0 if any(kinds) else None
        if target == "package_caps_w":
            return 0.5 if any(map(has_digit, self.texts)) else None
        if target == "discounts":
            listed = any("%" in text and not is_number(text) for text in self.texts)
            percent = self.words >= _LEAST_SHARE and listed
            return 0.5 if percent else None
        if target == "component":
            return 0.2 if self._share(lambda cell: isinstance(cell, str)) >= _LEAST_SHARE else None
        return 0.2 if self.words >= _LEAST_SHARE else None


def kind_of_cooling(text: str) -> str:
    """``air`` or ``liquid``, as the words of a cell say; empty where they do not.

    Examples
    --------
    >>> kind_of_cooling("Wasser"), kind_of_cooling("luftgekühlt"), kind_of_cooling("n/a")
    ('liquid', 'air', '')
    """
    words = words_of("cooling")
    kinds = [kind for kind in ("liquid", "air") if has_word(plain(text), words[kind])]
    return kinds[0] if kinds else ""


def assign(
    columns: Sequence[Column], known: Callable[[str], str] | None = None
) -> dict[str, tuple[Column, float, tuple[Column, ...]]]:
    """The column of each target, its score, and other columns that may be it; best first.

    ``known`` gives the target that a heading has for sure.
    """
    claims = sorted(
        ((score, target, column) for column in columns for score, target in _claims(column, known)),
        key=lambda each: (-each[0], each[2].place, each[1]),
    )
    chosen: dict[str, tuple[Column, float, tuple[Column, ...]]] = {}
    taken: set[int] = set()
    for score, target, column in claims:
        if target not in chosen and column.place not in taken:
            chosen[target] = (column, score, ())
            taken.add(column.place)
    for target, (column, score, _) in chosen.items():
        others = (
            each for _, other, each in claims
            if other == target and each is not column and each.texts
        )  # fmt: skip
        free = tuple(dict.fromkeys(each for each in others if each.place not in taken))
        chosen[target] = (column, score, free)
    return chosen


def _claims(column: Column, known: Callable[[str], str] | None) -> list[tuple[float, str]]:
    target = known(column.heading) if known is not None else ""
    return [(_KNOWN, target)] if target else column.claims()


def _cell_unit(cell: Cell) -> Unit:
    cell = held(cell)
    if isinstance(cell, NumberWithUnit):
        return unit_named(cell.unit, "cells")
    if isinstance(cell, str) and (found := _NUMBER.fullmatch(one_line(cell))):
        before = re.split(r"[\d+-]", one_line(cell))[0]
        return unit_named(found["unit"] or before, "cells")
    return Unit()


def is_number(cell: Cell) -> bool:
    """Whether a cell holds a number, perhaps with a unit.

    Examples
    --------
    >>> is_number("3,060 W"), is_number("Peak (W)")
    (True, False)
    """
    cell = held(cell)
    if isinstance(cell, bool | dt.date):
        return False
    if isinstance(cell, float | NumberWithUnit):
        return True
    return isinstance(cell, str) and _NUMBER.fullmatch(one_line(cell)) is not None
