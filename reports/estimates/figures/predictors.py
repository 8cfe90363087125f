"""What predictors leave of the gain: bars between no tool and exact estimates, huge losses cut."""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.estimates.predictors.known import ORACLES
from planner.estimates.study import EstimateStudy, Remains
from planner.estimates.verdict import best_predictor
from reports.estimates.wording import change, in_table, known
from reports.figures.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    SKY,
    VERMILLION,
    Picture,
    draw,
    rows_high,
)
from reports.units import percent

_LOOK = {"extend": (BLUE, ""), "request": (ORANGE, "//"), "double": (VERMILLION, "xx")}
_WORDS = {
    "extend": "extended when outlived",
    "request": "killed, again with the request",
    "double": "killed, again with twice the estimate",
    "never": "never outlived",
}
_DEEPEST = 0.2
"""A loss is shown in full up to three times the largest gain, and up to this."""


@dataclass(frozen=True)
class Bar:
    """A row: whose, what becomes of jobs that outlive a prediction, and what is found."""

    name: str
    strategy: str
    of: Remains


def pictures(study: EstimateStudy) -> list[Picture]:
    """One picture, where predictors were played and somebody waits."""
    rows = bars(study)
    if not rows:
        return []
    told = "; ".join(
        f"{each.name}, {_WORDS[each.strategy]}: {change(each.of.gain)}, "
        f"{percent(each.of.lost)} of the work lost"
        for each in rows
    )
    exact = f"Exact estimates: {change(study.exact_gain)}."
    return [
        draw("predictors", "04-predictors", finding(study), f"{exact} {told}.",
             (6.8, rows_high(len(rows) + 1, 0.21, 0.95)), lambda figure: paint(figure, study))
    ]  # fmt: skip


def bars(study: EstimateStudy) -> list[Bar]:
    """A row for each tool, those of a predictor together; one where no prediction is outlived."""
    there = [each for each in study.remains if known(each.gain) is not None]
    found: list[Bar] = []
    for name in dict.fromkeys(_name(each) for each in there):
        mine = [each for each in there if _name(each) == name]
        if not any(each.outcome.kills or each.outcome.corrections for each in mine):
            found.append(Bar(name, "never", mine[0]))
            continue
        found += [Bar(name, strategy_of(each), each) for each in mine]
    return found


def _name(each: Remains) -> str:
    margin = "" if each.tool.margin == 1 else f" x {each.tool.margin:g}"
    oracle = " (oracle)" if each.tool.predictor in ORACLES else ""
    return f"{each.tool.predictor}{margin}{oracle}"


def strategy_of(each: Remains) -> str:
    """``extend``, ``request`` or ``double``."""
    overruns = each.tool.overruns
    if overruns.then == "extend":
        return "extend"
    return "request" if math.isinf(overruns.factor) else "double"


def finding(study: EstimateStudy) -> str:
    """What the best predictor leaves, and the worst."""
    best = best_predictor(study)
    if best is None or known(best.gain) is None:
        return f"Exact estimates make the queue time of all jobs {change(study.exact_gain)}"
    leaves = f"{best.tool.words}, makes the queue time of all jobs {change(best.gain)}"
    exact = study.exact_gain
    if exact > 0:
        beside = f"exact estimates {change(exact)}"
    else:
        beside = f"exact estimates gain nothing themselves ({change(exact)})"
    real = [each for each in study.remains if each.tool.predictor not in ORACLES]
    worst = real[-1]
    ending = ""
    if worst is not best and worst.gain < 0:
        ending = f"; with {worst.tool.words}, it is {change(worst.gain)}"
    return f"The best predictor, {leaves}, {beside}{ending}"


def paint(figure: Figure, study: EstimateStudy) -> None:
    """Gains on the left, work lost on the right."""
    rows = bars(study)
    share = max(each.of.lost for each in rows)
    left, *more = figure.subplots(1, 1 + (share > 0), sharey=True, squeeze=False,
                                  width_ratios=(2.4, 1) if share > 0 else None)[0]  # fmt: skip
    _gains(left, study, rows)
    if more:
        (right,) = more
        for place, each in enumerate(rows, start=1):
            colour, hatch = _look(each)
            value = 100 * each.of.lost
            right.barh(place, value, 0.62, color=colour, hatch=hatch, edgecolor="white")
            if each.of.outcome.jobs_killed:
                right.text(value + 2 * share, place, f"{each.of.outcome.jobs_killed:,} jobs",
                           va="center", fontsize=6.5)  # fmt: skip
        right.set_xlim(0, 150 * share)
        right.set_xlabel("work lost (% of all work)")
        right.set_title("killed", loc="left")
        right.grid(visible=False, axis="y")


def _look(each: Bar) -> tuple[str, str]:
    return _LOOK.get(each.strategy, (SKY, ".."))


def scale(study: EstimateStudy, rows: list[Bar]) -> tuple[float, float]:
    """Ends of the axis [%]: gains in full, losses up to three times the largest gain."""
    gains = [each.of.gain for each in rows]
    top = max([*gains, study.exact_gain, 0.0])
    depth = min([*gains, study.exact_gain, 0.0])
    deepest = -max(_DEEPEST, 3 * top)
    return 100 * max(depth, deepest), 100 * max(top, 0.02)


def _gains(axes: Axes, study: EstimateStudy, rows: list[Bar]) -> None:
    low, high = scale(study, rows)
    span = high - low
    axes.barh(0, 100 * study.exact_gain, 0.62, color=GREEN)
    axes.text(max(0.0, 100 * study.exact_gain) + 0.02 * span, 0, in_table(study.exact_gain),
              va="center", fontsize=7)  # fmt: skip
    for place, each in enumerate(rows, start=1):
        gain, (colour, hatch) = 100 * each.of.gain, _look(each)
        axes.barh(place, max(gain, low), 0.62, color=colour, hatch=hatch, edgecolor="white")
        groups = each.of.groups
        if groups is not None and groups.seeds > 1:
            ends = [min(max(100 * end, low), high * 1.3) for end in (groups.least, groups.most)]
            axes.plot(ends, [place, place], color="black", linewidth=0.9)
        if gain < low - 1e-9:
            axes.plot([low + 0.02 * span] * 2, [place - 0.4, place + 0.4], color="white",
                      linewidth=3)  # fmt: skip
        axes.text(_beside(each, high) + 0.02 * span, place, in_table(each.of.gain), va="center",
                  fontsize=7)  # fmt: skip
    axes.axvline(0, color=GREY, linewidth=1)
    axes.axvline(100 * study.exact_gain, color=GREEN, linewidth=1, linestyle=(0, (5, 2)))
    names = [f"{each.name}, {_SHORT[each.strategy]}" for each in rows]
    axes.set_yticks(range(len(rows) + 1), ["exact estimates", *names], fontsize=7.5)
    axes.set_ylim(len(rows) + 0.6, -0.6)
    axes.set_xlim(low - 0.02 * span, high * 1.3 + 0.22 * span)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("queue time of all jobs: shorter by (%)")
    axes.set_title("gain", loc="left")


def _beside(each: Bar, high: float) -> float:
    """Where the number of a bar begins: right of the bar and of the seed groups' line."""
    ends = [0.0, 100 * each.of.gain]
    if each.of.groups is not None and each.of.groups.seeds > 1:
        ends.append(min(100 * each.of.groups.most, 1.3 * high))
    return max(ends)


_SHORT = {
    "extend": "extended",
    "request": "killed, request",
    "double": "killed, doubled",
    "never": "never outlived",
}
