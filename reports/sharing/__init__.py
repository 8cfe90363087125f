"""The report of ``headroom share``: its figures, its pages, and the document that they make."""

from __future__ import annotations

from typing import Any

from planner.configurations.sharing.study import SharingStudy
from reports.report import Report
from reports.sharing.figures import FIGURES, pictures
from reports.sharing.pages import PAGES, document
from reports.sharing.pages.front import pairs, title

__all__ = ["FIGURES", "PAGES", "REPORT", "document", "pictures"]


def _solves(study: SharingStudy) -> list[dict[str, Any]]:
    return [
        {"question": what, "wall_s": each.wall_s, "cpu_s": each.cpu_s}
        for what, each in study.certificates.items()
    ]


REPORT: Report[SharingStudy] = Report(
    "sharing.typ", title, pairs, pictures, document, solves=_solves
)
