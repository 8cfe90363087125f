"""A log under rules of co-location, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.sharing_nodes.queues.logs import RULE
from scenarios.job_logs.job_log import MISSING

if TYPE_CHECKING:
    from planner.sharing_nodes.queue_gains.laws import SharingLaw
    from planner.sharing_nodes.queue_gains.load import LoadResult
    from planner.sharing_nodes.queues.checker import Broken
    from planner.sharing_nodes.queues.measures import SharedMeasures
    from planner.sharing_nodes.queues.problem import SharedProblem
    from planner.sharing_nodes.queues.replications import MeasureChange
    from scenarios.job_logs.job_log import JobLog

FIRST_FIT = "first fit"
SEARCH = "partner search"
MATCHING = "rolling matching"
BOUND = "partner search, oracle gains"
FAIR = "fair price"


@dataclass(frozen=True, eq=False, repr=False)
class QueueResult:
    """Waits, energy, bills and floors of a log with whole nodes and with shared ones.

    Attributes
    ----------
    law
        Speeds that scores follow, and those that decisions rest on.
    jobs
        The log.
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
    logged_load
        Offered load of the log itself, where submissions were moved; ``None`` where they were not.
    processors_per_node
        Processors of the log that are one node.
    other
        Partner search at the first load under the other law of shared cores; ``None`` if only one
        law was run.
    command
        Words of the command; empty from Python.
    """

    law: SharingLaw
    jobs: JobLog
    floor: float
    floors: Mapping[str, float]
    least_gain: float
    alpha: float
    results: tuple[LoadResult, ...]
    admitted: int
    broken: Broken
    checked: bool
    logged_load: float | None = None
    processors_per_node: int = 1
    other: LoadResult | None = None
    command: tuple[str, ...] = ()

    @property
    def log(self) -> str:
        """Name of the log."""
        return self.jobs.name

    @property
    def first(self) -> LoadResult:
        """The first load."""
        return self.results[0]

    @property
    def problem(self) -> SharedProblem:
        """Log and cluster of the first load and seed."""
        return self.first.replications.first.problem

    @property
    def seeds(self) -> int:
        """Number of mappings."""
        return len(self.first.replications.seeds)

    @property
    def users(self) -> int:
        """Number of users that the log names."""
        user = self.problem.jobs.user
        return len(np.unique(user[user != MISSING]))

    @property
    def nameless(self) -> int:
        """Jobs without a user."""
        return int((self.jobs.user == MISSING).sum())

    @property
    def pairs(self) -> int:
        """Pairs of applications whose speeds are known."""
        return int(np.triu(self.law.known).sum())

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was run, by name."""
        problem, watts = self.problem, self.law.watts
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
            "seeds": self.seeds,
            "floor": self.floor,
            "floors of users": dict(self.floors) or "none",
            "least gain": self.least_gain,
            "alpha": self.alpha,
            "pairs within floor and least gain": f"{self.admitted:,} of {self.pairs:,}",
            "schedules checked event by event": "first mapping" if self.checked else "no",
            "watts of a node (idle, one job, two jobs)": (
                f"{watts.idle:g}, {watts.half:g}, {watts.shared:g}"
            ),
        }

    def measures(self, rule: str) -> SharedMeasures:
        """Measures of the first load and mapping under a rule."""
        outcomes = self.first.replications.first.outcomes
        return next(one.measures for one in outcomes if one.rule == rule)

    def summed(self, load: LoadResult, rule: str, quantity: str) -> int:
        """A count of jobs under a rule, summed over the mappings."""
        return round(load.change(rule, quantity).after * self.seeds)


def direction(change: MeasureChange) -> str:
    """Whether a measure is lower, higher, the same in every mapping, or neither for sure."""
    if unchanged(change):
        return "same"
    if may_be_chance(change):
        return "unclear"
    return "lower" if change.after < change.before else "higher"


def unchanged(change: MeasureChange) -> bool:
    """Whether a measure is the same in every mapping."""
    return change.difference.mean == change.difference.half_width == 0


def may_be_chance(change: MeasureChange) -> bool:
    """Whether the interval contains no change: that of the ratio, or without one the difference."""
    if change.ratio is None:
        return change.difference.low <= 0 <= change.difference.high
    return change.may_be_chance
