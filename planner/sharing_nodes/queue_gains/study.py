"""A log under rules of co-location, ready to be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.command_row import command_row
from planner.formatting import durations, given, percent, plural, telling
from planner.sharing_nodes.queue_gains.explanation import chance_of, explanation_of
from planner.sharing_nodes.queue_gains.load import LoadResult
from planner.sharing_nodes.queues.comparison import ORACLE
from planner.sharing_nodes.queues.logs import RULE
from planner.sharing_nodes.queues.meetings import meetings_of
from planner.sharing_nodes.queues.replications import PAYS_MORE, REVENUE, MeasureChange
from planner.worded_study import Explanation, TabledStudy
from planner.worded_table import Column, Table
from scenarios.job_logs.job_log import MISSING

if TYPE_CHECKING:
    from planner.sharing_nodes.queue_gains.laws import SharingLaw

FIRST_FIT = "first fit"
SEARCH = "partner search"
MATCHING = "rolling matching"
BOUND = "partner search, oracle gains"
FAIR = "fair price"
_FEW = 5
"""Mappings below which intervals say little: a t distribution with fewer than 4 degrees."""
_LEAST_CHANGE = 0.0005
_UNCHANGED = "is unchanged"
_TINY = 0.001
_WIDE = 10.0
"""Ratio above which the upper end of an interval is far from any mean."""


@dataclass(frozen=True, eq=False, repr=False)
class QueueStudy(TabledStudy):
    """Waits, energy, bills and floors of a log with whole nodes and with shared ones.

    Attributes
    ----------
    law
        Speeds that scores follow, and those that decisions rest on.
    log, file, sha256
        Name of the log, its file and the digest of that.
    floor, floors, least_gain, alpha
        As they were given.
    results
        By offered load.
    admitted
        Pairs of applications that keep the floor and gain enough on nodes of their own.
    broken
        What an independent checker found wrong with the schedules of the first seed and load.
    checked
        Whether it followed each reservation.
    notes
        What the log or the table does not say.
    logged_load
        Offered load of the log itself, where submissions were moved; ``None`` where they were not.
    processors_per_node
        Processors of the log that are one node.
    command
        Words of the command; empty from Python.
    """

    law: SharingLaw
    log: str
    file: str
    sha256: str
    floor: float
    floors: Mapping[str, float]
    least_gain: float
    alpha: float
    results: tuple[LoadResult, ...]
    admitted: int
    broken: tuple[str, ...]
    checked: bool
    notes: tuple[str, ...] = ()
    logged_load: float | None = None
    processors_per_node: int = 1
    command: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Title of the document."""
        name = Path(self.file).name or self.log
        return f"What does the queue of {name} gain if jobs share nodes?"

    @property
    def first(self) -> LoadResult:
        """The first load."""
        return self.results[0]

    @property
    def users(self) -> int:
        """Number of users that the log names."""
        user = self.first.replications.first.problem.jobs.user
        return len(np.unique(user[user != MISSING]))

    @property
    def mappings(self) -> str:
        """The number of mappings, and what they map: jobs, where the log names no user."""
        count = plural(len(self.first.replications.seeds), "mapping")
        return f"{count} of {'users' if self.users else 'jobs'} to applications"

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was run, by name."""
        problem = self.first.replications.first.problem
        return {
            "log": self.log,
            "jobs": int(problem.fits.sum()),
            "nodes": problem.nodes,
            "processors of the log per node": self.processors_per_node,
            "cores per node in bills": problem.cores_per_node,
            "applications": ", ".join(problem.speeds.applications),
            "law": self.law.text,
            "source of speeds": self.law.name,
            "predictions": self.law.origin,
            "rule": RULE,
            "loads": ", ".join(f"{result.load:.3g}" for result in self.results),
            "seeds": len(self.first.replications.seeds),
            "floor": self.floor,
            "floors of users": dict(self.floors) or "none",
            "least gain": self.least_gain,
            "alpha": self.alpha,
            "pairs within floor and least gain": (
                f"{self.admitted:,} of {int(np.triu(self.law.known).sum()):,}"
            ),
            "schedules checked event by event": "first mapping" if self.checked else "no",
            "watts of a node (idle, one job, two jobs)": (
                f"{self.law.watts.idle:g}, {self.law.watts.half:g}, {self.law.watts.shared:g}"
            ),
        }

    @property
    def provenance(self) -> Sequence[tuple[str, str]]:
        """The log, the table and their digests, and the command."""
        rows = [("log file", self.file), ("SHA-256 of the log", self.sha256)] if self.file else []
        if self.law.sha256:
            rows.append((f"SHA-256 of {self.law.name}", self.law.sha256))
        return (*rows, command_row(self.command))

    @property
    def headline(self) -> str:
        """What sharing by predicted gains changes."""
        wait = self.first.change(SEARCH, "mean_wait_s")
        if not self.first.change(SEARCH, "partnered_jobs").after:
            load = f" at a load of {self.first.load:.2f}" if len(self.results) > 1 else ""
            return (
                f"The search finds no partners{load}: no start meets the floors and gains enough."
            )
        ours, today = durations(wait.after, wait.before, every_one=True)
        energy = self.first.change(SEARCH, "energy_kwh")
        if wait.may_be_chance and energy.may_be_chance:
            yet = " yet" if len(self.first.replications.seeds) < _FEW else ""
            waits = f"mean wait ({ours} with shared nodes, {today} without)"
            if _energy_words(energy) == _UNCHANGED:
                return f"No conclusion{yet}: {waits} may differ by chance; energy {_UNCHANGED}."
            return (
                f"No conclusion{yet}: {waits} and energy ({_energy_change(energy)}) may differ by "
                "chance."
            )
        return (
            f"Mean wait is {ours} with shared nodes and {today} on whole nodes"
            f"{chance_of(wait)}; energy {_energy_words(energy)}{chance_of(energy)}."
        )

    @property
    def confidence(self) -> str:
        """What the figures rest on."""
        return (
            f"Simulated at an offered load (work over capacity) of {self.first.load:.2f} with "
            f"{self.law.text}. Decisions use predicted speeds, results the true speeds of the "
            f"simulation. {self.mappings}, 95 % intervals of paired differences."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know."""
        users = "users" if self.users else "jobs"
        lines = [
            f"The log does not say what its jobs compute. A rule maps {users} to applications."
        ]
        if len(self.first.replications.seeds) < _FEW:
            lines.append(f"With {self.mappings}, the intervals are very wide. Run at least {_FEW}.")
        lines += self.notes
        if not self.admitted:
            lines.append(
                f"No two applications may share nodes of their own: no pair keeps "
                f"{given(self.floor)} of its speed and gains at least {given(self.least_gain)}."
            )
        lines += list(self._floor_lines())
        lines += list(self._promise_lines())
        if self.broken:
            lines.append(
                f"The independent checker found {plural(len(self.broken), 'error')} in the "
                f"schedules; first error: {self.broken[0]}"
            )
        return tuple(lines)

    def _floor_lines(self) -> Iterator[str]:
        for row in self._floors():
            share = row["broken_share"]
            if share is not None and share > (0.0 if row["rule"] == BOUND else self.alpha):
                yield (
                    f"Rule {row['rule']}, load {row['load']:.3g}: {percent(share, places=2)} of "
                    "the jobs open to a partner ran slower than their users accept, because "
                    "predictions were too high."
                )

    def _promise_lines(self) -> Iterator[str]:
        for result in self.results:
            for rule, late in result.replications.late_starts.items():
                if late:
                    yield (
                        f"Rule {rule}, load {result.load:.3g}: {plural(late, 'job')} of all "
                        "mappings started later than their first reservations."
                    )

    @property
    def explanation(self) -> Explanation:
        """Why shared nodes change the queue, and what the figures rest on; empty if none share."""
        if not self.first.change(SEARCH, "partnered_jobs").after:
            return Explanation()
        return explanation_of(self)

    @property
    def shown(self) -> tuple[Table, ...]:
        """Rules by load, floors, users, and all differences."""
        return (
            Table(
                "waits",
                "Shared nodes compared with EASY on whole nodes, with 95 % intervals",
                WAITS_COLUMNS,
                list(self._waits()),
            ),
            Table(
                "floors",
                "Jobs open to a partner, and those of them below the floor (sums over mappings); "
                "longest wait (mean over mappings)",
                FLOORS_COLUMNS,
                list(self._floors()),
            ),
            Table(
                "pairs",
                "Applications that share nodes with partner search, most hours first (simulated, "
                "first mapping)",
                PAIRS_COLUMNS,
                list(self._pairs()),
            ),
            Table(
                "users",
                "Users who gain or lose compared with whole nodes (mean over mappings)",
                USERS_COLUMNS,
                list(self._users()),
            ),
            Table(
                "differences",
                "All measures (mean over mappings), with 95 % intervals of ratios",
                CHANGES_COLUMNS,
                list(self._changes()),
            ),
        )

    def _rows(self) -> Iterator[tuple[LoadResult, str, dict[str, Any]]]:
        for result in self.results:
            for rule in result.rules:
                yield result, rule, {"load": result.load, "rule": rule}

    def _waits(self) -> Iterator[dict[str, Any]]:
        for one, rule, row in self._rows():
            wait = one.change(rule, "mean_wait_s")
            yield row | {
                "wait_before_s": wait.before,
                "wait_after_s": wait.after,
                "wait_ratio": wait.ratio,
                "wait_low": wait.low,
                "wait_high": wait.high,
                "turnaround_ratio": one.change(rule, "mean_turnaround_s").ratio,
                "slowdown_ratio": one.change(rule, "mean_bounded_slowdown").ratio,
                "throughput": one.change(rule, "throughput").after,
                "energy_ratio": one.change(rule, "energy_kwh").ratio,
                "revenue_ratio": one.change(rule, f"{REVENUE}{FAIR}").ratio,
            }

    def _floors(self) -> Iterator[dict[str, Any]]:
        for one, rule, row in self._rows():
            seeds = len(one.replications.seeds)
            shared, partnered, broken, longest, jobs = (
                one.change(rule, name)
                for name in ("shared_jobs", "partnered_jobs", "floors_broken", "longest_wait_s",
                             "jobs")
            )  # fmt: skip
            promises = rule != FIRST_FIT
            slowest = one.replications.slowest.get(rule, float("inf"))
            yield row | {
                "jobs": round(jobs.after * seeds),
                "shared_jobs": round(shared.after * seeds),
                "partnered_jobs": round(partnered.after * seeds),
                "floors_broken": round(broken.after * seeds) if promises else None,
                "broken_share": broken.after / max(shared.after, 1e-9) if promises else None,
                "below_floor": one.replications.below.get(rule),
                "slowest": slowest if slowest < float("inf") else None,
                "longest_before_s": longest.before,
                "longest_after_s": longest.after,
                "late_starts": one.replications.late_starts[rule],
            }

    def _pairs(self) -> Iterator[dict[str, Any]]:
        """Yield pairs of applications by the time for which they share nodes."""
        first = self.first.replications.first
        run = next(one for one in first.outcomes if one.rule == SEARCH).schedule
        met, names = meetings_of(run), self.law.predicted.applications
        applications = first.problem.jobs.application
        ends = np.sort(np.stack([applications[met.job], applications[met.other]]), axis=0)
        codes, which = np.unique(ends[0] * len(names) + ends[1], return_inverse=True)
        spent = np.bincount(which, met.end_ms - met.begin_ms, minlength=len(codes))
        relative = self.law.relative(self.law.predicted)
        for index in np.argsort(-spent, kind="stable"):
            a, b = divmod(int(codes[index]), len(names))
            speeds = float(relative[a, b]), float(relative[b, a])
            yield {
                "a": names[a],
                "b": names[b],
                "speed_a": speeds[0],
                "speed_b": speeds[1],
                "work": sum(speeds) / self.law.halves_per_node,
                "share": float(spent[index] / spent.sum()),
            }

    def _users(self) -> Iterator[dict[str, Any]]:
        for one, rule, row in self._rows():
            yield row | {
                "sooner": one.change(rule, "users_sooner").after,
                "later": one.change(rule, "users_later").after,
                "pays_more_practice": one.change(rule, f"{PAYS_MORE}state of practice").after,
                "pays_more_fair": one.change(rule, f"{PAYS_MORE}{FAIR}").after,
                "pays_more_oracle": one.change(rule, f"{PAYS_MORE}{ORACLE}").after,
            }

    def _changes(self) -> Iterator[dict[str, Any]]:
        for result in self.results:
            for change in result.replications.changes:
                yield {
                    "load": result.load,
                    "rule": change.rule,
                    "quantity": change.quantity,
                    "before": change.before,
                    "after": change.after,
                    "difference": change.difference.mean,
                    "difference_low": change.difference.low,
                    "difference_high": change.difference.high,
                    "ratio": change.ratio,
                    "low": change.low,
                    "high": change.high,
                    "lower_in": change.lower_in,
                }


def _energy_words(change: MeasureChange) -> str:
    ratio = change.ratio
    if ratio is None or abs(ratio - 1) < _LEAST_CHANGE:
        return _UNCHANGED
    return f"{'rises' if ratio > 1 else 'falls'} by {percent(abs(ratio - 1), places=1)}"


def _energy_change(change: MeasureChange) -> str:
    ratio = change.ratio or 1.0
    return f"{percent(abs(ratio - 1), places=1)} {'more' if ratio > 1 else 'less'}"


_MEASURES = {
    "mean_wait_s": "mean wait",
    "longest_wait_s": "longest wait",
    "mean_turnaround_s": "mean turnaround",
    "mean_bounded_slowdown": "mean bounded slowdown",
    "throughput": "work per node-hour",
    "node_hours": "node-hours",
    "energy_kwh": "energy (kWh)",
    "makespan_s": "makespan",
    "shared_jobs": "jobs open to a partner",
    "partnered_jobs": "jobs with a partner",
    "floors_broken": "jobs below their floor",
    "users_sooner": "users whose jobs end sooner",
    "users_later": "users whose jobs end later",
}


_PRICES = {"state of practice": "price by run time", "oracle": "price by true speeds"}


def _measure(name: str) -> str:
    for prefix, text in ((PAYS_MORE, "users who pay more"), (REVENUE, "revenue (SU)")):
        if name.startswith(prefix):
            price = name.removeprefix(prefix)
            return f"{text}, {_PRICES.get(price, price)}"
    return _MEASURES.get(name, name)


def mean_count(value: float) -> str:
    """Return a mean of numbers of users: with a decimal, unless it is whole."""
    return f"{value:,.0f}" if value == round(value) else f"{value:,.1f}"


def _three(value: float) -> str:
    return f"{value:.3f}"


def _start(value: float) -> str:
    """The lower end of an interval: of one that tells little, no zeros."""
    return _three(value) if value >= _TINY else f"< {_TINY}"


def _end(value: float) -> str:
    """The upper end of an interval: of one that tells little, without decimals."""
    return _three(value) if value < _WIDE else f"{value:,.0f}"


def _seconds(key: str, other: str) -> Any:
    return lambda row: durations(row[key], row[other])[0]


def _quantity(key: str, other: str, row: dict[str, Any]) -> str:
    """A mean over seeds, with both times of a row in one unit."""
    if row["quantity"].endswith("_s"):
        return str(_seconds(key, other)(row))
    return telling(row[key])


_KEYS = (
    Column("load", "load", "{:.2f}".format, number=True, width=0.7),
    Column("rule", "rule", width=1.9),
)
WAITS_COLUMNS = (
    *_KEYS,
    Column("wait_before_s", "mean wait, whole nodes", number=True, width=1.2,
           row_text=_seconds("wait_before_s", "wait_after_s")),
    Column("wait_after_s", "mean wait, shared", number=True, width=1.2,
           row_text=_seconds("wait_after_s", "wait_before_s")),
    Column("wait_ratio", "ratio of waits", _three, number=True),
    Column("wait_low", "95 % low", _start, number=True),
    Column("wait_high", "95 % high", _end, number=True, width=0.8),
    Column("turnaround_ratio", "turnaround ratio", _three, number=True, width=1.5),
    Column("slowdown_ratio", "slowdown ratio", _three, number=True, width=1.3),
    Column("throughput", "work per node-hour", _three, number=True),
    Column("energy_ratio", "energy ratio", _three, number=True),
    Column("revenue_ratio", "fair revenue ratio", _three, number=True),
)  # fmt: skip
FLOORS_COLUMNS = (
    *_KEYS,
    Column("jobs", "jobs", "{:,}".format, number=True),
    Column("shared_jobs", "open to a partner", "{:,}".format, number=True),
    Column("partnered_jobs", "had a partner", "{:,}".format, number=True),
    Column("below_floor", "below the floor", "{:,}".format, number=True),
    Column("slowest", "slowest job", percent, number=True),
    Column("floors_broken", "below their floor", "{:,}".format, number=True, shown=False),
    Column("broken_share", "share of open jobs", lambda value: percent(value, places=2),
           number=True),
    Column("longest_before_s", "longest wait, whole nodes", number=True, width=1.2,
           row_text=_seconds("longest_before_s", "longest_after_s")),
    Column("longest_after_s", "longest wait, shared", number=True, width=1.2,
           row_text=_seconds("longest_after_s", "longest_before_s")),
    Column("late_starts", "late starts", "{:,}".format, number=True),
)  # fmt: skip
PAIRS_COLUMNS = (
    Column("a", "application", width=1.4),
    Column("b", "partner", width=1.4),
    Column("speed_a", "speed of application", percent, number=True),
    Column("speed_b", "speed of partner", percent, number=True),
    Column("work", "work per node-hour", percent, number=True),
    Column("share", "share of shared time", percent, number=True),
)
USERS_COLUMNS = (
    *_KEYS,
    Column("sooner", "users who end sooner", mean_count, number=True),
    Column("later", "users who end later", mean_count, number=True),
    Column("pays_more_practice", "pay more, by run time", mean_count, number=True, width=1.2),
    Column("pays_more_fair", "pay more, fair price", mean_count, number=True, width=1.2),
    Column(
        "pays_more_oracle", "pay more, price by true speeds", mean_count, number=True, width=1.2
    ),
)
CHANGES_COLUMNS = (
    *_KEYS,
    Column("quantity", "measure", _measure, width=2.2),
    Column("before", "whole nodes", number=True, row_text=partial(_quantity, "before", "after")),
    Column("after", "shared", number=True, row_text=partial(_quantity, "after", "before")),
    Column("ratio", "ratio", _three, number=True),
    Column("low", "95 % low", _start, number=True),
    Column("high", "95 % high", _end, number=True),
    Column("lower_in", "mappings with less", "{:,}".format, number=True),
)
