"""Pages of the report on a procurement, one question each, in the order of the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from planner.procurement.study import ProcurementStudy
from reports.blocks import Drawn, Page, by_kind
from reports.procurement.pages import (
    alternatives,
    appendix,
    cost,
    heuristics,
    infeasible,
    inputs,
    limits,
    losing,
    method,
    operation,
    plane,
    purchase,
    ranking,
    regimes,
    uncertainty,
    worth,
)
from reports.procurement.pages.front import front
from reports.style import Picture

PAGES: dict[str, Callable[[ProcurementStudy, Drawn], Page | None]] = {
    "infeasible": infeasible.page,
    "method": method.page,
    "quotes": inputs.quotes,
    "work": inputs.work,
    "purchase": purchase.page,
    "operation": operation.page,
    "regimes": regimes.page,
    "heuristics": heuristics.page,
    "worth": worth.page,
    "cost": cost.page,
    "ranking": ranking.page,
    "alternatives": alternatives.page,
    "losing": losing.page,
    "plane": plane.plane,
    "pareto": plane.pareto,
    "tornado": uncertainty.tornado,
    "monte_carlo": uncertainty.monte_carlo,
    "limits": limits.page,
    "appendix": appendix.page,
    "sources": inputs.sources,
}
"""Each gives ``None`` where the study has nothing for it."""


def document(study: ProcurementStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    drawn = by_kind(pictures)
    made = (make(study, drawn) for make in PAGES.values())
    return front(study) | {"pages": [page.to_dict() for page in made if page is not None]}
