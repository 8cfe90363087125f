"""Gains of predictors: bars between no tool and exact estimates, huge losses cut."""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from planner.formatting import percent, plural
from planner.scheduling.estimates.predictors.registry import ORACLES
from planner.scheduling.estimates.result import Remains
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.summary import best_predictor
from reports.estimates.gain_text import change, exact_gain, in_table, makes, number_or_none
from reports.style import (
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

_LOOK = {"extend": (BLUE, ""), "request": (ORANGE, "//"), "double": (VERMILLION, "xx")}
_OTHER = (SKY, "..")
_WORDS = {
    "extend": "extended when exceeded",
    "request": "killed, rerun with the request",
    "double": "killed, rerun with twice the estimate",
    "never": "prediction never exceeded",
}
_DEEPEST = 0.2
"""A loss is shown in full up to three times the largest gain, and up to this."""


@dataclass(frozen=True)
class PredictorBar:
    """A row: the predictor, what happens to jobs that exceed it, and the result."""

    name: str
    strategy: str
    of: Remains


def pictures(study: EstimateStudy) -> list[Picture]:
    """One picture, where predictors were simulated and a job waits."""
    rows = bars(study)
    if not rows:
        return []
    text = "; ".join(
        f"{row.name}, {_WORDS[row.strategy]}: {change(row.of.gain)}, "
        f"{percent(row.of.outcome.lost_share)} of the work lost"
        for row in rows
    )
    exact = f"Exact estimates: {change(exact_gain(study))}."
    return [
        draw("predictors", "04-predictors", finding(study), f"{exact} {text}.",
             (6.8, rows_high(len(rows) + 1, 0.2, 1.15)), lambda figure: paint(figure, study))
    ]  # fmt: skip


def bars(study: EstimateStudy) -> list[PredictorBar]:
    """A row for each tool, the largest gain first; one where no prediction is exceeded."""
    there = [r for r in study.remains if number_or_none(r.gain) is not None]
    exceeded = {_name(r) for r in there if r.outcome.kills or r.outcome.corrections}
    rows: dict[tuple[str, str], PredictorBar] = {}
    for remains in there:
        name = _name(remains)
        strategy = strategy_of(remains) if name in exceeded else "never"
        rows.setdefault((name, strategy), PredictorBar(name, strategy, remains))
    return list(rows.values())


def marks(study: EstimateStudy) -> str:
    """Return what the caption says of marks that the figure has: cut bars, ranges, arrows."""
    rows = bars(study)
    low = scale(study, rows)[0]
    text = ""
    if any(100 * gain < low for gain in (exact_gain(study), *(row.of.gain for row in rows))):
        text += " A bar with a white gap is cut; its number is exact."
    spread = [row.of.groups for row in rows if _has_range(row.of)]
    if spread:
        text += " Black: range over the groups of sampled users."
    if any(100 * group.least < low for group in spread if group is not None):
        text += " Arrow: beyond the axis."
    return text


def _has_range(remains: Remains) -> bool:
    groups = remains.groups
    return groups is not None and groups.seeds > 1 and groups.least != groups.most


def _name(remains: Remains) -> str:
    margin = "" if remains.tool.margin == 1 else f" x {remains.tool.margin:g}"
    oracle = " (oracle)" if remains.tool.predictor in ORACLES else ""
    return f"{remains.tool.predictor}{margin}{oracle}"


def label(remains: Remains, strategy: str) -> str:
    """The predictor and what happens to jobs that exceed it, in short."""
    return f"{_name(remains)}, {_SHORT[strategy]}"


def strategy_of(remains: Remains) -> str:
    """``extend``, ``request`` or ``double``."""
    overruns = remains.tool.overruns
    if overruns.then == "extend":
        return "extend"
    return "request" if math.isinf(overruns.factor) else "double"


def finding(study: EstimateStudy) -> str:
    """What the best predictor gains, and the worst."""
    best, exact = best_predictor(study), makes(exact_gain(study), many=True)
    wait = "the mean wait of all jobs"
    if best is None or number_or_none(best.gain) is None:
        return f"Exact estimates {makes(exact_gain(study), wait, many=True)}"
    message = (
        f"The best predictor, {best.tool.words}, {makes(best.gain, wait)}; exact estimates {exact}"
    )
    worst = [remains for remains in study.remains if remains.tool.predictor not in ORACLES][-1]
    if worst is best or worst.gain >= 0:
        return message
    return f"{message}; the worst, {worst.tool.words}, {makes(worst.gain)}"


def counted(study: EstimateStudy) -> str:
    """How many real predictors, each with each strategy, make waits shorter."""
    gains = [r.gain for r in study.remains if r.tool.predictor not in ORACLES]
    gains = [gain for gain in gains if number_or_none(gain) is not None]
    if not gains:
        return finding(study)
    shorter = sum(gain > 0 for gain in gains)
    better = sum(gain > max(exact_gain(study), 0.0) for gain in gains)
    verb = "makes" if shorter == 1 else "make"
    more = f", {better:,} of them by more than exact estimates do" if better else ""
    return (
        f"{shorter:,} of {plural(len(gains), 'combination')} of predictor and rule for its errors "
        f"{verb} the mean wait of all jobs shorter{more}"
    )


def paint(figure: Figure, study: EstimateStudy) -> None:
    """Gains on the left, work lost on the right."""
    rows = bars(study)
    share = max(row.of.outcome.lost_share for row in rows)
    left, *more = figure.subplots(1, 1 + (share > 0), sharey=True, squeeze=False,
                                  width_ratios=(2.0, 1) if share > 0 else None)[0]  # fmt: skip
    _gains(left, study, rows)
    there = [strategy for strategy in _WORDS if any(row.strategy == strategy for row in rows)]
    handles = [
        Patch(facecolor=colour, hatch=hatch, edgecolor="white", label=_WORDS[strategy])
        for strategy in there
        for colour, hatch in [_LOOK.get(strategy, _OTHER)]
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=2, fontsize=8)
    if more:
        (right,) = more
        for level, bar in enumerate(rows, start=1):
            colour, hatch = _look(bar)
            value = 100 * bar.of.outcome.lost_share
            right.barh(level, value, 0.62, color=colour, hatch=hatch, edgecolor="white")
            if bar.of.outcome.jobs_killed:
                jobs = plural(bar.of.outcome.jobs_killed, "job")
                right.text(value + 2 * share, level, f"{percent(value / 100)} ({jobs})",
                           va="center", fontsize=8)  # fmt: skip
        right.set_xlim(0, 220 * share)
        right.set_xlabel("work lost (% of all work)")
        right.set_title("cost of kills (killed jobs)", loc="left")
        right.grid(visible=False, axis="y")


def _look(bar: PredictorBar) -> tuple[str, str]:
    return _LOOK.get(bar.strategy, _OTHER)


def scale(study: EstimateStudy, rows: list[PredictorBar]) -> tuple[float, float]:
    """Ends of the axis [%]: gains in full, losses up to some three times the largest gain."""
    gains = [row.of.gain for row in rows] + [exact_gain(study), 0.0]
    groups = [g for g in (row.of.groups for row in rows) if g is not None and g.seeds > 1]
    deepest = -max(_DEEPEST, 3 * max(gains))
    in_scale = [gain for gain in gains if gain >= 1.5 * deepest]
    low = min(in_scale)
    if len(in_scale) < len(gains):
        low = min(low, deepest)
    high = max([*gains, *(group.most for group in groups)])
    return 100 * min(low, -0.005), 100 * max(high, 0.02)


def _gains(axes: Axes, study: EstimateStudy, rows: list[PredictorBar]) -> None:
    low, high = scale(study, rows)
    room = 0.02 * (high - low)
    _bar(axes, 0, exact_gain(study), low, room, (GREEN, ""))
    _number(axes, 0, exact_gain(study), 100 * exact_gain(study), room)
    for level, bar in enumerate(rows, start=1):
        _bar(axes, level, bar.of.gain, low, room, _look(bar))
        right = 100 * bar.of.gain
        groups = bar.of.groups
        if groups is not None and _has_range(bar.of) and 100 * groups.most > low:
            lowest, highest = 100 * groups.least, 100 * groups.most
            axes.plot([max(lowest, low), highest], [level, level], color="black", linewidth=0.9)
            if lowest < low:
                axes.plot([low], [level], "<", color="black", ms=3)
            right = max(right, highest)
        _number(axes, level, bar.of.gain, right, room)
    axes.axvline(0, color=GREY, linewidth=1)
    axes.axhline(0.5, color=GREY, linewidth=0.8)
    if 100 * exact_gain(study) >= low:
        axes.axvline(100 * exact_gain(study), color=GREEN, linewidth=1, linestyle=(0, (5, 2)),
                     zorder=0.9)  # fmt: skip
    names = [label(row.of, row.strategy) for row in rows]
    axes.set_yticks(range(len(rows) + 1), ["exact estimates", *names], fontsize=8)
    axes.set_ylim(len(rows) + 0.6, -0.6)
    axes.set_xlim(low - room, high + 11 * room)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("mean wait of all jobs: shorter by (%)")
    axes.set_title("gain", loc="left")


def _bar(axes: Axes, row: int, gain: float, low: float, room: float, look: tuple[str, str]) -> None:
    """A bar, with a gap near its end where the axis ends before it does."""
    colour, hatch = look
    axes.barh(row, max(100 * gain, low), 0.62, color=colour, hatch=hatch, edgecolor="white")
    if 100 * gain < low - 1e-9:
        gap = [low + room] * 2
        axes.plot(gap, [row - 0.4, row + 0.4], color="white", linewidth=3)


def _number(axes: Axes, row: int, gain: float, right: float, room: float) -> None:
    """The number of a bar, right of it and of the line of the sampled users."""
    axes.text(max(0.0, right) + room, row, in_table(gain), va="center", fontsize=8,
              bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6})  # fmt: skip


_SHORT = {
    "extend": "extended",
    "request": "killed, request",
    "double": "killed, doubled",
    "never": "never exceeded",
}
