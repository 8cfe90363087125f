"""One input at a time: how far the best score moves."""

from __future__ import annotations

import math

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from planner.formatting import capitalised, clipped, given, percent
from planner.procurement.findings import label_of, no_plan
from planner.procurement.problem import Problem
from planner.procurement.sensitivity import Bar
from planner.procurement.study import ProcurementStudy
from reports.numbers import fixed
from reports.style import BLUE, ORANGE, VERMILLION, Picture, draw, rows_high, wrapped
from reports.units import RESOURCES

_MOST = 18


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if inputs were varied."""
    if study.plan is None or not study.tornado:
        return []
    bars = study.tornado[:_MOST]
    values = "; ".join(
        f"{parameter_words(study.problem, bar)}: {_score(study, bar.score_low)} to "
        f"{_score(study, bar.score_high)}"
        for bar in bars
    )
    return [
        draw(
            "tornado", "11-tornado", finding(study),
            f"Best score with one input lowered and raised: {values}.",
            (6.8, rows_high(len(bars), 0.3, 1.1)), lambda figure: _paint(figure, study, bars),
        )
    ]  # fmt: skip


def listed(study: ProcurementStudy) -> str:
    """How many inputs the figure leaves out; empty where it shows all."""
    remaining = len(study.tornado) - _MOST
    return f"The {_MOST} widest of {len(study.tornado)} bars." if remaining > 0 else ""


def parameter_words(problem: Problem, bar: Bar) -> str:
    """An input and its half width in words."""
    kind, _, name = bar.parameter.partition(" of ")
    if kind == "probability":
        return f'probability of demand "{clipped(name, 30)}" ±{given(bar.change)}'
    subject = f"{kind} of {label_of(problem, name)}" if name else RESOURCES.get(kind, kind)
    return f"{subject} ±{given(bar.change)}"


def finding(study: ProcurementStudy) -> str:
    """The widest bar, and whether any input changes what is bought."""
    if study.plan is None:
        return "No plan exists to vary"
    widest, score = study.tornado[0], study.plan.score
    moved = sum(bar.types_change for bar in study.tornado)
    if math.isinf(widest.swing):
        effect = "decides whether a plan exists"
        if no_plan(study, "tornado") != "no plan":
            effect = "decides whether a plan is found in time"
    else:
        effect = f"moves the best score most, by {percent(widest.swing / score)}"
    change = (
        f"{moved} of {len(study.tornado)} inputs change the node types bought"
        if moved
        else "no input changes the node types bought"
    )
    return f"{_capital(parameter_words(study.problem, widest))} {effect}; {change}"


def _capital(text: str) -> str:
    return capitalised(text)


def _score(study: ProcurementStudy, score: float | None) -> str:
    return no_plan(study, "tornado") if score is None else fixed(score, 3)


def _paint(figure: Figure, study: ProcurementStudy, bars: tuple[Bar, ...]) -> None:
    if study.plan is None:
        return
    axes = figure.subplots()
    base = study.plan.score
    for row, input_bar in enumerate(bars):
        ends = [(input_bar.score_low, BLUE, ""), (input_bar.score_high, ORANGE, "//")]
        for score, colour, hatch in ends:
            if score is not None:
                axes.barh(row, score - base, left=base, color=colour, hatch=hatch, height=0.62,
                          edgecolor="white")  # fmt: skip
        for kept_score in (input_bar.kept_low, input_bar.kept_high):
            if kept_score is not None and kept_score > 0.5 * base:
                axes.plot([kept_score], [row], "|", color="black", ms=10, markeredgewidth=1.3)
    names = [
        wrapped(parameter_words(study.problem, bar), 42, 1) + (" *" if bar.types_change else "")
        for bar in bars
    ]
    axes.set_yticks(range(len(bars)), names, fontsize=8, parse_math=False)
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.axvline(base, color=VERMILLION, linewidth=1.2, linestyle=(0, (5, 2)), zorder=1)
    axes.set_xlabel("best score S (* the optimum buys other node types)")
    figure.legend(
        handles=[
            Patch(facecolor=BLUE, edgecolor="white", label="input lowered"),
            Patch(facecolor=ORANGE, hatch="//", edgecolor="white", label="input raised"),
            Line2D([], [], marker="|", color="black", ls="", ms=9, label="decision kept"),
        ],
        loc="outside upper left", ncols=3,
    )  # fmt: skip
