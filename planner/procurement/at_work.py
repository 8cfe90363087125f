"""Nodes of a plan that work, as a mean over the year."""

from __future__ import annotations

import math

from planner.procurement.plan import Plan, Purchase
from planner.procurement.problem import Problem


def mean_at_work(problem: Problem, plan: Plan, lot: Purchase) -> dict[tuple[int, int], float]:
    """Mean nodes of a purchase that do throughput work, by mode and workload.

    The mean weighs the ratings as energy does. Nodes bought with a cap work under it alone.
    """
    means: dict[tuple[int, int], list[float]] = {}
    for weight, at_work in zip(problem.energy_weight, plan.at_work, strict=False):
        for group in at_work:
            mode = problem.modes[group.mode]
            is_mine = lot.cap_w is None or mode.cap_w == lot.cap_w
            if weight and mode.offer == lot.offer and is_mine:
                key = group.mode, group.workload
                means.setdefault(key, []).append(float(weight) * group.nodes)
    return {key: math.fsum(parts) for key, parts in means.items()}


def nodes_at_work(problem: Problem, plan: Plan, lot: Purchase) -> float:
    """Mean nodes of a purchase in use; all of them where only single runs are rated."""
    if not any(plan.at_work):
        return float(lot.nodes)
    return math.fsum(mean_at_work(problem, plan, lot).values())
