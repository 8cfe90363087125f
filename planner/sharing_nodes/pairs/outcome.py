"""One row per policy: what it gains, and what it costs the job that suffers most."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planner.sharing_nodes.pairs.groups import GroupPlan
from planner.sharing_nodes.pairs.plan import CoLocationPlan
from planner.sharing_nodes.pairs.problem import PairingProblem
from scenarios.pairs.pair_table import Indices


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


def mean_outcome(problem: PairingProblem, draws: Iterable[Indices], bound: float) -> PairingOutcome:
    """The row of random pairs: means over the draws, and the largest slowdown of all.

    ``draws`` are pairs of jobs, each of shape ``(pairs, 2)``.
    """

    def mean(values: Sequence[float]) -> float:
        return math.fsum(values) / len(values)

    gains, counts, slowest, least = [], [], [], math.inf
    for pairs in draws:
        of = problem.kind[pairs[:, 0]], problem.kind[pairs[:, 1]]
        each = problem.kind_gain[of]
        gains.append(math.fsum(each.tolist()))
        counts.append(len(pairs))
        least = min(least, float(each.min(initial=math.inf)))
        slowest.append(float(problem.kind_slowdown[of].max()) if len(pairs) else 1.0)
    gain = mean(gains)
    return PairingOutcome(
        "random",
        gain,
        max(slowest),
        max(0.0, 1.0 - 1.0 / max(slowest)),
        None if least == math.inf else least,
        mean(counts),
        mean([problem.jobs - count for count in counts]),
        gain / bound if bound > 0 else None,
        "mean",
    )


def group_outcome(plan: GroupPlan) -> PairingOutcome:
    """The row of groups: predicted from pairs, compared with its own limit."""
    bound, slowest = plan.certificate.bound, plan.max_slowdown
    gains = [sum(speeds) - 1.0 for speeds in plan.speeds]
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
