"""What people would buy without a program, and what vendors proposed."""

from __future__ import annotations

from planner.procurement.study import Compared, ProcurementStudy
from reports.figures.heuristics import finding, ranked
from reports.findings import bought, shortfall
from reports.grid import Table, table
from reports.numbers import clipped, fixed
from reports.pages.blocks import Drawn, Page, figures, grid
from reports.units import money, percent

_LONGEST_REASON = 160


def page(study: ProcurementStudy, drawn: Drawn) -> Page | None:
    """Every other plan beside the optimum."""
    if study.plan is None or not study.heuristics:
        return None
    return Page(
        "Would a simpler way have done?",
        f"{finding(study)}.",
        (
            *figures(drawn, "heuristics", "Labels: difference to the optimum."),
            grid(
                _others(study),
                "Heuristics and systems as bid, under one checker",
                small=True,
            ),
        ),
    )


def _others(study: ProcurementStudy) -> Table:
    columns = (
        ("Way", False), ("Score", True), ("Against optimum", True), ("Capital", True),
        ("Buys", False), ("Rules broken", False),
    )  # fmt: skip
    currency = study.problem.prices.currency
    rows = [
        (
            clipped(each.plan.method, 60),
            fixed(each.plan.score, 4),
            percent(-shortfall(study, each.plan), signed=True),
            money(each.plan.bill.capital, currency),
            bought(study.problem, each.plan, 4),
            _reason(each),
        )
        for each in ranked(study)
    ]
    return table(columns, (1.35, 0.65, 0.8, 0.95, 2.4, 2.4), rows)


def _reason(each: Compared) -> str:
    if not each.wrong:
        return "none"
    first = clipped(each.wrong[0], _LONGEST_REASON)
    further = len(each.wrong) - 1
    return f"{first}; {further} more" if further else first
