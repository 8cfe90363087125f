"""Figures of a simulation, one module per kind."""

from __future__ import annotations

from collections.abc import Callable

from planner.scheduling.simulation.study import SimulationStudy
from reports.simulation.figures import (
    classes,
    comparisons,
    gantt,
    over_time,
    users,
    waits,
)
from reports.style import Picture

FIGURES: dict[str, Callable[[SimulationStudy], list[Picture]]] = {
    "waits": waits.pictures,
    "comparisons": comparisons.pictures,
    "over time": over_time.pictures,
    "gantt": gantt.pictures,
    "classes": classes.pictures,
    "users": users.pictures,
}
"""Kinds of figure in the order of the report."""


def pictures(study: SimulationStudy) -> list[Picture]:
    """Every picture that the study has data for."""
    if not study.ranking:
        return []
    return [picture for make in FIGURES.values() for picture in make(study)]
