"""One row per policy: what it gains, and what it costs the job that suffers most."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from planner.sharing_nodes.pairs.groups import GroupPlan, speeds_of
from planner.sharing_nodes.pairs.plan import CoLocationPlan


@dataclass(frozen=True)
class PairingOutcome:
    """Result of one way of pairing.

    Attributes
    ----------
    gain
        Sum over pairs of both relative speeds, less one each.
    max_slowdown
        Largest time together over time alone.
    largest_discount
        Largest share of a job's time that is lost.
    pairs
        Number of pairs; a mean for random pairings.
    nodes
        Nodes that the jobs take.
    optimal_share
        Gain over the proven limit; ``None`` where that is 0.
    note
        A word for how it was found; empty where the method says it.
    """

    policy: str
    gain: float
    max_slowdown: float
    largest_discount: float
    smallest_gain: float | None
    pairs: float
    nodes: float
    optimal_share: float | None
    note: str = ""


def outcome(plan: CoLocationPlan, bound: float, note: str = "") -> PairingOutcome:
    """The row of a plan."""
    return PairingOutcome(
        plan.method,
        plan.gain,
        plan.max_slowdown,
        plan.largest_discount,
        min(plan.gains, default=None),
        len(plan.pairs),
        plan.nodes,
        plan.gain / bound if bound > 0 else None,
        note,
    )


def mean_outcome(plans: Sequence[CoLocationPlan], bound: float) -> PairingOutcome:
    """The row of a policy that draws: means over the draws, and the largest slowdown of all."""

    def mean(values: Sequence[float]) -> float:
        return math.fsum(values) / len(values)

    gain = mean([plan.gain for plan in plans])
    return PairingOutcome(
        plans[0].method,
        gain,
        max(plan.max_slowdown for plan in plans),
        max(plan.largest_discount for plan in plans),
        min((one for plan in plans for one in plan.gains), default=None),
        mean([len(plan.pairs) for plan in plans]),
        mean([plan.nodes for plan in plans]),
        gain / bound if bound > 0 else None,
        "mean",
    )


def group_outcome(plan: GroupPlan) -> PairingOutcome:
    """The row of groups: predicted from pairs, compared with its own limit."""
    bound, slowest = plan.certificate.bound, plan.max_slowdown
    gains = [sum(speeds_of(plan.problem, group)) - 1.0 for group in plan.groups]
    return PairingOutcome(
        f"groups of up to {plan.rules.size}",
        plan.gain,
        slowest,
        max(0.0, 1.0 - 1.0 / slowest),
        min(gains, default=None),
        len(plan.groups),
        len(plan.groups) + len(plan.alone),
        plan.gain / bound if bound else None,
        "predicted",
    )
