"""Risks of an award, what makes it firm, and what to do next."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from planner.award.candidate import Candidate
from planner.award.delivered import judged_figures
from planner.award.from_scenario import package_of
from planner.award.judge import Lot
from planner.award.leads import with_yearly_costs
from planner.award.lots import Decision
from planner.award.result import AwardResult
from planner.award.together import low_ends, reason
from planner.decimals import decimal
from planner.finding import Finding, finding
from planner.procurement.penalties import costs_nothing, expected_penalty
from scenarios.model.line_fields import LINE_KINDS
from scenarios.model.scenario import Budget
from scenarios.package_bill import cents, to_budget


def risks(result: AwardResult) -> Iterator[Finding]:
    """What may be wrong with the award: as a purchase, then lot by lot."""
    for check in result.purchase.missed:
        found = reason(check)
        yield finding(
            "risk",
            f"award-{found.kind}",
            **{name: (found.values[name], found.units[name]) for name in found.values},
        )
    yield from _discount(result)
    yield from _successors(result)
    bills = [result.tender.bills[name] for name in result.purchase.packages]
    yield from low_ends(result.scenario, bills)
    yield from _contracts(result)
    unpaid = _unpaid(result)
    if unpaid:
        yield finding("risk", "no-penalty", figures=(unpaid, "text"))
    for lot, decision in result.award.pairs():
        yield from _undecided(result, lot, decision)
        yield from _low_price(result, lot)
    yield from _reversals(result)
    for name in dict.fromkeys(each.lot for each in result.ranges if each.own is None):
        yield finding("risk", "rounding-decides", lot=(name, "text"))
    for criterion in result.scheme.criteria:
        if criterion.formula == "two_sided":
            yield finding("risk", "two-sided", criterion=(criterion.name, "text"))
    yield from _uncommitted(result)


def _discount(result: AwardResult) -> Iterator[Finding]:
    """An award that fits the capital only after the discounts of vendors."""
    bought = result.purchase
    over = next((each.above for each in bought.checks if each.what == "capital"), None)
    without = None if over is None else over + bought.gross - bought.net
    if over is not None and over <= 0 and without is not None and without > 0:
        yield finding("risk", "needs-discount", over=(float(without), result.money))


def _successors(result: AwardResult) -> Iterator[Finding]:
    """What the withdrawal of a winner costs, and lots where nobody can follow."""
    for each in result.successions:
        lot, package = (each.lot, "text"), (result.title(each.winner), "text")
        if each.has_none:
            yield finding("risk", "no-fallback", lot=lot, package=package)
        for first in each.successors[:1]:
            unmet = tuple(check.subject or check.what for check in first.purchase.unmet)
            if unmet:
                yield finding("risk", "successor-misses", lot=lot, package=package,
                              successor=(result.title(first.package), "text"),
                              missed=(unmet, "together"))  # fmt: skip


def _contracts(result: AwardResult) -> Iterator[Finding]:
    """One vendor for all awards, late deliveries, quotes without racks, and no hash."""
    won = [result.tender.bills[each.candidate.name] for _, each in result.award.won()]
    vendors = {each.package.vendor for each in won}
    if len(vendors) == 1 < len(won):
        yield _one_vendor(result, won[0].package.vendor)
    feed, question = result.scenario.power, result.scenario.procurement
    if feed and feed.available_on and question and question.decided_on:
        late = {
            each.package.name: (day - feed.available_on).days
            for each in won
            if (weeks := each.package.delivery_weeks) is not None
            and (day := question.decided_on + dt.timedelta(weeks=weeks)) > feed.available_on
        }
        if late:
            available = (str(feed.available_on), "date")
            yield finding("risk", "late-delivery", packages=(result.titles(tuple(late)), "text"),
                          available=available, days=(tuple(late.values()), "count"))  # fmt: skip
    without = [e.package.title for e in won if e.units("node") and not e.units("rack")]
    if without and any(each.units("rack") for each in won):
        yield finding("risk", "no-rack", packages=(tuple(without), "text"))
    if result.scheme.published_sha256 is None:
        yield finding("risk", "unpublished")


def _one_vendor(result: AwardResult, vendor: str) -> Finding:
    """One vendor for all awards, and the first limit that the award misses without it."""
    missed = [check for each in result.without_vendors for check in each.purchase.missed]
    if not missed or not all(each.purchase.packages for each in result.without_vendors):
        return finding("risk", "one-vendor", vendor=(vendor, "text"))
    found = reason(missed[0])
    kind = "one-vendor-below" if missed[0].side == "least" else "one-vendor-above"
    return finding("risk", kind, vendor=(vendor, "text"),
                   **{name: (found.values[name], found.units[name])
                      for name in found.values})  # fmt: skip


def _undecided(result: AwardResult, lot: Lot, decision: Decision) -> Iterator[Finding]:
    name = (lot.name, "text")
    if decision.winner is None and decision.winners:
        packages = (result.titles(decision.winners), "text")
        yield finding("risk", "tie", lot=name, packages=packages)
    elif not lot.judged:
        yield finding("risk", "all-excluded" if lot.excluded else "no-package", lot=name)
    elif not decision.winners:
        yield finding("risk", "all-at-limit", lot=name)
    elif decision.passed_over:
        packages = (result.titles(decision.passed_over), "text")
        yield finding("reason", "passed-over", lot=name, packages=packages)


def _low_price(result: AwardResult, lot: Lot) -> Iterator[Finding]:
    """The lowest price of a lot, where it is far below the next one."""
    share, lowest = result.scheme.low_price, lowest_price(lot)
    if share is None or lowest is None:
        return
    package, below = lowest
    if below > 0 and below >= decimal(share):
        yield finding("risk", "low-price", lot=(lot.name, "text"), package=(package.title, "text"),
                      below=(float(below), "share"))  # fmt: skip


def lowest_price(lot: Lot) -> tuple[Candidate, Fraction] | None:
    """The package of the lowest price, and by which share it is below the next one."""
    prices = sorted((e.candidate.price, at) for at, e in enumerate(lot.judged))
    if len(prices) < 2 or prices[1][0] <= 0:
        return None
    (low, at), (following, _) = prices[:2]
    return lot.judged[at].candidate, 1 - low / following


def _unpaid(result: AwardResult) -> tuple[str, ...]:
    """Judged figures of winners for which they pay nothing where they miss them."""
    return tuple(
        f"{winner.candidate.title}: {each}"
        for _, winner in result.award.won()
        for offer in [package_of(result.tender, winner.candidate.name)]
        for each in judged_figures(result.tender, offer.name)
        if (figure := offer.figure(each)) is not None and costs_nothing(figure)
    )


def _reversals(result: AwardResult) -> Iterator[Finding]:
    """Withdrawals of packages that win nothing, which change a winner all the same."""
    for each in result.withdrawals:
        if each.before != each.after and each.package not in each.before:
            of_lot = next(d for d in result.award.decisions if d.lot == each.lot)
            withdrawn = (result.title(each.package), "text")
            if of_lot.winner is None or len(each.after) != 1:
                continue
            yield finding("risk", "reversal", lot=(each.lot, "text"), withdrawn=withdrawn,
                          before=(result.title(of_lot.winner), "text"),
                          after=(result.title(each.after[0]), "text"))  # fmt: skip


def _uncommitted(result: AwardResult) -> Iterator[Finding]:
    """Figures that a criterion judges and that nobody has to deliver."""
    for judged_package in (each for lot in result.award.lots for each in lot.judged):
        package = package_of(result.tender, judged_package.candidate.name)
        judged = {each.figure for each in result.scheme.for_lot(package.lot).criteria}
        names = [
            name
            for name in dict.fromkeys(each.name for each in package.figures)
            if name in judged and (figure := package.figure(name)) and figure.basis != "committed"
        ]
        if names:
            yield finding("risk", "not-committed", package=(package.title, "text"),
                          figures=(tuple(names), "text"))  # fmt: skip


def expected_penalties(result: AwardResult) -> Iterator[Finding]:
    """What the winners are expected to pay for figures that they miss, by the model."""
    figures = [
        figure
        for _, each in result.award.won()
        for figure in package_of(result.tender, each.candidate.name).figures
    ]
    if any(each.penalty is not None for each in figures):
        total = sum(map(expected_penalty, figures), Fraction(0))
        yield finding("note", "expected-penalties",
                      penalty=(float(total), f"money {result.tender.currency}"))  # fmt: skip


def assumptions(result: AwardResult) -> Iterator[Finding]:
    """What the award does not consider."""
    for lot in result.award.lots:
        yield from _scope(result, lot)
    left = [each for each in result.purchase.checks if each.met is None]
    if left:
        yield finding(
            "assumption",
            "left-to-plan",
            limits=(tuple(each.subject or each.what for each in left), "together"),
        )
    model = result.model
    if result.scenario.procurement is None or not result.scenario.workloads:
        return
    if model is None:
        yield finding("assumption", "scheme-governs")
    elif model.best is not None and model.award and model.best > model.award:
        more = model.best / float(model.award) - 1
        yield finding("assumption", "plan-better", more=(more, "change"))


def _scope(result: AwardResult, lot: Lot) -> Iterator[Finding]:
    """Kinds of lines that only some packages of a lot have, and yearly costs outside the price."""
    bills = [result.tender.bills[each.candidate.name] for each in lot.judged]
    of_each = [{line.line.kind for line in bill.lines} for bill in bills]
    for kind in LINE_KINDS:
        amounts = {
            bill.package.name: float(
                Fraction(cents(sum((line.amount for line in bill.lines
                                    if line.line.kind == kind and not line.line.per_year),
                                   Decimal(0))))
                * to_budget(bill.package)
            )
            for bill in bills
        }  # fmt: skip
        found = {name: amount for name, amount in amounts.items() if amount}
        if found and any(kind not in each for each in of_each):
            yield finding("assumption", "scope-differs", lot=(lot.name, "text"),
                          lines=(kind, "line-kind"),
                          packages=(result.titles(tuple(found)), "text"),
                          amounts=(tuple(found.values()), result.money))  # fmt: skip
    sources = {each.value_from for each in lot.scheme.criteria}
    yearly = [bill for bill in bills if bill.per_year]
    if "price" in sources and "total cost" not in sources and 0 < len(yearly) < len(bills):
        years = (result.scenario.budget or Budget()).lifetime_years
        costs = tuple(float(Fraction(bill.per_year) * decimal(years)) for bill in yearly)
        titles = tuple(bill.package.title for bill in yearly)
        yield finding("assumption", "yearly-outside", lot=(lot.name, "text"),
                      packages=(titles, "text"), amounts=(costs, result.money),
                      years=(years, "year"))  # fmt: skip
        yield from with_yearly_costs(result, lot)


def next_steps(result: AwardResult) -> Iterator[Finding]:
    """What the buyer does next."""
    if any(decision.winner is None and decision.winners for decision in result.award.decisions):
        yield finding("next step", "settle-tie")
    if any(found for lot in result.award.lots for found in _low_price(result, lot)):
        yield finding("next step", "ask-price")
    unpaid = _unpaid(result)
    if unpaid:
        yield finding("next step", "agree-penalty", figures=(unpaid, "text"))
    if result.purchase.net != result.purchase.gross:
        yield finding("next step", "confirm-discount")
    follow = [
        each
        for succession in result.successions
        for each in succession.successors
        if all(check.what == "capital" for check in each.purchase.missed)
    ]
    if follow:
        kept = result.titles(tuple(each.package for each in follow))
        yield finding("next step", "keep-offer", packages=(kept, "text"))
    for kind, what, unit in (("find-capital", "capital", result.money),
                             ("plan-caps", "power", "W up")):  # fmt: skip
        over = {
            each.package: float(check.above)
            for each in follow
            for check in each.purchase.unmet
            if check.what == what and check.above is not None
        }
        if over:
            yield finding("next step", kind, packages=(result.titles(tuple(over)), "text"),
                          over=(tuple(over.values()), unit))  # fmt: skip
    alone = tuple(each.lot for each in result.successions if each.has_none)
    if alone:
        yield finding("next step", "settle-fallback", lots=(alone, "text"))
    if result.tender.candidates:
        yield finding("next step", "inform")
