"""How much cheaper a losing quote must become to be worth buying.

A plan that is forced to hold the quote is compared with the best plan without it. It must hold
at least the minimum quantity, and nodes worth 5 % of the best plan's spend at the quoted price:
a fixed number, so that more discount never hurts the forced plan, and the question can be
bisected. Each answer is certified: *out* at a discount where even the bound of the
forced plan stays below the best plan without it, *in* where the forced plan found is at least
the bound without it.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from planner.procurement.optimise import Optimiser, Outcome
from planner.procurement.problem import Problem
from planner.procurement.program import Program
from planner.procurement.worth import dual_slopes

LARGEST_DISCOUNT = 0.95
LEAST_SHARE = 0.05
STEPS = 8


@dataclass(frozen=True)
class LosingQuote:
    """One quote that is not bought.

    Attributes
    ----------
    certified_out, certified_in
        Discounts (fractions): at the first it certainly does not pay, at the second it does.
        ``certified_in`` is ``None`` if it never does up to 95 %.
    kept_out_by
        For a quote that never enters: the resource that binds most when it is forced in, or
        why there is no plan with it at all.
    held
        Nodes that the plan with the quote had to hold.
    """

    name: str
    vendor: str
    certified_out: float | None
    certified_in: float | None
    kept_out_by: str
    held: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def losing_quotes(optimiser: Optimiser, base: Outcome, steps: int = STEPS) -> list[LosingQuote]:
    """Every offer of which the optimum buys none."""
    if base.plan is None or base.objective is None or base.bound is None:
        return []
    bought = {each.offer for each in base.plan.purchases}
    return [
        _bisect(optimiser, base, place, steps)
        for place in range(len(optimiser.problem.offers))
        if place not in bought
    ]


def _bisect(optimiser: Optimiser, base: Outcome, place: int, steps: int) -> LosingQuote:
    offer = optimiser.problem.offers[place]
    held = least_held(optimiser.problem, base, place)
    out: float | None = None
    cheapest = _forced(optimiser, place, held, LARGEST_DISCOUNT)
    if not _pays(cheapest, base):
        why = _kept_out_by(optimiser.problem, cheapest)
        out = LARGEST_DISCOUNT if _fails(cheapest, base) else None
        return LosingQuote(offer.name, offer.vendor, out, None, why, held)
    paying, low, high = LARGEST_DISCOUNT, 0.0, LARGEST_DISCOUNT
    for _ in range(steps):
        middle = (low + high) / 2
        outcome = _forced(optimiser, place, held, middle)
        if _pays(outcome, base):
            paying = high = middle
        elif _fails(outcome, base):
            out = low = middle
        else:  # closer than the gap: look on both sides of it
            high = (middle + high) / 2 if high - middle > 2 * (middle - low) else middle
    if out is None:
        out = 0.0 if _fails(_forced(optimiser, place, held, 0.0), base) else None
    return LosingQuote(offer.name, offer.vendor, out, paying, "", held)


def least_held(problem: Problem, base: Outcome, place: int) -> int:
    """Nodes that a plan with the quote must hold."""
    offer = problem.offers[place]
    spent = sum(p.nodes * p.unit_price for p in base.plan.purchases) if base.plan else 0.0
    return max(offer.least, math.ceil(LEAST_SHARE * spent / offer.tiers[0].price))


def _pays(outcome: Outcome, base: Outcome) -> bool:
    return outcome.objective is not None and outcome.objective >= (base.bound or 0.0)


def _fails(outcome: Outcome, base: Outcome) -> bool:
    if outcome.plan is None and outcome.certificate.status.value == "infeasible":
        return True
    return outcome.bound is not None and outcome.bound < (base.objective or 0.0)


def _forced(optimiser: Optimiser, place: int, held: int, discount: float) -> Outcome:
    problem = discounted(optimiser.problem, place, discount)

    def hold(program: Program) -> None:
        program.row(program.columns.offer_nodes[place], lower=float(held))

    return optimiser.variant(problem).solve(extend=hold, method="forced")


def discounted(problem: Problem, place: int, discount: float) -> Problem:
    """The problem with one quote cheaper by a fraction."""
    offer = problem.offers[place]
    tiers = tuple(replace(tier, price=tier.price * (1 - discount)) for tier in offer.tiers)
    offers = list(problem.offers)
    offers[place] = replace(offer, tiers=tiers)
    return replace(problem, offers=tuple(offers))


def _kept_out_by(problem: Problem, outcome: Outcome) -> str:
    if outcome.plan is None:
        return "no plan can hold it"
    slopes = dual_slopes(outcome, integers_fixed=False)
    pulls = {
        name: slope * getattr(problem.limits, name) for name, slope in slopes.items() if slope > 0
    }
    return max(pulls, key=lambda name: pulls[name]) if pulls else "nothing: it is dominated"
