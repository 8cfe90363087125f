"""How many runs each design needs, and how many of its choices break the bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.configurations.prediction.curves import CurvePoint
    from planner.configurations.prediction.study import PredictionStudy

GOAL = 0.02
"""Median regret that a number of runs must reach."""


@dataclass(frozen=True)
class Needed:
    """Runs that a strategy needs for one application.

    Attributes
    ----------
    application, strategy
        Names of the application and of the strategy.
    runs
        The fewest with a median regret of at most 2 % and an answer to every decision, with these
        and every larger number looked at; ``None``: not within ``most_runs``.
    most_runs
        The largest number looked at.
    violations
        Share of the choices that break the bound after ``runs`` runs (``None``: ``most_runs``).
    """

    application: str
    strategy: str
    runs: int | None
    most_runs: int
    violations: float


def needed(points: Sequence[CurvePoint]) -> Needed:
    """Runs needed by one strategy for one application."""
    ordered = sorted(points, key=lambda point: point.runs)
    reached: CurvePoint | None = None
    for point in reversed(ordered):
        if point.regret_median is None or point.no_answer > 0 or point.regret_median > GOAL:
            break
        reached = point
    at = reached or ordered[-1]
    runs = None if reached is None else reached.runs
    return Needed(at.application, at.strategy, runs, ordered[-1].runs, at.violations)


def all_needed(prediction: PredictionStudy) -> tuple[Needed, ...]:
    """Runs needed by every strategy for every application."""
    groups: dict[tuple[str, str], list[CurvePoint]] = {}
    for point in prediction.curves:
        groups.setdefault((point.application, point.strategy), []).append(point)
    return tuple(needed(points) for points in groups.values())
