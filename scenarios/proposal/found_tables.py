"""Tables in a sheet: the row of headings, what is below it, and in which orientation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scenarios.model.quote_fields import FIELDS
from scenarios.proposal.cell_numbers import amounts
from scenarios.proposal.columns import WEAK, Column, assign
from scenarios.proposal.earlier import Earlier
from scenarios.proposal.figures import DESCRIBED, HEADED
from scenarios.proposal.grid import Grid, held
from scenarios.proposal.guesses import by_size, guesses, is_total, net_price
from scenarios.proposal.heading_rows import (
    headings_of,
    holds_values,
    move_to_fullest,
    units_of,
)
from scenarios.proposal.name_guesses import (
    above_part_numbers,
    with_distinct_texts,
    with_merged_texts,
    with_repeated_texts,
)
from scenarios.proposal.unit_words import NO_UNIT, Unit, unit_in
from scenarios.proposal.words import has_word, meanings, plain, words_of
from scenarios.tables.blocks import in_blocks
from scenarios.tables.cell_text import LONGEST_LABEL
from scenarios.tables.cells import NumberWithUnit, Table, Unreadable
from scenarios.tables.headings import heading_text

MOST_HEADER = 60
"""Rows among which headings are looked for."""
_FIELDS = tuple(field.name for field in FIELDS)
_NAMES = ("name", "component", "part_number", "label")
"""Targets that name a node type, the best first."""
FROM_TEXTS = "read from texts"
"""Why a field was chosen that cells state among other things, or do not state."""
FROM_ITEMS = "read from descriptions of whole nodes"
FROM_PARTS = "read from parts, of one part each"
FROM_LINES = "totals of lines, since rebates have no price of one"
ANY_MONEY = "a guess: no other column has money"
CENT = 0.01
"""Amounts that differ by less are equal."""
_LEAST_PRODUCTS = 2
"""Rows in which quantity times price gives the total, of a column that no word names."""
_PART = 0.5
"""Score of a field that cells state among other things."""
_LEAST_BLOCKS = 2
"""Rows of a table of blocks, with that of the labels."""
_LEAST, _LEAST_PRICED = 3, 2
"""Fields of a table; of one with prices a further table may state the others."""


@dataclass(frozen=True)
class Choice:
    """The column that was chosen for a target, and others that may be it."""

    target: str
    column: Column
    score: float
    others: tuple[Column, ...] = ()
    why: str = ""
    """Why it was chosen, where this is not its heading."""


@dataclass(frozen=True)
class Found:
    """A table.

    Attributes
    ----------
    grid
        The sheet, turned where node types are in its columns.
    header
        Index of the last row of headings.
    depth
        Rows of headings.
    body
        Indices of the rows below them, without the row of units.
    units
        Index of a row of units, if there is one.
    choices
        By target.
    columns
        All columns with a heading.
    repeated
        Rows of headings within the body, which begin a page or a chapter.
    """

    grid: Grid
    header: int
    depth: int
    body: tuple[int, ...]
    units: int | None
    choices: dict[str, Choice]
    columns: tuple[Column, ...]
    repeated: tuple[int, ...] = ()

    @property
    def value(self) -> float:
        """How much was recognised."""
        strong = [each for each in self.choices.values() if each.target not in WEAK]
        numbers = sum(each.column.unit.name != "" for each in strong)
        return len(strong) + 0.1 * numbers + 0.01 * sum(each.score for each in strong)

    @property
    def priced(self) -> bool:
        """Whether it states prices."""
        return "price" in self.choices

    def text(self, row: int, target: str) -> str:
        """What the cell of a target shows; empty without a column."""
        choice = self.choices.get(target)
        text = self.grid.texts[row][choice.column.place] if choice else ""
        return choice.column.titles.get(text, text) if choice and target == "name" else text

    def first_text(self, row: int) -> str:
        """The first text in a row that does not begin with a digit."""
        return next((t for t in self.grid.texts[row] if t and not t[0].isdigit()), "")

    def item(self, row: int) -> str:
        """The text of a part or line in a row; empty without one."""
        return self.text(row, "component") or self.text(row, "label")

    def is_sum(self, row: int) -> bool:
        """Whether a row begins with a word for sums, or has one for its name."""
        return any(map(names_sum, (self.first_text(row), self.text(row, "name"))))

    def is_heading(self, row: int) -> bool:
        """Whether a row repeats the headings, or numbers the columns: ``1``, ``2``, ``7=3x6``."""
        if row in self.repeated:
            return True
        texts = self.grid.texts[row]
        stated = [(text, place) for place, text in enumerate(texts) if text]
        if len(stated) < _LEAST_PRICED + 1:
            return False
        heads = range(self.header - self.depth + 1, self.header + 1)
        if any(all(text == self.grid.texts[each][at] for text, at in stated) for each in heads):
            return True
        return [text.split("=")[0].strip("() ") for text, _ in stated] == [
            str(number) for number in range(1, len(stated) + 1)
        ]

    def is_option(self, row: int) -> bool:
        """Whether the name or the part in a row begins with a word for options."""
        name = self.text(row, "name") or self.first_text(row)
        return is_optional(name) or is_optional(self.item(row))

    @property
    def is_price_list(self) -> bool:
        """Whether headings in one row name price, power and quantity, each of a column."""
        named = {key for key, each in self.choices.items() if not each.why and each.column.texts}
        power = bool({"idle_w", "peak_w"} & named)
        return power and {"price", "as_bid_quantity"} <= named and not self.grid.turned

    @property
    def multiplies(self) -> bool:
        """Whether prices times quantities give the totals of lines, each in a column."""
        found = [self.choices.get(key) for key in ("price", "as_bid_quantity", "line_total")]
        columns = [each.column for each in found if each is not None]
        return len(columns) == len(found) and _multiplied(*columns) >= _LEAST_PRODUCTS

    @cached_property
    def is_bill(self) -> bool:
        """Whether it is a bill of materials: several rows of parts make one node type."""
        if not {"component", "label"} & self.choices.keys() or not self.priced or self.grid.turned:
            return False
        names = [
            self.text(row, "name") for row in self.body
            if self.text(row, "price") and not self.is_sum(row) and not self.is_option(row)
        ]  # fmt: skip
        filled = list(filter(None, names))
        continued = names[:1] != [""] and len(filled) < len(names)
        return len(names) > 2 and bool(filled) and (continued or len(set(filled)) < len(filled))


def names_sum(text: str) -> bool:
    """Whether a text begins with a word for sums."""
    return any(plain(text).startswith(f" {each} ") for each in words_of("rows")["sums"])


def is_optional(text: str) -> bool:
    """Whether a text begins with a word for options."""
    first = plain(text).split()[:1]
    return bool(first and has_word(f" {first[0]} ", words_of("concepts")["option"], whole=True))


def tables_in(table: Table, old: Earlier | None = None) -> list[Found]:
    """The tables of a sheet, from the top; none where no row is like headings.

    Headings of an earlier layout keep their meaning.
    """
    best: list[Found] = []
    for turned in (False, True):
        found = [each for each in _tables(Grid(table, turned), old) if not _is_misread(each)]
        if found and _top(found) > _top(best) + (0.5 if turned else 0.0):
            best = found
        if any(each.is_bill or each.is_price_list or each.multiplies for each in best):
            return best
    blocks = in_blocks(table)
    stacked = _below(Grid(blocks), 0, 1, old) if len(blocks.rows) > _LEAST_BLOCKS else None
    prices = [each.text(row, "price") for each in best for row in each.body]
    gain = 0.5 if sum(map(bool, prices)) > 1 else -0.5  # labels of one type may be those of many
    if stacked is not None and stacked.value > _top(best) + gain:
        best = _by_price(stacked)
    return best


def _is_misread(found: Found) -> bool:
    """Whether a sheet is turned wrongly: names are headings of prices, or all prices are sums."""
    if not found.grid.turned:
        return False
    prices = [row for row in found.body if found.text(row, "price")]
    if prices and all(map(found.is_sum, prices)):
        return True
    names = (unit_in(found.text(row, "name"))[0] for row in found.body)
    first = {likely[0].target for name in names if (likely := meanings(name))}
    return bool({"price", "line_total"} & first)


def _by_price(found: Found) -> list[Found]:
    """A table of blocks for each label of prices, as of a chassis and of a node."""
    price, texts = found.choices.get("price"), found.grid.texts
    tables, left = [], {*found.body}
    for column in (price.column, *price.others) if price is not None else ():
        rows = tuple(row for row in found.body if texts[row][column.place])
        if price is not None and rows and left.issuperset(rows):
            left -= {*rows}
            choices = {
                target: each for target, each in found.choices.items()
                if any(texts[row][each.column.place] for row in rows)
            } | {"price": replace(price, column=column, others=())}  # fmt: skip
            tables.append(replace(found, body=rows, choices=choices))
    return sorted(tables, key=lambda each: each.body) or [found]


def _top(found: Sequence[Found]) -> float:
    return max((each.value for each in found), default=0.0)


def _tables(grid: Grid, old: Earlier | None) -> list[Found]:
    """Tables one below the other: each ends above the headings of the next."""
    rows = range(min(len(grid.cells), MOST_HEADER))
    tried = [each for row in rows for depth in (1, 2) if (each := _below(grid, row, depth, old))]
    if not tried:
        return []
    best = max(tried, key=lambda each: (each.value - _cost_of_depth(each), -each.header))
    least = max(_LEAST, 0.6 * best.value)
    chosen: list[Found] = [best]
    for each in sorted(tried, key=lambda each: -each.value):
        near = any(abs(each.header - other.header) < each.depth + 2 for other in chosen)
        if (
            (each.value >= least or each.multiplies)
            and not near
            and each.depth == best.depth
            and not grid.turned
        ):
            chosen.append(each)
    chosen.sort(key=lambda each: each.header)
    ends = [each.header - each.depth for each in chosen[1:]] + [len(grid.cells)]
    cut = [
        _below(grid, each.header - each.depth + 1, each.depth, old, end)
        for each, end in zip(chosen, ends, strict=True)
    ]
    return [each for each in cut if each is not None]


def _cost_of_depth(found: Found) -> float:
    """What a second row of headings has to gain: nothing below merged cells of groups."""
    if found.depth == 1:
        return 0.0
    grid = found.grid
    upper, lower = grid.texts[found.header - 1 : found.header + 1]
    for place, cell in enumerate(grid.cells[found.header - 1]):
        merge = cell.merge if isinstance(cell, Unreadable) else None
        if merge is not None and not (merge.down if grid.turned else merge.across):
            last = place + (merge.rows if grid.turned else merge.columns)
            if sum(map(bool, lower[place:last])) > 1 and sum(map(bool, upper)) > 1:
                return -0.1
    return 0.4


def _below(
    grid: Grid, row: int, depth: int, old: Earlier | None, end: int | None = None
) -> Found | None:
    """What is found if the headings begin in this row; ``depth`` counts their rows."""
    last = row + depth - 1
    if last + 1 >= len(grid.cells):
        return None
    if not grid.turned and grid.table.lines[last] != grid.table.lines[row] + depth - 1:
        return None
    headings = headings_of(grid, row, depth)
    if sum(map(bool, headings)) < 2 or sum(map(bool, grid.texts[row])) < 2:
        return None
    if depth > 1 and any(isinstance(cell, float | NumberWithUnit) for cell in grid.cells[last]):
        return None
    if holds_values(grid.texts[row : last + 1]):
        return None
    units = units_of(grid, last + 1)
    start = last + (2 if units else 1)
    body = tuple(
        each for each in range(start, len(grid.cells) if end is None else end + 1)
        if each < len(grid.cells) and any(grid.texts[each])
    )  # fmt: skip
    if not body:
        return None
    if grid.turned:
        move_to_fullest(headings, grid, row, body)
    columns = tuple(_columns(grid, headings, last, body, units))
    chosen = assign(columns, old.target_of if old is not None else None)
    choices = {
        target: Choice(target, column, score, others)
        for target, (column, score, others) in chosen.items()
    }
    _with_totals(choices, columns)
    _with_guesses(choices, columns)
    _with_figures(choices, columns)
    _with_net_price(choices, columns)
    _with_multiplied_price(choices, columns)
    _with_merged_names(choices, columns, grid, body)
    found = Found(grid, last, depth, body, last + 1 if units else None, choices, columns)
    return _with_name(found)


def _with_merged_names(
    choices: dict[str, Choice], columns: Sequence[Column], grid: Grid, body: Sequence[int]
) -> None:
    """Take texts that are merged over the rows of one power for the names of a bill."""
    powers = [choices[key].column for key in ("idle_w", "peak_w") if key in choices]
    merged = with_merged_texts(_free(columns, choices), powers, grid, body)
    if merged is not None and "price" in choices:
        if "name" in choices:
            choices["label"] = replace(choices["name"], target="label")
        choices["name"] = Choice("name", merged, 0.5, (), "guessed: its texts are merged")


def _with_name(found: Found) -> Found | None:
    """What is found with a column of names; ``None`` where too little is known of its columns."""
    grid, choices = found.grid, found.choices
    if grid.table.origins:
        titles = tuple(grid.cells[row][0] for row in found.body)
        title = Column(0, "", titles, letter=grid.column_name(0))
        choices["name"] = Choice("name", title, 1.0, (), "the title of the block")
    if not {"price", "idle_w", "peak_w", "cores", "memory_gb"} & choices.keys():
        return None
    guess = _guessed_name(found) if "name" not in choices else None
    if guess is not None:
        choices["name"] = guess
    own = next((each for each in _NAMES if each in choices), None)
    if own is None:
        return None
    if own != "name":
        choices["name"] = replace(choices.pop(own), target="name")
    return found if found.value >= (_LEAST_PRICED if found.priced else _LEAST) else None


def _guessed_name(found: Found) -> Choice | None:
    """The column of names by its texts, or by those of parts; else parts name node types."""
    grid, choices, columns, body = found.grid, found.choices, found.columns, found.body
    column, why, free = None, "guessed from its texts", _free(columns, choices)
    if not {"name", "component", "part_number"} & choices.keys():
        column = with_distinct_texts(columns, free, grid, body)
    if "component" in choices:
        column = with_repeated_texts(free, choices["component"].column, grid, body)
        why = "guessed: its texts are of several rows" if column is not None else why
    if column is None and grid.turned and "part_number" in choices:
        column = above_part_numbers(columns, choices["part_number"].column)
    return Choice("name", column, 0.5, (), why) if column is not None else None


def _with_totals(choices: dict[str, Choice], columns: Sequence[Column]) -> None:
    """Take totals of lines for prices, where no column has a price of one."""
    if "price" in choices or "line_total" not in choices:
        return
    money = [each for each in columns if each.unit.dimension == "money"]
    if not is_total(choices["line_total"].column, money, columns):
        choices["price"] = replace(choices.pop("line_total"), target="price")


def _free(columns: Sequence[Column], choices: Mapping[str, Choice]) -> list[Column]:
    """Columns that state no field."""
    taken = {each.column.place for each in choices.values()}
    return [each for each in columns if each.place not in taken]


def with_any_money(found: Found) -> Found:
    """Take the largest amounts of money for prices, where nothing else says which they are."""
    free = [each for each in _free(found.columns, found.choices) if each.numbers > 0.5]
    money = by_size([each for each in free if each.unit.dimension == "money"])
    prices = [Choice("price", each, 0.0, (), ANY_MONEY) for each in money]
    return replace(found, choices=found.choices | {each.target: each for each in prices})


def _with_guesses(choices: dict[str, Choice], columns: Sequence[Column]) -> None:
    """Choose by units and values, where no heading with cells below it has a known word."""
    chosen = {target: each.column for target, each in choices.items() if each.column.texts}
    for target, (column, score, others) in guesses(columns, chosen).items():
        why = "guessed from unit and values"
        choices[target] = Choice(target, column, score, others, why)


def _with_figures(choices: dict[str, Choice], columns: Sequence[Column]) -> None:
    """Take fields that the cells of a column state among other things, as sockets in "2 x CPU"."""
    concepts = words_of("concepts")
    wanted = [*HEADED.items(), *((target, DESCRIBED) for target in HEADED)]
    for target, headed in wanted:
        for column in columns if target not in choices else ():
            text = plain(column.heading)
            named = any(has_word(text, concepts[each]) for each in headed)
            if named and column.numbers < 0.5 and column.states(target):
                choices[target] = Choice(target, column, _PART, (), FROM_TEXTS)
                break


def _with_net_price(choices: dict[str, Choice], columns: Sequence[Column]) -> None:
    """Take the column that is the list price less its rebate in every row for the price."""
    price = choices.get("price")
    rebates = [each for each in columns if each.unit.dimension == "fraction"]
    if price is None:
        return
    for rebate in rebates:
        for listed in (price.column, *(each for each in columns if each is not price.column)):
            if listed.unit.dimension != "money":
                continue
            net = net_price(listed, rebate, columns)
            if net is not None:
                choices.pop("rebate", None)
                why = f"net: {listed.heading!r} less {rebate.heading!r}"
                for target in [key for key, each in choices.items() if each.column is net]:
                    del choices[target]
                choices["price"] = Choice("price", net, price.score, (), why)
                return


def _with_multiplied_price(choices: dict[str, Choice], columns: Sequence[Column]) -> None:
    """Take the columns of which one times the quantity gives the other for prices and totals."""
    price, quantity = choices.get("price"), choices.get("as_bid_quantity")
    if price is None or quantity is None:
        return
    filled = [each for each in columns if each.numbers > _PART]
    money = [each for each in filled if each.unit.dimension in {"", "money"}]
    own = (choices["line_total"].column,) if "line_total" in choices else money
    triples = [
        (each, count, total)
        for count in (quantity.column, *quantity.others) for total in own for each in money
        if len({each.place, count.place, total.place}) == len((each, count, total))
        and (count is quantity.column or quantity.column in {each, total})
    ]  # fmt: skip
    fits = {each: _multiplied(*each) for each in triples}
    best = max(triples, key=lambda each: (fits[each], each[0] is price.column), default=None)
    if best is None or fits[best] < _LEAST_PRODUCTS:
        return
    if best[1] is not quantity.column:
        choices["as_bid_quantity"] = replace(quantity, column=best[1], others=())
    if best[0] is not price.column:
        others = tuple(each for each in money if each not in best)
        choices["price"] = Choice(
            "price", best[0], price.score, others, "times quantity: the total"
        )
    if best[2] is not own[0] or "line_total" not in choices:
        choices["line_total"] = Choice("line_total", best[2], _PART, (), "quantity times price")


def _multiplied(price: Column, count: Column, total: Column) -> int:
    """Rows in which a price times a quantity gives the total; none if the price is the total."""
    prices, counts, totals = map(amounts, (price, count, total))
    rows = prices.keys() & counts.keys() & totals.keys()
    rows = {row for row in rows if 1 not in {prices[row], counts[row]}}
    return sum(abs(prices[row] * counts[row] - totals[row]) < CENT for row in rows)


def _columns(
    grid: Grid, headings: Sequence[str], last: int, body: Sequence[int], units: dict[int, Unit]
) -> Iterator[Column]:
    """The columns with a heading, which is that of the last row where this is enough."""
    rows, lowest = _filled(grid, body), grid.texts[last]
    folded = [text.casefold() for text in lowest]
    stated = [
        place for place in range(len(headings)) if any(grid.texts[row][place] for row in rows)
    ]
    for place, heading in enumerate(headings):
        if not heading or (grid.turned and not stated[0] <= place <= stated[-1]):
            continue  # a title above the labels, or a footnote below them
        own = lowest[place]
        unclear = not heading_text(grid.cells[last][place])
        unclear = unclear or folded.count(own.casefold()) > 1 or len(own) > LONGEST_LABEL
        cells = tuple(held(grid.cells[row][place]) for row in rows)
        letter = grid.column_name(place) if unclear else ""
        yield Column(place, heading, cells, units.get(place, NO_UNIT), letter, own)


def _filled(grid: Grid, body: Sequence[int]) -> list[int]:
    """Rows with at least half as many cells as the fullest one: no sums, no notes."""
    counts = [sum(map(bool, grid.texts[row])) for row in body]
    least = max(counts) / 2
    return [row for row, count in zip(body, counts, strict=True) if count >= least]
