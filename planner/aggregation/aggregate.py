"""How many tasks of a program to put on a node: every pattern predicted, one of them chosen."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from planner.aggregation import wording
from planner.aggregation.engine import Engine
from planner.aggregation.grouping import Objective
from planner.aggregation.learning import Learnt, learnt
from planner.aggregation.patterns import REFERENCE, Pattern, Sampled, by_energy, patterns, sampled
from planner.aggregation.selection import (
    THRESHOLD,
    Candidate,
    Predictor,
    Progress,
    by_joules,
    by_rank,
    tolerable,
)
from planner.aggregation.tables import tables
from planner.errors import InputError
from planner.study import Study
from scenarios.aggregation import NodeMeasurements
from scenarios.wording import short

if TYPE_CHECKING:
    from planner.aggregation.truths import Truths

Choose = Literal["rank", "joules"]
_NUMBER = re.compile("[0-9]{1,6}")


@dataclass(frozen=True)
class Asked:
    """What is asked.

    Attributes
    ----------
    threshold
        Tolerated slowdown against one task per node, as a fraction.
    grouping, objective, seed, starts
        Partitioner, its weights, and its random starts.
    choose
        By the paper's rank (nodes, processors, dies), or by predicted joules.
    classes
        Whether each class of IPC has a model of its own, as in the paper.
    baseline
        What energy and time are compared with: ``packed``, the pattern with most tasks on a node,
        ties to the fewest processors, as batch systems fill nodes; ``one``, one task per node, as
        in the paper; or the number of a pattern. The threshold is always against one task per node.

    Raises
    ------
    InputError
        A threshold that is no fraction from 0 to 1, or a baseline that is none of these.
    """

    threshold: float = THRESHOLD
    grouping: str = "kl"
    objective: Objective = "paper"
    choose: Choose = "rank"
    classes: bool = True
    seed: int = 0
    starts: int = 10
    baseline: str = "packed"

    def __post_init__(self) -> None:
        if self.baseline not in {"packed", "one"} and not _NUMBER.fullmatch(self.baseline):
            raise InputError(
                f"baseline {short(self.baseline)}: give packed, one, or the number of a pattern"
            )
        if not 0 <= self.threshold <= 1:
            given = f"threshold = {self.threshold:g}"
            raise InputError(f"{given}; give a fraction from 0 to 1, 0.05 for 5 %")


@dataclass(frozen=True)
class Choice:
    """A chosen pattern in truth, where that is known.

    Attributes
    ----------
    slowdown, saving
        True, of the chosen, against one task per node.
    best, best_saving
        Pattern of least true energy among those that are truly tolerable, by trying all.
    """

    slowdown: float
    saving: float
    best: int
    best_saving: float
    threshold: float

    @property
    def tolerable(self) -> bool:
        """Whether the chosen is truly so."""
        return self.slowdown <= self.threshold

    @property
    def share(self) -> float:
        """Of the best saving; nothing for a choice that is too slow, 1 where nothing is to save."""
        if not self.tolerable:
            return 0.0
        return self.saving / self.best_saving if self.best_saving > 0 else 1.0


@dataclass(frozen=True, eq=False, repr=False)
class AggregationStudy(Study):
    """All patterns of a node for one program, predicted; and one chosen.

    Attributes
    ----------
    measured, asked
        What it is made of.
    learnt
        Models, with their errors on training codes left out.
    candidates
        Feasible patterns with their predictions, by id.
    truths
        True runs, on the simulated node.
    command
        Words of the command behind ``headroom``; empty for a study from Python.
    """

    measured: NodeMeasurements
    asked: Asked
    learnt: Learnt
    candidates: tuple[Candidate, ...]
    truths: Truths | None = None
    command: tuple[str, ...] = ()

    @cached_property
    def chosen(self) -> Candidate:
        """Of the tolerable ones, by what was asked."""
        choose = by_rank if self.asked.choose == "rank" else by_joules
        return choose(self.candidates, self.asked.threshold)

    @cached_property
    def other(self) -> Candidate | None:
        """What the other way would choose; None where that is not known."""
        if not self.metered:
            return None
        choose = by_joules if self.asked.choose == "rank" else by_rank
        return choose(self.candidates, self.asked.threshold)

    @cached_property
    def reference(self) -> Candidate:
        """One task per node."""
        return next(c for c in self.candidates if c.pattern.id == REFERENCE)

    @cached_property
    def baseline(self) -> Candidate:
        """What energy and time are compared with.

        Raises
        ------
        InputError
            It names a pattern that is not predicted.
        """
        offered = {c.pattern.id: c for c in self.candidates}
        if self.asked.baseline == "one":
            return self.reference
        if self.asked.baseline == "packed":
            return offered[by_energy(tuple(c.pattern for c in self.candidates))[0].id]
        if int(self.asked.baseline) not in offered:
            listed = ", ".join(map(str, sorted(offered)))
            raise InputError(
                f"baseline {self.asked.baseline}: this pattern is not predicted; give packed, one, "
                f"or one of {listed}"
            )
        return offered[int(self.asked.baseline)]

    @property
    def tolerable(self) -> frozenset[int]:
        """Patterns whose predicted slowdown is."""
        kept = tolerable(self.candidates, self.asked.threshold)
        return frozenset(c.pattern.id for c in kept)

    @cached_property
    def choice(self) -> Choice | None:
        """The chosen in truth."""
        if self.truths is None:
            return None
        taken, best = self.chosen.pattern.id, self.truths.best_within(self.asked.threshold)
        return Choice(
            self.truths.slowdown(taken),
            self.truths.saving(taken),
            best,
            self.truths.saving(best),
            self.asked.threshold,
        )

    @property
    def metered(self) -> bool:
        """Whether power, and so energy, is known."""
        return self.learnt.predictor.power is not None

    def saving(self, candidate: Candidate) -> float | None:
        """Predicted energy saved against the baseline; None where energy is not known."""
        if candidate.energy_j is None or self.baseline.energy_j is None:
            return None
        return 1 - candidate.energy_j / self.baseline.energy_j

    def gain(self, candidate: Candidate) -> float:
        """Energy saved, or nodes where energy is not known, against the baseline."""
        saving = self.saving(candidate)
        nodes = self.baseline.pattern.tasks / candidate.pattern.tasks
        return 1 - nodes if saving is None else saving

    def slower(self, candidate: Candidate) -> float:
        """Predicted time over that of the baseline, less 1."""
        return candidate.time_s / self.baseline.time_s - 1

    @cached_property
    def sampled(self) -> Sampled:
        """Patterns under which the program was sampled."""
        return sampled(self.measured.node)

    def nodes(self, pattern: Pattern) -> int:
        """Nodes that the program takes under a pattern."""
        return self.measured.program.traffic.tasks // pattern.tasks

    @property
    def refused(self) -> dict[int, str]:
        """Why a pattern is not among the candidates, by its id."""
        there = {c.pattern.id for c in self.candidates}
        return {
            pattern.id: wording.why_not(self, pattern)
            for pattern in patterns(self.measured.node)
            if pattern.id not in there
        }

    @property
    def headline(self) -> str:
        """The choice in one sentence."""
        return wording.sentence(self)

    @property
    def confidence(self) -> str:
        """What it is worth: in truth where that is known."""
        return wording.sureness(self)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the figures must know."""
        return tuple(wording.warnings(self))

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table by its name, as rows of plain values."""
        return tables(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        program, asked, choice = self.measured.program, self.asked, self.choice
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
            "choose": asked.choose,
            "energy_known": self.metered,
            "other_choice": None if self.other is None else self.other.pattern.id,
            "threshold": asked.threshold,
            "grouping": asked.grouping,
            "objective": asked.objective,
            "seed": asked.seed,
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
                "classes": asked.classes,
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
    asked: Asked | None = None,
    *,
    true: Callable[[Predictor], Truths] | None = None,
    command: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> AggregationStudy:
    """Learn, predict every feasible pattern, choose.

    Parameters
    ----------
    true
        Runs the program under every pattern with the groups of a predictor; nothing that is
        chosen sees it.
    command
        Words of the command behind ``headroom``.
    progress
        Told after each pattern how many of how many are predicted.

    Raises
    ------
    scenarios.faults.ScenarioError
        Measurements are missing.
    PlanError
        Nothing can be predicted.
    InputError
        The baseline is not predicted.
    """
    asked = asked or Asked()
    engine = Engine(asked.grouping, asked.seed, asked.starts)
    known = learnt(
        measured,
        engine,
        asked.objective,
        classes=asked.classes,
        metered=asked.choose == "joules",
    )
    found = known.predictor.candidates(measured.program, known.offered, progress)
    truths = None if true is None else true(known.predictor)
    study = AggregationStudy(measured, asked, known, found, truths, command)
    _ = study.baseline  # a pattern that is not predicted is refused here
    return study
