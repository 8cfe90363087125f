"""What the score of a plan is made of: throughputs, and the speed of runs that are timed alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from planner.finding import Finding, Value, finding
from planner.formatting import amount
from solvers.portable import exp, log, product

if TYPE_CHECKING:
    from planner.procurement.plan import Plan
    from planner.procurement.problem import Problem
    from planner.procurement.result import ProcurementResult


def is_mix(problem: Problem) -> bool:
    """Whether the score is the throughput of one mix of workloads, in every demand scenario."""
    return not problem.capability_weight.any() and all(
        (weights > 0).sum() == 1 for weights in problem.rating_weight
    )


def score_parts(problem: Problem, plan: Plan) -> tuple[float, float] | None:
    """Weighted geometric means of throughputs and of speeds, over the reference machine's.

    ``None`` where a demand scenario is not the only one, or the score has one part alone.
    """
    if len(problem.probability) > 1 or not plan.score:
        return None
    rated, timed = problem.rating_weight[0], problem.capability_weight[0]
    if not rated.any() or not timed.any():
        return None
    gained = [
        1.0 if pick is None else run.reference_time_s / pick.time_s
        for run, pick in zip(problem.capabilities, plan.partitions, strict=True)
    ]
    counted = [theta if weight else 1.0 for theta, weight in zip(plan.ratings, rated, strict=True)]
    return (
        exp(float(product(rated, log(np.array(counted))) / rated.sum())),
        exp(float(product(timed, log(np.array(gained))) / timed.sum())),
    )


def less_throughput(result: ProcurementResult) -> Iterator[Finding]:
    """Where the machine does less of the mix than the reference machine, also as printed."""
    plan = result.plan
    if plan is None or not plan.score:
        return
    parts = score_parts(result.problem, plan)
    throughput = parts[0] if parts is not None else plan.score
    is_less = throughput < 1 and amount(throughput, "factor") != amount(1.0, "factor")
    if is_less and (parts is not None or is_mix(result.problem)):
        yield finding("confidence", "less-throughput", reference=(result.reference_name, "text"),
                      throughput=(throughput, "factor"))  # fmt: skip


def against_reference(result: ProcurementResult, plan: Plan) -> Finding:
    """What the score is, compared with that of the reference machine."""
    values: dict[str, tuple[Value, str]] = {
        "reference": (result.reference_name, "text"), "change": (plan.score - 1, "change"),
    }  # fmt: skip
    parts = score_parts(result.problem, plan)
    if parts is not None:
        values |= {"throughput": (parts[0], "factor"), "speed": (parts[1], "factor")}
        return finding("note", "reference-parts", **values)
    what = "mix" if is_mix(result.problem) else "several"
    return finding("note", "reference", what=(what, "score-of"), **values)
