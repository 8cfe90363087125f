"""What is bought: the bill of materials."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import replace

from planner.formatting import DASH, capitalised, clipped, given, money, percent, power_unit
from planner.procurement.findings import labels, of_limit
from planner.procurement.mandates import Mandate
from planner.procurement.problem import UNLIMITED
from planner.procurement.study import ProcurementStudy
from planner.procurement.summary import stocks
from planner.procurement.used import used
from reports.blocks import Block, Drawn, Page, grid
from reports.grid import Table, table
from reports.numbers import cents, fixed, places_of, typed
from reports.units import POWERS, RESOURCES, amount

_LONG_S = 7200
"""Longer times are shown in hours."""

_NEAR = 1e-6
"""Relative distance within which a value counts as at its bound: the tolerance of rows."""


def page(study: ProcurementStudy, _drawn: Drawn) -> Page | None:
    """Bill of materials, and how far each resource is used."""
    plan = study.plan
    if plan is None:
        return None
    vendors = len({purchase.vendor for purchase in plan.purchases})
    nodes = sum(purchase.nodes for purchase in plan.purchases)
    answer = (
        f"{nodes:,} nodes of {len(plan.purchases)} type{'s' * (len(plan.purchases) != 1)} from "
        f"{vendors} vendor{'s' * (vendors != 1)}, in {sum(plan.bill.racks):,} racks, for "
        f"{money(plan.bill.capital, study.problem.prices.currency)}."
    )
    return Page(
        "What is bought?",
        answer,
        (
            grid(_bill(study), _bill_caption(study), small=True),
            grid(_delivery(study), "Delivery of the nodes"),
            grid(
                _used(study),
                "Limits of the site and quantities on offer, and how much of each is used",
            ),
            *_kept(study),
        ),
    )


def _kept(study: ProcurementStudy) -> list[Block]:
    if not study.mandates:
        return []
    work = any(mandate.what.startswith("throughput") for mandate in study.mandates)
    caption = "Requirements met, and by how much (slack)"
    caption += "; throughput as a multiple of the reference machine's" if work else ""
    return [grid(_mandates(study), caption, small=True)]


def _bill_caption(study: ProcurementStudy) -> str:
    """What the table shows; a fixed outlay has no lines of its own, so the caption explains it."""
    caption = "Bill of materials"
    if study.cost is not None and study.cost.fixed_capital:
        caption += "; fixed outlay: paid once for other things, as the scenario states"
    return caption


def _bill(study: ProcurementStudy) -> Table:
    currency, cost = study.problem.prices.currency, study.cost
    columns = (
        ("Item", False), ("Vendor", False), ("Quantity", True), (f"Each ({currency})", True),
        (f"Amount ({currency})", True),
    )  # fmt: skip
    bill = study.plan.bill if study.plan else None
    lines = bill.lines if bill is not None else ()
    sums = [] if bill is None else [("Total hardware", bill.hardware)]
    if cost is not None:
        sums += [
            ("Installation", cost.installation),
            ("Fixed outlay", cost.fixed_capital),
            ("Total capital", cost.capital),
        ]
    decimals = cents([*(line.unit_price for line in lines), *(value for _, value in sums)])
    rows = [
        (
            clipped(line.item, 80), clipped(line.vendor, 60), f"{line.quantity:,}",
            fixed(line.unit_price, decimals), fixed(line.amount, decimals),
        )
        for line in lines
    ]  # fmt: skip
    rows += [(name, "", "", "", fixed(value, decimals)) for name, value in sums]
    return table(columns, (2, 1.5, 0.8, 1, 1.2), rows)


def _delivery(study: ProcurementStudy) -> Table:
    """Node types with their lead times; the day where the day of the decision is given."""
    feed = study.scenario.power.available_on if study.scenario.power else None
    columns = [("Node type", False), ("Nodes", True), ("Lead time", True), ("Delivered on", True)]
    columns += [(f"Power available on {feed}", True)] if feed else []
    names = labels(study.problem)
    rows = []
    for purchase in study.plan.purchases if study.plan else ():
        weeks, day = (
            study.scenario.node_type(purchase.name).lead_weeks,
            study.delivered_on(purchase.name),
        )
        row = [
            names[purchase.offer],
            f"{purchase.nodes:,}",
            DASH if weeks is None else f"{typed(weeks)} weeks",
            DASH if day is None else str(day),
        ]
        if feed is not None:
            row.append(DASH if day is None else _compared_with_feed((feed - day).days))
        rows.append(row)
    return table(columns, (2.4, 0.7, 1, 1.1, 1.4)[: len(columns)], rows)


def _days(number: int) -> str:
    """Write a number of days; a negative number of days is late."""
    return _count_days(number) if number >= 0 else f"{_count_days(number)} late"


def _count_days(number: int) -> str:
    return f"{abs(number):,} day{'' if abs(number) == 1 else 's'}"


def _compared_with_feed(number: int) -> str:
    """Write how many days before the power is available something arrives."""
    if not number:
        return "on this day"
    return f"{_count_days(number)} {'before' if number > 0 else 'after'}"


def _mandates(study: ProcurementStudy) -> Table:
    columns = (("Requirement", False), ("Required", True), ("Reached", True), ("Slack", True))
    latest = study.scenario.requirements.delivered_by
    rows = []
    for mandate in map(_in_hours, _tightest(study.mandates)):
        subject = clipped(capitalised(mandate.what), 100)
        if mandate.unit == "days" and latest is not None:
            last = latest + dt.timedelta(days=round(mandate.reached))
            rows.append((subject, f"by {latest}", str(last), _days(round(mandate.slack))))
            continue
        near = abs(mandate.slack) <= _NEAR * max(1.0, abs(mandate.asked))
        reached, slack = (mandate.asked, 0.0) if near else (mandate.reached, mandate.slack)
        scale = 100 if mandate.unit == "fraction" else 1
        whole = reached == int(reached) or abs(reached) >= 1000
        minimum = 1 if mandate.unit == "fraction" else 0 if whole else 3
        decimals = max(minimum, places_of([scale * mandate.asked], 6))
        rows.append(
            (
                subject,
                f"{'at least' if mandate.at_least else 'at most'} {_asked(mandate)}",
                _in_unit(mandate, reached, decimals),
                _in_unit(mandate, slack, decimals),
            )
        )
    return table(columns, (3.3, 1.4, 1, 0.9), rows)


def _tightest(mandates: Sequence[Mandate]) -> list[Mandate]:
    """The throughput with the least slack, where several demand scenarios require it."""
    groups: dict[tuple[str, float], list[Mandate]] = {}
    for mandate in mandates:
        groups.setdefault((mandate.what.partition(' in demand "')[0], mandate.asked), []).append(
            mandate
        )
    result = []
    for (subject, _), group in groups.items():
        least = min(group, key=lambda mandate: mandate.slack)
        if len(group) > 1:
            demand = least.what.partition(' in demand "')[2].removesuffix('"')
            least = replace(least, what=f"{subject}, least in {len(group)} demands ({demand})")
        result.append(least)
    return result


def _in_hours(mandate: Mandate) -> Mandate:
    """Show times above two hours in hours."""
    if mandate.unit != "s" or max(mandate.asked, mandate.reached) <= _LONG_S:
        return mandate
    return replace(mandate, unit="h", asked=mandate.asked / 3600, reached=mandate.reached / 3600)


def _asked(mandate: Mandate) -> str:
    if mandate.unit == "fraction":
        return given(mandate.asked)
    return typed(mandate.asked, mandate.unit)


def _in_unit(mandate: Mandate, value: float, decimals: int) -> str:
    if mandate.unit == "fraction":
        return percent(value, places=decimals)
    return f"{fixed(value, decimals)} {mandate.unit}".rstrip()


def _used(study: ProcurementStudy) -> Table:
    plan, problem = study.plan, study.problem
    currency = problem.prices.currency
    columns = (
        ("Resource", False), ("Used", True), ("Limit", True), ("Share used", True),
        ("Left", True),
    )  # fmt: skip
    rows, names = [], labels(problem)
    for name, value in used(plan).items() if plan is not None else ():
        limit = getattr(problem.limits, name)
        if limit == UNLIMITED:
            if name not in ("liquid_w", "air_w"):
                used_text = amount(name, value, currency)
                rows.append((RESOURCES[name], used_text, "unlimited", DASH, DASH))
            continue
        cells = in_one_unit(name, value, limit, currency)
        share = of_limit(value / limit, name) if limit > 0 else DASH
        rows.append((RESOURCES[name], cells[0], cells[1], share, cells[2]))
    for offer, nodes, most in stocks(study, plan) if plan is not None else ():
        share = of_limit(nodes / most) if most else DASH
        left = f"{most - nodes:,} nodes"
        subject = f"{names[offer]} on offer"
        rows.append((subject, f"{nodes:,} nodes", f"{most:,} nodes", share, left))
    return table(columns, (1.4, 1.3, 1.3, 0.7, 1.2), rows)


def in_one_unit(resource: str, value: float, limit: float, currency: str) -> tuple[str, str, str]:
    """Used, limit and left in one unit and equal digits, so that the first and last add up."""
    unit, size, decimals = f" {currency}", 1.0, 0
    if resource == "racks":
        unit = ""
    elif resource in POWERS:
        unit, size = power_unit([limit])
        decimals = {"W": 1, "kW": 2}.get(unit, 4)
        unit = f" {unit}"
    step = size / 10**decimals
    whole = round(limit / step)
    used_steps = (
        min(whole, math.ceil(value / step - _NEAR))
        if value <= limit * (1 + _NEAR)
        else round(value / step)
    )
    texts = [
        fixed(count * step / size, decimals) + unit
        for count in (used_steps, whole, whole - used_steps)
    ]
    return texts[0], texts[1], texts[2]
