"""Proposes the mapping of vendors' sheets: every table with prices in every file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scenarios.faults import Fault, ScenarioError
from scenarios.model.quote_fields import short_name
from scenarios.proposal.earlier import Earlier
from scenarios.proposal.found_tables import Found, tables_in, with_any_money
from scenarios.proposal.item_texts import with_item_figures, with_part_figures
from scenarios.proposal.joins import Join, Placed, join_of, with_join_names
from scenarios.proposal.lines import Lines, lines_of, with_pages
from scenarios.proposal.mapping import Around, Mapping, mapping_of, texts_around
from scenarios.proposal.notes import Text, currency_of, vendor_of
from scenarios.proposal.packages import Offer, offer_of
from scenarios.proposal.questions import file_of, has_answers
from scenarios.proposal.rows import TECHNICAL, Rows, rows_of
from scenarios.tables.cells import Table, Unreadable
from scenarios.tables.spreadsheet import read_cells, sheet_names

MOST_SHEETS = 40


@dataclass(frozen=True)
class Proposal:
    """Mappings of all files, and what was noticed.

    Attributes
    ----------
    mappings
        One for each table with prices, in the order of the files.
    remarks
        What a person should know: sheets without a table, currencies, several vendors.
    offers
        One for each price sheet of a whole package.
    """

    mappings: tuple[Mapping, ...]
    remarks: tuple[str, ...]
    offers: tuple[Offer, ...] = ()


def propose(paths: Sequence[Path], folder: Path, old: Earlier | None = None) -> Proposal:
    """Propose the mappings of vendors' files.

    Parameters
    ----------
    paths
        The files.
    folder
        Folder of the file with the mappings; all files must lie in it.
    old
        An earlier layout, whose headings and units are preferred.

    Raises
    ------
    ScenarioError
        A file is not a sheet, lies elsewhere, has too many sheets, or has no table with prices.
    """
    mappings: list[Mapping] = []
    remarks: list[str] = []
    offers: list[Offer] = []
    for path in paths:
        found = _of_file(path, folder, old, offers)
        repeated = _repeated(found.mappings)
        mappings += [each for each in found.mappings if each not in repeated]
        remarks += found.remarks
        offers += found.offers
        for made in repeated:
            grid, header = made.found.grid, made.found.header
            place = grid.address(header, made.found.choices["name"].column.place)
            remarks.append(f"{made.entry['file']}: all node types of the table at {place} are in "
                           "another table; it is not read")  # fmt: skip
    for number, offer in enumerate(offers if len(offers) > 1 else (), start=1):
        offer.entry["name"] += f"-{number}"
    return Proposal(tuple(mappings), tuple(remarks), tuple(offers))


def _repeated(mappings: Sequence[Mapping]) -> list[Mapping]:
    """Tables of one file whose node types are all in others, which state more or come first."""
    known: set[str] = set()
    repeated = []
    for made in sorted(mappings, key=lambda each: -len(each.columns)):
        names = {short_name(made.found.text(row, "name")) for row in made.rows.quotes}
        repeated += [made] if names <= known else []
        known |= names
    return repeated


def _of_file(path: Path, folder: Path, old: Earlier | None, before: Sequence[Offer]) -> Proposal:
    shown = str(path)
    try:
        file = path.resolve().relative_to(folder.resolve()).as_posix()
    except ValueError:
        message = f"is not in the folder {folder}; write the mapping next to the sheets"
        raise _error(shown, message) from None
    names, hidden = sheet_names(path, shown)
    if len(names) > MOST_SHEETS:
        message = (
            f"has {len(names)} sheets, more than {MOST_SHEETS}; copy those with quotes into a "
            "new workbook"
        )
        raise _error(shown, message)
    sheets = [read_cells(path, shown, name or None) for name in names]
    named = len(names) > 1
    placed = [
        Placed(found, file, table.sheet if named else "")
        for table in sheets
        for found in with_pages(tables_in(table, old))
    ]
    if not any(each.found.priced for each in placed):
        placed = [replace(each, found=with_any_money(each.found)) for each in placed]
    priced = [each for each in placed if each.found.priced]
    if not priced:
        raise _error(shown, _no_table(sheets, placed))
    others = [each for each in placed if not each.found.priced]
    packed = [(each, lines) for each in priced if (lines := lines_of(each.found)) is not None]
    priced = [_of_nodes(each) for each in priced]
    bills = [each for each in priced if each.found.is_bill]
    sums = [each for each in priced if bills and not each.found.is_bill]
    joins = [join_of(each, [*others, *(sums if each in bills else ())]) for each in priced]
    priced = [
        replace(each, found=_with_texts(each.found, join))
        for each, join in zip(priced, joins, strict=True)
    ]
    selected = [
        (each, join) for each, join in zip(priced, joins, strict=True)
        if (join is not None or TECHNICAL & each.found.choices.keys())
        and (lines_of(each.found) is None or _states_power(each, join))
    ]  # fmt: skip
    if selected or packed:  # what is left are prices of accessories or services
        priced, joins = [each for each, _ in selected], [join for _, join in selected]
    texts = _texts(priced, joins, packed, sheets)
    vendor = vendor_of(texts, path)
    currencies = currency_of(texts)
    for bare in (False, True):  # at last rows without any figure, for which the vendor is asked
        mappings = [
            mapping_of(each.found, None if bare else join, around, bare=bare)
            for each, join in zip(priced, joins, strict=True)
            for around in (Around(file, each.sheet, vendor, currencies, texts, old),)
        ]
        mappings = [each for each in mappings if each.rows.quotes]
        if mappings or packed:
            break
    if not mappings and not packed:
        message = "states no price of a node type below its headings; ask the vendor"
        raise _error(shown, _no_table(sheets, ()) if any(map(_formulas, sheets)) else message)
    offers = list[Offer]()
    for each, lines in packed:
        around = Around(file, each.sheet, vendor, currencies, texts, old)
        own = _of_table(each, mappings, around, folder)
        offers.append(offer_of(each.found, lines, own, around, folder, (*before, *offers)))
    remarks = _remarks(shown, sheets, placed, mappings)
    used = {each.sheet for each in priced} | {join.sheet for join in joins if join is not None}
    remarks += [f"{shown}: sheet {name!r} is hidden, and read" for name in sorted(hidden & used)]
    if old is not None:
        headings = (column.heading for each in placed for column in each.found.columns)
        remarks += [
            f"{shown}: {old.name} has {heading!r} for {target}; no table has this heading"
            for target, heading in old.missing(headings)
        ]
    return Proposal(tuple(mappings), tuple(remarks), tuple(offers))


def _of_table(
    placed: Placed, mappings: list[Mapping], around: Around, folder: Path
) -> Mapping | None:
    """The mapping of the node types of a price sheet, added if the vendor described them later."""
    of_it = (each for each in mappings if each.found.grid is placed.found.grid)
    own = next((each for each in of_it if each.found.header == placed.found.header), None)
    if own is None and has_answers(folder / file_of(around.vendor.value)):
        own = mapping_of(_with_texts(_of_nodes(placed).found, None), None, around, bare=True)
        mappings.append(own)
    return own


def _of_nodes(placed: Placed) -> Placed:
    """The price sheet of a package without what it states of other lines only."""
    found, lines = placed.found, lines_of(placed.found)
    if lines is None:
        return placed
    choices = {
        key: each for key, each in found.choices.items()
        if key not in TECHNICAL or any(found.text(row, key) for row in lines.nodes)
    }  # fmt: skip
    name, names = choices["name"], {found.text(row, "name") for row in lines.nodes}
    if len(names - {""}) < len(lines.nodes):  # as a column of chapters
        choices["name"] = replace(name, column=lines.item)
    return replace(placed, found=replace(found, choices=choices))


def _with_texts(found: Found, join: Join | None) -> Found:
    """A table with what texts say of its node types, where neither it nor its join has a column."""
    found, lines = with_join_names(found, join), lines_of(found)
    if lines is not None:
        found = with_item_figures(found, lines.nodes, join)
    return with_part_figures(found, join)


def _states_power(placed: Placed, join: Join | None) -> bool:
    """Whether idle and peak power of nodes are stated, without which there is no node type."""
    stated = placed.found.choices.keys() | (join.other.choices.keys() if join is not None else ())
    return {"idle_w", "peak_w"} <= stated


def _texts(
    priced: Sequence[Placed],
    joins: Sequence[Join | None],
    packed: Sequence[tuple[Placed, Lines]],
    sheets: Sequence[Table],
) -> list[Text]:
    founds: list[Found] = [each.found for each in priced]
    rows = [rows_of(each.found, join) for each, join in zip(priced, joins, strict=True)]
    for each, lines in packed:
        founds.append(each.found)
        rows.append(Rows(tuple(lines.lines), {}))
    return texts_around(founds, sheets, rows)


def _no_table(sheets: Sequence[Table], placed: Sequence[Placed]) -> str:
    if placed:
        states = ", ".join(sorted(placed[0].found.choices))
        return (
            f"has no column of prices; a table with {states} was found. Give the file with the "
            "prices too, or write the mapping by hand"
        )
    faulty = [each for each in sheets if _formulas(each)]
    if faulty:
        return (
            f"has formulas without stored values ({_formulas(faulty[0])}); open the file, save it "
            "again, and repeat"
        )
    return (
        "has no row of headings with a price, a name and a power that could be recognised; write "
        "the mapping by hand (docs/quotes.md)"
    )


def _formulas(table: Table) -> str:
    """Address of a cell with a formula that has no stored value; empty without one."""
    for row, cells in enumerate(table.rows):
        for place, cell in enumerate(cells):
            if isinstance(cell, Unreadable) and "formula" in cell.message:
                return table.address(row, place)
    return ""


def _remarks(
    shown: str, sheets: Sequence[Table], placed: Sequence[Placed], mappings: Sequence[Mapping]
) -> list[str]:
    remarks = []
    with_tables = {each.found.grid.table.sheet for each in placed}
    bare = [each.sheet for each in sheets if each.sheet and each.sheet not in with_tables]
    if bare:
        remarks.append(f"{shown}: no table in {', '.join(map(repr, bare))}")
    remarks += [
        f"{shown}: no price was understood in the block at {place}; it is not read"
        for place in dict.fromkeys(_unpriced_blocks([each.found for each in placed]))
    ]
    noted = dict.fromkeys(each for made in mappings for each in made.others.get("discounts", ()))
    remarks += [f"{shown}: a note states discounts, not read yet: {each}" for each in noted]
    currencies = sorted({each.currency for each in mappings} - {""})
    if len(currencies) > 1:
        remarks.append(
            f"{shown}: prices in {', '.join(currencies)}; give currency, rate and rate_date for "
            "those that are not in the scenario's currency"
        )
    formulas = [where for each in sheets if (where := _formulas(each))]
    if formulas:
        remarks.append(
            f"{shown}: formulas without stored values, the first in {formulas[0]}; open the file "
            "and save it again"
        )
    return remarks


def _unpriced_blocks(tables: Sequence[Found]) -> Iterator[str]:
    """Where blocks begin that state figures of a node type and are in no table."""
    for found in tables:
        grid = found.grid
        read = {row for each in tables if each.grid is grid for row in each.body}
        for row in range(1, len(grid.cells)) if grid.table.origins else ():
            stated = [each for each in sorted(TECHNICAL) if found.text(row, each)]
            if row not in read and len(stated) > 1:
                yield grid.address(row, 0)


def _error(shown: str, message: str) -> ScenarioError:
    return ScenarioError([Fault(shown, 0, "", message)])
