"""One log under several sharing rules: measures, bills by policy, and users who gain or lose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.sharing_nodes.queues.bills import (
    Bills,
    PerformanceEstimate,
    Reference,
    bills,
    oracle,
    state_of_practice,
)
from planner.sharing_nodes.queues.engine import schedule
from planner.sharing_nodes.queues.measures import NodeWatts, SharedMeasures, measure
from planner.sharing_nodes.queues.meetings import meetings_of
from planner.sharing_nodes.queues.performance import Combination
from planner.sharing_nodes.queues.problem import Floats, SharedProblem, SharedSchedule
from planner.sharing_nodes.queues.rules import WHOLE, SharingRule
from planner.sharing_nodes.queues.speeds import PPM
from planner.sharing_nodes.queues.users import Sides, UserTable, sides, user_table

Mask = NDArray[np.bool_]

ORACLE = "oracle"


@dataclass(frozen=True, eq=False)
class RuleOutcome:
    """Schedule, measures and bills of a log under a rule.

    Attributes
    ----------
    rule
        Its name.
    schedule, measures, seconds
        Schedule, its measures, and how long the loop took [s].
    bills
        By policy.
    floors_broken
        Measured jobs open to a partner that ran slower than their floor allows, in truth.
    """

    rule: str
    schedule: SharedSchedule
    measures: SharedMeasures
    bills: Mapping[str, Bills]
    seconds: float
    floors_broken: int = 0


@dataclass(frozen=True)
class RulePriceRow:
    """Bills of the measured jobs by a pricing policy under a rule.

    Attributes
    ----------
    revenue_su, revenue_ratio
        Sum of the prices [SU], and that over the baseline's.
    mean_discount, largest_discount
        Mean and largest discount of jobs open to a partner, which got half of at least one node: 1
        less price over that of the state of practice.
    mean_error, largest_error
        Mean and largest error of the prices of the same jobs: price over the oracle's, less 1, as
        an absolute value.
    bias
        The same with its sign: above 0 the users pay more than under the oracle.
    """

    rule: str
    policy: str
    reference: Reference
    revenue_su: float
    revenue_ratio: float
    mean_discount: float
    largest_discount: float
    mean_error: float
    largest_error: float
    bias: float


@dataclass(frozen=True, eq=False)
class QueueComparison:
    """A log under a baseline and other rules.

    Attributes
    ----------
    problem
        The log and the cluster.
    measured
        Jobs that count; shape ``(jobs,)``.
    reference
        Which run performances are against.
    outcomes
        By rule; the first is the baseline.
    prices
        By rule and policy, the baseline left out.
    users, sides
        By rule, the baseline left out; and how many users gain and lose, by policy.
    """

    problem: SharedProblem
    measured: Mask
    reference: Reference
    outcomes: tuple[RuleOutcome, ...]
    prices: tuple[RulePriceRow, ...]
    users: Mapping[str, UserTable]
    sides: Mapping[str, tuple[Sides, ...]]

    @property
    def baseline(self) -> RuleOutcome:
        """The outcome that the others are compared with."""
        return self.outcomes[0]


def compare(
    problem: SharedProblem,
    rules: Sequence[SharingRule],
    estimates: Sequence[PerformanceEstimate] = (),
    *,
    measured: Mask | None = None,
    reference: Reference = "whole nodes",
    combination: Combination = "slowest at each time",
    watts: NodeWatts | None = None,
    seed: int = 0,
) -> QueueComparison:
    """Run the log under the baseline and each rule, and price its jobs by each policy.

    Parameters
    ----------
    rules
        Compared with whole nodes, which need not be among them.
    estimates
        Policies next to the state of practice and the oracle.
    measured
        Jobs that count; by default all.

    Raises
    ------
    InputError
        Two rules or two policies have one name.
    """
    every = [WHOLE, *(rule for rule in rules if rule is not WHOLE)]
    policies = [state_of_practice(problem.speeds), *estimates, oracle(problem.speeds)]
    for kind, names in (
        ("rules", [item.name for item in every]),
        ("policies", [item.name for item in policies]),
    ):
        if len(set(names)) < len(names):
            raise InputError(f"two {kind} have one name ({', '.join(names)}); give each its own")
    counted = np.ones(len(problem.jobs), np.bool_) if measured is None else measured
    outcomes = tuple(
        _outcome(problem, rule, policies, counted, reference, combination, watts, seed)
        for rule in every
    )
    first, *others = outcomes
    before = first.measures, first.bills["state of practice"]
    users = {
        item.rule: user_table(problem.jobs, before, (item.measures, item.bills)) for item in others
    }
    return QueueComparison(
        problem,
        counted,
        reference,
        outcomes,
        tuple(row for item in others for row in _price_rows(item, first, counted, reference)),
        users,
        {
            rule: tuple(sides(table, policy) for policy in table.after_su)
            for rule, table in users.items()
        },
    )


def _outcome(
    problem: SharedProblem,
    rule: SharingRule,
    policies: Sequence[PerformanceEstimate],
    measured: Mask,
    reference: Reference,
    combination: Combination,
    watts: NodeWatts | None,
    seed: int,
) -> RuleOutcome:
    run = schedule(problem, rule)
    meetings = meetings_of(run.schedule)
    priced = {
        policy.name: bills(
            run.schedule,
            problem,
            meetings,
            policy,
            reference=reference,
            combination=combination,
            seed=seed,
        )
        for policy in policies
    }
    measures = measure(run.schedule, problem, meetings, watts=watts, measured=measured)
    broken = int((measured & below_floor(run.schedule, problem, rule)).sum())
    return RuleOutcome(rule.name, run.schedule, measures, priced, run.seconds, broken)


def below_floor(schedule: SharedSchedule, problem: SharedProblem, rule: SharingRule) -> Mask:
    """Jobs open to a partner whose time alone on whole nodes, over that of their run, is too low.

    These are below their floor. A run that ends within the millisecond in which its floor would
    be met is not.
    """
    run_ms = schedule.end_ms - schedule.start_ms - 1
    floor = rule.floor_of(problem.jobs.user) - 1 / PPM
    below: Mask = schedule.shared & (floor * run_ms > problem.jobs.run_ms)
    return below


def _price_rows(
    outcome: RuleOutcome, baseline: RuleOutcome, measured: Mask, reference: Reference
) -> list[RulePriceRow]:
    before = float(baseline.bills["state of practice"].price_su[measured].sum())
    practice = outcome.bills["state of practice"].price_su
    true = outcome.bills[ORACLE].price_su
    shared = outcome.schedule.shared & measured & (true > 0)
    rows = []
    for policy, bill in outcome.bills.items():
        revenue = float(bill.price_su[measured].sum())
        discount = 1 - bill.price_su[shared] / practice[shared]
        error = bill.price_su[shared] / true[shared] - 1
        rows.append(
            RulePriceRow(
                outcome.rule,
                policy,
                reference,
                revenue,
                revenue / before if before else float("nan"),
                _mean(discount),
                float(discount.max(initial=0.0)),
                _mean(np.abs(error)),
                float(np.abs(error).max(initial=0.0)),
                _mean(error),
            )
        )
    return rows


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0
