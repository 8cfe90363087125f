"""The report of ``headroom simulate``: its figures, its pages, and the document they make."""

from __future__ import annotations

from typing import Any

from planner.scheduling.simulation.study import SimulationStudy
from reports.report import Report
from reports.simulation.figures import FIGURES, pictures
from reports.simulation.pages import differences, jobs, load, method, waits
from reports.simulation.pages.front import front, pairs, title
from reports.skeleton import paged

__all__ = ["FIGURES", "REPORT", "document", "pictures"]


def _solves(study: SimulationStudy) -> list[dict[str, Any]]:
    return [
        {"policy": simulation.schedule.policy, "simulation_seconds": simulation.seconds}
        for simulation in study.simulations
    ]


document = paged(
    front,
    waits.page,
    differences.page,
    waits.partitions,
    load.page,
    waits.who,
    jobs.explained,
    method.page,
    method.limits,
    jobs.page,
    method.appendix,
)
REPORT: Report[SimulationStudy] = Report(
    "simulation.typ", title, pairs, pictures, document, solves=_solves
)
