"""A decision by every method, on one or more instances, ready to be shown."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from planner.command_row import command_row
from planner.comparison.method import ComparedDecision, MethodKind
from planner.comparison.outcomes import BREAKS, SAME, MethodOutcome, disagreements, exact
from planner.configurations.sharing.equal_shares import EQUAL_SHARES
from planner.formatting import DASH, capitalised, percent, plural, words
from planner.worded_study import TabledStudy
from planner.worded_table import Column, Table
from solvers import Level


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
        return reaches(self.worst_gap, self.judged, self.instances)

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
    judged: int

    @property
    def at_limit(self) -> bool:
        """Whether its plan reaches the best limit on every instance of this size."""
        return reaches(self.worst_gap, self.judged, self.instances)


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
        return (*digests, command_row(self.command))

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
        """Plans that are better than another method's limit."""
        return tuple(
            line
            for rows in self._by_instance().values()
            for line in disagreements(self.decision, rows)
        )

    @property
    def headline(self) -> str:
        """State what the heuristics lose against the best limit."""
        others = self.heuristics
        if not others:
            return self._without_heuristics()
        if self._every_heuristic_at_limit:
            return f"Every heuristic reaches the best limit on every {self.decision.case}."
        first = others[0]
        name = capitalised(first.method)
        if first.at_limit:
            every = _all(plural(first.instances, self.decision.case))
            text = f"{name} {_verb(first.method, 'finds', 'find')} the best plan for {every}"
        else:
            text = f"{name} {_verb(first.method, 'is', 'are')} the best heuristic"
            text += f" ({_distance(first)})"
        rest = [summary for summary in others[1:] if (summary.worst_gap or 0.0) > SAME]
        return f"{text}; {self._rest(rest)}." if rest else f"{text}."

    def _rest(self, rest: Sequence[Summary]) -> str:
        """State how much worse the plans of the other heuristics are at most; name a single one."""
        alone = rest[0].method if len(rest) == 1 else ""
        largest = max(summary.worst_gap or 0.0 for summary in rest)
        by = gap_text(largest) if alone and rest[0].instances == 1 else f"up to {gap_text(largest)}"
        who = alone or "others"
        if all(self.loses(summary.method) for summary in rest):
            are = _verb(alone, "is", "are") if alone else "are"
            return f"{who} {are} {by} worse in {self.decision.judged_by}"
        lie = _verb(alone, "lies", "lie") if alone else "lie"
        return f"{who} {lie} {by} from it"

    def _without_heuristics(self) -> str:
        """State which method is best where no heuristic can be judged."""
        judged = [s for s in self.summaries if s.worst_gap is not None]
        if judged:
            closest = min(judged, key=_rank)
            return f"Best method: {closest.method} ({_distance(closest)})."
        if any(s.solved for s in self.summaries):
            return "No method gives a limit, so the gap of every plan is unknown."
        return "No method found a plan."

    @cached_property
    def heuristics(self) -> tuple[Summary, ...]:
        """Methods without a limit of their own that have a gap, the best one first."""
        found = (s for s in self.summaries if not exact(s.kind) and s.worst_gap is not None)
        return tuple(sorted(found, key=_rank))

    @property
    def _every_heuristic_at_limit(self) -> bool:
        return all(s.at_limit for s in self.summaries if not exact(s.kind))

    def loses(self, method: str) -> bool:
        """Whether every gap of a method is a loss: a plan of another method reaches the limit.

        Where no plan is optimal, the gap only says how much may be lost.
        """
        return all(
            outcome.instance in self._optimum_known
            for outcome in self.of(method)
            if outcome.gap is not None and outcome.gap > SAME
        )

    @cached_property
    def _optimum_known(self) -> set[str]:
        """Instances with a plan that reaches the limit, or that a method calls optimal."""
        return {
            outcome.instance
            for outcome in self.outcomes
            if outcome.gap is not None and (outcome.status == "optimal" or outcome.gap <= SAME)
        }

    @property
    def confidence(self) -> str:
        """State whether the exact methods agree, and at which level of their certificates."""
        exacts = [s for s in self.summaries if exact(s.kind)]
        if self.disagreements:
            return f"Methods contradict each other on {plural(len(self._at_odds), 'instance')}."
        finished = [s for s in exacts if s.always_optimal]
        proving = [s.method for s in finished if s.always_proved]
        by = f"proved by {words(proving)}" if proving else "by the solvers' word, not proved"
        if len(finished) > 1:
            count = plural(exacts[0].instances, self.decision.case)
            names = words([s.method for s in finished])
            return f"Optimal ({by}): {names} agree on {_all(count)}, within the solvers' gap."
        if proving:
            return f"Optimal: only {proving[0]} proves every plan optimal."
        if finished:
            return f"Optimal ({by}): only {finished[0].method} calls every plan optimal."
        return "No exact method calls every plan optimal; gaps are to the best limit."

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
            Table("methods", f"Methods on {self.compared_on}; gaps are to the best limit of any "
                  "method", _SUMMARY, self.summaries),
            Table("growth", f"Methods that miss the limit, by number of {self.decision.size}",
                  _growth_columns(self.decision.size), growth),
            Table("answers", f"Every answer: {self.decision.objective}",
                  _answer_columns(self.decision), self.outcomes),
        )  # fmt: skip

    @property
    def compared_on(self) -> str:
        """Return how many instances there are, of which sizes and seeds."""
        count = plural(len(self._by_instance()), self.decision.case)
        seeds = sorted({outcome.seed for outcome in self.outcomes if outcome.seed is not None})
        parts = [f"{_span(self.sizes)} {self.decision.size}"] if self.sizes else []
        parts += [f"seed{'s' * (len(seeds) > 1)} {_span(seeds)}"] if seeds else []
        return f"{count} ({', '.join(parts)})" if parts else count

    def of(self, method: str) -> list[MethodOutcome]:
        """The outcomes of one method."""
        return [outcome for outcome in self.outcomes if outcome.method == method]

    def times(self) -> list[dict[str, Any]]:
        """Wall and CPU seconds of every method on every instance: they never repeat."""
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


def _span(values: Sequence[int]) -> str:
    """One value, or the first and the last of ascending ones."""
    return f"{values[0]:,}" if values[0] == values[-1] else f"{values[0]:,} to {values[-1]:,}"


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
        len(gaps),
    )


def reaches(worst_gap: float | None, judged: int, instances: int) -> bool:
    """Whether the largest gap is none, and every instance has one."""
    return worst_gap is not None and worst_gap <= SAME and judged == instances


def _gaps(rows: Sequence[MethodOutcome]) -> list[float]:
    return [row.gap for row in rows if row.gap is not None]


def _rank(summary: Summary) -> tuple[float, ...]:
    """Methods with the most plans first, then by their gaps."""
    unknown = float("inf")
    median, worst = summary.median_gap, summary.worst_gap
    return (
        -summary.solved,
        unknown if median is None else median,
        unknown if worst is None else worst,
    )


def _all(count: str) -> str:
    return f"this {count[2:]}" if count.startswith("1 ") else f"all {count}"


def _verb(name: str, singular: str, several: str) -> str:
    return several if name == EQUAL_SHARES else singular


def _distance(summary: Summary) -> str:
    """Return the largest gap in words."""
    if summary.worst_gap is not None and summary.worst_gap <= SAME:
        where = ["it has a plan"] if summary.solved < summary.instances else []
        where += ["one is known"] if summary.judged < summary.solved else []
        return "at the best limit" + (f" wherever {words(where)}" if where else "")
    return f"{_gap(summary)} from the best limit"


def _gap(summary: Summary) -> str:
    """Return the largest gap, or the only one."""
    largest = gap_text(summary.worst_gap)
    return largest if summary.instances == 1 else f"at most {largest}"


def gap_text(gap: float | None) -> str:
    """A gap as a percentage; nothing below a billionth, and a dash where it is unknown.

    Examples
    --------
    >>> gap_text(0.0213), gap_text(1e-12), gap_text(None) == DASH
    ('2.1 %', '0 %', True)
    """
    if gap is None:
        return DASH
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
    Column("optimal", "optimal", number=True),
    Column("proved", "proved optimal", number=True),
    Column("level", "certificate", width=1.3),
    Column("tolerance", "tolerance", lambda gap: f"{gap:.0e}", number=True, width=1.15),
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


def _answer_columns(decision: ComparedDecision) -> tuple[Column, ...]:
    return (
        Column("instance", decision.case, width=1.4),
        Column("size", decision.size, number=True, width=0.8),
        Column("seed", "seed", number=True, width=0.6),
        Column("method", "method", width=2.3),
        Column("status", "status", width=1.1),
        Column("level", "certificate", width=1.3),
        Column("objective", "objective", _value, number=True, width=1.4),
        Column("bound", "limit", _value, number=True, width=1.4),
        Column("gap", "gap to limit", gap_text, number=True, width=1.15),
        Column("tolerance", "tolerance", lambda gap: f"{gap:.0e}", number=True, width=1.15),
        Column("nodes", "solver steps", lambda nodes: f"{nodes:,}", number=True, width=1.15),
        Column("note", "note", width=1.6),
    )


__all__ = ["ComparisonStudy", "GapGrowth", "MethodKind", "Summary", "gap_text"]
