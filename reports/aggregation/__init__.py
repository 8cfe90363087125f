"""The report of ``headroom aggregate``: its figures, its pages, and the document they make."""

from __future__ import annotations

from planner.aggregation.aggregate import AggregationStudy
from reports.aggregation.figures import FIGURES, pictures
from reports.aggregation.pages import PAGES, document
from reports.aggregation.pages.front import pairs, title
from reports.report import Report

__all__ = ["FIGURES", "PAGES", "REPORT", "document", "pictures"]

REPORT: Report[AggregationStudy] = Report("aggregation.typ", title, pairs, pictures, document)
