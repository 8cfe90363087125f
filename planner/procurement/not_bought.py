"""Why each quote is not bought: the first of several kinds of reason that holds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.formatting import percent, percent_range, words
from planner.procurement.deciding import Deciding
from planner.procurement.findings import label_of, labels
from planner.procurement.layout import Layout, layout
from planner.procurement.losing_quotes import LosingQuote
from planner.procurement.problem import REGIME_NAMES, Floats, Problem
from planner.procurement.replaced import modes_in_use, replacing, tiers_in_reach
from planner.procurement.rules import RESOURCE_WORDS

if TYPE_CHECKING:
    from planner.procurement.result import ProcurementResult

_MOST_RULES = 3
_EQUAL = 1e-9


@dataclass(frozen=True)
class NotBought:
    """A quote that the plan does not buy, and the reason.

    Attributes
    ----------
    label
        Its name in tables and sentences.
    reason
        In words, without a full stop.
    rules
        The rules without each of which every best plan buys it, as in
        :mod:`planner.procurement.rules`.
    """

    name: str
    label: str
    vendor: str
    reason: str
    rules: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self) | {"rules": list(self.rules)}


def not_bought(study: ProcurementResult) -> tuple[NotBought, ...]:
    """Every quote that is not bought, in the order of the quotes; none where there is no plan."""
    if study.plan is None:
        return ()
    problem, lay = study.problem, layout(study.problem)
    bought = sorted({purchase.offer for purchase in study.plan.purchases})
    tested = {quote.name: quote for quote in study.losing_quotes}
    offers = {offer.name: index for index, offer in enumerate(problem.offers)}
    reasons = {exclusion.name: f"excluded: {exclusion.reason}" for exclusion in problem.excluded}
    replaced = never_better(problem, lay, bought)
    rules = {name: [found for found in study.deciding if name in found.quotes] for name in offers}
    for name, index in offers.items():
        if index not in bought and name not in reasons:
            reasons[name] = (
                _by_discount(tested.get(name), replaced.get(index, ""))
                or _by_equal_score(study, index)
                or replaced.get(index, "")
                or _by_rule(rules[name])
                or _by_figures(study, lay, index)
            )
    return tuple(
        NotBought(
            node_type.name,
            _label(study, node_type.name),
            node_type.vendor or "",
            reasons[node_type.name],
            tuple(found.rule for found in rules.get(node_type.name, ())),
        )
        for node_type in study.scenario.node_types
        if node_type.name in reasons
    )


def never_better(problem: Problem, lay: Layout, bought: Collection[int]) -> dict[int, str]:
    """Why some quotes never make any plan better, by offer."""
    names = labels(problem)
    reasons = {
        index: (
            f"never better: {names[other]} is at least as good in price, charged power and every "
            "performance"
        )
        for index, other in replaced_by(problem, lay, bought).items()
    }
    for index, offer in enumerate(problem.offers):
        if index not in bought and not offer.barred and _runs_nothing(problem, lay, index):
            reasons[index] = f"does none of the rated work under {REGIME_NAMES[problem.regime]}"
    return reasons


def replaced_by(problem: Problem, lay: Layout, bought: Collection[int]) -> dict[int, int]:
    """The quote that can replace another one in every plan, if possible one that is bought.

    Equal quotes that are not bought are replaced by the first one of them.
    """
    every, offers = replacing(problem, lay), range(len(problem.offers))
    order = (*bought, *(other for other in offers if other not in bought))

    def explains(other: int, index: int) -> bool:
        first = other in bought or other < index or not every.replaces(index, other)
        return other != index and first and every.replaces(other, index)

    found = {
        index: next((other for other in order if explains(other, index)), None)
        for index in offers
        if index not in bought and not problem.offers[index].barred
    }
    direct = {index: other for index, other in found.items() if other is not None}

    def root(other: int) -> int:
        return root(direct[other]) if other in direct else other

    return {index: root(other) for index, other in direct.items()}


def _runs_nothing(problem: Problem, lay: Layout, index: int) -> bool:
    modes = modes_in_use(problem, lay, index)
    return not problem.merit[modes].any() and not any(
        partition.mode in modes for run in problem.capabilities for partition in run.partitions
    )


def _label(study: ProcurementResult, name: str) -> str:
    """The label as in all tables; an excluded quote is not among the offers and has its title."""
    if any(offer.name == name for offer in study.problem.offers):
        return label_of(study.problem, name)
    return study.scenario.node_type(name).title


def _by_discount(quote: LosingQuote | None, never: str) -> str:
    """The answer of a full run, unless the quote never makes a plan better; empty without one."""
    if quote is None:
        return ""
    if quote.certified_in is not None:
        pays = f"it pays from a discount of {percent(quote.certified_in, 'up')}"
        if quote.certified_out is None:
            return f"tied as far as the search can tell: {pays}, if not at the quoted price"
        return f"too expensive: {pays}"
    if never:
        return never
    if quote.certified_out is None:
        return "undecided: the search did not settle whether a discount makes it pay"
    why = RESOURCE_WORDS.get(quote.kept_out_by, quote.kept_out_by)
    return f"never pays, even at a discount of {percent(quote.certified_out)} (held back by {why})"


def _by_equal_score(study: ProcurementResult, index: int) -> str:
    """Why a quote of the best plan found is not in the plan that is chosen."""
    optimum = study.optimum.plan
    if optimum is None or index not in {purchase.offer for purchase in optimum.purchases}:
        return ""
    if study.by_heuristic:
        return f"the optimum buys it, {study.plan_name} does not"
    if study.plan is not None and optimum.total_cost > study.plan.total_cost * (1 + _EQUAL):
        return "tied in score: a plan that buys it scores the same, but costs more"
    if study.plan is not None and optimum.mean_it_w > study.plan.mean_it_w * (1 + _EQUAL):
        return "tied in score: a plan that buys it scores the same, but draws more power"
    return "tied: a plan that buys it scores and costs the same"


def _by_rule(rules: Sequence[Deciding]) -> str:
    """The rules each of which keeps the quote out."""
    if not rules:
        return ""
    some = " or without ".join(found.words for found in rules[:_MOST_RULES])
    return f"kept out by a rule: without {some}, the best plan buys it"


def _by_figures(study: ProcurementResult, lay: Layout, index: int) -> str:
    """The work per price and per watt, and the speed of single runs, compared with those bought."""
    problem, plan = study.problem, study.plan
    if plan is None or not plan.purchases:
        return _NO_FIGURES
    price = min((t.price for t in tiers_in_reach(problem, lay, index)), default=None)
    if price is None:
        return "too large: the limits of the site do not allow its least quantity, even alone"
    prices = {purchase.offer: purchase.unit_price for purchase in plan.purchases} | {index: price}
    used = [
        mode
        for mode, slot in enumerate(lay.mode_slot)
        if slot >= 0 and (lay.slot_offer[slot] == index or plan.nodes[slot] > 0)
    ]
    owner = problem.mode_offer[used]
    price_per_node = np.array([prices[int(offer)] for offer in owner])
    figures = {
        "of the work per unit of price": problem.merit[used] / price_per_node[:, None],
        "of the work per watt": problem.merit[used] / problem.mode_w[used][:, None],
        "of the speed of single runs": _speeds(problem, used),
    }
    compared = [
        f"{_ratios(work, owner == index)} {of_what}"
        for of_what, work in figures.items()
        if work[owner != index].any()
    ]
    return f"{words(compared)} of the types bought" if compared else _NO_FIGURES


_NO_FIGURES = "the best plan found does without it"


def _speeds(problem: Problem, modes: Sequence[int]) -> Floats:
    """One over the least time in each mode of each single run, ``(modes, capabilities)``."""
    speeds = np.zeros((len(modes), len(problem.capabilities)))
    for column, capability in enumerate(problem.capabilities):
        for partition in capability.partitions:
            if partition.mode in modes:
                row = modes.index(partition.mode)
                speeds[row, column] = max(speeds[row, column], 1 / partition.time_s)
    return speeds


def _ratios(work: Floats, mine: NDArray[np.bool_]) -> str:
    """What a quote does of each workload over the best of the types bought: least to largest."""
    theirs = work[~mine].max(axis=0)
    ratios = work[mine].max(axis=0)[theirs > 0] / theirs[theirs > 0]
    return percent_range(float(ratios.min()), float(ratios.max()), places=1)
