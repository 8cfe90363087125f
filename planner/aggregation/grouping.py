"""Which tasks share a node: weights of pairs, and groups by a partition function handed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from planner.aggregation.communication import Tables
from planner.aggregation.placements import Nearness
from planner.errors import PlanError
from planner.placement.costs import paper, signed
from planner.placement.message_times import PairTimes
from scenarios.aggregation.task_layout import Layout
from scenarios.aggregation.task_samples import Traffic

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Groups = Indices

Group = Callable[[Floats, int], Sequence[Sequence[int]]]
"""``group(weights, per_group)`` returns equal groups that keep heavy pairs together.

Weights are symmetric, shape ``(tasks, tasks)``. A function minimises the weight between groups."""

Objective = Literal["paper", "signed", "loaded"]
"""The costs of equation 4; what parting a pair changes of a lone message; and the same while all
other tasks of the node send as well."""


def rank_order(weights: Floats, per_group: int) -> list[list[int]]:
    """Return groups of neighbouring ranks, as job launchers do by default; ignores the weights."""
    return np.arange(len(weights)).reshape(-1, per_group).tolist()


def pair_times(tables: Tables, traffic: Traffic, under: Layout | None = None) -> PairTimes:
    """Time that each pair's messages of an iteration take within a node and between nodes.

    Within a node the farthest placement counts (no die or processor shared), as section IV has it.

    Parameters
    ----------
    under
        The layout whose worst noise every message meets; without it messages are alone.
    """
    near: tuple[Nearness, ...] = ("node", "processor", "die")
    known = tables.alone
    if under is not None:
        known = {kind: times for (at, kind), times in tables.worst.items() if at == under}
    kinds: tuple[Nearness, Nearness] = (next(kind for kind in near if kind in known), "network")
    low = np.minimum(traffic.source, traffic.target)
    high = np.maximum(traffic.source, traffic.target)
    keys, pair = np.unique(low * traffic.tasks + high, return_inverse=True)
    times_us = [
        np.bincount(pair, traffic.count * known[kind].at(traffic.size_b) * 1e6, len(keys))
        for kind in kinds
    ]
    intra_us, inter_us = (each.astype(np.float64) for each in times_us)
    low, high = np.divmod(keys, traffic.tasks)
    return PairTimes(traffic.tasks, low, high, intra_us, inter_us)


def weights(times: PairTimes, per_group: int, objective: Objective) -> Floats:
    """Weights of all pairs, shape ``(tasks, tasks)``: equation 4, or what parting changes [us].

    Silent pairs weigh nothing.
    """
    costs = paper(times, per_group) if objective == "paper" else signed(times)
    square = np.zeros((times.ranks, times.ranks))
    square[times.low, times.high] = square[times.high, times.low] = costs.cost
    return square


def among(times: PairTimes, tasks: Indices) -> PairTimes:
    """Pairs within some tasks, which are numbered anew by their place."""
    position = np.full(times.ranks, -1)
    position[tasks] = np.arange(len(tasks))
    low, high = position[times.low], position[times.high]
    selected = (low >= 0) & (high >= 0)
    return PairTimes(
        len(tasks),
        np.minimum(low, high)[selected],
        np.maximum(low, high)[selected],
        times.intra_us[selected],
        times.inter_us[selected],
    )


def grouped(
    tables: Tables,
    traffic: Traffic,
    layout: Layout,
    group: Group,
    objective: Objective = "paper",
) -> Groups:
    """Groups of tasks by node in the order of slots, shape ``(nodes, tasks of a node)``.

    The function groups tasks into nodes, then those of a node into its processors, then into dies
    (section IV-B: "the same algorithm"). Tasks that send nothing to each other stay in rank order.

    Raises
    ------
    PlanError
        Groups that are not equal or do not hold each task once.
    """
    if layout.tasks == 1 or not len(traffic.source):
        return np.arange(traffic.tasks).reshape(-1, layout.tasks)
    times = pair_times(tables, traffic, layout if objective == "loaded" else None)
    per_processor = layout.dies * layout.cores

    def split(tasks: Indices, sizes: Sequence[int]) -> Indices:
        if not sizes:
            return tasks
        if sizes[0] in {1, len(tasks)}:
            parts = (
                [tasks] if sizes[0] == len(tasks) else [tasks[i : i + 1] for i in range(len(tasks))]
            )
        else:
            square = weights(among(times, tasks), sizes[0], objective)
            parts = [tasks[list(p)] for p in group(square, sizes[0])]
        return np.concatenate([split(part, sizes[1:]) for part in parts])

    slots = split(np.arange(traffic.tasks), (layout.tasks, per_processor, layout.cores))
    if len(slots) != traffic.tasks or len(np.unique(slots)) != traffic.tasks:
        raise PlanError("the grouping does not hold each task once; give equal groups of all tasks")
    return slots.reshape(-1, layout.tasks)
