"""What is bought: the bill of materials."""

from __future__ import annotations

import datetime as dt

from planner.procurement.mandates import Mandate
from planner.procurement.problem import UNLIMITED
from planner.procurement.study import ProcurementStudy
from reports.findings import labels
from reports.grid import Table, table
from reports.numbers import DASH, clipped, fixed, typed
from reports.pages.blocks import Block, Drawn, Page, grid
from reports.units import RESOURCES, amount, given, money, percent

_NEAR = 1e-6
"""Of a bound: within the tolerance of whatever an allocation enters."""


def page(study: ProcurementStudy, _drawn: Drawn) -> Page | None:
    """Bill of materials, and how far each resource is used."""
    plan = study.plan
    if plan is None:
        return None
    vendors = len({each.vendor for each in plan.purchases})
    nodes = sum(each.nodes for each in plan.purchases)
    answer = (
        f"{nodes:,} nodes of {len(plan.purchases)} type{'s' * (len(plan.purchases) != 1)} from "
        f"{vendors} vendor{'s' * (vendors != 1)}, in {sum(plan.bill.racks):,} racks, for "
        f"{money(plan.bill.capital, study.problem.prices.currency)}."
    )
    return Page(
        "What is bought?",
        answer,
        (
            grid(_bill(study), "Bill of materials"),
            grid(_delivery(study), "Delivery"),
            grid(_used(study), "Resources used, and what is left"),
            *_kept(study),
        ),
    )


def _kept(study: ProcurementStudy) -> list[Block]:
    if not study.mandates:
        return []
    return [grid(_mandates(study), "Mandates met, and their slack")]


def _bill(study: ProcurementStudy) -> Table:
    currency, cost = study.problem.prices.currency, study.cost
    columns = (
        ("Item", False), ("Vendor", False), ("Quantity", True), (f"Each ({currency})", True),
        (f"Amount ({currency})", True),
    )  # fmt: skip
    bill = study.plan.bill if study.plan else None
    rows = [
        (
            clipped(line.item, 80), clipped(line.vendor, 60), f"{line.quantity:,}",
            fixed(line.unit_price, 0), fixed(line.amount, 0),
        )
        for line in (bill.lines if bill else ())
    ]  # fmt: skip
    if bill is not None:
        rows.append(("Hardware", "", "", "", fixed(bill.hardware, 0)))
    if cost is not None:
        rows += [
            ("Installation", "", "", "", fixed(cost.installation, 0)),
            ("Fixed outlay", "", "", "", fixed(cost.fixed_capital, 0)),
            ("Capital", "", "", "", fixed(cost.capital, 0)),
        ]
    return table(columns, (2, 1.5, 0.8, 1, 1.2), rows)


def _delivery(study: ProcurementStudy) -> Table:
    """Node types with their lead times; the day where the day of the decision is given."""
    feed = study.scenario.power.available_on if study.scenario.power else None
    columns = [("Node type", False), ("Nodes", True), ("Lead time", True), ("Delivered on", True)]
    columns += [(f"Before the feed ({feed})", True)] if feed else []
    names = labels(study.problem)
    rows = []
    for each in study.plan.purchases if study.plan else ():
        weeks, day = study.scenario.node_type(each.name).lead_weeks, study.delivered_on(each.name)
        row = [
            names[each.offer],
            f"{each.nodes:,}",
            DASH if weeks is None else f"{typed(weeks)} weeks",
            DASH if day is None else str(day),
        ]
        if feed is not None:
            row.append(DASH if day is None else _days((feed - day).days))
        rows.append(row)
    return table(columns, (2.4, 0.7, 1, 1.1, 1.4)[: len(columns)], rows)


def _days(number: int) -> str:
    """So many days, of lateness where below zero."""
    days = f"{abs(number):,} day{'' if abs(number) == 1 else 's'}"
    return days if number >= 0 else f"{days} late"


def _mandates(study: ProcurementStudy) -> Table:
    columns = (("Mandate", False), ("Asked", True), ("Reached", True), ("Slack", True))
    latest = study.scenario.requirements.delivered_by
    rows = []
    for each in study.mandates:
        what = clipped(each.what[0].upper() + each.what[1:], 100)
        if each.unit == "days" and latest is not None:
            last = latest + dt.timedelta(days=round(each.reached))
            rows.append((what, f"by {latest}", str(last), _days(round(each.slack))))
            continue
        near = abs(each.slack) <= _NEAR * max(1.0, abs(each.asked))
        reached, slack = (each.asked, 0.0) if near else (each.reached, each.slack)
        rows.append(
            (
                what,
                f"{'at least' if each.at_least else 'at most'} {_asked(each)}",
                _in_unit(each, reached),
                _in_unit(each, slack),
            )
        )
    return table(columns, (2.6, 1.3, 1.1, 1.1), rows)


def _asked(mandate: Mandate) -> str:
    if mandate.unit == "fraction":
        return given(mandate.asked)
    return typed(mandate.asked, mandate.unit)


def _in_unit(mandate: Mandate, value: float) -> str:
    if mandate.unit == "fraction":
        return percent(value, places=1)
    places = 0 if value == int(value) or abs(value) >= 1000 else 3
    return f"{fixed(value, places)} {mandate.unit}".rstrip()


def _used(study: ProcurementStudy) -> Table:
    plan, problem = study.plan, study.problem
    currency = problem.prices.currency
    used = {}
    if plan is not None:
        used = {
            "it_power_w": plan.it_power_w,
            "liquid_w": plan.liquid_w,
            "air_w": plan.air_w,
            "capital": plan.bill.capital,
            "operating": plan.operating,
            "racks": float(sum(plan.bill.racks)),
        }
    columns = (
        ("Resource", False), ("Used", True), ("Limit", True), ("Used of it", True),
        ("Left", True),
    )  # fmt: skip
    rows = []
    for name, value in used.items():
        limit = getattr(problem.limits, name)
        left = limit - value if limit - value > _NEAR * limit else 0.0
        if name in ("liquid_w", "air_w") and limit == UNLIMITED:
            continue
        rows.append(
            (
                RESOURCES[name],
                amount(name, value, currency),
                amount(name, limit, currency),
                percent(value / limit, places=1) if UNLIMITED > limit > 0 else DASH,
                amount(name, left, currency, "down") if limit < UNLIMITED else DASH,
            )
        )
    return table(columns, (1.4, 1.2, 1.2, 0.8, 1.2), rows)
