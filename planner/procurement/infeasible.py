"""Why there is no plan, and the least that would make one.

Constraints are grouped by what a board can talk about: each resource, each requirement, each
policy, each rule that excludes quotes. An *irreducible set* is found by a deletion filter: a group
leaves if the rest still clashes; what remains clashes as a whole, and no part of it does.

What would make a plan: a *repair* raises resources, all else hard, by the least amount
(:mod:`planner.procurement.repairs`); a *way* lets rules give way by the least step
(:mod:`planner.procurement.giving_way`), several of them where no single one suffices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from planner.procurement.columns import Goal
from planner.procurement.from_scenario import problem_from
from planner.procurement.giving_way import Way, combined_way, single_ways
from planner.procurement.groups import Group
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Outcome
from planner.procurement.problem import EXPIRED, LATE, NODE_MEMORY, UNSTATED
from planner.procurement.quantities import most_nodes
from planner.procurement.relaxations import relaxations
from planner.procurement.repairs import Repair, resource_repairs
from planner.procurement.rules import groups, is_rule
from planner.procurement.task import Extend
from scenarios.model.scenario import Scenario
from solvers import Status

USEFUL = 1.0
"""Score of a machine worth having: the reference's."""

_EXCLUSIONS = (EXPIRED, LATE, NODE_MEMORY)
_MORE, _ROOM = 100.0, 10**4
"""Nodes that are tried first, of those that the limits allow; a program with more is harder."""


@dataclass(frozen=True)
class Diagnosis:
    """Why there is no plan, and what would make one.

    Attributes
    ----------
    clashing
        Names of an irreducible set of rules.
    repairs
        Growth of resources that makes a plan.
    hopeless
        Resources of which no amount alone makes a plan.
    unpriced
        Where no single resource suffices: resources without a price, so that no pair was tried
        with them.
    impossible
        Requirements that no machine meets, even without limits and other rules.
    useful
        Growth of resources for a machine as good as the reference, if the machines of ``repairs``
        are worse.
    ways
        Rules that make a plan by giving way; several together where nothing single does.
    removable
        Where there are no ways: rules of the clashing set without each of which a plan was found.
    """

    clashing: tuple[str, ...]
    repairs: tuple[Repair, ...]
    hopeless: tuple[str, ...]
    unpriced: tuple[str, ...] = ()
    impossible: tuple[str, ...] = ()
    useful: tuple[Repair, ...] = ()
    ways: tuple[Way, ...] = ()
    removable: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        for name in ("clashing", "hopeless", "unpriced", "impossible", "removable"):
            plain[name] = list(getattr(self, name))
        for name in ("repairs", "useful", "ways"):
            plain[name] = [record.to_dict() for record in getattr(self, name)]
        return plain


def diagnose(
    optimiser: Optimiser, unit_prices: Mapping[str, float], scenario: Scenario | None = None
) -> Diagnosis:
    """Explain an infeasible problem.

    Parameters
    ----------
    unit_prices
        Price of one watt, one rack, one unit of money, by resource; for several resources.
    scenario
        From which the problem was made: then excluded quotes, stocks and least quantities count.
    """
    whole = _with_excluded(optimiser, scenario)
    clash = clashing(whole)
    repairs = resource_repairs(optimiser, unit_prices)
    useful: tuple[Repair, ...] = ()
    if repairs.found and all(repair.plan.score < USEFUL for repair in repairs.found):
        useful = resource_repairs(optimiser, unit_prices, floor=0.0).found
    choice = relaxations(whole.problem, scenario)
    ways = single_ways(whole, choice, clash)
    if not (repairs.found or ways):
        combined = combined_way(whole, choice, unit_prices)
        ways = () if combined is None else (combined,)
    given_up = [group for group in groups(whole.problem) if group.name in clash]
    return Diagnosis(
        clash,
        repairs.found,
        repairs.hopeless,
        repairs.unpriced,
        impossible(whole),
        useful,
        ways,
        () if ways else tuple(
            group.name for group in given_up if is_rule(group.name) and allows(whole, [group])
        ),
    )  # fmt: skip


def _with_excluded(optimiser: Optimiser, scenario: Scenario | None) -> Optimiser:
    """An optimiser of the problem in which excluded quotes stay among the offers, unsold."""
    problem = optimiser.problem
    if scenario is None or all(UNSTATED in exclusion.rules for exclusion in problem.excluded):
        return optimiser
    if any(offer.barred for offer in problem.offers):
        return optimiser
    barred = problem_from(scenario, barred=True)
    return Optimiser(barred, optimiser.options, optimiser.pool, optimiser.ledger)


def impossible(optimiser: Optimiser) -> tuple[str, ...]:
    """Requirements that no machine meets, if all resources and all other rules are given up."""
    every = groups(optimiser.problem)
    required_groups = [
        rule_group
        for rule_group in every
        if rule_group.name.startswith(("requirement", "share"))
        and rule_group.name not in _EXCLUSIONS
    ]
    return tuple(
        group.name
        for group in required_groups
        if not feasible(optimiser, [other for other in every if other is not group])
    )


def clashing(optimiser: Optimiser) -> tuple[str, ...]:
    """An irreducible set of clashing constraints, by deletion."""
    every = groups(optimiser.problem)
    every.sort(key=lambda group: group.name.startswith("limit"))  # requirements are removed first
    clashing_groups = list(every)
    for group in every:
        trial = [rule_group for rule_group in clashing_groups if rule_group is not group]
        removed = [rule_group for rule_group in every if rule_group not in trial]
        if not feasible(optimiser, removed):
            clashing_groups = trial
    return tuple(group.name for group in clashing_groups)


def feasible(optimiser: Optimiser, removed: Sequence[Group]) -> bool:
    """Whether there may be a plan without some constraints."""
    return _without(optimiser, removed).status is not Status.INFEASIBLE


def allows(optimiser: Optimiser, removed: Sequence[Group], extend: Extend | None = None) -> bool:
    """Whether a plan is found without some constraints, and with a question's own rows."""
    return _without(optimiser, removed, extend).plan is not None


def _without(
    optimiser: Optimiser, removed: Sequence[Group], extend: Extend | None = None
) -> Outcome:
    """Any plan without some constraints, of few nodes, or else of as many as are counted."""
    problem = optimiser.problem
    for group in removed:
        problem = group.relaxed(problem)
    trial = Optimiser(problem, optimiser.options, optimiser.pool, optimiser.ledger)
    most = most_nodes(problem, trial.layout)
    before = most_nodes(optimiser.problem, trial.layout)
    few = [min(n, round(count * _MORE) + _ROOM) for n, count in zip(most, before, strict=True)]
    outcome = trial.solve(Goal.GIVEN, most=few, method="any", extend=extend)
    if outcome.status is Status.INFEASIBLE and few != most:
        outcome = trial.solve(Goal.GIVEN, most=most, method="any", extend=extend)
    trial.close()
    return outcome
