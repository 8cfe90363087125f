"""Why each quote is not bought, as far as the study knows without solving anything more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.formatting import percent
from planner.procurement.dominance import figures_of_offer, no_worse
from planner.procurement.findings import label_of, labels
from planner.procurement.losing_quotes import LosingQuote
from planner.procurement.problem import Floats, Problem
from planner.procurement.rules import RESOURCE_WORDS

if TYPE_CHECKING:
    from planner.procurement.result import ProcurementResult

_LESS = 1 - 1e-9
"""A ratio below this is less than one, not rounding."""
_TIED = 0.005
"""Quotes that pay from a smaller discount are tied with those bought; half a per cent."""


@dataclass(frozen=True)
class NotBought:
    """A quote that the plan does not buy, and the reason.

    Attributes
    ----------
    label
        Its name in tables and sentences.
    reason
        In words, without a full stop.
    never_better
        Where it does less per money and per watt than the types bought, in every workload and
        under any cap: its largest shares of their work; else ``None``.
    """

    name: str
    label: str
    vendor: str
    reason: str
    never_better: tuple[float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        del plain["never_better"]  # the reason states it
        return plain


Reason = tuple[str, tuple[float, float] | None]
"""A reason in words, and the shares of :attr:`NotBought.never_better`."""


def not_bought(study: ProcurementResult) -> tuple[NotBought, ...]:
    """Every quote that is not bought, in the order of the quotes; none where there is no plan."""
    if study.plan is None:
        return ()
    problem = study.problem
    bought = sorted({purchase.offer for purchase in study.plan.purchases})
    tested = {quote.name: quote for quote in study.losing_quotes}
    reasons: dict[str, Reason] = {
        exclusion.name: (f"excluded: {exclusion.reason}", None) for exclusion in problem.excluded
    }
    for index, offer in enumerate(problem.offers):
        if index not in bought:
            by_price = _by_discount(tested.get(offer.name))
            reason = (by_price, None) if by_price else _by_figures(problem, index, bought)
            reasons.setdefault(offer.name, reason)
    return tuple(
        NotBought(
            node_type.name,
            _label(study, node_type.name),
            node_type.vendor or "",
            *reasons[node_type.name],
        )
        for node_type in study.scenario.node_types
        if node_type.name in reasons
    )


def _label(study: ProcurementResult, name: str) -> str:
    """The label as in all tables; an excluded quote is not among the offers and has its title."""
    if any(offer.name == name for offer in study.problem.offers):
        return label_of(study.problem, name)
    return study.scenario.node_type(name).title


def _by_discount(quote: LosingQuote | None) -> str:
    """The answer of a full run; empty where it was not computed."""
    if quote is None:
        return ""
    if quote.certified_in is not None:
        if quote.certified_in < _TIED:
            return "tied: it would cost almost no score to buy it at the quoted price"
        return f"too expensive: it pays from a discount of {percent(quote.certified_in, 'up')}"
    if quote.certified_out is None:
        return "undecided: the search did not settle whether a discount makes it pay"
    why = RESOURCE_WORDS.get(quote.kept_out_by, quote.kept_out_by)
    return f"never pays, even at a discount of {percent(quote.certified_out)} (held back by {why})"


def _by_figures(problem: Problem, index: int, bought: Sequence[int]) -> Reason:
    """The quoted figures compared with those of the other quotes, then with those bought."""
    words, shares = _dominated(problem, index, bought), None
    if not words and problem.workloads and bought:
        words, shares = _by_work(problem, index, bought)
    return words or "the best plan found does without it", shares


def _dominated(problem: Problem, index: int, bought: Sequence[int]) -> str:
    """Which other quote is as good in all figures, one that is bought first; empty if none is."""
    names = labels(problem)
    mine = figures_of_offer(problem, index)
    for other in (*bought, *range(len(problem.offers))):
        if other != index and not problem.offers[other].barred:
            theirs = figures_of_offer(problem, other)
            if theirs.shape == mine.shape and no_worse(theirs, mine):
                return f"{names[other]} is at least as good in price, power and every performance"
    return ""


def _by_work(problem: Problem, index: int, bought: Sequence[int]) -> Reason:
    """The work per money and per watt compared with that of the types bought."""
    ratios = [_compared(work, index, bought) for work in _work_per(problem)]
    (least_money, per_money), (least_watt, per_watt) = ratios
    money, watt = (percent(most, "up", places=1) for _, most in ratios)
    if max(per_money, per_watt) < _LESS:
        words = f"never better than the types bought: at most {money} of their work per unit of "
        return f"{words}money and {watt} per watt, under any cap", (per_money, per_watt)
    of_those = "of the types bought"
    if per_money < _LESS:
        return f"too expensive: at most {money} of the work per unit of money {of_those}", None
    if per_watt < _LESS:
        return f"too much power: at most {watt} of the work per watt {of_those}", None
    from_money, from_watt = (percent(least, "down", places=1) for least, _ in ratios)
    if min(least_money, least_watt) >= _LESS:
        return (
            f"kept out by other figures, limits or rules: at least {from_money} of the work per "
            f"unit of money and {from_watt} per watt {of_those}"
        ), None
    return (
        f"not better in every workload: {from_money} to {money} of the work per unit of money "
        f"and {from_watt} to {watt} per watt {of_those}"
    ), None


def _work_per(problem: Problem) -> Iterator[Floats]:
    """Work of each offer in each workload, per money and per watt, at the best cap of each."""
    price = np.array([min(tier.price for tier in offer.tiers) for offer in problem.offers])
    for per in (problem.merit / price[problem.mode_offer][:, None],
                problem.merit / problem.mode_w[:, None]):  # fmt: skip
        yield np.array(
            [
                per[problem.mode_offer == offer].max(axis=0, initial=0.0)
                for offer in range(len(problem.offers))
            ]
        )


def _compared(work: Floats, index: int, bought: Sequence[int]) -> tuple[float, float]:
    """Least and largest ratio over the workloads of an offer's work to the best of those bought."""
    best = work[list(bought)].max(axis=0)
    ratios = [mine / other for mine, other in zip(work[index], best, strict=True) if other > 0]
    return float(min(ratios, default=0.0)), float(max(ratios, default=0.0))
