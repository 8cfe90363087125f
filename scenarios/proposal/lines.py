"""Lines of a whole package in a price sheet: what each is, by words of its item."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scenarios.proposal.cell_numbers import number_in
from scenarios.proposal.columns import Column
from scenarios.proposal.found_tables import Found, is_optional
from scenarios.proposal.words import has_word, plain, words_of

_LEAST_OTHER = 2
"""Kinds of lines next to nodes that make a price list one of a whole package."""
CENT = 0.01
"""Amounts that differ by less are equal."""
PARTED = re.compile(r"[,;:(+\u2013\u2014]| - ")
"""What parts a text from its details."""


@dataclass(frozen=True)
class Line:
    """A line of a package.

    Attributes
    ----------
    row
        Its row.
    item
        Its text.
    kind, word
        What it is, and the word that says so; both are empty where no word is known.
    per_year
        The word that says that it is due in every year; empty without one.
    """

    row: int
    item: str
    kind: str
    word: str
    per_year: str


@dataclass(frozen=True)
class Lines:
    """The lines of a package.

    Attributes
    ----------
    item
        Column of their texts.
    watts
        Column of the power of other lines than nodes, if there is one.
    lines
        By their rows.
    left_out
        Further rows with an amount, such as sums, with the reason.
    """

    item: Column
    watts: Column | None
    lines: dict[int, Line]
    left_out: dict[int, str]

    @property
    def nodes(self) -> tuple[int, ...]:
        """Rows of nodes."""
        return tuple(row for row, line in self.lines.items() if line.kind == "node")


def lines_of(found: Found) -> Lines | None:
    """The lines of a package; ``None`` where a table is only a list of node types."""
    if not {"price", "as_bid_quantity"} <= found.choices.keys():
        return None
    if found.is_bill or found.grid.turned:
        return None
    texts = [each for each in found.columns if each.words > 0]
    if not texts:
        return None
    rows = [row for row in found.body if _priced(found, row)]
    item = max(texts, key=lambda each: (_known(found, each, rows), -each.place))
    lines, left_out = _told_apart(found, item)
    kinds = {each.kind for each in lines.values() if each.kind}
    if "node" not in kinds or len(kinds - {"node"}) < _LEAST_OTHER:
        return None
    others = [row for row, line in lines.items() if line.kind != "node"]
    powers = [each for each in found.columns if each.unit.dimension == "power"]
    peak = found.choices.get("peak_w")
    powers.sort(key=lambda each: peak is None or each is not peak.column)
    watts = (each for each in powers if any(found.grid.texts[row][each.place] for row in others))
    return Lines(item, next(watts, None), lines, left_out)


def _priced(found: Found, row: int) -> bool:
    return bool(found.text(row, "price") or found.text(row, "line_total"))


def _known(found: Found, column: Column, rows: list[int]) -> int:
    """Cells of a column in these rows whose words say what a line is."""
    return sum(bool(kind_of(found.grid.texts[row][column.place])[0]) for row in rows)


def _told_apart(found: Found, item: Column) -> tuple[dict[int, Line], dict[int, str]]:
    """Lines, and further rows with an amount."""
    lines: dict[int, Line] = {}
    left_out: dict[int, str] = {}
    section, since_sum = "", 0.0
    whole = 0.0
    for row in found.body:
        text = found.grid.texts[row][item.place]
        if not _priced(found, row):
            section = text or found.first_text(row) or section
            continue
        amount, counted = _amount(found, row)
        added = not counted and any(abs(amount - each) < CENT for each in (whole, since_sum))
        optional = is_optional(section) and len(lines) > 1
        if found.is_sum(row) or (added and len(lines) > 1):
            left_out[row], since_sum = "sum", 0.0
        elif optional or found.is_option(row):
            left_out[row] = "option"
        elif text:
            kind, word = kind_of(text)
            if not kind:
                kind, word = kind_of(section)
            years = words_of("lines")["per_year"]
            cells = " ".join(each for each in found.grid.texts[row] if not each[:1].isdigit())
            lines[row] = Line(row, text, kind, word, has_word(plain(cells), years))
            whole += amount
            since_sum += amount
    return lines, left_out


def _amount(found: Found, row: int) -> tuple[float, bool]:
    """About what a row comes to, and whether it states a quantity."""
    keys = ("line_total", "price", "as_bid_quantity")
    cells = (found.choices[key].column.place if key in found.choices else None for key in keys)
    total, price, count = (
        number_in(found.grid.cells[row][place]) if place is not None else None for place in cells
    )
    if total is None:
        total = (price or 0.0) * (1 if count is None else count)
    return total, count is not None


def kind_of(item: str) -> tuple[str, str]:
    """Kind of a line, and the word that says so; both empty where no word is known.

    What comes before a sign or a word such as ``for`` decides, if it has a known word.

    Examples
    --------
    >>> kind_of("Rack installation"), kind_of("Compute node with 5 years of support")[0]
    (('installation', 'install'), 'node')
    >>> kind_of("Câbles pour nœuds"), kind_of("Miscellaneous")
    (('network', 'cable'), ('', ''))
    """
    whole = plain(item)
    if word := has_word(whole, words_of("lines")["removal"]):
        return "removal", word
    head = plain(PARTED.split(item)[0])
    parting = {plain(each) for each in words_of("lines")["parting"]}
    words = head.split()
    end = next((at for at, each in enumerate(words) if at and f" {each} " in parting), len(words))
    return _named(f" {' '.join(words[:end])} ") or _named(whole) or ("", "")


def _named(text: str) -> tuple[str, str] | None:
    found = ((kind, has_word(text, words)) for kind, words in words_of("kinds").items())
    return next((each for each in found if each[1]), None)
