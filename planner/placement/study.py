"""A placement beside what every other algorithm finds, and all that follows from it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from planner.placement import tables, wording
from planner.placement.costs import PairCosts, Weight, by_bytes, by_messages, pair_times, signed
from planner.placement.place import Placement
from planner.placement.rank_files import FileForm, Layout, laid_out
from planner.placement.traffic import Pairs, by_node, node_pairs, parted_pairs
from planner.placement.wording import amount
from scenarios.communication.matrix import Floats, Integers
from scenarios.faults import printable
from scenarios.ping_pong import PingPong, bundled_ping_pong
from solvers.partition.graph import Graph, Parts, cut
from solvers.partition.known import BY_NAME
from solvers.partition.outcome import TOLERANCE, Partition, outcome
from solvers.partition.request import Request

if TYPE_CHECKING:
    from scenarios.communication.monitoring import Traffic

ORDER = ("order", "kl", "multilevel", "metis", "matching", "dynamic", "ilp", "portfolio")
"""In which algorithms are compared: the baseline, heuristics, exact ones, the best of them."""

Verdict = Literal["silent", "better", "same", "worse"]
"""Nothing is exchanged; the placement has less than the order of ranks, as much, or more."""


@dataclass(frozen=True)
class Asked:
    """What is asked.

    Attributes
    ----------
    algorithm
        Whose groups are taken.
    seed, starts, time_limit_s
        Of every algorithm.
    traffic
        Which messages of a monitoring profile count.
    form
        Of the rank file that is shown.
    command
        Words of the command behind ``headroom``; empty for a study from Python.
    """

    algorithm: str = "portfolio"
    seed: int = 0
    starts: int = 10
    time_limit_s: float | None = None
    traffic: Traffic = "all"
    form: FileForm = "openmpi-5"
    command: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Tried:
    """What one algorithm found.

    Attributes
    ----------
    name
        Of the algorithm.
    partition
        Its groups, with its own bound.
    seconds
        That it took; ``None`` where it was not timed.
    late
        Whether it stopped at the time limit, so that another run may differ.
    """

    name: str
    partition: Partition
    seconds: float | None = None
    late: bool = False


@dataclass(frozen=True, eq=False)
class Other:
    """The same groups by a cost for which they were not made.

    Attributes
    ----------
    weight, unit
        The cost.
    rank_order, cut
        Of the order of ranks and of the placement.
    size
        Sum of all absolute weights.
    """

    weight: Weight
    unit: str
    rank_order: float
    cut: float
    size: float


@dataclass(frozen=True, eq=False)
class PlacementStudy:
    """A placement, compared.

    Attributes
    ----------
    placement
        Its bound is the best of all algorithms that were tried.
    asked
        How it was found.
    tried
        What each algorithm found, that of the placement among them.
    refused
        Why others cannot answer, by name.
    others
        The placement by other costs.
    table
        Ping-pong times behind a cost in time; ``None`` where none were used.
    layout
        Hosts and cores of the ranks.
    """

    placement: Placement
    asked: Asked
    tried: tuple[Tried, ...]
    refused: dict[str, str]
    others: tuple[Other, ...]
    table: PingPong | None
    layout: Layout

    @property
    def graph(self) -> Graph:
        """What was cut."""
        return self.placement.graph

    @property
    def tolerance(self) -> float:
        """Cuts nearer than this are the same."""
        return TOLERANCE * self.graph.size

    @staticmethod
    def tolerance_of(other: Other) -> float:
        """The same for another cost."""
        return TOLERANCE * other.size

    @property
    def verdict(self) -> Verdict:
        """What the placement is beside the order of ranks."""
        if not self.graph.edges:
            return "silent"
        gained = self.placement.rank_order - self.placement.partition.cut
        if abs(gained) <= self.tolerance:
            return "same"
        return "better" if gained > 0 else "worse"

    @property
    def proved(self) -> bool:
        """Whether no grouping has less."""
        found = self.placement.partition
        return found.cut - found.bound <= self.tolerance

    @property
    def bound_by(self) -> tuple[str, ...]:
        """The algorithms whose bound is the best."""
        best = max(each.partition.bound for each in self.tried)
        if not np.isfinite(best):
            return ()
        near = [each.name for each in self.tried if best - each.partition.bound <= self.tolerance]
        return tuple(near)

    @property
    def in_order(self) -> bool:
        """Whether the groups are those of the order of ranks."""
        return bool((np.diff(self.placement.partition.part) >= 0).all())

    @property
    def stopped_by_time(self) -> bool:
        """Whether another run may differ."""
        return any(each.late for each in self.tried)

    @property
    def sentence(self) -> str:
        """What to do, in one sentence."""
        return wording.sentence(self)

    @property
    def sureness(self) -> str:
        """How far from the least it can be."""
        return wording.sureness(self)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the figures must know."""
        return tuple(wording.warnings(self))

    @cached_property
    def order_part(self) -> Parts:
        """Node of each rank in the order of ranks."""
        sizes = self.placement.partition.capacities
        return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)

    @cached_property
    def node_pairs(self) -> Pairs:
        """Nodes that exchange something."""
        return node_pairs(self.graph, self.placement.partition.part)

    @cached_property
    def parted(self) -> Pairs:
        """Ranks that exchange something and are on different nodes."""
        return parted_pairs(self.graph, self.placement.partition.part)

    @cached_property
    def nodes(self) -> tuple[Floats, Floats]:
        """Weight inside each node, and between it and the others."""
        return self._by_node(self.placement.partition.part)

    @cached_property
    def nodes_in_order(self) -> tuple[Floats, Floats]:
        """The same in the order of ranks."""
        return self._by_node(self.order_part)

    def _by_node(self, part: Parts) -> tuple[Floats, Floats]:
        return by_node(self.graph, part, len(self.placement.partition.capacities))

    @cached_property
    def as_placed(self) -> Integers:
        """The ranks, node by node."""
        return np.argsort(self.placement.partition.part, kind="stable").astype(np.int64)

    def shown(self, weight: float) -> str:
        """A cost with its unit."""
        return amount(weight, self.placement.costs.unit)

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table by its name, as rows of plain values; empty ones are left out."""
        return {name: rows for name, rows in tables.tables(self).items() if rows}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return tables.plain(self)


def study(
    placement: Placement,
    asked: Asked | None = None,
    *,
    table: PingPong | None = None,
    hosts: Sequence[str] | None = None,
    cores_per_processor: int = 1,
    seconds: float | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> PlacementStudy:
    """Ask every algorithm that suits for the same, and lay the ranks out.

    Parameters
    ----------
    placement
        What was found as asked.
    asked
        How it was found; the others get the same seed, starts and limit each.
    table
        Ping-pong times of the costs; by default the bundled, assumed ones.
    hosts, cores_per_processor
        Of the nodes, for rank files.
    seconds
        That the placement took.
    progress
        Called with words before each algorithm.

    Raises
    ------
    InputError
        Names of hosts that are none, or too few.
    """
    asked = asked or Asked()
    layout = laid_out(placement.groups, hosts=hosts, cores_per_processor=cores_per_processor)
    tried, refused = _compared(placement, asked, seconds, progress)
    timed = placement.costs.weight in ("signed", "paper")
    table = table or bundled_ping_pong()
    others = _others(placement, table)
    best = max(each.partition.bound for each in tried)
    found = placement.partition
    proven = outcome(placement.graph, found.part, found.capacities, best, found.method)
    named = replace(placement.communication, name=printable(placement.communication.name))
    whole = replace(placement, partition=proven, communication=named)
    used = timed or any(each.weight == "signed" for each in others)
    return PlacementStudy(
        whole, asked, tried, refused, others, table if used else None, layout
    )  # fmt: skip


def _compared(
    placement: Placement, asked: Asked, seconds: float | None, progress: Callable[[str], None]
) -> tuple[tuple[Tried, ...], dict[str, str]]:
    """What each algorithm finds; that of the placement is not asked again."""
    tried, refused = [], {}
    limit = asked.time_limit_s
    for name in ORDER:
        if name == asked.algorithm:
            late = limit is not None and seconds is not None and seconds >= limit
            tried.append(Tried(name, placement.partition, seconds, late))
            continue
        request = Request(
            placement.graph,
            placement.partition.capacities,
            seed=asked.seed,
            starts=asked.starts,
            time_limit_s=limit,
        )
        why_not = BY_NAME[name].suits(request)
        if why_not:
            refused[name] = why_not
            continue
        progress(name)
        began = time.perf_counter()
        found = BY_NAME[name].partition(request)
        took = time.perf_counter() - began
        tried.append(Tried(name, found, took, request.late()))
    return tuple(tried), refused


def _others(placement: Placement, table: PingPong) -> tuple[Other, ...]:
    """The placement by the costs that need no more than the file has."""
    found, sizes = placement.communication, placement.partition.capacities
    costs = [by_bytes(found)]
    if found.messages is not None:
        costs += [by_messages(found), signed(pair_times(found, table))]
    order = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    part = placement.partition.part
    return tuple(
        _other(each, order, part) for each in costs if each.weight != placement.costs.weight
    )


def _other(costs: PairCosts, order: Parts, part: Parts) -> Other:
    graph = Graph.from_edges(costs.ranks, costs.low, costs.high, costs.cost)
    return Other(costs.weight, costs.unit, cut(graph, order), cut(graph, part), graph.size)
