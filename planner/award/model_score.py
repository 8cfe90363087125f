"""The score of the procurement model for packages alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.errors import InputError
from scenarios.model.procurement import Requirements
from scenarios.model.scenario import Budget, Scenario
from scenarios.package_bill import package_bill

if TYPE_CHECKING:
    from scenarios.model.tender import Package

_DECIMALS = 6
"""Decimals of a score; a program that is solved in doubles leaves further ones in doubt."""


def package_scores(scenario: Scenario, packages: Sequence[Package]) -> Mapping[str, Fraction]:
    """Return the score of each package by its name, with six decimals.

    Raises
    ------
    InputError
        The scenario has no procurement, or a node type that the model excludes.
    """
    scores = _scores(scenario, [(each.name, [each]) for each in packages])
    return dict(zip((each.name for each in packages), scores, strict=True))


def joint_score(scenario: Scenario, packages: Sequence[Package]) -> Fraction:
    """Return the score of several packages as one machine.

    Raises
    ------
    InputError
        As :func:`package_scores`.
    """
    return _scores(scenario, [("the award", packages)])[0]


def _scores(
    scenario: Scenario, machines: Sequence[tuple[str, Sequence[Package]]]
) -> list[Fraction]:
    if scenario.procurement is None:
        raise InputError(
            f"{scenario.name}: value_from = 'performance' needs the model; add [procurement], "
            "[[workloads]] and [reference]"
        )
    from planner.procurement.as_sold import as_sold
    from planner.procurement.bill import bill
    from planner.procurement.from_scenario import problem_from
    from planner.procurement.layout import layout
    from planner.procurement.plan import complete, offer_counts
    from planner.procurement.rating import Pool, Rater

    sold = as_sold(scenario)
    of_name = {package.name: package for package in sold.packages}
    problem = problem_from(_without_terms(sold))
    lay = layout(problem)
    offers = {offer.name: at for at, offer in enumerate(problem.offers)}
    carriers = {each.package.name: each.carrier for each in problem.packages}
    found = []
    with closing(Rater(problem, lay, Pool())) as rater:
        for name, packages in machines:
            nodes = [0] * lay.slots
            for node_type, count in _nodes([of_name[package.name] for package in packages]).items():
                if node_type not in offers:
                    raise InputError(
                        f"{name} has nodes of {node_type!r}, which the model excludes; see "
                        f"headroom check {scenario.name}"
                    )
                nodes[lay.slot_of(offers[node_type])] = count
            for package in packages:
                nodes[lay.slot_of(carriers[package.name])] = 1
            leaves = bill(problem, offer_counts(problem, lay, nodes)).fabric.leaves
            connected = problem.network is None or leaves <= problem.network.spine_ports
            score = complete(problem, lay, rater, nodes, name).score if connected else 0.0
            found.append(Fraction(round(score * 10**_DECIMALS), 10**_DECIMALS))
    return found


def _nodes(packages: Sequence[Package]) -> Counter[str]:
    """Nodes of each type."""
    counts = Counter[str]()
    for package in packages:
        for each in package_bill(package).lines:
            if each.line.kind == "node":
                counts[each.line.name or ""] += each.quantity
    return counts


def _without_terms(scenario: Scenario) -> Scenario:
    """The packages as sold, for what they can do, not cost.

    Days, money and requirements exclude nothing then. The power bound and the ports of switches
    hold: what cannot idle or be connected has score 0.
    """
    node_types = tuple(
        each.model_copy(update={"valid_until": None}) for each in scenario.node_types
    )
    budget = scenario.budget or Budget()
    return scenario.model_copy(
        update={
            "node_types": node_types, "vendor_terms": (), "requirements": Requirements(),
            "budget": budget.model_copy(update={"capital": None, "operating_per_year": None}),
        }
    )  # fmt: skip
