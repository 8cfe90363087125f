"""The sheet that compares the vendors: every quote in a row, its sums as live formulas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from planner.procurement.from_scenario import delivery_day
from planner.procurement.plan import Purchase
from planner.procurement.problem import HOURS_PER_YEAR
from planner.procurement.study import ProcurementStudy
from reports.formula import Formula
from reports.report import Rows
from scenarios.model.node_types import NodeType

_SUMMED = ("quoted_nodes", "nodes_bought", "capital", "power_w", "capital_share", "node_hours")


def vendor_comparison(study: ProcurementStudy) -> dict[str, Rows]:
    """Return the sheet, or none where there is no plan.

    Somebody who changes a price or a number of nodes in it sees what follows.
    """
    if study.plan is None:
        return {}
    purchases: dict[str, list[Purchase]] = {}
    for purchase in study.plan.purchases:
        purchases.setdefault(purchase.name, []).append(purchase)
    bought = {name: sum(each.nodes for each in lots) for name, lots in purchases.items()}
    paid = {name: lots[-1].unit_price for name, lots in purchases.items()}
    total = math.fsum(nodes * paid[name] for name, nodes in bought.items())
    reasons = {quote.name: quote.reason for quote in study.not_bought}
    quotes = sorted(
        study.scenario.node_types,
        key=lambda quote: (quote.vendor or "", -bought.get(quote.name, 0), quote.name),
    )
    last = len(quotes) + 1
    rows = [
        _row(study, quote, purchases.get(quote.name, []), total, last)
        | {"why_not_bought": reasons.get(quote.name)}
        for quote in quotes
    ]
    sums: dict[str, Any] = {"vendor": "Sum"}
    for column in _SUMMED:
        sums[column] = Formula(f"SUM({{{column}:all}})", math.fsum(_value(r[column]) for r in rows))
    return {"vendor_comparison": [*rows, sums]}


def _row(
    study: ProcurementStudy,
    quote: NodeType,
    lots: Sequence[Purchase],
    total: float,
    last: int,
) -> dict[str, Any]:
    """A quote; ``last`` is the last line of the quotes, above their sum."""
    prices = study.problem.prices
    nodes = sum(lot.nodes for lot in lots)
    price = lots[-1].unit_price if lots else quote.price
    node_w = _node_w(quote, lots)
    hours = prices.lifetime_years * HOURS_PER_YEAR * prices.utilisation
    capital = nodes * (price or 0.0)
    day = delivery_day(quote, _decided_on(study))
    return {
        "vendor": quote.vendor or "",
        "node_type": quote.title,
        "quote": quote.name,
        "quoted_nodes": quote.as_bid_quantity,
        "nodes_bought": nodes,
        "unit_price": price,
        "capital": Formula("{nodes_bought}*{unit_price}", capital),
        "peak_w": quote.peak_w,
        "power_per_node_w": node_w,
        "power_w": _power(nodes, node_w),
        "capital_share": Formula(
            f"IF(SUM({{capital:{last}}})=0,0,{{capital}}/SUM({{capital:{last}}}))",
            capital / total if total else 0.0,
        ),
        "used_hours_per_node": hours,
        "node_hours": Formula("{nodes_bought}*{used_hours_per_node}", nodes * hours),
        "capital_per_node_hour": Formula(
            "IF({used_hours_per_node}=0,0,{unit_price}/{used_hours_per_node})",
            (price or 0.0) / hours if hours else 0.0,
        ),
        "delivered_on": None if day is None else str(day),
    }


def _node_w(quote: NodeType, lots: Sequence[Purchase]) -> float | Formula | None:
    """Return the most that a node draws: its peak, or less under a fixed cap; ``None`` if unknown.

    Nodes of one quote under different caps count by their mean.
    """
    if quote.peak_w is None:
        return None
    nodes = sum(lot.nodes for lot in lots)
    if not nodes or all(lot.cap_w is None for lot in lots):
        return Formula("{peak_w}", quote.peak_w)
    watts = (
        lot.nodes * (quote.peak_w if lot.cap_w is None else quote.capped_w(lot.cap_w))
        for lot in lots
    )
    return math.fsum(watts) / nodes


def _power(nodes: int, node_w: float | Formula | None) -> Formula | None:
    if node_w is None:
        return None
    return Formula("{nodes_bought}*{power_per_node_w}", nodes * _value(node_w))


def _decided_on(study: ProcurementStudy) -> Any:
    question = study.scenario.procurement
    return question.decided_on if question else None


def _value(cell: Any) -> float:
    return float(cell.value if isinstance(cell, Formula) else cell or 0.0)
