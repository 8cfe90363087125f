"""Pages of the report on a choice of a pattern, one question each, in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from planner.aggregation.aggregate import AggregationStudy
from reports.aggregation.pages import appendix, errors, groups, method, patterns
from reports.aggregation.pages.front import front
from reports.blocks import Drawn, Page, flowing
from reports.style import Picture

PAGES: dict[str, Callable[[AggregationStudy, Drawn], Page | None]] = {
    "patterns": patterns.page,
    "groups": groups.page,
    "method": method.page,
    "errors": errors.page,
    "limits": method.limits,
    "appendix": appendix.page,
}
"""Each gives ``None`` where the study has nothing for it."""


def document(study: AggregationStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    return front(study) | {"pages": flowing(PAGES, study, pictures)}
