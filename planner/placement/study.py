"""A placement beside what every other algorithm finds, and all that follows from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from planner.placement import tables, verdict, wording
from planner.placement.compared import (
    Asked,
    Tried,
    compared,
    with_best_bounds,
)
from planner.placement.layout import Layout
from planner.placement.other_costs import Other, other_costs
from planner.placement.place import Placement
from planner.placement.sizes import Size, other_sizes
from planner.placement.traffic import Pairs, by_node, node_pairs, parted_pairs
from planner.study import Study
from scenarios.communication.matrix import Floats, Integers
from scenarios.faults import printable
from scenarios.ping_pong import PingPong, bundled_ping_pong
from solvers.partition.graph import Graph


@dataclass(frozen=True, eq=False, repr=False)
class PlacementStudy(Study):
    """A placement, compared.

    Attributes
    ----------
    placement
        Its bounds are the best of all algorithms that were tried.
    layout
        Hosts and cores of the ranks.
    asked
        How it was found.
    tried
        What each algorithm found, that of the placement among them.
    refused
        Why others cannot answer, by name.
    others
        The placement by other costs.
    sizes
        Other numbers of tasks on a node; empty where they are not asked for.
    table
        Ping-pong times behind a cost in time; ``None`` where none were used.
    """

    placement: Placement
    layout: Layout
    asked: Asked
    tried: tuple[Tried, ...]
    refused: dict[str, str]
    others: tuple[Other, ...]
    sizes: tuple[Size, ...]
    table: PingPong | None

    @property
    def graph(self) -> Graph:
        """What it costs to part two ranks on different nodes."""
        return self.placement.graph

    @property
    def nodes(self) -> int:
        """How many have tasks."""
        return self.placement.nodes.count

    @property
    def value(self) -> float:
        """What is to be least: the cut, or with a hierarchy the cost over all levels."""
        return verdict.value_of(self.placement)

    @property
    def order_value(self) -> float:
        """The same for the order of ranks."""
        return verdict.order_value_of(self.placement)

    @property
    def bound(self) -> float:
        """No placement is below; minus infinity where nothing is known."""
        return verdict.bound_of(self.placement)

    @property
    def gap(self) -> float:
        """How much less, as a share, is not ruled out; infinite where that is not known."""
        return verdict.gap_of(self.placement)

    @property
    def tolerance(self) -> float:
        """Values nearer than this are the same."""
        return verdict.tolerance_of(self.placement)

    @property
    def verdict(self) -> verdict.Verdict:
        """What the placement is beside the order of ranks."""
        return verdict.verdict(self.placement)

    @property
    def slight(self) -> bool:
        """Whether less than a hundredth is gained, which nobody will notice."""
        return verdict.slight(self.placement)

    @property
    def proved(self) -> bool:
        """Whether no placement has less."""
        return verdict.proved(self.placement)

    @property
    def bound_by(self) -> tuple[str, ...]:
        """The algorithms whose bound is the best."""
        best = max(each.bound for each in self.tried)
        if not np.isfinite(best):
            return ()
        return tuple(each.name for each in self.tried if best - each.bound <= self.tolerance)

    @property
    def in_order(self) -> bool:
        """Whether every rank is where the order of ranks has it."""
        return self.placement.in_order

    @property
    def stopped_by_time(self) -> bool:
        """Whether another run may differ."""
        return any(each.late for each in self.tried) or any(each.late for each in self.sizes)

    @property
    def headline(self) -> str:
        """What to do, in one sentence."""
        return wording.better_one(self) or wording.sentence(self.placement)

    @property
    def confidence(self) -> str:
        """How far from the least it can be."""
        return wording.sureness(self.placement)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the figures must know."""
        return tuple(wording.warnings(self))

    @property
    def order_part(self) -> Integers:
        """Node of each rank in the order of ranks."""
        return self.placement.nodes.node

    @cached_property
    def node_pairs(self) -> Pairs:
        """Nodes that exchange something."""
        return node_pairs(self.graph, self.placement.partition.part)

    @cached_property
    def parted(self) -> Pairs:
        """Ranks that exchange something and are on different nodes."""
        return parted_pairs(self.graph, self.placement.partition.part)

    @cached_property
    def by_node(self) -> tuple[Floats, Floats]:
        """Weight inside each node, and between it and the others."""
        return by_node(self.graph, self.placement.partition.part, self.nodes)

    @cached_property
    def by_node_in_order(self) -> tuple[Floats, Floats]:
        """The same in the order of ranks."""
        return by_node(self.graph, self.order_part.astype(np.int32), self.nodes)

    @cached_property
    def as_placed(self) -> Integers:
        """The ranks, node by node, and within nodes by their cores where these are placed."""
        if self.placement.hierarchical:
            return np.argsort(self.placement.mapping.seat)
        return np.argsort(self.placement.partition.part, kind="stable")

    def shown(self, weight: float) -> str:
        """A cost with its unit."""
        return self.placement.shown(weight)

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table by its name, as rows of plain values; empty ones are left out."""
        return {name: rows for name, rows in tables.tables(self).items() if rows}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return tables.plain(self)


def study(
    placement: Placement,
    layout: Layout,
    asked: Asked | None = None,
    *,
    table: PingPong | None = None,
    seconds: float | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> PlacementStudy:
    """Ask every algorithm that suits for the same.

    Parameters
    ----------
    placement
        What was found as asked.
    layout
        Its ranks on hosts and cores.
    asked
        How it was found; the others get the same seed, starts, limit and pins.
    table
        Ping-pong times of the costs; by default the bundled, assumed ones.
    seconds
        That the placement took.
    progress
        Called with words before each algorithm.
    """
    asked = asked or Asked()
    tried, refused = compared(placement, asked, seconds, progress)
    table = table or bundled_ping_pong()
    others = other_costs(placement, table)
    progress("other numbers of tasks on a node")
    sizes = other_sizes(placement, asked)
    timed = {"signed", "paper"} & {placement.costs.weight, *(each.weight for each in others)}
    named = replace(placement.communication, name=printable(placement.communication.name))
    proven = replace(with_best_bounds(placement, tried), communication=named)
    return PlacementStudy(
        proven, layout, asked, tried, refused, others, sizes, table if timed else None
    )
