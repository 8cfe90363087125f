"""The heuristic without a solver: every job runs its fastest within an equal part."""

from __future__ import annotations

import numpy as np

from planner.configurations.sharing.problem import Goal, SharingPlan, SharingProblem
from planner.errors import PlanError
from planner.finding import finding
from planner.formatting import plural, watts

EQUAL_SHARES = "equal shares"
"""Name of the method."""


def equal_shares(problem: SharingProblem, goal: Goal) -> SharingPlan:
    """Give each job its fastest configuration within an equal part of watts and nodes."""
    share_w = problem.bound.usable_w / len(problem.jobs)
    nodes = problem.nodes // len(problem.jobs)
    shares = []
    for job in problem.jobs:
        table = job.table
        inside = np.flatnonzero((table.power_w <= share_w) & (table.nodes <= nodes))
        if not len(inside):
            text = (
                f"{job.name} has no configuration within an equal share of "
                f"{plural(nodes, 'node')} and {watts(share_w)}"
            )
            stated = finding(
                "risk", "no-equal-share", application=(job.name, "text"), nodes=(nodes, "node"),
                power=(share_w, "W in W"),
            )  # fmt: skip
            raise PlanError(text, stated)
        order = np.lexsort((table.power_w[inside], table.time_s[inside]))
        shares.append(table.row(int(inside[order[0]])))
    return SharingPlan(problem, goal, EQUAL_SHARES, tuple(shares))
