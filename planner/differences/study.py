"""Two runs compared as a study: three sentences, the ten values that matter most, and all."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from planner.command_row import command_row
from planner.differences.sentences import (
    decides,
    in_words,
    of_the_decision,
    of_the_input,
    of_the_worth,
    status_of,
)
from planner.differences.values import ValueChange, difference, read_plan
from planner.formatting import clipped
from planner.worded_study import Explanation, TabledStudy
from planner.worded_table import Column, Table
from scenarios.faults import printable

MOST_ROWS = 10
"""Rows of the short table."""

_RESULTS = (
    "decision.plan.score", "decision.plan.purchases.*.nodes",
    "decision.design", "decision.mix_speedup", "overprovisioning.*.speedup",
    "cost.capital", "cost.total_cost", "cost.operating_per_year_expected",
    "decision.plan.it_power_w", "cost.energy_kwh_per_year", "cost.carbon_t_per_year",
    "cost_per_core_hour.cost_per_core_hour", "cost_per_core_hour",
)  # fmt: skip
"""Results that matter most, in this order; a star is any name."""

_MOST_OF_ONE = 3
"""Values that are shown of one result, such as the nodes of several types."""

_FURTHER = (
    "overprovisioning.*.speedup", "overprovisioning.*.time_worst_case_s",
    "overprovisioning.*.time_overprovisioned_s", "decision.plan.purchases.*.nodes", "cost",
    "cost_per_core_hour", "overprovisioning_gains.*.value", "mandates.*.reached",
)  # fmt: skip
"""Where further results of interest are; certificates and programs are not."""

_MOST_INPUTS = 5
_LONGEST_SUMMARY = 200
_LARGE = 1000
"""From here on a number needs no decimals."""

_SEPARATED = 10_000
"""From here on an integer has separators; smaller ones may be years."""

_SMALL, _TINY = 1e-4, 1e-6
"""Between these a number still reads well with its decimals."""


@dataclass(frozen=True, repr=False)
class DifferenceStudy(TabledStudy):
    """What differs between two runs.

    Attributes
    ----------
    first, second
        What the runs are called: their folders or files as given.
    plans
        The data of both runs.
    changes
        Every value that differs, inputs first.
    """

    first: str
    second: str
    plans: tuple[Mapping[str, Any], Mapping[str, Any]]
    changes: tuple[ValueChange, ...]

    @property
    def title(self) -> str:
        """Title of the document."""
        first, second = self.names
        return f"{second} compared with {first}"

    @cached_property
    def names(self) -> tuple[str, str]:
        """Short names of the runs: the ends of their paths, as long as it takes to differ."""
        return _short_names(self.first, self.second)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What changed in the input, in the decision, and what the change is worth."""
        if not self.changes:
            return ("The two runs agree in every value.",)
        every = (
            of_the_input(self.changes, *self.plans),
            of_the_decision(*self.plans),
            of_the_worth(*self.plans),
        )
        return tuple(printable(sentence) for sentence in every if sentence)

    @property
    def headline(self) -> str:
        """The sentences, one after the other."""
        return " ".join(self.sentences)

    @property
    def confidence(self) -> str:
        """Nothing: both runs state their own."""
        return ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Nothing: both runs state their own."""
        return ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """The runs."""
        return {"first": self.first, "second": self.second}

    @property
    def provenance(self) -> Sequence[tuple[str, str]]:
        """The command."""
        return (command_row(("diff", self.first, self.second, "-o", "DIR")),)

    @property
    def explanation(self) -> Explanation:
        """How good both plans are, and what the comparison rests on."""
        given = [
            (f"{run} run ({name})" if name != f"{run.lower()} run" else f"{run} run", plan)
            for run, name, plan in zip(("First", "Second"), self.names, self.plans, strict=True)
        ]
        return Explanation(
            reasons=[
                f"{name}: {summary}"
                for name, plan in given
                if (summary := printable(clipped(str(plan.get("summary") or ""), _LONGEST_SUMMARY)))
            ],
            robustness=[
                f"{name}: status {status}."
                for name, plan in given
                if (status := printable(status_of(plan)))
            ],
            assumptions=(
                "Both runs are taken as they are in their folders; nothing was computed again.",
                *self._versions(),
            ),
            next_steps=("Read the risks in the report of each run before you decide.",),
        )

    def _versions(self) -> tuple[str, ...]:
        """Whether the programs or their options differ, so that the input may not be the cause."""
        first, second = self.plans
        lines = []
        if first.get("headroom") != second.get("headroom"):
            lines.append("The runs come from different versions of Headroom.")
        if first.get("options") != second.get("options"):
            lines.append("The runs have different options, such as the solver or the gap.")
        elif first.get("headroom") == second.get("headroom"):
            lines.append("The version of Headroom and the options are the same.")
        return tuple(lines)

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """What people call the types of nodes, by their names in the data."""
        types = [
            node_type
            for plan in self.plans
            for node_type in _listed(plan.get("inputs"), "node_types")
            if isinstance(node_type, Mapping)
        ]
        return {str(each.get("name")): str(each["label"]) for each in types if each.get("label")}

    @property
    def inputs(self) -> tuple[ValueChange, ...]:
        """Quantities of the input that differ."""
        return tuple(change for change in self.changes if decides(change))

    @property
    def results(self) -> tuple[ValueChange, ...]:
        """Results of interest that differ, the most important first."""
        chosen = [
            change for key in _RESULTS for change in _within(key, self.changes)[:_MOST_OF_ONE]
        ]
        further = [change for key in _FURTHER for change in _within(key, self.changes)]
        return tuple({change.keys: change for change in (*chosen, *further)}.values())

    @property
    def foremost(self) -> tuple[ValueChange, ...]:
        """The changes that matter most: first of the input, then of the results."""
        return (*self.inputs[:_MOST_INPUTS], *self.results)[:MOST_ROWS]

    @property
    def shown(self) -> Sequence[Table]:
        """The changes that matter most, and all of them."""
        return (
            self.table(self.foremost, "foremost", "What matters most"),
            self.table(self.changes),
        )

    def table(
        self,
        changes: Sequence[ValueChange],
        name: str = "changes",
        caption: str = "All that differs",
    ) -> Table:
        """Some of the changes, with a column for each run."""
        first, second = self.names
        columns = (
            Column("where", "Value", width=2.4, row_text=lambda change: in_words(change.keys)),
            Column("first", first, _short, width=1.4, named=True),
            Column("second", second, _short, width=1.4, named=True),
            Column("difference", "Change", _step, number=True),
        )
        return Table(name, caption, columns, changes)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "summary": self.headline,
            "first": self.first,
            "second": self.second,
            "changes": [change.to_dict() for change in self.changes],
        }


def compare_runs(first: str | os.PathLike[str], second: str | os.PathLike[str]) -> DifferenceStudy:
    """Compare two runs of ``headroom plan``: folders, or their plan.json.

    Raises
    ------
    ScenarioError
        One of them cannot be read.
    """
    plans = read_plan(first), read_plan(second)
    return DifferenceStudy(str(first), str(second), plans, difference(*plans))


def _within(key: str, changes: Sequence[ValueChange]) -> list[ValueChange]:
    """Changes of a result, or of the values inside it."""
    names = key.split(".")
    return [
        change
        for change in changes
        if len(change.keys) >= len(names)
        and all(name in ("*", own) for name, own in zip(names, change.keys, strict=False))
    ]


def _listed(plan: Any, key: str) -> Sequence[Any]:
    """A list in the data of a run; empty if it has none."""
    entries = plan.get(key) if isinstance(plan, Mapping) else None
    return entries if isinstance(entries, list) else ()


def _short_names(first: str, second: str) -> tuple[str, str]:
    """The last folders of two runs, or as many of them as make the names differ.

    Examples
    --------
    >>> _short_names("out/a/plan.json", "out/b"), _short_names("may/out/a", "june/out/a")
    (('a', 'b'), ('may/out/a', 'june/out/a'))
    >>> _short_names("a", "a/plan.json")
    ('first run', 'second run')
    """
    paths = [Path(name) for name in (first, second)]
    parts = [(path.parent if path.name == "plan.json" else path).parts for path in paths]
    for count in range(1, max(map(len, parts)) + 1):
        names = ["/".join(part[-count:]).replace("//", "/") for part in parts]
        if names[0] != names[1] and all(names):
            return names[0], names[1]
    return "first run", "second run"


def _number(value: float) -> str:
    if abs(value) >= _LARGE:
        return f"{value:,.0f}"
    if _TINY <= abs(value) < _SMALL:  # not in powers of ten
        return f"{value:.8f}".rstrip("0")
    return f"{value:,.5g}"


def _integer(value: int) -> str:
    """Return an integer in full; without separators where it may be a year."""
    return f"{value:,d}" if abs(value) >= _SEPARATED else str(value)


def _step(number: float) -> str:
    return f"{'+' if number > 0 else ''}{_number(number)}"


def _short(value: Any) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is None:
        text = "-"
    elif number:
        text = _integer(value) if isinstance(value, int) else _number(value)
    else:
        text = str(value)
    text = printable(text)
    return text if len(text) <= 48 else text[:45] + "..."
