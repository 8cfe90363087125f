"""What may be bought, as columns and rows: nodes in price tiers, racks, switches and cables."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from planner.procurement.columns import Columns, Indices, Terms, summed
from planner.procurement.layout import Layout
from planner.procurement.problem import Problem
from solvers import MilpBuilder


class Begun(Protocol):
    """A program that purchases are added to, as far as they need it.

    Attributes
    ----------
    problem, layout
        The problem, and its slots.
    columns, build
        Positions of its variables, and its columns and rows.
    most
        Largest useful number of nodes of each offer.
    """

    problem: Problem
    layout: Layout
    columns: Columns
    build: MilpBuilder
    most: list[int]

    def row(self, label: str, terms: Terms, *, lower: float = ..., upper: float = ...) -> None:
        """Add one constraint by its name."""

    def column(
        self,
        label: str,
        *,
        cost: float = ...,
        lower: float = ...,
        upper: float = ...,
        integer: bool = ...,
    ) -> int:
        """Add one variable by its name."""
        ...


def add_nodes(program: Begun) -> None:
    """Nodes per slot, price tiers, and which types are bought."""
    problem, lay, cols = program.problem, program.layout, program.columns
    maximum = np.array(program.most, dtype=np.float64)
    cols.nodes = program.build.add_columns(
        lay.slots, upper=maximum[lay.slot_offer], integer=True, label="nodes"
    )
    buys = []
    for offer_index, offer in enumerate(problem.offers):
        slots = np.flatnonzero(lay.slot_offer == offer_index)
        count: Terms = [(int(cols.nodes[k]), 1.0) for k in slots]
        buys.append(
            program.column(
                f"buys_{offer_index}", upper=float(maximum[offer_index] > 0), integer=True
            )
        )
        program.row(
            f"if_bought_{offer_index}", [*count, (buys[-1], -maximum[offer_index])], upper=0.0
        )
        cols.offer_nodes.append(count)
        cols.offer_money.append(_tiers(program, offer_index, count, buys[-1]))
        bound = offer.least > 1 or offer.package is not None
        if bound and maximum[offer_index] > 0:
            minimum = (buys[-1], -float(offer.least))
            program.row(f"least_order_{offer_index}", [*count, minimum], lower=0.0)
        if offer.sold_in > 1 and maximum[offer_index] > 0:
            lots = program.column(
                f"multiples_{offer_index}",
                upper=maximum[offer_index] // offer.sold_in,
                integer=True,
            )
            program.row(
                f"sold_in_{offer_index}",
                [*count, (lots, -float(offer.sold_in))],
                lower=0.0,
                upper=0.0,
            )
        if len(slots) > 1:
            _one_cap(program, offer_index, slots, buys[-1], maximum[offer_index])
    cols.buys = np.array(buys, dtype=np.int64)


def _tiers(program: Begun, offer_index: int, count: Terms, buys: int) -> Terms:
    """Money for one type's nodes."""
    tiers = [
        t for t in program.problem.offers[offer_index].tiers if t.first <= program.most[offer_index]
    ]
    if len(tiers) <= 1:
        price = tiers[0].price if tiers else 0.0
        return [(column, price / program.problem.money_unit) for column, _ in count]
    money: Terms = []
    total: Terms = [(column, -value) for column, value in count]
    chosen: Terms = [(buys, -1.0)]
    for t, tier in enumerate(tiers):
        last = float(min(tier.last, program.most[offer_index]))
        bought = program.column(f"bought_{offer_index}_{t}", upper=last, integer=True)
        inside = program.column(f"in_tier_{offer_index}_{t}", upper=1.0, integer=True)
        first = (inside, -float(tier.first))
        program.row(f"first_{offer_index}_{t}", [(bought, 1.0), first], lower=0.0)
        program.row(f"last_{offer_index}_{t}", [(bought, 1.0), (inside, -last)], upper=0.0)
        money.append((bought, tier.price / program.problem.money_unit))
        total.append((bought, 1.0))
        chosen.append((inside, 1.0))
    program.row(f"all_tiers_{offer_index}", total, lower=0.0, upper=0.0)
    program.row(f"one_tier_{offer_index}", chosen, lower=0.0, upper=0.0)
    return money


def _one_cap(program: Begun, offer_index: int, slots: Indices, buys: int, maximum: float) -> None:
    cap = program.build.add_columns(len(slots), upper=1.0, integer=True, label=f"cap_{offer_index}")
    for slot, first in zip(slots, cap, strict=True):
        nodes = int(program.columns.nodes[slot])
        program.row(f"capped_{slot}", [(nodes, 1.0), (int(first), -maximum)], upper=0.0)
    only = [*((int(first), 1.0) for first in cap), (buys, -1.0)]
    program.row(f"one_cap_{offer_index}", only, upper=0.0)


def add_racks(program: Begun) -> None:
    """Racks, switches and cables; money goes into ``hardware``, power into ``fabric_power``."""
    problem, cols = program.problem, program.columns
    cols.hardware = [term for index in problem.free_offers for term in cols.offer_money[index]]
    spaces: Terms = list(cols.package_racks)
    for offer_index, offer in enumerate(problem.offers):
        if offer.nodes_per_rack is None or program.most[offer_index] == 0:
            continue
        maximum = math.ceil(program.most[offer_index] / offer.nodes_per_rack)
        racks = program.column(f"racks_{offer_index}", upper=float(maximum), integer=True)
        cols.racks[offer_index] = racks
        fit = float(offer.nodes_per_rack)
        program.row(
            f"in_racks_{offer_index}", [*cols.offer_nodes[offer_index], (racks, -fit)], upper=0.0
        )
        spaces.append((racks, 1.0))
        cols.hardware.append((racks, problem.prices.rack / program.problem.money_unit))
    if "racks" in cols.limit:
        places = summed([*spaces, (cols.limit["racks"], -1.0)])
        program.row("rack_places", places, upper=0.0)
    _add_switches(program)


def _add_switches(program: Begun) -> None:
    network, cols = program.problem.network, program.columns
    if network is None:
        return
    ports: Terms = [
        (column, float(offer.ports))
        for offer, count in zip(program.problem.offers, cols.offer_nodes, strict=True)
        for column, _ in count
        if offer.ports
    ]
    all_ports = sum(o.ports * m for o, m in zip(program.problem.offers, program.most, strict=True))
    maximum = min(math.ceil(all_ports / network.leaf_node_ports), network.spine_ports)
    leaves = program.column("leaves", upper=float(maximum), integer=True)
    several = program.column("several", upper=float(maximum > 1), integer=True)
    uplinks = program.column("uplinks", upper=float(maximum * network.leaf_uplinks))
    most_spines = float(math.ceil(maximum * network.leaf_uplinks / network.spine_ports))
    spines = program.column("spines", upper=most_spines, integer=True)
    up = float(network.leaf_uplinks)
    program.row("ports", [*ports, (leaves, -float(network.leaf_node_ports))], upper=0.0)
    program.row("one_leaf", [(leaves, 1.0), (several, -float(maximum - 1))], upper=1.0)
    program.row("wired", [(uplinks, 1.0), (leaves, -up), (several, -up)], lower=-up)
    program.row("spine_ports", [(spines, float(network.spine_ports)), (uplinks, -1.0)], lower=0.0)
    cols.hardware += [
        (leaves, network.leaf_price / program.problem.money_unit),
        (spines, network.spine_price / program.problem.money_unit),
        (uplinks, network.uplink_cable_price / program.problem.money_unit),
    ]
    cols.hardware += [
        (c, n * network.node_cable_price / program.problem.money_unit) for c, n in ports
    ]
    cols.fabric_power += [
        (leaves, network.leaf_w / program.problem.power_unit),
        (spines, network.spine_w / program.problem.power_unit),
    ]
