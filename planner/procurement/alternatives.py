"""Plans nearly as good as the optimum, and as different from it and each other as possible.

The distance of two plans is half the sum over node types of the difference of money spent, over
the spend of the optimum: 0 for the same purchase, 1 where nothing is shared. Each alternative
maximises its least distance to the plans before it, under a floor on the score:

    maximise D,  D <= sum_o t_jo / 2  for each earlier plan j,
    t_jo <= (m_o - m_jo)/M + 2 U (1 - b_jo),  t_jo <= (m_jo - m_o)/M + 2 U b_jo,  b binary
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from planner.procurement.columns import Goal
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Outcome
from planner.procurement.plan import Plan
from planner.procurement.problem import Problem
from planner.procurement.program import Program
from solvers import Status
from solvers.portable import expm1, log1p

_DISTANCE_GAP = 0.05
_SLACK = 2e-5  # of log S: a plan may miss the tolerance by this amount


@dataclass(frozen=True)
class Alternative:
    """A plan that gives up a little and buys something else.

    Attributes
    ----------
    distance, distance_bound
        Least distance to the plans before it; no plan within the tolerance is farther than the
        bound.
    given_up
        Fraction of the optimal score that it gives up.
    """

    plan: Plan
    distance: float
    distance_bound: float
    given_up: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "distance": self.distance,
            "distance_bound": self.distance_bound,
            "given_up": self.given_up,
            "plan": self.plan.to_dict(),
        }


def spending(problem: Problem, plan: Plan) -> list[float]:
    """Money for the nodes of each offer."""
    spent = [0.0] * len(problem.offers)
    for purchase in plan.purchases:
        spent[purchase.offer] += purchase.nodes * purchase.unit_price
    return spent


def distance(problem: Problem, first: Plan, other: Plan, scale: float) -> float:
    """Half the summed differences of spending, over ``scale``."""
    pairs = zip(spending(problem, first), spending(problem, other), strict=True)
    return sum(abs(a - b) for a, b in pairs) / 2 / scale


def alternatives(
    optimiser: Optimiser, base: Outcome, *, within: float, count: int = 3
) -> list[Alternative]:
    """Up to ``count`` plans within a fraction of the optimum, each as different as can be."""
    if base.plan is None or base.objective is None:
        return []
    problem, floor = optimiser.problem, base.objective + log1p(-within)
    scale = sum(spending(problem, base.plan))
    earlier, found_alternatives = [base.plan], []
    for _ in range(count):
        extend = _Farthest(problem, earlier, scale)
        outcome = optimiser.variant(problem, gap=_DISTANCE_GAP).solve(
            Goal.GIVEN, floor=floor, slack=_SLACK, extend=extend, method="alternative"
        )
        if outcome.plan is None or outcome.status is Status.INFEASIBLE:
            break
        reached = min(distance(problem, outcome.plan, plan, scale) for plan in earlier)
        if reached < 1e-3:
            break
        bound = -(outcome.bound if outcome.bound is not None else -1.0)
        given_up = -expm1(outcome.plan.objective - base.objective)
        found_alternatives.append(Alternative(outcome.plan, reached, max(bound, reached), given_up))
        earlier.append(outcome.plan)
    return found_alternatives


@dataclass(frozen=True)
class _Farthest:
    """Adds the distance to earlier plans and maximises the least.

    gap_i_o is at most the difference to plan i in the money for offer o: more_i_o where more is
    spent (above_i_o is 0), less_i_o where less is. distance_i: least <= half the sum of the gaps.
    """

    problem: Problem
    earlier: Sequence[Plan]
    scale: float

    def __call__(self, program: Program) -> None:
        maximum = [
            max(t.price for t in offer.tiers) * count / self.scale
            for offer, count in zip(self.problem.offers, program.most, strict=True)
        ]
        farthest = sum(maximum) + max(sum(spending(self.problem, plan)) for plan in self.earlier)
        minimum = program.column("least", cost=-1.0, upper=farthest / 2 + 1)
        for i, plan in enumerate(self.earlier):
            terms = []
            for offer_index, money in enumerate(program.columns.offer_money):
                spent = spending(self.problem, plan)[offer_index] / self.scale
                gap = program.column(f"gap_{i}_{offer_index}")
                above = program.column(f"above_{i}_{offer_index}", upper=1.0, integer=True)
                share = [(c, v * self.problem.money_unit / self.scale) for c, v in money]
                far = 2 * (spent + maximum[offer_index])
                more = [(gap, 1.0), *((c, -v) for c, v in share), (above, far)]
                program.row(f"more_{i}_{offer_index}", more, upper=far - spent)
                less = [(gap, 1.0), *share, (above, -far)]
                program.row(f"less_{i}_{offer_index}", less, upper=spent)
                terms.append((gap, -0.5))
            program.row(f"distance_{i}", [(minimum, 1.0), *terms], upper=0.0)
