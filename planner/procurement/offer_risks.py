"""What may go wrong with what vendors offer: one vendor, no penalty, idle nodes, no rack."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.finding import Finding, finding
from planner.formatting import clipped
from planner.procurement.at_work import nodes_at_work
from planner.procurement.labels import label_of
from planner.procurement.marginal_value import ScoreChange
from planner.procurement.penalties import costs_nothing

if TYPE_CHECKING:
    from planner.procurement.plan import Plan, Purchase
    from planner.procurement.result import ProcurementResult

_IDLE = 0.1
"""Share of the nodes of a package that may be idle."""
_WHOLE = 1e-6


def offer_risks(result: ProcurementResult) -> Iterator[Finding]:
    """Every risk of what is bought; none without a plan."""
    plan = result.plan
    if plan is None:
        return
    if not result.problem.packages:  # a purchase of fixed packages does not follow the budget
        yield from _without_plan(result)
    vendors = {lot.vendor for lot in plan.purchases} | {*plan.bill.vendors}
    quoted = {offer.vendor for offer in result.problem.offers}
    if len(vendors) == 1 < len(quoted):
        yield finding("risk", "one-vendor", vendor=(min(vendors), "text"))
    yield from _idle(result, plan)
    for title, places in _without_rack(result, plan):
        yield finding("risk", "no-rack", places=(places, "count"), package=(title, "text"))
    unpaid = tuple(
        f"{each.package.title}: {each.figure.name}"
        for each in result.delivered
        if costs_nothing(each.figure)
    )
    if unpaid:
        yield finding("risk", "no-penalty", figures=(unpaid, "text"))


def _without_plan(result: ProcurementResult) -> Iterator[Finding]:
    """Limits of which the smallest cut that was tried leaves no plan."""
    cuts = sorted((e for e in result.marginal_values if e.change < 0), key=lambda e: -e.change)
    least = {effect.resource: effect for effect in reversed(cuts)}
    for name, effect in least.items():
        if effect.score_change is ScoreChange.NO_PLAN:
            yield finding("risk", "no-plan-below", resource=(name, "resource"),
                          change=(effect.change, "change"))  # fmt: skip


def _idle(result: ProcurementResult, plan: Plan) -> Iterator[Finding]:
    """Types of packages of which many nodes are idle while all nodes of others work."""
    problem = result.problem
    used = {lot.offer: nodes_at_work(problem, plan, lot) for lot in plan.purchases}
    full = tuple(
        label_of(problem, lot.name)
        for lot in plan.purchases
        if used[lot.offer] >= lot.nodes * (1 - _WHOLE)
    )
    for lot in plan.purchases if full else ():
        idle = lot.nodes - used[lot.offer]
        if _packed(result, lot) and idle > _IDLE * lot.nodes:
            yield finding(
                "risk", "idle-nodes", type=(label_of(problem, lot.name), "text"),
                idle=(math.floor(idle), "count"), nodes=(lot.nodes, "node"),
                price=(math.floor(idle) * lot.unit_price, f"money {problem.prices.currency}"),
                full=(full, "text"),
            )  # fmt: skip


def _packed(result: ProcurementResult, lot: Purchase) -> bool:
    return result.problem.offers[lot.offer].package is not None


def _without_rack(result: ProcurementResult, plan: Plan) -> Iterator[tuple[str, int]]:
    """Packages without a rack, and the rack places that their nodes fill."""
    for number in plan.bill.packages:
        offer = result.problem.packages[number]
        places = sum(lot.racks for lot in plan.purchases if lot.offer in offer.nodes)
        if places and not result.problem.prices.rack:
            yield clipped(offer.package.title, 60), places


def racks_to_supply(result: ProcurementResult) -> Iterator[Finding]:
    """Packages whose racks somebody else must supply."""
    if result.plan is not None:
        for title, _ in _without_rack(result, result.plan):
            yield finding("next step", "supply-rack", package=(title, "text"))
