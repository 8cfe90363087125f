"""Sharing rules compared over seeds, pair by pair, with intervals.

With each seed all rules get the same log and the same applications. Two kinds of seeds are offered:
a log from a file whose users are spread over the applications anew, and synthetic logs of the
Lublin-Feitelson model, in which each job has an application of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from planner.errors import InputError
from planner.replications.batch_means import MeanInterval, over_replications
from planner.sharing_nodes.queues.bills import PerformanceEstimate, Reference
from planner.sharing_nodes.queues.comparison import (
    QueueComparison,
    RuleOutcome,
    below_floor,
    compare,
)
from planner.sharing_nodes.queues.logs import shared_problem
from planner.sharing_nodes.queues.measures import NodeWatts
from planner.sharing_nodes.queues.problem import SharedProblem
from planner.sharing_nodes.queues.rules import SharingRule
from planner.sharing_nodes.queues.speeds import Speeds
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.lublin import lublin_log

SEEDS = 20
"""Number of seeds of a comparison by default."""

SYNTHETIC_JOBS = 5_000
SYNTHETIC_NODES = 128
ESTIMATE_FACTOR = 4.0
"""Requested times of synthetic logs are uniform from the run time to five times as long."""

TIMES = ("mean_wait_s", "longest_wait_s", "mean_turnaround_s", "mean_bounded_slowdown")
AMOUNTS = ("throughput", "node_hours", "energy_kwh", "makespan_s", "shared_jobs",
           "partnered_jobs", "jobs")  # fmt: skip


@dataclass(frozen=True)
class MeasureChange:
    """A measure under a rule against the baseline, over the seeds.

    Attributes
    ----------
    rule, quantity
        What is compared.
    before, after
        Means over the seeds.
    difference
        Mean of the differences seed by seed, with its 95 % interval.
    ratio, low, high
        Geometric mean of the ratios seed by seed, with its 95 % interval; ``None`` where a value is
        0.
    lower_in
        Seeds in which the rule has less than the baseline.
    """

    rule: str
    quantity: str
    before: float
    after: float
    difference: MeanInterval
    ratio: float | None
    low: float | None
    high: float | None
    lower_in: int

    @property
    def may_be_chance(self) -> bool:
        """Whether the interval of the ratio contains 1."""
        return self.low is not None and self.high is not None and self.low <= 1 <= self.high


@dataclass(frozen=True, eq=False)
class QueueReplications:
    """Rules compared over seeds.

    Attributes
    ----------
    seeds
        As they were given.
    changes
        By rule and quantity: times, amounts, ``floors_broken``, ``users_sooner`` and
        ``users_later``, and for each pricing policy ``revenue: POLICY`` and ``pays more: POLICY``,
        the users whose bill rises.
    late_starts, outlasted
        Jobs over all seeds that started after their first reservation, or ended after their
        expected end, by rule.
    first
        The comparison of the first seed.
    below
        Jobs over all seeds that were open to a partner (they got half of at least one node) and ran
        below the floors of the rule that judges, by rule; empty if no rule judges.
    slowest
        Lowest speed of a job open to a partner, over its whole run and relative to whole nodes, by
        rule; infinite where no job was.
    """

    seeds: tuple[int, ...]
    changes: tuple[MeasureChange, ...]
    late_starts: Mapping[str, int]
    outlasted: Mapping[str, int]
    first: QueueComparison
    below: Mapping[str, int] = field(default_factory=dict)
    slowest: Mapping[str, float] = field(default_factory=dict)

    def change(self, rule: str, quantity: str) -> MeasureChange:
        """Return the change of a quantity under a rule."""
        for change in self.changes:
            if (change.rule, change.quantity) == (rule, quantity):
                return change
        names = ", ".join(sorted({f"{change.rule}: {change.quantity}" for change in self.changes}))
        raise InputError(f"{rule}: {quantity} was not compared; there are {names}")


def replicate(
    problems: Iterable[SharedProblem],
    seeds: Sequence[int],
    rules: Sequence[SharingRule],
    estimates: Sequence[PerformanceEstimate] = (),
    *,
    reference: Reference = "whole nodes",
    watts: NodeWatts | None = None,
    judge: SharingRule | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> QueueReplications:
    """Compare the rules on each problem, and put the seeds together.

    Parameters
    ----------
    problems, seeds
        One problem for each seed, two or more.
    judge
        Rule whose floors count jobs below them under every rule, also one without floors.
    progress
        Called with each seed that is done.

    Raises
    ------
    InputError
        Fewer than two seeds: a spread needs two.
    """
    if len(seeds) < 2:
        raise InputError(f"seeds = {len(seeds)} give no interval; give at least 2, such as 20")
    values: dict[tuple[str, str], list[float]] = {}
    late: dict[str, int] = {}
    outlasted: dict[str, int] = {}
    below: dict[str, int] = {}
    slowest: dict[str, float] = {}
    first_found: QueueComparison | None = None
    for seed, problem in zip(seeds, problems, strict=True):
        comparison = compare(problem, rules, estimates, reference=reference, watts=watts, seed=seed)
        first_found = first_found or comparison
        for rule, quantity, value in _values(comparison):
            values.setdefault((rule, quantity), []).append(value)
        for outcome in comparison.outcomes:
            late[outcome.rule] = late.get(outcome.rule, 0) + outcome.measures.late_starts
            outlasted[outcome.rule] = outlasted.get(outcome.rule, 0) + outcome.measures.outlasted
            slowest[outcome.rule] = min(
                slowest.get(outcome.rule, np.inf), _slowest(comparison, outcome)
            )
            if judge is not None:
                broken = below_floor(outcome.schedule, problem, judge) & comparison.measured
                below[outcome.rule] = below.get(outcome.rule, 0) + int(broken.sum())
        progress(seed)
    first = next(iter(values))[0]
    changes = tuple(
        _change(rule, quantity, values[first, _base(quantity)], after)
        for (rule, quantity), after in values.items()
        if rule != first
    )
    if first_found is None:
        raise InputError("no problem was given; give one for each seed")
    return QueueReplications(tuple(seeds), changes, late, outlasted, first_found, below, slowest)


def _slowest(comparison: QueueComparison, outcome: RuleOutcome) -> float:
    """Return the lowest speed of a measured job open to a partner; infinite without any."""
    counted = comparison.measured & outcome.schedule.shared & outcome.schedule.runs
    stretch = outcome.measures.stretch[counted]
    return float(1 / stretch.max()) if len(stretch) else float("inf")


def mapped_problems(log: JobLog, speeds: Speeds, seeds: Iterable[int]) -> Iterator[SharedProblem]:
    """Yield a log whose users are spread over the applications anew with each seed."""
    for seed in seeds:
        yield shared_problem(log, speeds, seed=seed)


def synthetic_problems(
    speeds: Speeds,
    seeds: Iterable[int],
    *,
    jobs: int = SYNTHETIC_JOBS,
    nodes: int = SYNTHETIC_NODES,
    load: float | None = None,
    halves_per_node: int = 2,
) -> Iterator[SharedProblem]:
    """Yield synthetic logs of the Lublin-Feitelson model, one for each seed.

    Parameters
    ----------
    load
        Offered load; the model's own unless given.
    halves_per_node
        As in :class:`~planner.sharing_nodes.queues.problem.SharedProblem`.
    """
    for seed in seeds:
        log = lublin_log(jobs, nodes, seed, load=load, estimate_factor=ESTIMATE_FACTOR)
        yield shared_problem(log, speeds, halves_per_node=halves_per_node, seed=seed)


REVENUE = "revenue: "
PAYS_MORE = "pays more: "


def _base(quantity: str) -> str:
    """Quantity of the baseline that another one is compared with: bills of whole nodes."""
    return f"{REVENUE}state of practice" if quantity.startswith(REVENUE) else quantity


def _values(comparison: QueueComparison) -> Iterator[tuple[str, str, float]]:
    for outcome in comparison.outcomes:
        for quantity in (*TIMES, *AMOUNTS):
            yield outcome.rule, quantity, float(getattr(outcome.measures, quantity))
        for policy, bill in outcome.bills.items():
            revenue = float(bill.price_su[comparison.measured].sum())
            yield outcome.rule, f"{REVENUE}{policy}", revenue
        yield outcome.rule, "floors_broken", float(outcome.floors_broken)
        yield from _user_values(comparison, outcome.rule)


def _user_values(comparison: QueueComparison, rule: str) -> Iterator[tuple[str, str, float]]:
    """Yield users who gain and lose; none in the baseline."""
    sides = comparison.sides.get(rule)
    by_policy = next(iter(comparison.sides.values())) if sides is None else sides
    for side in by_policy:
        yield rule, f"{PAYS_MORE}{side.policy}", 0.0 if sides is None else float(side.pays_more)
    yield rule, "users_sooner", 0.0 if sides is None else float(by_policy[0].sooner)
    yield rule, "users_later", 0.0 if sides is None else float(by_policy[0].later)


def _change(
    rule: str, quantity: str, before: Sequence[float], after: Sequence[float]
) -> MeasureChange:
    old, new = np.asarray(before), np.asarray(after)
    ratio: tuple[float | None, float | None, float | None] = (None, None, None)
    if (old > 0).all() and (new > 0).all():
        logs = over_replications(np.log(new / old))
        ratio = (float(np.exp(logs.mean)), float(np.exp(logs.low)), float(np.exp(logs.high)))
    return MeasureChange(
        rule,
        quantity,
        float(old.mean()),
        float(new.mean()),
        over_replications(new - old),
        *ratio,
        int((new < old).sum()),
    )
