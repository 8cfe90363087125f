"""What was predicted of each pattern of a program, and which one is chosen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from planner.aggregation.methods import HEURISTICS, Choose, Decided, chosen
from planner.aggregation.patterns import REFERENCE, Pattern, Sampled, by_energy, patterns, sampled
from planner.aggregation.posterior import Posterior, posterior
from planner.aggregation.selection import (
    THRESHOLD,
    Candidate,
    by_joules,
    by_rank,
    tolerable,
    why_not,
)
from planner.aggregation.tried import TriedPattern, TriedRun, by_pattern, checked
from planner.errors import InputError
from planner.formulations.by_method import ENGINE
from scenarios.formatting import short

if TYPE_CHECKING:
    from planner.aggregation.grouping import Objective
    from planner.aggregation.learning import Learnt
    from planner.aggregation.truths import Truths
    from scenarios.aggregation import NodeMeasurements

MARGIN = 0.002
"""By how much a run must be within the limit: half of the scatter of run times."""
MOST_FAILURES = 2
"""Patterns that ran above the limit, after which one task per node is the answer if none is
confirmed."""
_LEAST_GAIN = 1e-3
"""Expected saving, as a share of the energy of the answer, below which no run is proposed."""
LEAST_IDLE_W = 1.0
"""Fitted power of an idle node below which it says nothing."""
_NUMBER = re.compile("[0-9]{1,6}")


@dataclass(frozen=True)
class AggregationSettings:
    """The settings of a choice.

    Attributes
    ----------
    threshold
        Tolerated slowdown against one task per node, as a fraction.
    grouping, objective, seed, starts
        Partitioner, its weights, and its random starts.
    choose
        By the paper's rank (nodes, processors, dies), or by predicted joules.
    baseline
        What energy and time are compared with. ``packed``: the pattern with most tasks on a node,
        then fewest processors, as batch systems fill nodes. ``one``: one task per node, as in the
        paper. Or the number of a pattern. The threshold is always against one task per node.
    method, solver
        Method and solver of the choice, as in :func:`planner.aggregation.methods.chosen`.
    tried
        Runs of the program: :class:`TriedRun`, or tuples of a pattern, the seconds of the whole
        run, and the joules of all its nodes if they were metered. They correct the predictions.

    Raises
    ------
    InputError
        The threshold is not a fraction from 0 to 1, the baseline is none of these, a run has an
        impossible number, or runs are given with a rule of thumb, which uses no predictions.
    """

    threshold: float = THRESHOLD
    grouping: str = "kl"
    objective: Objective = "paper"
    choose: Choose = "rank"
    seed: int = 0
    starts: int = 10
    baseline: str = "packed"
    method: str = ENGINE
    solver: str = "cbc"
    tried: Sequence[TriedRun] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "tried", tuple(checked(TriedRun(*run)) for run in self.tried))
        if self.tried and self.method in HEURISTICS:
            raise InputError(
                f"method {self.method} uses no predictions, so runs correct nothing; use method "
                f"{ENGINE}, or omit the tried runs"
            )
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
        """True saving as a share of the best saving.

        0 for a choice that is too slow; 1 where no pattern saves energy.
        """
        if not self.tolerable:
            return 0.0
        return self.saving / self.best_saving if self.best_saving > 0 else 1.0


@dataclass(frozen=True)
class NextRun:
    """A run that promises a saving.

    Attributes
    ----------
    candidate, against
        What to run, and what the answer would otherwise be.
    within
        Probability that its slowdown is tolerable.
    saved_j
        Expected energy saved by a run of the program; None where energy is not known.
    share
        The same as a share of the energy of the answer, or of its nodes.
    """

    candidate: Candidate
    against: Candidate
    within: float
    saved_j: float | None
    share: float


@dataclass(frozen=True, eq=False, repr=False)
class AggregationResult:
    """All patterns of a node for one program, predicted; and one chosen.

    Attributes
    ----------
    measured, settings
        What it is made of.
    learnt
        Models, with their errors on training codes left out.
    candidates
        Feasible patterns with their predictions, by id; corrected by tried runs.
    truths
        True runs, on the simulated node.
    command
        Words of the command behind ``headroom``; empty for a study from Python.
    predicted
        The candidates before runs corrected them; empty without runs.
    """

    measured: NodeMeasurements
    settings: AggregationSettings
    learnt: Learnt
    candidates: tuple[Candidate, ...]
    truths: Truths | None = None
    command: tuple[str, ...] = ()
    predicted: tuple[Candidate, ...] = ()

    @cached_property
    def runs(self) -> tuple[TriedPattern, ...]:
        """Tried patterns with their runs.

        Raises
        ------
        InputError
            A tried pattern is not predicted, or its time is far from the prediction.
        """
        before = self.predicted or self.candidates
        return by_pattern(self.settings.tried, before, self.measured.program.iterations)

    @cached_property
    def posterior(self) -> Posterior:
        """What is expected of each pattern after the runs."""
        return posterior(
            self.learnt.predictor, self.measured.program, self.predicted or self.candidates,
            self.learnt.prior, self.runs,
        )  # fmt: skip

    @cached_property
    def confirmed(self) -> frozenset[int]:
        """Tried patterns that are tolerable against a tried reference."""
        ran = frozenset(run.pattern for run in self.runs)
        return ran - self.failed - {REFERENCE} if REFERENCE in ran else frozenset()

    @cached_property
    def failed(self) -> frozenset[int]:
        """Tried patterns that are too slow, or within the limit by less than the margin."""
        ran, most = {run.pattern for run in self.runs} - {REFERENCE}, self.settings.threshold
        return frozenset(
            c.pattern.id
            for c in self.candidates
            if c.pattern.id in ran and c.slowdown > most - MARGIN
        )

    @property
    def gives_up(self) -> bool:
        """Whether one task per node is the answer because runs of other patterns failed."""
        return len(self.failed) >= MOST_FAILURES and not self.confirmed

    @cached_property
    def eligible(self) -> tuple[Candidate, ...]:
        """What may be chosen: confirmed patterns, if there are any, and one task per node."""
        if self.gives_up:
            return (self.reference,)
        if not self.confirmed:
            return tuple(c for c in self.candidates if c.pattern.id not in self.failed)
        allowed = self.confirmed | {REFERENCE}
        return tuple(c for c in self.candidates if c.pattern.id in allowed)

    @property
    def answer(self) -> str:
        """``confirmed`` if the chosen pattern was run, else ``predicted``."""
        certain = {*self.confirmed, *({REFERENCE} & {run.pattern for run in self.runs})}
        return "confirmed" if self.chosen.pattern.id in certain else "predicted"

    @cached_property
    def next_run(self) -> NextRun | None:
        """The run with the largest expected saving; None where none promises any."""
        return max(self.next_runs, key=lambda each: each.share, default=None)

    @cached_property
    def next_runs(self) -> tuple[NextRun, ...]:
        """The runs that promise a saving, by the paper's rank.

        A pattern saves what it takes less than the answer if it is tolerable, and nothing if not.
        An answer that is not confirmed counts as one task per node.
        """
        known = self.posterior
        corrected = {c.pattern.id: c for c in known.candidates}
        against = corrected[self.chosen.pattern.id if self.confirmed else REFERENCE]
        ran = {run.pattern for run in self.runs}
        found = []
        for c in sorted(corrected.values(), key=lambda each: each.pattern.energy_key):
            less = self.settings.choose == "joules" or c.pattern.energy_key < (
                against.pattern.energy_key
            )
            if c.pattern.id in ran or c.pattern.id == REFERENCE or not less:
                continue
            within = known.within(c, self.settings.threshold)
            share, saved_j = 1 - against.pattern.tasks / c.pattern.tasks, None
            if c.energy_j is not None and against.energy_j is not None:
                share, saved_j = (
                    1 - c.energy_j / against.energy_j,
                    within * (against.energy_j - c.energy_j),
                )
            if within * share > _LEAST_GAIN:
                found.append(NextRun(c, against, within, saved_j, within * share))
        return tuple(found)

    @cached_property
    def chosen(self) -> Candidate:
        """The tolerable pattern that the settings choose."""
        return self.decided.plan

    @cached_property
    def decided(self) -> Decided:
        """The choice with what is proved of it.

        Raises
        ------
        PlanError
            As :func:`planner.aggregation.methods.chosen`.
        """
        settings = self.settings
        return chosen(
            self.eligible, settings.threshold, settings.choose, settings.method, settings.solver
        )

    @cached_property
    def other(self) -> Candidate | None:
        """What the other way would choose; None where that is not known."""
        if not self.metered:
            return None
        choose = by_joules if self.settings.choose == "rank" else by_rank
        return choose(self.eligible, self.settings.threshold)

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
        if self.settings.baseline == "one":
            return self.reference
        if self.settings.baseline == "packed":
            return self.fullest
        if int(self.settings.baseline) not in offered:
            listed = ", ".join(map(str, sorted(offered)))
            raise InputError(
                f"baseline {self.settings.baseline}: this pattern is not predicted; use "
                f"packed, one, or one of {listed}"
            )
        return offered[int(self.settings.baseline)]

    @cached_property
    def fullest(self) -> Candidate:
        """The predicted pattern with most tasks on a node, then fewest processors."""
        first = by_energy(tuple(c.pattern for c in self.candidates))[0]
        return next(c for c in self.candidates if c.pattern.id == first.id)

    @property
    def fills_nodes(self) -> bool:
        """Whether batch systems that fill nodes run the chosen pattern, so nothing is saved there.

        Not known where they could fill nodes further, by a pattern that fits but is not predicted.
        """
        fuller = (
            pattern.id
            for pattern in patterns(self.measured.node)
            if pattern.energy_key < self.fullest.pattern.energy_key
        )
        refused = self.refused
        possible = any(not refused[number].startswith("needs ") for number in fuller)
        return self.chosen is self.fullest and not possible

    @cached_property
    def tolerable(self) -> frozenset[int]:
        """Patterns whose predicted slowdown is, and that no run refuted."""
        selected = tolerable(self.candidates, self.settings.threshold)
        return frozenset(c.pattern.id for c in selected) - self.failed

    @property
    def least_energy(self) -> bool:
        """Whether no tolerable pattern needs less predicted energy than the chosen one."""
        used = self.chosen.energy_j
        if used is None:
            return False
        within = (c for c in self.candidates if c.pattern.id in self.tolerable)
        return all(c.energy_j is not None and used <= c.energy_j for c in within)

    @cached_property
    def choice(self) -> Choice | None:
        """The chosen in truth."""
        if self.truths is None:
            return None
        taken, best = self.chosen.pattern.id, self.truths.best_within(self.settings.threshold)
        return Choice(
            self.truths.slowdown(taken),
            self.truths.saving(taken),
            best,
            self.truths.saving(best),
            self.settings.threshold,
        )

    @property
    def freed(self) -> int:
        """Nodes fewer than with one task per node, where that saves energy; else 0."""
        used, before = self.chosen.energy_j, self.reference.energy_j
        if used is None or before is None or used >= before:
            return 0
        return self.nodes(self.reference.pattern) - self.nodes(self.chosen.pattern)

    @property
    def idle_w(self) -> float | None:
        """Fitted power of an idle node [W]; None where it is not known, or next to nothing."""
        power = self.learnt.predictor.power
        watts = 0.0 if power is None else float(power.coefficients[0])
        return watts if watts >= LEAST_IDLE_W else None

    def idle_energy_j(self, candidate: Candidate) -> float | None:
        """Energy [J] if nodes that one task per node needs idle during the run; None if unknown."""
        if candidate.energy_j is None or self.idle_w is None:
            return None
        freed = self.nodes(self.reference.pattern) - self.nodes(candidate.pattern)
        return candidate.energy_j + freed * self.idle_w * self.run_s(candidate)

    def run_s(self, candidate: Candidate) -> float:
        """Time of the whole run [s]."""
        return candidate.time_s * self.measured.program.iterations

    def idle_change(self, candidate: Candidate) -> float | None:
        """Energy if freed nodes idle over that of one task per node, less 1; None if unknown."""
        own, one = self.idle_energy_j(candidate), self.reference.energy_j
        return None if own is None or one is None else own / one - 1

    @property
    def least_if_idle(self) -> Candidate | None:
        """The tolerable pattern of least energy if freed nodes idle; None where not known."""
        known = [(used, c.pattern.energy_key, c) for c in self.candidates
                 if c.pattern.id in self.tolerable
                 and (used := self.idle_energy_j(c)) is not None]  # fmt: skip
        return min(known, key=lambda one: one[:2])[2] if known else None

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
            pattern.id: why_not(self.measured.program, pattern, self.measured.memory_gb)
            for pattern in patterns(self.measured.node)
            if pattern.id not in there
        }
