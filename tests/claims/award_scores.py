"""Scores that an award has from the procurement model, by looking at every machine."""

from __future__ import annotations

import copy
import math
from collections.abc import Collection, Iterator

from planner.errors import PlanError
from planner.procurement.from_scenario import problem_from
from planner.procurement.outcome import GAP, Options
from planner.procurement.problem import Problem
from planner.procurement.procure import procure
from tests.claims.plan_truth import achieved, close
from tests.planner.award.by_hand import cost
from tests.planner.procurement import enumeration
from tests.planner.procurement.catalogues import Document, scenario
from tests.planner.procurement.enumeration import Machine
from tests.planner.procurement.offered import as_tables, offered_tender
from tests.planner.procurement.tenders import best_tender, purchases, tender

_PLENTY = 1e12
"""More money than any machine takes."""


def priced_tender(seed: int) -> Iterator[Document]:
    """A tender that can be planned and judged by price; every other one with figures."""
    raw = offered_tender(seed) if seed % 2 else tender(seed)
    for package in raw["packages"]:
        package.pop("group", None)
        package.setdefault("figures", [])
    try:
        problem_from(scenario(raw))
    except PlanError:
        return
    if all(cost(package) > 0 for package in raw["packages"]):
        yield raw


def award_score(raw: Document, names: Collection[str]) -> float:
    """Score of packages as quoted, where nothing but power and cooling limits them.

    Under static caps every node runs at its largest cap. A machine that cannot even idle has 0.
    """
    free = copy.deepcopy(_plain(raw))
    free["packages"] = [
        each | {"all_or_nothing": True} for each in free["packages"] if each["name"] in names
    ]
    packed = {line.get("name") for each in free["packages"] for line in each["lines"]}
    for node_type in free["node_types"]:
        if node_type["name"] not in packed:
            node_type |= {"minimum_quantity": 1, "maximum_quantity": 1, "sold_in": 1}
            node_type["discounts"] = []
    lots = dict.fromkeys(each["lot"] for each in free["packages"])
    free |= {"lots": [{"name": name, "optional": False} for name in lots]}
    free |= {"vendor_terms": [], "requirements": {}}
    for key in ("most_vendors", "most_node_types"):
        free["procurement"].pop(key, None)
    free["budget"] |= {"capital": _PLENTY}
    free["budget"].pop("operating_per_year", None)
    free.get("facility", {}).pop("racks", None)
    problem = problem_from(scenario(free))
    scores = [0.0]
    for machine, _ in purchases(free, problem):
        if _is_award(problem, machine) and all(enumeration._place(problem, machine)):
            ratings = range(len(problem.demand))
            thetas = [enumeration.theta(problem, machine, rating) for rating in ratings]
            scores.append(math.exp(enumeration._objective(problem, machine, thetas)))
    return max(scores)


def _is_award(problem: Problem, machine: Machine) -> bool:
    """Whether a machine has nodes of packages only, under static caps at the largest ones."""
    offers = [*enumerate(zip(problem.offers, machine.counts, strict=True))]
    if any(count and offer.package is None for _, (offer, count) in offers):
        return False
    largest = [max(m for m, mode in enumerate(problem.modes) if mode.offer == at)
               for at, _ in offers]  # fmt: skip
    return problem.regime != "static" or all(
        largest[at] in machine.modes[at] for at, (_, count) in offers if count
    )


def _plain(raw: Document) -> Document:
    """The tender with tables in place of figures of packages."""
    return as_tables(raw) if "use" in raw["procurement"] else raw


def is_best_score(raw: Document, score: float) -> bool:
    """Whether a score is that of the engine's plan, and of no worse one than the gap allows."""
    problem = problem_from(scenario(raw))
    plan = procure(scenario(raw), Options("highs")).plan
    plain = _plain(raw)
    best = best_tender(plain, problem_from(scenario(plain))).lower
    return (
        plan is not None
        and best is not None
        and close(score, achieved(problem, plan))
        and abs(math.log(score) - best) <= 2 * GAP
    )
