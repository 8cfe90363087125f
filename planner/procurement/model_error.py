"""Whether the plan stays the best purchase where the modelled performance of a node type is off.

Every combination of packages within all rules keeps its nodes and is rated again: once with more
and once with less performance of one node type in all workloads that a roofline models. Node types
with the same figures share their error.
"""

from __future__ import annotations

import math
from bisect import bisect_left
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
"""Largest error of modelled performance, as a fraction: assumed."""
_STEPS = (*(step / 1e4 for step in range(1, 10)), *(step / 1e3 for step in range(1, 100)), ERROR)
"""Errors that are tried, as they are printed: each has its own digits."""


@dataclass(frozen=True)
class Misjudged:
    """The least error with which another combination scores more, or a requirement is missed.

    Attributes
    ----------
    offer
        Index of the first of the node types with this error.
    change
        Error of their performance, as a fraction. With the next smaller one tried the plan is best.
    best
        The combination that then scores most; ``None`` where the plan misses a requirement.
    """

    offer: int
    change: float
    best: Combination | None


def misjudged(
    problem: Problem, scenario: Scenario, every: Sequence[Combination]
) -> tuple[Misjudged, ...] | None:
    """The least errors with which the plan is not the best; ``None`` where there is none to try.

    Those of :data:`ERROR` are tried, and where the plan is not the best, smaller ones by halving.
    """
    names = {w.name for w in scenario.workloads if isinstance(w.performance, Roofline)}
    sound = [each for each in every if each.allowed]
    if not names or len(sound) < 2:
        return None
    found = []
    for offers in _alike(problem, scenario):
        for sign in (-1, 1):

            def best(
                step: float, offers: list[int] = offers, sign: int = sign
            ) -> Combination | None:
                factors = np.ones(len(problem.offers))
                factors[offers] += sign * step
                return _best(rerated(problem, factors, names), sound)

            if _loses(best(ERROR)):
                last = len(_STEPS) - 1
                at = bisect_left(_STEPS, 1, hi=last, key=lambda step: _loses(best(step)))
                found.append(Misjudged(offers[0], sign * _STEPS[at], best(_STEPS[at])))
    return tuple(found)


def _loses(best: Combination | None) -> bool:
    return best is None or not best.is_plan


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
