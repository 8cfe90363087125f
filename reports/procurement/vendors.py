"""The sheet that compares the vendors: every quote in a row, its sums as live formulas."""

from __future__ import annotations

import math
from typing import Any

from planner.procurement.from_scenario import delivery_day
from planner.procurement.problem import HOURS_PER_YEAR
from planner.procurement.study import ProcurementStudy
from reports.formula import Formula
from reports.report import Rows
from scenarios.model.node_types import NodeType

_SUMMED = ("quoted_nodes", "nodes_bought", "capital", "power_w", "capital_share", "node_hours")
_CAPITAL = "G"
"""Letter of the column of the capital."""


def vendor_comparison(study: ProcurementStudy) -> dict[str, Rows]:
    """Return the sheet, or none where there is no plan.

    Somebody who changes a price or a number of nodes in it sees what follows.
    """
    if study.plan is None:
        return {}
    bought: dict[str, int] = {}
    paid: dict[str, float] = {}
    for purchase in study.plan.purchases:
        bought[purchase.name] = bought.get(purchase.name, 0) + purchase.nodes
        paid[purchase.name] = purchase.unit_price
    total = math.fsum(nodes * paid[name] for name, nodes in bought.items())
    reasons = {quote.name: quote.reason for quote in study.not_bought}
    quotes = sorted(
        study.scenario.node_types,
        key=lambda quote: (quote.vendor or "", -bought.get(quote.name, 0), quote.name),
    )
    last = len(quotes) + 1
    rows = [
        _row(study, quote, bought.get(quote.name, 0), paid.get(quote.name), total, last)
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
    nodes: int,
    paid: float | None,
    total: float,
    last: int,
) -> dict[str, Any]:
    """A quote; ``last`` is the last line of the quotes, above their sum."""
    prices = study.problem.prices
    price = quote.price if paid is None else paid
    peak_w = quote.peak_w
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
        "peak_w": peak_w,
        "power_w": Formula("{nodes_bought}*{peak_w}", nodes * (peak_w or 0.0)),
        "capital_share": Formula(
            f"IF(SUM({_CAPITAL}$2:{_CAPITAL}${last})=0,0,{{capital}}/SUM({_CAPITAL}$2:{_CAPITAL}${last}))",
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


def _decided_on(study: ProcurementStudy) -> Any:
    question = study.scenario.procurement
    return question.decided_on if question else None


def _value(cell: Any) -> float:
    return float(cell.value if isinstance(cell, Formula) else cell or 0.0)
