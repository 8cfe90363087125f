"""The report of ``headroom plan`` on a procurement: its figures, its pages, and their document."""

from __future__ import annotations

from planner.procurement.study import ProcurementStudy
from reports.procurement.figures import FIGURES, pictures
from reports.procurement.pages import (
    alternatives,
    appendix,
    budget_power_grid,
    cost,
    heuristics,
    infeasible,
    inputs,
    losing_quotes,
    marginal_value,
    method,
    operation,
    purchase,
    ranking,
    regimes,
    uncertainty,
)
from reports.procurement.pages.front import front
from reports.procurement.summary_sheet import first_sheet
from reports.procurement.vendors import vendor_comparison
from reports.report import Report
from reports.scenario_sheets import sheets
from reports.skeleton import paged

__all__ = ["FIGURES", "REPORT", "document", "pictures"]

document = paged(
    front,
    infeasible.page,
    purchase.page,
    cost.page,
    losing_quotes.not_bought,
    ranking.page,
    alternatives.page,
    losing_quotes.page,
    regimes.page,
    budget_power_grid.page,
    marginal_value.page,
    budget_power_grid.pareto,
    uncertainty.tornado,
    uncertainty.monte_carlo,
    method.limits,
    inputs.quotes,
    inputs.work,
    inputs.performance,
    operation.page,
    heuristics.page,
    marginal_value.shadow_prices,
    budget_power_grid.cells,
    uncertainty.inputs_varied,
    method.page,
    inputs.sources,
    appendix.page,
)
REPORT: Report[ProcurementStudy] = Report(
    "procurement.typ",
    lambda study: study.scenario.title,
    first_sheet,
    pictures,
    document,
    sheets=lambda study: vendor_comparison(study) | sheets(study),
    solves=appendix.solves,
)
