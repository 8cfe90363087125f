"""Figures of a configuration study, one module per kind."""

from __future__ import annotations

from collections.abc import Callable

from planner.configurations.study import ConfigurationStudy
from reports.configuration.figures import (
    gains,
    models,
    nodes,
    repetitions,
    runs_needed,
    space,
    staircase,
)
from reports.style import Picture

FIGURES: dict[str, Callable[[ConfigurationStudy], list[Picture]]] = {
    "gains": gains.pictures,
    "space": space.pictures,
    "nodes": nodes.pictures,
    "staircase": staircase.pictures,
    "repetitions": repetitions.pictures,
    "models": models.pictures,
    "runs needed": runs_needed.pictures,
}
"""Kinds of figure; those with one picture per application have its name in their ``kind``."""


def pictures(study: ConfigurationStudy) -> list[Picture]:
    """Every picture that the study has data for."""
    return [picture for make in FIGURES.values() for picture in make(study)]
