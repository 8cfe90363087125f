"""Figures of a placement, one module per kind."""

from __future__ import annotations

from collections.abc import Callable

from planner.placement.study import PlacementStudy
from reports.placement.figures import algorithms, graph, levels, matrix, nodes
from reports.style import Picture

FIGURES: dict[str, Callable[[PlacementStudy], list[Picture]]] = {
    "matrix": matrix.pictures,
    "algorithms": algorithms.pictures,
    "nodes": nodes.pictures,
    "levels": levels.pictures,
    "graph": graph.pictures,
}
"""Kinds of figure in the order of the report."""


def pictures(study: PlacementStudy) -> list[Picture]:
    """Every picture that the study has data for."""
    return [picture for make in FIGURES.values() for picture in make(study)]
