"""How people choose packages without a program: lot by lot, each package as it was quoted.

What is left of money, power and room is then filled with nodes on free sale.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.procurement.bill import bill
from planner.procurement.heuristics import BID, Counts, fits, ranking, refill, value_by_slot
from planner.procurement.layout import Layout
from planner.procurement.optimise import Optimiser
from planner.procurement.plan import Plan, offer_counts, renamed
from planner.procurement.problem import PackageOffer, Problem
from solvers.portable import product

NAMES = ("best package per lot", "packages per money", "cheapest package per lot")
"""In the order in which they are shown."""


def package_plans(optimiser: Optimiser) -> list[Plan]:
    """Every heuristic's plan, then what each vendor quoted."""
    problem, lay = optimiser.problem, optimiser.layout
    plans = [optimiser.evaluate(_chosen(problem, lay, name), name) for name in NAMES]
    return plans + [
        renamed(optimiser.evaluate(nodes, ""), BID + vendor)
        for vendor, nodes in quoted(problem, lay)
    ]


def quoted(problem: Problem, lay: Layout) -> Iterator[tuple[str, Counts]]:
    """What each vendor quoted: the first of its packages for each lot, and its other nodes.

    A vendor without a package for a lot that must be filled quoted no system.
    """
    required = {at for at, lot in enumerate(problem.lots) if not lot.optional}
    for vendor in sorted({offer.vendor for offer in problem.offers}):
        nodes, lots = [0] * lay.slots, set[int]()
        for offer in problem.packages:
            if offer.package.vendor == vendor and offer.lot not in lots:
                lots.add(offer.lot)
                nodes = with_package(problem, lay, nodes, offer)
        for index in problem.free_offers:
            if problem.offers[index].vendor == vendor and problem.offers[index].as_bid:
                nodes[lay.slot_of(index)] = problem.offers[index].as_bid
        if any(nodes) and required <= lots:
            yield vendor, nodes


def _chosen(problem: Problem, lay: Layout, name: str) -> Counts:
    """The best package of each lot in turn that fits with those before it; then free nodes."""
    nodes = [0] * lay.slots
    for lot in range(len(problem.lots)):
        mine = [offer for offer in problem.packages if offer.lot == lot]
        for offer in sorted(mine, key=lambda each: _worth(problem, lay, each, name)):
            trial = with_package(problem, lay, nodes, offer)
            if fits(problem, lay, trial):
                nodes = trial
                break
    free = set(problem.free_offers)
    order = [slot for slot in ranking(problem, lay, "money") if int(lay.slot_offer[slot]) in free]
    return refill(problem, lay, nodes, order)


def _worth(problem: Problem, lay: Layout, offer: PackageOffer, name: str) -> tuple[float, float]:
    """What sorts packages, the best first; of equal ones the cheapest."""
    alone = with_package(problem, lay, [0] * lay.slots, offer)
    money = bill(problem, offer_counts(problem, lay, alone)).hardware
    work = float(product(value_by_slot(problem, lay), np.array(alone, dtype=np.float64)))
    if name == "best package per lot":
        return -work, money
    if name == "packages per money":
        return -work / max(money, 1.0), money
    return money, -work


def with_package(problem: Problem, lay: Layout, nodes: Counts, offer: PackageOffer) -> Counts:
    """The machine with a package as it was quoted; under static caps at the largest cap."""
    more = list(nodes)
    more[lay.slot_of(offer.carrier)] = 1
    lines = {line.name: line for line in offer.package.node_lines}
    for index in offer.nodes:
        more[lay.slot_of(index)] = int(lines[problem.offers[index].name].quantity)
    return more
