"""Rows and findings of the combinations of packages: what each costs, scores and breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from planner.finding import Finding, Value, cell, finding
from planner.formatting import amount, clipped
from planner.procurement.combinations import MOST, Combination, how_many, sold_in_fixed_sizes
from planner.procurement.labels import labels
from planner.procurement.mandates import mandates
from planner.procurement.model_error import ERROR
from planner.procurement.outcome import FLOOR_TOLERANCE
from planner.procurement.problem import UNLIMITED
from planner.procurement.rows import unit_of
from planner.procurement.used import beyond, peak_w, used

if TYPE_CHECKING:
    from planner.procurement.plan import Plan
    from planner.procurement.result import ProcurementResult

_MISSED = 1e-6
"""Share of a requirement that the tolerance of a linear program may leave out."""
_NEAR = 0.05
"""Share of the capital within which more money is worth asking for."""

DRAWN = 6
"""Combinations of the figure."""

Rows = list[dict[str, Any]]


def titles(result: ProcurementResult, combination: Combination) -> tuple[str, ...]:
    """The packages of a combination as people name them, in the order of the lots."""
    offers = [result.problem.packages[number] for number in combination.packages]
    offers.sort(key=lambda offer: offer.lot)
    return tuple(clipped(offer.package.title, 60) for offer in offers)


def change(result: ProcurementResult, combination: Combination) -> float | None:
    """The score over the plan's, less one; ``None`` where the plan scores nothing."""
    score = result.plan.score if result.plan is not None else 0.0
    return _score(result, combination) / score - 1 if score else None


def _score(result: ProcurementResult, combination: Combination) -> float:
    """Its score; for the plan's own, that with which the plan saves power."""
    mine = result.plan if combination.is_plan else None
    return (mine or combination.plan).score


def combined(result: ProcurementResult) -> Rows:
    """Each combination: its money, its score, and what it breaks."""
    limit = result.problem.limits.capital
    return [
        {
            "packages": titles(result, each),
            "nodes": sum(lot.nodes for lot in each.plan.purchases),
            "nodes_quoted": _quoted(result, each),
            "capital": each.plan.bill.capital,
            "total_cost": each.plan.total_cost,
            "peak_w": peak_w(result.problem, each.plan),
            "delivered_on": _last_delivery(result, each),
            "remaining": None if limit == UNLIMITED else limit - each.plan.bill.capital,
            "score": _score(result, each),
            "below": change(result, each),
            "breaks": [cell(broken) for broken in faults(result, each)],
            "kind": "plan" if each.is_plan else "other" if each.allowed else "broken",
        }
        for each in result.combinations
    ]


def _quoted(result: ProcurementResult, each: Combination) -> int:
    """Nodes that the vendors quote."""
    offers = [result.problem.packages[number] for number in each.packages]
    return sum(int(line.quantity) for offer in offers for line in offer.package.node_lines)


def _last_delivery(result: ProcurementResult, each: Combination) -> str | None:
    """The day on which all nodes are delivered; ``None`` where one is not known."""
    days = [result.delivered_on(lot.name) for lot in each.plan.purchases]
    known = [day for day in days if day is not None]
    return str(max(known)) if known and len(known) == len(days) else None


def packages_left(result: ProcurementResult) -> Rows:
    """Each package that is not bought, in the best combination that has it."""
    rows = []
    for number, offer in enumerate(result.problem.packages):
        having = [each for each in result.combinations if number in each.packages]
        if not having or any(each.is_plan for each in having):
            continue
        best = min(having, key=lambda each: _far(result, each))
        broken = [cell(each) for each in faults(result, best)]
        rows.append(
            {
                "package": clipped(offer.package.title, 60), "vendor": offer.package.vendor,
                "packages": titles(result, best), "capital": best.plan.bill.capital,
                "score": best.plan.score, "below": change(result, best),
                "breaks": broken or [cell(_worse(result, best))],
            }
        )  # fmt: skip
    return rows


def _far(result: ProcurementResult, combination: Combination) -> tuple[int, float]:
    """How far a combination is from being bought: what it breaks, then what it scores."""
    return len(list(faults(result, combination))), -combination.plan.score


def _worse(result: ProcurementResult, combination: Combination) -> Finding:
    """Why a combination that breaks nothing is not bought: it scores no more."""
    ratio = change(result, combination)
    is_lower = ratio is not None and amount(ratio, "change") != amount(0.0, "change")
    return finding("reason", "scores-lower" if is_lower else "scores-alike")


def faults(result: ProcurementResult, combination: Combination) -> Iterator[Finding]:
    """Each limit that a combination exceeds, and each requirement that it misses."""
    if combination.allowed:
        return
    problem, plan, found = result.problem, combination.plan, False
    for name in beyond(plan, problem.limits):
        over = used(plan)[name] - getattr(problem.limits, name)
        unit = unit_of(name, problem.prices.currency)
        yield finding("reason", "over-limit", resource=(name, "resource"), over=(over, unit))
        found = True
    for each in mandates(result.scenario, problem, plan):
        short = each.asked - each.reached if each.at_least else each.reached - each.asked
        if short > _MISSED * abs(each.asked):
            values: dict[str, tuple[Value, str]] = {
                "what": (each.what, "mandate"),
                "reached": (each.reached, each.unit.removesuffix(" given")),
                "required": (each.asked, each.unit),
            }
            if each.subject:
                yield finding("reason", "misses-of", **values, subject=(each.subject, "text"))
            else:
                yield finding("reason", "misses", **values)
            found = True
    if not found:
        yield finding("reason", "breaks-rules", rules=(len(combination.compared.wrong), "count"))


def others(result: ProcurementResult) -> list[Combination]:
    """Combinations besides the plan that break no rule, the best first."""
    return [each for each in result.combinations if each.allowed and not each.is_plan]


def next_best(result: ProcurementResult) -> Iterator[Finding]:
    """The best combination besides the plan, or that there is none."""
    if len(result.combinations) < 2:
        return
    for best in others(result)[:1]:
        yield finding("reason", "next-combination", **_stated(result, best))
        return
    tried = (len(result.combinations) - 1, "count")
    yield finding("reason", "no-combination", others=tried)


def _stated(result: ProcurementResult, each: Combination) -> dict[str, tuple[Value, str]]:
    return {
        "packages": (titles(result, each), "text"),
        "capital": (each.plan.bill.capital, _price(result)),
        "score": (each.plan.score, "score"),
        "change": (change(result, each), "change"),
    }


def _price(result: ProcurementResult) -> str:
    return f"price {result.problem.prices.currency}"


def award(result: ProcurementResult) -> Combination | None:
    """What the published scheme awards; ``None`` where that is not known."""
    if not result.awarded:
        return None
    names = [each.package.name for each in result.problem.packages]
    for each in result.combinations:
        if {names[number] for number in each.packages} == {*result.awarded}:
            return each
    return None


def by_scheme(result: ProcurementResult) -> Finding | None:
    """What the published scheme awards, compared with the plan."""
    each, plan = award(result), result.plan
    if each is None or plan is None:
        return None
    if each.is_plan:
        return finding("reason", "award-same", packages=(titles(result, each), "text"))
    more = plan.score / each.plan.score - 1 if each.plan.score else None
    difference = plan.bill.capital - each.plan.bill.capital
    values: dict[str, tuple[Value, str]] = {
        "change": (more, "change"), "difference": (difference, _price(result)),
    }  # fmt: skip
    if each.allowed:
        return finding("confidence", "award-instead", **values)
    return finding("confidence", "award-breaks", **values,
                   rules=(len(list(faults(result, each))), "count"))  # fmt: skip


def award_risks(result: ProcurementResult) -> Iterator[Finding]:
    """Requirements that the award, else the plan, misses within the half widths of figures."""
    awarded, plans = award(result), result.combinations[:1]
    from planner.award.together import low_ends  # loads slowly

    for each in plans if awarded is None else (awarded,):
        bought = ("plan" if awarded is None else "award", "bought")
        for risk in low_ends(result.scenario, [*each.plan.bill.packages.values()]):
            values = {name: (value, risk.units[name]) for name, value in risk.values.items()}
            yield finding("risk", risk.kind, bought=bought, **values)


def discount_risks(result: ProcurementResult) -> Iterator[Finding]:
    """Vendors without whose discount on their total the plan is too dear, or ties with a cheaper.

    The best score is the same without a discount as long as the plan keeps to the capital.
    """
    plan, limit = result.plan, result.problem.limits.capital
    if plan is None:
        return
    for vendor in plan.bill.vendors:
        off = _discount(plan, vendor)
        over = round(plan.bill.capital + off - limit, 2)
        alike = [
            (each.plan.total_cost + own, titles(result, each))
            for each in others(result)
            for own in [_discount(each.plan, vendor)]
            if _gain(result, each) >= -FLOOR_TOLERANCE and each.plan.bill.capital + own <= limit
        ]
        cost, packages = min(alike, default=(plan.total_cost + off, ()))
        if off and over > 0:
            yield finding("risk", "needs-discount", vendor=(vendor, "text"),
                          over=(over, _price(result)))  # fmt: skip
        elif off and round(plan.total_cost + off - cost, 2) > 0:
            yield finding("risk", "discount-decides", vendor=(vendor, "text"),
                          packages=(packages, "text"))  # fmt: skip


def _discount(plan: Plan, vendor: str) -> float:
    """What a vendor takes off its total."""
    paid = plan.bill.vendors.get(vendor)
    return 0.0 if paid is None else float(paid.gross - paid.total)


def changing_capital(result: ProcurementResult) -> tuple[float | None, float | None]:
    """The capital below which, and the one from which, the best score is another one.

    Both are ``None`` unless packages have one size each and all their combinations are known.
    """
    every, problem = result.combinations, result.problem
    fixed = sold_in_fixed_sizes(problem, range(len(problem.packages)))
    if not every or not fixed or how_many(problem) > MOST:
        return None, None
    alike = [e for e in every if e.allowed and _gain(result, e) >= -FLOOR_TOLERANCE]
    capitals = [[e.plan.bill.capital for e in some] for some in (alike, _too_dear(result))]
    return min(capitals[0], default=None), min(capitals[1], default=None)


def _gain(result: ProcurementResult, each: Combination) -> float:
    """By how much the log of its score is above that of the plan."""
    return each.plan.objective - (result.plan.objective if result.plan else 0.0)


def _too_dear(result: ProcurementResult) -> list[Combination]:
    """Combinations that score more than the plan and exceed nothing but the capital."""
    return [
        each
        for each in result.combinations
        if not each.allowed and _gain(result, each) > FLOOR_TOLERANCE
        and [broken.values.get("resource") for broken in faults(result, each)] == ["capital"]
    ]  # fmt: skip


def runner_up(result: ProcurementResult) -> Iterator[Finding]:
    """By how much the next best combination is behind, and whether the error of the model tells."""
    for best in others(result)[:1]:
        values: dict[str, tuple[Value, str]] = {"change": (change(result, best), "change")}
        ties = any(each.best for each in result.misjudged or ())
        if ties or result.misjudged == ():
            kind = "next-ties" if ties else "next-behind"
            least = min(
                (abs(each.change) for each in result.misjudged or () if each.best), default=ERROR
            )
            yield finding("confidence", kind, **values, error=(least, "share given"))
        else:  # no error is tried, or with one the plan misses a requirement, which is a risk
            yield finding("confidence", "next-best", **values)


def off_the_model(result: ProcurementResult) -> Iterator[Finding]:
    """With which error of modelled performance the plan fails, and with which another is best."""
    names, found = labels(result.problem), result.misjudged or ()
    for best in {each.best and each.best.packages: each.best for each in found}.values():
        mine = [each for each in found if each.best is best]
        errors: dict[str, tuple[Value, str]] = {
            "types": (tuple(names[each.offer] for each in mine), "text"),
            "changes": (tuple(each.change for each in mine), "certain change"),
        }
        if best is None:
            yield finding("risk", "model-misses", **errors)
        else:
            yield finding("risk", "model-tie", packages=(titles(result, best), "text"), **errors)


def nearly(result: ProcurementResult) -> Iterator[Finding]:
    """The better combination that only a little capital is missing for; a scheme awards it not."""
    limit, plan = result.problem.limits.capital, result.plan
    if plan is None or limit == UNLIMITED or result.scenario.scheme is not None:
        return
    near = [(each.plan.bill.capital - limit, each) for each in _too_dear(result)]
    over, best = min(near, key=lambda pair: pair[0], default=(limit, None))
    if best is not None and over <= _NEAR * limit:
        yield finding(
            "next step", "nearly", **_stated(result, best),
            over=(over, f"money {result.problem.prices.currency} up"),
            share=(over / limit, "share"),
        )  # fmt: skip
