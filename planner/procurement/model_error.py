"""Whether the plan stays the best purchase where the modelled performance of a node type is off.

Every combination of packages within all rules keeps its nodes and is rated again: once with more
and once with less performance of one node type in all workloads that a roofline models. Node types
with the same figures share their error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from planner.procurement.combinations import Combination
from planner.procurement.layout import layout
from planner.procurement.plan import Plan, complete, meets_mandates
from planner.procurement.problem import Problem
from planner.procurement.rating import Pool, Rater
from planner.procurement.varied import rerated
from scenarios.model.procurement import Roofline
from scenarios.model.scenario import Scenario

ERROR = 0.1
"""Error of modelled performance, as a fraction: assumed."""


@dataclass(frozen=True)
class Misjudged:
    """An error with which another combination scores more, or the plan misses a requirement.

    Attributes
    ----------
    offer
        Index of the first of the node types with this error.
    change
        Error of their performance, as a fraction.
    best
        The combination that then scores most; ``None`` where the plan misses a requirement.
    """

    offer: int
    change: float
    best: Combination | None


def misjudged(
    problem: Problem, scenario: Scenario, every: Sequence[Combination]
) -> tuple[Misjudged, ...] | None:
    """Every error with which the plan is not the best; ``None`` where there is none to try."""
    names = {w.name for w in scenario.workloads if isinstance(w.performance, Roofline)}
    sound = [each for each in every if each.allowed]
    if not names or len(sound) < 2:
        return None
    found = []
    for offers in _alike(problem, scenario):
        for change in (-ERROR, ERROR):
            factors = np.ones(len(problem.offers))
            factors[offers] += change
            best = _best(rerated(problem, factors, names), sound)
            if best is None or not best.is_plan:
                found.append(Misjudged(offers[0], change, best))
    return tuple(found)


def _alike(problem: Problem, scenario: Scenario) -> Iterator[list[int]]:
    """Node types on offer, those of the same figures together."""
    groups: dict[object, list[int]] = {}
    for index, offer in enumerate(problem.offers):
        if not offer.carrier:
            node = scenario.node_type(offer.name)
            figures = node.kind, node.compute_rate, node.bandwidth_gb_s, node.efficiency
            groups.setdefault((*figures, node.idle_w, node.peak_w), []).append(index)
    yield from groups.values()


def _best(problem: Problem, every: Sequence[Combination]) -> Combination | None:
    """The first of the best score; ``None`` where the plan, which is first, misses work or time."""
    lay = layout(problem)
    with closing(Rater(problem, lay, Pool())) as rater:
        plans = [complete(problem, lay, rater, each.plan.nodes, "combination") for each in every]
    if not _meets(problem, plans[0]):
        return None
    scores = [plan.objective if _meets(problem, plan) else -math.inf for plan in plans]
    return every[scores.index(max(scores))]


def _meets(problem: Problem, plan: Plan) -> bool:
    """Whether all mandatory work is done, and every timed run ends in time."""
    return meets_mandates(problem, plan) and None not in plan.partitions
