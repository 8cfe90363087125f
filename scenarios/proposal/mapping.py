"""The proposed mapping of one table: its keys, why each was chosen, and alternatives."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from scenarios.formatting import folded
from scenarios.model.quote_fields import BY_NAME
from scenarios.proposal.cell_meanings import decimal_of, translations, unit_to_write
from scenarios.proposal.earlier import Earlier
from scenarios.proposal.found_tables import FROM_TEXTS, Choice, Found
from scenarios.proposal.joins import Join
from scenarios.proposal.notes import (
    ByType,
    Note,
    Text,
    discounts_of,
    labelled,
    lead_of,
    tax_of,
    valid_until_of,
)
from scenarios.proposal.rows import Rows, discount_columns, discount_prices, parts_of, rows_of
from scenarios.proposal.stated_by_type import Types
from scenarios.proposal.unit_words import unit_in
from scenarios.proposal.words import has_word, meanings, plain, words_of
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import shown
from scenarios.tables.cells import Cell, Table
from scenarios.tables.headings import heading_text

_SUPPORT = ("support_per_year", "support_percent")
_CERTAIN, _LIKELY = 3.5, 2.5
_SOME = 0.5
_POSITION = re.compile(r"\d{1,2}(\.\d{1,2})?\.?")
"""Number of an item, as 2.1, which shows no decimal mark."""


@dataclass(eq=False)
class Mapping:
    """One ``[[quotes]]`` table.

    Attributes
    ----------
    entry
        Its keys and values.
    why
        A comment by the dotted key.
    others
        Alternatives by the dotted key, each as a line of the file.
    found, join, rows
        Where it comes from.
    texts
        Texts around it.
    currency
        Currency of its prices; empty where no sheet says.
    """

    entry: dict[str, Any]
    found: Found
    join: Join | None
    rows: Rows
    texts: Sequence[Text] = ()
    currency: str = ""
    why: dict[str, str] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=dict)

    @property
    def columns(self) -> dict[str, Any]:
        """Its columns."""
        columns: dict[str, Any] = self.entry["columns"]
        return columns

    def skip(self, lines: Iterable[int], why: str) -> None:
        """Leave out rows of the sheet, with the reason."""
        self.entry["skip_rows"] = sorted({*self.entry.get("skip_rows", ()), *lines})
        self.why["skip_rows"] = "; ".join(filter(None, (self.why.get("skip_rows"), why)))


@dataclass(frozen=True)
class Around:
    """What is known of a file besides one table."""

    file: str
    sheet: str
    vendor: Note
    currencies: Sequence[Note]
    texts: Sequence[Text]
    old: Earlier | None = None


def mapping_of(found: Found, join: Join | None, around: Around, *, bare: bool = False) -> Mapping:
    """Propose the mapping of a table with prices, with rows that state a price only if ``bare``."""
    rows = rows_of(found, join, bare=bare)
    entry: dict[str, Any] = {"file": around.file}
    if around.sheet:
        entry["sheet"] = around.sheet
    made = Mapping(entry, found, join, rows, around.texts)
    _shape(made)
    entry["columns"] = {}
    tables = [found, *([join.other] if join else [])]
    entry["decimal"], made.why["decimal"] = decimal_of(_numbers(tables))
    _currency(made, around)
    parts = parts_of(found)
    for choice in _choices(found):
        if choice.column.own != parts.get("quantity"):
            _add(made, choice, found, around)
    if join:
        _add_join(made, join, around)
    name = found.choices["name"].column
    if parts and "as_bid_quantity" in found.choices.keys() - made.columns.keys():
        for each in found.choices["as_bid_quantity"].others[:1]:
            _add(made, Choice("as_bid_quantity", each, _SOME), found, around)
    if parts and "as_bid_quantity" not in made.columns and name.states("as_bid_quantity"):
        _add(made, Choice("as_bid_quantity", name, _SOME, (), FROM_TEXTS), found, around)
    _add_vendor(made, around)
    _add_stated(made, around)
    vat, made.why["vat"] = tax_in(found, min(made.rows.quotes, default=0), around.texts)
    if vat is not None:
        made.entry["vat"] = vat
    if parts:
        entry["parts"] = parts
        made.why["parts"] = "several rows make one node type; their prices are summed"
    _add_options(made)
    if "discounts" not in made.columns and (discounts := discount_columns(found)):
        entry["discount_columns"] = discounts
        made.why["discount_columns"] = "columns of percentages with a quantity in the heading"
    elif "discounts" not in made.columns:
        _add_discounts(made)
    return made


def _add_discounts(made: Mapping) -> None:
    """Discounts that notes or prices for quantities state."""
    by_type, unclear = discounts_of(made.texts, _types(made))
    _add_by_type(made, "discounts", by_type)
    if "discounts" in made.columns:
        return
    if unclear is not None:
        line = f'discounts = {{ value = "{unclear.value}" }}, for types with it ({unclear.place})'
        made.others["discounts"] = [line]
    elif stated := discount_prices(made.found):
        line = f'discounts = {{ value = "{stated}" }}, by the prices for quantities'
        made.others["discounts"] = [line]


def _types(made: Mapping) -> Types:
    """Name and part number of each node type; in a bill, part numbers are of parts."""
    found, bill = made.found, made.found.is_bill
    numbers = ("" if bill else found.text(row, "part_number") for row in made.rows.quotes)
    names = (found.text(row, "name") for row in made.rows.quotes)
    return tuple((name, *filter(None, [part])) for name, part in zip(names, numbers, strict=True))


def _add_by_type(made: Mapping, target: str, stated: ByType) -> None:
    """What notes state: one value for all, or one for each part number or name."""
    found, rows = made.found, made.rows
    values = [int(each) if each and target == "lead_weeks" else each for each in stated.values]
    if not any(stated.values):
        return
    if len({*values}) == 1:
        made.columns[target] = {"value": values[0]}
    else:
        numbered = all(len(each) > 1 for each in _types(made))
        column = found.choices["part_number" if numbered else "name"].column
        given = dict(zip(rows.quotes, values, strict=True)) | dict.fromkeys(rows.options, "")
        texts = {found.grid.texts[row][column.place]: each for row, each in given.items()}
        by_text = {
            text: texts[text] for text in {folded(each): each for each in texts}.values() if text
        }
        made.columns[target] = {**column.named, "values": by_text}
    made.why[f"columns.{target}"] = stated.why


def _numbers(tables: Sequence[Found]) -> Iterator[tuple[str, Cell]]:
    """Cells that may show the decimal mark, with their targets: of fields, and of other numbers."""
    for found in tables:
        targets = {
            found.choices[key].column.place: key for key in sorted(found.choices, key=_tells)
        }
        for column in found.columns:
            target = targets.get(column.place, "")
            numbers = [each for each in column.texts if each[0].isdigit()]
            first = column is found.columns[0] and not target
            if first and all(map(_POSITION.fullmatch, numbers)):
                continue
            if target or column.numbers >= _SOME:
                yield from ((target, found.grid.cells[row][column.place]) for row in found.body)


def _tells(target: str) -> tuple[bool, bool]:
    """How well the cells of a field show the mark; of fields in one column the best counts."""
    return target in BY_NAME and BY_NAME[target].dimension != "", target != "memory_gb"


def _choices(found: Found) -> list[Choice]:
    left_out = {*_SUPPORT}
    if found.is_bill:  # they are of parts
        left_out |= {"label", "part_number"}
    if "vector_bits" in found.choices:
        left_out.add("flops_per_cycle")
    return [each for key, each in found.choices.items() if key in BY_NAME.keys() - left_out]


def _shape(made: Mapping) -> None:
    found, entry = made.found, made.entry
    if found.grid.turned:
        entry["orientation"] = "columns"
        made.why["orientation"] = "the labels are at the left, each node type has a column"
    if found.grid.table.origins:
        entry["orientation"] = "blocks"
        made.why["orientation"] = "each node type is a block of rows with a label and its values"
    else:
        known = len({each.column.place for each in found.choices.values()})
        all_ = len(found.columns)
        entry["header_row"] = found.grid.line(found.header)
        made.why["header_row"] = f"{known} of {all_} headings are known"
    if found.units is not None:
        entry["units_row"] = found.grid.line(found.units)
    beyond = range(found.body[-1] + 1, len(found.grid.cells))
    if found.is_bill and any(any(found.grid.texts[row]) for row in beyond):
        last = max((row for row in found.body if found.text(row, "price")), default=found.body[-1])
        while any(found.grid.texts[last + 1]) and last < found.body[-1]:
            last += 1
        entry["rows"] = [found.grid.line(found.body[0]), found.grid.line(last)]
        made.why["rows"] = "another table begins below"
    for row, why in sorted(made.rows.skipped.items()):
        made.skip([found.grid.line(row)], f"{found.grid.line(row)}: {why}")


def _currency(made: Mapping, around: Around) -> None:
    """The currency of the price column, or else the only one that the notes name."""
    unit = made.found.choices["price"].column.unit
    made.currency = unit.currency
    if not made.currency and len(around.currencies) == 1:
        note = around.currencies[0]
        made.currency = note.value
        made.why["currency"] = f"{note.place}: {note.text!r}"


def _add(made: Mapping, choice: Choice, found: Found, around: Around, table: str = "") -> None:
    """One column, and what is said of it."""
    target, column = choice.target, choice.column
    unit, guess = unit_to_write(choice, made.currency)
    given = column_given(made, choice, found, unit, table)
    old = around.old.column(target, column.heading) if around.old is not None else None
    if old is not None:
        given |= {key: value for key, value in old.items() if key in {"unit", "values"}}
    target = _written(made, choice)
    if not target:
        return
    bare = given.keys() == {"heading"}
    made.columns[target] = given["heading"] if bare else given
    confidence = _confidence(choice)
    place = found.grid.address(found.header, column.place)
    if around.old is not None:
        confidence = f"as in {around.old.name}" if old is not None else f"new, {confidence}"
    made.why[f"columns.{target}"] = f"{place}, {confidence}{f'; {guess}' if guess else ''}"
    made.others[f"columns.{target}"] = [f"{target} = {each.own!r}" for each in choice.others]


def column_given(
    made: Mapping, choice: Choice, found: Found, unit: str, table: str = ""
) -> dict[str, Any]:
    """One column, with the unit to write and the meanings that the reader cannot see by itself.

    ``table`` is what the mapping calls a further table.
    """
    target, column = choice.target, choice.column
    given: dict[str, Any] = {**column.named}
    if table:
        given["table"] = table
    if unit:
        given["unit"] = unit
    read = (*made.rows.quotes, *made.rows.parts, *made.rows.options)
    rows = found.body if table else read
    cells = [found.grid.cells[row][column.place] for row in rows]
    reading = Reading(target, unit, made.entry["decimal"], made.currency or "EUR")
    values = translations(choice, cells, reading)
    if values:
        given["values"] = values
    return given


def _written(made: Mapping, choice: Choice) -> str:
    """The key of a column; empty where the mapping has to leave it out, with the reason noted."""
    found, target = made.found, choice.target
    tables = [found, *([made.join.other] if made.join is not None else [])]
    stated = {key for table in tables for key in table.choices}
    if target == "price" and "as_bid_quantity" in stated and not parts_of(found):
        return "total_price" if _is_total(choice) else target
    if target == "cores_per_socket" and "cores" in stated:
        return ""
    if target == "rebate":
        heading = choice.column.own
        if any(choice.column.named.items() <= each.items() for each in discount_columns(found)):
            return ""
        price = found.choices.get("price")
        listed = price is not None and has_word(
            plain(price.column.heading), words_of("concepts")["list_price"]
        )
        if not listed:
            made.others["rebate"] = [f"rebate = {heading!r}, if the price is a list price"]
            return ""
    return target


def _is_total(choice: Choice) -> bool:
    """Whether the heading of a price says that it is of several nodes."""
    found = [each.target for each in meanings(unit_in(choice.column.heading)[0])]
    return "line_total" in found and "price" not in found


def _confidence(choice: Choice) -> str:
    """How good a choice is; one whose heading has known words only is certain."""
    if choice.why:
        return choice.why
    bare = unit_in(choice.column.heading)[0]
    known = [each for each in meanings(bare) if each.target == choice.target]
    words = {word for each in known for found in each.words for word in plain(found).split()}
    if choice.score >= _CERTAIN or words.issuperset(plain(bare).split()):
        return "certain"
    return "likely" if choice.score >= _LIKELY else "a guess"


def _add_join(made: Mapping, join: Join, around: Around) -> None:
    other = join.other
    also: dict[str, Any] = {"name": join.name}
    if join.sheet and join.sheet != around.sheet:
        also["sheet"] = join.sheet
    if join.file != around.file:
        also["file"] = join.file
    also["header_row"] = other.grid.line(other.header)
    if other.units is not None:
        also["units_row"] = other.grid.line(other.units)
    if other.grid.turned != made.found.grid.turned:
        also["orientation"] = "columns" if other.grid.turned else "rows"
    also |= {"key": join.own_key.own, "own_key": join.key.own}
    made.entry["also"] = [also]
    made.why["also"] = f"{join.matched} of {join.of} keys are in both tables"
    for choice in _choices(other):
        own = choice.column.place != join.own_key.place
        if own and choice.target not in made.columns and choice.target != "name":
            _add(made, choice, other, around, join.name)


def _add_vendor(made: Mapping, around: Around) -> None:
    if "vendor" not in made.columns:
        made.columns["vendor"] = {"value": around.vendor.value}
        made.why["columns.vendor"] = f"{around.vendor.place}: {around.vendor.text!r}"


def _add_stated(made: Mapping, around: Around) -> None:
    """What notes state for all rows."""
    note = valid_until_of(around.texts)
    if note is not None and "valid_until" not in made.columns:
        made.columns["valid_until"] = {"value": dt.date.fromisoformat(note.value)}
        made.why["columns.valid_until"] = f"{note.place}: {note.text!r}"
    if "lead_weeks" not in made.columns:
        _add_by_type(made, "lead_weeks", lead_of(around.texts, _types(made)))


def _add_options(made: Mapping) -> None:
    """Options that cells list, and support, whose years only the buyer knows."""
    found = made.found
    options = found.choices.get("options")
    lines = [found.grid.line(row) for row in made.rows.options]
    if "total_price" in made.columns:  # it is of one node type, so nothing can be added to it
        if lines:
            listed = ", ".join(map(str, lines))
            made.skip(lines, f"{listed}: options of a price of several nodes")
    elif (
        options is not None
        and not options.column.letter
        and all(text.startswith("+") for text in options.column.texts)
    ):
        made.entry["options"] = {"heading": options.column.own}
        made.why["options"] = "each text becomes a node type at the added price"
    elif lines:
        made.entry["options"] = {"rows": lines}
        made.why["options"] = "rows of options, each of the node type above it"
    for target in _SUPPORT:
        if target in found.choices:
            heading = found.choices[target].column.own
            made.others["support"] = [f"{target} = {heading!r}, with support_years = 5 above"]


def tax_in(
    found: Found, first: int, around: Sequence[Text], sums: Collection[str] = ()
) -> tuple[float | None, str]:
    """The tax in prices, and where it is from: the heading of the price decides, then the notes.

    Headings of other prices never do. "Net" alone counts last: it may be less a rebate.

    Parameters
    ----------
    first
        The first row with a price.
    around
        Texts outside the cells of prices.
    sums
        Places of texts of sums, with and without tax, that say nothing of the prices.
    """
    column = found.choices["price"].column
    grid, rows = found.grid, range(found.header + 1, first)
    own = [column.heading, *(grid.texts[row][column.place] for row in rows)]
    heading = Text(" ".join(filter(None, own)), grid.address(found.header, column.place))
    others = [*range(found.header - found.depth + 1, found.header + 1)]
    others += [row for row in rows if sum(map(bool, grid.texts[row])) > 1]
    headed = {grid.address(row, place) for row in others for place in range(len(grid.cells[row]))}
    notes = [each for each in around if each.place not in headed and each.place not in sums]
    for texts, bare in (([heading], False), (notes, False), ([heading], True)):
        net, gross = tax_of(texts, bare=bare)
        if net or gross:
            break
    else:
        return None, "no sheet says whether prices are net; with gross ones write vat = 0.19"
    if gross and net:
        places = f"{gross[0].place} says gross, {net[0].place} net"
        return None, f"contradiction: {places}; net is assumed"
    if net:
        return None, f"prices are net ({net[0].place}: {net[0].text!r})"
    if stated := next((each for each in (*gross, *tax_of(around)[1]) if each.value), None):
        return float(stated.value) / 100, f"prices are gross ({stated.place}: {stated.text!r})"
    return None, f"prices are gross ({gross[0].place}); write the rate, as in vat = 0.19"


def texts_around(
    founds: Sequence[Found], tables: Iterable[Table], rows: Sequence[Rows]
) -> list[Text]:
    """Texts outside the cells of quotes: titles, notes, headings, sums."""
    used: set[str] = set()
    headings: set[str] = set()
    for found, each in zip(founds, rows, strict=True):
        for column in found.columns:
            used |= {found.grid.address(row, column.place) for row in each.quotes}
            headings.add(found.grid.address(found.header, column.place))
    texts = []
    for table in tables:
        for row, cells in enumerate(table.rows):
            for column_index, cell in enumerate(cells):
                place = table.address(row, column_index)
                if place not in used and (text := heading_text(cell)):
                    behind = next(filter(None, map(shown, cells[column_index + 1 :])), "")
                    dated = f"{text} {behind}" if labelled(text, behind) else text
                    texts.append(Text(dated, place, place in headings))
    return texts
