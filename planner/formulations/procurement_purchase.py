"""What is bought, as algebra: nodes in price tiers, racks, switches, money and rules of counts.

A part of :mod:`planner.formulations.procurement`, whose docstring holds the mathematics. Money and
power are in the problem's units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from planner.errors import PlanError
from planner.formulations.procurement_packages import Packages, keep_share, packages
from planner.procurement.problem import UNLIMITED, Problem

if TYPE_CHECKING:
    import pulp

MOST_NODES = 10**6
"""Nodes of one type beyond which a limit is taken to be missing."""
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Purchase:
    """What is bought, as sums of variables.

    Attributes
    ----------
    nodes, buys, spend
        Per offer: nodes, whether any are bought, and money for them.
    hardware
        Money for nodes, racks, switches and cables on free sale.
    fabric
        Power of the switches and of the lines of packages.
    packages
        What packages cost once and in every year.
    """

    nodes: tuple[pulp.LpAffineExpression, ...]
    buys: tuple[pulp.LpAffineExpression, ...]
    spend: tuple[pulp.LpAffineExpression, ...]
    hardware: pulp.LpAffineExpression
    fabric: pulp.LpAffineExpression
    packages: Packages


def most_nodes(problem: Problem) -> list[int]:
    """Nodes of each offer that its stock, money, power and racks allow each by itself.

    Raises
    ------
    PlanError
        Nothing limits the nodes of an offer.
    """
    limits, prices, result = problem.limits, problem.prices, []
    for offer_index, offer in enumerate(problem.offers):
        capped_w = [mode.node_w for mode in problem.modes if mode.offer == offer_index]
        base_w = {"worst-case": offer.peak_w, "static": min(capped_w)}.get(
            problem.regime, offer.idle_w
        )
        room_w = limits.liquid_w if offer.cooling == "liquid" else limits.air_w
        price = min(tier.price for tier in offer.tiers) * (1 + prices.installation)
        counts = [
            float(offer.most),
            (limits.capital - prices.fixed_capital) / price
            if price and offer.package is None  # a package has rebates
            else UNLIMITED,
            min(limits.it_power_w - problem.fixed_w, room_w) / base_w if base_w else UNLIMITED,
            limits.racks * offer.nodes_per_rack if offer.nodes_per_rack else UNLIMITED,
        ]
        maximum = min(counts) * (1 + _ROUNDING)
        if maximum > MOST_NODES:
            raise PlanError(
                f"the reference formulation needs a node limit for {offer.name}, as "
                f"{MOST_NODES:,} or more are possible; give a maximum_quantity"
            )
        result.append(max(0, math.floor(maximum)))
    return result


def purchase(model: pulp.LpProblem, problem: Problem) -> Purchase:
    """Add nodes, racks and switches with their money."""
    import pulp

    nodes, buys, spend, racks = [], [], [], []
    for o, (offer, maximum) in enumerate(zip(problem.offers, most_nodes(problem), strict=True)):
        tiers = [tier for tier in offer.tiers if tier.first <= maximum]
        bought = [
            model.add_variable(f"bought_{o}_{t}", 0, min(tier.last, maximum), "Integer")
            for t, tier in enumerate(tiers)
        ]
        inside = [model.add_variable(f"tier_{o}_{t}", cat="Binary") for t in range(len(tiers))]
        for t, tier in enumerate(tiers):
            model += bought[t] >= tier.first * inside[t], f"first_{o}_{t}"
            model += bought[t] <= min(tier.last, maximum) * inside[t], f"last_{o}_{t}"
        model += pulp.lpSum(inside) <= 1, f"one_tier_{o}"
        if offer.sold_in > 1:
            lots = model.add_variable(f"multiple_{o}", 0, maximum // offer.sold_in, "Integer")
            model += pulp.lpSum(bought) == offer.sold_in * lots, f"sold_in_{o}"
        nodes.append(pulp.lpSum(bought))
        buys.append(pulp.lpSum(inside))
        spend.append(pulp.lpDot([tier.price / problem.money_unit for tier in tiers], bought))
        if (fit := offer.nodes_per_rack) is not None:
            racks.append(model.add_variable(f"racks_{o}", 0, math.ceil(maximum / fit), "Integer"))
            model += nodes[o] <= fit * racks[-1], f"in_racks_{o}"
    bundled = packages(model, problem, nodes, buys)
    if problem.limits.racks < UNLIMITED:
        model += pulp.lpSum(racks) + bundled.racks <= problem.limits.racks, "rack_places"
    switches, fabric = _switches(model, problem, nodes)
    rack_price = problem.prices.rack / problem.money_unit
    free = [spend[o] for o in problem.free_offers]
    hardware = pulp.lpSum([*free, rack_price * pulp.lpSum(racks), switches])
    power = fabric + bundled.power
    return Purchase(tuple(nodes), tuple(buys), tuple(spend), hardware, power, bundled)


def _switches(
    model: pulp.LpProblem, problem: Problem, nodes: list[pulp.LpAffineExpression]
) -> tuple[pulp.LpAffineExpression, pulp.LpAffineExpression]:
    """Add a two-level tree; return the money of switches and cables, and their power."""
    import pulp

    network = problem.network
    if network is None:
        return pulp.lpSum([]), pulp.lpSum([])
    ports = pulp.lpDot([offer.ports for offer in problem.offers], nodes)
    leaves = model.add_variable("leaves", 0, network.spine_ports, "Integer")
    several = model.add_variable("several", cat="Binary")
    uplinks = model.add_variable("uplinks", 0)
    spines = model.add_variable("spines", 0, network.leaf_uplinks, "Integer")
    model += ports <= network.leaf_node_ports * leaves, "ports"
    model += leaves <= 1 + (network.spine_ports - 1) * several, "one_leaf"
    model += uplinks >= network.leaf_uplinks * (leaves + several - 1), "wired"
    model += uplinks <= network.spine_ports * spines, "spine_ports"
    money = network.leaf_price * leaves + network.spine_price * spines
    money += network.node_cable_price * ports + network.uplink_cable_price * uplinks
    watts = network.leaf_w * leaves + network.spine_w * spines
    return money / problem.money_unit, watts / problem.power_unit


def keep_rules(model: pulp.LpProblem, problem: Problem, bought: Purchase) -> None:
    """Add what counts and money alone decide: capital, least sizes, shares, policies."""
    import pulp

    prices, limits, offers = problem.prices, problem.limits, problem.offers
    if limits.capital < UNLIMITED:
        remaining = (limits.capital - prices.fixed_capital) / problem.money_unit
        spent = (1 + prices.installation) * bought.hardware + bought.packages.capital
        model += spent <= remaining, "capital"
    types = [o for o, offer in enumerate(offers) if not offer.carrier]
    every = pulp.lpSum(bought.nodes[o] for o in types)
    model += every >= problem.least_nodes, "least_nodes"
    memory = pulp.lpDot([offer.memory_gb for offer in offers], bought.nodes)
    model += memory >= problem.least_memory_gb, "least_memory"
    for i, share in enumerate(problem.shares):
        parts = {o: bought.nodes[o] for o in types}
        if share.of == "spend":
            parts = {o: offers[o].quoted * bought.spend[o] for o in types}
        keep_share(model, problem, share, parts, f"{i}")
    if problem.most_node_types is not None:
        buys = pulp.lpSum(bought.buys[o] for o in types)
        model += buys <= problem.most_node_types, "node_types"
    if problem.most_vendors is not None:
        vendors = sorted({offer.vendor for offer in offers})
        chosen = {v: model.add_variable(f"from_{i}", cat="Binary") for i, v in enumerate(vendors)}
        for o, offer in enumerate(offers):
            model += bought.buys[o] <= chosen[offer.vendor], f"vendor_{o}"
        model += pulp.lpSum(chosen.values()) <= problem.most_vendors, "vendors"
