"""What is bought: the bill of materials."""

from __future__ import annotations

from planner.procurement.problem import UNLIMITED
from planner.procurement.study import ProcurementStudy
from reports.grid import Table, table
from reports.numbers import DASH, clipped, fixed
from reports.pages.blocks import Drawn, Page, grid
from reports.units import RESOURCES, amount, money, percent


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
            grid(_used(study), "Resources used, and what is left"),
        ),
    )


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
    )  # fmt: skip
    rows = []
    for name, value in used.items():
        limit = getattr(problem.limits, name)
        if name in ("liquid_w", "air_w") and limit == UNLIMITED:
            continue
        rows.append(
            (
                RESOURCES[name],
                amount(name, value, currency),
                amount(name, limit, currency),
                percent(value / limit, places=1) if limit < UNLIMITED else DASH,
            )
        )
    return table(columns, (1.4, 1.2, 1.2, 0.8), rows)
