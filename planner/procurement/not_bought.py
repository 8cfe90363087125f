"""Why each quote is not bought: the first of several kinds of reason that holds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.procurement.labels import label_of
from planner.procurement.layout import Layout, layout
from planner.procurement.losing_quotes import LosingQuote
from planner.procurement.problem import Floats, Problem
from planner.procurement.replaced import modes_in_use, replacing, tiers_in_reach

if TYPE_CHECKING:
    from planner.procurement.result import ProcurementResult

_EQUAL = 1e-9
Range = tuple[float, float]


@dataclass(frozen=True)
class NotBought:
    """A quote that the plan does not buy, and the reason.

    Attributes
    ----------
    label
        Its name in tables and sentences.
    reason
        ``excluded``, ``replaced`` (never better than ``other``), ``idle`` (does none of the rated
        work), ``discount`` (pays from ``discount`` on), ``tied discount`` (the same, and perhaps at
        the quoted price), ``never`` (not even at ``discount``), ``undecided``, ``tied cost`` and
        ``tied power`` (a plan of the same score buys it, but costs or draws more), ``tied``,
        ``heuristic`` (the optimum buys it), ``package not bought`` (it is sold in a package
        that is not bought), ``rule`` (every best plan without one of ``rules`` buys
        it), ``too large`` (its least quantity breaks a limit) or ``figures``.
    rules
        Rules that decide about it or exclude it, as in :mod:`planner.procurement.rules`.
    work_per_price, work_per_watt, speed
        Its work, and the speed of single runs, over those of the best type bought: the least and
        the largest of all workloads.
    """

    name: str
    label: str
    vendor: str
    reason: str
    rules: tuple[str, ...] = ()
    other: str | None = None
    discount: float | None = None
    work_per_price: Range | None = None
    work_per_watt: Range | None = None
    speed: Range | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self) | {"rules": list(self.rules)}


def outdone(quote: NotBought) -> bool:
    """Whether types that are bought do more of every workload, both per price and per watt."""
    shares = (quote.work_per_price, quote.work_per_watt)
    return all(share is not None and share[1] < 1 for share in shares)


def deciding(quote: NotBought) -> str:
    """The reason, where the figures are one the figure that decides."""
    if quote.reason != "figures" or not outdone(quote):
        return quote.reason
    return "outdone fast" if quote.speed is not None and quote.speed[1] > 1 else "outdone"


Why = dict[str, Any]
"""The reason, and what belongs to it."""


def not_bought(study: ProcurementResult) -> tuple[NotBought, ...]:
    """Every quote that is not bought, in the order of the quotes; none where there is no plan."""
    if study.plan is None:
        return ()
    problem, lay = study.problem, layout(study.problem)
    bought = sorted({purchase.offer for purchase in study.plan.purchases})
    tested = {quote.name: quote for quote in study.losing_quotes}
    offers = {offer.name: index for index, offer in enumerate(problem.offers)}
    reasons: dict[str, Why] = {
        exclusion.name: {"reason": "excluded", "rules": exclusion.rules}
        for exclusion in problem.excluded
    }
    replaced = never_better(problem, lay, bought)
    for name, index in offers.items():
        offer = problem.offers[index]
        if offer.package is not None:
            if index not in bought and not offer.carrier:
                reasons.setdefault(name, {"reason": "package not bought"})
        elif index not in bought and name not in reasons:
            rules = tuple(found.rule for found in study.deciding if name in found.quotes)
            never: Why = {}
            if index in replaced:
                other = replaced[index]
                never = {"reason": "idle"} if other is None else {
                    "reason": "replaced", "other": label_of(problem, problem.offers[other].name),
                }  # fmt: skip
            reasons[name] = (
                _by_discount(tested.get(name), never)
                or _by_equal_score(study, index)
                or never
                or ({"reason": "rule"} if rules else {})
                or _by_figures(study, lay, index)
            ) | {"rules": rules}
    return tuple(
        NotBought(
            node_type.name,
            _label(study, node_type.name),
            node_type.vendor or "",
            **reasons[node_type.name],
        )
        for node_type in study.scenario.node_types
        if node_type.name in reasons
    )


def never_better(problem: Problem, lay: Layout, bought: Collection[int]) -> dict[int, int | None]:
    """Quotes that never make any plan better, each with the one that replaces it.

    ``None`` stands for a quote that does none of the rated work under the regime.
    """
    others: dict[int, int | None] = dict(replaced_by(problem, lay, bought))
    for index, offer in enumerate(problem.offers):
        free = offer.package is None and not offer.barred
        if index not in bought and free and _runs_nothing(problem, lay, index):
            others[index] = None
    return others


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
        if index not in bought
        and not problem.offers[index].barred
        and problem.offers[index].package is None
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


def _by_discount(quote: LosingQuote | None, never: Why) -> Why:
    """The answer of a full run, unless the quote never makes a plan better; empty without one."""
    if quote is None:
        return {}
    if quote.certified_in is not None:
        tied = quote.certified_out is None
        return {"reason": "tied discount" if tied else "discount", "discount": quote.certified_in}
    if never:
        return never
    if quote.certified_out is None:
        return {"reason": "undecided"}
    return {"reason": "never", "discount": quote.certified_out}


def _by_equal_score(study: ProcurementResult, index: int) -> Why:
    """Why a quote of the best plan found is not in the plan that is chosen."""
    optimum, plan = study.optimum.plan, study.plan
    if optimum is None or index not in {purchase.offer for purchase in optimum.purchases}:
        return {}
    if study.by_heuristic:
        return {"reason": "heuristic"}
    if plan is not None and optimum.total_cost > plan.total_cost * (1 + _EQUAL):
        return {"reason": "tied cost"}
    if plan is not None and optimum.mean_it_w > plan.mean_it_w * (1 + _EQUAL):
        return {"reason": "tied power"}
    return {"reason": "tied"}


def _by_figures(study: ProcurementResult, lay: Layout, index: int) -> Why:
    """The work per price and per watt, and the speed of single runs, compared with those bought."""
    problem, plan = study.problem, study.plan
    if plan is None or not plan.purchases:
        return {"reason": "figures"}
    price = min((t.price for t in tiers_in_reach(problem, lay, index)), default=None)
    if price is None:
        return {"reason": "too large"}
    prices = {purchase.offer: purchase.unit_price for purchase in plan.purchases} | {index: price}
    used = [
        mode
        for mode, slot in enumerate(lay.mode_slot)
        if slot >= 0 and int(lay.slot_offer[slot]) in prices
        and (lay.slot_offer[slot] == index or plan.nodes[slot] > 0)
    ]  # fmt: skip
    owner = problem.mode_offer[used]
    price_per_node = np.array([prices[int(offer)] for offer in owner])
    figures = {
        "work_per_price": problem.merit[used] / price_per_node[:, None],
        "work_per_watt": problem.merit[used] / problem.mode_w[used][:, None],
        "speed": _speeds(problem, used),
    }
    return {"reason": "figures"} | {
        name: _ratios(work, owner == index)
        for name, work in figures.items()
        if work[owner != index].any()
    }


def _speeds(problem: Problem, modes: Sequence[int]) -> Floats:
    """One over the least time in each mode of each single run, ``(modes, capabilities)``."""
    speeds = np.zeros((len(modes), len(problem.capabilities)))
    for column, capability in enumerate(problem.capabilities):
        for partition in capability.partitions:
            if partition.mode in modes:
                row = modes.index(partition.mode)
                speeds[row, column] = max(speeds[row, column], 1 / partition.time_s)
    return speeds


def _ratios(work: Floats, mine: NDArray[np.bool_]) -> Range:
    """What a quote does of each workload over the best of the types bought: least to largest."""
    theirs = work[~mine].max(axis=0)
    ratios = work[mine].max(axis=0)[theirs > 0] / theirs[theirs > 0]
    return float(ratios.min()), float(ratios.max())
