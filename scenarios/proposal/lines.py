"""Lines of a whole package in a price sheet: what each is, by words of its item."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from scenarios.proposal.cell_numbers import number_in
from scenarios.proposal.columns import PARTED, Column
from scenarios.proposal.found_tables import CENT, Found, is_optional
from scenarios.proposal.words import has_word, plain, words_of
from scenarios.quotes.package_lines import MOST_LINES

_LEAST_OTHER = 2
"""Kinds of lines next to nodes that make a price list one of a whole package."""


@dataclass(frozen=True)
class Line:
    """A line of a package.

    Attributes
    ----------
    row
        Its row.
    item
        Its text.
    kind, because
        What it is, and what says so; both are empty where nothing does.
    per_year
        The word that says that it is due in every year; empty without one.
    """

    row: int
    item: str
    kind: str
    because: str
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
    item = max(texts, key=lambda each: (each.distinct * _known(found, each, rows), -each.place))
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


def with_pages(tables: Sequence[Found]) -> list[Found]:
    """Tables of a sheet, with those joined whose first row carries the sum of the one above."""
    pages: list[Found] = []
    for each in tables:
        above = pages[-1] if pages else None
        if above is not None and _carries(each, above):
            rows = range(above.body[0], each.body[-1] + 1)
            body = tuple(row for row in rows if any(each.grid.texts[row]))
            pages[-1] = replace(above, body=body)
        else:
            pages.append(each)
    return pages


def _carries(found: Found, above: Found) -> bool:
    """Whether the first amount of a table is the sum of the one above, under the same headings."""
    same = found.grid is above.grid
    if not same or found.grid.texts[found.header] != found.grid.texts[above.header]:
        return False
    first = next((row for row in found.body if _priced(found, row)), None)
    if first is None or "line_total" not in above.choices:
        return False
    amount, counted = _amount(found, first)
    lines, _ = _told_apart(above, above.choices["name"].column)
    whole = sum(_amount(above, row)[0] for row in lines)
    return not counted and _is_one_of(amount, (whole,))


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
    chapters: dict[int, str] = {}
    for row in found.body:
        texts = found.grid.texts[row]
        words = (each for each in texts if any(map(str.isalpha, each)))
        text = texts[item.place] or next(words, "")
        if not _priced(found, row):
            section = text
            continue
        chapters |= _chapters(found, item, row)
        amount, counted = _amount(found, row)
        added = len(lines) > 1 and _is_one_of(amount, (whole, since_sum))
        if found.is_heading(row):
            left_out[row] = "headings"
        elif found.is_sum(row) or (
            not counted
            and (added or _is_tax(text) or _says_sum(texts) or _sums_some(found, lines, amount))
        ):
            left_out[row], since_sum = "sum", 0.0
        elif not counted and _sums_up_below(found, row):
            left_out[row], since_sum, section = "sum of the rows below", 0.0, text
        elif (_are_options(section) and len(lines) > 1) or _is_option(found, row):
            left_out[row] = "option"
        elif text:
            years = words_of("lines")["per_year"]
            cells = " ".join(each for each in found.grid.texts[row] if not each[:1].isdigit())
            kind, because = _kind_of_line(text, [section, *chapters.values()], amount)
            yearly = has_word(plain(f"{cells} {section}".replace("/", " per ")), years)
            lines[row] = Line(row, text, kind, because, yearly)
            whole += amount
            since_sum += amount
    return lines, left_out


def _is_tax(text: str) -> bool:
    """Whether a row without a quantity is a tax, or what it is on."""
    of_sums = [each for each in words_of("rows")["sums"] if " " in each]
    return bool(has_word(plain(text), [*words_of("vat")["tax"], *of_sums]))


def _is_one_of(amount: float, sums: Sequence[float]) -> bool:
    return amount != 0 and any(abs(amount - each) < CENT for each in sums)


def _chapters(found: Found, item: Column, row: int) -> dict[int, str]:
    """Texts of a row in other columns of words, as of a section that is named once or repeated."""
    texts = found.grid.texts[row]
    places = (each.place for each in found.columns if each.words > 0 and each is not item)
    return {place: texts[place] for place in places if texts[place]}


def _says_sum(texts: Sequence[str]) -> bool:
    """Whether a cell of a row without a quantity begins with a word for sums."""
    sums = words_of("rows")["sums"]
    return any(plain(text).startswith(f" {each} ") for text in texts for each in sums)


def _sums_some(found: Found, lines: Mapping[int, Line], amount: float) -> bool:
    """Whether an amount is the sum of several lines, one below the other, as in a summary."""
    amounts = [_amount(found, row)[0] for row in lines] if len(lines) <= MOST_LINES else []
    sums = list(accumulate(amounts, initial=0.0))
    return amount > 0 and any(
        abs(sums[last] - sums[first] - amount) < CENT
        for last in range(2, len(sums)) for first in range(last - 1)
    )  # fmt: skip


def _sums_up_below(found: Found, row: int) -> bool:
    """Whether a row has the sum of the next rows below it."""
    total, _ = _amount(found, row)
    added, number = 0.0, 0
    start = bisect_right(found.body, row)
    rows = (each for each in found.body[start : start + MOST_LINES] if _priced(found, each))
    for below in rows:
        added, number = added + _amount(found, below)[0], number + 1
        if number > 1 and abs(total - added) < CENT:
            return True
    return False


def _are_options(title: str) -> bool:
    """Whether a title has a word for options among its first ones."""
    first = re.sub(r"\d+", "", plain(title)).split()[:3]
    return bool(has_word(f" {' '.join(first)} ", words_of("concepts")["option"]))


def _is_option(found: Found, row: int) -> bool:
    """Whether a row, or the cell of its price or total, begins with a word for options."""
    cells = (found.text(row, key) for key in ("price", "line_total"))
    return found.is_option(row) or any(map(is_optional, cells))


def _kind_of_line(text: str, sections: Sequence[str], amount: float) -> tuple[str, str]:
    """Kind of a line by its amount, its text or its sections, and by what it is known."""
    if amount < 0:
        return "other", "its negative amount"
    kind, word = kind_of(text)
    for section in sections if not kind else ():
        kind, word = (kind, word) if kind else kind_of(section)
    return kind, f"the word {word!r}" if kind else ""


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
    whole, head = plain(item), plain(PARTED.split(item)[0])
    if word := has_word(head, words_of("lines")["removal"]):
        return "removal", word
    parting = {plain(each) for each in words_of("lines")["parting"]}
    words = head.split()
    end = next((at for at, each in enumerate(words) if at and f" {each} " in parting), len(words))
    if found := _named(f" {' '.join(words[:end])} "):
        return found
    if word := has_word(whole, words_of("lines")["removal"]):
        return "removal", word
    return _named(whole) or ("", "")


def _named(text: str) -> tuple[str, str] | None:
    found = ((kind, has_word(text, words)) for kind, words in words_of("kinds").items())
    return next((each for each in found if each[1]), None)
