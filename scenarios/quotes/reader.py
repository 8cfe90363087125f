"""Vendors' quotes from a spreadsheet, each vendor's columns mapped to our fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from scenarios.faults import Fault
from scenarios.fields import LARGEST
from scenarios.files import TextFile
from scenarios.formatting import folded
from scenarios.model.quote_fields import BY_NAME, PRICES, read_cell
from scenarios.model.quote_mapping import QuoteTable
from scenarios.quotes.attributes import stated
from scenarios.quotes.headings import given_values
from scenarios.quotes.layout import PART_OF, BillLine, Layout, Spot
from scenarios.quotes.node_quotes import all_quotes
from scenarios.quotes.records import Record, records_of
from scenarios.quotes.remarks import remarks_on
from scenarios.quotes.rows import JOIN_KEY, NO_PRICE, excess_faults
from scenarios.quotes.sheets import ReadCells, Sheets, key_fault, open_sheets
from scenarios.remark import Remark, remark_at
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import CellError, as_label, is_blank
from scenarios.tables.cells import Cell
from scenarios.tables.spreadsheet import read_cells
from scenarios.understood import SAMPLES, ReadColumn, ReadSheet

MOST_QUOTES = 1000


@dataclass(frozen=True)
class Quotes:
    """The quotes of one table.

    Attributes
    ----------
    found
        One dictionary per quote, with the mapped fields that its row fills, ``label``, and
        ``origin``, its row; quotes with an error are left out.
    faults
        Errors of the mapping have the scenario's file, line 0 and a key path that begins with
        ``quotes``; the caller looks up its line.
    files
        The files with their hashes and without their texts, where they could be read.
    remarks
        What was read and may not have been meant: hidden rows and columns.
    understood
        What was taken from the columns.
    names
        Folded names of all node types, of those with errors too, where there are answers.
    answers
        By folded names of node types: an answer for each.
    places
        For each quote the cells of the fields that cells state.
    """

    found: tuple[dict[str, Any], ...] = ()
    faults: tuple[Fault, ...] = ()
    files: tuple[TextFile, ...] = ()
    remarks: tuple[Remark, ...] = ()
    understood: ReadSheet | None = None
    names: frozenset[str] = frozenset()
    answers: Mapping[str, Spot] = field(default_factory=dict)
    places: tuple[dict[str, str], ...] = ()


def read_quotes(
    table: QuoteTable,
    folder: Path,
    shown: str,
    currency: str,
    until: float = LARGEST,
    read: ReadCells = read_cells,
) -> Quotes:
    """Read the quotes of one table as raw node types.

    Parameters
    ----------
    table
        The mapping.
    folder
        The scenario's folder; the files must lie in it.
    shown
        What to call the scenario in errors of the mapping itself.
    currency
        Currency of the scenario; prices in another one are converted at the rate of the table.
    until
        Last row of the table, where another one follows in the sheet.
    read
        Reads the cells of a sheet; a caller that reads it often keeps them.
    """
    of_sheets = table.currency or currency
    sheets = open_sheets(table, folder, shown, of_sheets, until, read)
    files = tuple(sheets.files)
    if not sheets.files:
        return Quotes(faults=tuple(sheets.faults))
    constants, faults = _constants(table, shown, of_sheets)
    faults += _currency_faults(table, shown, currency)
    if sheets.main is None or sheets.faults or faults:
        return Quotes((), (*faults, *sheets.faults), files)
    shifted = [*_shifted(sheets)]
    records, faults = records_of(sheets.main, table, sheets.joined)
    faults += [] if faults or shifted else _number_faults(sheets.main, records)
    if len(records) > MOST_QUOTES:
        return Quotes((), (*shifted, *faults), files)
    answered = _lay_answers_over(records, sheets)
    quotes, places, wrong = all_quotes(sheets.main, records, table, constants, shown)
    remarks = [*remarks_on(sheets.main, [*sheets.joined.values()], table, records)]
    if answered:
        first = next(iter(next(iter(sheets.answers.values())).values()))
        values = {"answers": (answered, "count")}
        remarks.append(remark_at(first.table.whole_fault(""), "quotes-answered", **values))
    return Quotes(
        tuple(quotes),
        tuple(dict.fromkeys((*shifted, *faults, *wrong))),
        files,
        tuple(remarks),
        _understood([sheets.main, *sheets.joined.values()], records),
        frozenset(name for record in records for name in _names(record))
        if table.answers is not None
        else frozenset(),
        {name: next(iter(spots.values())) for name, spots in sheets.answers.items()},
        tuple(places),
    )


def _shifted(sheets: Sheets) -> Iterator[Fault]:
    """Errors of rows in which cells may be shifted; where each is a quote, it is not read."""
    for layout in filter(None, (sheets.main, *sheets.joined.values())):
        excess = excess_faults(layout)
        if layout is sheets.main and PART_OF not in layout.places:
            layout.rows[:] = [row for row in layout.rows if row not in excess]
        yield from excess.values()


def _understood(layouts: Sequence[Layout], records: Sequence[Record]) -> ReadSheet:
    """The columns of all tables, those of further ones with the names of their sheets."""
    main, columns = layouts[0], list[ReadColumn]()
    for layout in layouts:
        within = "" if layout is main else f"{layout.cells.sheet or Path(layout.cells.name).name}: "
        for key, place in layout.places.items():
            if key == JOIN_KEY:
                continue
            spots = (_spot_of(record, key) for record in records[:SAMPLES])
            samples = tuple("" if spot is None else _sample(spot.cell, key) for spot in spots)
            unit = layout.readings[key].unit
            columns.append(ReadColumn(key, f"{within}{layout.heading(place)}", unit, samples))
    name = Path(main.cells.name).name
    return ReadSheet(name, main.cells.sheet, len(records), tuple(columns))


def _spot_of(record: Record, key: str) -> Spot | None:
    if key in PRICES and record.bill:
        return record.bill[0].price
    if key == "rebate" and record.bill:
        return record.bill[0].rebate
    return record.spots.get(key)


def _sample(cell: Cell, target: str) -> str:
    """A cell as it is written; empty if it shows nothing."""
    with suppress(CellError):
        return "" if is_blank(cell) else as_label(cell, target)
    return ""


def _constants(table: QuoteTable, shown: str, currency: str) -> tuple[dict[str, Any], list[Fault]]:
    """Values of fields and attributes that the mapping gives."""
    at = partial(key_fault, shown, "quotes")
    values, faults = given_values(table, currency, at, BY_NAME, read_cell)
    attributes = dict[str, Any]()
    for name, given in table.attributes.items():
        if given.unit is not None:
            message = f"{name} has no unit; delete the key unit"
            faults.append(at(f"attributes.{name}.unit", message))
        elif given.value is not None:
            reading = Reading(name, "", table.decimal, currency)
            attributes[name] = stated(given.cell, reading)
    return values | ({"attributes": attributes} if attributes else {}), faults


def _currency_faults(table: QuoteTable, shown: str, currency: str) -> list[Fault]:
    """What is wrong between the currency of a sheet, its rate, and the budget's currency."""
    if table.currency not in {None, currency} and table.rate is None:
        message = (
            f"the prices are in {table.currency}, the budget in {currency}; give rate "
            f"({currency} for one {table.currency}) and rate_date"
        )
        return [Fault(shown, 0, "quotes.currency", message)]
    if table.rate is not None and table.currency in {None, currency}:
        message = f"rate = {table.rate:g} converts {currency} into {currency}; give the currency"
        return [Fault(shown, 0, "quotes.rate", f"{message} of the prices, or delete rate")]
    return []


def _number_faults(main: Layout, records: list[Record]) -> list[Fault]:
    cells = main.cells
    if not records:
        line = cells.row_name(main.header)
        where = f"column {line}" if cells.across else f"row {line}"
        message = f"there are no quotes below the headings in {where}; add them"
        if NO_PRICE in main.left_out:
            message += ", or check why no row has a price"
        return [cells.whole_fault(message)]
    if len(records) > MOST_QUOTES:
        message = (
            f"contains {len(records)} quotes, more than {MOST_QUOTES}; write rows = [first, last]"
        )
        return [cells.whole_fault(message)]
    return []


def _names(record: Record) -> Iterator[str]:
    spot = record.spots.get("name")
    if spot is not None and record.option is None:
        with suppress(CellError):
            yield folded(spot.text)
            yield folded(read_cell(spot.cell, spot.reading))


def _lay_answers_over(records: list[Record], sheets: Sheets) -> int:
    """Put answers in the place of what the sheets state; return how many there were."""
    count = 0
    for record in records if sheets.answers else ():
        for name in dict.fromkeys(_names(record)):
            for target, spot in sheets.answers.get(name, {}).items():
                count += 1
                record.blank.pop(target, None)
                if target in PRICES:
                    record.bill = [BillLine(spot)]
                else:
                    if target == "rebate":
                        record.bill = [replace(each, rebate=None) for each in record.bill]
                    record.spots[target] = spot
                    record.parts.pop(target, None)
    return count
