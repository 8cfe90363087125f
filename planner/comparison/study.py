"""A decision by every method, on one or more instances, ready to be shown."""

from __future__ import annotations

import shlex
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from planner.comparison.method import ComparedDecision, MethodKind
from planner.comparison.outcomes import BREAKS, SAME, MethodOutcome, disagreements, exact
from planner.formatting import capitalised, percent, plural, words
from planner.study import TabledStudy
from planner.table import Column, Table


@dataclass(frozen=True)
class Summary:
    """One method over all instances.

    Attributes
    ----------
    solved, optimal
        Instances with a plan, and with a plan that the method itself proves optimal.
    median_gap, worst_gap
        Distance from the best bound of all methods, as a share, where there is a plan.
    best_of_all
        Instances on which no method has a better plan.
    """

    method: str
    kind: str
    instances: int
    solved: int
    optimal: int | None
    best_of_all: int
    median_gap: float | None
    worst_gap: float | None


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
class ComparisonStudy(TabledStudy):
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
    """

    decision: ComparedDecision
    outcomes: tuple[MethodOutcome, ...]
    more_settings: Mapping[str, Any]
    inputs: tuple[tuple[str, str], ...] = ()
    command: tuple[str, ...] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """Return the settings of the comparison, by name."""
        return {
            "decision": self.decision.title,
            "objective": self.decision.objective,
            **self.more_settings,
        }

    @property
    def provenance(self) -> tuple[tuple[str, str], ...]:
        """Digests of the inputs, and the command."""
        digests = [(f"SHA-256 of {name}", digest) for name, digest in self.inputs]
        command = shlex.join(("headroom", *self.command)) if self.command else "made from Python"
        return (*digests, ("command", command))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        inputs = [{"name": name, "sha256": digest} for name, digest in self.inputs]
        return super().to_dict() | {"inputs": inputs}

    @property
    def title(self) -> str:
        """Title of the document."""
        return f"{self.decision.title}: methods compared"

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
    def disagreements(self) -> tuple[str, ...]:
        """Plans that are better than what another method proves possible."""
        return tuple(
            line
            for rows in self._by_instance().values()
            for line in disagreements(self.decision, rows)
        )

    @property
    def headline(self) -> str:
        """State what the heuristics lose against the proven limit."""
        others = [s for s in self.summaries if not exact(s.kind) and s.worst_gap is not None]
        if not others:
            best = [s for s in self.summaries if s.worst_gap is not None]
            if not best:
                return "No method found a plan."
            closest = min(best, key=lambda s: s.worst_gap or 0.0)
            return f"Best method: {closest.method} ({_distance(closest)})."
        first = min(others, key=_rank)
        last = max(others, key=lambda s: s.worst_gap or 0.0)
        if all(s.solved == s.instances and (s.worst_gap or 0.0) <= SAME for s in others):
            return f"Every heuristic reaches the proven limit on every {self.decision.case}."
        name = capitalised(first.method)
        if first.solved == first.instances and (first.worst_gap or 0.0) <= SAME:
            every = _all(plural(first.instances, self.decision.case))
            text = f"{name} {_verb(first.method, 'finds', 'find')} the best plan for {every}"
        else:
            text = f"{name} {_verb(first.method, 'is', 'are')} the best heuristic"
            text += f" ({_distance(first)})"
        loses = f"{last.method} {_verb(last.method, 'loses', 'lose')} most"
        return f"{text}." if last is first else f"{text}; {loses} ({_gap(last)})."

    @property
    def confidence(self) -> str:
        """State whether the exact methods agree."""
        exacts = [s for s in self.summaries if exact(s.kind)]
        if self.disagreements:
            return f"Methods contradict each other on {plural(len(self._at_odds), 'instance')}."
        finished = [s.method for s in exacts if s.optimal == s.instances]
        if len(finished) > 1:
            count = plural(exacts[0].instances, self.decision.case)
            return f"Optimal: {words(finished)} agree within the gap on {_all(count)}."
        if finished:
            return f"Optimal: only {finished[0]} proves every plan optimal."
        return "No exact method proves every plan optimal; gaps are to the best proven limit."

    @property
    def warnings(self) -> tuple[str, ...]:
        """Contradictions, and plans of exact methods that break a rule."""
        broken = [
            f"{outcome.instance}: the plan by {outcome.method} is wrong: {outcome.note}"
            for outcome in self.outcomes
            if outcome.status == BREAKS and exact(outcome.kind)
        ]
        return (*self.disagreements, *broken)

    @property
    def shown(self) -> tuple[Table, ...]:
        """Each method over all instances, each size, and every answer."""
        growth = [row for row in self.growth if row.method in self._off] if self._varies else []
        return (
            Table("methods", f"Methods on {plural(len(self._by_instance()), 'instance')}; gaps are "
                  "to the best limit that any method proves", _SUMMARY, self.summaries),
            Table("growth", f"Methods that miss the limit, by number of {self.decision.size}",
                  _growth_columns(self.decision.size), growth),
            Table("answers", f"Every answer: {self.decision.objective}",
                  _answer_columns(self.decision.size), self.outcomes),
        )  # fmt: skip

    def of(self, method: str) -> list[MethodOutcome]:
        """The outcomes of one method."""
        return [outcome for outcome in self.outcomes if outcome.method == method]

    def times(self) -> list[dict[str, Any]]:
        """Wall seconds of every method on every instance: they never repeat."""
        return [outcome.times() for outcome in self.outcomes]

    @property
    def _varies(self) -> bool:
        return len(self.sizes) > 1

    @cached_property
    def _off(self) -> set[str]:
        """Methods that miss the best bound, or a plan, on some instance."""
        return {
            outcome.method for outcome in self.outcomes if outcome.gap is None or outcome.gap > SAME
        }

    @cached_property
    def _at_odds(self) -> set[str]:
        return {line.partition(":")[0] for line in self.disagreements}

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
        sum(row.solved and _as_good(row, best[row.instance]) for row in rows),
        statistics.median(gaps) if gaps else None,
        max(gaps, default=None),
    )


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


def _rank(summary: Summary) -> tuple[float, ...]:
    """Heuristics with the most plans first, then by their gaps."""
    return (-summary.solved, summary.median_gap or 0.0, summary.worst_gap or 0.0)


def _all(count: str) -> str:
    return f"this {count[2:]}" if count.startswith("1 ") else f"all {count}"


def _verb(name: str, singular: str, several: str) -> str:
    return several if name.endswith("shares") else singular


def _distance(summary: Summary) -> str:
    """Return the largest gap in words."""
    if summary.median_gap is None or summary.worst_gap is None:
        return "without a plan"
    if summary.worst_gap <= SAME:
        return "always at the proven limit"
    return f"{_gap(summary)} from the proven limit"


def _gap(summary: Summary) -> str:
    """Return the largest gap, or the only one."""
    largest = gap_text(summary.worst_gap or 0.0)
    return largest if summary.instances == 1 else f"at most {largest}"


def gap_text(gap: float) -> str:
    """A gap as a percentage; nothing below a billionth."""
    return "0 %" if gap <= SAME else percent(gap)


def _value(value: float) -> str:
    """Return an objective or a limit: whole, or in at least six digits.

    Examples
    --------
    >>> _value(39.65), _value(38.703142), _value(12.0), _value(123_456.789)
    ('39.6500', '38.7031', '12', '123,456.8')
    """
    if value == int(value) or abs(value) >= 1e5:
        return f"{value:,.7g}"
    return f"{value:#,.6g}"


_METHOD = (Column("method", "method", width=2), Column("kind", "kind", width=1.3))
_PLANS = Column("solved", "plans", number=True)
_LARGEST = Column("worst_gap", "largest gap", gap_text, number=True)
_SUMMARY = (
    *_METHOD,
    _PLANS,
    Column("optimal", "proved optimal", number=True),
    Column("best_of_all", "best or tied", number=True),
    Column("median_gap", "median gap", gap_text, number=True),
    _LARGEST,
)


def _growth_columns(size: str) -> tuple[Column, ...]:
    return (
        *_METHOD,
        Column("size", size, number=True),
        Column("instances", "instances", number=True),
        _PLANS,
        Column("mean_gap", "mean gap", gap_text, number=True),
        _LARGEST,
    )


def _answer_columns(size: str) -> tuple[Column, ...]:
    return (
        Column("instance", "instance", width=1.4),
        Column("size", size, number=True, width=0.8),
        Column("seed", "seed", number=True, width=0.6),
        Column("method", "method", width=2.3),
        Column("status", "status", width=1.1),
        Column("level", "certificate", width=1.3),
        Column("objective", "objective", _value, number=True, width=1.4),
        Column("bound", "limit", _value, number=True, width=1.4),
        Column("gap", "gap to limit", gap_text, number=True, width=1.15),
        Column("nodes", "solver steps", lambda nodes: f"{nodes:,}", number=True, width=1.15),
        Column("note", "note", width=1.6),
    )


__all__ = ["ComparisonStudy", "GapGrowth", "MethodKind", "Summary", "gap_text"]
