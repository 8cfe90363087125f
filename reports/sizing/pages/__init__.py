"""Pages of the report on a sizing, one question each, in the order of the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from planner.scheduling.sizing.study import SizingStudy
from reports.blocks import Drawn, Page, flowing
from reports.sizing.pages import appendix, chance, curve, growth, method
from reports.sizing.pages.front import front
from reports.style import Picture

PAGES: dict[str, Callable[[SizingStudy, Drawn], Page | None]] = {
    "curve": curve.page,
    "chance": chance.page,
    "growth": growth.page,
    "method": method.page,
    "limits": method.limits,
    "appendix": appendix.page,
}
"""Each gives ``None`` where the study has nothing for it."""


def document(study: SizingStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    return front(study) | {"pages": flowing(PAGES, study, pictures)}
