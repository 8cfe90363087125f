"""Figures of a study of estimates, one module per kind."""

from __future__ import annotations

from collections.abc import Callable

from planner.scheduling.estimates.study import EstimateStudy
from reports.estimates.figures import cells, completions, groups, predictors, weights
from reports.style import Picture

FIGURES: dict[str, Callable[[EstimateStudy], list[Picture]]] = {
    "mean": cells.of_mean,
    "longest": cells.of_longest,
    "groups": groups.pictures,
    "predictors": predictors.pictures,
    "weights": weights.pictures,
    "completions": completions.pictures,
}
"""Kinds of figure in the order of the report."""


def pictures(study: EstimateStudy) -> list[Picture]:
    """Every picture that the study has data for."""
    return [picture for make in FIGURES.values() for picture in make(study)]
