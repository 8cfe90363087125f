"""The report of ``headroom estimate``: figures, pages, and the document they make."""

from __future__ import annotations

from planner.scheduling.estimates.study import EstimateStudy
from reports.estimates.figures import FIGURES, pictures
from reports.estimates.pages import PAGES, document
from reports.estimates.pages.front import pairs, title
from reports.report import Report

__all__ = ["FIGURES", "PAGES", "REPORT", "document", "pictures"]

REPORT: Report[EstimateStudy] = Report("estimates.typ", title, pairs, pictures, document)
