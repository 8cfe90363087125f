"""What the proposed mappings of packages read: each line with its cells, and what to ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scenarios.faults import Fault
from scenarios.model.line_fields import BY_NAME, LINE_KINDS
from scenarios.package_bill import PackageBill
from scenarios.proposal.packages import Offer
from scenarios.proposal.questions import Question, in_unit
from scenarios.proposal.words import says_nothing, words_of
from scenarios.quotes.package_lines import PackageLines

_MONEY = {key for key, field in BY_NAME.items() if field.quantity == "money"} | {"printed_total"}


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
) -> tuple[list[ReadLine], list[Question], list[Question]]:
    """Read the price sheets of packages with their proposed mappings.

    Returns
    -------
    tuple
        The lines, questions about lines, and questions about their node types.
    """
    lines: list[ReadLine] = []
    questions: list[Question] = []
    of_types: list[Question] = []
    for offer in offers:
        read = offer.read(folder)
        bill = offer.bill(read)
        if bill is not None:
            lines += _lines(bill)
        for each in _questions(offer, read, bill):
            asked = in_unit(each, offer.currency) if each.field in _MONEY else each
            questions.append(replace(asked, file=offer.questions))
        of_types += _of_types(offer)
    return lines, questions, of_types


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
    yield from _of_faults(offer, read.faults)
    for row, line in offer.lines.lines.items():
        if not line.kind and "kind" not in read.answers.get(offer.number(row), {}):
            place = found.grid.address(row, offer.lines.item.place)
            text = f"What is it? No known word says its kind: {', '.join(LINE_KINDS)}"
            yield Question(vendor, offer.line(row), "kind", text, place)
    if bill is not None and not read.faults:
        yield from _of_total(offer, bill)


def _of_faults(offer: Offer, faults: Sequence[Fault]) -> Iterator[Question]:
    """One question for each cause; of a price and a total that cannot be read, about the price."""
    found, vendor = offer.found, offer.entry["vendor"]
    places = {
        found.grid.address(row, place): (row, key)
        for row in offer.lines.lines
        for key, place in offer.places.items()
    }
    asked = set[tuple[int, str]]()
    for fault in faults:
        row, key = places.get(fault.where, (None, "line"))
        where = fault.where
        said = fault.message.rpartition("; ")[0] or fault.message  # without the buyer's remedy
        if row is None:
            yield Question(vendor, offer.entry["name"], key, f"What is right? {said}", where)
            continue
        price = offer.places.get("price")
        if key == "total" and price is not None and says_nothing(found.grid.texts[row][price]):
            key, where = "price", found.grid.address(row, price)
        elif key == "total":
            said += ". If another number is wrong, write price or quantity in the column field"
        if not {(row, key), (row, "price" if key == "total" else key)} & asked:
            asked.add((row, key))
            yield Question(vendor, offer.line(row), key, f"What is the {key}? {said}", where)


def _of_total(offer: Offer, bill: PackageBill) -> Iterator[Question]:
    """One question about a total that does not follow, and rows that only it can call sums."""
    found, printed, texts = offer.found, offer.printed, list[str]()
    cell = printed[1] if printed is not None else ""
    if printed is not None and printed[0] != bill.stated_total:
        texts.append(f"Which lines are in the total of {printed[0]:,.2f}?")
    elif offer.unproven:
        texts.append("What is the total of all lines?")
    if texts:
        texts.append(f"Those that were read come to {bill.stated_total:,.2f}")
    if offer.unproven:
        rows = ", ".join(f"{offer.number(row)}: {found.first_text(row)}" for row in offer.unproven)
        texts[-1] += f", without rows that repeat the sum of others ({rows})"
        cell = cell or found.grid.address(offer.unproven[0], offer.lines.item.place)
    if texts:
        text, name = " ".join(texts), offer.entry["name"]
        yield Question(offer.entry["vendor"], name, "printed_total", text, cell)


def _of_types(offer: Offer) -> Iterator[Question]:
    """Power of nodes that no sheet states."""
    for row in offer.undescribed:
        place = offer.found.grid.address(row, offer.lines.item.place)
        name = offer.lines.lines[row].item
        for field in ("idle_w", "peak_w"):
            text = words_of("questions")[field]
            yield Question(offer.entry["vendor"], name, field, text, place)
