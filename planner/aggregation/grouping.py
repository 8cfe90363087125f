"""Which tasks share a node: weights of pairs, and groups by a partition function handed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from planner.aggregation.communication import Tables, at_size
from planner.aggregation.placements import Nearness
from planner.errors import PlanError
from scenarios.task_layout import Layout
from scenarios.task_samples import Traffic

Floats = NDArray[np.float64]
Groups = NDArray[np.int64]

Group = Callable[[Floats, int], Sequence[Sequence[int]]]
"""``group(weights, per_group)``: equal groups that keep heavy pairs together.

Weights are symmetric, shape ``(tasks, tasks)``; the weight between groups is to be least."""

Objective = Literal["paper", "signed"]

_LEAST_US = 1e-3
"""Floor of a difference of times: below it, its reciprocal would drown all others."""


def rank_order(weights: Floats, per_group: int) -> list[list[int]]:
    """Groups of neighbouring ranks, whatever the weights: what job launchers do unasked."""
    return np.arange(len(weights)).reshape(-1, per_group).tolist()


def pair_times_us(tables: Tables, traffic: Traffic) -> tuple[Floats, Floats]:
    """Time that each pair's messages take within a node and between nodes [us].

    Shapes ``(tasks, tasks)``, symmetric. Within a node the farthest placement counts (no die or
    processor shared), as section IV has it, between nodes a lone message.
    """
    near: tuple[Nearness, ...] = ("node", "processor", "die")
    far = next(kind for kind in near if kind in tables.alone_s)
    kinds: tuple[Nearness, Nearness] = (far, "network")
    times = []
    for kind in kinds:
        each = traffic.count * at_size(tables.alone_s[kind], traffic.size_b) * 1e6
        pair = np.zeros((traffic.tasks, traffic.tasks))
        np.add.at(pair, (traffic.source, traffic.target), each)
        times.append(pair + pair.T)
    return times[0], times[1]


def paper_costs(intra_us: Floats, inter_us: Floats, per_node: int) -> Floats:
    """Edge costs of section IV-B and equation 4, shape ``(tasks, tasks)``.

    A pair that is faster between nodes costs ``1 / (intra - inter)``, one that is faster within
    a node ``C + (inter - intra)`` with ``C = k^2 max 1 / (intra - inter)``; silent pairs cost
    nothing. Adding ``1 / t`` and ``t`` depends on the unit: microseconds here. The difference
    is floored at a nanosecond. Without a pair that is faster between nodes C is 0.
    """
    lost = intra_us - inter_us
    apart = lost > 0
    inverse = 1 / np.maximum(lost, _LEAST_US)
    together = per_node**2 * inverse[apart].max(initial=0.0)
    talks = intra_us + inter_us > 0
    costs: Floats = np.where(talks, np.where(apart, inverse, together - lost), 0.0)
    return costs


def signed_weights(intra_us: Floats, inter_us: Floats) -> Floats:
    """``inter - intra``: what each pair gains within a node, negative where it loses [us].

    Its weight between groups is least where the pairs' total time is: the true objective of the
    grouping, where the costs of the paper are a surrogate.
    """
    return inter_us - intra_us


def grouped(
    tables: Tables,
    traffic: Traffic,
    layout: Layout,
    group: Group,
    objective: Objective = "paper",
) -> Groups:
    """Groups of tasks by node in the order of seats, shape ``(nodes, tasks of a node)``.

    The function groups tasks into nodes, then those of a node into its processors, then into dies
    (section IV-B: "the same algorithm").

    Raises
    ------
    PlanError
        Groups that are not equal or do not hold each task once.
    """
    intra, inter = pair_times_us(tables, traffic)
    per_processor = layout.dies * layout.cores

    def weights(tasks: NDArray[np.int64], per_group: int) -> Floats:
        chosen = np.ix_(tasks, tasks)
        if objective == "paper":
            return paper_costs(intra[chosen], inter[chosen], per_group)
        return signed_weights(intra[chosen], inter[chosen])

    def split(tasks: NDArray[np.int64], sizes: Sequence[int]) -> NDArray[np.int64]:
        if not sizes:
            return tasks
        if sizes[0] in {1, len(tasks)}:
            parts = (
                [tasks] if sizes[0] == len(tasks) else [tasks[i : i + 1] for i in range(len(tasks))]
            )
        else:
            parts = [tasks[list(p)] for p in group(weights(tasks, sizes[0]), sizes[0])]
        return np.concatenate([split(part, sizes[1:]) for part in parts])

    seats = split(np.arange(traffic.tasks), (layout.tasks, per_processor, layout.cores))
    if len(seats) != traffic.tasks or len(np.unique(seats)) != traffic.tasks:
        raise PlanError("the grouping does not hold each task once; give equal groups of all tasks")
    return seats.reshape(-1, layout.tasks)
