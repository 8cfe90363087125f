"""Lines of a package from its vendor's price sheet, with the cell of every number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from scenarios.faults import Fault, printable
from scenarios.files import TextFile
from scenarios.formatting import folded, nearest, short
from scenarios.model.line_fields import (
    ANSWERED,
    BY_NAME,
    NUMBERS,
    read_line_cell,
    read_printed_total,
)
from scenarios.model.package_sheet import PackageSheet, TotalCell
from scenarios.model.tender import Rounding
from scenarios.package_bill import cents, line_amount, written
from scenarios.quotes.answers import LINE, Answers, answers_in
from scenarios.quotes.headings import given_values, lay_out
from scenarios.quotes.layout import Layout, Spot
from scenarios.quotes.prices import without_word
from scenarios.quotes.remarks import of_layout
from scenarios.quotes.rows import blank, excess_faults
from scenarios.quotes.sheets import Sheets, key_fault, read_sheet
from scenarios.remark import Remark
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_references import corner
from scenarios.tables.cell_text import CellError, shown
from scenarios.tables.cells import Unreadable

MOST_LINES = 500
_OF_MAPPING = ("kinds", "names", "per")
_YEARLY = ("per_year", "years")


@dataclass
class PackageLines:
    """The lines of one package's sheet.

    Attributes
    ----------
    lines
        Raw lines with ``cells``: where each number and text of them is.
    counted
        By the index of a line that follows others: the cell with its units in the whole offer, and
        these.
    printed
        The printed total and its cell, where a cell was asked for.
    faults
        Errors of the mapping have line 0 and a key path that begins with ``packages``; the caller
        looks up their lines.
    answers
        The vendor's answers, by the number of the row.
    files, remarks
        As of quotes.
    """

    lines: list[dict[str, Any]] = field(default_factory=list)
    counted: dict[int, tuple[Spot, int]] = field(default_factory=dict)
    printed: tuple[float, str] | None = None
    faults: list[Fault] = field(default_factory=list)
    answers: Answers = field(default_factory=dict)
    files: list[TextFile] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)


def read_package_lines(
    sheet: PackageSheet,
    folder: Path,
    shown: str,
    currency: str,
    rounding: Rounding,
    total: TotalCell | None = None,
) -> PackageLines:
    """Read the lines of a package.

    Parameters
    ----------
    sheet
        The mapping.
    folder
        The scenario's folder; the file must lie in it.
    shown
        What to call the scenario in errors of the mapping itself.
    currency, rounding
        Those of the package.
    total
        The cell of the printed total.
    """
    sheets, found = Sheets(), PackageLines()
    at = partial(key_fault, shown, "packages.sheet")
    cells = read_sheet(sheets, folder, sheet.file, sheet.sheet, at)
    found.files, found.faults = sheets.files, sheets.faults
    if cells is None:
        return found
    columns = {key: given for key, given in sheet.columns.items() if given.value is None}
    layout, faults = lay_out(
        sheet, columns, cells, decimal=sheet.decimal, currency=currency, at=at, fields=BY_NAME
    )
    constants, wrong = given_values(sheet, currency, at, BY_NAME, read_line_cell)
    found.faults += [*faults, *wrong]
    answered = _answers(sheet, sheets, folder, currency, at)
    if layout is None:
        return found
    found.faults += _misplaced(layout, answered)
    found.answers = _by_row(answered, found.faults)
    if found.faults:
        return found
    excess = excess_faults(layout)
    found.faults += excess.values()
    layout.rows[:] = [row for row in layout.rows if row not in excess]
    found.faults += _merged_numbers(layout, found.answers)
    rows = _Rows(sheet, layout, constants, rounding, found.answers)
    for row in [] if found.faults else layout.rows[: MOST_LINES + 1]:
        rows.add(row, found)
    found.faults += [] if found.faults else _number_faults(layout, found, rows, at)
    where = partial(Fault, shown, 0, "packages.printed_total.cell")
    spots = (each["printed_total"] for each in found.answers.values() if "printed_total" in each)
    spot = next(spots, None)
    if spot is None and total is not None:
        spot = _total_spot(layout, total, found, where)
    if spot is not None:
        _read_total(spot, found)
    found.remarks += of_layout(layout)
    return found


def _answers(
    sheet: PackageSheet,
    sheets: Sheets,
    folder: Path,
    currency: str,
    at: Callable[[str, str], Fault],
) -> Answers:
    """The vendor's answers by the text of their line, if a file of them is named."""
    if sheet.answers is None:
        return {}
    cells = read_sheet(sheets, folder, sheet.answers, None, at, "answers")
    if cells is None:
        return {}
    found, faults = answers_in(cells, LINE, ANSWERED, sheet.decimal, currency)
    sheets.faults += faults
    return found


def _misplaced(layout: Layout, answered: Answers) -> Iterator[Fault]:
    """Errors of answers for a row that has no line, or that of another text."""
    rows = {layout.cells.row_name(row): row for row in layout.rows}
    for line, spots in answered.items():
        number, _, item = (each.strip() for each in line.partition(":"))
        where = f"row {short(number)}"
        row = rows.get(number)
        message = f"{where} has no line; begin with the row of the line, as in 7: Rack"
        if row is not None:
            own = shown(layout.cell(row, "item"))
            text = folded(own)
            length = min(len(text), len(item))
            message = f"{where} is {short(own)}, not the line of this answer; correct the line"
        if row is None or text[:length] != item[:length]:
            for target, spot in spots.items():
                if target != "printed_total":
                    yield spot.fault(message)


def _by_row(answered: Answers, faults: list[Fault]) -> Answers:
    """Answers by the number of the row."""
    by_row: Answers = {}
    for line, spots in answered.items():
        number = line.partition(":")[0].strip()
        of_row = by_row.setdefault(number, {})
        for target in of_row.keys() & spots.keys():
            message = f"{target} of row {short(number)} is answered in {of_row[target].address} too"
            faults.append(spots[target].fault(f"{message}; keep one of them"))
        of_row |= spots
    return by_row


def _merged_numbers(layout: Layout, answers: Answers) -> Iterator[Fault]:
    """Numbers in a cell that is merged over several lines: it is not clear of which they are."""
    for key in NUMBERS:
        place = layout.places.get(key)
        seen: dict[int, int] = {}
        rows = layout.rows if place is not None else ()
        for row in (r for r in rows if key not in answers.get(layout.cells.row_name(r), {})):
            cell = layout.cells.cell(row, place or 0)
            if not isinstance(cell, Unreadable) or cell.merge is None or cell.merge.rows == 1:
                continue
            first = row - cell.merge.down
            if seen.setdefault(first, row) != row:
                names = " and ".join(layout.cells.row_name(each) for each in (seen[first], row))
                message = f"is {key} of several lines (rows {names}), so each would have it; "
                message += "leave all but one of them out with skip_rows"
                yield layout.cells.fault(first, place or 0, message)
                break


class _Rows:
    """Makes lines of rows, and knows which texts and numbers of rows the mapping has used."""

    def __init__(
        self,
        sheet: PackageSheet,
        layout: Layout,
        constants: Mapping[str, Any],
        rounding: Rounding,
        answers: Answers,
    ) -> None:
        self._sheet = sheet
        self._layout = layout
        self._constants = constants
        self._rounding = rounding
        self._answers = answers
        self._used: set[tuple[str, str]] = set()
        self._items: list[str] = []

    def add(self, row: int, found: PackageLines) -> None:
        """Add the line of a row to those that are found, or its errors."""
        number = self._layout.cells.row_name(row)
        answers = self._answers.get(number, {})
        spots = self._spots(row) | answers
        spots.pop("printed_total", None)
        if "item" not in spots and "item" not in self._constants:
            spots |= self._text(row)
        line, faults = self._stated(spots)
        item = line.get("item", "")
        self._items.append(item)
        chosen = {k: each for k, each in self._chosen(number, item).items() if k not in answers}
        line |= {key: value for key, value in chosen.items() if key != "per"}
        here = self._layout.spot(row, "item")
        if not faults:
            faults = [*self._settled(line, spots, here)]
        if faults:
            found.faults += faults
            return
        line["cells"] = {
            key: _address(spots[key]) for key in line if key in spots and key not in chosen
        }
        if line.get("per_year") and self._key_of("years", number, item) is not None:
            line["quantity"] = min(line["quantity"], 1)
            line["cells"].pop("quantity", None)
        if "per" in chosen:
            if "quantity" in spots:
                found.counted[len(found.lines)] = spots["quantity"], line["quantity"]
            line |= chosen["per"].model_dump(exclude={"source"})
        found.lines.append(line)

    def unused(self) -> Iterator[tuple[str, str]]:
        """Key and message of each text or number in the mapping that is that of no line."""
        items = list(dict.fromkeys(self._items))
        for key in (*_OF_MAPPING, *_YEARLY):
            for text in getattr(self._sheet, key):
                if (key, text) not in self._used:
                    what = f"row {text} has no line" if _is_row(text) else ""
                    what = what or f"no line begins with {short(text)}; {nearest(text, items)}"
                    yield key, what

    def _spots(self, row: int) -> dict[str, Spot]:
        """The cells of a row that hold something."""
        keys = (key for key in self._layout.places if not blank(self._layout, row, key))
        return {key: self._layout.spot(row, key) for key in keys}

    def _text(self, row: int) -> dict[str, Spot]:
        """The first words of a row without an item, in a column that states nothing else."""
        layout = self._layout
        taken = {place for key, place in layout.places.items() if key != "item"}
        for place in (each for each in range(len(layout.cells.rows[row])) if each not in taken):
            cell = layout.cells.cell(row, place)
            if isinstance(cell, Unreadable) and cell.merge is not None:
                cell = cell.merge.shown
            if isinstance(cell, str) and any(map(str.isalpha, cell)):
                return {"item": Spot(layout.cells, row, place, cell, layout.readings["item"])}
        return {}

    def _stated(self, spots: Mapping[str, Spot]) -> tuple[dict[str, Any], list[Fault]]:
        """What the cells of a row state, each by itself."""
        line, faults = dict(self._constants), list[Fault]()
        for key, spot in spots.items():
            cell = without_word(spot).cell if key == "quantity" else spot.cell
            try:
                line[key] = read_line_cell(cell, spot.reading)
            except CellError as error:
                faults.append(spot.fault(str(error)))
        return line, faults

    def _chosen(self, number: str, item: str) -> dict[str, Any]:
        """What the mapping says of a row by its text or number."""
        chosen = dict[str, Any]()
        for key, target in zip(_OF_MAPPING, ("kind", "name", "per"), strict=True):
            text = self._key_of(key, number, item)
            if text is not None:
                chosen[target] = getattr(self._sheet, key)[text]
        for key in _YEARLY:
            if self._key_of(key, number, item) is not None:
                chosen["per_year"] = True
        return chosen

    def _key_of(self, key: str, number: str, item: str) -> str | None:
        """The key of a row: its number, or else the longest text with which its item begins."""
        texts = [*getattr(self._sheet, key)]
        wanted = folded(item)
        begins = [t for t in texts if not _is_row(t) and wanted.startswith(folded(t))]
        text = number if number in texts else max(begins, key=len, default=None)
        if text is not None:
            self._used.add((key, text))
        return text

    def _settled(self, line: dict[str, Any], spots: dict[str, Spot], here: Spot) -> Iterator[Fault]:
        """Fill in what follows from the rest of a line; yield what is wrong between its cells."""
        if "item" not in line:
            yield here.fault("the line has no text; fill it in, or write skip_rows")
            return
        if "kind" not in line and line.get("price", line.get("total", 0)) < 0:
            line["kind"] = "other"
        if "kind" not in line:
            message = "has no kind; give its beginning or row in kinds, or a column of kinds"
            yield here.fault(f"{short(line['item'])} {message}, or write skip_rows")
        is_node = line.get("kind") == "node"
        if is_node and "name" not in line:
            message = "is a line of nodes without its node type; give it in names"
            yield here.fault(f"{short(line['item'])} {message}, or in a column of names")
        if is_node and "quantity" not in line:
            key = "quantity" if "quantity" in self._layout.places else "item"
            cell = self._layout.spot(here.row, key)
            yield cell.fault(f"{short(line['item'])} has no quantity; fill in its cell")
            return
        if is_node:
            line.pop("watts", None)  # they are those of the node type
        count = line.setdefault("quantity", 1)
        total = line.pop("total", None)
        if "price" not in line:
            if count != 1 and total:
                message = f"price is missing, and total is of {count:,} units; fill in the price"
                message += ", or leave the row out with skip_rows"
                yield spots["total"].fault(message)
            line["price"], spots["price"] = total, spots["total"]
            return
        amount = cents(line_amount(written(line["price"]), count, self._rounding))
        stated = amount if total is None else cents(written(total))
        if stated != amount:
            more = "more" if stated > amount else "less"
            message = (
                f"total = {stated:,} is {abs(stated - amount):,} {more} than {count:,} x "
                f"{line['price']:,.15g} = {amount:,}; correct one of them, or ask the vendor"
            )
            yield spots["total"].fault(message)


def _number_faults(
    layout: Layout, found: PackageLines, rows: _Rows, at: Callable[[str, str], Fault]
) -> Iterator[Fault]:
    if not found.lines:
        line = layout.cells.row_name(layout.header)
        message = f"there are no lines below the headings in row {line}; add them"
        yield layout.cells.whole_fault(message)
    if len(found.lines) > MOST_LINES:
        message = f"has more than {MOST_LINES} lines; write rows = [first, last]"
        yield layout.cells.whole_fault(message)
    for key, message in rows.unused():
        yield at(key, message)


def _total_spot(
    layout: Layout, total: TotalCell, found: PackageLines, at: Callable[[str], Fault]
) -> Spot | None:
    """The cell of the printed total, in the unit of its column."""
    cells = layout.cells
    line, column = corner(total.cell)
    if line + 1 not in cells.lines or column >= max(map(len, cells.rows)):
        last = cells.address(len(cells.rows) - 1, max(map(len, cells.rows)) - 1)
        found.faults.append(at(f"there is no cell {total.cell}; the last one is {last}"))
        return None
    row = cells.lines.index(line + 1)
    units = {layout.places[key]: layout.readings[key].unit for key in layout.places}
    price = next(layout.readings[key] for key in ("total", "price") if key in layout.places)
    reading = Reading("printed_total", units.get(column, ""), price.decimal, price.currency)
    cell = cells.cell(row, column)
    if isinstance(cell, Unreadable) and cell.merge is not None:
        cell = cell.merge.shown
    return Spot(cells, row, column, cell, reading)


def _read_total(spot: Spot, found: PackageLines) -> None:
    try:
        found.printed = read_printed_total(spot.cell, spot.reading), _address(spot)
    except CellError as error:
        found.faults.append(spot.fault(str(error)))


def _is_row(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _address(spot: Spot) -> str:
    """File, sheet and cell, as a scenario keeps them."""
    return f"{printable(Path(spot.table.name).name)[:60]}: {spot.address}"
