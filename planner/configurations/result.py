"""The best configurations of some applications under one bound, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from planner.configurations.best_configuration import ConfigurationAnswer, Question
from planner.configurations.degree import Degree, NodeCurve, degree, mix_curve
from planner.configurations.repeats import Repeats, repeats
from planner.finding import Finding
from scenarios.measurements.runs import Measurements, Runs
from scenarios.measurements.spread import RepetitionSpread, spread

if TYPE_CHECKING:
    from planner.configurations.prediction.predicted import Grid
    from planner.configurations.prediction.study import PredictionStudy


@dataclass(frozen=True, eq=False, repr=False)
class ConfigurationResult:
    """The best configurations of some applications under one bound.

    Attributes
    ----------
    measurements, question
        The measured runs and the settings.
    answers
        One per application, in the order of the table.
    weights
        Weights of the applications in the mix; 1 where none was given.
    refused
        Applications without an answer, each with what is stated of it.
    reading
        Words of the command that say how the file was read, as ``("--sheet", "runs")``.
    model
        Name of the model that predicted what was not run; empty where only runs are chosen among.
    grid
        What it predicted for; ``None``: all combinations of what was measured.
    prediction
        How well models and designs do on these runs; ``None`` without ``--full``.
    doubtful
        What is doubtful about the predictions.
    """

    measurements: Measurements
    question: Question
    answers: tuple[ConfigurationAnswer, ...]
    weights: Mapping[str, float] = field(default_factory=dict)
    refused: tuple[tuple[str, Finding], ...] = ()
    reading: tuple[str, ...] = ()
    model: str = ""
    grid: Grid | None = None
    prediction: PredictionStudy | None = None
    doubtful: tuple[Finding, ...] = ()

    @property
    def runs(self) -> tuple[Runs, ...]:
        """Return the runs of each application that has an answer."""
        return tuple(self.measurements.runs[answer.application] for answer in self.answers)

    @property
    def predictions(self) -> tuple[int, int]:
        """Count the candidate configurations, and those of them that are predictions."""
        every = sum(len(answer.table) for answer in self.answers)
        return every, sum(answer.predictions for answer in self.answers)

    @cached_property
    def mix(self) -> NodeCurve | None:
        """Best time of the mix over the node count; ``None`` for one application."""
        if len(self.answers) < 2:
            return None
        return mix_curve([answer.node_curve for answer in self.answers], self.weights)

    @cached_property
    def mix_degree(self) -> Degree | None:
        """Return how many nodes pay for the mix."""
        if self.mix is None:
            return None
        return degree(
            self.mix,
            self.answers[0].worst_case.nodes_by_rating,
            least_gain=self.question.least_gain,
            fixed_cost_nodes=self.question.fixed_cost_nodes,
        )

    @cached_property
    def spreads(self) -> tuple[RepetitionSpread, ...]:
        """Repetitions and slow runs of each application that has an answer."""
        return tuple(spread(run) for run in self.runs)

    @cached_property
    def repeats(self) -> tuple[Repeats, ...]:
        """How far repetitions of the same configuration lie apart, one per answer."""
        return tuple(repeats(run) for run in self.runs)
