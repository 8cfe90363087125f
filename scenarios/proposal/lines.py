"""Lines of a whole package in a price sheet: what each is, by words of its item."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, pairwise

from scenarios.proposal.cell_numbers import number_in
from scenarios.proposal.columns import PARTED, Column, is_number
from scenarios.proposal.found_tables import CENT, Found, is_optional, names_sum
from scenarios.proposal.grid import held
from scenarios.proposal.words import costs_nothing, has_digit, has_word, plain, words_of
from scenarios.quotes.package_lines import MOST_LINES
from scenarios.quotes.rows import says_total

_BELOW, BY_AMOUNT = "sum of the rows below", "sum by its amount"
UNPROVEN = (_BELOW, BY_AMOUNT)
"""Why rows are left out whose amount alone makes them sums; a printed total has to follow then."""
_ARE_NODES = ("spare", "login", "storage")
"""Kinds of lines whose noun may be a node or server."""
_MODEL = re.compile(r"\w|typ\w*|tip\w*|tyyp\w*|model\w*")
"""Words of names of models, as in "node type A"."""
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
    per_year, years
        The words that say that it is due in every year, and that its quantity is a number of
        years; empty without one.
    """

    row: int
    item: str
    kind: str
    because: str
    per_year: str
    years: str


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
    lines, left_out = _classified(found, item)
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
    """Tables of a sheet, with those joined that are pages or chapters of one.

    These have the same columns of numbers, and the sum of all is below them.
    """
    runs: list[list[Found]] = []
    for each in tables:
        above = runs[-1][0] if runs else None
        same = above is not None and above.grid is each.grid and _places(above) == _places(each)
        runs[-1:] = [[*runs[-1], each]] if same else [*runs[-1:], [each]]
    return [joined for run in runs for joined in _joined(run)]


def _joined(run: Sequence[Found]) -> Sequence[Found]:
    """Tables with the same columns of numbers, as one where a sum says that they are."""
    one = _as_one(run)
    return [one] if len(run) > 1 and _has_total(one, run[1].header) else run


def _as_one(run: Sequence[Found]) -> Found:
    first, rows = run[0], range(run[0].body[0], run[-1].body[-1] + 1)
    body = tuple(row for row in rows if any(first.grid.texts[row]))
    heads = (range(each.header - each.depth + 1, each.header + 1) for each in run[1:])
    return replace(first, body=body, repeated=tuple(row for each in heads for row in each))


def _has_total(found: Found, after: int) -> bool:
    """Whether a row without a quantity, behind another one, has the sum of all lines above it."""
    lines, _ = _classified(found, found.choices["name"].column)
    amounts = {row: _amount(found, row) for row in found.body if _priced(found, row)}
    return any(
        not counted and _is_one_of(amount, (sum(amounts[each][0] for each in lines if each < row),))
        for row, (amount, counted) in amounts.items() if row > after
    )  # fmt: skip


def _places(found: Found) -> dict[str, int]:
    """The columns of prices, quantities and totals."""
    keys = ("price", "as_bid_quantity", "line_total")
    return {key: found.choices[key].column.place for key in keys if key in found.choices}


def _priced(found: Found, row: int) -> bool:
    return bool(found.text(row, "price") or found.text(row, "line_total"))


def _known(found: Found, column: Column, rows: list[int]) -> int:
    """Cells of a column in these rows whose words say what a line is."""
    return sum(bool(kind_of(found.grid.texts[row][column.place])[0]) for row in rows)


def _classified(found: Found, item: Column) -> tuple[dict[int, Line], dict[int, str]]:
    """Lines, and further rows with an amount.

    The liberal reading counts only where a row with a word for sums has the sum of more lines.
    """
    first, liberal = (_Classified(found, item, liberal=each) for each in (False, True))
    for reading in (first, liberal):
        for row in found.body:
            reading.add(row)
        if first.explained == len(first.lines):
            break
    best = max(first, liberal, key=lambda each: each.explained)
    return best.lines, best.left_out


@dataclass
class _Classified:
    """Rows by what they are, from the top: this depends on those above.

    Attributes
    ----------
    liberal
        Whether an amount makes no row of a known kind a sum, and a blank row ends options.
    section, chapters
        The last title, and the last text of each other column of words.
    terms, terms_at, begun
        The title while it says of lines that they are options or due each year, its place in the
        row, and whether lines follow it: then a blank row ends what is due each year.
    whole, once, since_sum
        Sum of all lines, of those not due each year, and of those since the last sum.
    totalled, ended
        Whether the sum of all lines was seen, and the headings of another table.
    explained
        Lines above the last row with a word for sums that has their sum.
    """

    found: Found
    item: Column
    liberal: bool
    lines: dict[int, Line] = field(default_factory=dict)
    left_out: dict[int, str] = field(default_factory=dict)
    section: str = ""
    terms: str = ""
    terms_at: int = 0
    begun: bool = False
    chapters: dict[int, str] = field(default_factory=dict)
    whole: float = 0.0
    once: float = 0.0
    since_sum: float = 0.0
    totalled: bool = False
    ended: bool = False
    explained: int = 0

    @cached_property
    def _parted(self) -> set[int]:
        """Rows below a blank one; none where most rows are."""
        body, grid = self.found.body, self.found.grid
        rows = {below for row, below in pairwise(body) if grid.parted(row, below)}
        return rows if 2 * len(rows) < len(body) else set()

    def add(self, row: int) -> None:
        """Take the next row for a title, a line, or a row that is left out."""
        found, texts = self.found, self.found.grid.texts[row]
        self.ended = self.ended or (bool(self.lines) and _heads_another(found, row))
        words = (each for each in texts if any(map(str.isalpha, each)))
        text = texts[self.item.place] or next(words, "")
        if not _priced(found, row):
            self._take_title(row, text)
            return
        if row in self._parted and self.begun and (self.liberal or not _are_options(self.terms)):
            self.terms = ""
        self.begun = True
        self.chapters |= _chapters(found, self.item, row)
        amount, counted = _amount(found, row)
        why = self._why_left_out(row, text, amount, counted=counted)
        if why:
            self.left_out[row] = why
        elif text:
            self._add_line(row, text, amount)
        if why.startswith("sum"):
            self.since_sum = 0.0
        if why == _BELOW:
            self.section = self.terms = text

    def _take_title(self, row: int, text: str) -> None:
        """Begin a section; below options, and what is due each year, notes and details do not."""
        texts = self.found.grid.texts[row]
        place = next((at for at, each in enumerate(texts) if each), 0)
        first = next(iter(plain(text).split()), "")
        note = text.endswith(".") or text.startswith("*") or first in words_of("lines")["notes"]
        yearly = has_word(plain(self.terms), words_of("lines")["per_year"])
        if not (yearly or _are_options(self.terms)) or not (note or place > self.terms_at):
            self.section = self.terms = text
            self.terms_at, self.begun = place, False

    def _why_left_out(self, row: int, text: str, amount: float, *, counted: bool) -> str:
        """Why a row with an amount is left out; empty for a line."""
        found, below = self.found, self.totalled and amount > 0  # a rebate is no grand total
        grand = below and bool(has_word(plain(text), _of_totals()))
        self.totalled = self.totalled or _is_one_of(amount, (self.whole, self.once))
        if self.ended or found.is_heading(row):
            return "another table" if self.ended else "headings"
        named = found.is_sum(row) and not (counted and found.text(row, "price"))
        if named or (not counted and (grand or _is_tax(text) or _says_sum(found.grid.texts[row]))):
            self.explained = len(self.lines) if self.totalled else self.explained
            return "sum"
        summary = has_word(plain(self.section), words_of("lines")["summary"]) and not counted
        if summary and _is_one_of(amount, [_amount(found, each)[0] for each in self.lines]):
            return "sum"
        if not counted and not (self.liberal and kind_of(text)[0]):
            sums = (self.whole, self.once, self.since_sum)
            added = len(self.lines) > 1 and _is_one_of(amount, sums)
            if added or _sums_some(found, self.lines, amount):
                return BY_AMOUNT
            if _sums_up_below(found, row):
                return _BELOW
        options = _are_options(self.terms) and len(self.lines) > 1
        return "option" if options or _is_option(found, row) else ""

    def _add_line(self, row: int, text: str, amount: float) -> None:
        kind, because = _kind_of_line(text, [self.section, *self.chapters.values()], amount)
        stated = " ".join(self.found.text(row, key) for key in ("price", "line_total"))
        if kind == "node" and not amount and (costs_nothing(stated) or has_digit(stated)):
            kind, because = "other", "its price of 0"
        cells = map(_without_number, self.found.grid.texts[row])
        said = plain(" ".join((*cells, self.terms)).replace("/", " per "))
        yearly = has_word(said, words_of("lines")["per_year"])
        years = _years(self.found, row, text) if yearly else ""
        self.lines[row] = Line(row, text, kind, because, yearly, years)
        self.totalled = False
        self.whole += amount
        self.once += 0 if yearly else amount
        self.since_sum += amount


def _without_number(text: str) -> str:
    return text.lstrip("0123456789.,' \u00a0\u202f")


def _years(found: Found, row: int, item: str) -> str:
    """The unit of a quantity in years, in its cell or next to it; empty for another unit."""
    texts, place = found.grid.texts[row], found.choices["as_bid_quantity"].column.place
    sides = (next(filter(None, side), "") for side in (texts[:place][::-1], texts[place + 1 :]))
    wordy = (each for each in sides if each != item and not has_digit(each))
    own = plain(_without_number(texts[place])).strip()
    units = [own] if own else [unit for each in wordy if (unit := plain(each).strip())]
    return units[0] if len(units) == 1 and units[0] in words_of("lines")["years"] else ""


def _is_tax(text: str) -> bool:
    """Whether a row without a quantity is a tax, or what it is on."""
    of_sums = [each for each in words_of("rows")["sums"] if " " in each]
    return bool(has_word(plain(text), [*words_of("vat")["tax"], *of_sums]))


def _heads_another(found: Found, row: int) -> bool:
    """Whether a row has texts alone, also in the columns of numbers: headings of another table."""
    keys = ("price", "as_bid_quantity", "line_total")
    stated = [text for key in keys if (text := found.text(row, key))]
    texts = list(filter(None, found.grid.texts[row]))
    known = has_word(plain(" ".join(stated)), words_of("rows")["included"])
    wordy = not any(map(is_number, texts)) and not known and not found.is_heading(row)
    return wordy and len(stated) > 1 and not any(map(is_optional, stated))


def _of_totals() -> list[str]:
    """Words of a total that say whether it has the tax."""
    return [*words_of("vat")["net"], *words_of("vat")["gross"]]


def _is_one_of(amount: float, sums: Sequence[float]) -> bool:
    return amount != 0 and any(abs(amount - each) < CENT for each in sums)


def _chapters(found: Found, item: Column, row: int) -> dict[int, str]:
    """Texts of a row in other columns of words, as of a section that is named once or repeated."""
    texts = found.grid.texts[row]
    places = (each.place for each in found.columns if each.words > 0 and each is not item)
    return {place: texts[place] for place in places if texts[place]}


def _says_sum(texts: Sequence[str]) -> bool:
    """Whether a cell of a row without a quantity begins with a word for sums, also the reader's."""
    return any(names_sum(text) or says_total(text) for text in texts)


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
    return bool(has_word(f" {' '.join(first)} ", words_of("concepts")["option"], whole=True))


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
        number_in(held(found.grid.cells[row][place])) if place is not None else None
        for place in cells
    )
    if total is None:
        total = (price or 0.0) * (1 if count is None else count)
    return total, count is not None or has_digit(found.text(row, "as_bid_quantity"))


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
    first = PARTED.split(item)[0]
    whole, head = (_without_installed(plain(each)) for each in (item, first))
    if word := has_word(head, words_of("lines")["removal"]):
        return "removal", word
    models = plain(" ".join(each for each in first.split() if has_digit(each)))
    noun = _node_noun([each for each in _parted(head) if f" {each} " not in models])
    if found := _named(f" {' '.join(_parted(head))} ", _ARE_NODES if noun else ()):
        return found
    if noun:
        return "node", noun
    if word := has_word(whole, words_of("lines")["removal"]):
        return "removal", word
    return _named(whole) or ("", "")


def _parted(head: str) -> list[str]:
    """Words of a plain text in front of one such as "for"."""
    parting = {plain(each) for each in words_of("lines")["parting"]}
    words = head.split()
    end = next((at for at, each in enumerate(words) if at and f" {each} " in parting), len(words))
    return words[:end]


def _without_installed(text: str) -> str:
    """A plain text without "pre-installed": the vendor does not sell this work."""
    for word in words_of("lines")["pre_installed"]:
        text = re.sub(rf"(?<= ){word}\w* ", "", text)
    return text


def _node_noun(words: Sequence[str]) -> str:
    """The word for a node that is the noun of a head; empty where its noun is another one.

    It is the first word in some languages, else the last one, without the name of a model. Another
    kind's word in front of the last one goes before it, unless it can describe a node.
    """
    lists = words_of("lines")
    if words and words[0] in lists["nodes_in_front"]:
        return words[0]
    named = [each for each in words if not _MODEL.fullmatch(each)]
    if not named or not named[-1].endswith(tuple(lists["nodes_at_end"])):
        return ""
    kind, word = _named(f" {named[0]} ") or ("node", "")
    if word in lists["of_nodes"]:
        return named[-1]
    own = kind in {"node", *_ARE_NODES} and named[-1] in lists["nodes_at_end"]
    return named[-1] if own else ""


def _named(text: str, kinds: Collection[str] = ()) -> tuple[str, str] | None:
    """The first kind, or the first of some ``kinds``, of which a text has a word."""
    found = (
        (kind, has_word(text, words)) for kind, words in words_of("kinds").items()
        if not kinds or kind in kinds
    )  # fmt: skip
    return next((each for each in found if each[1]), None)
