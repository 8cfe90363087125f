"""Risks of an award, what would turn it, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from planner.award.from_scenario import package_of
from planner.award.judge import Lot
from planner.award.lots import Decision
from planner.award.result import AwardResult
from planner.award.weights import WeightRange
from planner.decimals import decimal
from planner.finding import Finding, finding
from planner.procurement.penalties import expected_penalty
from scenarios.package_bill import vendor_bill


def risks(result: AwardResult) -> Iterator[Finding]:
    """What may be wrong with the award, lot by lot."""
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
    share = result.scheme.low_price
    prices = sorted((e.candidate.price, at) for at, e in enumerate(lot.judged))
    if share is None or len(prices) < 2:
        return
    (low, at), (following, _) = prices[:2]
    if low <= (1 - decimal(share)) * following and low < following:
        package = (lot.judged[at].candidate.title, "text")
        below = (float(1 - low / following), "share")
        yield finding("risk", "low-price", lot=(lot.name, "text"), package=package, below=below)


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
    """Discounts on the total of a vendor, and least totals: no lot alone can count on them."""
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
                          discount=(float(bill.discount), "share given"))  # fmt: skip
        if bill.missing:
            yield finding("risk", "below-minimum", vendor=vendor, total=total,
                          least=(terms.minimum_total, money))  # fmt: skip


def turns(result: AwardResult) -> Iterator[Finding]:
    """The nearest points of any criterion at which a lot loses its winner."""
    for lot in result.award.lots:
        ends = [end for each in result.ranges if each.lot == lot.name for end in _ends(each)]
        if ends:
            _, side, at, each = min(ends, key=lambda end: end[0])
            end: dict[str, tuple[float, str]] = {"at": (float(at), "number")} if at else {}
            yield finding("alternative", side, lot=(lot.name, "text"),
                          criterion=(each.criterion, "text"), **end,
                          points=(float(each.points), "given"))  # fmt: skip


def deliveries(result: AwardResult) -> Iterator[Finding]:
    """Where a winner stops winning if it delivers less of all its committed figures."""
    for lot in result.award.lots:
        of_lot = [each for each in result.deliveries if each.lot == lot.name]
        first = next(iter(of_lot), None)
        if first is not None and first.end is not None:
            yield finding("alternative", "turns-delivered", lot=(lot.name, "text"),
                          package=(result.title(first.package), "text"),
                          at=(float(first.end), "share"))  # fmt: skip


def _ends(each: WeightRange) -> Iterator[tuple[Fraction, str, Fraction, WeightRange]]:
    """Relative distance, side and place of the ends of the range that holds the stated points."""
    if each.own is None:
        return
    low, high = each.own.low, each.own.high
    if low > 0 or not each.own.holds_low:
        side = "turns-below" if low else "turns-at-zero"
        yield (each.points - low) / each.points, side, low, each
    if high is not None:
        yield (high - each.points) / each.points, "turns-above", high, each


def expected_penalties(result: AwardResult) -> Iterator[Finding]:
    """What each admissible package is expected to pay for figures that it misses, by the model."""
    admissible = [each.candidate.name for lot in result.award.lots for each in lot.judged]
    for name in admissible:
        figures = package_of(result.tender, name).figures
        penalty = sum(map(expected_penalty, figures), Fraction(0))
        if penalty:
            yield finding("note", "expected-penalty", package=(result.title(name), "text"),
                          penalty=(float(penalty), f"money {result.tender.currency}"))  # fmt: skip


def next_steps(result: AwardResult) -> Iterator[Finding]:
    """What the buyer does next."""
    if any(decision.winner is None and decision.winners for decision in result.award.decisions):
        yield finding("next step", "settle-tie")
    if any(found for lot in result.award.lots for found in _low_price(result, lot)):
        yield finding("next step", "ask-price")
    if result.scheme.published_sha256 is None:
        yield finding("next step", "publish")
    if result.tender.candidates:
        yield finding("next step", "debrief")
