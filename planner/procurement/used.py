"""How far a plan uses the limits of its site: what binds, what is passed, what is overspent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.procurement.bill import bill, operating_per_year
from planner.procurement.layout import layout
from planner.procurement.marginal_value import MarginalValue, raising
from planner.procurement.plan import Plan, offer_counts
from planner.procurement.problem import RESOURCES, UNLIMITED, Limits, Problem

_ROUNDING = 1e-6
"""Share of a limit by which an allocation in floating point may exceed it."""
_EXACT = 1e-9
"""Share of a limit that is rounding of a sum."""


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


def left(value: float, limit: float) -> float:
    """What is left of a limit; 0 where the rest is rounding."""
    rest = limit - value
    return rest if abs(rest) > _EXACT * limit else 0.0


def beyond(plan: Plan, limits: Limits) -> tuple[str, ...]:
    """Resources of which a plan takes more than there is."""
    return tuple(
        name
        for name, value in used(plan).items()
        if value > getattr(limits, name) * (1 + _ROUNDING)
    )


def binding(problem: Problem, plan: Plan, effects: Sequence[MarginalValue] = ()) -> tuple[str, ...]:
    """Limits that bind: no other node of a bought type fits, or a little more raises the score.

    The node is still for sale. It counts with the power that the regime charges for it, its rack,
    cables and switches.

    Parameters
    ----------
    effects
        Marginal values. A limit whose smallest rise certainly raises the best score binds, even
        if another node fits.
    """
    next_nodes = _next_nodes(problem, plan)
    wanted = raising(effects)
    return tuple(
        name
        for name, value in used(plan).items()
        if (limit := getattr(problem.limits, name)) < UNLIMITED
        and (name in wanted or _tight(name, limit, limit - value, next_nodes))
    )


def _tight(name: str, limit: float, remaining: float, next_nodes: list[dict[str, float]]) -> bool:
    """Whether no next node fits into what is left of a limit, of those that take any of it."""
    takes = [node[name] for node in next_nodes if name in node]
    if takes and remaining < min(takes) * (1 - _ROUNDING):
        return True
    # racks come whole: a full site may still have room in its last rack
    return name != "racks" and remaining <= _ROUNDING * limit


def _next_nodes(problem: Problem, plan: Plan) -> list[dict[str, float]]:
    """What one more node of each bought slot adds, by resource; of those still for sale."""
    lay, prices = layout(problem), problem.prices
    counts = offer_counts(problem, lay, plan.nodes)
    nodes = []
    for slot in np.flatnonzero(plan.nodes):
        index = int(lay.slot_offer[slot])
        offer = problem.offers[index]
        if counts[index] == offer.most:
            continue
        step = offer.sold_in
        more = [count + step * (i == index) for i, count in enumerate(counts)]
        paid = bill(problem, more)
        switches_w = paid.fabric_w - plan.bill.fabric_w
        yearly = paid.maintenance - plan.bill.maintenance
        energy = (step * offer.idle_w + switches_w) * prices.energy_per_w(
            prices.binding_energy_price
        )
        node_w = step * float(lay.base_w[slot])
        nodes.append(
            {
                "it_power_w": node_w + switches_w,
                f"{offer.cooling}_w": node_w,
                "capital": paid.capital - plan.bill.capital,
                "operating": yearly + energy,
                "racks": float(sum(paid.racks) - sum(plan.bill.racks)),
            }
        )
    return nodes


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
        (operating_per_year(problem, plan.bill, plan.mean_it_w, price), price, chance)
        for price, chance in problem.prices.energy_prices
    ]
    over = [cost for cost in costs if cost[0] > budget * (1 + _ROUNDING)]
    if not over:
        return None
    highest, price, _ = max(over)
    return Overspent(math.fsum(chance for _, _, chance in over), highest, price)


def peak_w(problem: Problem, plan: Plan) -> float:
    """IT power [W] with every node at its peak."""
    nodes_w = math.fsum(problem.offers[lot.offer].peak_w * lot.nodes for lot in plan.purchases)
    return problem.fixed_w + plan.bill.fabric_w + nodes_w
