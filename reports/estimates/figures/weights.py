"""What depends on the weights of the scheduler: queue times without and with exact estimates."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from planner.formatting import duration
from planner.scheduling.estimates.settings import AS_GIVEN, changed_weight
from planner.scheduling.estimates.study import EstimateStudy
from reports.estimates.gain_text import between, change, in_table, number_or_none
from reports.figures.axes import times_axis
from reports.style import BLUE, GREY, VERMILLION, Picture, draw, rows_high


def pictures(study: EstimateStudy) -> list[Picture]:
    """One picture, where other weights were simulated and a job waits."""
    rows = study.weights
    if len(rows) < 2 or not any(row["mean_wait_s"] or row["mean_wait_exact_s"] for row in rows):
        return []
    text = "; ".join(
        f"{row['weights']}: {duration(row['mean_wait_s'])}, exact "
        f"{duration(row['mean_wait_exact_s'])}"
        for row in rows
    )
    return [
        draw("weights", "05-weights", finding(study), f"Mean wait of all jobs. {text}.",
             (6.8, rows_high(len(rows), 0.22, 0.85)), lambda figure: paint(figure, rows))
    ]  # fmt: skip


def finding(study: EstimateStudy) -> str:
    """Between what the gain of exact estimates lies."""
    gains = {row["weights"]: number_or_none(row["gain"]) for row in study.weights}
    there = [gain for gain in gains.values() if gain is not None]
    if not there:
        return "No job waits under any of the weights"
    unchanged = f"{change(gains[AS_GIVEN])} with the weights as given"
    if min(there) > 0 or max(there) < 0:
        sign = "Under all weights simulated, exact estimates make waits "
        sign += "shorter" if min(there) > 0 else "longer"
    elif min(there) == max(there) == 0:
        return "Under all weights simulated, exact estimates make no difference"
    else:
        sign = "The scheduler's weights decide whether exact estimates make waits shorter"
    return f"{sign}: {between(there)}; {unchanged}"


def weight_name(variant: str) -> str:
    """Return a variant so that its weight is not read as the thing that it weighs.

    Examples
    --------
    >>> weight_name("ten times processors"), weight_name("as given")
    ('ten times weight of processors', 'as given')
    """
    weight = changed_weight(variant)
    return f"{variant.removesuffix(weight)}weight of {weight}" if weight else variant


def paint(figure: Figure, rows: list[dict[str, Any]]) -> None:
    """A row for each variant: hollow without the tool, filled with exact estimates."""
    axes = figure.subplots()
    for index, row in enumerate(rows):
        bare, exact = row["mean_wait_s"], row["mean_wait_exact_s"]
        colour = BLUE if exact <= bare else VERMILLION
        axes.plot([bare, exact], [index, index], color=colour, linewidth=1.6)
        axes.plot([bare], [index], "o", color=colour, ms=5, markerfacecolor="white")
        axes.plot([exact], [index], "o" if exact <= bare else "X", color=colour, ms=5)
        axes.annotate(in_table(row["gain"]), (max(bare, exact), index), (7, 0), va="center",
                      textcoords="offset points", fontsize=8)  # fmt: skip
    longest = max(max(row["mean_wait_s"], row["mean_wait_exact_s"]) for row in rows)
    axes.axhline(0.5, color=GREY, linewidth=0.8)
    axes.set_yticks(range(len(rows)), [weight_name(row["weights"]) for row in rows],
                   fontsize=8)  # fmt: skip
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, 1.12 * max(longest, 1.0))
    unit = times_axis(axes.xaxis, 0, 1.12 * max(longest, 1.0))
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(f"mean wait of all jobs ({unit})")
