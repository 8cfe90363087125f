"""From the cells that state a node type to the node type, or to all errors in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scenarios.faults import Fault, printable
from scenarios.formatting import clipped
from scenarios.model.quote_fields import BY_NAME, REQUIRED, read_cell
from scenarios.model.quote_mapping import QuoteTable
from scenarios.package_bill import written
from scenarios.quotes.attributes import ATTRIBUTE, stated
from scenarios.quotes.headings import DISCOUNTS_FROM
from scenarios.quotes.layout import OPTIONS, Layout, Spot
from scenarios.quotes.option_texts import options_in, row_option
from scenarios.quotes.pairs import pair_faults
from scenarios.quotes.prices import (
    add_compute_rate,
    add_cores,
    billed,
    less_rebate,
    of_parts,
    settle_price,
)
from scenarios.quotes.records import Record
from scenarios.tables.cell_text import CellError, as_label
from scenarios.tables.cells import Table

_MOST_NAMED = 20


def all_quotes(
    main: Layout,
    records: list[Record],
    table: QuoteTable,
    constants: Mapping[str, Any],
    shown: str,
) -> tuple[list[dict[str, Any]], list[dict[str, str]], list[Fault]]:
    """The node types of a table, the cells of their fields, and all errors in them.

    Parameters
    ----------
    main, records
        The table of quotes, and the cells of each node type.
    table
        The mapping.
    constants
        Values that it gives for all.
    shown
        What to call the scenario in errors of the mapping.
    """
    quotes: list[dict[str, Any]] = []
    places: list[dict[str, str]] = []
    faults: list[Fault] = []
    names: dict[str, Spot] = {}
    unmapped: dict[str, list[str]] = {}
    for each_record in records:
        record = each_record.whole()
        quote, wrong = _stated(record, table, constants)
        absent = [target for target in REQUIRED if not _is_stated(record, quote, target)]
        if each_record.above is None:  # what its node type lacks is said there
            wrong += _missing(main, record, absent)
        for target in absent:
            if target not in record.blank and each_record.above is None:
                unmapped.setdefault(target, []).append(str(quote.get("name", "?")))
        variants = [quote]
        if not wrong and not absent:
            variants, wrong = _variants(record, quote)
        for each in variants:
            if record.option is None or not (wrong or absent):  # else it has no name of its own yet
                wrong += _same_name(record, each, names)
            if not wrong and not absent:
                wrong += _settled(record, each, table)
            each["origin"] = _origin(main.cells, record.row)
        faults += wrong
        if not wrong and not absent:
            quotes += variants
            places += [_places(record)] * len(variants)
    return quotes, places, [*_unmapped_faults(unmapped, shown), *faults]


def _places(record: Record) -> dict[str, str]:
    """Addresses of the cells that state each field."""
    spots = record.spots.items()
    places = {key.partition(DISCOUNTS_FROM)[0]: spot.address for key, spot in spots}
    if record.bill:
        prices = [each.price for each in record.bill]
        prices += [record.option] if record.option is not None and record.priced_by_text else []
        places["price"] = ", ".join(dict.fromkeys(each.address for each in prices))
    return places


def _stated(
    record: Record, table: QuoteTable, constants: Mapping[str, Any]
) -> tuple[dict[str, Any], list[Fault]]:
    """What the cells of a node type state, each by itself; the price as a decimal."""
    quote, faults = dict(constants), list[Fault]()
    for key, spot in record.spots.items():
        target, _, start = key.partition(DISCOUNTS_FROM)
        try:
            if key.startswith(ATTRIBUTE):
                value = {key.removeprefix(ATTRIBUTE): stated(spot.cell, spot.reading)}
                quote["attributes"] = quote.get("attributes", {}) | value
            elif start:
                quote[target] = [*quote.get(target, []), *read_cell(spot.cell, spot.reading)]
            elif table.parts is not None and key in {*table.parts.per_part} & record.parts.keys():
                quote[target] = of_parts(record.parts[key])
            elif key in BY_NAME:
                quote[target] = read_cell(spot.cell, spot.reading)
        except CellError as error:
            faults.append(spot.fault(str(error)))
    if "discounts" in quote:
        quote["discounts"].sort(key=lambda discount: discount["from_quantity"])
    if "name" in quote and "label" not in quote:
        quote["label"] = as_label(record.spots["name"].cell, "name")
    rebate = written(quote.pop("rebate", 0))
    if record.bill:
        quote["price"], wrong = billed(record.bill, table, rebate, quote.get("as_bid_quantity", 0))
        faults += [spot.fault(str(error)) for spot, error in wrong]
    elif "price" in quote:
        quote["price"] = less_rebate(written(quote["price"]), rebate)
    return quote, faults


def _is_stated(record: Record, quote: Mapping[str, Any], target: str) -> bool:
    billed_price = target == "price" and bool(record.bill)
    return target in quote or target in record.spots or billed_price


def _missing(main: Layout, record: Record, absent: list[str]) -> list[Fault]:
    """The error of the blank cells of a node type, with all of them."""
    spots = {target: record.blank[target] for target in absent if target in record.blank}
    if not spots:
        return []
    row = main.cells.lines[record.row]
    remedy = f"or write skip_rows = [{row}] if the row is not a quote"
    if len(spots) == 1:
        ((target, spot),) = spots.items()
        return [spot.fault(f"{target} is missing; fill it in, {remedy}")]
    listed = ", ".join(f"{target} ({spot.address})" for target, spot in spots.items())
    return [main.cells.row_fault(record.row, f"{listed} are missing; fill them in, {remedy}")]


def _unmapped_faults(unmapped: Mapping[str, list[str]], shown: str) -> Iterator[Fault]:
    """The errors of fields that neither a column nor an answer states, for all node types."""
    targets: dict[tuple[str, ...], list[str]] = {}
    for target, names in unmapped.items():
        targets.setdefault(tuple(names), []).append(target)
    for types, fields in targets.items():
        listed = ", ".join(clipped(name) for name in types[:_MOST_NAMED])
        listed += ", ..." if types[_MOST_NAMED:] else ""
        message = f"there is no column for {', '.join(fields)}; give its heading or its value"
        message += f", or the vendor's answers; node types: {listed}"
        yield Fault(shown, 0, "quotes.columns", message)


def _variants(record: Record, quote: dict[str, Any]) -> tuple[list[dict[str, Any]], list[Fault]]:
    """A node type with its options; an option that has a row is an alternative itself."""
    spot = record.option or record.spots.get(OPTIONS)
    try:
        unit = record.bill[0].price.reading.unit if record.bill else ""
        if record.option is not None:
            priced = not record.priced_by_text
            return [row_option(record.option, quote, unit, priced=priced)], []
        return [quote, *(options_in(spot, quote, unit) if spot is not None else ())], []
    except CellError as error:
        return [quote], [spot.fault(str(error))] if spot is not None else []


def _same_name(record: Record, quote: Mapping[str, Any], names: dict[str, Spot]) -> list[Fault]:
    """The error of a name that an earlier node type has; else the name is noted."""
    spot, name = record.option or record.spots.get("name"), quote.get("name")
    if spot is None or name is None:
        return []
    if name in names:
        return [spot.fault(name_taken(name, names[name].address))]
    names[name] = spot
    return []


def name_taken(name: str, place: str) -> str:
    """The message of a name that the node type at another place has."""
    return f"becomes the name {name!r}, like {place}; rename one of them"


def _settled(record: Record, quote: dict[str, Any], table: QuoteTable) -> list[Fault]:
    """Work out the figures of one node; return what is wrong between them."""
    name = record.spots["name"]
    try:
        settle_price(quote, table)
    except CellError as error:
        return [(record.bill[0].price if record.bill else name).fault(str(error))]
    add_cores(quote)
    add_compute_rate(quote)
    return pair_faults(record.spots, quote)


def _origin(cells: Table, row: int) -> str:
    name = printable(Path(cells.name).name)[:60]
    if not cells.sheet:
        return f"{name}:{cells.row_name(row)}"
    prefix = cells.address(row, 0).rpartition("!")[0]
    return f"{name}: {printable(prefix)[:40]}!{cells.row_name(row)}"
