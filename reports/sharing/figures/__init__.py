"""Figures of a sharing, one module per kind."""

from __future__ import annotations

from collections.abc import Callable

from planner.configurations.sharing.study import SharingStudy
from reports.sharing.figures import times, watts
from reports.style import Picture

FIGURES: dict[str, Callable[[SharingStudy], list[Picture]]] = {
    "watts": watts.pictures,
    "times": times.pictures,
}
"""Kinds of figure in the order of the report."""


def pictures(study: SharingStudy) -> list[Picture]:
    """Every picture that the study has data for."""
    return [picture for make in FIGURES.values() for picture in make(study)]
