"""How many tasks of a program to put on a node: every pattern predicted, one of them chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from planner.aggregation import summary
from planner.aggregation.engine import Engine
from planner.aggregation.learning import learnt
from planner.aggregation.patterns import REFERENCE
from planner.aggregation.result import AggregationResult, AggregationSettings
from planner.aggregation.selection import Predictor, Progress
from planner.aggregation.tables import tables
from planner.worded_study import Study
from scenarios.aggregation import NodeMeasurements

if TYPE_CHECKING:
    from planner.aggregation.truths import Truths


@dataclass(frozen=True, eq=False, repr=False)
class AggregationStudy(AggregationResult, Study):
    """A choice of a pattern, ready to be shown."""

    @property
    def headline(self) -> str:
        """The choice in one sentence."""
        return summary.sentence(self)

    @property
    def confidence(self) -> str:
        """What it is worth: in truth where that is known."""
        return " ".join(filter(None, (self.decided.proof, summary.certificate_text(self))))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the figures must know."""
        return tuple(summary.warnings(self))

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table by its name, as rows of plain values."""
        return tables(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        program, settings, choice = self.measured.program, self.settings, self.choice
        setting = self.learnt.tried[0]
        return {
            "summary": f"{self.headline} {self.confidence}".strip(),
            "program": program.name,
            "tasks": program.traffic.tasks,
            "simulated": self.measured.simulated,
            "source": self.measured.source,
            "chosen": self.chosen.pattern.id,
            "tasks_per_node": self.chosen.pattern.tasks,
            "nodes": self.nodes(self.chosen.pattern),
            "slowdown": self.chosen.slowdown,
            "baseline": self.baseline.pattern.id,
            "saving": self.saving(self.chosen),
            "slower_than_baseline": self.slower(self.chosen),
            "choose": settings.choose,
            **self.decided.to_dict(),
            "energy_known": self.metered,
            "other_choice": None if self.other is None else self.other.pattern.id,
            "threshold": settings.threshold,
            "grouping": settings.grouping,
            "objective": settings.objective,
            "seed": settings.seed,
            "groups": self.chosen.groups.tolist(),
            "patterns": self.tables()["patterns"],
            "true": None
            if choice is None
            else {
                "against": REFERENCE,
                "slowdown": choice.slowdown,
                "saving": choice.saving,
                "tolerable": choice.tolerable,
                "best": choice.best,
                "best_saving": choice.best_saving,
                "share_of_best_saving": choice.share,
            },
            "ipc_model": {
                "ridge": setting.setting.ridge,
                "events": setting.setting.events,
                "left_out_mean_error": setting.mean_error,
                "left_out_most_error": setting.most_error,
            },
            "sha256": dict(self.measured.sha256),
            "warnings": list(self.warnings),
        }


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
        The baseline is not predicted.
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
    _ = study.baseline, study.decided  # what cannot be chosen is refused here
    return study
