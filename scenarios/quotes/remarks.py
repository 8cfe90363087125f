"""What is remarked on a vendor's sheet: what was read, or left out, and may not have been meant."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from scenarios.model.quote_fields import PRICES
from scenarios.model.quote_mapping import QuoteTable
from scenarios.quotes.layout import Layout
from scenarios.quotes.records import Record
from scenarios.remark import Remark, remark_at
from scenarios.tables.cell_text import as_label
from scenarios.tables.cells import Table, Unreadable
from scenarios.tables.encodings import LANGUAGES
from scenarios.tables.headings import heading_text

_NAMES = {"name", "label", "kind", "vendor"}


def remarks_on(
    main: Layout, others: Sequence[Layout], table: QuoteTable, records: Sequence[Record]
) -> Iterator[Remark]:
    """Remarks on the table of quotes, on the further tables, and on what is done with prices."""
    for layout in (main, *others):
        yield from of_layout(layout)
    yield from _no_texts(records)
    yield from _merged(main)
    yield from _converted(main, table)


def of_layout(layout: Layout) -> Iterator[Remark]:
    """Remarks on one sheet of quotes or lines: its form, rows left out, what is hidden."""
    yield from _of_form(layout.cells)
    yield from _left_out(layout)
    yield from _hidden(layout)


def _of_form(cells: Table) -> Iterator[Remark]:
    if cells.form in LANGUAGES:
        yield remark_at(cells.whole_fault(""), "quotes-encoding", encoding=(cells.form, "id"))
    if cells.form in {"xls", "ods"}:
        yield remark_at(cells.whole_fault(""), "quotes-formats", form=(f".{cells.form}", "id"))


def _left_out(layout: Layout) -> Iterator[Remark]:
    """Which rows below the headings were not read, and why."""
    cells = layout.cells
    for reason, rows in layout.left_out.items():
        yield remark_at(
            cells.whole_fault(""),
            "quotes-left-out",
            why=(reason, "left out"),
            rows=(tuple(cells.row_name(row) for row in rows), "id"),
            texts=(tuple(filter(None, (_first_text(cells, row) for row in rows))), "text"),
        )


def _first_text(cells: Table, row: int) -> str:
    texts = (heading_text(cell) for cell in cells.rows[row])
    return next((each for each in texts if each), "")


def _hidden(layout: Layout) -> Iterator[Remark]:
    """Which hidden rows and columns are read: they may be what the vendor withdrew."""
    cells = layout.cells
    rows = tuple(cells.row_name(row) for row in layout.rows if row in cells.hidden_rows)
    if rows:
        unit = "of:line" if "item" in layout.places else "of:quote"
        part = ((len(rows), len(layout.rows)), unit)
        yield remark_at(cells.whole_fault(""), "quotes-hidden-rows", quotes=part, rows=(rows, "id"))
    columns = sorted({*layout.places.values()} & {*cells.hidden_columns})
    if columns:
        names = tuple(cells.column_name(place) for place in columns)
        yield remark_at(cells.whole_fault(""), "quotes-hidden-columns", columns=(names, "id"))


def _no_texts(records: Sequence[Record]) -> Iterator[Remark]:
    """Names that a spreadsheet holds as a date or a truth value: it may have changed them."""
    for record in records:
        for target in sorted(_NAMES & record.spots.keys()):
            spot = record.spots[target]
            if isinstance(spot.cell, bool | dt.date):
                yield remark_at(
                    spot.fault(""),
                    "quotes-no-text",
                    field=(target, "id"),
                    held=("truth value" if isinstance(spot.cell, bool) else "date", "cell"),
                    text=(as_label(spot.cell, target), "text"),
                )


def _merged(main: Layout) -> Iterator[Remark]:
    """Prices and powers in cells that are merged over several node types."""
    for target in (*PRICES, "idle_w", "peak_w"):
        place = main.places.get(target)
        cells = () if place is None else ((row, main.cells.cell(row, place)) for row in main.rows)
        rows = tuple(
            main.cells.row_name(row)
            for row, cell in cells
            if isinstance(cell, Unreadable) and cell.merge is not None and cell.merge.rows > 1
        )
        if len(rows) > 1:
            place_of = main.cells.whole_fault("")
            yield remark_at(place_of, "quotes-merged", field=(target, "id"), rows=(rows, "id"))


def _converted(main: Layout, table: QuoteTable) -> Iterator[Remark]:
    place = main.cells.whole_fault("")
    if table.vat is not None:
        yield remark_at(place, "quotes-net", vat=(f"{100 * table.vat:.6g} %", "id"))
    if table.rate is not None:
        yield remark_at(
            place,
            "quotes-converted",
            currency=(str(table.currency), "id"),
            rate=(f"{table.rate:.15g}", "id"),
            day=(str(table.rate_date), "date"),
        )
    if table.support_years is not None:
        yield remark_at(place, "quotes-support", years=(table.support_years, "year"))
