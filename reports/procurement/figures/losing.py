"""How much cheaper each losing quote must become."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from planner.formatting import percent
from planner.procurement.findings import label_of
from planner.procurement.losing import LosingQuote
from planner.procurement.study import ProcurementStudy
from reports.style import BLUE, GREY, Picture, draw, rows_high

MOST = 30


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if there are losing quotes."""
    if not study.losing:
        return []
    shown = ranked(study)[:MOST]
    listed = "; ".join(f"{label_of(study.problem, each.name)} {words(each)}" for each in shown)
    return [
        draw(
            "losing", "08-losing-quotes", finding(study),
            f"Discount at which each losing quote certainly pays: {listed}.",
            (6.8, rows_high(len(shown), 0.27, 1.0)), lambda figure: _paint(figure, study, shown),
        )
    ]  # fmt: skip


def ranked(study: ProcurementStudy) -> list[LosingQuote]:
    """Nearest to paying first."""
    return sorted(study.losing, key=lambda each: (each.certified_in or 9.0, each.name))


def words(each: LosingQuote) -> str:
    """The answer for one quote."""
    if each.certified_in is None:
        return "never up to 95 %" if each.certified_out else "not settled"
    out = "not certified"
    if each.certified_out is not None:
        out = percent(each.certified_out, "down", places=1)
    return f"out at {out}, in at {percent(each.certified_in, 'up', places=1)}"


def finding(study: ProcurementStudy) -> str:
    """The nearest quote, and how many never enter."""
    entering = [each for each in ranked(study) if each.certified_in is not None]
    outside = [each for each in study.losing if each.certified_in is None]
    never = sum(each.certified_out is not None for each in outside)
    left_open = len(outside) - never
    also = f"; {left_open} of {len(study.losing)} could not be settled" if left_open else ""
    if not entering and not never:
        return f"Whether one of the {len(study.losing)} losing quotes pays could not be settled"
    if not entering:
        whose = f"None of the {len(study.losing)}" if not left_open else f"{never} of the"
        pays = "pays" if not left_open else "do not pay"
        return f"{whose} losing quotes {pays}, even at 95 % off{also}"
    first = entering[0]
    name = label_of(study.problem, first.name)
    need = first.certified_in or 0.0
    text = f"{name} is the nearest losing quote: {percent(need, 'up', places=1)} "
    text += "off and it pays"
    if need < 0.005:
        text = f"{name} would cost next to nothing in score: it ties as quoted"
    text += f"; {never} of {len(study.losing)} never do" if never else ""
    return text + also


def _paint(figure: Figure, study: ProcurementStudy, shown: list[LosingQuote]) -> None:
    axes = figure.subplots()
    for row, each in enumerate(shown):
        out, into = 100 * (each.certified_out or 0.0), each.certified_in
        axes.hlines(row, 0, out, color=GREY, linewidth=1.0, zorder=1)
        note = "never" if each.certified_out is not None else "not settled"
        if into is not None:
            axes.plot([out, 100 * into], [row, row], color=BLUE, linewidth=4, zorder=2)
            axes.plot([100 * into], [row], "D", color=BLUE, ms=5, zorder=3)
            note = percent(into, "up", places=1)
        if each.certified_out is not None:
            axes.plot([out], [row], "|", color="black", ms=9, zorder=3)
        at = out if into is None else 100 * into
        axes.annotate(note, (at, row), xytext=(7, 0), textcoords="offset points", va="center",
                      fontsize=8)  # fmt: skip
    names = [label_of(study.problem, each.name, 32) for each in shown]
    axes.set_yticks(range(len(shown)), names, parse_math=False)
    axes.set_ylim(len(shown) - 0.4, -0.6)
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
