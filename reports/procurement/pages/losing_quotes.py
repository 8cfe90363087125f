"""What losing vendors would have to offer."""

from __future__ import annotations

import math
from fractions import Fraction

from planner.decimals import decimal
from planner.formatting import DASH, Rounding, clipped, given, percent, plural, rounded
from planner.procurement.findings import label_of
from planner.procurement.losing_quotes import LEAST_SHARE, LosingQuote
from planner.procurement.study import ProcurementStudy
from reports.blocks import Drawn, Page, figures, grid, only, partly, text
from reports.grid import Table, table
from reports.numbers import cents, fixed
from reports.procurement.figures.losing_quotes import MOST, finding, ranked
from reports.units import RESOURCES

_MOST = 40  # rows


def not_bought(study: ProcurementStudy, _drawn: Drawn) -> Page | None:
    """Why each other quote is not bought, as far as the short run knows."""
    quotes = study.not_bought
    if not quotes or (study.full and study.losing_quotes):
        return None
    if len(quotes) == 1:
        (quote,) = quotes
        vendor = f" ({clipped(quote.vendor, 24)})" if quote.vendor else ""
        return Page(
            "Why are the other quotes not bought?",
            f"One of {plural(len(study.scenario.node_types), 'quote')} is not bought: "
            f"{quote.label}{vendor}.",
            (text(f"Reason: {quote.reason}."),),
        )
    columns = (("Quote", False), ("Vendor", False), ("Why it is not bought", False))
    rows = [(quote.label, clipped(quote.vendor, 24), quote.reason) for quote in quotes[:_MOST]]
    caption = partly("Quotes that are not bought", _MOST, len(quotes))
    return Page(
        "Why are the other quotes not bought?",
        f"{len(quotes)} of {len(study.scenario.node_types)} quotes are not bought.",
        (grid(table(columns, (1.3, 0.9, 4.2), rows), caption, small=True),),
    )


def page(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """The discount at which each losing quote enters."""
    if not study.full or not study.losing_quotes:
        return None
    return Page(
        "What price would make a losing quote pay?",
        f"{finding(study)}.",
        (
            text(
                "A quote pays if the best plan that must buy it scores no less than the best plan "
                "without it. The plan must buy at least the minimum quantity, and nodes worth "
                f"{given(LEAST_SHARE)} of the spend at the quoted price (nodes required). Up to "
                "the first discount the quote certainly does not pay; from the second on it "
                "certainly does. \u201cNever\u201d: not even at a discount of 95 %."
            ),
            *figures(
                pictures,
                "losing-quotes",
                only(MOST, len(study.losing_quotes), "losing quotes").strip(),
            ),
            grid(
                _quotes(study),
                partly("Losing quotes, nearest to paying first", _MOST, len(study.losing_quotes)),
                small=True,
            ),
        ),
    )


def _quotes(study: ProcurementStudy) -> Table:
    columns = (
        ("Quote", False), ("Vendor", False), ("Nodes required", True), ("Does not pay up to", True),
        ("Pays from", True), ("Price quoted", True), ("Price then", True),
        ("Held back by", False),
    )  # fmt: skip
    rows = [
        (
            label_of(study.problem, quote.name),
            clipped(quote.vendor, 24),
            f"{quote.held:,}",
            _discount(quote.certified_out, "down"),
            _discount_in(quote),
            *_prices(study, quote),
            RESOURCES.get(quote.kept_out_by, quote.kept_out_by) or DASH,
        )
        for quote in ranked(study)[:_MOST]
    ]
    return table(columns, (1.7, 1.0, 0.6, 0.75, 0.75, 1.05, 1.05, 1.2), rows)


def _discount(value: float | None, rounding: Rounding) -> str:
    return DASH if value is None else percent(value, rounding, places=1)


def _discount_in(quote: LosingQuote) -> str:
    if quote.certified_in is None:
        return "never" if quote.certified_out is not None else "undecided"
    return _discount(quote.certified_in, "up")


def _prices(study: ProcurementStudy, quote: LosingQuote) -> tuple[str, str]:
    """Return the price of a node as quoted, and after the discount printed next to it."""
    offer = study.problem.offers[study.problem.offer_index(quote.name)]
    price, currency = decimal(offer.price(quote.held)), study.problem.prices.currency
    quoted = f"{fixed(float(price), cents([float(price)]))} {currency}"
    if quote.certified_in is None:
        return quoted, DASH
    then = price * (1 - _printed(quote.certified_in))
    decimals = 0 if then >= 1000 else 2
    return quoted, f"{rounded(float(then), decimals, 'down')} {currency}"


def _printed(discount: float) -> Fraction:
    """A discount as printed: a tenth of a per cent, rounded up; a larger one pays, too."""
    return Fraction(math.ceil(decimal(discount) * 1000), 1000)
