"""Turnaround of each policy over the bound, log by log (thesis, figures 5.6 to 5.9)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.formatting import percent, plural, power
from planner.scheduling.power.headline import FEW_SEEDS, label
from planner.scheduling.power.results.comparisons import ComparisonRow
from planner.scheduling.power.study import ScheduleStudy
from reports.schedule.figures.by_bound import REFERENCE_LOOK, BoundPoint, draw_lines
from reports.style import Picture, draw, in_groups

_MOST_PANELS = 4
_MOST_ABOVE = 1.6
"""Ends of the axis over the highest mean and under the lowest; longer intervals go on."""
_TICKS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3, 4, 5, 7, 10, 20)
_FEWEST_TICKS, _MOST_TICKS = 4, 9


def pictures(study: ScheduleStudy) -> list[Picture]:
    """Return panels of the logs, if there are several bounds, and policies to compare."""
    if len(study.bounds_w) < 2 or len(study.policies) < 2:
        return []
    return [
        draw(
            "turnaround",
            f"{index:02d}-turnaround",
            _finding(study, logs),
            f"Mean turnaround relative to {label(study.reference)} under the same bound; "
            f"bars: 95 % interval, {plural(study.seeds, 'seed')}; simulated.",
            (6.8, 2.3 if len(logs) < 3 else 0.7 + 1.1 * ((len(logs) + 1) // 2)),
            partial(_panels, study=study, logs=logs),
        )
        for index, logs in enumerate(in_groups(study.logs, _MOST_PANELS), start=1)
        if _compared(study, logs)
    ]


def _compared(study: ScheduleStudy, logs: Sequence[str]) -> list[tuple[float, ComparisonRow]]:
    """Return the rows of other policies that have a ratio to the reference policy."""
    return [
        (row.ratio, row)
        for row in study.rows
        if row.log in logs and row.policy != study.reference and row.ratio is not None
    ]


def _finding(study: ScheduleStudy, logs: Sequence[str]) -> str:
    """Return what the figure shows beyond the noise, in words."""
    rows = _compared(study, logs)
    reference = label(study.reference)
    where = f"Log {logs[0]}" if len(logs) == 1 else f"{len(logs)} logs"
    if study.seeds == 1:
        ends = dict.fromkeys(f"{end(rows, key=_ratio)[0]:.3f}" for end in (min, max))
        doubt = " (one seed: not conclusive)" if study.by_chance else ""
        return f"{where}: turnaround is {' to '.join(ends)} times that under {reference}{doubt}"
    shorter = [pair for pair in rows if pair[1].difference == "shorter"]
    longer = [pair for pair in rows if pair[1].difference == "longer"]
    parts = []
    if shorter:
        ratio, best = min(shorter, key=_ratio)
        parts.append(f"up to {percent(1 - ratio)} shorter {_case(best, logs)}")
    if longer:
        ratio, worst = max(longer, key=_ratio)
        parts.append(f"up to {percent(ratio - 1)} longer {_case(worst, logs)}")
    if not parts and study.seeds < FEW_SEEDS:
        return (
            f"{where}: no significant difference from {reference} is shown with {study.seeds} seeds"
        )
    if not parts:
        return f"{where}: no policy differs significantly from {reference} under the same bound"
    return f"{where}: turnaround is {' and '.join(parts)} than under {reference}"


def _case(row: ComparisonRow, logs: Sequence[str]) -> str:
    log = f"log {row.log}, " if len(logs) > 1 else ""
    return f"({label(row.policy)}, {log}{power(row.bound_w)})"


def note(study: ScheduleStudy) -> str:
    """Return what bars and triangles are, as far as there are such marks."""
    if study.seeds < 2:
        return ""
    beyond = False
    for logs in in_groups(study.logs, _MOST_PANELS):
        low, high = _ends(study, logs)
        points = (point for log in logs for line in _points(study, log).values() for point in line)
        beyond |= any((point.low or low) < low or (point.high or high) > high for point in points)
    triangle = "A triangle marks an interval that goes beyond the axis; schedule.xlsx has its ends."
    triangles = f" {triangle}" if beyond else ""
    return f"Bars: 95 % intervals, each on its own.{triangles}"


def _ratio(pair: tuple[float, ComparisonRow]) -> float:
    return pair[0]


def _points(study: ScheduleStudy, log: str) -> dict[str, list[BoundPoint]]:
    """Return the points of each policy on a log."""
    lines: dict[str, list[BoundPoint]] = {}
    for row in study.rows:
        if row.log == log and row.ratio is not None and row.policy != study.reference:
            point = BoundPoint(row.bound_w, row.ratio, row.low, row.high)
            lines.setdefault(row.policy, []).append(point)
    return lines


def _ends(study: ScheduleStudy, logs: Sequence[str]) -> tuple[float, float]:
    """Return the ends of the axis; longer intervals go on beyond them."""
    points = [point for log in logs for line in _points(study, log).values() for point in line]
    values = [1.0, *(point.value for point in points)]
    lows = [point.low for point in points if point.low is not None]
    highs = [point.high for point in points if point.high is not None]
    low, high = min([*values, *lows]), max([*values, *highs])
    return (
        max(low / 1.05, min(values) / _MOST_ABOVE),
        min(1.05 * high, _MOST_ABOVE * max(values)),
    )


def _panels(figure: Figure, study: ScheduleStudy, logs: Sequence[str]) -> None:
    rows, columns = (len(logs) + 1) // 2, min(len(logs), 2)
    panels: list[Axes] = [*figure.subplots(rows, columns, squeeze=False, sharey=True).flat]
    low, high = _ends(study, logs)
    for index, (axes, log) in enumerate(zip(panels, logs, strict=False)):
        axes.axhline(1, color=REFERENCE_LOOK, linewidth=1.2, linestyle="--",
                     label=label(study.reference))  # fmt: skip
        lines = _points(study, log)
        draw_lines(axes, lines, study.reference)
        _mark_longer(axes, lines, low, high)
        axes.set_title(f"log {log}")
        if index >= len(logs) - columns:
            axes.set_xlabel("power bound (kW)")
    ticks = _around_one([tick for tick in _TICKS if low <= tick <= high])
    if len(ticks) < _FEWEST_TICKS:
        ticks = [step / 20 for step in range(1, 41) if low <= step / 20 <= high]
    panels[0].set_yscale("log")
    panels[0].set_ylim(low, high)
    panels[0].set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    panels[0].minorticks_off()
    for axes in panels[len(logs) :]:
        axes.set_visible(False)
    scale = "\n(log scale)" if len(logs) < 3 else " (log scale)"
    figure.supylabel(f"turnaround / {label(study.reference)}{scale}", fontsize=9)
    panels[columns - 1].legend(loc="upper left", bbox_to_anchor=(1, 1))


def _around_one(ticks: Sequence[float]) -> list[float]:
    """Return few enough ticks, 1 among them."""
    step = 1 + len(ticks) // _MOST_TICKS
    first = ticks.index(1) % step
    return [*ticks[first::step]]


def _mark_longer(axes: Axes, lines: dict[str, list[BoundPoint]], low: float, high: float) -> None:
    """Mark intervals that go on beyond the ends of the axis."""
    for line in axes.lines[1:]:
        points = lines[next(name for name in lines if label(name) == line.get_label())]
        for x, point in zip(np.asarray(line.get_xdata(), float), points, strict=True):
            for end, marker, beyond in (
                (high, "^", point.high is not None and point.high > high),
                (low, "v", point.low is not None and point.low < low),
            ):
                if beyond:
                    axes.scatter([x], [end], s=14, marker=marker, color=line.get_color(),
                                 clip_on=False, zorder=3)  # fmt: skip
