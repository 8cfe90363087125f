"""Figures of a sizing, one module per kind."""

from __future__ import annotations

from collections.abc import Callable

from planner.scheduling.sizing.study import SizingStudy
from reports.sizing.figures import curve, resampled, weeks
from reports.style import Picture

FIGURES: dict[str, Callable[[SizingStudy], list[Picture]]] = {
    "curve": curve.pictures,
    "drawn": resampled.pictures,
    "weeks": weeks.pictures,
}
"""Kinds of figure in the order of the report."""


def pictures(study: SizingStudy) -> list[Picture]:
    """Every picture that the study has data for."""
    return [picture for make in FIGURES.values() for picture in make(study)]
