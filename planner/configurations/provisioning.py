"""What people do without measuring: canonical configurations, and provisioning for the worst case.

References
----------
Thesis, sections 3.4.1 (canonical configurations) and 4.2 (absolute worst case).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from planner.configurations.selection import Bound
from planner.configurations.table import Configuration, ConfigurationTable
from planner.decimals import decimal
from planner.errors import InputError

Reason = Literal["not-measured", "over-bound", "over-rating"]
"""Why a common choice has no configuration: none has its cores and cap; its fewest nodes draw more
than the bound, or are more than fit at their rated maximum."""

CANONICAL = ("packed-max", "packed-min", "spread-max", "spread-min")

DRAM_MAX_W = 30.0
"""Largest power of the memory of one socket on the thesis's machine (section 4.2) [W]."""


@dataclass(frozen=True)
class NodeMaximum:
    """The largest power of one node by its components' ratings.

    Attributes
    ----------
    sockets
        Sockets of a node.
    tdp_w
        Thermal design power of one package [W].
    dram_max_w
        Largest power of the memory of one socket [W]; 0 where memory is not part of the bound.
    """

    sockets: int = 2
    tdp_w: float = 115.0
    dram_max_w: float = 30.0

    def __post_init__(self) -> None:
        if self.sockets < 1 or not 0 < self.tdp_w < np.inf or not 0 <= self.dram_max_w < np.inf:
            raise InputError(
                f"a node cannot have {self.sockets} sockets of {self.tdp_w:g} W with "
                f"{self.dram_max_w:g} W of memory; give at least 1 socket, a TDP above 0 W and "
                "memory power of at least 0 W"
            )

    @property
    def power_w(self) -> float:
        """Node maximum [W]; 2 x (115 + 30) = 290 W on the thesis's machine."""
        return float(self.exact_w)

    @property
    def exact_w(self) -> Fraction:
        """Return the node maximum as a fraction, so that the floor over it is exact."""
        return self.sockets * (decimal(self.tdp_w) + decimal(self.dram_max_w))


@dataclass(frozen=True)
class Canonical:
    """One canonical configuration; ``configuration`` is ``None`` where ``reason`` says why."""

    name: str
    configuration: Configuration | None
    reason: Reason | None = None


@dataclass(frozen=True)
class WorstCase:
    """The configuration of a machine that was sized by ratings alone.

    Attributes
    ----------
    node_maximum_w
        Largest power of a node [W].
    nodes_by_rating
        As many as could all draw that at once.
    configuration
        Packed-max on the largest node count not above it that was measured so; ``None`` where
        ``reason`` says why. It may draw more than the bound where ratings are too low.
    """

    node_maximum_w: float
    nodes_by_rating: int
    configuration: Configuration | None
    reason: Reason | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; those of the configuration are ``None`` where there is none."""
        keys = ("nodes", "cores_per_node", "package_cap_w", "time_s", "power_w")
        configuration = self.configuration
        return (dict.fromkeys(keys) if configuration is None else configuration.to_dict()) | {
            "node_maximum_w": self.node_maximum_w,
            "nodes_by_rating": self.nodes_by_rating,
            "reason": self.reason,
        }


def canonical(table: ConfigurationTable, bound: Bound) -> tuple[Canonical, ...]:
    """The four canonical configurations under a bound, grown node by node.

    Cores and caps are those of the table: packed has the most cores, spread the fewest, max the
    highest cap, min the lowest. Each takes the next node count of the table until that count would
    draw more than the bound. Cores are not added once all nodes are in use: the
    thesis's spread-max without a bound is (32 x 4, 115).
    """
    cores, caps = table.cores_per_node, table.package_cap_w
    corners = [(c, p) for c in (cores.max(), cores.min()) for p in (caps.max(), caps.min())]
    return tuple(
        _grown(table, bound, name, int(c), float(p))
        for name, (c, p) in zip(CANONICAL, corners, strict=True)
    )


def packed_max(table: ConfigurationTable, bound: Bound) -> Canonical:
    """Return the configuration of a machine provisioned for this application at full power."""
    return canonical(table, bound)[0]


def worst_case(table: ConfigurationTable, bound: Bound, node: NodeMaximum) -> WorstCase:
    """Size by ratings: as many nodes as may all draw their rated maximum, all cores, uncapped.

    The number of nodes by rating is ``floor(bound / node maximum)``, where the guard band is taken
    off the bound first. The configuration has the largest node count not above it that was
    measured with all cores and the highest cap.

    References
    ----------
    Thesis, section 4.2: ``floor(P_bound / (2 x (115 + 30)))``, 12 nodes at 3,500 W; its 16 at
    4,500 W would draw 4,640 W, rightly they are 15.
    """
    by_rating = math.floor(decimal(bound.usable_w) / node.exact_w)
    cores, cap = int(table.cores_per_node.max()), float(table.package_cap_w.max())
    packed = np.flatnonzero((table.cores_per_node == cores) & (table.package_cap_w == cap))
    below = packed[table.nodes[packed] <= by_rating]  # the table ascends in nodes
    if len(below):
        return WorstCase(node.power_w, by_rating, table.row(int(below[-1])))
    reason: Reason = "over-rating" if len(packed) else "not-measured"
    return WorstCase(node.power_w, by_rating, None, reason)


def _grown(
    table: ConfigurationTable, bound: Bound, name: str, cores: int, cap_w: float
) -> Canonical:
    rows = np.flatnonzero((table.cores_per_node == cores) & (table.package_cap_w == cap_w))
    if not len(rows):
        return Canonical(name, None, "not-measured")
    over = ~bound.holds(table.charged_w[rows])  # the table ascends in nodes
    reached = int(over.argmax()) if over.any() else len(rows)
    if not reached:
        return Canonical(name, None, "over-bound")
    return Canonical(name, table.row(int(rows[reached - 1])))
