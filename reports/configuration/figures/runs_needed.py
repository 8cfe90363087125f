"""Regret over runs spent: chosen one after the other, or drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from planner.configurations.prediction.findings import GOAL, STRATEGIES, needed, needs
from planner.configurations.study import ConfigurationStudy
from planner.formatting import clipped, given, percent
from reports.configuration.figures.models import MARKERS, no_answer, percent_scale
from reports.configuration.summary import application_names
from reports.style import GREY, PALETTE, Picture, draw, in_groups

if TYPE_CHECKING:
    from planner.configurations.prediction.curves import CurvePoint

_PANELS = 6
_STYLES = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)), (0, (3, 3)))


def pictures(study: ConfigurationStudy) -> list[Picture]:
    """One picture for every six applications."""
    if study.prediction is None:
        return []
    names = application_names(study)
    groups = in_groups(names, _PANELS)
    made = []
    for number, group in enumerate(groups, 1):
        points = [point for point in study.prediction.curves if point.application in group]
        text = "Median regret by runs: " + "; ".join(
            f"{clipped(point.application)}, {point.strategy}, {point.runs}: {_described(point)}"
            for point in points
        )
        file = "08-runs-needed" if number == 1 else f"08-runs-needed-{number}"
        columns = 1 if len(group) == 1 else 2
        size = (6.8, 3.3 if columns == 1 else 0.9 + 2.0 * -(-len(group) // 2))
        made.append(
            draw("runs needed", file, finding(points), text, size,
                 lambda figure, points=points: paint(figure, points))  # type: ignore[misc]
        )  # fmt: skip
    return made


def _described(point: CurvePoint) -> str:
    return "no answer" if point.regret_median is None else percent(point.regret_median)


def finding(points: Sequence[CurvePoint]) -> str:
    """Runs that the first strategy needs, which is the sequential one."""
    first = points[0].strategy
    rows = [
        needed([point for point in points if (point.application, point.strategy) == (name, first)])
        for name in dict.fromkeys(point.application for point in points)
    ]
    who = STRATEGIES.get(first, first)
    return f"For a median regret of {given(GOAL)}, {who} needs {needs(rows)}"


def paint(figure: Figure, points: Sequence[CurvePoint]) -> None:
    """One panel per application, one line per strategy."""
    names = list(dict.fromkeys(point.application for point in points))
    strategies = list(dict.fromkeys(point.strategy for point in points))
    columns = 1 if len(names) == 1 else 2
    panels = figure.subplots(-(-len(names) // columns), columns, squeeze=False).flatten()
    for axes, name in zip(panels, names, strict=False):
        for number, strategy in enumerate(strategies):
            here = [p for p in points if (p.application, p.strategy) == (name, strategy)]
            _line(axes, here, number, len(strategies))
        axes.axhline(100 * GOAL, color=GREY, linewidth=1, linestyle=(0, (4, 2)), zorder=1)
        percent_scale(axes)
        axes.set_xticks(sorted({point.runs for point in points}))
        axes.set_title(clipped(name, 40), loc="left", parse_math=False)
    for axes in panels[len(names) :]:
        axes.set_axis_off()
    figure.supxlabel("runs spent", fontsize=9)
    figure.supylabel("regret (%)", fontsize=9)
    figure.legend(handles=_handles(strategies), loc="outside upper left", ncols=2,
                  handlelength=2.6)  # fmt: skip


def _line(axes: Axes, points: Sequence[CurvePoint], number: int, strategies: int) -> None:
    """Medians, each with a bar up to the ninetieth percentile."""
    look = _look(number)
    moved = 0.28 * (number - (strategies - 1) / 2)
    answered = [point for point in points if point.regret_median is not None]
    axes.plot([point.runs + moved for point in answered],
              [100 * (point.regret_median or 0.0) for point in answered], **look)  # fmt: skip
    for point in answered:
        ends = [100 * (point.regret_median or 0.0), 100 * (point.regret_high or 0.0)]
        at = point.runs + moved
        axes.plot([at, at], ends, color=look["color"], linewidth=0.7, zorder=1)
        axes.plot(at, ends[1], "_", color=look["color"], ms=4, zorder=1)
    for point in points:
        if point.regret_median is not None and point.no_answer:
            axes.plot(point.runs + moved, 100 * point.regret_median, look["marker"], ms=5,
                      color=look["color"], markerfacecolor="white", zorder=4)  # fmt: skip
        if point.regret_median is None:
            no_answer(axes, point.runs + moved, look["color"], look["marker"])


def _look(number: int) -> dict[str, Any]:
    return {
        "color": PALETTE[number % len(PALETTE)], "marker": MARKERS[number % len(MARKERS)],
        "linestyle": _STYLES[number % len(_STYLES)], "ms": 5, "linewidth": 1.3,
        "markeredgecolor": "black", "markeredgewidth": 0.4, "zorder": 3,
    }  # fmt: skip


def _handles(strategies: Sequence[str]) -> list[Line2D]:
    lines = [
        Line2D([], [], **_look(number), label=STRATEGIES.get(strategy, strategy))
        for number, strategy in enumerate(strategies)
    ]
    goal = Line2D([], [], color=GREY, linewidth=1, linestyle=(0, (4, 2)), label=given(GOAL))
    return [*lines, goal]
