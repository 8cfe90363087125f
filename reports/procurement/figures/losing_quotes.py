"""How much cheaper each losing quote must become."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from planner.formatting import percent, plural
from planner.procurement.findings import label_of
from planner.procurement.losing_quotes import LosingQuote
from planner.procurement.study import ProcurementStudy
from reports.style import BLUE, GREY, Picture, draw, rows_high

MOST = 30


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if there are losing quotes."""
    if not study.losing_quotes:
        return []
    displayed = ranked(study)[:MOST]
    listed = "; ".join(
        f"{label_of(study.problem, quote.name)} {words(quote)}" for quote in displayed
    )
    return [
        draw(
            "losing-quotes", "08-losing-quotes", finding(study),
            f"Discount at which each losing quote certainly pays: {listed}.",
            (6.8, rows_high(len(displayed), 0.27, 1.0)),
            lambda figure: _paint(figure, study, displayed),
        )
    ]  # fmt: skip


def ranked(study: ProcurementStudy) -> list[LosingQuote]:
    """Nearest to paying first."""
    return sorted(study.losing_quotes, key=lambda quote: (quote.certified_in or 9.0, quote.name))


def words(quote: LosingQuote) -> str:
    """The answer for one quote."""
    if quote.certified_in is None:
        return "never up to 95 %" if quote.certified_out else "undecided"
    out = "not certified"
    if quote.certified_out is not None:
        out = percent(quote.certified_out, "down", places=1)
    return f"does not pay at {out}, pays at {percent(quote.certified_in, 'up', places=1)}"


def finding(study: ProcurementStudy) -> str:
    """The nearest quote, and how many never enter."""
    entering = [quote for quote in ranked(study) if quote.certified_in is not None]
    outside = [quote for quote in study.losing_quotes if quote.certified_in is None]
    never = sum(quote.certified_out is not None for quote in outside)
    left_open = len(outside) - never
    also = f"; {left_open} of {len(study.losing_quotes)} undecided" if left_open else ""
    if not entering and not never:
        return f"It is undecided whether a losing quote pays ({len(study.losing_quotes)} examined)"
    if not entering:
        if not left_open:
            every = plural(len(study.losing_quotes), "losing quote")
            return f"None of {every} pays at a discount of 95 %"
        return f"{plural(never, 'losing quote')} cannot pay even at a discount of 95 %{also}"
    first = entering[0]
    name = label_of(study.problem, first.name)
    need = first.certified_in or 0.0
    text = f"{name} is the closest losing quote: it pays from a discount of "
    text += percent(need, "up", places=1)
    if need < 0.005:
        text = f"{name} is tied: buying it at the quoted price costs almost no score"
    if never:
        text += f"; {never} of {len(study.losing_quotes)} never pay"
    return text + also


def _paint(figure: Figure, study: ProcurementStudy, listed: list[LosingQuote]) -> None:
    axes = figure.subplots()
    for row, quote in enumerate(listed):
        out, into = 100 * (quote.certified_out or 0.0), quote.certified_in
        axes.hlines(row, 0, out, color=GREY, linewidth=1.0, zorder=1)
        note = "never" if quote.certified_out is not None else "undecided"
        if into is not None:
            axes.plot([out, 100 * into], [row, row], color=BLUE, linewidth=4, zorder=2)
            axes.plot([100 * into], [row], "D", color=BLUE, ms=5, zorder=3)
            note = percent(into, "up", places=1)
        if quote.certified_out is not None:
            axes.plot([out], [row], "|", color="black", ms=9, zorder=3)
        at = out if into is None else 100 * into
        axes.annotate(note, (at, row), xytext=(7, 0), textcoords="offset points", va="center",
                      fontsize=8)  # fmt: skip
    names = [label_of(study.problem, quote.name, 32) for quote in listed]
    axes.set_yticks(range(len(listed)), names, parse_math=False)
    axes.set_ylim(len(listed) - 0.4, -0.6)
    axes.set_xlim(0, 106)
    axes.set_xlabel("discount on the quoted price (%)")
    figure.legend(
        handles=[
            Line2D([], [], marker="|", color="black", ls="", label="certainly does not pay"),
            Line2D([], [], color=BLUE, linewidth=4, label="undecided"),
            Line2D([], [], marker="D", color=BLUE, ls="", label="certainly pays"),
        ],
        loc="outside upper left", ncols=3,
    )  # fmt: skip
