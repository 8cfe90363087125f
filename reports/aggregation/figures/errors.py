"""How far IPC is off on training codes that the model did not see."""

from __future__ import annotations

from matplotlib.figure import Figure

from planner.aggregation.aggregate import AggregationStudy
from planner.aggregation.summary import percent
from planner.aggregation.tables import left_out_codes
from planner.formatting import clipped
from reports.style import BLUE, VERMILLION, Picture, draw, rows_high

MOST_ROWS = 24


def pictures(study: AggregationStudy) -> list[Picture]:
    """One picture."""
    rows = left_out_codes(study)
    text = "; ".join(
        f"{row['code']}: mean {percent(row['mean_error'])}, worst {percent(row['most_error'])}"
        for row in rows[:MOST_ROWS]
    )
    size = (6.8, rows_high(len(rows[:MOST_ROWS]), 0.18, 0.8))
    return [
        draw("errors", "02-errors", finding(study), f"{text}.", size,
             lambda figure: paint(figure, study))
    ]  # fmt: skip


def finding(study: AggregationStudy) -> str:
    """Mean, and the worst code."""
    worst = max(left_out_codes(study), key=lambda row: row["most_error"])
    tried = study.learnt.tried[0]
    return (
        f"Cross-validation error of IPC: {percent(tried.mean_error)} mean, "
        f"{percent(worst['most_error'])} worst ({clipped(worst['code'], 40)})"
    )


def paint(figure: Figure, study: AggregationStudy) -> None:
    """A dot for the mean error of each code, a line to its largest."""
    axes = figure.subplots()
    rows = left_out_codes(study)[:MOST_ROWS]
    for index, row in enumerate(rows):
        mean, most = 100 * row["mean_error"], 100 * row["most_error"]
        axes.hlines(index, mean, most, color=BLUE, linewidth=1.2, zorder=2)
        axes.plot([mean], [index], "o", color=BLUE, ms=5, zorder=3)
        axes.plot([most], [index], "|", color=BLUE, ms=8, markeredgewidth=1.4, zorder=3)
    limit = 100 * study.settings.threshold
    axes.axvline(limit, color=VERMILLION, linewidth=1.1, linestyle=(0, (5, 2)),
                 label="tolerated slowdown")  # fmt: skip
    axes.set_yticks(range(len(rows)), [clipped(row["code"], 28) for row in rows], fontsize=8)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(left=0)
    axes.set_xlabel("IPC error in %: mean and worst over problem sets and patterns")
    axes.grid(visible=False, axis="y")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
