"""Figures of a comparison of designs, one module per kind."""

from __future__ import annotations

from collections.abc import Callable

from planner.designs.study import DesignStudy
from reports.designs.figures import core_hour, sensitivity, speedups
from reports.style import Picture

FIGURES: dict[str, Callable[[DesignStudy], list[Picture]]] = {
    "speedups": speedups.pictures,
    "sensitivity": sensitivity.pictures,
    "core_hour": core_hour.pictures,
}
"""Kinds of figure in the order of the report."""


def pictures(study: DesignStudy) -> list[Picture]:
    """Every picture that the study has data for."""
    return [picture for make in FIGURES.values() for picture in make(study)]
