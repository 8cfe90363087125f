"""What reduced costs leave, as an integer program."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from solvers import certify
from solvers.choice.dominance import Filtered
from solvers.choice.outcome import Evidence
from solvers.choice.program import program, read_choice
from solvers.choice.relaxed import Base
from solvers.choice.request import Request

_NODES = 2_000
_MOST_ITEMS = 20_000
_ENGINE_GAP = 1e-6


def solve_residual(
    evidence: Evidence, remaining: Filtered, start: Base, least: Decimal, request: Request
) -> None:
    """Let HiGHS improve choice or bound among the items that reduced costs do not exclude.

    An item whose regret exceeds the distance of the best cost and ``least`` is in no better
    choice. HiGHS does not run for gaps that its tolerances cannot resolve.
    """
    if evidence.closed(_ENGINE_GAP):
        return
    keep = np.ones(len(remaining.cost), dtype=np.bool_)
    warm = None
    if evidence.cost is not None and evidence.chosen is not None:
        keep = start.regret <= float(evidence.cost - least)
        best = np.searchsorted(remaining.item, evidence.chosen)
        keep[best] = True
        warm = np.zeros(len(remaining.cost))
        warm[best] = 1.0
    if keep.sum() > _MOST_ITEMS:
        return
    limit_s = request.remaining_s()
    answer = certify.solve(
        program(remaining, keep),
        time_limit_s=limit_s,
        node_limit=_NODES if limit_s is None else None,
        gap=request.gap,
        seed=request.seed,
        start=None if warm is None else warm[keep],
        proof="auto" if request.exact and limit_s is None else "never",
    )
    # A choice with an item that was left out costs at least as much as the best known one.
    # Bounds are raised to that cost at most, so one of the rest holds for all.
    found = None if answer.x is None else remaining.item[read_choice(remaining, answer.x, keep)]
    evidence.learn(answer, found, exact=request.exact)
