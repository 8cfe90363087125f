"""Turnaround of each policy over the bound, log by log (thesis, figures 5.6 to 5.9)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.formatting import percent, plural, power
from planner.scheduling.power.headline import label
from planner.scheduling.power.results.comparisons import ComparisonRow
from planner.scheduling.power.study import ScheduleStudy
from reports.schedule.figures.by_bound import BoundPoint, draw_lines
from reports.style import Picture, draw, in_groups

_MOST_PANELS = 4
_MOST_ABOVE = 1.6
"""Top of the axis over the highest mean; longer intervals are cut off."""


def pictures(study: ScheduleStudy) -> list[Picture]:
    """Return panels of the logs, if there are several bounds and policies."""
    if len(study.bounds_w) < 2 or len(study.policies) < 2:
        return []
    return [
        draw(
            "turnaround",
            f"{index:02d}-turnaround",
            _finding(study, logs),
            f"Mean turnaround relative to {label(study.reference)} at {power(study.bounds_w[-1])}; "
            f"bars: 95 % interval, {plural(study.seeds, 'seed')}; simulated.",
            (6.8, 1.0 + 1.4 * ((len(logs) + 1) // 2)),
            partial(_panels, study=study, logs=logs),
        )
        for index, logs in enumerate(in_groups(study.logs, _MOST_PANELS), start=1)
    ]


def _finding(study: ScheduleStudy, logs: Sequence[str]) -> str:
    """Return what the figure shows beyond the noise, in words."""
    rows = [row for row in study.rows if row.log in logs and row.policy != study.reference]
    reference = label(study.reference)
    where = f"Log {logs[0]}" if len(logs) == 1 else f"{len(logs)} logs"
    if study.by_chance:
        return f"{where}: one seed cannot show a difference from {reference}"
    shorter = [row for row in rows if row.difference == "shorter"]
    longer = [row for row in rows if row.difference == "longer"]
    parts = []
    if shorter:
        best = min(shorter, key=_ratio)
        parts.append(f"up to {percent(1 - _ratio(best))} shorter {_case(best)}")
    if longer:
        worst = max(longer, key=_ratio)
        parts.append(f"up to {percent(_ratio(worst) - 1)} longer {_case(worst)}")
    if not parts:
        return f"{where}: no policy differs significantly from {reference} under the same bound"
    return f"{where}: turnaround is {' and '.join(parts)} than under {reference}"


def _case(row: ComparisonRow) -> str:
    return f"({label(row.policy)}, log {row.log}, {power(row.bound_w)})"


def _ratio(row: ComparisonRow) -> float:
    return 1.0 if row.ratio is None else row.ratio


def _points(study: ScheduleStudy, log: str) -> dict[str, list[BoundPoint]]:
    """Return the points of each policy on a log."""
    lines: dict[str, list[BoundPoint]] = {}
    for row in study.rows:
        if row.log == log and row.normalised is not None:
            point = BoundPoint(row.bound_w, row.normalised, row.normalised_low, row.normalised_high)
            lines.setdefault(row.policy, []).append(point)
    return lines


def _top(study: ScheduleStudy, logs: Sequence[str]) -> float:
    """Return the upper end of the axis; longer intervals are cut off there."""
    points = [point for log in logs for line in _points(study, log).values() for point in line]
    most = max((point.value for point in points), default=1.0)
    ends = max((point.high or point.value for point in points), default=1.0)
    return min(1.05 * ends, _MOST_ABOVE * most) if study.seeds > 1 else 1.05 * most


def _panels(figure: Figure, study: ScheduleStudy, logs: Sequence[str]) -> None:
    rows, columns = (len(logs) + 1) // 2, min(len(logs), 2)
    panels: list[Axes] = [*figure.subplots(rows, columns, squeeze=False, sharey=True).flat]
    for index, (axes, log) in enumerate(zip(panels, logs, strict=False)):
        draw_lines(axes, _points(study, log), study.reference)
        axes.axhline(1, color="0.6", linewidth=0.8, linestyle=":")
        axes.set_title(f"log {log}")
        if index >= len(logs) - columns:
            axes.set_xlabel("power bound (kW)")
        if index % columns == 0:
            axes.set_ylabel(
                f"turnaround relative to\n{label(study.reference)} at {power(study.bounds_w[-1])}"
            )
    panels[0].set_ylim(0, _top(study, logs))
    for axes in panels[len(logs) :]:
        axes.set_visible(False)
    panels[columns - 1].legend(loc="upper left", bbox_to_anchor=(1, 1))
