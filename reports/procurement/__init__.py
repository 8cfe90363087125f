"""The report of ``headroom plan`` on a procurement: its figures, its pages, and their document."""

from __future__ import annotations

from planner.procurement.study import ProcurementStudy
from reports.procurement.figures import FIGURES, pictures
from reports.procurement.pages import PAGES, document
from reports.procurement.pages.appendix import solves
from reports.report import Report
from reports.scenario_sheets import inputs, summary

__all__ = ["FIGURES", "PAGES", "REPORT", "document", "pictures"]

REPORT: Report[ProcurementStudy] = Report(
    "procurement.typ",
    lambda study: study.scenario.title,
    summary,
    pictures,
    document,
    sheets=lambda study: {"inputs": inputs(study)},
    solves=solves,
)
