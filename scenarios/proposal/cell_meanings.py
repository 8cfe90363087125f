"""What the cells of a column need in the mapping: unit, decimal mark, translations."""

from __future__ import annotations

import contextlib
import datetime as dt
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from scenarios.formatting import folded
from scenarios.model.quote_fields import BY_NAME, read_cell
from scenarios.proposal.cell_numbers import WITH_UNIT, mark_of, number_in
from scenarios.proposal.columns import kind_of_cooling
from scenarios.proposal.figures import GROUPED, described, figure_in, part_stated
from scenarios.proposal.found_tables import FROM_ITEMS, FROM_PARTS, FROM_TEXTS, Choice
from scenarios.proposal.unit_words import BELOW, reads_unit, unit_named
from scenarios.proposal.words import no_discount, says_nothing
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import LONGEST_LABEL, CellError, shown
from scenarios.tables.cells import Cell, Unreadable
from scenarios.tables.headings import split_unit
from scenarios.tables.number_grammar import Mark
from scenarios.tables.units import factor

_NUMBERS = re.compile(r"\d[\d.,'\u2019]*\d|\d")
_REMARK = re.compile(
    r"(?P<number>.*\d.*?)\s*(?:[*\u00b9\u00b2\u00b3]+|[(\[](?P<brackets>[^\d()\[\]]*)[)\]])"
)
_SMALL = {"idle_w": (10.0, "kW"), "peak_w": (20.0, "kW"), "memory_gb": (16.0, "TB"),
          "price": (800.0, "k")}  # fmt: skip
"""Largest number below which a unit is likely to be a thousand times ours."""


_PARTLY = (FROM_TEXTS, FROM_ITEMS, FROM_PARTS)
_NO_NUMBERS = {"name", "part_number", "vendor", "valid_until", "component", "label", "kind"}


def decimal_of(cells: Iterable[tuple[str, Cell]]) -> tuple[Mark, str]:
    """The decimal mark of the texts that hold numbers, and why; of cells with their targets."""
    clear = {"point": 0, "comma": 0}
    grouped = {"point": 0, "comma": 0}
    for target, cell in cells:
        text = cell.text if isinstance(cell, Unreadable) else cell
        if target in _NO_NUMBERS or not isinstance(text, str):
            continue
        for each in _NUMBERS.finditer(text):
            number, unit = each[0], text[each.end() :].lstrip()
            mark = mark_of(number)
            if mark:
                clear[mark] += 1
            elif (one := GROUPED.fullmatch(number)) and (
                target != "memory_gb" or unit.startswith("G")  # no node has 1.536 GB
            ):
                grouped["point" if one[1] == "," else "comma"] += 1
    for counts, how in ((clear, "certain"), (grouped, "likely, as thousands are grouped")):
        if counts["comma"] != counts["point"]:
            found: Mark = "point" if counts["point"] > counts["comma"] else "comma"
            return found, f"{counts[found]} numbers in texts; {how}"
    return "point", "" if clear["point"] + clear["comma"] == 0 else "a guess: both marks are used"


def unit_to_write(choice: Choice, currency: str) -> tuple[str, str]:
    """The unit that the mapping must give, and whether it is a guess.

    The reader sees a unit in brackets and in cells by itself, in its own spellings.
    """
    column, target = choice.column, choice.target
    dimension = BY_NAME[target].dimension if target in BY_NAME else ""
    if not dimension or dimension == "fraction":
        return "", ""
    unit = column.unit
    bracket = split_unit(column.own)[1]
    reads = reads_unit(bracket, dimension, currency)
    if reads and (unit.place in {BELOW, "cells"} or (unit.place == "brackets" and bracket)):
        return "", ""
    if unit.name:  # brackets with another word, as "(basis)", would be taken for the unit
        return unit.name, ""
    guessed = _guessed(choice)
    why = "unit guessed by the size of the numbers" if guessed or not reads else ""
    if dimension == "money":
        return f"{guessed}{currency}", why
    return guessed or ("" if reads else BY_NAME[target].unit), why


def _guessed(choice: Choice) -> str:
    if choice.target not in _SMALL:
        return ""
    most, unit = _SMALL[choice.target]
    numbers = [number_in(cell) for cell in choice.column.cells if shown(cell)]
    known = [each for each in numbers if each is not None]
    return unit if known and max(known) < most else ""


def translations(choice: Choice, cells: Sequence[Cell], reading: Reading) -> dict[str, Any]:
    """What cells mean that the reader does not understand: words, blanks, units, parts of texts."""
    found: dict[str, Any] = {}
    target = choice.target
    dimension = BY_NAME[target].dimension if target in BY_NAME else ""
    if target == "valid_until":
        found |= days_of([cell for cell in cells if isinstance(cell, str)])
    seen = {*map(folded, found)}
    for cell in cells:
        text = shown(cell)
        merged = isinstance(cell, Unreadable) and cell.merge is not None
        counted = target in {"name", "as_bid_quantity"}
        merged = merged and (counted or bool(dimension) or choice.why in _PARTLY)
        if not (isinstance(cell, str) or merged) or not text or folded(text) in seen:
            continue
        seen.add(folded(text))
        if says_nothing(text) or (target == "discounts" and no_discount(text)):
            found[text] = ""
        elif target == "name":
            found |= {text: title} if (title := choice.column.titles.get(text)) else {}
        elif choice.why in {FROM_ITEMS, FROM_PARTS}:
            found[text] = _in_mark(part_of(choice, text), reading.decimal)
        elif target == "cooling":
            kind = kind_of_cooling(text)
            if kind and text.casefold() != kind:
                found[text] = kind
        elif dimension and dimension != "money" and (value := _translated(text, dimension)):
            found[text] = value
        elif not reads(cell, reading):
            part = part_of(choice, text) or _without_remark(text, cell, reading)
            found |= {text: part} if part or choice.why == FROM_TEXTS else {}
    return {
        key: each for key, each in found.items()
        if not isinstance(each, str) or len(each) <= LONGEST_LABEL
    }  # fmt: skip


def _in_mark(part: str, decimal: Mark) -> str:
    """A part of a text with the decimal mark of its table."""
    found = _NUMBERS.match(part)
    if found is None or mark_of(found[0]) in {None, decimal}:
        return part
    number = f"{number_in(found[0]):.15g}"
    number = number.replace(".", ",") if decimal == "comma" else number
    return f"{number}{part[found.end() :]}"


def _without_remark(text: str, cell: Cell, reading: Reading) -> str:
    """A number without the mark of a footnote, or brackets without a number, behind it.

    Brackets with a unit are none: they belong to the number.
    """
    found = _REMARK.fullmatch(text)
    if found is None or not isinstance(cell, str) or unit_named(found["brackets"] or "", "").name:
        return ""
    return found["number"] if reads(found["number"], reading) else ""


def part_of(choice: Choice, text: str) -> str:
    """The part of a text that states a field; empty where it states none."""
    if choice.why == FROM_ITEMS:
        return described(choice.target, text)
    if choice.why == FROM_PARTS:
        return part_stated(choice.target, text)
    return figure_in(choice.target, text, choice.column.heading)


def reads(cell: Cell, reading: Reading, read: Callable[[Cell, Reading], Any] = read_cell) -> bool:
    """Whether the reader of quotes, or another one, understands a cell by itself."""
    try:
        read(cell, reading)
    except CellError:
        return False
    return True


def _translated(text: str, dimension: str) -> float | int | None:
    """The number of a cell whose unit is spelt otherwise than the reader takes it."""
    split = WITH_UNIT.fullmatch(text)
    if split is None or not split["unit"] or reads_unit(split["unit"].strip(), dimension, ""):
        return None
    unit = unit_named(split["unit"], "cells")
    number = number_in(text)
    if unit.dimension != dimension or number is None:
        return None
    value = number * float(factor(unit.name, dimension, ""))
    return int(value) if value == int(value) else value


_DAY = re.compile(r"\s*(\d{1,2})[/-](\d{1,2})[/-](\d{4})\s*")


def days_of(texts: Sequence[str]) -> dict[str, dt.date]:
    """Dates such as 15/03/2027, where the whole column can be read in one order only."""
    parts = {text: found for text in texts if (found := _DAY.fullmatch(text))}
    first = any(int(each[1]) > 12 for each in parts.values())
    second = any(int(each[2]) > 12 for each in parts.values())
    if first == second:
        return {}
    days: dict[str, dt.date] = {}
    for text, each in parts.items():
        day, month = (each[1], each[2]) if first else (each[2], each[1])
        with contextlib.suppress(ValueError):
            days[text] = dt.date(int(each[3]), int(month), int(day))
    return days
