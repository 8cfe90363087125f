"""What the proposed mappings of packages read: each line with its cells, and what to ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenarios.package_bill import PackageBill
from scenarios.proposal.packages import Offer
from scenarios.proposal.understood import Question
from scenarios.proposal.words import words_of
from scenarios.quotes.package_lines import PackageLines


@dataclass(frozen=True)
class ReadLine:
    """A line of a package; money as decimals in text.

    Attributes
    ----------
    package, kind, name, item
        Which line of which package; the name is that of a node type.
    quantity, unit_price, amount
        As read; the amount is their product, rounded to cents.
    due
        ``once``, or ``each year``.
    quantity_cell, price_cell
        File, sheet and cell; empty where no cell states the number.
    """

    package: str
    kind: str
    name: str
    item: str
    quantity: int
    unit_price: str
    amount: str
    due: str
    quantity_cell: str
    price_cell: str


def understood_packages(
    offers: Sequence[Offer], folder: Path
) -> tuple[list[ReadLine], list[Question]]:
    """Read the price sheets of packages with their proposed mappings."""
    lines: list[ReadLine] = []
    questions: list[Question] = []
    for offer in offers:
        read = offer.read(folder)
        bill = offer.bill(read)
        if bill is not None:
            lines += _lines(bill)
        questions += _questions(offer, read, bill)
    return lines, questions


def _lines(bill: PackageBill) -> Iterator[ReadLine]:
    for each in bill.lines:
        line = each.line
        cells = (line.cells.get(key, "") for key in ("quantity", "price"))
        due = "each year" if line.per_year else "once"
        money = str(each.unit_price), str(each.amount)
        name = line.name or ""
        yield ReadLine(
            bill.package.name, line.kind, name, line.item, each.quantity, *money, due, *cells
        )


def _questions(offer: Offer, read: PackageLines, bill: PackageBill | None) -> Iterator[Question]:
    """Cells that cannot be read or contradict each other, unknown kinds, a total that is off."""
    found, vendor = offer.found, offer.entry["vendor"]
    rows = {offer.number(row): line for row, line in offer.lines.lines.items()}
    addresses = {
        found.grid.address(row, column.place): line.item
        for row, line in offer.lines.lines.items()
        for column in found.columns
    }
    for fault in read.faults:
        item = addresses.get(fault.where, offer.entry["name"])
        yield Question(vendor, item, "line", f"What is right? {fault.message}", fault.where)
    for line in offer.undescribed:
        place = found.grid.address(line.row, offer.lines.item.place)
        for field in ("idle_w", "peak_w"):
            yield Question(vendor, line.item, field, words_of("questions")[field], place)
    for number, line in rows.items():
        if not line.kind:
            place = found.grid.address(line.row, offer.lines.item.place)
            text = f"What is line {number}? No known word says its kind"
            yield Question(vendor, line.item, "kind", text, place)
    printed = offer.printed
    if bill is None or printed is None or printed[0] == bill.stated_total or read.faults:
        return
    amount, cell = printed
    text = (
        f"Which lines are in the total of {amount:,.2f}? "
        f"Those that were read come to {bill.stated_total:,.2f}"
    )
    yield Question(vendor, offer.entry["name"], "printed_total", text, cell)
