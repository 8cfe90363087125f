"""Pages of the report on a study of estimates, one question each, in the order of the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from planner.scheduling.estimates.study import EstimateStudy
from reports.blocks import Drawn, Page, flowing
from reports.estimates.pages import (
    appendix,
    cells,
    groups,
    log,
    method,
    predictors,
    validation,
    weights,
)
from reports.estimates.pages.front import front
from reports.style import Picture

PAGES: dict[str, Callable[[EstimateStudy, Drawn], Page | None]] = {
    "mean": cells.mean,
    "longest": cells.longest,
    "groups": groups.page,
    "predictors": predictors.page,
    "weights": weights.page,
    "log": log.page,
    "validation": validation.page,
    "method": method.page,
    "limits": method.limits,
    "appendix": appendix.page,
}
"""Each gives ``None`` where the study has nothing for it."""


def document(study: EstimateStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    return front(study) | {"pages": flowing(PAGES, study, pictures)}
