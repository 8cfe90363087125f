"""Pages of the report on a simulation, one question each, in the order of the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from planner.scheduling.simulation.study import SimulationStudy
from reports.blocks import Drawn, Page, flowing
from reports.simulation.pages import appendix, differences, jobs, load, method, partitions, waits
from reports.simulation.pages.front import front
from reports.style import Picture

PAGES: dict[str, Callable[[SimulationStudy, Drawn], Page | None]] = {
    "waits": waits.page,
    "differences": differences.page,
    "partitions": partitions.page,
    "load": load.page,
    "who": waits.who,
    "jobs": jobs.page,
    "explained": jobs.explained,
    "method": method.page,
    "limits": method.limits,
    "appendix": appendix.page,
}
"""Each gives ``None`` where the study has nothing for it."""


def document(study: SimulationStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    return front(study) | {"pages": flowing(PAGES, study, pictures)}
