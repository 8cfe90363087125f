"""Two runs compared as a study: three sentences, the ten values that matter most, and all."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planner.differences.sentences import (
    decides,
    in_words,
    of_the_decision,
    of_the_input,
    of_the_worth,
)
from planner.differences.values import ValueChange, difference, read_plan
from planner.formatting import clipped
from planner.study import Explanation, TabledStudy
from planner.table import Column, Table
from scenarios.faults import printable

MOST_ROWS = 10
"""Rows of the short table."""

_RESULTS = (
    "decision.plan.score", "decision.mix_speedup", "decision.plan.purchases.*.nodes",
    "decision.design",
    "cost.capital", "cost.total_cost", "cost.operating_per_year_expected",
    "decision.plan.it_power_w", "cost.energy_kwh_per_year", "cost.carbon_t_per_year",
    "cost_per_core_hour",
)  # fmt: skip
"""Results that matter most, in this order; a star is any name."""

_MOST_OF_ONE = 3
"""Values that are shown of one result, such as the nodes of several types."""

_FURTHER = ("cost", "overprovisioning_gains", "mandates", "overprovisioning")
"""Where further results of interest are; certificates and programs are not."""

_MOST_INPUTS = 5
_LONGEST_SUMMARY = 200
_LARGE = 1000
"""From here on a number needs no decimals."""


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
        return f"{_last_part(self.second)} compared with {_last_part(self.first)}"

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
        words = ("headroom", "diff", _last_part(self.first), _last_part(self.second), "-o", "DIR")
        return (("command", shlex.join(words)),)

    @property
    def explanation(self) -> Explanation:
        """How good both plans are, and what the comparison rests on."""
        names = [_last_part(name) for name in (self.first, self.second)]
        given = [(name, plan) for name, plan in zip(names, self.plans, strict=True)]
        return Explanation(
            reasons=[
                f"{name}: {summary}"
                for name, plan in given
                if (summary := printable(clipped(str(plan.get("summary") or ""), _LONGEST_SUMMARY)))
            ],
            robustness=[
                f"Status of {name}: {status}."
                for name, plan in given
                if (status := printable(_status(plan)))
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
        return (*chosen, *(change for change in further if change not in chosen))

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
        columns = (
            Column("where", "Value", width=2.4, row_text=lambda change: in_words(change.keys)),
            Column("first", _last_part(self.first), _short, width=1.4, named=True),
            Column("second", _last_part(self.second), _short, width=1.4, named=True),
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


def _status(plan: Mapping[str, Any]) -> str:
    """How good a plan is, by its solver; empty where the run does not say."""
    decision = plan.get("decision")
    status = decision.get("status") if isinstance(decision, Mapping) else None
    return clipped(status, _LONGEST_SUMMARY) if isinstance(status, str) else ""


def _last_part(name: str) -> str:
    path = Path(name)
    return (path.parent if path.name == "plan.json" else path).name or name


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= _LARGE else f"{value:,.5g}"


def _step(number: float) -> str:
    return f"{'+' if number > 0 else ''}{_number(number)}"


def _short(value: Any) -> str:
    text = "-" if value is None else _number(value) if isinstance(value, float) else str(value)
    text = printable(text)
    return text if len(text) <= 48 else text[:45] + "..."
