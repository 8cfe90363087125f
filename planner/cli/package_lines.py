"""Packages as ``headroom check`` shows them: each number with the cell from which it was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from planner.cli.message_table import Column, Table

if TYPE_CHECKING:
    from scenarios.model.scenario import Scenario
    from scenarios.package_bill import PackageBill


def _in_sheet(address: str) -> str:
    """Sheet and cell without the file, which the caption has."""
    return address.rpartition(": ")[2]


def money(text: str) -> str:
    """An amount with its cents, and with what is finer where it has more digits.

    Examples
    --------
    >>> money("19450.0"), money("0.0375")
    ('19,450.00', '0.0375')
    """
    amount = Decimal(text)
    cents = amount.quantize(Decimal("0.01"))
    return f"{cents if cents == amount else amount:,}"


_COLUMNS = (
    Column("item", "Item"),
    Column("quantity", "Quantity", "{:,}".format),
    Column("quantity_cell", "Cell", _in_sheet),
    Column("unit_price", "Price each", money),
    Column("price_cell", "Cell", _in_sheet),
    Column("watts", "Watts each", "{:,g}".format),
    Column("watts_cell", "Cell", _in_sheet),
    Column("amount", "Amount", money),
    Column("due", "Due"),
    Column("read_from", "Read from"),
)
_WHERE = {"quantity_cell", "price_cell", "watts_cell", "read_from"}
"""Columns that are shown where they say something of a line."""


def package_data(scenario: Scenario) -> list[dict[str, Any]]:
    """Every package as quoted, amounts in its own currency as decimals in text; plain values."""
    from scenarios.model.scenario import Budget
    from scenarios.package_bill import package_bill

    currency = (scenario.budget or Budget()).currency
    return [
        {
            "name": package.name,
            "vendor": package.vendor,
            "lot": package.lot,
            "currency": package.currency or currency,
            "file": package.sheet.file if package.sheet is not None else None,
            "lines": _lines(scenario, bill),
            "discount": str(bill.stated_discount),
            "total": str(bill.stated_total),
            "vat": package.vat,
            "without_tax": f"{bill.total:,} {currency}" if package.vat else None,
            "printed_total": package.printed_total,
            "printed_total_cell": package.cells.get("printed_total"),
            "per_year": str(bill.stated_per_year),
            "read_from": package.source or None,
        }
        for package in scenario.packages
        for bill in [package_bill(package)]
    ]


def _lines(scenario: Scenario, bill: PackageBill) -> list[dict[str, Any]]:
    """Lines with their amounts; a line without a source of its own has that of its node type."""
    origins = {each.name: each.origin or each.source for each in scenario.node_types}
    return [
        {
            "kind": each.line.kind,
            "item": each.line.item,
            "quantity": each.quantity,
            "quantity_cell": each.line.cells.get("quantity"),
            "unit_price": str(each.unit_price),
            "price_cell": each.line.cells.get("price"),
            "watts": each.line.watts,
            "watts_cell": each.line.cells.get("watts"),
            "amount": str(each.amount),
            "due": "each year" if each.line.per_year else "once",
            "read_from": each.line.source
            or (origins.get(each.line.name or "") if each.line.kind == "node" else None)
            or None,
        }
        for each in bill.lines
    ]


def package_tables(packages: Sequence[Mapping[str, Any]]) -> list[Table]:
    """One table for each package, whose caption has the total."""
    return [
        Table(_caption(package), _columns(package["lines"]), package["lines"])
        for package in packages
    ]


def _columns(lines: Sequence[Mapping[str, Any]]) -> list[Column]:
    return [
        column
        for column in _COLUMNS
        if column.key not in _WHERE or any(line[column.key] is not None for line in lines)
    ]


def _caption(package: Mapping[str, Any]) -> str:
    currency = package["currency"]
    parts = [f"total {Decimal(package['total']):,} {currency}"]
    if Decimal(package["discount"]):
        parts.append(f"after a discount of {Decimal(package['discount']):,} {currency}")
    if package["without_tax"] is not None:
        parts.append(f"{package['without_tax']} without value-added tax")
    if Decimal(package["per_year"]):
        parts.append(f"{Decimal(package['per_year']):,} {currency} each year")
    if package["printed_total"] is not None:
        cell = package["printed_total_cell"]
        parts.append("as printed" if cell is None else f"as printed in {_in_sheet(cell)}")
    named = f"{package['name']} of {package['vendor']} for lot {package['lot']}"
    if package["file"] is not None:
        parts.append(f"cells of {package['file']}")
    return f"{named}: {', '.join(parts)}"
