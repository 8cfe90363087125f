"""Figures, one module per kind. Each turns a study into pictures and computes nothing."""

from __future__ import annotations

from collections.abc import Callable

from planner.study import Study
from reports.figures import core_hour, sensitivity, speedups
from reports.figures.style import Picture

FIGURES: dict[str, Callable[[Study], list[Picture]]] = {
    "speedups": speedups.pictures,
    "sensitivity": sensitivity.pictures,
    "core_hour": core_hour.pictures,
}
"""Kinds of figure in the order of the report."""


def pictures(study: Study) -> list[Picture]:
    """Every picture that the study has data for."""
    return [picture for make in FIGURES.values() for picture in make(study)]


__all__ = ["FIGURES", "Picture", "pictures"]
