"""The cost of nodes when racks and switches are bought whole (thesis 4.3 and 4.4.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from planner.decimals import decimal
from scenarios.model.scenario import Scenario

RACK_COUNTS = (1, 2, 4, 10, 50, 100)


@dataclass(frozen=True)
class RackPrices:
    """Prices of two node types and of the racks that hold them.

    Attributes
    ----------
    nodes_per_rack
        Nodes in a full rack.
    empty_rack
        Price of a rack without nodes: power supplies, switches.
    high_end, older
        Price of one node of each type.
    """

    nodes_per_rack: int
    empty_rack: Fraction
    high_end: Fraction
    older: Fraction

    def cost(self, nodes: int, node_price: Fraction) -> Fraction:
        """Price of that many nodes with the racks that they need."""
        return (
            nodes * node_price + math.ceil(Fraction(nodes, self.nodes_per_rack)) * self.empty_rack
        )

    def affordable_older(self, money: Fraction) -> int:
        """Older nodes that the money buys: full racks first, then part of one more."""
        full_rack = self.cost(self.nodes_per_rack, self.older)
        racks, rest = divmod(money, full_rack)
        further = max(0, math.floor((rest - self.empty_rack) / self.older))
        return int(racks) * self.nodes_per_rack + min(further, self.nodes_per_rack)

    def cost_ratio(self, high_end_nodes: int) -> Fraction:
        """Return r_c with whole racks: older nodes for the money of ``high_end_nodes``, per node.

        Departs from the thesis, which averages the two racks of its example (1.45) where 24
        nodes for the price of 16 is 1.50 (section 4.4.2).
        """
        money = self.cost(high_end_nodes, self.high_end)
        return Fraction(self.affordable_older(money), high_end_nodes)


@dataclass(frozen=True)
class RackRow:
    """The exact cost ratio of one system size."""

    racks: int
    high_end_nodes: int
    money: float
    older_nodes: int
    cost_ratio: float


@dataclass(frozen=True)
class RackStudy:
    """The example of section 4.4.2, for the money of one full high-end rack, and larger sizes.

    Attributes
    ----------
    price_ratio, score_ratio
        High-end over older: price of a node, benchmark score (``None`` if not given).
    nodes_without_racks
        Older nodes for the money of a rack of high-end nodes, if racks were free.
    further_nodes, further_cost_per_node
        Older nodes beyond the first full rack, and what each costs with its rack.
    average_cost_per_node
        Money over older nodes.
    cost_ratio_one_rack, cost_ratio_full_racks
        r_c of this one rack, and with full racks only.
    """

    price_ratio: float
    score_ratio: float | None
    nodes_without_racks: int
    high_end_rack_cost: float
    high_end_cost_per_node: float
    older_rack_cost: float
    older_cost_per_node: float
    further_nodes: int
    further_cost_per_node: float | None
    average_cost_per_node: float | None
    cost_ratio_one_rack: float
    cost_ratio_full_racks: float
    sizes: tuple[RackRow, ...]


def rack_prices(scenario: Scenario) -> RackPrices | None:
    """Prices of the scenario's two node types, or ``None`` where a price or the rack is missing."""
    case = scenario.overprovisioning
    if case is None or scenario.rack is None:
        return None
    high_end, older = scenario.node_type(case.high_end), scenario.node_type(case.older)
    if high_end.price is None or older.price is None:
        return None
    switches = Fraction(0)
    if scenario.switch is not None:
        switches = scenario.switch.per_rack * decimal(scenario.switch.price)
    return RackPrices(
        scenario.rack.nodes,
        decimal(scenario.rack.price) + switches,
        decimal(high_end.price),
        decimal(older.price),
    )


def rack_study(
    prices: RackPrices, scores: tuple[float | None, float | None], high_end_nodes: int
) -> RackStudy | None:
    """Recompute the rack example; ``None`` if one high-end rack's money buys no older node.

    Parameters
    ----------
    prices
        Prices of the two node types and of the rack.
    scores
        Benchmark scores, high-end and older.
    high_end_nodes
        Number of nodes of the design at hand; ``sizes`` has a row for it and for the common ones.
    """
    size = prices.nodes_per_rack
    money = prices.cost(size, prices.high_end)
    bought = prices.affordable_older(money)
    if bought == 0:
        return None
    further = max(0, bought - size)
    racks = -(-further // size)
    price = prices.older + (prices.empty_rack * racks / further if further else 0)
    high_score, older_score = scores
    older_rack = prices.cost(size, prices.older)
    return RackStudy(
        price_ratio=float(prices.high_end / prices.older),
        score_ratio=None if high_score is None or older_score is None else high_score / older_score,
        nodes_without_racks=math.floor(size * prices.high_end / prices.older),
        high_end_rack_cost=float(money),
        high_end_cost_per_node=float(money / size),
        older_rack_cost=float(older_rack),
        older_cost_per_node=float(older_rack / size),
        further_nodes=further,
        further_cost_per_node=float(price) if further else None,
        average_cost_per_node=float(money / bought),
        cost_ratio_one_rack=float(prices.cost_ratio(size)),
        cost_ratio_full_racks=float(money / older_rack),
        sizes=tuple(
            _row(prices, nodes)
            for nodes in sorted({high_end_nodes, *(racks * size for racks in RACK_COUNTS)})
        ),
    )


def _row(prices: RackPrices, nodes: int) -> RackRow:
    money = prices.cost(nodes, prices.high_end)
    racks = math.ceil(Fraction(nodes, prices.nodes_per_rack))
    return RackRow(
        racks, nodes, float(money), prices.affordable_older(money), float(prices.cost_ratio(nodes))
    )
