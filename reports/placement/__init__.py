"""The report of ``headroom place``: its figures, its pages, and the document that they make."""

from __future__ import annotations

from typing import Any

from planner.placement.bundle import bundle
from planner.placement.study import PlacementStudy
from planner.placement.tables import partial
from reports.placement.figures import FIGURES, pictures
from reports.placement.pages import (
    algorithms,
    costs,
    counted,
    gain,
    levels,
    method,
    nodes,
    start,
)
from reports.placement.pages.front import front, pairs, title
from reports.report import Report
from reports.skeleton import paged

__all__ = ["FIGURES", "REPORT", "document", "pictures"]


def _solves(study: PlacementStudy) -> list[dict[str, Any]]:
    return [
        {"algorithm": attempt.name, "seconds": attempt.seconds, "stopped_by_time": attempt.late}
        for attempt in study.tried
    ]


document = paged(
    front,
    gain.page,
    algorithms.page,
    nodes.page,
    levels.page,
    start.page,
    costs.page,
    counted.page,
    method.limits,
    method.page,
    method.appendix,
)
REPORT: Report[PlacementStudy] = Report(
    "placement.typ",
    title,
    pairs,
    pictures,
    document,
    partial=partial,
    solves=_solves,
    files=lambda study: bundle(study.layout),
)
