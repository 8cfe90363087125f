"""Throughput of a pairing, and the gain that a share of the best throughput leaves as a floor."""

from __future__ import annotations

from typing import Literal

from planner.errors import InputError
from planner.sharing_nodes.pairs.decide import plan_from
from planner.sharing_nodes.pairs.plan import CoLocationPlan
from planner.sharing_nodes.pairs.problem import PairingProblem
from solvers.matching.bottleneck import bottleneck
from solvers.matching.weights import Weights

SHARE = 0.995
"""Share of the best throughput that the bottleneck matchings keep."""

Aim = Literal["slowdown", "gain"]


def throughput(plan: CoLocationPlan, nodes: int) -> float:
    """Work per second on ``nodes`` nodes, where a job alone on a node does 1.

    A pair does the sum of its relative speeds, so it adds its gain. Nodes that the plan frees run
    other jobs alone.
    """
    return nodes + plan.gain


def gain_floor(best: CoLocationPlan, share: float) -> float:
    """Least gain with a share of the throughput of the best plan, on the nodes of that plan."""
    return max(0.0, share * throughput(best, best.nodes) - best.nodes)


def balanced(
    problem: PairingProblem, best: CoLocationPlan, aim: Aim, share: float = SHARE
) -> CoLocationPlan:
    """Pairs with the least largest slowdown, or the greatest smallest gain, at that share.

    Parameters
    ----------
    best
        The plan of greatest gain.
    share
        Share of that plan's throughput which the pairs must reach.

    Raises
    ------
    InputError
        The share is not above 0 and at most 1.
    """
    if not 0 < share <= 1:
        raise InputError(f"share = {share}; give a share of the best throughput, such as 0.995")
    method = f"bottleneck: {'least slowdown' if aim == 'slowdown' else 'greatest least gain'}"
    floor = gain_floor(best, share)
    if not best.pairs or floor <= 0:
        return CoLocationPlan(problem, method, ())
    weights = Weights(problem.useful_gain)
    badness = problem.slowdown if aim == "slowdown" else -problem.gain
    result, _ = bottleneck(weights, badness, min(floor, best.gain))
    return plan_from(problem, method, result)
