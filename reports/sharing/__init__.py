"""The report of ``headroom share``: its figures, its pages, and the document that they make."""

from __future__ import annotations

from typing import Any

from planner.configurations.sharing.study import SharingStudy
from reports.report import Report
from reports.sharing.figures import FIGURES, pictures
from reports.sharing.pages import appendix, jobs, measured, method, rules
from reports.sharing.pages.front import front, pairs, title
from reports.skeleton import paged

__all__ = ["FIGURES", "REPORT", "document", "pictures"]


def _solves(study: SharingStudy) -> list[dict[str, Any]]:
    return [
        {"question": question, "wall_s": certificate.wall_s, "cpu_s": certificate.cpu_s}
        for question, certificate in study.certificates.items()
    ]


document = paged(
    front,
    jobs.page,
    rules.page,
    method.limits,
    measured.page,
    method.page,
    measured.ranges,
    appendix.page,
)
REPORT: Report[SharingStudy] = Report(
    "sharing.typ", title, pairs, pictures, document, solves=_solves
)
