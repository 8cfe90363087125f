"""How far a choice among configurations can be relied on: what of it is predicted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from planner.configurations.table import groups
from planner.formatting import given, plural

if TYPE_CHECKING:
    from planner.configurations.best_configuration import ConfigurationAnswer, Question
    from scenarios.measurements.runs import Runs


def confidence(question: Question, answers: Sequence[ConfigurationAnswer], model: str) -> str:
    """State which times and powers are predictions; ``model`` is the text of :func:`fitted`."""
    every, predicted = predictions(answers)
    if not predicted:
        return ""
    guard = question.prediction_guard or question.bound.guard
    guard_text = (
        f"{given(guard)} of the bound is kept free for errors in power"
        if guard
        else "No part of the bound is kept free as a guard, so an error in power breaks the bound"
    )
    which = "All" if predicted == every else f"{predicted:,} of {every:,}"
    chosen = any(answer.predicted for answer in answers)
    return (
        f"{which} configurations have predicted times and powers ({model}). {guard_text}. "
        f"{'Run the choice before you rely on it.' if chosen else 'The best was measured.'}"
    )


def fitted(model: str, runs: Sequence[Runs]) -> str:
    """Name the model and the runs that it was fitted to; empty if everything was measured.

    With several applications, each has its own model, and the numbers are totals.
    """
    if not model:
        return ""
    configurations = sum(len(groups(run)) for run in runs)
    each_one = "" if len(runs) == 1 else f" of {len(runs)} applications, one model for each"
    return (
        f"{model}, fitted to {plural(sum(map(len, runs)), 'run')} of "
        f"{plural(configurations, 'configuration')}{each_one}"
    )


def predictions(answers: Sequence[ConfigurationAnswer]) -> tuple[int, int]:
    """Count the candidate configurations, and those of them that are predictions."""
    every = sum(len(answer.table) for answer in answers)
    return every, sum(answer.predictions for answer in answers)
