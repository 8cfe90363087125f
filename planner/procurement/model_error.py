"""Whether the plan stays the best purchase where the modelled performance of a node type is off.

Every combination of packages within all rules keeps its nodes and is rated again: once with more
and once with less performance of one node type in all workloads that a roofline models. Node types
with the same figures share their error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.procurement.combinations import Combination
from planner.procurement.layout import layout
from planner.procurement.plan import complete, meets_mandates
from planner.procurement.problem import Problem
from planner.procurement.rating import Pool, Rater
from scenarios.model.procurement import Roofline
from scenarios.model.scenario import Scenario

ERROR = 0.1
"""Error of modelled performance, as a fraction: assumed."""


@dataclass(frozen=True)
class Misjudged:
    """An error with which another combination scores more than the plan.

    Attributes
    ----------
    offer
        Index of the first of the node types with this error.
    change
        Error of their performance, as a fraction.
    best
        The combination that then scores most.
    """

    offer: int
    change: float
    best: Combination


def misjudged(
    problem: Problem, scenario: Scenario, every: Sequence[Combination]
) -> tuple[Misjudged, ...] | None:
    """Every error that changes which combination is best; ``None`` where there is none to try."""
    names = {w.name for w in scenario.workloads if isinstance(w.performance, Roofline)}
    sound = [each for each in every if each.allowed]
    if not names or len(sound) < 2:
        return None
    found = []
    for offers in _alike(problem, scenario):
        for change in (-ERROR, ERROR):
            best = _best(_off(problem, names, offers, 1 + change), sound)
            if not best.is_plan:
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


def _off(problem: Problem, names: set[str], offers: list[int], factor: float) -> Problem:
    """The problem with other performance of some node types in the workloads of these names."""
    mine = np.isin(problem.mode_offer, offers)
    modelled = np.array([name in names for name in problem.workloads], dtype=bool)
    merit = np.where(np.outer(mine, modelled), problem.merit * factor, problem.merit)
    capabilities = tuple(
        replace(run, partitions=tuple(
            replace(each, time_s=each.time_s / factor) if mine[each.mode] else each
            for each in run.partitions
        )) if run.name in names else run
        for run in problem.capabilities
    )  # fmt: skip
    return replace(problem, merit=merit, capabilities=capabilities)


def _best(problem: Problem, every: Sequence[Combination]) -> Combination:
    """The combination of the best score; the first, which is the plan, where several have it."""
    lay = layout(problem)
    rater = Rater(problem, lay, Pool())
    scores = []
    for each in every:
        plan = complete(problem, lay, rater, each.plan.nodes, "combination")
        scores.append(plan.objective if meets_mandates(problem, plan) else -math.inf)
    rater.close()
    return every[scores.index(max(scores))]
