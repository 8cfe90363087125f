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
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from planner.procurement.groups import Group
from planner.procurement.infeasible import allows
from planner.procurement.marginal_value import dual_slopes
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Outcome
from planner.procurement.problem import Problem
from planner.procurement.program import Program
from planner.procurement.quantities import MOST_NODES, most_nodes
from planner.procurement.rules import STOCK, groups
from solvers import Status

LARGEST_DISCOUNT = 0.95
LEAST_SHARE = 0.05
STEPS = 8
_TIE = 1e-9


@dataclass(frozen=True)
class LosingQuote:
    """One quote that is not bought.

    Attributes
    ----------
    certified_out, certified_in
        Discounts (fractions): at the first it certainly does not pay, at the second it does.
        ``certified_in`` is ``None`` if it never does up to 95 %.
    kept_out_by
        For a quote that never enters: a rule without which it does, found by solving again. If no
        plan can hold it: the rules that exclude it, each by itself.
    held
        Nodes that the plan with the quote had to hold.
    can_be_held
        Whether any plan can hold that many, at a discount of 95 %; ``None`` where the search ended
        before that was known.
    """

    name: str
    vendor: str
    certified_out: float | None
    certified_in: float | None
    kept_out_by: tuple[str, ...]
    held: int
    can_be_held: bool | None = True

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self) | {"kept_out_by": list(self.kept_out_by)}


def losing_quotes(optimiser: Optimiser, base: Outcome, steps: int = STEPS) -> list[LosingQuote]:
    """Every offer on free sale of which the optimum buys none."""
    if base.plan is None or base.objective is None or base.bound is None:
        return []
    bought = {purchase.offer for purchase in base.plan.purchases}
    return [
        _bisect(optimiser, base, index, steps)
        for index in optimiser.problem.free_offers
        if index not in bought
    ]


def _bisect(optimiser: Optimiser, base: Outcome, offer_index: int, steps: int) -> LosingQuote:
    offer = optimiser.problem.offers[offer_index]
    held_nodes = least_held(optimiser.problem, base, offer_index)
    cheapest = _forced(optimiser, None, offer_index, held_nodes, LARGEST_DISCOUNT)
    if not _pays(cheapest, base):
        why = _kept_out_by(optimiser, cheapest, offer_index, held_nodes)
        out = LARGEST_DISCOUNT if _fails(cheapest, base) else None
        can_be_held = _can_be_held(cheapest)
        return LosingQuote(offer.name, offer.vendor, out, None, why, held_nodes, can_be_held)
    search = _Search(optimiser, base, offer_index, held_nodes)
    search.close_in(steps)
    if search.out == 0.0 and not _fails(
        _forced(optimiser, base, offer_index, held_nodes, 0.0), base
    ):
        return LosingQuote(offer.name, offer.vendor, None, search.paying, (), held_nodes)
    return LosingQuote(offer.name, offer.vendor, search.out, search.paying, (), held_nodes)


@dataclass
class _Search:
    """Bisection; where the gap leaves it open, on both sides of the open range."""

    optimiser: Optimiser
    base: Outcome
    place: int
    held: int
    out: float = 0.0
    paying: float = LARGEST_DISCOUNT

    def close_in(self, steps: int) -> None:
        """Move both ends together until the gap hides the rest."""
        for _ in range(steps):
            middle = (self.out + self.paying) / 2
            if self._certain(middle) is None:
                break
        else:
            return
        low = high = middle
        for _ in range(steps // 2):
            lower, upper = (self.out + low) / 2, (high + self.paying) / 2
            low = lower if self._certain(lower) is None else low
            high = upper if self._certain(upper) is None else high

    def _certain(self, discount: float) -> bool | None:
        """Whether it pays, if that is certain; an end moves then."""
        outcome = _forced(self.optimiser, self.base, self.place, self.held, discount)
        if _pays(outcome, self.base):
            self.paying = min(self.paying, discount)
            return True
        if _fails(outcome, self.base):
            self.out = max(self.out, discount)
            return False
        return None


def least_held(problem: Problem, base: Outcome, offer_index: int) -> int:
    """Nodes that a plan with the quote must hold."""
    offer = problem.offers[offer_index]
    spent = sum(p.nodes * p.unit_price for p in base.plan.purchases) if base.plan else 0.0
    for tier in offer.tiers:  # a discount of quantity takes more nodes for the same money
        nodes = max(tier.first, math.ceil(LEAST_SHARE * spent / tier.price))
        nodes = -(-nodes // offer.sold_in) * offer.sold_in
        if nodes <= tier.last:
            return nodes
    return max(offer.least, offer.most)  # of a small stock, all of it


def _pays(outcome: Outcome, base: Outcome) -> bool:
    return _reached(outcome.objective, base)


def _fails(outcome: Outcome, base: Outcome) -> bool:
    if _can_be_held(outcome) is False:
        return True
    return _missed(outcome.bound, base)


def _reached(value: float | None, base: Outcome) -> bool:
    return value is not None and value >= (base.bound or 0.0) - _TIE


def _can_be_held(outcome: Outcome) -> bool | None:
    if outcome.plan is not None:
        return True
    return False if outcome.status is Status.INFEASIBLE else None


def _missed(bound: float | None, base: Outcome) -> bool:
    return bound is not None and bound < (base.objective or 0.0)


def _forced(
    optimiser: Optimiser, base: Outcome | None, offer_index: int, held_nodes: int, discount: float
) -> Outcome:
    """The best plan that holds the quote; with ``base``, only until it is known whether it pays."""
    problem = discounted(optimiser.problem, offer_index, discount)

    def known(value: float | None, bound: float | None) -> bool:
        return base is not None and (_reached(value, base) or _missed(bound, base))

    return optimiser.variant(problem).solve(
        extend=_holding(offer_index, held_nodes), method="forced", stop=known
    )


def _holding(offer_index: int, held_nodes: int) -> Callable[[Program], None]:
    """Require ``held_nodes`` nodes of one offer."""

    def hold(program: Program) -> None:
        program.row(
            f"held_{offer_index}", program.columns.offer_nodes[offer_index], lower=float(held_nodes)
        )

    return hold


def discounted(problem: Problem, offer_index: int, discount: float) -> Problem:
    """The problem with one quote cheaper by a fraction.

    Shares of spend stay those at quoted prices: else a cheaper quote could miss its share.
    """
    offer = problem.offers[offer_index]
    tiers = tuple(replace(tier, price=tier.price * (1 - discount)) for tier in offer.tiers)
    offers = list(problem.offers)
    quoted = offer.quoted / (1 - discount)
    offers[offer_index] = replace(offer, tiers=tiers, quoted=quoted)
    return replace(problem, offers=tuple(offers))


def _kept_out_by(
    optimiser: Optimiser, outcome: Outcome, offer_index: int, held_nodes: int
) -> tuple[str, ...]:
    """A rule without which the quote pays at the largest discount, by solving again without it.

    The resource of which one node takes most, at its marginal value, is tried first.
    """
    problem = optimiser.problem
    if _can_be_held(outcome) is None:
        return ()
    if outcome.plan is None:
        return _against(optimiser, offer_index, held_nodes)
    pulls = _pulls(problem, outcome, offer_index)
    rules = sorted(
        _rules(problem), key=lambda rule: -pulls.get(rule.name.removeprefix("limit: "), 0.0)
    )
    for rule in rules:
        relaxed = rule.relaxed(problem)
        trial = Optimiser(relaxed, optimiser.options, optimiser.pool, optimiser.ledger)
        if max(most_nodes(relaxed, trial.layout)) < MOST_NODES and _entered(
            trial, offer_index, held_nodes
        ):
            trial.close()
            return (rule.name,)
        trial.close()
    return ()


def _rules(problem: Problem) -> list[Group]:
    """Rules that may keep a quote out: what else is on offer is none."""
    return [group for group in groups(problem) if group.name != STOCK]


def _entered(optimiser: Optimiser, offer_index: int, held_nodes: int) -> bool:
    """Whether a quote certainly pays at the largest discount under the rules that are left."""
    base = optimiser.solve(method="without a rule")
    if base.bound is None:
        return False
    return _pays(_forced(optimiser, base, offer_index, held_nodes, LARGEST_DISCOUNT), base)


def _pulls(problem: Problem, outcome: Outcome, offer_index: int) -> dict[str, float]:
    """What one node of a quote takes of each resource, at its marginal value in log S."""
    offer, prices = problem.offers[offer_index], problem.prices
    watts = {"it_power_w": offer.peak_w, f"{offer.cooling}_w": offer.peak_w}
    price = offer.tiers[-1].price * (1 - LARGEST_DISCOUNT)
    mean_w = offer.idle_w + prices.utilisation * (offer.peak_w - offer.idle_w)
    year = price * prices.maintenance + mean_w * prices.energy_per_w(prices.binding_energy_price)
    takes = watts | {
        "capital": price * (1 + prices.installation),
        "operating": year,
        "racks": 1 / (offer.nodes_per_rack or 10**9),
    }
    slopes = dual_slopes(outcome, integers_fixed=False)
    return {name: slopes.get(name, 0.0) * use for name, use in takes.items()}


def _against(optimiser: Optimiser, offer_index: int, held_nodes: int) -> tuple[str, ...]:
    """Why no plan can hold a quote, however cheap: rules, each of which alone keeps it out."""
    problem = discounted(optimiser.problem, offer_index, LARGEST_DISCOUNT)
    other, hold = optimiser.variant(problem), _holding(offer_index, held_nodes)
    return tuple(group.name for group in _rules(problem) if allows(other, [group], extend=hold))
