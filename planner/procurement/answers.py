"""The facts that answer the questions about a plan, each on the page of its question."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from planner.finding import Fact, finding, in_cell
from planner.procurement.gains import gain
from planner.procurement.heuristics import BID
from planner.procurement.labels import label_of
from planner.procurement.marginal_value import ScoreChange
from planner.procurement.rows import bar

if TYPE_CHECKING:
    from planner.procurement.compared import Compared
    from planner.procurement.result import ProcurementResult

_TIE = 1e-9
_SOME = 1e-6
"""A smaller share of the capital is rounding."""


def _money(result: ProcurementResult) -> str:
    return f"money {result.problem.prices.currency}"


def _purchased(result: ProcurementResult) -> Iterator[Fact]:
    """How many nodes are bought, what they and the rest cost, and when all are delivered."""
    plan = result.plan
    if plan is None or not plan.purchases:
        return
    yield Fact("nodes", sum(lot.nodes for lot in plan.purchases), "count")
    price = math.fsum(lot.nodes * lot.unit_price for lot in plan.purchases)
    yield Fact("nodes_price", price, _money(result))
    if plan.bill.capital - price > _SOME * plan.bill.capital:
        yield Fact("others_price", plan.bill.capital - price, _money(result))
    days = [result.delivered_on(lot.name) for lot in plan.purchases]
    known = [day for day in days if day is not None]
    if len(known) == len(days):
        yield Fact("last_delivery", str(max(known)), "date")


def _left_out(result: ProcurementResult) -> Iterator[Fact]:
    """How many quotes are not bought."""
    if result.plan is None:
        return
    quotes = result.scenario.node_types
    bought = {lot.name for lot in result.plan.purchases}
    yield Fact("quotes", len(quotes), "count")
    yield Fact("not_bought", len(quotes) - len(bought), "count")
    if result.problem.excluded:
        yield Fact("excluded", len(result.problem.excluded), "count")


def _ranked(result: ProcurementResult) -> Iterator[Fact]:
    """Who ranks first, by how much, and which weights decide that."""
    if result.ranking is None or len(result.ranking.candidates) < 2:
        return
    best, *others = result.ranking.candidates
    tied = [each.name for each in others if each.total >= best.total - _TIE]
    yield Fact("ranks_first", (best.name, *tied), "method")
    if not tied:
        yield Fact("lead", best.total - others[0].total, "score")
    moves = tuple(
        each.criterion
        for each in result.ranking.reversals
        if len({name for _, _, name in each.winners}) > 1
    )
    yield Fact("first_changes", moves or "none", "criterion")


def _gained(result: ProcurementResult) -> Iterator[Fact]:
    """What overprovisioning gains over both other regimes, and what worst-case would cost."""
    worst = gain(result.regimes, "worst-case")
    if worst is not None and math.isfinite(worst.high):
        than = finding("note", "over-worst-case")
        yield Fact("gain", (worst.low, worst.high), "interval:certain change", than)
    static = gain(result.regimes, "static")
    if static is not None and math.isfinite(static.high):
        yield Fact("gain_static", (static.low, static.high), "interval:certain change")
    other = result.regimes.get("worst-case")
    if other is not None and other.plan is not None:
        yield Fact("worst_case_capital", other.plan.bill.capital, _money(result))


def _worth(result: ProcurementResult) -> Iterator[Fact]:
    """What the largest rise of each limit certainly does for the score."""
    rises = sorted((e for e in result.marginal_values if e.change > 0), key=lambda e: e.change)
    largest = {effect.resource: effect for effect in rises}
    idle = []
    for name, effect in largest.items():
        low, high = effect.low, effect.high
        if effect.score_change is not ScoreChange.CHANGES or low is None or high is None:
            idle.append(name)
            continue
        by = finding("note", "for-change", change=(effect.change, "change"))
        yield Fact(f"more_{name}", (low, high), "interval:certain change", by)
    if idle:
        yield Fact("no_effect", tuple(idle), "resource")


def _different(result: ProcurementResult) -> Iterator[Fact]:
    """How many other plans are nearly as good, what they give up, how different they are."""
    if result.alternatives:
        yield Fact("alternatives", len(result.alternatives), "count")
        most = max(each.given_up for each in result.alternatives)
        yield Fact("given_up", max(0.0, most), "share")
        yield Fact("distance", max(each.distance for each in result.alternatives), "share")


def _cheaper(result: ProcurementResult) -> Iterator[Fact]:
    """The least discount that makes a losing quote pay."""
    pays = {
        label_of(result.problem, each.name): each.certified_in
        for each in result.losing_quotes
        if each.certified_in is not None
    }
    if pays:
        least = min(pays.values())
        yield Fact("least_discount", least, "share at most")
        first = tuple(label for label, discount in pays.items() if discount == least)
        yield Fact("pays_first", first, "text")
    if result.losing_quotes:
        yield Fact("never_pay", len(result.losing_quotes) - len(pays), "count")


def _over_grid(result: ProcurementResult) -> Iterator[Fact]:
    """Between which ends the gain of overprovisioning lies over all budgets and powers."""
    gains = [cell.gain for cell in result.cells if cell.gain is not None]
    if gains:
        yield Fact("cells", len(gains), "count")
        yield Fact("cell_gains", (min(gains), max(gains)), "interval:change")


def _front(result: ProcurementResult) -> Iterator[Fact]:
    """How far the plans on the front reach."""
    points = result.pareto
    if points:
        capital, score = ([getattr(each, key) for each in points] for key in ("capital", "score"))
        yield Fact("front_plans", len(points), "count")
        yield Fact("front_capital", (min(capital), max(capital)), f"interval:{_money(result)}")
        yield Fact("front_score", (min(score), max(score)), "interval:number")


def _sensitive(result: ProcurementResult) -> Iterator[Fact]:
    """The input that moves the best score most, and how many change the node types.

    Without a plan at one of its ends an input moves the score more than any other.
    """
    if result.tornado and all(math.isfinite(each.swing) for each in result.tornado):
        widest = max(result.tornado, key=lambda each: each.swing)
        says = replace(in_cell(bar(result.problem, widest)["input"]), severity="note")
        yield Fact("widest", widest.swing, "score", says)
    if result.tornado:
        yield Fact("inputs_tried", len(result.tornado), "count")
        yield Fact("types_change", sum(each.types_change for each in result.tornado), "count")


def _next_best(result: ProcurementResult) -> Iterator[Fact]:
    """The best simpler method and the best quoted system of those that break no rule."""
    sound = [each for each in result.heuristics if not each.wrong and each.plan.score > 0]
    quoted = [each for each in sound if each.plan.method.startswith(BID)]
    simpler = [each for each in sound if each not in quoted]
    for key, every in (("simpler", simpler), ("quoted", quoted)):
        if result.plan is not None and every:
            yield from _best(key, every)


def _best(key: str, every: list[Compared]) -> Iterator[Fact]:
    best = max(every, key=lambda each: each.plan.score)
    tied = [e.plan.method for e in every if e.plan.score >= best.plan.score * (1 - _TIE)]
    yield Fact(key, tuple(tied), "method")
    if best.below_optimum is not None:
        yield Fact(f"{key}_below", min(0.0, -best.below_optimum), "change")


def _changes(result: ProcurementResult) -> Iterator[Fact]:
    """How many changes would make a plan."""
    diagnosis = result.diagnosis
    if diagnosis is not None:
        yield Fact("repairs", len((*diagnosis.useful, *diagnosis.repairs)), "count")
        yield Fact("ways", len(diagnosis.ways), "count")


_ANSWERS: Mapping[str, Callable[[ProcurementResult], Iterator[Fact]]] = {
    "infeasible": _changes,
    "purchase": _purchased,
    "not_bought": _left_out,
    "ranking": _ranked,
    "alternatives": _different,
    "losing_quotes": _cheaper,
    "regimes": _gained,
    "budget_power_grid": _over_grid,
    "marginal_values": _worth,
    "pareto": _front,
    "tornado": _sensitive,
    "compared": _next_best,
}


def to_question(name: str, result: ProcurementResult) -> Iterator[Fact]:
    """The facts that answer a question; none where its page has other answers."""
    answer = _ANSWERS.get(name)
    return iter(()) if answer is None else answer(result)
