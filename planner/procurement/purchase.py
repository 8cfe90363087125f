"""What may be bought, as columns and rows: nodes in price tiers, racks, switches and cables."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from planner.procurement.columns import Columns, Indices, Terms
from planner.procurement.layout import Layout
from planner.procurement.problem import Problem
from solvers import MilpBuilder


class Begun(Protocol):
    """A program that purchases are added to, as far as they need it.

    Attributes
    ----------
    problem, layout
        What is decided, and its slots.
    columns, build
        Where its variables stand, and its columns and rows.
    most
        Nodes of each offer that can be of use.
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
    most = np.array(program.most, dtype=np.float64)
    cols.nodes = program.build.add_columns(
        lay.slots, upper=most[lay.slot_offer], integer=True, label="nodes"
    )
    buys = []
    for place, offer in enumerate(problem.offers):
        slots = np.flatnonzero(lay.slot_offer == place)
        count: Terms = [(int(cols.nodes[k]), 1.0) for k in slots]
        buys.append(program.column(f"buys_{place}", upper=float(most[place] > 0), integer=True))
        program.row(f"if_bought_{place}", [*count, (buys[-1], -most[place])], upper=0.0)
        cols.offer_nodes.append(count)
        cols.offer_money.append(_tiers(program, place, count, buys[-1]))
        if offer.least > 1 and most[place] > 0:
            least = (buys[-1], -float(offer.least))
            program.row(f"least_order_{place}", [*count, least], lower=0.0)
        if len(slots) > 1:
            _one_cap(program, place, slots, buys[-1], most[place])
    cols.buys = np.array(buys, dtype=np.int64)


def _tiers(program: Begun, place: int, count: Terms, buys: int) -> Terms:
    """Money for one type's nodes."""
    tiers = [t for t in program.problem.offers[place].tiers if t.first <= program.most[place]]
    if len(tiers) <= 1:
        price = tiers[0].price if tiers else 0.0
        return [(column, price / program.problem.money_unit) for column, _ in count]
    money: Terms = []
    total: Terms = [(column, -value) for column, value in count]
    chosen: Terms = [(buys, -1.0)]
    for t, tier in enumerate(tiers):
        last = float(min(tier.last, program.most[place]))
        bought = program.column(f"bought_{place}_{t}", upper=last, integer=True)
        inside = program.column(f"in_tier_{place}_{t}", upper=1.0, integer=True)
        first = (inside, -float(tier.first))
        program.row(f"first_{place}_{t}", [(bought, 1.0), first], lower=0.0)
        program.row(f"last_{place}_{t}", [(bought, 1.0), (inside, -last)], upper=0.0)
        money.append((bought, tier.price / program.problem.money_unit))
        total.append((bought, 1.0))
        chosen.append((inside, 1.0))
    program.row(f"all_tiers_{place}", total, lower=0.0, upper=0.0)
    program.row(f"one_tier_{place}", chosen, lower=0.0, upper=0.0)
    return money


def _one_cap(program: Begun, place: int, slots: Indices, buys: int, most: float) -> None:
    cap = program.build.add_columns(len(slots), upper=1.0, integer=True, label=f"cap_{place}")
    for slot, one in zip(slots, cap, strict=True):
        nodes = int(program.columns.nodes[slot])
        program.row(f"capped_{slot}", [(nodes, 1.0), (int(one), -most)], upper=0.0)
    only = [*((int(one), 1.0) for one in cap), (buys, -1.0)]
    program.row(f"one_cap_{place}", only, upper=0.0)


def add_racks(program: Begun) -> None:
    """Racks, switches and cables; money goes into ``hardware``, power into ``fabric_power``."""
    problem, cols = program.problem, program.columns
    cols.hardware = [term for money in cols.offer_money for term in money]
    places: Terms = []
    for place, offer in enumerate(problem.offers):
        if offer.nodes_per_rack is None or program.most[place] == 0:
            continue
        most = math.ceil(program.most[place] / offer.nodes_per_rack)
        racks = program.column(f"racks_{place}", upper=float(most), integer=True)
        cols.racks[place] = racks
        fit = float(offer.nodes_per_rack)
        program.row(f"in_racks_{place}", [*cols.offer_nodes[place], (racks, -fit)], upper=0.0)
        places.append((racks, 1.0))
        cols.hardware.append((racks, problem.prices.rack / program.problem.money_unit))
    if "racks" in cols.limit:
        program.row("rack_places", [*places, (cols.limit["racks"], -1.0)], upper=0.0)
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
    most = min(math.ceil(all_ports / network.leaf_node_ports), network.spine_ports)
    leaves = program.column("leaves", upper=float(most), integer=True)
    several = program.column("several", upper=float(most > 1), integer=True)
    uplinks = program.column("uplinks", upper=float(most * network.leaf_uplinks))
    most_spines = float(math.ceil(most * network.leaf_uplinks / network.spine_ports))
    spines = program.column("spines", upper=most_spines, integer=True)
    up = float(network.leaf_uplinks)
    program.row("ports", [*ports, (leaves, -float(network.leaf_node_ports))], upper=0.0)
    program.row("one_leaf", [(leaves, 1.0), (several, -float(most - 1))], upper=1.0)
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
    cols.fabric_power = [
        (leaves, network.leaf_w / program.problem.power_unit),
        (spines, network.spine_w / program.problem.power_unit),
    ]
