"""The price of one node from what a sheet states, in exact decimals with few roundings.

The steps: a total is divided by its nodes, a rebate is taken off; parts and options are added, then
support; value-added tax is taken off; the currency is converted. What results is rounded to cents,
half up, if one of the last three was done; so is a price less its rebate. It is the price of a
unit, and is divided by the nodes of the unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from scenarios.fields import LARGEST
from scenarios.model.quote_fields import PART_PRICE, PART_QUANTITY, read_cell
from scenarios.model.quote_mapping import QuoteTable
from scenarios.package_bill import CENT, cents, written
from scenarios.quotes.layout import BillLine, Spot
from scenarios.tables.amounts import Amount
from scenarios.tables.cell_text import CellError, one_line
from scenarios.tables.cells import Unreadable

_OF_A_UNIT = ("idle_w", "peak_w")
_WIDTHS = {"vector_bits": 256, "flops_per_cycle": 16}
"""Values of the relative vector width 1: AVX2, two of whose units work on four numbers twice."""


def billed(
    bill: Sequence[BillLine], table: QuoteTable, rebate: Decimal, nodes: int
) -> tuple[Decimal, list[tuple[Spot, CellError]]]:
    """Sum of a bill, and what is wrong in it.

    A price without a bill must be plausible as the price of a node.

    Parameters
    ----------
    bill
        Its lines.
    table
        The mapping.
    rebate
        Rebate of lines without one of their own, from 0 to below 1.
    nodes
        Nodes of which a line may state the total price; 0 where nothing states them.
    """
    total, faults = Decimal(0), list[tuple[Spot, CellError]]()
    of_parts = table.parts is not None and table.parts.total == "each"
    for place, line in enumerate(bill):
        spot, quantity = line.price, line.quantity
        try:
            if place == 0 and table.parts is None:
                amount = written(read_cell(spot.cell, spot.reading))
            else:
                amount = _amount(spot, PART_PRICE)
            if spot.reading.target == "total_price":
                amount = _of_one(amount, nodes)
            own = rebate
            if line.rebate is not None:
                spot = line.rebate
                own = written(read_cell(spot.cell, spot.reading))
            amount = less_rebate(amount, own)
            if quantity is not None and of_parts:
                spot = quantity
                amount *= _amount(without_word(quantity), PART_QUANTITY)
            total += amount
        except CellError as error:
            faults.append((spot, error))
    return total, faults


def of_parts(stated: Sequence[tuple[Spot, Spot | None]]) -> Any:
    """Sum of what one part of each kind has, times its quantity.

    Raises
    ------
    CellError
        A cell cannot be read.
    """
    total = Decimal(0)
    for spot, quantity in stated:
        amount = written(read_cell(spot.cell, spot.reading))
        if quantity is not None:
            amount *= _amount(without_word(quantity), PART_QUANTITY)
        total += amount
    return int(total) if total == int(total) else float(total)


def less_rebate(amount: Decimal, rebate: Decimal) -> Decimal:
    """A list price less its rebate, rounded to cents, half up; unchanged without a rebate."""
    return cents(amount * (1 - rebate)) if rebate else amount


def _of_one(total: Decimal, nodes: int) -> Decimal:
    """The price of one node of which a total is known.

    Raises
    ------
    CellError
        The number of nodes is not known, or the price of one would not be in cents.
    """
    if not nodes:
        raise CellError("total_price is divided by as_bid_quantity; give both, or map price")
    rest = total % (CENT * nodes)
    if rest:
        raise CellError(
            f"total_price = {total:f} for {nodes} nodes leaves {rest:f} over whole cents; correct "
            "it or as_bid_quantity, or map price"
        )
    return total / nodes


def _amount(spot: Spot, amount: Amount) -> Decimal:
    if isinstance(spot.cell, Unreadable):
        raise CellError(spot.cell.message)
    return written(amount(spot.cell, spot.reading))


def without_word(spot: Spot) -> Spot:
    """The cell of a quantity without the word of its unit, as in ``12 x`` and ``2 Stk.``."""
    if not isinstance(spot.cell, str):
        return spot
    text = one_line(spot.cell).casefold()
    for word in ("stück", "stueck", "stk.", "stk", "pcs.", "pcs", "pieces", "units", "st.", "x"):
        text = text.removesuffix(word)
    return replace(spot, cell=text.removeprefix("x").strip())


def settle_price(quote: dict[str, Any], table: QuoteTable) -> None:
    """Work out the price and power of one node from what the row states of a unit.

    Raises
    ------
    CellError
        The price is not above 0, or too large.
    """
    price: Decimal | None = quote.get("price")
    per_year = quote.pop("support_per_year", None)
    percent = quote.pop("support_percent", None)
    years = written(table.support_years or 0)
    nodes = quote.pop("nodes_per_unit", 1)
    if price is not None:
        price += years * written(per_year or 0)
        price *= 1 + years * written(percent or 0)
        price /= 1 + written(table.vat or 0)
        price *= written(table.rate or 1)
        if price > LARGEST:
            raise CellError(f"price = {price:g} is above {LARGEST:g}; correct it")
        if percent or table.vat or table.rate:
            price = cents(price)
        if price <= 0:
            raise CellError(f"price = {price:f} is not above 0; correct it")
        quote["price"] = float(price / nodes)
    if nodes > 1:
        quote["sold_in"] = nodes
        for target in _OF_A_UNIT:
            if target in quote:
                quote[target] = float(written(quote[target]) / nodes)


def add_cores(quote: dict[str, Any]) -> None:
    """Work out the cores of one node, where no column states them.

    Without sockets, the cores of a socket stay as an attribute.
    """
    each = quote.pop("cores_per_socket", None)
    if each is None or "cores" in quote:
        return
    if "sockets" in quote:
        quote["cores"] = each * quote["sockets"]
    else:
        _keep(quote, "cores_per_socket", each)


def add_compute_rate(quote: dict[str, Any]) -> None:
    """Work out the compute rate of one node, where no column states it.

    Where something is missing that the clock is multiplied with, the clock stays as an attribute.
    """
    clock_ghz = quote.pop("clock_ghz", None)
    widths = {name: quote.pop(name) for name in _WIDTHS if name in quote}
    if clock_ghz is None or "compute_rate" in quote:
        return
    if "cores" not in quote or not widths:
        _keep(quote, "clock_ghz", clock_ghz)
        return
    ((name, value),) = widths.items()
    rate = written(quote["cores"]) * written(clock_ghz) * written(value) / _WIDTHS[name]
    quote["compute_rate"] = float(rate)


def _keep(quote: dict[str, Any], name: str, value: float) -> None:
    """Keep what a sheet states as an attribute, unless the mapping has one of this name."""
    quote["attributes"] = {name: float(value)} | quote.get("attributes", {})
