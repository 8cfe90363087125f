"""What a number of nodes costs: racks, switches, cables, installation, and every year after."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from planner.procurement.problem import Problem


@dataclass(frozen=True)
class Fabric:
    """Switches and cables of a two-level fat tree."""

    leaves: int = 0
    spines: int = 0
    node_cables: int = 0
    uplinks: int = 0


@dataclass(frozen=True)
class Line:
    """One line of the bill of materials."""

    item: str
    vendor: str
    quantity: int
    unit_price: float

    @property
    def amount(self) -> float:
        """Quantity times unit price."""
        return self.quantity * self.unit_price


@dataclass(frozen=True)
class Bill:
    """Bill of materials.

    Attributes
    ----------
    lines
        Nodes, racks, switches, cables.
    racks
        Racks per offer.
    fabric_w
        Power of all switches, in watts.
    hardware, capital
        Sum of the lines; the same with installation and fixed outlay.
    """

    lines: tuple[Line, ...]
    racks: tuple[int, ...]
    fabric: Fabric
    fabric_w: float
    hardware: float
    capital: float


def every_line(problem: Problem, bill_: Bill) -> tuple[Line, ...]:
    """The lines of a bill, then installation and fixed outlay: together they sum to the capital."""
    prices = problem.prices
    further = (
        ("installation", bill_.hardware * prices.installation),
        ("fixed outlay", prices.fixed_capital),
    )
    return (*bill_.lines, *(Line(item, "", 1, amount) for item, amount in further if amount))


def racks_for(problem: Problem, offer: int, nodes: int) -> int:
    """Racks for ``nodes`` nodes of one type; 0 where racks are not counted."""
    fit = problem.offers[offer].nodes_per_rack
    return 0 if fit is None else math.ceil(nodes / fit)


def fabric_for(problem: Problem, ports: int) -> Fabric:
    """Fewest switches for ``ports`` node ports; a single leaf needs no spine."""
    network = problem.network
    if network is None or ports == 0:
        return Fabric()
    leaves = math.ceil(ports / network.leaf_node_ports)
    uplinks = leaves * network.leaf_uplinks if leaves > 1 else 0
    return Fabric(leaves, math.ceil(uplinks / network.spine_ports), ports, uplinks)


def bill(problem: Problem, nodes: Sequence[int]) -> Bill:
    """Bill for a purchase, given as the number of nodes of each offer.

    Raises
    ------
    PlanError
        A quantity is not on offer.
    """
    offers, prices, network = problem.offers, problem.prices, problem.network
    lines = [
        Line(offer.title, offer.vendor, count, offer.price(count))
        for offer, count in zip(offers, nodes, strict=True)
        if count
    ]
    racks = tuple(racks_for(problem, offer_index, count) for offer_index, count in enumerate(nodes))
    fabric = fabric_for(problem, sum(o.ports * n for o, n in zip(offers, nodes, strict=True)))
    parts = [("rack", sum(racks), prices.rack)]
    fabric_w = 0.0
    if network is not None:
        fabric_w = fabric.leaves * network.leaf_w + fabric.spines * network.spine_w
        parts += [
            ("leaf switch", fabric.leaves, network.leaf_price),
            ("spine switch", fabric.spines, network.spine_price),
            ("node cable", fabric.node_cables, network.node_cable_price),
            ("uplink cable", fabric.uplinks, network.uplink_cable_price),
        ]
    lines += [Line(item, "", count, price) for item, count, price in parts if count and price]
    hardware = math.fsum(line.amount for line in lines)
    capital = hardware * (1 + prices.installation) + prices.fixed_capital
    return Bill(tuple(lines), racks, fabric, fabric_w, hardware, capital)


def operating_per_year(problem: Problem, hardware: float, mean_it_w: float, price: float) -> float:
    """Maintenance, staff and energy of one year at one energy price."""
    prices = problem.prices
    return hardware * prices.maintenance + prices.staff + mean_it_w * prices.energy_per_w(price)


def total_cost(problem: Problem, bill_: Bill, mean_it_w: float) -> float:
    """Total cost of ownership: capital, and the present value of every year of operation."""
    prices = problem.prices
    year = operating_per_year(problem, bill_.hardware, mean_it_w, prices.expected_energy_price)
    return bill_.capital + prices.annuity * year
