"""Which rows below the headings of a vendor's table are read, and why others are not."""

from __future__ import annotations

import re
from collections.abc import Callable

from scenarios.faults import Fault
from scenarios.model.package_sheet import PackageSheet
from scenarios.model.quote_fields import PRICES, REQUIRED
from scenarios.model.quote_layouts import FurtherTable
from scenarios.model.quote_mapping import QuoteTable
from scenarios.quotes.layout import PART_QUANTITY, Layout, heading_of
from scenarios.tables.cell_text import is_blank
from scenarios.tables.cells import Table
from scenarios.tables.headings import heading_text

Mapped = QuoteTable | FurtherTable | PackageSheet


JOIN_KEY, OWN_KEY = "key", "key of "
"""Column of the key in a further table; the same in the quotes, before the name of that table."""

NO_PRICE, SKIPPED, HEADINGS_AGAIN, TOTAL, NO_KEY = (
    "no price", "skip_rows", "headings", "total", "no key",
)  # fmt: skip
"""Why a row below the headings is not a quote: words of the vocabulary ``left out``."""


def choose_rows(layout: Layout, table: Mapped, until: float) -> None:
    """Tell rows that are read from those that are not, and note why."""
    cells, places = layout.cells, list(layout.places.values())
    first, last = table.rows or (1, until)
    for row in range(layout.header + 1, len(cells.rows)):
        if not first <= cells.lines[row] <= last or all(
            layout.shows_nothing(row, place) for place in places
        ):
            continue
        if cells.lines[row] == table.units_row:
            continue
        reason = _not_a_quote(layout, table, row)
        if reason:
            layout.left_out.setdefault(reason, []).append(row)
        else:
            layout.rows.append(row)


def _not_a_quote(layout: Layout, table: Mapped, row: int) -> str:
    """Why a row is not read; empty if it is."""
    if layout.cells.lines[row] in table.skip_rows:
        return SKIPPED
    if all(
        heading_of(layout.cells.cell(row, place)) == layout.heading(place)
        for place in layout.places.values()
    ):
        return HEADINGS_AGAIN
    if isinstance(table, FurtherTable):
        return "" if not blank(layout, row, JOIN_KEY) else NO_KEY
    if isinstance(table, PackageSheet):
        return _not_a_line(layout, row)
    if table.options is not None and layout.cells.lines[row] in table.options.rows:
        return ""
    if table.parts is None and any(blank(layout, row, key) for key in PRICES):
        return NO_PRICE
    return TOTAL if _is_total(layout, table, row) else ""


def _not_a_line(layout: Layout, row: int) -> str:
    """Why a row is not a line of a package; empty if it is.

    A sum says so, and states no quantity.
    """
    price, quantity = ("price", "total"), "quantity"
    if all(key not in layout.places or blank(layout, row, key) for key in price):
        return NO_PRICE
    cells = layout.cells.rows[row]
    first = next(filter(None, map(heading_text, cells)), "")
    item = heading_text(layout.cell(row, "item")) if "item" in layout.places else ""
    texts = [text for text in (first, item) if says_total(text)]
    counted = quantity in layout.places and not blank(layout, row, quantity)
    is_sum = any(not counted or {*_words(text)} <= _TOTALS for text in texts)
    return TOTAL if is_sum else ""


def blank(layout: Layout, row: int, key: str) -> bool:
    """Whether the table has such a column, and the row nothing in it."""
    place = layout.places.get(key)
    if place is None:
        return False
    return is_blank(layout.cell(row, key)) or layout.shows_nothing(row, place)


def _is_total(layout: Layout, table: QuoteTable, row: int) -> bool:
    """Whether a row is a sum of others: it says so, and is not a whole node type.

    In a bill of materials, that is a row without a quantity.
    """
    texts = filter(None, map(heading_text, layout.cells.rows[row]))
    if table.parts is not None:
        counted = PART_QUANTITY in layout.places and not blank(layout, row, PART_QUANTITY)
        return not counted and any(map(says_total, texts))
    first = next(texts, "")
    if not says_total(first):
        return False
    keys = (*REQUIRED, *(key for key in layout.places if key.startswith(OWN_KEY)))
    return {*_words(first)} <= _TOTALS or any(blank(layout, row, key) for key in keys)


def says_total(text: str) -> bool:
    """Whether a text begins with a word for a sum."""
    words = _words(text)
    return bool(words) and (words[0] in _TOTALS or " ".join(words[:2]) in _TOTALS)


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.casefold())


_WORDS = re.compile(r"[^\W\d_]+")
_SAID = (
    "total,totals,subtotal,sum,sums,summe,zwischensumme,gesamt,gesamtsumme,gesamtpreis,"
    "gesamtbetrag,endsumme,endbetrag,nettosumme,bruttosumme,übertrag,insgesamt,somme,totaux,"
    "totale,subtotale,somma,suma,subtotaal,totaal,summa,yhteensä,razem,celkem,mezisoučet,ukupno,"
    "összesen,toplam,итого,всего,合计,合計,小计,小計,总计,sub total,grand total,net total,"
    "total net,sous total,montant total,importe total,i alt"
)
_TOTALS = frozenset(_SAID.split(","))


def skipped_faults(table: Mapped, cells: Table, at: Callable[[str, str], Fault]) -> list[Fault]:
    """The error of a row to skip that is not there."""
    last = max(cells.lines, default=0)
    beyond = [row for row in table.skip_rows if row > last]
    message = f"there is no row {beyond[0]}; the last one is {last}" if beyond else ""
    return [at("skip_rows", message)] if beyond else []


def excess_faults(layout: Layout) -> dict[int, Fault]:
    """Errors of CSV in which a delimiter in a cell may have shifted others, by their row."""
    cells = layout.cells
    if cells.sheet or cells.origins:
        return {}
    if cells.across:
        return _beyond_the_last(layout)
    found = ((row, _excess_fault(layout, row)) for row in layout.rows)
    return {row: fault for row, fault in found if fault is not None}


_REMEDY = "put quotation marks around cells that contain delimiters"


def _beyond_the_last(layout: Layout) -> dict[int, Fault]:
    """Cells of a turned table in columns without a name or key."""
    found = {}
    for row in range(layout.header + 1, len(layout.cells.rows)):
        named = (key for key in ("name", JOIN_KEY) if key in layout.places)
        if not all(blank(layout, row, key) for key in named):
            continue
        for place in layout.places.values():
            if not layout.shows_nothing(row, place):
                message = f"is to the right of the last name; {_REMEDY}"
                found[row] = layout.cells.fault(row, place, message)
                break
    return found


def _excess_fault(layout: Layout, row: int) -> Fault | None:
    """Return the error of a CSV record in which a delimiter in a cell may have shifted others."""
    cells = layout.cells
    last = _last_filled(cells, row)
    if last > _last_filled(cells, layout.header):
        return cells.fault(row, last, f"is to the right of the last heading; {_REMEDY}")
    width = len(cells.rows[layout.header])
    if len(cells.rows[row]) > width:
        message = f"is one cell more than there are headings; {_REMEDY}, or delete the delimiter"
        return cells.fault(row, width, message)
    return None


def _last_filled(cells: Table, row: int) -> int:
    return max(i for i, cell in enumerate(cells.rows[row]) if not is_blank(cell))
