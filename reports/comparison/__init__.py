"""The report of ``headroom compare``: its tables, and the gaps as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.comparison.files import files
from planner.comparison.outcomes import SAME, exact
from planner.comparison.study import ComparisonStudy, Summary, gap_text
from reports.first_page import MOST_LINES, FirstPage
from reports.standard import document as standard_document
from reports.standard import standard_report
from reports.style import BLUE, GREY, Picture, draw, look, rows_high
from reports.warning_boxes import boxed

__all__ = ["REPORT", "pictures"]

_MARKERS = "osD^vP*X"


def pictures(study: ComparisonStudy) -> list[Picture]:
    """Return the gap of each method over the size of the instances, or over all of them."""
    rows = [summary for summary in study.summaries if summary.worst_gap is not None]
    if all((row.worst_gap or 0.0) <= SAME for row in rows):
        return []  # nothing to see
    largest = "; ".join(f"{row.method} {gap_text(row.worst_gap or 0)}" for row in rows)
    words = f"Distance from the best proven limit. Largest gaps: {largest}."
    if len(study.sizes) > 1:
        title = study.headline.rstrip(".")
        return [draw("growth", "01-gap-over-size", title, words, (6.8, 3.4),
                     lambda figure: _growth(figure, study))]  # fmt: skip
    title = study.headline.rstrip(".")
    height = rows_high(len(rows), 0.28, 0.7)
    return [draw("answers", "01-gaps", title, words, (6.8, height),
                 lambda figure: _bars(figure, rows))]  # fmt: skip


def _growth(figure: Figure, study: ComparisonStudy) -> None:
    """Mean gap at each size, with a line up to the largest."""
    axes: Axes = figure.subplots()
    for number, method in enumerate(study.methods):
        points = [
            (growth.size, growth.mean_gap, growth.worst_gap)
            for growth in study.growth
            if growth.method == method
            and growth.mean_gap is not None
            and growth.worst_gap is not None
        ]
        if not points:
            continue
        sizes = [size for size, _, _ in points]
        means = [100 * mean for _, mean, _ in points]
        colour = look(number)[0]
        style = "-" if exact(study.of(method)[0].kind) else "--"
        axes.plot(sizes, means, style, color=colour, marker=_MARKERS[number % len(_MARKERS)],
                  markersize=5, linewidth=1.4, label=method, clip_on=False)  # fmt: skip
        axes.vlines(sizes, means, [100 * worst for _, _, worst in points], color=colour, alpha=0.5)
    axes.set_xlabel(f"number of {study.decision.size}")
    axes.set_ylabel("gap to the proven limit (%)\nmean, and line to the largest")
    axes.set_xscale("log", base=2)
    axes.set_xticks(study.sizes, [f"{size:,}" for size in study.sizes])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


def _bars(figure: Figure, rows: list[Summary]) -> None:
    """Median and largest gap of each method."""
    axes: Axes = figure.subplots()
    for row, summary in enumerate(rows):
        median, worst = 100 * (summary.median_gap or 0.0), 100 * (summary.worst_gap or 0.0)
        colour = GREY if exact(summary.kind) else BLUE
        axes.hlines(row, median, worst, color=colour, linewidth=2)
        axes.plot([median], [row], "o", color=colour, markersize=6, clip_on=False, zorder=3)
        axes.plot([worst], [row], "|", color=colour, markersize=9)
    axes.set_yticks(range(len(rows)), [summary.method for summary in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(left=0 if any(summary.worst_gap for summary in rows) else -1)
    axes.set_xlabel("gap to the proven limit (%): median (dot) and largest (bar)")


def document(study: ComparisonStudy, drawn: Sequence[Picture]) -> dict[str, Any]:
    """The standard document, with a first page that says which method to use."""
    made = standard_document(study, drawn)
    first = FirstPage(
        reasons=_reasons(study),
        alternatives=_alternatives(study),
        risks=boxed(study.warnings),
        robustness=_robustness(study),
        assumptions=("Gaps are to the best limit that any method proves on the same instance.",
                     "A plan that breaks a rule has no gap and does not count."),
        next_steps=_next_steps(study),
        table=made["table"],
    )  # fmt: skip
    return made | first.to_dict() | {"figure": made["figure"]}


def _reasons(study: ComparisonStudy) -> list[str]:
    """State what the methods that prove their plans reach."""
    lines = []
    for each in study.summaries:
        if each.optimal is None:
            continue
        lines.append(
            f"{each.method} finds a plan for {each.solved:,} of {each.instances:,} instances and "
            f"proves {each.optimal:,} optimal."
        )
    return lines[:MOST_LINES]


def _alternatives(study: ComparisonStudy) -> list[str]:
    """State how much each heuristic loses, the best one first."""
    others = [each for each in study.summaries if not exact(each.kind)]
    found = [each for each in others if each.worst_gap is not None]
    found.sort(key=lambda each: (-each.solved, each.median_gap or 0.0, each.worst_gap or 0.0))
    lines = [
        f"{each.method}: median gap {gap_text(each.median_gap or 0.0)}, at most "
        f"{gap_text(each.worst_gap or 0.0)}."
        for each in found
    ]
    lines += [f"{each.method} finds no plan." for each in others if each.worst_gap is None]
    return lines[:MOST_LINES]


def _robustness(study: ComparisonStudy) -> list[str]:
    instances = max((each.instances for each in study.summaries), default=0)
    if instances < 2:
        return ["One instance only: use more sizes or data for a general statement."]
    best = max(
        (each for each in study.summaries if not exact(each.kind)),
        key=lambda each: each.best_of_all,
        default=None,
    )
    if best is None:
        return []
    share = f"{best.best_of_all:,} of {instances:,} instances"
    return [f"{best.method} has the best plan, or ties, on {share}."]


def _next_steps(study: ComparisonStudy) -> list[str]:
    if study.disagreements:
        return ["Report the contradictions with their files; do not use these plans."]
    return ["Use an exact method where it finishes in time, else the best heuristic."]


REPORT = replace(
    standard_report(pictures), document=document, solves=ComparisonStudy.times, files=files
)
