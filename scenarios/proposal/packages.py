"""The proposed ``[[packages]]`` table of a price sheet: columns, kinds of lines, printed total."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from scenarios.model.line_fields import read_line_cell, read_printed_total
from scenarios.model.package_sheet import PackageSheet
from scenarios.model.quote_fields import short_name
from scenarios.model.tender import Package
from scenarios.package_bill import PackageBill, package_bill, written
from scenarios.proposal.cell_meanings import decimal_of, reads, translations, unit_to_write
from scenarios.proposal.cell_numbers import WITH_UNIT, number_in
from scenarios.proposal.columns import PARTED, Column
from scenarios.proposal.found_tables import CENT, Choice, Found
from scenarios.proposal.lines import BY_AMOUNT, UNPROVEN, Line, Lines, kind_of
from scenarios.proposal.mapping import Around, Mapping, tax_in
from scenarios.proposal.questions import OF_PACKAGES, file_of, has_answers
from scenarios.proposal.words import (
    costs_nothing,
    has_digit,
    has_word,
    plain,
    says_nothing,
    words_of,
)
from scenarios.quotes.package_lines import MOST_LINES, PackageLines, read_package_lines
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_references import column_letters
from scenarios.tables.cell_text import LONGEST_LABEL, CellError, shown

_PER = re.compile(r"/| (?:per|je|pro|par|al|por|za) | ?p\.? ?a(?!\w)", re.IGNORECASE)
"""What parts the unit of a price from the year."""
LOT = "NAME OF THE LOT"
"""Placeholder, which only the buyer can replace."""


@dataclass
class Offer:
    """One ``[[packages]]`` table.

    Attributes
    ----------
    entry
        Its keys and values.
    why
        A comment by the dotted key.
    found, lines
        Where it comes from.
    currency
        Currency of its prices; empty where no sheet says.
    others
        What a person should know, as comments.
    printed
        The printed total and its cell.
    undescribed
        Rows of nodes of which no sheet states idle and peak power.
    places
        The column of each field.
    questions
        Name of the file with the questions about it.
    unproven
        Rows left out for their amount alone, if no printed total says that they are sums.
    """

    entry: dict[str, Any]
    found: Found
    lines: Lines
    currency: str
    why: dict[str, str] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    printed: tuple[Decimal, str] | None = None
    undescribed: list[int] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    questions: str = ""
    unproven: list[int] = field(default_factory=list)

    @property
    def sheet(self) -> dict[str, Any]:
        """Its mapping."""
        sheet: dict[str, Any] = self.entry["sheet"]
        return sheet

    def number(self, row: int) -> str:
        """Number of a row as the mapping names it."""
        return str(self.found.grid.line(row))

    def line(self, row: int) -> str:
        """What a question about a line calls it, as in ``7: Rack``."""
        return f"{self.number(row)}: {self.lines.lines[row].item}"

    def read(self, folder: Path) -> PackageLines:
        """What the mapping reads."""
        sheet = PackageSheet.model_validate(self.sheet)
        return read_package_lines(sheet, folder, "", self.currency or "EUR", "line")

    def bill(self, read: PackageLines) -> PackageBill | None:
        """The bill of lines that were read; ``None`` where there are none, or too many."""
        if not 0 < len(read.lines) <= MOST_LINES:
            return None
        bare = {key: self.entry[key] for key in ("name", "vendor", "lot")}
        return package_bill(Package.model_validate({**bare, "lines": read.lines}))


def offer_of(
    found: Found,
    lines: Lines,
    mapping: Mapping | None,
    around: Around,
    folder: Path,
    before: Sequence[Offer],
) -> Offer:
    """Propose the mapping of the price sheet of a package.

    Parameters
    ----------
    mapping
        The mapping of its node types, where the sheet states what they need.
    folder
        Folder of the file.
    before
        The packages before it, also of other vendors.
    """
    vendor = around.vendor.value
    currency = found.choices["price"].column.unit.currency
    if not currency and len(around.currencies) == 1:
        currency = around.currencies[0].value
    entry: dict[str, Any] = {"name": f"{short_name(vendor)[:56].rstrip('.') or 'vendor'}-package"}
    entry |= {"vendor": vendor, "lot": LOT}
    made = Offer(entry, found, lines, currency)
    made.why["name"] = "name it; no node type may have the name"
    made.why["vendor"] = f"{around.vendor.place}: {around.vendor.text!r}"
    made.why["lot"] = "write the name of the lot; the scenario has it in [[lots]]"
    if currency:
        entry["currency"] = currency
        made.why["currency"] = "if this is not that of the budget, add its rate, as in rate = 1.0"
    places = range(len(found.grid.texts[0]))
    sums = {found.grid.address(row, place) for row in lines.left_out for place in places}
    vat, why = tax_in(found, min(lines.lines), around.texts, sums)
    if vat is None:
        made.others.append(f"VAT: {why}")
    else:
        entry["vat"], made.why["vat"] = vat, why
    entry["sheet"] = {"file": around.file, **({"sheet": around.sheet} if around.sheet else {})}
    number = sum(file_of(each.entry["vendor"]) == file_of(vendor) for each in before)
    made.questions = file_of(vendor, f"{OF_PACKAGES}-{number + 1}" if number else OF_PACKAGES)
    if has_answers(folder / made.questions):
        made.sheet["answers"] = made.questions
        made.why["sheet.answers"] = "the vendor's answers go before what the sheet states"
    _columns(made)
    _rows(made, mapping)
    _settle_total(made, folder)
    return made


def _columns(made: Offer) -> None:
    """Where the table is, and its columns with their units."""
    found, sheet = made.found, made.sheet
    price = found.choices["price"]
    money = {"price": price, "total": found.choices.get("line_total")}
    choices = {key: replace(each, target="price") for key, each in money.items() if each}
    amounts = (
        [found.grid.texts[row][each.column.place] for each in choices.values()]
        for row in made.lines.lines
    )  # where they state nothing, they are asked for
    unpriced = {text for texts in amounts if all(map(says_nothing, texts)) for text in texts}
    choices["quantity"] = found.choices["as_bid_quantity"]
    sheet["decimal"], made.why["sheet.decimal"] = decimal_of(
        (choice.target, cell) for choice in choices.values() for cell in choice.column.cells
    )
    sheet["header_row"] = found.grid.line(found.header)
    below = range(found.body[-1] + 1, len(found.grid.texts))
    if any(found.text(row, key) for row in below for key in ("price", "line_total")):
        sheet["rows"] = [found.grid.line(row) for row in (found.body[0], found.body[-1])]
        made.why["sheet.rows"] = "another table is below"
    if found.units is not None:
        sheet["units_row"] = found.grid.line(found.units)
    if made.lines.watts is not None:
        choices["watts"] = Choice("peak_w", made.lines.watts, price.score)
    columns: dict[str, Any] = {"item": _named(made.lines.item)}
    for key, choice in choices.items():
        given: dict[str, Any] = {**choice.column.named}
        unit = unit_to_write(choice, made.currency)[0]
        if unit and key != "quantity":
            given["unit"] = unit
        cells = [found.grid.cells[row][choice.column.place] for row in made.lines.lines]
        reading = Reading(choice.target, unit, sheet["decimal"], made.currency or "EUR")
        own = replace(reading, target=key)
        unread = [each for each in cells if not reads(each, own, read_line_cell)]
        values = translations(choice, unread, reading)
        if key in money:
            values = {text: value for text, value in values.items() if text not in unpriced}
        if key == "quantity":
            values |= _quantities(made, [each for each in map(shown, unread) if each not in values])
        else:
            values |= _in_words([each for each in map(shown, cells) if len(each) <= LONGEST_LABEL])
        if values:
            given["values"] = values
        columns[key] = given["heading"] if given.keys() == {"heading"} else given
    sheet["columns"] = columns
    made.places = {"item": made.lines.item.place}
    made.places |= {key: choice.column.place for key, choice in choices.items()}
    for key, place in made.places.items():
        made.why[f"sheet.columns.{key}"] = found.grid.address(found.header, place)


def _quantities(made: Offer, texts: Sequence[str]) -> dict[str, Any]:
    """Quantities in words, as a lump sum; of several numbers the one that gives the total."""
    lump = words_of("rows")["lump"]
    found: dict[str, Any] = {text: 1 for text in texts if has_word(plain(text), lump)}
    price, total = (made.found.choices.get(key) for key in ("price", "line_total"))
    if price is None or total is None:
        return found
    for row in made.lines.lines:
        text, cells = made.found.text(row, "as_bid_quantity"), made.found.grid.cells[row]
        each, whole = (number_in(cells[choice.column.place]) for choice in (price, total))
        for number in map(int, re.findall(r"\d+", text) if text in texts else ()):
            if each is None:
                found.setdefault(text, number)
            elif whole is not None and abs(number * each - whole) < CENT:
                found[text] = number
    return {text: found[text] for text in texts if text in found}


def _in_words(texts: Sequence[str]) -> dict[str, Any]:
    """Prices that cost nothing, and amounts of prices per year, as in ``46 800,00 / an``."""
    found: dict[str, Any] = {}
    for text in filter(None, texts):
        number = WITH_UNIT.fullmatch(text)
        unit = number["unit"] if number else ""
        if number and has_word(plain(unit.replace("/", " per ")), words_of("lines")["per_year"]):
            found[text] = f"{number['number'].strip()} {_PER.split(unit)[0].strip()}".strip()
        elif not has_digit(text) and costs_nothing(text):
            found[text] = 0
    return found


def _named(column: Column) -> Any:
    named = column.named
    return named.get("heading", named)


def _rows(made: Offer, mapping: Mapping | None) -> None:
    """What each line is: kinds and names by the number of the row, since items may repeat."""
    sheet = made.sheet
    skipped = {made.number(row): why for row, why in sorted(made.lines.left_out.items())}
    if skipped:
        sheet["skip_rows"] = [int(each) for each in skipped]
        made.why["sheet.skip_rows"] = "; ".join(f"{row}: {why}" for row, why in skipped.items())
    kinds, names = {}, {}
    yearly: dict[str, list[str]] = {}
    for row, line in made.lines.lines.items():
        number = made.number(row)
        kinds[number] = line.kind or "other"
        because = f"by {line.because}" if line.because else "UNKNOWN: no word says what it is"
        made.why[f"sheet.kinds.{number}"] = f"{line.item[:60]!r}, {because}"
        if line.kind == "node":
            if mapping is not None and row in mapping.rows.quotes:
                names[number] = short_name(mapping.found.text(row, "name"))
            else:
                names[number] = _short(made, line) or f"node-{number}"
                made.undescribed.append(row)
                made.others.append(
                    f"no sheet states idle and peak power of {names[number]}: "
                    "describe it in [[node_types]] of the scenario"
                )
        if line.per_year:
            key = "years" if line.years else "per_year"
            yearly.setdefault(key, []).append(number)
            made.why[f"sheet.{key}"] = f"by the word {line.years or line.per_year!r}"
    sheet |= {"kinds": kinds, "names": names, **yearly}
    _follow(made)


def _short(made: Offer, line: Line) -> str:
    """Name of a node type: the beginning of its text, if no other line begins so."""
    heads = [PARTED.split(each.item)[0] for each in made.lines.lines.values()]
    head = PARTED.split(line.item)[0]
    return short_name(head if heads.count(head) == 1 else line.item)


def _follow(made: Offer) -> None:
    """Lines that say that they are for each node, where the quantities agree."""
    nodes, quantity = made.lines.nodes, made.found.choices["as_bid_quantity"].column.place
    if len(nodes) != 1:
        return
    cells = made.found.grid.texts
    per: dict[str, str] = {}
    name = made.sheet["names"][made.number(nodes[0])]
    for row, line in made.lines.lines.items():
        says = not line.years and has_word(plain(line.item), words_of("lines")["per_node"])
        if says and row not in nodes and cells[row][quantity] == cells[nodes[0]][quantity]:
            per[made.number(row)] = f"node:{name}"
            made.why[f"sheet.per.{made.number(row)}"] = f"by the words {says!r}; quantities agree"
    if per:
        made.sheet["per"] = per


def _settle_total(made: Offer, folder: Path) -> None:
    """The sum that follows from the lines, with or without those of each year; else the nearest.

    A vendor that sums lines of each year sells them once, for as many years as the quantity says.
    It proves that rows left out for their amount are sums, unless it may be such a row itself.
    """
    left_out = made.lines.left_out
    made.unproven = [row for row, why in sorted(left_out.items()) if why in UNPROVEN]
    lumps = {row for row in made.unproven if kind_of(made.found.first_text(row))[0]}
    sums = [each for each in _sums(made, made.found.body) if each[1] not in lumps]
    sums = sums or list(_sums(made, range(made.found.header)))
    answered = made.read(folder).printed
    if answered is None and not sums:
        made.others.append("no printed total was found")
        return
    sheet = made.sheet
    yearly = {key: sheet.pop(key) for key in (*sheet,) if key in {"per_year", "years"}}
    once = made.bill(made.read(folder))
    bill = once
    if yearly:
        sheet.update(yearly)
        bill = made.bill(made.read(folder))
    if bill is None or once is None:
        return
    amounts = [written(answered[0])] if answered else [amount for amount, _, _ in sums]
    if yearly and bill.stated_total not in amounts and once.stated_total in amounts:
        for key in yearly:
            del sheet[key]
        made.others.append("the printed total has the lines of each year, so they are due once")
        bill = once
    if answered is not None:
        made.printed = amounts[0], answered[1]
        made.unproven = [] if amounts[0] == bill.stated_total else made.unproven
        return
    amount, row, place = min(sums, key=lambda each: abs(each[0] - bill.stated_total))
    if amount == bill.stated_total:
        made.unproven = []
    made.entry["printed_total"] = {"cell": f"{column_letters(place)}{made.number(row)}"}
    made.printed = amount, made.found.grid.address(row, place)
    fits = "follows from" if amount == bill.stated_total else "DOES NOT FOLLOW from"
    text = f"{made.found.first_text(row)!r}: {amount:,.2f}"
    made.why["printed_total"] = f"{text}, which {fits} the lines"


def _sums(made: Offer, rows: Sequence[int]) -> Iterator[tuple[Decimal, int, int]]:
    """Amount, row and column of every sum in rows of the sheet, from the last row up."""
    found = made.found
    money = (found.choices.get(key) for key in ("line_total", "price"))
    columns = [each.column for each in money if each is not None]
    for row in reversed(rows):
        if made.lines.left_out.get(row) not in {"sum", BY_AMOUNT} and row in found.body:
            continue
        for column in columns:
            unit = column.unit.name if column.unit.place != "cells" else ""
            reading = Reading("printed_total", unit, made.sheet["decimal"], made.currency or "EUR")
            try:
                amount = read_printed_total(found.grid.cells[row][column.place], reading)
            except CellError:
                continue
            yield written(amount), row, column.place
