"""A day of jobs with and without shared nodes, ready to be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.formatting import duration, percent, plural
from planner.scheduling.shared.comparison import Outcome, QueueComparison
from planner.scheduling.shared.logs import RULE
from planner.scheduling.shared.replications import Change, QueueReplications
from planner.study import TabledStudy
from planner.table import Column, Table

MOST_USERS = 200
"""Users whose bills are listed, those with the largest bills first."""


@dataclass(frozen=True, eq=False, repr=False)
class QueuePriceStudy(TabledStudy):
    """Waits, energy, revenue and bills of a day, with nodes to oneself and with shared ones.

    Attributes
    ----------
    log, file, sha256
        Name of the log, its file and the digest of that.
    comparison
        The day under each rule, with the first mapping of users to applications.
    replications
        The same over several mappings; ``None`` for one.
    broken
        What an independent checker found wrong with the schedules of the first mapping.
    """

    log: str
    file: str
    sha256: str
    comparison: QueueComparison
    replications: QueueReplications | None = None
    broken: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Title of the document."""
        return f"Shared nodes and their prices: a day of {self.log}"

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was run, by name."""
        problem = self.comparison.problem
        return {
            "log": self.log,
            "jobs_of_the_day": int(self.comparison.measured.sum()),
            "jobs_simulated": len(problem.jobs),
            "nodes": problem.nodes,
            "cores_per_node": problem.cores_per_node,
            "applications": ", ".join(problem.speeds.applications),
            "rule": RULE,
            "bills_against": self.comparison.reference,
            "mappings": 1 if self.replications is None else len(self.replications.seeds),
        }

    @property
    def provenance(self) -> Sequence[tuple[str, str]]:
        """The log and its digest."""
        return (("log file", self.file), ("SHA-256", self.sha256)) if self.file else ()

    @property
    def best(self) -> Outcome:
        """The rule with shared nodes and the shortest mean turnaround."""
        shared = [one for one in self.comparison.outcomes if one.rule.startswith("share")]
        return min(shared, key=lambda one: one.measures.mean_turnaround_s)

    @property
    def headline(self) -> str:
        """What sharing changes."""
        base, best = self.comparison.baseline.measures, self.best.measures
        change = best.node_hours / base.node_hours - 1
        more = "more" if change >= 0 else "fewer"
        return (
            f"With shared nodes the day's jobs take {duration(best.mean_turnaround_s)} from "
            f"submission to end, on whole nodes {duration(base.mean_turnaround_s)}. Sharing takes "
            f"{percent(abs(change))} {more} node-hours."
        )

    @property
    def confidence(self) -> str:
        """What the figures rest on."""
        several = self.replications
        spread = (
            "One mapping of users to applications: no spread is known."
            if several is None
            else f"{plural(len(several.seeds), 'mapping')} of users to applications, with 95 % "
            "intervals of paired differences."
        )
        return f"Simulated: speeds are those of twelve codes on a simulated node. {spread}"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Assumptions and broken promises."""
        lines = [
            "The log does not say what its jobs compute: applications are mapped by a rule.",
            "This is one day. On a whole log first fit can lengthen waits (docs/shared-queue.md).",
        ]
        lines += [
            f"Under {one.rule}, {plural(one.measures.late_starts, 'job')} started after "
            "the first reservation that the scheduler made."
            for one in self.comparison.outcomes
            if one.measures.late_starts
        ]
        if self.broken:
            lines.append(
                f"The independent checker found {plural(len(self.broken), 'fault')} in the "
                f"schedules; the first: {self.broken[0]}"
            )
        return tuple(lines)

    @property
    def shown(self) -> tuple[Table, ...]:
        """Rules, prices, users and, over several mappings, differences."""
        return (
            Table(
                "rules",
                "Rules of sharing; jobs of the day, node-hours and energy of the whole run",
                _RULES,
                self.comparison.outcomes,
            ),
            Table(
                "prices",
                "Revenue and prices by policy; discounts and errors of jobs that shared",
                _PRICES,
                self.comparison.prices,
            ),
            Table(
                "sides",
                "Users who gain and lose compared with whole nodes at today's price",
                _SIDES,
                list(self._sides()),
            ),
            Table(
                "bills",
                f"Bills of the day before and after ({self.best.rule})",
                _BILLS,
                self._bills(),
            ),
            Table(
                "differences",
                "Differences from whole nodes over mappings of users to applications; all jobs",
                _CHANGES,
                () if self.replications is None else self.replications.changes,
            ),
        )

    def _sides(self) -> Iterator[dict[str, Any]]:
        for rule, policies in self.comparison.sides.items():
            for one in policies:
                yield {"rule": rule, **vars(one)}

    def _bills(self) -> list[dict[str, Any]]:
        table = self.comparison.users[self.best.rule]
        order = np.argsort(-table.before_su, kind="stable")[:MOST_USERS]
        return [
            {
                "user": int(table.user[place]),
                "jobs": int(table.jobs[place]),
                "before_su": float(table.before_su[place]),
                **{
                    f"{policy.replace(' ', '_').lower()}_su": float(amounts[place])
                    for policy, amounts in table.after_su.items()
                },
                "turnaround_before_s": float(table.turnaround_before_s[place]),
                "turnaround_after_s": float(table.turnaround_after_s[place]),
            }
            for place in order
        ]


def _share(value: float) -> str:
    return percent(value, places=1)


def _hours(value: float) -> str:
    return f"{value:,.0f}"


def _su(value: float) -> str:
    return f"{value:,.1f}"


def _number(change: Change, value: float) -> str:
    return duration(value) if change.quantity.endswith("_s") else f"{value:,.4g}"


_RULES = (
    Column("rule", "rule", width=1.5),
    Column("measures.jobs", "jobs", number=True),
    Column("measures.shared_jobs", "shared", number=True),
    Column("measures.mean_wait_s", "mean wait", duration, number=True),
    Column("measures.mean_turnaround_s", "mean turnaround", duration, number=True, width=1.2),
    Column("measures.node_hours", "node-hours", _hours, number=True),
    Column("measures.throughput", "work per node-hour", _share, number=True, width=1.2),
    Column("measures.energy_kwh", "energy (kWh)", _hours, number=True),
    Column("measures.makespan_s", "makespan", duration, number=True),
)
_PRICES = (
    Column("rule", "rule", width=1.5),
    Column("policy", "price", width=1.3),
    Column("revenue_su", "revenue (SU)", _hours, number=True),
    Column("revenue_ratio", "over whole nodes", _share, number=True, width=1.2),
    Column("mean_discount", "mean discount", _share, number=True),
    Column("largest_discount", "largest", _share, number=True),
    Column("mean_error", "mean price error", _share, number=True),
    Column("largest_error", "largest error", _share, number=True),
    Column("bias", "bias", _share, number=True),
)
_SIDES = (
    Column("rule", "rule", width=1.5),
    Column("policy", "price", width=1.3),
    Column("pays_less", "pay less", number=True),
    Column("pays_same", "the same", number=True),
    Column("pays_more", "pay more", number=True),
    Column("largest_rise", "largest rise", _share, number=True),
    Column("sooner", "done sooner", number=True),
    Column("later", "done later", number=True),
    Column("pays_more_and_later", "pay more and wait", number=True, width=1.2),
)
_BILLS = (
    Column("user", "user", number=True),
    Column("jobs", "jobs", number=True),
    Column("before_su", "whole nodes (SU)", _su, number=True, width=1.2),
    Column("state_of_practice_su", "by run time", _su, number=True),
    Column("poppa_su", "POPPA", _su, number=True),
    Column("headroom_su", "Headroom", _su, number=True),
    Column("oracle_su", "oracle", _su, number=True),
    Column("turnaround_before_s", "turnaround before", duration, number=True, width=1.2),
    Column("turnaround_after_s", "after", duration, number=True),
)
_CHANGES = (
    Column("rule", "rule", width=1.5),
    Column("quantity", "measure", lambda name: name.replace("_", " "), width=1.8),
    Column("before", "whole nodes", number=True, row_text=lambda one: _number(one, one.before)),
    Column("after", "shared", number=True, row_text=lambda one: _number(one, one.after)),
    Column("ratio", "ratio", lambda value: f"{value:.3f}", number=True),
    Column("low", "95 % from", lambda value: f"{value:.3f}", number=True),
    Column("high", "to", lambda value: f"{value:.3f}", number=True),
    Column("lower_in", "lower in", number=True),
)
