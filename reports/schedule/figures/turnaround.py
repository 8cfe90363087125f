"""Turnaround of each policy over the bound, log by log (thesis, figures 5.6 to 5.9)."""

from __future__ import annotations

from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.formatting import percent, plural, power
from planner.scheduling.power.headline import label
from planner.scheduling.power.results.comparisons import ComparisonRow
from planner.scheduling.power.study import ScheduleStudy
from reports.schedule.figures.by_bound import BoundPoint, draw_lines
from reports.style import Picture, draw


def pictures(study: ScheduleStudy) -> list[Picture]:
    """Return a figure for each log, if there are several bounds and policies."""
    if len(study.bounds_w) < 2 or len(study.policies) < 2:
        return []
    return [
        draw(
            "turnaround",
            f"{number:02d}-turnaround-{log}",
            _finding(study, log),
            f"Mean turnaround relative to {label(study.reference)} at {power(study.bounds_w[-1])}; "
            f"bars: 95 % interval, {plural(study.seeds, 'seed')}; simulated.",
            (6.8, 2.7),
            partial(_turnaround, study=study, log=log),
        )
        for number, log in enumerate(study.logs, start=1)
    ]


def _finding(study: ScheduleStudy, log: str) -> str:
    """Return what the figure of a log shows beyond the noise, in words."""
    rows = [row for row in study.rows if row.log == log and row.policy != study.reference]
    if study.by_chance:
        return f"Log {log}: one seed cannot show a difference from {label(study.reference)}"
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
        return f"Log {log}: no policy differs significantly from {label(study.reference)}"
    return f"Log {log}: turnaround is {' and '.join(parts)} than under {label(study.reference)}"


def _case(row: ComparisonRow) -> str:
    return f"({label(row.policy)}, {power(row.bound_w)})"


def _ratio(row: ComparisonRow) -> float:
    return 1.0 if row.ratio is None else row.ratio


def _turnaround(figure: Figure, study: ScheduleStudy, log: str) -> None:
    axes: Axes = figure.subplots()
    lines: dict[str, list[BoundPoint]] = {}
    for row in study.rows:
        if row.log == log and row.normalised is not None:
            point = BoundPoint(row.bound_w, row.normalised, row.normalised_low, row.normalised_high)
            lines.setdefault(row.policy, []).append(point)
    draw_lines(axes, lines, study.reference)
    axes.axhline(1, color="0.6", linewidth=0.8, linestyle=":")
    axes.set_xlabel("power bound (kW)")
    axes.set_ylabel(
        f"turnaround relative to\n{label(study.reference)} at {power(study.bounds_w[-1])}"
    )
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
