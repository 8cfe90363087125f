"""A decision by every method, on one or more instances, and what follows from the outcomes."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from planner.comparison.method import ComparedDecision
from planner.comparison.outcomes import SAME, Contradiction, MethodOutcome, disagreements, exact
from scenarios.remark import Remark
from solvers import Level

_OF_ANSWER = (
    "instance", "size", "seed", "method", "status", "level", "objective", "bound", "gap",
    "tolerance", "nodes", "note",
)  # fmt: skip
"""What the row of an answer has."""
_OF_TIMES = ("instance", "size", "seed", "method", "level", "tolerance", "seconds", "cpu_s")


@dataclass(frozen=True)
class Summary:
    """One method over all instances.

    Attributes
    ----------
    solved, optimal, proved
        Instances with a plan, with a plan that the method calls optimal, and with one that it
        proves optimal in exact arithmetic; the last two are ``None`` for a heuristic.
    level
        Weakest level of the certificates of its plans; ``None`` for a heuristic.
    tolerance
        Gap at which it may call a plan optimal; ``None`` for a heuristic.
    median_gap, worst_gap
        Distance from the best bound of all methods, as a share, where there is a plan.
    best_of_all
        Instances on which no method has a better plan.
    judged
        Instances on which its plan has a gap: there is none where no method gives a limit.
    """

    method: str
    kind: str
    instances: int
    solved: int
    optimal: int | None
    proved: int | None
    level: str | None
    tolerance: float | None
    best_of_all: int
    median_gap: float | None
    worst_gap: float | None
    judged: int

    @property
    def at_limit(self) -> bool:
        """Whether its plan reaches the best limit on every instance."""
        return self.worst_gap == 0 and self.judged == self.instances

    @property
    def rank(self) -> tuple[float, ...]:
        """Methods with the most plans come first, then by their gaps."""
        unknown = float("inf")
        median, worst = self.median_gap, self.worst_gap
        return (
            -self.solved,
            unknown if median is None else median,
            unknown if worst is None else worst,
        )

    @property
    def always_optimal(self) -> bool:
        """Whether it calls its plan optimal on every instance."""
        return self.optimal == self.instances

    @property
    def always_proved(self) -> bool:
        """Whether it proves its plan optimal on every instance, in exact arithmetic."""
        return self.proved == self.instances


@dataclass(frozen=True)
class GapGrowth:
    """The gap of one method at one size: mean and largest over the instances of that size."""

    method: str
    kind: str
    size: int
    instances: int
    solved: int
    mean_gap: float | None
    worst_gap: float | None


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult:
    """The results of every method on the same instances.

    Attributes
    ----------
    decision
        What the instances have alike.
    outcomes
        One outcome for each method on each instance.
    more_settings
        What was compared, by name.
    inputs
        Name and SHA-256 of every file that was read; a matrix of several files has one digest.
    command
        Words of the command behind ``headroom``; empty for a study from Python.
    remarks
        What the readers of these files remarked.
    """

    decision: ComparedDecision
    outcomes: tuple[MethodOutcome, ...]
    more_settings: Mapping[str, Any]
    inputs: tuple[tuple[str, str], ...] = ()
    command: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """Return the settings of the comparison, by name."""
        return {
            "decision": self.decision.title,
            "objective": self.decision.objective,
            **self.more_settings,
        }

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """Names in the order in which they were run."""
        return tuple(dict.fromkeys(outcome.method for outcome in self.outcomes))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Sizes of the instances, ascending."""
        return tuple(sorted({outcome.size for outcome in self.outcomes}))

    @cached_property
    def summaries(self) -> tuple[Summary, ...]:
        """Each method over all instances."""
        best = self._best_values()
        return tuple(_summary(self.of(name), best) for name in self.methods)

    @cached_property
    def growth(self) -> tuple[GapGrowth, ...]:
        """The gap of each method at each size."""
        return tuple(
            _growth([outcome for outcome in self.of(name) if outcome.size == size])
            for name in self.methods
            for size in self.sizes
        )

    @cached_property
    def disagreements(self) -> tuple[Contradiction, ...]:
        """Plans that are better than another method's limit."""
        return tuple(
            contradiction
            for rows in self._by_instance().values()
            for contradiction in disagreements(self.decision, rows)
        )

    @property
    def instances(self) -> tuple[str, ...]:
        """Names of the instances, in their order."""
        return tuple(self._by_instance())

    @property
    def seeds(self) -> tuple[int, ...]:
        """Seeds of the instances, ascending."""
        return tuple(sorted({each.seed for each in self.outcomes if each.seed is not None}))

    @cached_property
    def heuristics(self) -> tuple[Summary, ...]:
        """Methods without a limit of their own that have a gap, the best one first."""
        found = (s for s in self.summaries if not exact(s.kind) and s.worst_gap is not None)
        return tuple(sorted(found, key=lambda each: each.rank))

    @cached_property
    def optimum_known(self) -> set[str]:
        """Instances with a plan that reaches the limit, or that a method calls optimal."""
        return {
            outcome.instance
            for outcome in self.outcomes
            if outcome.gap is not None and (outcome.status == "optimal" or outcome.gap == 0)
        }

    def of(self, method: str) -> list[MethodOutcome]:
        """The outcomes of one method."""
        return [outcome for outcome in self.outcomes if outcome.method == method]

    def answers(self) -> list[dict[str, Any]]:
        """Every answer as plain values, without its times."""
        return [{key: getattr(each, key) for key in _OF_ANSWER} for each in self.outcomes]

    def times(self) -> list[dict[str, Any]]:
        """Wall and CPU seconds of every method on every instance: they never repeat."""
        return [{key: getattr(each, key) for key in _OF_TIMES} for each in self.outcomes]

    def _by_instance(self) -> dict[str, list[MethodOutcome]]:
        rows: dict[str, list[MethodOutcome]] = {}
        for outcome in self.outcomes:
            rows.setdefault(outcome.instance, []).append(outcome)
        return rows

    def _best_values(self) -> dict[str, float]:
        best: dict[str, float] = {}
        for outcome in self.outcomes:
            value = outcome.objective
            if outcome.solved and value is not None:
                previous = best.get(outcome.instance)
                if previous is None or self.decision.better(value, previous):
                    best[outcome.instance] = value
        return best


def _summary(rows: Sequence[MethodOutcome], best: Mapping[str, float]) -> Summary:
    gaps = _gaps(rows)
    first = rows[0]
    return Summary(
        first.method,
        first.kind,
        len(rows),
        sum(row.solved for row in rows),
        sum(row.status == "optimal" for row in rows) if exact(first.kind) else None,
        sum(_is_proved(row) for row in rows) if exact(first.kind) else None,
        _weakest([row.level for row in rows if row.solved]),
        first.tolerance,
        sum(row.solved and _as_good(row, best[row.instance]) for row in rows),
        statistics.median(gaps) if gaps else None,
        max(gaps, default=None),
        len(gaps),
    )


def _is_proved(outcome: MethodOutcome) -> bool:
    return outcome.status == "optimal" and outcome.level == Level.PROVED


def _weakest(levels: Sequence[str | None]) -> str | None:
    """The weakest level; ``None`` where there is no certificate."""
    return next((level.value for level in Level if level.value in levels), None)


def _as_good(outcome: MethodOutcome, best: float) -> bool:
    value = outcome.objective
    return value is not None and abs(value - best) <= SAME * max(abs(best), abs(value))


def _growth(rows: Sequence[MethodOutcome]) -> GapGrowth:
    gaps = _gaps(rows)
    first = rows[0]
    return GapGrowth(
        first.method,
        first.kind,
        first.size,
        len(rows),
        sum(row.solved for row in rows),
        statistics.fmean(gaps) if gaps else None,
        max(gaps, default=None),
    )


def _gaps(rows: Sequence[MethodOutcome]) -> list[float]:
    return [row.gap for row in rows if row.gap is not None]
