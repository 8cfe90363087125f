"""The report of ``headroom estimate``: figures, pages, and the document they make."""

from __future__ import annotations

from planner.scheduling.estimates.study import EstimateStudy
from reports.estimates.figures import FIGURES, pictures
from reports.estimates.pages import (
    cells,
    groups,
    method,
    predictors,
    validation,
    weights,
)
from reports.estimates.pages.front import claims_page, front, pairs, title
from reports.report import Report
from reports.skeleton import paged

__all__ = ["FIGURES", "REPORT", "document", "pictures"]

document = paged(
    front,
    cells.mean,
    cells.longest,
    groups.page,
    predictors.page,
    weights.page,
    validation.page,
    method.page,
    method.limits,
    claims_page,
    method.appendix,
)
REPORT: Report[EstimateStudy] = Report("estimates.typ", title, pairs, pictures, document)
