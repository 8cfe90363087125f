"""Whether the scheduler's weights are assumed: those of the bundled configuration are."""

from __future__ import annotations

from functools import cache

from planner.scheduling.estimates.settings import WEIGHTS
from planner.scheduling.estimates.study import EstimateStudy
from scenarios.maui.reader import bundled_maui
from scenarios.maui.settings import MauiConfiguration

ASSUMED = "The scheduler's weights are assumed, as the paper does not publish them."
"""Holds for the bundled configuration alone."""


def weights_assumed(study: EstimateStudy) -> bool:
    """Return whether the weights are the bundled ones and not those of a user's scheduler."""
    return _weights(study.configuration) == _bundled_weights()


@cache
def _bundled_weights() -> tuple[float, ...]:
    return _weights(bundled_maui())


def _weights(configuration: MauiConfiguration) -> tuple[float, ...]:
    """Every weight of a preference that the paper names, times that of its component."""
    components = [(getattr(configuration.priority, component), name) for component, name in WEIGHTS]
    return tuple(component.weight * getattr(component, name) for component, name in components)
