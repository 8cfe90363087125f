"""Which rule keeps a quote out of the best plan: found by solving again without each rule.

A rule decides about a quote if, without it, a plan that buys the quote scores more than any plan
without the quote can, and clearly more than the best plan does under the rule. So every best plan
then buys the quote; both scores come from a plan in hand and from a proven bound. Quotes that this
one can replace in every plan are left out of such plans too.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from planner.procurement.checker import violations
from planner.procurement.groups import Group
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Outcome
from planner.procurement.problem import Problem
from planner.procurement.quantities import MOST_NODES, most_nodes
from planner.procurement.relaxations import relaxations
from planner.procurement.replaced import replacing
from planner.procurement.rules import PARTITION, QUANTITIES, STOCK, TIME, groups
from scenarios.model.scenario import Scenario
from solvers import Status

_LEAST_GAIN = 5e-4
"""A rule that costs less of log S decides nothing; a linear relaxation then mostly says so."""

_CONTINUOUS = ("limit:", "requirement:", "share:")
"""Rules without integers of their own, whose effect a linear relaxation shows."""

Quotes = Mapping[int, Collection[int]]
"""Quotes to be explained, each with those that it replaces in every plan."""


@dataclass(frozen=True)
class Deciding:
    """A requirement, limit or policy without which every best plan buys some quotes.

    Attributes
    ----------
    rule
        Its name, as in :mod:`planner.procurement.rules`.
    quotes
        Names of the quotes.
    score
        Score of a plan that buys them, without the rule.
    """

    rule: str
    quotes: tuple[str, ...]
    score: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self) | {"quotes": list(self.quotes)}


def deciding(
    optimiser: Optimiser, base: Outcome, quotes: Quotes, scenario: Scenario
) -> tuple[Deciding, ...]:
    """Every rule that decides about one of the quotes; none where the best plan is not certain."""
    if not quotes or base.objective is None or base.status is not Status.OPTIMAL:
        return ()
    relaxed = optimiser.relaxed_bound()
    return tuple(
        found
        for group in _asked(optimiser.problem, scenario)
        if (found := _without(optimiser, base.objective, relaxed, group, quotes)) is not None
    )


def _asked(problem: Problem, scenario: Scenario) -> Iterator[Group]:
    """The rules to be given up; of single runs only the longest time, so that all stay rated."""
    for group in groups(problem):
        if group.name == QUANTITIES:
            yield Group(QUANTITIES, lambda p: _any_quantity(p, scenario))
        elif group.name != STOCK and not group.name.startswith(PARTITION):
            yield group
    for index, capability in enumerate(problem.capabilities):
        if capability.largest_time_s < math.inf:
            yield Group(
                f"{TIME}{capability.name}",
                lambda p, index=index: _unhurried(p, index),  # type: ignore[misc]
            )


def _any_quantity(problem: Problem, scenario: Scenario) -> Problem:
    """Every quote from one node on, at the price that it states for so few."""
    for relaxation in relaxations(problem, scenario):
        if relaxation.rule == QUANTITIES:
            problem = relaxation.at(problem, relaxation.values[-1])
    return problem


def _unhurried(problem: Problem, index: int) -> Problem:
    capabilities = list(problem.capabilities)
    capabilities[index] = replace(capabilities[index], largest_time_s=math.inf)
    return replace(problem, capabilities=tuple(capabilities))


def _without(
    optimiser: Optimiser, objective: float, relaxed: float | None, group: Group, quotes: Quotes
) -> Deciding | None:
    problem = group.relaxed(optimiser.problem)
    options = replace(optimiser.options, gap=max(optimiser.options.gap, _LEAST_GAIN))
    trial = Optimiser(problem, options, optimiser.pool, optimiser.ledger)
    try:
        if relaxed is not None and group.name.startswith(_CONTINUOUS):
            # Most rules do not bind: then their price is 0 in the relaxation, too.
            free = trial.relaxed_bound()
            if free is not None and free < relaxed + _LEAST_GAIN:
                return None
        return _bought(trial, objective + _LEAST_GAIN, group.name, quotes)
    finally:
        trial.close()


def _bought(trial: Optimiser, enough: float, rule: str, quotes: Quotes) -> Deciding | None:
    """The quotes that every best plan buys which scores enough."""
    problem, maximum = trial.problem, most_nodes(trial.problem, trial.layout)
    if max(maximum) >= MOST_NODES:  # nothing else limits the machine
        return None
    outcome = trial.solve(stop=lambda _, bound: bound is not None and bound < enough)
    if outcome.plan is None or outcome.objective is None or outcome.objective < enough:
        return None
    if violations(problem, outcome.plan):
        return None
    bought = {purchase.offer for purchase in outcome.plan.purchases}
    every = replacing(problem, trial.layout)
    names = tuple(
        problem.offers[index].name
        for index, replaced in sorted(quotes.items())
        if bought & {index, *replaced}
        and all(every.replaces(index, other) for other in replaced)
        and _needed(trial, outcome.objective, {index, *replaced}, maximum)
    )
    return Deciding(rule, names, outcome.plan.score) if names else None


def _needed(
    trial: Optimiser, objective: float, without: Collection[int], maximum: list[int]
) -> bool:
    """Whether no plan without some quotes reaches an objective."""
    most = [0 if offer in without else count for offer, count in enumerate(maximum)]
    other = trial.solve(
        most=most,
        stop=lambda value, bound: (
            (value is not None and value >= objective) or (bound is not None and bound < objective)
        ),
    )
    if other.plan is None and other.status is Status.INFEASIBLE:
        return True
    return other.bound is not None and other.bound < objective
