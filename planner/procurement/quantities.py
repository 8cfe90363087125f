"""How many nodes of each offer a plan could hold at most."""

from __future__ import annotations

import math

import numpy as np

from planner.decimals import decimal
from planner.procurement.dominance import dominated
from planner.procurement.layout import Layout
from planner.procurement.problem import UNLIMITED, Floats, Problem
from solvers.portable import order_of_ten, ten_to_the

MOST_NODES = 10**6
"""No program counts farther: beyond it, integers strain the solvers' tolerances."""


def most_nodes(problem: Problem, lay: Layout) -> list[int]:
    """Most nodes per offer that each limit alone allows."""
    limits, prices = problem.limits, problem.prices
    nodes = []
    for offer_index, offer in enumerate(problem.offers):
        counts = [offer.most, MOST_NODES]
        if limits.capital < UNLIMITED and offer.package is None:  # a package has rebates
            cheapest = min(decimal(tier.price) for tier in offer.tiers)
            outlay = cheapest * (1 + decimal(prices.installation))
            money = decimal(limits.capital) - decimal(prices.fixed_capital)
            counts.append(max(0, math.floor(money / outlay)))
        slots = np.flatnonzero(lay.slot_offer == offer_index)
        base = float(lay.base_w[slots].min())
        bound = limits.liquid_w if offer.cooling == "liquid" else limits.air_w
        remaining = min(limits.it_power_w - problem.fixed_w, bound)
        if remaining < UNLIMITED and base > 0:
            counts.append(math.floor(max(0.0, remaining) / base * (1 + 1e-12)))
        if limits.racks < UNLIMITED and offer.nodes_per_rack is not None:
            counts.append(int(limits.racks) * offer.nodes_per_rack)
        maximum = min(counts) // offer.sold_in * offer.sold_in
        nodes.append(maximum if maximum >= offer.least else 0)
    return nodes


def rating_units(problem: Problem, maximum: list[int]) -> Floats:
    """Unit in which programs count each rating, ``(ratings,)``: so that it is some 1,000.

    A thousandth of its size, as a power of ten, as if each workload had all nodes of its best
    offer to itself; 1 where some work cannot be done.
    """
    best = np.zeros((len(problem.offers), len(problem.workloads)))
    np.maximum.at(best, problem.mode_offer, problem.merit)
    reach = (best * np.array(maximum)[:, None]).max(axis=0, initial=0.0)
    units = []
    for demand in problem.demand:
        size = (reach[demand > 0] / demand[demand > 0]).min() / problem.reference_nodes
        units.append(ten_to_the(order_of_ten(size) - 3) if size > 0 else 1.0)
    return np.array(units)


def useful_nodes(problem: Problem, lay: Layout) -> list[int]:
    """Largest useful number of nodes per offer; 0 for an offer that another one can replace."""
    beaten = dominated(problem)
    return [
        0 if worse else maximum
        for maximum, worse in zip(most_nodes(problem, lay), beaten, strict=True)
    ]
