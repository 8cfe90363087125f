"""Findings of a study of models and designs, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from planner.formatting import percent, words

if TYPE_CHECKING:
    from planner.configurations.prediction.compare import ModelDecisions
    from planner.configurations.prediction.curves import CurvePoint
    from planner.configurations.prediction.study import PredictionStudy

THESIS = "log-polynomial"
"""The regression of the thesis, section 5.4.2."""
GOAL = 0.02
"""Median regret that a number of runs must reach."""
_GUARD = 0.03
STRATEGIES = {
    "sequential": "the sequential design",
    "random, verified": "random runs, the last three for verification",
    "random, chosen model": "random runs with physical+process",
    "random, log-polynomial": "random runs with the thesis's regression",
    "random, no model": "random runs without a model",
}
"""What each strategy does, in words."""


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


def named(model: str) -> str:
    """Name a model; the thesis's regression is named as such.

    Examples
    --------
    >>> named("log-polynomial"), named("physical")
    ("log-polynomial (the thesis's regression)", 'physical')
    """
    return f"{model} (the thesis's regression)" if model == THESIS else model


def least_error(prediction: PredictionStudy) -> str:
    """Name the model with the least median error of time, and compare it with the thesis's.

    The sentence has no full stop.
    """
    medians, best = _medians(prediction)
    mean = "" if len(prediction.applications) == 1 else " on average over applications"
    text = f"{named(best)} has the smallest median time error, {percent(medians[best])}{mean}"
    if THESIS not in medians or best == THESIS:
        return text
    return f"{text}; the thesis's regression ({THESIS}) has {percent(medians[THESIS])}"


def of_models(prediction: PredictionStudy) -> str:
    """Which model errs least, and what share of its decisions break the bound."""
    medians, best = _medians(prediction)
    text = f"{least_error(prediction)}. Decisions by {best} {_broken(prediction, best)}"
    if THESIS in medians and best != THESIS:
        text += f". Decisions by the thesis's regression {_broken(prediction, THESIS)}"
    return f"{text}."


def _medians(prediction: PredictionStudy) -> tuple[dict[str, float], str]:
    medians = {
        model: fmean(row.time_median for row in prediction.errors if row.model == model)
        for model in dict.fromkeys(row.model for row in prediction.errors)
    }
    return medians, min(medians, key=medians.__getitem__)


def _broken(prediction: PredictionStudy, model: str) -> str:
    rows = [row for row in prediction.decisions if row.model == model]
    low = min(row.guard for row in rows)
    high = _GUARD if any(row.guard == _GUARD for row in rows) else max(row.guard for row in rows)
    parts = []
    for guard in dict.fromkeys((low, high)):
        share = share_broken([row for row in rows if row.guard == guard])
        name = "without a guard" if guard == 0 else f"with a guard of {100 * guard:g} %"
        if share is None:
            parts.append(f"have no answer {name}")
        elif share == 0:
            parts.append(f"never break the bound {name}")
        else:
            parts.append(f"break the bound in {percent(share)} of cases {name}")
    return words(parts)


def share_broken(rows: Sequence[ModelDecisions]) -> float | None:
    """Share of the answers that break the bound; ``None`` without any answer."""
    answers = [row.decisions * (1 - row.no_answer) for row in rows]
    broken = sum(row.violations * count for row, count in zip(rows, answers, strict=True))
    return broken / sum(answers) if sum(answers) > 0 else None


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


def of_runs(prediction: PredictionStudy) -> str:
    """Runs needed by the sequential design against random ones."""
    every: dict[str, list[Needed]] = {}
    for needed in all_needed(prediction):
        every.setdefault(needed.strategy, []).append(needed)
    parts = "; ".join(
        f"{STRATEGIES.get(strategy, strategy)}: {needs(rows)}" for strategy, rows in every.items()
    )
    return f"Runs needed for a median regret of {100 * GOAL:g} %: {parts}."


def needs(rows: Sequence[Needed]) -> str:
    """Runs needed, over the applications; with what breaks the bound.

    Examples
    --------
    >>> needs([Needed("a", "s", 8, 24, 0.0), Needed("b", "s", 16, 24, 0.25)])
    '8 to 16 runs (12 % of the choices break the bound)'
    >>> needs([Needed("a", "s", 8, 24, 0.0), Needed("b", "s", None, 24, 0.0)])
    '8 runs for 1 of 2 applications, more than 24 for the others'
    """
    most_runs = max(row.most_runs for row in rows)
    counts = sorted(row.runs for row in rows if row.runs is not None)
    if not counts:
        text = f"more than {most_runs} runs"
    else:
        span = f"{counts[0]}" if counts[0] == counts[-1] else f"{counts[0]} to {counts[-1]}"
        text = f"{span} runs"
    if counts and len(counts) < len(rows):
        text += (
            f" for {len(counts)} of {len(rows)} applications, more than {most_runs} for the others"
        )
    broken = fmean(row.violations for row in rows)
    return text + (f" ({percent(broken)} of the choices break the bound)" if broken else "")
