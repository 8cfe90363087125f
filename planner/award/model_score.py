"""The score of the procurement model for the nodes of packages alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
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
    """Return the score of the nodes of several packages as one machine.

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
    from planner.procurement.from_scenario import problem_from
    from planner.procurement.layout import layout
    from planner.procurement.offered import per_node
    from planner.procurement.plan import complete
    from planner.procurement.rating import Pool, Rater

    sold = as_sold(scenario)
    of_name = {package.name: package for package in sold.packages}
    problem = problem_from(_without_terms(sold), offered=per_node(sold))
    lay = layout(problem)
    rater = Rater(problem, lay, Pool())
    offers = {offer.name: at for at, offer in enumerate(problem.offers)}
    found = []
    for name, packages in machines:
        nodes = [0] * lay.slots
        for node_type, count in _nodes([of_name[package.name] for package in packages]).items():
            if node_type not in offers:
                raise InputError(
                    f"{name} has nodes of {node_type!r}, which the model excludes; see "
                    f"headroom check {scenario.name}"
                )
            nodes[lay.slot_of(offers[node_type])] = count
        score = complete(problem, lay, rater, nodes, name).score
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
    """The scenario with the node types of packages on free sale: for what they can do, not cost.

    Days, quantities, money and requirements exclude nothing then; the power bound holds.
    """
    quoted = _nodes(scenario.packages)
    node_types = tuple(
        each.model_copy(
            update={
                "price": each.price or 1.0, "vendor": each.vendor or "of a package",
                "minimum_quantity": 1, "maximum_quantity": None, "valid_until": None,
                "as_bid_quantity": 0, "discounts": (),
            }
        )
        if each.name in quoted
        else each
        for each in scenario.node_types
    )  # fmt: skip
    budget = scenario.budget or Budget()
    return scenario.model_copy(
        update={
            "node_types": node_types, "packages": (), "lots": (), "vendor_terms": (),
            "requirements": Requirements(),
            "budget": budget.model_copy(update={"capital": None, "operating_per_year": None}),
        }
    )  # fmt: skip
