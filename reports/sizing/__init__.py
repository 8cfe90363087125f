"""The report of ``headroom size``: figures, pages, and the document they make."""

from __future__ import annotations

from planner.scheduling.sizing.study import SizingStudy
from reports.report import Report
from reports.sizing.figures import FIGURES, pictures
from reports.sizing.pages import chance, curve, method
from reports.sizing.pages.front import front, pairs, title
from reports.skeleton import paged

__all__ = ["FIGURES", "REPORT", "document", "pictures"]

document = paged(
    front,
    curve.page,
    chance.page,
    method.growth,
    method.page,
    method.limits,
    curve.every_size,
    method.appendix,
)
REPORT: Report[SizingStudy] = Report("sizing.typ", title, pairs, pictures, document)
