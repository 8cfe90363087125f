"""The score of the procurement model for the nodes of packages alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.errors import InputError
from scenarios.package_bill import package_bill

if TYPE_CHECKING:
    from scenarios.model.scenario import Scenario
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
    import numpy as np

    from planner.procurement.layout import layout
    from planner.procurement.plan import complete
    from planner.procurement.procure import asked_problem
    from planner.procurement.rating import Pool, Rater

    problem, _ = asked_problem(scenario)
    lay = layout(problem)
    rater = Rater(problem, lay, Pool())
    offers = {offer.name: at for at, offer in enumerate(problem.offers)}
    found = []
    for name, packages in machines:
        counts = Counter[str]()
        for package in packages:
            for each in package_bill(package).lines:
                if each.line.kind == "node":
                    counts[each.line.name or ""] += each.quantity
        nodes = [0] * lay.slots
        for node_type, count in counts.items():
            if node_type not in offers:
                raise InputError(
                    f"{name} has nodes of {node_type!r}, which the model excludes; see "
                    f"headroom check {scenario.name}"
                )
            nodes[int(np.flatnonzero(lay.slot_offer == offers[node_type])[-1])] = count
        score = complete(problem, lay, rater, nodes, name).score
        found.append(Fraction(round(score * 10**_DECIMALS), 10**_DECIMALS))
    return found
