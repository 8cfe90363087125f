"""What a day of a job log on shared nodes gives: changes of waits, node-hours and bills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from planner.sharing_nodes.queues.checker import Broken
from planner.sharing_nodes.queues.comparison import QueueComparison, RuleOutcome
from planner.sharing_nodes.queues.logs import RULE
from planner.sharing_nodes.queues.replications import REVENUE, MeasureChange, QueueReplications
from planner.sharing_nodes.queues.users import Sides, sides_of
from scenarios.job_logs.job_log import MISSING, JobLog

TODAY, OURS = "state of practice", "Headroom"
"""Prices by run time, and by Headroom's estimates."""
LEAST_CHANGE = 0.0005
"""Relative change below which nothing changes."""
MEANS = ("partnered_jobs", "mean_wait_s", "mean_turnaround_s", "node_hours", "throughput",
         "energy_kwh", "makespan_s")  # fmt: skip
"""Measures that rules are compared by."""


@dataclass(frozen=True)
class NodeUse:
    """Why shared and whole nodes differ in node-hours: empty halves, and core-hours of jobs.

    Attributes
    ----------
    empty
        Share of the node-hours in use during which one half of the node is empty.
    added
        Node-hours that the empty halves amount to, half of those, over the node-hours of the
        baseline.
    core_hours
        Change of the core-hours of all jobs, relative to the baseline. The change of node-hours is
        ``added + core_hours``.
    """

    empty: float
    added: float
    core_hours: float


@dataclass(frozen=True)
class Payers:
    """How many gain and lose at Headroom's prices: users, or jobs of a log without users."""

    noun: Literal["user", "job"]
    sides: Sides


@dataclass(frozen=True, eq=False)
class QueuePriceResult:
    """Waits, energy, revenue and bills of a day, with nodes to oneself and with shared ones.

    Attributes
    ----------
    log
        The job log.
    comparison
        The day under each rule, with the first mapping of users to applications.
    replications
        The same over several mappings; ``None`` for one.
    broken
        What an independent checker found wrong with the schedules of the first mapping.
    command
        Words of the command that gives the study again; none if it was run from Python.
    """

    log: JobLog
    comparison: QueueComparison
    replications: QueueReplications | None = None
    broken: Broken = ()
    command: tuple[str, ...] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was run, by name."""
        problem = self.comparison.problem
        return {
            "log": self.log.name,
            "jobs_of_the_day": int(self.comparison.measured.sum()),
            "jobs_simulated": int(problem.fits.sum()),
            "nodes": problem.nodes,
            "cores_per_node": problem.cores_per_node,
            "applications": ", ".join(problem.speeds.applications),
            "rule": RULE,
            "bills_against": self.comparison.reference,
            "mappings": self.mappings,
        }

    @property
    def mappings(self) -> int:
        """Mappings of users to applications that were tried."""
        return 1 if self.replications is None else len(self.replications.seeds)

    @property
    def best(self) -> RuleOutcome:
        """The rule with shared nodes and the shortest mean turnaround: over all mappings."""
        several = self.replications

        def mean_s(outcome: RuleOutcome) -> float:
            if several is None:
                return outcome.measures.mean_turnaround_s
            return several.change(outcome.rule, "mean_turnaround_s").after

        outcomes = self.comparison.outcomes
        return min((each for each in outcomes if each.rule.startswith("share")), key=mean_s)

    def change(self, quantity: str) -> MeasureChange | None:
        """The change of a quantity under the best rule over mappings; ``None`` for one mapping."""
        if self.replications is None:
            return None
        return self.replications.change(self.best.rule, quantity)

    def ratio(self, quantity: str) -> float:
        """A quantity under the best rule over that on whole nodes."""
        change = self.change(quantity)
        if change is None:
            base, best = self.comparison.baseline.measures, self.best.measures
            return float(getattr(best, quantity) / getattr(base, quantity))
        return change.ratio or change.after / change.before

    @property
    def means(self) -> list[dict[str, Any]]:
        """Measures of each rule: means over all mappings, or those of the only one."""
        several, outcomes = self.replications, self.comparison.outcomes
        if several is None:
            return [
                {"rule": each.rule, **{name: getattr(each.measures, name) for name in MEANS}}
                for each in outcomes
            ]
        base, *others = (outcome.rule for outcome in outcomes)
        before = {name: several.change(others[0], name).before for name in MEANS}
        after = [
            {"rule": rule, **{name: several.change(rule, name).after for name in MEANS}}
            for rule in others
        ]
        return [{"rule": base, **before}, *after]

    @property
    def use(self) -> NodeUse:
        """Why node-hours differ, over all mappings and jobs.

        A node counts as in use while any job is on it. So the node-hours in use are the core-hours
        of the jobs, divided by the cores of a node, and half of the node-hours with one empty half.
        """
        hours, jobs = self.change("node_hours"), self.change(f"{REVENUE}{TODAY}")
        if hours is None or jobs is None:
            base, best = self.comparison.baseline, self.best
            before, after = base.measures.node_hours, best.measures.node_hours
            old, new = (float(one.bills[TODAY].price_su.sum()) for one in (base, best))
        else:
            before, after, old, new = hours.before, hours.after, jobs.before, jobs.after
        halves = max(after - new / self.comparison.problem.cores_per_node, 0.0)
        return NodeUse(2 * halves / after, halves / before, new / old - 1)

    @property
    def named_users(self) -> int:
        """Users of the day's jobs that the log names."""
        return int((self.comparison.users[self.best.rule].user != MISSING).sum())

    @property
    def payers(self) -> Payers:
        """Who gains and loses at Headroom's prices under the best rule.

        They are jobs where the log names fewer than two users.
        """
        best, base = self.best, self.comparison.baseline
        if self.named_users > 1:
            (ours,) = (row for row in self.comparison.sides[best.rule] if row.policy == OURS)
            return Payers("user", ours)
        ran = self.comparison.measured & base.schedule.runs & best.schedule.runs
        bills_su = base.bills[TODAY].price_su[ran], best.bills[OURS].price_su[ran]
        times_s = base.measures.turnaround_s[ran], best.measures.turnaround_s[ran]
        return Payers("job", sides_of(OURS, bills_su, times_s))

    def revenue_ratio(self, policy: str, rule: str = "") -> float:
        """Revenue of the day at a price, over that of whole nodes by run time."""
        rule = rule or self.best.rule
        (row,) = (row for row in self.comparison.prices if (row.rule, row.policy) == (rule, policy))
        return row.revenue_ratio

    def user(self, code: int) -> str | int:
        """The name of a user; its number where the log has no names."""
        names = self.log.names.get("user", ())
        if code == MISSING:
            return "unknown"
        return names[code] if names else code
