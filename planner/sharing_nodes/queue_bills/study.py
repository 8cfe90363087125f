"""A day of jobs with and without shared nodes, ready to be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.formatting import percent, plural
from planner.sharing_nodes.queue_bills.explanation import explanation_of
from planner.sharing_nodes.queue_bills.tables import (
    BILLS_COLUMNS,
    CHANGES_COLUMNS,
    PRICES_COLUMNS,
    RULES_COLUMNS,
    SIDES_COLUMNS,
    rule_text,
)
from planner.sharing_nodes.queues.comparison import QueueComparison, RuleOutcome
from planner.sharing_nodes.queues.logs import RULE
from planner.sharing_nodes.queues.replications import MeasureChange, QueueReplications
from planner.worded_study import Explanation, TabledStudy
from planner.worded_table import Table
from scenarios.job_logs.job_log import MISSING

_LEAST_CHANGE = 0.0005
"""Relative change below which nothing changes."""


def verdict(time: float, hours: float, doubt: str, hours_doubt: str = "") -> str:
    """Return whether sharing is worthwhile, by the ratios of mean turnaround and of node-hours.

    Parameters
    ----------
    time, hours
        With shared nodes, relative to whole nodes.
    doubt, hours_doubt
        Why the change of each is not certain; empty if it is shown. What is unchanged has none.

    Examples
    --------
    >>> verdict(1.07, 1.15, "may be chance", "may be chance")
    'Sharing is not shown to be worthwhile: mean turnaround rises by 7.0 % and node-hours rise by 15 % (both may be chance).'
    >>> verdict(0.8, 0.97, "")
    'Sharing is worthwhile: mean turnaround falls by 20 % and node-hours fall by 3.0 %.'
    >>> verdict(0.8, 0.97, "", "may be chance")
    'Sharing is not shown to be worthwhile: mean turnaround falls by 20 % and node-hours fall by 3.0 % (may be chance).'
    """  # noqa: E501
    doubt, hours_doubt = (
        why if _changes(ratio) else "" for ratio, why in ((time, doubt), (hours, hours_doubt))
    )
    changes = [_changed(time, "mean turnaround", ("falls", "rises", "is")),
               _changed(hours, "node-hours", ("fall", "rise", "are"))]  # fmt: skip
    if doubt and doubt == hours_doubt:
        remarks = ["", f" (both {doubt})"]
    else:
        remarks = [f" ({why})" if why else "" for why in (doubt, hours_doubt)]
    text = " and ".join(change + remark for change, remark in zip(changes, remarks, strict=True))
    better, worse = (
        [sign * (ratio - 1) >= _LEAST_CHANGE for ratio in (time, hours)] for sign in (-1, 1)
    )
    if doubt or hours_doubt:
        head = "Sharing is not shown to be worthwhile"
    elif any(better):
        head = "Sharing is a trade" if any(worse) else "Sharing is worthwhile"
    else:
        head = "Sharing is not worthwhile"
    return f"{head}: {text}."


def _changes(ratio: float) -> bool:
    return abs(ratio - 1) >= _LEAST_CHANGE


def _changed(ratio: float, noun: str, verbs: tuple[str, str, str]) -> str:
    """Return how a measure changes; ``verbs`` for less, more and no change."""
    less, more, unchanged = verbs
    if not _changes(ratio):
        return f"{noun} {unchanged} unchanged"
    return f"{noun} {less if ratio < 1 else more} by {percent(abs(ratio - 1))}"


def _doubt(change: MeasureChange) -> str:
    """Return why the change of a measure is not certain; empty if it is shown."""
    return "may be chance" if change.may_be_chance or change.low is None else ""


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
    user_names
        Names of the users by their code; empty where the log has numbers only.
    log_warnings
        What the log does not say, or says in vain.
    command
        Words of the command that gives the study again; none if it was run from Python.
    """

    log: str
    file: str
    sha256: str
    comparison: QueueComparison
    replications: QueueReplications | None = None
    broken: tuple[str, ...] = ()
    user_names: tuple[str, ...] = ()
    log_warnings: tuple[str, ...] = ()
    command: tuple[str, ...] = ()

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
            "jobs_simulated": int(problem.fits.sum()),
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
    def best(self) -> RuleOutcome:
        """The rule with shared nodes and the shortest mean turnaround."""
        shared = [
            outcome for outcome in self.comparison.outcomes if outcome.rule.startswith("share")
        ]
        return min(shared, key=lambda one: one.measures.mean_turnaround_s)

    @property
    def headline(self) -> str:
        """What sharing changes."""
        several, best = self.replications, self.best
        if several is None:
            base, measures = self.comparison.baseline.measures, best.measures
            time = measures.mean_turnaround_s / base.mean_turnaround_s
            doubt = "from one mapping"
            return verdict(time, measures.node_hours / base.node_hours, doubt, doubt)
        turnaround = several.change(best.rule, "mean_turnaround_s")
        hours = several.change(best.rule, "node_hours")
        return verdict(
            turnaround.ratio or turnaround.after / turnaround.before,
            hours.ratio or hours.after / hours.before,
            _doubt(turnaround),
            _doubt(hours),
        )

    @property
    def confidence(self) -> str:
        """What the figures rest on."""
        several = self.replications
        jobs = plural(len(self.comparison.problem.jobs), "job")
        spread = (
            "Only one mapping of users to applications was tried, so the spread is unknown."
            if several is None
            else f"{plural(len(several.seeds), 'mapping')} of users to applications; means over "
            f"all {jobs} of the day and the week before it."
        )
        return f"Simulated with the speeds of twelve applications on a simulated node. {spread}"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Assumptions and broken promises."""
        lines = [
            "The log does not say what its jobs compute. A rule maps users to applications.",
            "This is one day. Over a whole log, taking the first partner that fits can delay jobs.",
        ]
        lines += [*self._rejected(), *self.log_warnings]
        lines += [
            f"Rule {rule_text(outcome.rule)}: {plural(outcome.measures.late_starts, 'job')} "
            "started later than the first reservation."
            for outcome in self.comparison.outcomes
            if outcome.measures.late_starts
        ]
        if self.broken:
            lines.append(
                f"The independent checker found {plural(len(self.broken), 'error')} in the "
                f"schedules; first error: {self.broken[0]}"
            )
        return tuple(lines)

    @property
    def explanation(self) -> Explanation:
        """Why shared nodes change the day, and what the figures rest on."""
        return explanation_of(self)

    def _rejected(self) -> list[str]:
        problem = self.comparison.problem
        measured = self.comparison.measured
        larger = int((measured & ~problem.fits).sum())
        if not larger:
            return []
        most = int(problem.jobs.nodes[measured].max())
        line = (
            f"{larger:,} of the day's {plural(int(measured.sum()), 'job')} "
            f"{'was' if larger == 1 else 'were'} left out, needing up to {plural(most, 'node')}; "
            f"the machine has {problem.nodes:,}. "
            "Check --nodes and --node-cores."
        )
        return [line]

    @property
    def shown(self) -> tuple[Table, ...]:
        """Rules, prices, users and, over several mappings, differences."""
        first = "" if self.replications is None else "; first mapping"
        return (
            Table(
                "rules",
                f"Waits, node-hours and energy, by rule for sharing nodes{first}",
                RULES_COLUMNS,
                self.comparison.outcomes,
            ),
            Table(
                "prices",
                f"Revenue of the day, and discounts of its jobs open to a partner{first}",
                PRICES_COLUMNS,
                self.comparison.prices,
            ),
            Table(
                "sides",
                f"Users who gain or lose, compared with whole nodes billed by run time{first}",
                SIDES_COLUMNS,
                list(self._sides()),
            ),
            Table(
                "bills",
                f"Bills (SU) and mean turnaround of each user; rule: {rule_text(self.best.rule)}",
                BILLS_COLUMNS,
                self._bills(),
            ),
            Table(
                "differences",
                "Shared and whole nodes; all jobs of the day and the week before it, means of all "
                "mappings",
                CHANGES_COLUMNS,
                () if self.replications is None else self.replications.changes,
            ),
        )

    def _sides(self) -> Iterator[dict[str, Any]]:
        for rule, policies in self.comparison.sides.items():
            for policy in policies:
                yield {"rule": rule, **vars(policy)}

    def _bills(self) -> list[dict[str, Any]]:
        table = self.comparison.users[self.best.rule]
        order = np.argsort(-table.before_su, kind="stable")[:MOST_USERS]
        return [
            {
                "user": self._user(int(table.user[index])),
                "jobs": int(table.jobs[index]),
                "before_su": float(table.before_su[index]),
                **{
                    f"{policy.replace(' ', '_').lower()}_su": float(amounts[index])
                    for policy, amounts in table.after_su.items()
                },
                "turnaround_before_s": float(table.turnaround_before_s[index]),
                "turnaround_after_s": float(table.turnaround_after_s[index]),
            }
            for index in order
        ]

    def _user(self, code: int) -> str | int:
        if code == MISSING:
            return "unknown"
        return self.user_names[code] if self.user_names else code
