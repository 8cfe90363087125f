"""Why shared nodes change a day of jobs, what else could be run, and what the figures rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from planner.formatting import durations, percent, plural, spanned
from planner.sharing_nodes.queues.comparison import QueueComparison, RuleOutcome
from planner.sharing_nodes.queues.replications import REVENUE, MeasureChange, QueueReplications
from planner.sharing_nodes.queues.users import Sides, sides_of
from planner.worded_study import Explanation
from scenarios.job_logs.job_log import MISSING

_OURS = "Headroom"
_TODAY = "state of practice"
_UNCHANGED = 0.0005
"""Relative change that prints as 0.0 %."""
FEW_MAPPINGS = 5
"""Mappings below which intervals are very wide: Student's t is then above 2.8."""


class PricedDay(Protocol):
    """The parts of a study that explain its headline."""

    @property
    def comparison(self) -> QueueComparison:
        """The day under each rule, with the first mapping of users to applications."""
        ...

    @property
    def replications(self) -> QueueReplications | None:
        """The same over several mappings."""
        ...

    @property
    def best(self) -> RuleOutcome:
        """The rule with shared nodes and the shortest mean turnaround."""
        ...


def explanation_of(study: PricedDay) -> Explanation:
    """Return what the first page adds to the headline."""
    few = study.replications is not None and len(study.replications.seeds) < FEW_MAPPINGS
    return Explanation(
        reasons=tuple(_reasons(study)),
        robustness=tuple(_robustness(study)),
        assumptions=("Users and jobs behave as before: prices do not change what they submit.",),
        next_steps=(
            *(("Repeat this with about 20 mappings: intervals get narrower.",) if few else ()),
            "Record the application of each job in your accounting, and price that log.",
            "Repeat the comparison with a whole month before you allow shared nodes.",
        ),
    )


def _reasons(study: PricedDay) -> Iterator[str]:
    best, day = study.best.rule, f"On the day{first_mapping(study)}"
    yield from _times(study)
    yield f"{node_use(study).text}."
    for row in study.comparison.prices:
        if row.rule == best and row.policy == _OURS:
            yield (
                f"{day}, Headroom's prices earn {percent(row.revenue_ratio, places=1)} of the "
                "revenue on whole nodes; they differ from fair prices by "
                f"{percent(row.mean_error, places=1)} on average."
            )
    noun, payers = payers_of(study.comparison, best)
    yield (
        f"{day}, {payers.pays_less:,} of {plural(payers.count, noun)} "
        f"{'pays' if payers.pays_less == 1 else 'pay'} less than on whole nodes, and "
        f"{payers.pays_more:,} {'pays' if payers.pays_more == 1 else 'pay'} more. "
        f"Results come sooner for {plural(payers.sooner, noun)}, and later for {payers.later:,}."
    )


def first_mapping(study: PricedDay) -> str:
    """Return which mapping the prices of the day belong to, if there are several."""
    return "" if study.replications is None else " (first mapping)"


def _times(study: PricedDay) -> Iterator[str]:
    """Turnaround over all mappings, as in the first figure."""
    if study.replications is None:
        return
    ours, today = turnarounds(study)
    yield f"Jobs have a mean turnaround of {ours} instead of {today}, over all mappings."


def turnarounds(study: PricedDay) -> tuple[str, str]:
    """Return mean turnaround with shared and with whole nodes, in the unit of all rules."""
    rows = means_by_rule(study)
    by_rule = {row["rule"]: row["measures"]["mean_turnaround_s"] for row in rows}
    today = study.comparison.baseline.rule
    ours, base, *_ = durations(by_rule[study.best.rule], by_rule[today], *by_rule.values())
    return ours, base


def means_by_rule(study: PricedDay) -> tuple[Mapping[str, Any], ...]:
    """Return the measures of each rule: means over all mappings, or those of the only one."""
    several, outcomes = study.replications, study.comparison.outcomes
    if several is None:
        return tuple(
            {"rule": outcome.rule,
             "measures": {name: getattr(outcome.measures, name) for name in MEANS}}
            for outcome in outcomes
        )  # fmt: skip
    base, *others = (outcome.rule for outcome in outcomes)
    baseline = {name: several.change(others[0], name).before for name in MEANS}
    rows = [
        {"rule": rule, "measures": {name: several.change(rule, name).after for name in MEANS}}
        for rule in others
    ]
    return ({"rule": base, "measures": baseline}, *rows)


MEANS = ("partnered_jobs", "mean_wait_s", "mean_turnaround_s", "node_hours", "throughput",
         "energy_kwh", "makespan_s")  # fmt: skip
"""Measures of the first page."""


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

    @property
    def text(self) -> str:
        """Both causes in words, each with its share of the change."""
        jobs = (
            "jobs take as many core-hours as on whole nodes"
            if abs(self.core_hours) < _UNCHANGED
            else f"jobs take {percent(abs(self.core_hours), places=1)} "
            f"{'fewer' if self.core_hours < 0 else 'more'} core-hours"
        )
        if self.added < _UNCHANGED:
            return f"Halves of nodes in use are hardly ever empty; {jobs}"
        return (
            f"Empty halves add {percent(self.added, places=1)} to node-hours: nodes have one "
            f"for {percent(self.empty)} of the time in use; {jobs}"
        )


def node_use(study: PricedDay) -> NodeUse:
    """Return why node-hours differ, over all mappings and jobs.

    A node counts as in use while any job is on it. So the node-hours in use are the core-hours of
    the jobs, divided by the cores of a node, and half of the node-hours with one empty half.
    """
    cores = study.comparison.problem.cores_per_node
    if study.replications is None:
        base, best = study.comparison.baseline, study.best
        before, after = base.measures.node_hours, best.measures.node_hours
        old, new = (float(one.bills[_TODAY].price_su.sum()) for one in (base, best))
    else:
        hours = study.replications.change(study.best.rule, "node_hours")
        jobs = study.replications.change(study.best.rule, f"{REVENUE}{_TODAY}")
        before, after, old, new = hours.before, hours.after, jobs.before, jobs.after
    halves = max(after - new / cores, 0.0)
    return NodeUse(2 * halves / after, halves / before, new / old - 1)


def payers_of(comparison: QueueComparison, rule: str) -> tuple[str, Sides]:
    """Return who gains and loses at Headroom's prices under a rule: users or jobs, and how many.

    They are jobs where the log names fewer than two users.
    """
    if int((comparison.users[rule].user != MISSING).sum()) > 1:
        (ours,) = (row for row in comparison.sides[rule] if row.policy == _OURS)
        return "user", ours
    base = comparison.baseline
    (best,) = (outcome for outcome in comparison.outcomes if outcome.rule == rule)
    ran = comparison.measured & base.schedule.runs & best.schedule.runs
    bills_su = base.bills[_TODAY].price_su[ran], best.bills[_OURS].price_su[ran]
    times_s = base.measures.turnaround_s[ran], best.measures.turnaround_s[ran]
    return "job", sides_of(_OURS, bills_su, times_s)


def interval_text(change: MeasureChange) -> str:
    """Return the 95 % interval of a change, and whether it may be chance; empty if not known."""
    if change.low is None or change.high is None:
        return ""
    low, high = (percent(each - 1, signed=True) for each in (change.low, change.high))
    chance = ", so this may be chance" if change.may_be_chance else ""
    return f"; the 95 % interval of the change is {spanned(low, high)}{chance}"


def _robustness(study: PricedDay) -> Iterator[str]:
    if study.replications is None:
        return
    change = study.replications.change(study.best.rule, "mean_turnaround_s")
    seeds = len(study.replications.seeds)
    yield (
        f"Mean turnaround is shorter than on whole nodes in {change.lower_in:,} of "
        f"{plural(seeds, 'mapping')}{interval_text(change)}."
    )
    if seeds < FEW_MAPPINGS:
        yield f"Intervals from {seeds} mappings are very wide."
