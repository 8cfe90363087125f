"""The report of ``headroom plan`` on a comparison of designs: its figures and its document."""

from __future__ import annotations

from typing import Any

from planner.designs.study import DesignStudy
from reports.designs.document import document
from reports.designs.figures import FIGURES, pictures
from reports.report import Report
from reports.scenario_sheets import sheets, summary

__all__ = ["FIGURES", "REPORT", "document", "pictures"]


def _solves(study: DesignStudy) -> list[dict[str, Any]]:
    return [
        {
            "application": check.application,
            "design": check.design,
            "wall_s": check.certificate.wall_s,
            "cpu_s": check.certificate.cpu_s,
        }
        for check in study.designs
    ]


REPORT: Report[DesignStudy] = Report(
    "plan.typ",
    lambda study: study.scenario.title,
    summary,
    pictures,
    document,
    sheets=sheets,
    solves=_solves,
)
