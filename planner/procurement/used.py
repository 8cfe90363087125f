"""How far a plan uses the limits of its site: what binds, what is passed, what is overspent."""

from __future__ import annotations

import math
from dataclasses import dataclass

from planner.procurement.bill import operating_per_year
from planner.procurement.plan import Plan
from planner.procurement.problem import RESOURCES, UNLIMITED, Limits, Problem

_ROUNDING = 1e-6
"""Share of a limit by which an allocation in floating point may exceed it."""


def used(plan: Plan) -> dict[str, float]:
    """How much of each resource a plan takes, in the order of the resources."""
    amounts = {
        "it_power_w": plan.it_power_w,
        "liquid_w": plan.liquid_w,
        "air_w": plan.air_w,
        "capital": plan.bill.capital,
        "operating": plan.operating,
        "racks": float(sum(plan.bill.racks)),
    }
    return {name: amounts[name] for name in RESOURCES}


def beyond(plan: Plan, limits: Limits) -> tuple[str, ...]:
    """Resources of which a plan takes more than there is."""
    return tuple(
        name
        for name, value in used(plan).items()
        if value > getattr(limits, name) * (1 + _ROUNDING)
    )


def binding(problem: Problem, plan: Plan) -> tuple[str, ...]:
    """Limits that bind: what is left of them is less than one more node of any bought type takes.

    For power, that is what the node draws before it works; for racks, it is one rack.
    """
    names = []
    for name, value in used(plan).items():
        limit = getattr(problem.limits, name)
        remaining = limit - value
        if limit < UNLIMITED and remaining <= max(
            _ROUNDING * limit, _one_more(problem, plan, name)
        ):
            names.append(name)
    return tuple(names)


def _one_more(problem: Problem, plan: Plan, resource: str) -> float:
    """The least of a resource that one more node of a bought type takes; a hair less."""
    prices, takes = problem.prices, []
    price = prices.binding_energy_price
    for purchase in plan.purchases:
        offer = problem.offers[purchase.offer]
        cooled = resource in ("it_power_w", f"{offer.cooling}_w")
        takes.append(
            {
                "capital": purchase.unit_price * (1 + prices.installation),
                "operating": purchase.unit_price * prices.maintenance
                + offer.idle_w * prices.energy_per_w(price),
                "racks": 1.0,
            }.get(resource, offer.idle_w if cooled else math.inf)
        )
    return min((take for take in takes if take < math.inf), default=0.0) * (1 - _ROUNDING)


@dataclass(frozen=True)
class Overspent:
    """How likely the operating budget is not enough, and the most that a year then costs.

    Attributes
    ----------
    probability
        Probability of the energy prices at which a year costs more than the budget.
    highest, price
        Cost of a year at the highest of them, and that price of a kWh.
    """

    probability: float
    highest: float
    price: float


def overspent(problem: Problem, plan: Plan) -> Overspent | None:
    """Whether some price of energy breaks the operating budget that holds in expectation."""
    budget = problem.limits.operating
    costs = [
        (operating_per_year(problem, plan.bill.hardware, plan.mean_it_w, price), price, chance)
        for price, chance in problem.prices.energy_prices
    ]
    over = [cost for cost in costs if cost[0] > budget * (1 + _ROUNDING)]
    if not over:
        return None
    highest, price, _ = max(over)
    return Overspent(math.fsum(chance for _, _, chance in over), highest, price)
