"""How many tasks of a program to put on a node: every pattern predicted, one of them chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from planner.aggregation.engine import Engine
from planner.aggregation.facts import study_of
from planner.aggregation.learning import learnt
from planner.aggregation.result import AggregationResult, AggregationSettings
from planner.aggregation.selection import Predictor, Progress
from planner.answer import Answer
from planner.study import Study
from scenarios.aggregation import NodeMeasurements

if TYPE_CHECKING:
    from planner.aggregation.truths import Truths


@dataclass(frozen=True, eq=False, repr=False)
class AggregationStudy(AggregationResult, Answer):
    """A choice of a pattern, ready to be shown."""

    def _made(self) -> Study:
        return study_of(self)


def aggregate(
    measured: NodeMeasurements,
    settings: AggregationSettings | None = None,
    *,
    true: Callable[[Predictor], Truths] | None = None,
    command: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> AggregationStudy:
    """Fit the models, predict every feasible pattern, and choose one.

    Parameters
    ----------
    true
        Runs the program under every pattern with the groups of a predictor. The choice does not
        use these runs.
    command
        Words of the command behind ``headroom``.
    progress
        Called after each pattern with the number of predicted patterns and of all patterns.

    Raises
    ------
    ScenarioError
        Measurements are missing.
    PlanError
        Nothing can be predicted.
    InputError
        The baseline or a tried pattern is not predicted, or a tried run is impossible.
    """
    settings = settings or AggregationSettings()
    engine = Engine(settings.grouping, settings.seed, settings.starts)
    known = learnt(
        measured,
        engine,
        settings.objective,
        metered=settings.choose == "joules",
    )
    candidates = known.predictor.candidates(measured.program, known.offered, progress)
    truths = None if true is None else true(known.predictor)
    study = AggregationStudy(measured, settings, known, candidates, truths, command)
    if settings.tried:
        study = replace(study, candidates=study.posterior.candidates, predicted=candidates)
    _ = study.baseline, study.decided  # what cannot be chosen is refused here
    return study
