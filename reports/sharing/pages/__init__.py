"""Pages of the report on a sharing, one question each, in the order of the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from planner.configurations.sharing.study import SharingStudy
from reports.blocks import Drawn, Page, flowing
from reports.sharing.pages import appendix, jobs, measured, method, rules
from reports.sharing.pages.front import front
from reports.style import Picture

PAGES: dict[str, Callable[[SharingStudy, Drawn], Page | None]] = {
    "jobs": jobs.page,
    "rules": rules.page,
    "measured": measured.page,
    "method": method.page,
    "limits": method.limits,
    "appendix": appendix.page,
}
"""Each gives ``None`` where the study has nothing for it."""


def document(study: SharingStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    makespan = study.plan.goal == "makespan"
    return front(study) | {"pages": flowing(PAGES, study, pictures), "makespan": makespan}
