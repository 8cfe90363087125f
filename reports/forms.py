"""Which report a study gets: the one place that tells the kinds of study apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.procurement.study import ProcurementStudy
from planner.study import Study
from reports import document, pages
from reports.figures.style import Picture
from reports.pages import appendix
from reports.typeset import typeset

AnyStudy = Study | ProcurementStudy


def report(study: AnyStudy, pictures: Sequence[Picture]) -> bytes:
    """The report as PDF."""
    if not isinstance(study, ProcurementStudy):
        return document.report(study, pictures)
    files = {f"{picture.name}.svg": picture.svg for picture in pictures}
    return typeset("procurement.typ", pages.document(study, pictures), files)


def solves(study: AnyStudy) -> list[dict[str, Any]]:
    """Times of every certified solve."""
    if isinstance(study, ProcurementStudy):
        return appendix.solves(study)
    return [
        {
            "application": check.application,
            "design": check.design,
            "wall_s": check.certificate.wall_s,
            "cpu_s": check.certificate.cpu_s,
        }
        for check in study.designs
    ]
