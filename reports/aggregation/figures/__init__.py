"""Figures of a choice of an aggregation pattern, one module per kind."""

from __future__ import annotations

from collections.abc import Callable

from planner.aggregation.aggregate import AggregationStudy
from reports.aggregation.figures import errors, patterns
from reports.style import Picture

FIGURES: dict[str, Callable[[AggregationStudy], list[Picture]]] = {
    "patterns": patterns.pictures,
    "errors": errors.pictures,
}
"""Kinds of figure in the order of the report."""


def pictures(study: AggregationStudy) -> list[Picture]:
    """Every picture that the study has data for."""
    return [picture for make in FIGURES.values() for picture in make(study)]
