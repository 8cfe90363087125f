"""What the proposed mappings read: each value with its cell, and what to ask the vendor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Keys
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from scenarios.faults import Fault
from scenarios.formatting import folded
from scenarios.model.node_types import NodeType
from scenarios.model.quote_fields import BY_NAME, read_cell, short_name
from scenarios.model.quote_mapping import QuoteTable
from scenarios.proposal.columns import Column
from scenarios.proposal.figures import described
from scenarios.proposal.found_tables import ANY_MONEY, FROM_ITEMS, Choice, Found
from scenarios.proposal.mapping import Mapping
from scenarios.proposal.notes import corrections_of
from scenarios.proposal.questions import Question, in_unit
from scenarios.proposal.read_back import read_back
from scenarios.proposal.words import words_of
from scenarios.quotes.node_quotes import name_taken
from scenarios.quotes.reader import Quotes, read_quotes
from scenarios.quotes.sheets import ReadCells
from scenarios.reading.groups import whole
from scenarios.reading.quote_sheets import last_row
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import CellError, shown
from scenarios.tables.spreadsheet import read_cells

_COMPARED = ("idle_w", "peak_w", "cores", "sockets", "memory_gb", "bandwidth_gb_s")
"""Fields of which two columns should say the same."""
_SHOWN = {name: rank for rank, name in enumerate(BY_NAME) if name not in {"name", "label"}}
"""Fields that are listed, in the order of the documentation."""
_IN_DOUBT = 128
"""Cores that one processor may have, and two with half as many together."""
_SAME_MONEY = 0.005


@dataclass(frozen=True)
class Value:
    """A figure of a node type.

    Attributes
    ----------
    node_type, vendor, field
        Which figure.
    value, unit
        As a scenario has it.
    place
        Sheet and cell that it was read from; empty where the mapping gives it.
    """

    node_type: str
    vendor: str
    field: str
    value: Any
    unit: str
    place: str


@dataclass(frozen=True)
class Understood:
    """All values and questions, in the order of the sheets."""

    values: tuple[Value, ...]
    questions: tuple[Question, ...]


def understood(mappings: Sequence[Mapping], folder: Path, shown_as: str) -> Understood:
    """Read the sheets with the proposed mappings, which lose the columns that cannot be read.

    Parameters
    ----------
    mappings
        The mappings.
    folder
        Folder of the file with the mappings.
    shown_as
        What to call that file.
    """
    values: list[Value] = []
    questions: list[Question] = []
    names: dict[str, str] = {}
    cells = cache(read_cells)
    for mapping in mappings:
        read = partial(_read_quotes, mapping, mappings, folder, shown_as, names, cells)
        quotes, faults = read_back(mapping, read)
        file = mapping.entry["file"]
        for quote, places in zip(quotes.found, quotes.places, strict=True):
            names.setdefault(quote["name"], ": ".join(filter(None, (file, places.get("name")))))
        values += _values(quotes, mapping)
        for each in _questions(quotes, faults, mapping):
            asked = in_unit(each, mapping.currency) if each.field == "price" else each
            questions.append(asked)
    return Understood(tuple(values), tuple(questions))


def _read_quotes(
    mapping: Mapping,
    mappings: Sequence[Mapping],
    folder: Path,
    shown_as: str,
    names: Keys[str, str],
    cells: ReadCells,
) -> Quotes:
    """The quotes that a mapping reads as it is; a name that another one has read is an error."""
    try:
        table = QuoteTable.model_validate(mapping.entry)
    except ValidationError as error:
        keys = (".".join(map(str, ("quotes", *each["loc"]))) for each in error.errors())
        message = str(error.errors()[0]["msg"])
        return Quotes(faults=tuple(Fault(shown_as, 0, key, message) for key in keys))
    tables = [each for other in mappings if (each := whole(QuoteTable, other.entry)) is not None]
    until = last_row(table, tables)
    read = read_quotes(table, folder, shown_as, mapping.currency or "EUR", until, cells)
    file, wrong = mapping.found.grid.table.name, list[Fault]()
    for quote, places in zip(read.found, read.places, strict=True):
        name = quote["name"]
        taken = [("name", name_taken(name, names[name]))] if name in names else []
        for target, message in (*taken, *_of_node_type(quote)):
            place = places.get(target, "").partition(", ")[0] or f"quotes.columns.{target}"
            wrong.append(Fault(file, 0, place, message))
    return replace(read, faults=(*read.faults, *wrong))


def _of_node_type(quote: Keys[str, Any]) -> Iterator[tuple[str, str]]:
    """Fields that no node type may have so, as half a core, with the reason."""
    try:
        NodeType.model_validate(quote)
    except ValidationError as error:
        for each in error.errors():
            yield str(next(iter(each["loc"]), "name")), str(each["msg"])


def _values(read: Quotes, mapping: Mapping) -> Iterator[Value]:
    for quote, places in zip(read.found, read.places, strict=True):
        name, vendor = str(quote["name"]), str(quote.get("vendor", ""))
        for target in sorted(quote.keys() & _SHOWN.keys(), key=_SHOWN.__getitem__):
            value = quote[target]
            yield Value(name, vendor, target, value, _unit(target, mapping), places.get(target, ""))


def _unit(target: str, mapping: Mapping) -> str:
    field = BY_NAME.get(target)
    if field is None:
        return ""
    return mapping.currency if field.dimension == "money" else field.unit


def _questions(read: Quotes, faults: Sequence[Fault], mapping: Mapping) -> Iterator[Question]:
    """Errors of cells, then contradictions, then what is missing; each figure once."""
    noted: set[tuple[str, str]] = set()
    names = {str(quote["name"]) for quote in read.found}
    for each in (
        *_faulty(faults, mapping),
        *_guessed(mapping),
        *_corrected(mapping),
        *_contradictory(mapping),
    ):
        if (each.node_type, each.field) not in noted:
            noted.add((each.node_type, each.field))
            yield each
    texts = words_of("questions")
    for row in mapping.rows.quotes:
        label = mapping.found.text(row, "name")
        name = short_name(label)
        quote = next((each for each in read.found if each["name"] == name), {})
        for target, text in texts.items():
            unread = name not in names and target in mapping.columns
            stated = target in quote or (unread and _shows(mapping, row, target))
            if target == "vector_bits":  # only the factor that a stated clock lacks
                stated = "clock_ghz" not in quote.get("attributes", {})
            if not stated and (name, target) not in noted:
                noted.add((name, target))
                place = mapping.found.grid.address(row, _place(mapping, target))
                yield Question(_vendor(mapping), name, target, text, place)


def _guessed(mapping: Mapping) -> Iterator[Question]:
    """Prices whose column has money and no word for prices; cores that may be of the whole node."""
    yield from _cores_in_doubt(mapping)
    found, price = mapping.found, mapping.found.choices["price"]
    for row in mapping.rows.quotes if price.why == ANY_MONEY else ():
        place, name = found.grid.address(row, price.column.place), found.text(row, "name")
        text = f"Is {price.column.own!r} the price? {words_of('questions')['price']}"
        yield Question(_vendor(mapping), short_name(name), "price", text, place)


def _cores_in_doubt(mapping: Mapping) -> Iterator[Question]:
    """Large counts in brackets behind several processors, as in ``2 x EPYC (192 cores)``."""
    choice = mapping.found.choices.get("cores_per_socket")
    if choice is None or choice.why != FROM_ITEMS:
        return
    for row in mapping.rows.quotes:
        name, cells = mapping.found.text(row, "name"), mapping.found.grid
        stated = described(choice.target, cells.texts[row][choice.column.place])
        if stated.isdigit() and int(stated) >= _IN_DOUBT:
            text = f"Are {stated} cores those of one processor, as was read, or of the node?"
            place = cells.address(row, choice.column.place)
            yield Question(_vendor(mapping), short_name(name), "cores", text, place)


def _shows(mapping: Mapping, row: int, target: str) -> bool:
    """Whether a cell holds something for a field of a node type, readable or not."""
    other, at = _joined(mapping, row)
    return bool(mapping.found.text(row, target) or (other is not None and other.text(at, target)))


def _place(mapping: Mapping, target: str) -> int:
    """The column of a target, or that of the names where it has none."""
    choices = mapping.found.choices
    return choices.get(target, choices["name"]).column.place


def _vendor(mapping: Mapping) -> str:
    given = mapping.columns.get("vendor")
    return str(given.get("value", "")) if isinstance(given, dict) else ""


def _faulty(faults: Sequence[Fault], mapping: Mapping) -> Iterator[Question]:
    """Cells that cannot be read."""
    cells = dict(_addresses(mapping))
    for fault in faults:
        name, target = cells.get(fault.where, ("", ""))
        if name:
            text = f"What is {target}? {fault.message}"
            yield Question(_vendor(mapping), name, target, text, fault.where)


def _addresses(mapping: Mapping) -> Iterator[tuple[str, tuple[str, str]]]:
    """Each cell that the mapping reads, with its node type and field."""
    name = ""
    for row in sorted((*mapping.rows.quotes, *mapping.rows.parts)):
        name = short_name(mapping.found.text(row, "name")) if row in mapping.rows.quotes else name
        for target, choice in mapping.found.choices.items():
            yield mapping.found.grid.address(row, choice.column.place), (name, target)
        other, at = _joined(mapping, row)
        if other is not None:
            for target, choice in other.choices.items():
                yield other.grid.address(at, choice.column.place), (name, target)


def _joined(mapping: Mapping, row: int) -> tuple[Found | None, int]:
    """The further table, and the row of it that belongs to a row of the first one."""
    join = mapping.join
    if join is None:
        return None, 0
    key = join.called(mapping.found.grid.texts[row][join.key.place])
    for at in join.other.body:
        if folded(join.other.grid.texts[at][join.own_key.place]) == key:
            return join.other, at
    return None, 0


def _corrected(mapping: Mapping) -> Iterator[Question]:
    """Prices of node types whose cells refer to a footnote with an amount of money."""
    for row in mapping.rows.quotes:
        name = short_name(mapping.found.text(row, "name"))
        for note in corrections_of(mapping.texts, mapping.found.grid.texts[row]):
            text = f"{words_of('questions')['price']} A footnote says: {note.text}"
            yield Question(_vendor(mapping), name, "price", text, note.place)


def _contradictory(mapping: Mapping) -> Iterator[Question]:
    """Figures that two cells state differently, and sums that do not fit."""
    for row in mapping.rows.quotes:
        name = short_name(mapping.found.text(row, "name"))
        for target in _COMPARED:
            stated = list(_stated(mapping, row, target))
            if len({round(value, 6) for value, _, _ in stated}) > 1:
                listed = "; ".join(f"{place}: {text}" for _, place, text in stated)
                places = ", ".join(place for _, place, _ in stated)
                text = f"{words_of('questions')[target]} The sheets say {listed}"
                yield Question(_vendor(mapping), name, target, text, places)
        yield from _sums(mapping, row, name)


def _stated(mapping: Mapping, row: int, target: str) -> Iterator[tuple[float, str, str]]:
    """All readable figures that cells give for a field, with their places and texts."""
    tables = [(mapping.found, row)]
    other, at = _joined(mapping, row)
    if other is not None:
        tables.append((other, at))
    for found, line in tables:
        choice = found.choices.get(target)
        if choice is None:
            continue
        for column in (choice.column, *choice.others):
            value = _read(found, line, target, column, mapping)
            if value is not None:
                place = found.grid.address(line, column.place)
                yield value, place, found.grid.texts[line][column.place]


def _read(found: Found, row: int, target: str, column: Column, mapping: Mapping) -> float | None:
    cell = found.grid.cells[row][column.place]
    unit = column.unit.name if column.unit.place != "cells" else ""
    reading = Reading(target, unit, mapping.entry["decimal"], mapping.currency or "EUR")
    try:
        value = read_cell(cell, reading) if shown(cell) else None
    except CellError:
        return None
    return float(value) if isinstance(value, int | float) else None


def _sums(mapping: Mapping, row: int, name: str) -> Iterator[Question]:
    """A line total that is not price times quantity."""
    found = mapping.found
    choices = [found.choices.get(key) for key in ("price", "as_bid_quantity", "line_total")]
    if not all(choices) or "parts" in mapping.entry:
        return
    price, quantity, total = (each for each in choices if isinstance(each, Choice))
    numbers = [
        _read(found, row, target, each.column, mapping)
        for target, each in (("price", price), ("as_bid_quantity", quantity), ("price", total))
    ]
    if None in numbers:
        return
    each, count, whole = (number for number in numbers if number is not None)
    if abs(each * count - whole) > _SAME_MONEY * max(whole, 1.0):
        place = found.grid.address(row, total.column.place)
        text = (
            f"Is the price {each:,.2f}? {count:g} of it are {each * count:,.2f}, not {whole:,.2f}"
        )
        yield Question(_vendor(mapping), name, "price", text, place)
