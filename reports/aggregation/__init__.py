"""The report of ``headroom aggregate``: its figures, its pages, and the document they make."""

from __future__ import annotations

from planner.aggregation.aggregate import AggregationStudy
from reports.aggregation.figures import FIGURES, pictures
from reports.aggregation.pages import groups, method, patterns
from reports.aggregation.pages.front import front, pairs, title
from reports.report import Report
from reports.skeleton import paged

__all__ = ["FIGURES", "REPORT", "document", "pictures"]

document = paged(
    front,
    patterns.page,
    groups.page,
    method.limits,
    method.errors,
    method.page,
    method.predictions,
    method.appendix,
)
REPORT: Report[AggregationStudy] = Report("aggregation.typ", title, pairs, pictures, document)
