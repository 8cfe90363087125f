"""The cells that state each node type: of its rows, of joined tables, and of the answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from scenarios.faults import Fault
from scenarios.formatting import folded
from scenarios.model.quote_fields import PRICES
from scenarios.model.quote_mapping import QuoteTable
from scenarios.quotes.layout import PART_OF, PART_QUANTITY, BillLine, Layout, Spot
from scenarios.quotes.option_texts import adds_an_amount
from scenarios.quotes.rows import JOIN_KEY, NO_PRICE, OWN_KEY, blank
from scenarios.tables.cell_text import CellError, is_blank, quoted
from scenarios.tables.cells import NumberWithUnit


@dataclass(eq=False)
class Record:
    """What states one node type.

    Attributes
    ----------
    row
        Index of its first row in the table of quotes.
    spots
        Cells by what they hold; without those that are blank.
    blank
        Blank cells by what they should hold.
    bill
        The parts of its price.
    parts
        All cells of a bill of materials by what they hold, each with the quantity of its part.
    option
        The cell that names the option that it is; ``None`` for a node type itself.
    above
        The node type of which it is an option: what is stated here replaces what that states, and
        the price is added.
    priced_by_text
        Whether the text of an option has its price, as no cell of its own.
    """

    row: int
    spots: dict[str, Spot] = field(default_factory=dict)
    blank: dict[str, Spot] = field(default_factory=dict)
    bill: list[BillLine] = field(default_factory=list)
    parts: dict[str, list[tuple[Spot, Spot | None]]] = field(default_factory=dict)
    option: Spot | None = None
    above: Record | None = None
    priced_by_text: bool = False

    def whole(self) -> Record:
        """All that states the node type: of an option, with what is stated of its node type."""
        if self.above is None:
            return self
        spots = {**self.above.spots, **self.spots}
        bill = [*self.above.bill, *self.bill]
        parts = {**self.above.parts, **self.parts}
        return replace(
            self, spots=spots, blank=self.above.blank, bill=bill, parts=parts, above=None
        )


def records_of(
    main: Layout, table: QuoteTable, joined: Mapping[str, Layout]
) -> tuple[list[Record], list[Fault]]:
    """Gather the cells of each node type.

    Rows that state no price are left out, and noted in the layout.

    Parameters
    ----------
    main
        The table of quotes.
    table
        Its mapping.
    joined
        The further tables, by their names.
    """
    found: list[Record] = []
    faults: list[Fault] = []
    try:
        join = _Join(joined)
    except _UnfitError as error:
        return [], [error.fault]
    optional = {*table.options.rows} if table.options is not None else set()
    above: Record | None = None
    unfit: list[Record] = []
    for row in main.rows:
        try:
            if main.cells.lines[row] in optional:
                found.append(_option(main, row, above, join))
                continue
            if above is None or not _continues(main, row, above):
                if _is_note(main, row):
                    main.left_out.setdefault(NO_PRICE, []).append(row)
                    continue
                above = Record(row)
                found.append(above)
            _fill(above, main, row, join)
        except _UnfitError as error:
            faults.append(error.fault)
            unfit += [above] if above is not None else []
    found = [each for each in found if each not in unfit and each.above not in unfit]
    lines = {main.cells.lines[row] for row in main.rows}
    for line in sorted(optional - lines):
        message = f"options.rows lists {line}, where nothing with a price is read; correct it"
        faults.append(main.cells.whole_fault(message))
    if any(each.value is None for key, each in table.columns.items() if key in PRICES):
        _leave_out_unpriced(found, main)
    return found, faults


class _UnfitError(Exception):
    """A row that does not fit any node type; it has the error."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class _Join:
    """Rows of further tables by their keys."""

    def __init__(self, joined: Mapping[str, Layout]) -> None:
        self._joined = joined
        self._rows: dict[str, dict[str, list[int]]] = {}
        for name, layout in joined.items():
            rows = self._rows[name] = {}
            for row in layout.rows:
                rows.setdefault(folded(_text(layout.spot(row, JOIN_KEY))), []).append(row)

    def spots(self, own: Mapping[str, Spot], *, option: bool) -> Iterator[tuple[str, Spot]]:
        """The cells of further tables that belong to a row with these keys.

        An option, which may be named in the column of the key, need not have any.
        """
        for name, layout in self._joined.items():
            key = own.get(f"{OWN_KEY}{name}")
            if key is None:
                continue
            text = _text(key)
            rows = self._rows[name].get(folded(text), [])
            heading = quoted(layout.heading(layout.places[JOIN_KEY]))
            where = layout.cells.sheet or Path(layout.cells.name).name
            if not rows and not option and not {*PRICES} & layout.places.keys():
                message = f"{quoted(text)} is not in the column {heading} of {where}; correct it"
                raise _UnfitError(key.fault(message))
            if len(rows) > 1:
                first, second = (layout.spot(row, JOIN_KEY) for row in rows[:2])
                message = f"{quoted(text)} is in {first.address} too; keep one of them"
                raise _UnfitError(second.fault(message))
            for row in rows:
                for target in layout.places:
                    if target != JOIN_KEY:
                        yield target, layout.spot(row, target)


def _is_note(main: Layout, row: int) -> bool:
    """Whether a row above the first node type of a bill of materials states no price.

    Raises
    ------
    _UnfitError
        It states one, and no node type.
    """
    if not blank(main, row, PART_OF):
        return False
    if blank(main, row, "price"):
        return True
    message = "names no node type; fill it in, or write skip_rows"
    raise _UnfitError(main.spot(row, PART_OF).fault(message))


def _continues(main: Layout, row: int, above: Record) -> bool:
    """Whether a row of a bill of materials belongs to the node type above it.

    A rebate does, since no price of a node type is negative.
    """
    if PART_OF not in main.places:
        return False
    if blank(main, row, PART_OF) or _is_negative(main, row):
        return True
    named = above.spots.get(PART_OF)
    own = folded(_text(main.spot(row, PART_OF)))
    return named is not None and own == folded(_text(named))


def _is_negative(main: Layout, row: int) -> bool:
    """Whether the price in a row is negative."""
    cell = main.cell(row, "price") if "price" in main.places else None
    if isinstance(cell, str):
        return re.match(r"\s*-\s?\d", cell) is not None
    number = cell.stored if isinstance(cell, NumberWithUnit) else cell
    return isinstance(number, float) and number < 0.0


def _fill(record: Record, main: Layout, row: int, join: _Join, *, option: bool = False) -> None:
    """Add what a row states: the first row that states something goes before the others."""
    every = {key: main.spot(row, key) for key in main.places}
    own = {
        key: spot for key, spot in every.items() if not main.shows_nothing(row, main.places[key])
    }
    spots = {**own, **dict(join.spots(own, option=option))}
    stated = {key: spot for key, spot in spots.items() if not is_blank(spot.cell)}
    price, total, rebate = (stated.pop(key, None) for key in (*PRICES, "rebate"))
    if (billed := price or total) is not None:
        record.bill.append(BillLine(billed, stated.get(PART_QUANTITY), rebate))
    for key, spot in stated.items() if PART_OF in main.places else ():
        record.parts.setdefault(key, []).append((spot, stated.get(PART_QUANTITY)))
    record.spots = {**stated, **record.spots}
    blank = {**every, **spots, **record.blank}
    record.blank = {key: spot for key, spot in blank.items() if key not in record.spots}


def _option(main: Layout, row: int, above: Record | None, join: _Join) -> Record:
    """An alternative of the node type above: what the row states replaces what that states."""
    if above is None:
        message = "is an option without a node type above it; correct options.rows"
        raise _UnfitError(main.cells.row_fault(row, message))
    own = Record(row)
    _fill(own, main, row, join, option=True)
    for key in ("name", PART_OF):
        own.spots.pop(key, None)
    named = _option_name(main, row, above)
    number = own.spots.get("part_number")
    if named is not None and number is not None and number.column == named.column:
        del own.spots["part_number"]
    if own.bill and adds_an_amount(own.bill[0].price.cell):
        named, own.bill = own.bill[0].price, []
    if named is None or not (own.bill or "+" in str(named.cell)):
        message = "is an option without a name or price; fill it in, or correct options.rows"
        raise _UnfitError(main.cells.row_fault(row, message))
    return replace(own, option=named, above=above, priced_by_text=not own.bill)


def _option_name(main: Layout, row: int, above: Record) -> Spot | None:
    """The cell that names an option: the first text of its row that is not the node type's name."""
    taken = {folded(_text(above.spots[key])) for key in ("name", PART_OF) if key in above.spots}
    places = [main.places[key] for key in ("name", PART_OF) if key in main.places]
    for place in (*places, *range(len(main.cells.rows[row]))):
        cell = main.cells.cell(row, place)
        if isinstance(cell, str) and folded(cell) not in {*taken, ""}:
            return Spot(main.cells, row, place, cell, main.readings["name"])
    return None


def _leave_out_unpriced(found: list[Record], main: Layout) -> None:
    """A row without a price is not a quote, but a title, a note, or something on request."""
    unpriced = [each for each in found if not (each.bill or each.priced_by_text)]
    for record in unpriced:
        main.left_out.setdefault(NO_PRICE, []).append(record.row)
        found.remove(record)


def _text(spot: Spot) -> str:
    """The text of a cell.

    Raises
    ------
    _UnfitError
        It cannot be used.
    """
    try:
        return spot.text
    except CellError as error:
        raise _UnfitError(spot.fault(str(error))) from None
