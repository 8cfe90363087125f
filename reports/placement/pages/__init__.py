"""Pages of the report on a placement, one question each, in the order of the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from planner.placement.study import PlacementStudy
from reports.blocks import Drawn, Page, flowing
from reports.placement.pages import (
    algorithms,
    appendix,
    costs,
    counted,
    gain,
    levels,
    method,
    nodes,
    start,
)
from reports.placement.pages.front import front
from reports.style import Picture

PAGES: dict[str, Callable[[PlacementStudy, Drawn], Page | None]] = {
    "gain": gain.page,
    "algorithms": algorithms.page,
    "nodes": nodes.page,
    "levels": levels.page,
    "start": start.page,
    "counted": counted.page,
    "method": method.page,
    "costs": costs.page,
    "limits": method.limits,
    "appendix": appendix.page,
}
"""Each gives ``None`` where the study has nothing for it."""


def document(study: PlacementStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    return front(study) | {
        "pages": flowing(PAGES, study, pictures),
        "levels": study.placement.summed,
    }
