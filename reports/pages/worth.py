"""What more power, money or room would be worth."""

from __future__ import annotations

from planner.procurement.study import ProcurementStudy
from planner.procurement.worth import Worth
from reports.figures.worth import finding
from reports.findings import change, interval, no_plan
from reports.grid import Table, table
from reports.pages.blocks import Drawn, Page, figures, grid, text
from reports.units import RESOURCES, amount, given

QUESTION = "worth of power, money and racks"


def page(study: ProcurementStudy, drawn: Drawn) -> Page | None:
    """One resource more or less at a time."""
    if not study.worths:
        return None
    return Page(
        "What is more power, money or room worth?",
        f"{finding(study)}.",
        (
            text(
                "Each interval is certain: from the plans found and the bounds of both programs. "
                "Of the linear duals beside it, the first holds all whole numbers fixed and says "
                "what the bought machine would gain; the second lets none be whole and says what "
                "another machine would."
            ),
            *figures(drawn, "worth", ""),
            grid(_worths(study), "Change of the best score with one resource changed"),
        ),
    )


def _worths(study: ProcurementStudy) -> Table:
    columns = (
        ("Resource", False), ("Change", True), ("Limit then", True), ("Score changes by", True),
        ("Dual, machine fixed", True), ("Dual, relaxed", True), ("Certain", False),
    )  # fmt: skip
    rows = [
        (
            RESOURCES[each.resource],
            given(each.change, signed=True),
            amount(each.resource, each.limit, study.problem.prices.currency),
            no_plan(study, QUESTION) if each.low is None else interval(each.low, each.high),
            change(each.by_dual),
            change(each.by_relaxation),
            _certain(study, each),
        )
        for each in study.worths
    ]
    return table(columns, (1.2, 0.8, 1.4, 1.7, 1, 1, 1.4), rows)


def _certain(study: ProcurementStudy, each: Worth) -> str:
    if each.limit == getattr(study.problem.limits, each.resource):
        return "not one whole rack"
    if each.low is None:
        none = no_plan(study, QUESTION)
        return "no plan is left" if none == "no plan" else none
    return "yes" if each.certain else "no: contains zero"
