"""Which limits of a shared machine bind: those without which a better plan exists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from planner.configurations.selection import Bound
from planner.configurations.sharing.problem import Goal, SharingPlan, SharingProblem
from solvers import Status

Sharing = Callable[[SharingProblem], SharingPlan]
"""Shares a problem by a method that has a certificate."""

POWER, NODES = "power", "nodes"


def binding_limits(plan: SharingPlan, share: Sharing) -> tuple[str, ...] | None:
    """Return the limits that bind, ``"power"`` and ``"nodes"``.

    A limit binds if, without it alone, some plan is certainly better than every plan within both.
    Both bind if only without both a plan is better. ``None`` where a search ended early.
    """
    problem = plan.problem
    proof = plan.certificate  # a rule of thumb has one, too, with a limit that may be far off
    proved = proof is not None and proof.status is Status.OPTIMAL
    best = plan if proved else share(problem)
    if not _is_optimal(best):
        return None
    bound = None if best.certificate is None else best.certificate.bound
    least = best.value if bound is None else min(best.value, bound)
    if _fastest(problem, plan.goal) >= least * (1 - _ROUNDING):
        return ()
    largest_w = max(problem.largest_power_w, problem.bound.bound_w)
    largest_nodes = sum(int(job.table.nodes.max()) for job in problem.jobs)
    lifted = {
        POWER: replace(problem, bound=Bound(2 * largest_w)),
        NODES: replace(problem, nodes=max(largest_nodes, problem.nodes)),
    }
    free = {name: share(without) for name, without in lifted.items()}
    if not all(map(_is_optimal, free.values())):
        return None
    alone = [name for name, other in free.items() if other.value < least * (1 - _ROUNDING)]
    return tuple(alone) or (POWER, NODES)


def _is_optimal(plan: SharingPlan) -> bool:
    return plan.certificate is not None and plan.certificate.status is Status.OPTIMAL


_ROUNDING = 1e-9
"""Share of a value by which sums of floats may differ."""


def _fastest(problem: SharingProblem, goal: Goal) -> float:
    """Return the goal's value with every job in its fastest configuration [s]."""
    times = [(job.weight, float(job.table.time_s.min())) for job in problem.jobs]
    if goal == "makespan":
        return max(time for _, time in times)
    return sum(weight * time for weight, time in times)
