"""The figure compares the cut that each algorithm finds with the proven limit."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from planner.formatting import words
from planner.placement.compared import Tried
from planner.placement.study import PlacementStudy
from planner.placement.summary import goal, less_by
from reports.placement.summary import axis, counted_in, full_name, label, over, status
from reports.style import (
    BLUE,
    GREY,
    ORANGE,
    VERMILLION,
    Picture,
    draw,
    rows_high,
    wrapped,
)

_MOST_NAMED = 2


def pictures(study: PlacementStudy) -> list[Picture]:
    """One picture, where there is anything to cut."""
    if study.comparison == "silent":
        return []
    text = "; ".join(
        f"{label(attempt)}: {study.shown(attempt.value)} ({status(study, attempt)})"
        for attempt in study.tried
    )
    bound = study.bound
    least = f" Proven limit: {study.shown(bound)}." if np.isfinite(bound) else ""
    return [
        draw("algorithms", "02-algorithms", finding(study), f"{text}.{least}",
             (6.8, rows_high(len(study.tried), 0.32, 1.0)), lambda figure: paint(figure, study))
    ]  # fmt: skip


def finding(study: PlacementStudy) -> str:
    """Who finds the least, and how far it is from the bound."""
    least = min(each.value for each in study.tried)
    best = [each for each in study.tried if each.value - least <= study.tolerance]
    bound = study.bound
    if len(best) == len(study.tried):
        who = "Every algorithm finds the same value" if len(best) > 1 else "One algorithm was tried"
    else:
        who = f"{len(best)} of {len(study.tried)} algorithms find the least"
        if len(best) <= _MOST_NAMED:
            who = f"Best: {words([full_name(each.name) for each in best])}"
    if least - bound <= study.tolerance:
        return f"{who}; proven optimal"
    if not np.isfinite(bound) or least <= 0:
        return f"{who}; the possible improvement is not known"
    return f"{who}; at most {less_by((least - bound) / least, 'up')} less is possible"


def paint(figure: Figure, study: PlacementStudy) -> None:
    """A row for each algorithm, from the order of ranks to what it finds."""
    axes = figure.subplots()
    order, bound = study.order_value, study.bound
    for row, attempt in enumerate(study.tried):
        value = attempt.value
        axes.hlines(row, order, value, color=GREY, linewidth=0.9, zorder=1)
        axes.plot([value], [row], _marker(study, attempt), color=_colour(study, attempt), ms=6.5,
                  zorder=3, markerfacecolor=_face(study, attempt))  # fmt: skip
        axes.annotate(
            f"{study.shown(value)}  ({over(value, order)})", (max(value, order), row),
            xytext=(8, 0), textcoords="offset points", va="center", fontsize=8,
        )  # fmt: skip
    axes.axvline(order, color=GREY, linewidth=1.0, linestyle=":", zorder=1)
    every = [order, *(attempt.value for attempt in study.tried)]
    if np.isfinite(bound):
        axes.axvline(bound, color=VERMILLION, linewidth=1.2, linestyle=(0, (5, 2)), zorder=1)
        every.append(bound)
    span = _limits(axes, every)
    names = [wrapped(label(attempt), 32) for attempt in study.tried]
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.xaxis.set_major_formatter(axis(study.placement.costs.unit, span))
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.set_xlabel(
        f"{counted_in(study)}{goal(study.placement)}, less is better (in brackets: ratio to the "
        "default mapping)"
    )
    figure.legend(handles=_handles(study), loc="outside upper left", ncols=5, handlelength=1.8,
                  columnspacing=1.2)  # fmt: skip


def _limits(axes: Axes, every: list[float]) -> float:
    """Set the ends of the axis; its length over the largest value."""
    low, high = min(every), max(every)
    if low >= 0 and high > 3 * low:
        low = 0.0
    wide = (high - low) or abs(high) or 1.0
    axes.set_xlim(low - 0.05 * wide, high + 0.34 * wide)
    return 1.39 * wide / (abs(high) or 1.0)


def _marker(study: PlacementStudy, attempt: Tried) -> str:
    return "D" if study.reached(attempt) else "o"


def _colour(study: PlacementStudy, attempt: Tried) -> str:
    return ORANGE if attempt.name == study.settings.algorithm else BLUE


def _handles(study: PlacementStudy) -> list[Line2D]:
    """Only what is drawn, as it is drawn."""
    drawn = {
        (attempt.name == study.settings.algorithm, study.reached(attempt)): attempt
        for attempt in study.tried
    }
    names = {
        (True, True): "selected, proved optimal",
        (True, False): "selected",
        (False, True): "proved optimal",
        (False, False): "other",
    }
    handles = [
        Line2D([], [], marker=_marker(study, drawn[kind]), ls="", ms=6.5, label=name,
               color=_colour(study, drawn[kind]), markerfacecolor=_face(study, drawn[kind]))
        for kind, name in names.items()
        if kind in drawn
    ]  # fmt: skip
    handles.append(Line2D([], [], color=GREY, ls=":", label="default mapping"))
    if np.isfinite(study.bound):
        text = f"proven limit: {study.shown(study.bound)}"
        handles.append(Line2D([], [], color=VERMILLION, ls=(0, (5, 2)), label=text))
    return handles


def _face(study: PlacementStudy, attempt: Tried) -> str:
    return _colour(study, attempt) if study.reached(attempt) else "white"
