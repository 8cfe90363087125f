"""Risks of an award, what would turn it, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from planner.award.candidate import Candidate
from planner.award.delivered import judged_figures
from planner.award.from_scenario import package_of
from planner.award.judge import Lot
from planner.award.lots import Decision
from planner.award.result import AwardResult
from planner.award.together import reason
from planner.award.weights import WeightRange
from planner.decimals import decimal
from planner.finding import Finding, finding
from planner.procurement.penalties import expected_penalty
from scenarios.model.line_fields import LINE_KINDS
from scenarios.package_bill import vendor_bill


def risks(result: AwardResult) -> Iterator[Finding]:
    """What may be wrong with the award: as a purchase, then lot by lot."""
    for check in result.purchase.missed:
        found = reason(check)
        yield finding(
            "risk",
            f"award-{found.kind}",
            **{name: (found.values[name], found.units[name]) for name in found.values},
        )
    for each in result.successions:
        if each.has_none:
            yield finding("risk", "no-fallback", lot=(each.lot, "text"),
                          package=(result.title(each.winner), "text"))  # fmt: skip
    yield from _without_penalty(result)
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
    yield from _vendor_terms(result)


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


def _without_penalty(result: AwardResult) -> Iterator[Finding]:
    """Winners that pay nothing where they miss figures that won them the lot."""
    for _, winner in result.award.won():
        name = winner.candidate.name
        offer = package_of(result.tender, name)
        figures = tuple(
            each
            for each in judged_figures(result.tender, name)
            if (figure := offer.figure(each)) is not None and figure.penalty is None
        )
        if figures:
            yield finding("risk", "no-penalty", package=(result.title(name), "text"),
                          figures=(figures, "text"))  # fmt: skip


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


def _vendor_terms(result: AwardResult) -> Iterator[Finding]:
    """Discounts on the total of a vendor: no lot alone can count on them."""
    money = f"price {result.tender.currency}"
    for terms in result.scenario.vendor_terms:
        won = [
            result.tender.bills[each.candidate.name].total
            for _, each in result.award.won()
            if each.candidate.vendor == terms.vendor
        ]
        if not won:
            continue
        bill = vendor_bill(terms, won)
        vendor, total = (terms.vendor, "text"), (float(bill.gross), money)
        if bill.discount:
            yield finding("assumption", "vendor-discount", vendor=vendor, total=total,
                          discount=(float(bill.discount), "share given"),
                          amount=(float(bill.gross - bill.total), money))  # fmt: skip


def turns(result: AwardResult) -> Iterator[Finding]:
    """The nearest points of any criterion at which a lot loses its winner."""
    for lot in result.award.lots:
        ends = [end for each in result.ranges if each.lot == lot.name for end in _ends(each)]
        if ends:
            _, side, at, each = min(ends, key=lambda end: end[0])
            rounding = "number down" if side == "stays-below" else "number up"
            end: dict[str, tuple[float, str]] = {"at": (float(at), rounding)} if at else {}
            yield finding("alternative", side, lot=(lot.name, "text"),
                          criterion=(each.criterion, "text"), **end,
                          points=(float(each.points), "given"))  # fmt: skip


def deliveries(result: AwardResult) -> Iterator[Finding]:
    """Where a winner stops winning if it delivers less of all its committed figures."""
    for lot in result.award.lots:
        of_lot = [each for each in result.deliveries if each.lot == lot.name]
        first = next(iter(of_lot), None)
        if first is not None and first.end is not None:
            yield finding("alternative", "stays-delivered", lot=(lot.name, "text"),
                          package=(result.title(first.package), "text"),
                          at=(float(first.end), "share at most"))  # fmt: skip


def _ends(each: WeightRange) -> Iterator[tuple[Fraction, str, Fraction, WeightRange]]:
    """Relative distance, side and place of the ends of the range that holds the stated points."""
    if each.own is None:
        return
    low, high = each.own.low, each.own.high
    if low > 0 or not each.own.holds_low:
        side = "stays-above" if low else "turns-at-zero"
        yield (each.points - low) / each.points, side, low, each
    if high is not None:
        yield (high - each.points) / each.points, "stays-below", high, each


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
    if result.scenario.procurement is not None and result.scenario.workloads:
        yield finding("assumption", "scheme-governs")


def _scope(result: AwardResult, lot: Lot) -> Iterator[Finding]:
    """Kinds of lines that only some packages of a lot have, and yearly costs outside the price."""
    bills = [result.tender.bills[each.candidate.name] for each in lot.judged]
    of_each = [{line.line.kind for line in bill.lines} for bill in bills]
    everywhere = set[str]().union(*of_each)
    kinds = [
        kind for kind in LINE_KINDS if kind in everywhere and any(kind not in e for e in of_each)
    ]
    if kinds:
        yield finding("assumption", "scope-differs", lot=(lot.name, "text"),
                      kinds=(tuple(kinds), "line-kind"))  # fmt: skip
    sources = {each.value_from for each in lot.scheme.criteria}
    yearly = tuple(result.title(bill.package.name) for bill in bills if bill.per_year)
    if "price" in sources and "total cost" not in sources and 0 < len(yearly) < len(bills):
        yield finding("assumption", "yearly-outside", lot=(lot.name, "text"),
                      packages=(yearly, "text"))  # fmt: skip


def next_steps(result: AwardResult) -> Iterator[Finding]:
    """What the buyer does next."""
    if any(decision.winner is None and decision.winners for decision in result.award.decisions):
        yield finding("next step", "settle-tie")
    if any(found for lot in result.award.lots for found in _low_price(result, lot)):
        yield finding("next step", "ask-price")
    without = tuple(str(each.values["package"]) for each in _without_penalty(result))
    if without:
        yield finding("next step", "agree-penalty", packages=(without, "text"))
    if result.purchase.net != result.purchase.gross:
        yield finding("next step", "confirm-discount")
    kept = tuple(
        result.title(each.fallback.package) for each in result.successions if each.fallback
    )
    if kept:
        yield finding("next step", "keep-offer", packages=(kept, "text"))
    if result.tender.candidates:
        yield finding("next step", "inform")
