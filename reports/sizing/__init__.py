"""The report of ``headroom simulate --size-for``: figures, pages, and the document they make."""

from __future__ import annotations

from planner.scheduling.sizing.study import SizingStudy
from reports.report import Report
from reports.sizing.figures import FIGURES, pictures
from reports.sizing.pages import PAGES, document
from reports.sizing.pages.front import pairs, title

__all__ = ["FIGURES", "PAGES", "REPORT", "document", "pictures"]

REPORT: Report[SizingStudy] = Report("sizing.typ", title, pairs, pictures, document)
