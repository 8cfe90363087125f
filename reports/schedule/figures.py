"""Figures of power-aware scheduling: turnaround over the bound, and watts over time."""

from __future__ import annotations

from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.formatting import percent
from planner.scheduling.power.results.comparisons import Row
from planner.scheduling.power.study import ScheduleStudy
from reports.style import Picture, draw, look

_MARKERS = "osD^vP*X"


def pictures(study: ScheduleStudy) -> list[Picture]:
    """Return turnaround over the bound for each log."""
    if len(study.bounds_w) < 2 or len(study.policies) < 2:
        return []
    return [
        draw(
            "turnaround",
            f"{number:02d}-turnaround-{log}",
            _finding(study, log),
            "Mean turnaround over that of the reference policy at the same bound; bars: 95 % "
            f"interval over {study.seeds} seeds; simulated.",
            (6.8, 3.2),
            partial(_turnaround, study=study, log=log),
        )
        for number, log in enumerate(study.logs, start=1)
    ]


def _finding(study: ScheduleStudy, log: str) -> str:
    """What the figure of a log shows beyond the noise, in words."""
    rows = [row for row in study.rows if row.log == log and row.policy != study.reference]
    shorter = [row for row in rows if row.difference == "shorter"]
    longer = [row for row in rows if row.difference == "longer"]
    parts = []
    if shorter:
        best = min(shorter, key=_ratio)
        parts.append(f"up to {percent(1 - _ratio(best))} shorter under {best.policy}")
    if longer:
        worst = max(longer, key=_ratio)
        parts.append(f"up to {percent(_ratio(worst) - 1)} longer under {worst.policy}")
    if not parts:
        return f"{log}: no difference in turnaround from {study.reference} is shown"
    return f"{log}: turnaround {', '.join(parts)} than under {study.reference}"


def _ratio(row: Row) -> float:
    return 1.0 if row.ratio is None else row.ratio


def _turnaround(figure: Figure, study: ScheduleStudy, log: str) -> None:
    axes: Axes = figure.subplots()
    shift = 0.006 * (study.bounds_w[-1] - study.bounds_w[0])
    others = [policy for policy in study.policies if policy != study.reference]
    for number, policy in enumerate(others):
        rows = [row for row in study.rows if (row.log, row.policy) == (log, policy)]
        rows = [row for row in rows if row.ratio is not None]
        if not rows:
            continue
        colour = look(number)[0]
        at = [(row.bound_w + shift * (number - len(others) / 2)) / 1000 for row in rows]
        values = [_ratio(row) for row in rows]
        axes.plot(at, values, "-", color=colour, marker=_MARKERS[number % len(_MARKERS)],
                  markersize=5, linewidth=1.2, label=policy)  # fmt: skip
        for x, row in zip(at, rows, strict=True):
            if row.low is not None and row.high is not None:
                axes.vlines(x, row.low, row.high, color=colour, linewidth=1, alpha=0.6)
    axes.axhline(1, color="0.4", linewidth=1, linestyle=":")
    axes.annotate(study.reference, (1, 1), xycoords=("axes fraction", "data"), ha="right",
                  va="bottom", fontsize=8, color="0.35")  # fmt: skip
    axes.set_xlabel("power bound (kW)")
    axes.set_ylabel(f"turnaround over {study.reference}")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
