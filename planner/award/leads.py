"""Why winners win: their leads, the parts of them, and what would take the award from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from planner.award.delivered_sheets import least_for_requirements
from planner.award.formulas import NoResultError
from planner.award.judge import PER_PRICE, Judged, Lot, judge
from planner.award.lots import decide
from planner.award.result import AwardResult
from planner.award.together import required_work
from planner.decimals import decimal
from planner.finding import Finding, finding
from scenarios.model.scenario import Budget


def rival(lot: Lot, winner: Judged) -> Judged | None:
    """The best package of another vendor that a winner is ahead of."""
    return next(iter(others_of(lot, winner)), None)


def others_of(lot: Lot, winner: Judged) -> list[Judged]:
    """The packages of other vendors that a winner is ahead of, best first."""
    vendor = winner.candidate.vendor
    return [each for each in lot.behind(winner) if each.candidate.vendor != vendor]


def _without_people(lot: Lot, judged: Judged) -> Fraction:
    """Points of a package for all but what evaluators judge."""
    pairs = zip(lot.scheme.criteria, judged.points, strict=True)
    return sum((points for each, points in pairs if each.value_from != "people"), Fraction(0))


def leads(result: AwardResult) -> Iterator[Finding]:
    """By how much each winner is ahead of the next vendor's package."""
    kinds = {
        "points": ("leads", result.points_unit), "points_per_price": ("quotient-leads", "value"),
    }  # fmt: skip
    found = [(e.candidate.title, float(lead(one, e))) for _, one, e in _against(result)]
    if found and result.scheme.method in kinds:  # in a corridor quotients do not decide
        kind, unit = kinds[result.scheme.method]
        rivals, ahead_by = zip(*found, strict=True)
        yield finding("confidence", kind, rivals=(rivals, "text"), leads=(ahead_by, unit))


def lead(winner: Judged, other: Judged) -> Fraction:
    """By how many points a winner is ahead, or points per million where there are quotients."""
    if winner.quotient is None or other.quotient is None:
        return winner.total - other.total
    return (winner.quotient - other.quotient) * PER_PRICE


def _against(result: AwardResult) -> Iterator[tuple[Lot, Judged, Judged]]:
    """Each lot with its winner and the next vendor's package."""
    for lot, winner in result.award.won():
        other = rival(lot, winner)
        if other is not None:
            yield lot, winner, other


def parts_of_leads(result: AwardResult) -> Iterator[Finding]:
    """What each criterion gives of the leads, and what is left without the evaluators."""
    if result.scheme.method != "points":
        return
    found = list[tuple[str, float]]()
    for lot, winner, other in _against(result):
        criteria = lot.scheme.criteria
        parts = [one - two for one, two in zip(winner.points, other.points, strict=True)]
        yield finding("reason", "lead-parts", rival=(other.candidate.title, "text"),
                      criteria=(tuple(each.name for each in criteria), "text"),
                      points=(tuple(map(float, parts)), result.points_unit))  # fmt: skip
        if any(each.value_from == "people" for each in criteria):
            best = max(others_of(lot, winner), key=partial(_without_people, lot))
            rest = _without_people(lot, winner) - _without_people(lot, best)
            found.append((best.candidate.title, float(rest)))
    if found:
        rivals, points = zip(*found, strict=True)
        yield finding("reason", "lead-without-people", rivals=(rivals, "text"),
                      points=(points, result.points_unit))  # fmt: skip


def deliveries(result: AwardResult) -> Iterator[Finding]:
    """Where winners lose their lots, and where they miss a throughput, if they deliver less."""
    bought = result.purchase.packages
    first = {each.package: each.end for each in reversed(result.deliveries)}
    needs = required_work(result.tender, bought)
    ends = {"stays-delivered": {name: first.get(name) for name in bought}}
    if all(work.total >= required * work.base for work, required in needs):
        ends["stays-required"] = {name: least_for_requirements(result, name) for name in bought}
    for kind, of_each in ends.items():
        known = {name: float(end) for name, end in of_each.items() if end is not None}
        if known:
            yield finding("reason", kind, packages=(result.titles(tuple(known)), "text"),
                          ends=(tuple(known.values()), "share up"))  # fmt: skip


def with_yearly_costs(result: AwardResult, lot: Lot) -> Iterator[Finding]:
    """The award if the prices of a lot had the yearly costs of the lifetime."""
    at = result.tender.lots.index(lot.name)
    before = result.award.decisions[at].winner
    if before is None:
        return
    name = (lot.name, "text")
    try:
        judged = _with_yearly(result, lot)
    except NoResultError:
        yield finding("assumption", "yearly-open", lot=name)
        return
    lots = tuple(judged if each is lot else each for each in result.award.lots)
    decision = decide(result.scheme, lots)[at]
    winner = judged.named(before)
    other = rival(judged, winner)
    if not decision.winners:
        yield finding("assumption", "yearly-open", lot=name)
    elif decision.winner != before:
        packages = result.titles(decision.winners)
        yield finding("assumption", "yearly-changes", lot=name, packages=(packages, "text"))
    elif other is None or result.scheme.method != "points":
        yield finding("assumption", "yearly-same", lot=name)
    else:
        ahead = (float(lead(winner, other)), result.points_unit)
        against = (other.candidate.title, "text")
        yield finding("assumption", "yearly-stays", lot=name, rival=against, lead=ahead)


def _with_yearly(result: AwardResult, lot: Lot) -> Lot:
    years = decimal((result.scenario.budget or Budget()).lifetime_years)
    of_price = {each.name for each in lot.scheme.criteria if each.value_from == "price"}
    candidates = []
    for each in (judged.candidate for judged in lot.judged):
        more = Fraction(result.tender.bills[each.name].per_year) * years
        values = {name: value + more * (name in of_price) for name, value in each.values.items()}
        candidates.append(replace(each, values=values, price=each.price + more))
    return judge(lot.scheme, lot.name, candidates)
