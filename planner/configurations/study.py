"""All answers to one table of measurements under one bound, ready to be shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from planner.answer import Answer
from planner.configurations.applications import check_applications
from planner.configurations.best_configuration import (
    ConfigurationAnswer,
    Question,
    answer_from,
    configure,
)
from planner.configurations.degree import check_weights
from planner.configurations.facts import study_of
from planner.configurations.result import ConfigurationResult
from planner.errors import ContradictionError, InputError, PlanError
from planner.finding import Finding, finding
from planner.study import Study
from scenarios.measurements.runs import Measurements, Runs

if TYPE_CHECKING:
    from planner.configurations.prediction.model import Model
    from planner.configurations.prediction.predicted import Grid


@dataclass(frozen=True, eq=False, repr=False)
class ConfigurationStudy(ConfigurationResult, Answer):
    """The best configurations of some applications, ready to be shown.

    Its attributes are those of :class:`~planner.configurations.result.ConfigurationResult`.
    """

    def _made(self) -> Study:
        return study_of(self)


def _not_answered(application: str, error: PlanError) -> Finding:
    """What is said of an application whose question could not be answered."""
    return finding("risk", "not-answered", application=(application, "text"),
                   why=(str(error), "message"))  # fmt: skip


def study(
    measurements: Measurements,
    question: Question,
    *,
    applications: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
    model: Model | None = None,
    grid: Grid | None = None,
) -> ConfigurationStudy:
    """Answer for the named applications, or for all in the table.

    With a ``model``, the choice is among all configurations of the ``grid`` (by default all
    combinations of what was measured): those that were run as measured, the others as predicted.
    Without, it is among those that were run.

    Raises
    ------
    InputError
        An application is not in the table; names the nearest ones. A weight of one that was not
        asked for, or a negative one. No application has enough runs for the model, or the grid
        holds too much.
    PlanError
        No configuration of any application keeps to the bound; names those that draw least.
        Solvers contradict each other.
    """
    measured = list(measurements.runs)
    check_applications(measurements, (*applications, *(weights or {})))
    chosen = [name for name in measured if name in applications] if applications else measured
    check_weights(weights or {}, chosen)
    answers, refused, errors = [], [], list[PlanError]()
    doubts: list[Finding] = []
    for name in chosen:
        try:
            answer, doubtful = _answer(measurements.runs[name], question, model, grid)
            answers.append(answer)
            doubts += doubtful
        except PlanError as error:
            if isinstance(error, ContradictionError):
                raise
            refused.append((name, error.stated or _not_answered(name, error)))
            errors.append(error)
    if not answers:
        is_input = all(isinstance(error, InputError) for error in errors)
        failure = InputError if is_input else PlanError
        raise failure("\n".join(dict.fromkeys(map(str, errors))))
    return ConfigurationStudy(
        measurements,
        question,
        tuple(answers),
        dict(weights or {}),
        tuple(refused),
        model="" if model is None else model.name,
        grid=grid if model is not None else None,
        doubtful=tuple(doubts),
    )


def _answer(
    runs: Runs, question: Question, model: Model | None, grid: Grid | None
) -> tuple[ConfigurationAnswer, tuple[Finding, ...]]:
    """The answer, and what is doubtful about the predictions behind it."""
    if model is None:
        return configure(runs, question), ()
    from planner.configurations.prediction.predicted import Grid, predicted_table

    candidates = (grid or Grid()).of(runs)
    guard = question.prediction_guard
    table, doubtful = predicted_table(runs, model, candidates, question.repetition, guard)
    return answer_from(table, question, runs=runs), doubtful
